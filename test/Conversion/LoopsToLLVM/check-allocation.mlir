// RUN: attn-opt %s --attn-check-allocation -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-DAG: ("{{.*}}out of memory: the size of a tensor exceeds 63 bits\00")
// CHECK-DAG: ("{{.*}}out of memory: cannot allocate %lld bytes\00")
// CHECK-LABEL: func @dynamic(
// CHECK: %[[STATIC:.*]] = arith.constant 12 : i64
// CHECK: %[[M:.*]] = arith.index_cast %arg0 : index to i64
// CHECK: %[[LOW:.*]], %[[HIGH:.*]] = arith.mului_extended %[[STATIC]], %[[M]] : i64
// CHECK: arith.cmpi ne, %[[HIGH]]
// CHECK: %[[BYTES:.*]], %{{.*}} = arith.mului_extended %[[LOW]], %{{.*}} : i64
// CHECK: scf.if
// CHECK: llvm.call @attn_rt_assert_fail(
// CHECK: %[[BUFFER:.*]] = memref.alloc
// CHECK: memref.extract_aligned_pointer_as_index %[[BUFFER]]
// CHECK: scf.if
// CHECK: llvm.call @attn_rt_assert_fail_values(%{{.*}}, %[[BYTES]], %{{.*}})
func.func @dynamic(%m: index, %n: index) -> memref<?x3x?xf32> {
  %buffer = memref.alloc(%m, %n) : memref<?x3x?xf32>
  return %buffer : memref<?x3x?xf32>
}

// -----

// The product of static sizes is known to fit.
// CHECK-LABEL: func @static(
// CHECK-NOT: arith.mului_extended
// CHECK: %[[BYTES:.*]] = arith.constant 16 : i64
// CHECK-NEXT: memref.alloc
// CHECK-NOT: attn_rt_assert_fail(
// CHECK: llvm.call @attn_rt_assert_fail_values(%{{.*}}, %[[BYTES]]
func.func @static() -> memref<4xf32> {
  %buffer = memref.alloc() : memref<4xf32>
  return %buffer : memref<4xf32>
}

// -----

// expected-error @below {{expects symbol 'attn_rt_assert_fail_values' to be an llvm.func}}
func.func private @attn_rt_assert_fail_values()

func.func @taken() -> memref<4xf32> {
  %buffer = memref.alloc() : memref<4xf32>
  return %buffer : memref<4xf32>
}
