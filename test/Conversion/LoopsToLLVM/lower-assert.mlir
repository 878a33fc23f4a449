// RUN: attn-opt %s --attn-lower-assert --split-input-file | FileCheck %s
// RUN: not attn-opt %S/Inputs/assert-symbol-taken.mlir --attn-lower-assert 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TAKEN

// One global for each text, one call for each assertion; the op is structured,
// so it can stand in a loop.
// CHECK-DAG: llvm.mlir.global private constant @[[A:.*]]("graph.mlir:3:7: first\00")
// CHECK-DAG: llvm.mlir.global private constant @[[B:.*]]("second\00")
// CHECK: llvm.func @attn_rt_assert_fail(!llvm.ptr)
// CHECK-LABEL: func.func @loop
func.func @loop(%c: i1, %d: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: %[[FAILED:.*]] = arith.xori %{{.*}}, %{{.*}} : i1
    // CHECK-NEXT: scf.if %[[FAILED]] {
    // CHECK-NEXT: %[[TEXT:.*]] = llvm.mlir.addressof @[[A]]
    // CHECK-NEXT: llvm.call @attn_rt_assert_fail(%[[TEXT]])
    cf.assert %c, "first" loc("folder/graph.mlir":3:7)
    // CHECK: llvm.mlir.addressof @[[B]]
    cf.assert %d, "second" loc(unknown)
    // CHECK: llvm.mlir.addressof @[[A]]
    cf.assert %d, "first" loc(fused["name", "folder/graph.mlir":3:7])
  }
  return
}

// -----

// Numbers that are compared are part of the message; `%` stands for itself.
// CHECK-DAG: ("100%% (got %lld, expected less than %lld)\00")
// CHECK-DAG: ("is equal (got %lld, expected %lld)\00")
// CHECK-DAG: ("different\00")
// CHECK-DAG: llvm.func @attn_rt_assert_fail_values(!llvm.ptr, i64, i64)
// CHECK-LABEL: func.func @numbers
// CHECK: %[[A:.*]] = arith.index_cast %arg0 : index to i64
// CHECK: %[[B:.*]] = arith.index_cast %arg1 : index to i64
// CHECK: llvm.call @attn_rt_assert_fail_values(%{{.*}}, %[[A]], %[[B]])
// CHECK: %[[C:.*]] = arith.extsi %arg2 : i8 to i64
// CHECK: %[[D:.*]] = arith.extsi %arg3 : i8 to i64
// CHECK: llvm.call @attn_rt_assert_fail_values(%{{.*}}, %[[C]], %[[D]])
// CHECK: llvm.call @attn_rt_assert_fail(
func.func @numbers(%a: index, %b: index, %c: i8, %d: i8) {
  %less = arith.cmpi slt, %a, %b : index
  cf.assert %less, "100%" loc(unknown)
  %equal = arith.cmpi eq, %c, %d : i8
  cf.assert %equal, "is equal" loc(unknown)
  %different = arith.cmpi ne, %a, %b : index
  cf.assert %different, "different" loc(unknown)
  return
}

// -----

// Where a quotient times its divisor has to give its dividend, these two are what
// the message tells.
// CHECK-DAG: ("divides (got %lld, expected a multiple of %lld)\00")
// CHECK-DAG: ("other (got %lld, expected %lld)\00")
// CHECK-DAG: ("by itself (got %lld, expected a multiple of %lld)\00")
// CHECK-DAG: ("by a constant (got %lld, expected a multiple of %lld)\00")
// A product with something other than the divisor says something else.
// CHECK-DAG: ("no multiple (got %lld, expected %lld)\00")
// CHECK-DAG: ("greater of others (got %lld, expected %lld)\00")
// CHECK-LABEL: func.func @multiple
// CHECK: %[[A:.*]] = arith.index_cast %arg0 : index to i64
// CHECK: %[[B:.*]] = arith.index_cast %arg1 : index to i64
// CHECK: llvm.call @attn_rt_assert_fail_values(%{{.*}}, %[[A]], %[[B]])
func.func @multiple(%a: index, %b: index) {
  %c1 = arith.constant 1 : index
  %divisor = arith.maxui %b, %c1 : index
  %quotient = arith.divui %a, %divisor : index
  %product = arith.muli %quotient, %b : index
  %exact = arith.cmpi eq, %product, %a : index
  cf.assert %exact, "divides" loc(unknown)
  %same = arith.cmpi eq, %product, %b : index
  cf.assert %same, "other" loc(unknown)
  %part = arith.divui %a, %b : index
  %whole = arith.muli %part, %b : index
  %itself = arith.cmpi eq, %whole, %a : index
  cf.assert %itself, "by itself" loc(unknown)
  %four = arith.constant 4 : index
  %quarter = arith.divui %a, %four : index
  %factor = arith.constant 4 : index
  %quarters = arith.muli %quarter, %factor : index
  %constant = arith.cmpi eq, %quarters, %a : index
  cf.assert %constant, "by a constant" loc(unknown)
  %c2 = arith.constant 2 : index
  %half = arith.muli %quarter, %c2 : index
  %near = arith.cmpi eq, %half, %a : index
  cf.assert %near, "no multiple" loc(unknown)
  %two = arith.maxui %b, %c2 : index
  %by_two = arith.divui %a, %two : index
  %back = arith.muli %by_two, %b : index
  %great = arith.cmpi eq, %back, %a : index
  cf.assert %great, "greater of others" loc(unknown)
  return
}

// -----

// A negative number is great without a sign; so both ends are told.
// CHECK-DAG: ("below (got %lld, expected 0 to %lld)\00")
// CHECK-DAG: ("up to (got %lld, expected 0 to %lld)\00")
// CHECK-LABEL: func.func @unsigned
// CHECK: %[[END:.*]] = arith.index_cast %arg1 : index to i64
// CHECK: %[[LAST:.*]] = arith.subi %[[END]], %c1_i64 : i64
// CHECK: llvm.call @attn_rt_assert_fail_values(%{{.*}}, %{{.*}}, %[[LAST]])
// CHECK: %[[LAST:.*]] = arith.index_cast %arg1 : index to i64
// CHECK-NEXT: llvm.mlir.addressof
// CHECK-NEXT: llvm.call @attn_rt_assert_fail_values(%{{.*}}, %{{.*}}, %[[LAST]])
func.func @unsigned(%a: index, %b: index) {
  %below = arith.cmpi ult, %a, %b : index
  cf.assert %below, "below" loc(unknown)
  %upTo = arith.cmpi ule, %a, %b : index
  cf.assert %upTo, "up to" loc(unknown)
  return
}

// -----

// Nothing is declared where nothing is asserted.
// CHECK-LABEL: func.func @empty
// CHECK-NOT: attn_rt_assert_fail
func.func @empty() {
  return
}

// TAKEN: error: expects symbol 'attn_rt_assert_fail' to be an llvm.func
