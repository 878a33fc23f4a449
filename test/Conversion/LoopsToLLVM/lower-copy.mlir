// RUN: attn-opt %s --pass-pipeline='builtin.module(func.func(attn-lower-copy))' | FileCheck %s

// A contiguous copy stays and becomes a memcpy later.
// CHECK-LABEL: func.func @contiguous
// CHECK: memref.copy
// CHECK-NOT: linalg.generic
func.func @contiguous(%a: memref<4x2xf32>, %b: memref<4x2xf32>) {
  memref.copy %a, %b : memref<4x2xf32> to memref<4x2xf32>
  return
}

// CHECK-LABEL: func.func @strided
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
func.func @strided(%a: memref<4x2xf32>, %b: memref<4x2xf32, strided<[8, 1]>>) {
  memref.copy %a, %b : memref<4x2xf32> to memref<4x2xf32, strided<[8, 1]>>
  return
}
