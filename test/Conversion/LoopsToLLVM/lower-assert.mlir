// RUN: attn-opt %s --attn-lower-assert --split-input-file | FileCheck %s
// RUN: not attn-opt %S/Inputs/assert-symbol-taken.mlir --attn-lower-assert 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TAKEN

// One global for each text, one call for each assertion; the op is structured,
// so it can stand in a loop.
// CHECK-DAG: llvm.mlir.global private constant @[[A:.*]]("first\00")
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
    cf.assert %c, "first"
    // CHECK: llvm.mlir.addressof @[[B]]
    cf.assert %d, "second"
    // CHECK: llvm.mlir.addressof @[[A]]
    cf.assert %d, "first"
  }
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
