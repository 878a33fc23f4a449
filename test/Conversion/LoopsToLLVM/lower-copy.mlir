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

// The conversion to LLVM does not see that this is contiguous.
// CHECK-LABEL: func.func @dynamic_with_offset
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
func.func @dynamic_with_offset(%a: memref<?xf32>, %b: memref<?xf32, strided<[1], offset: ?>>) {
  memref.copy %a, %b : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @static_with_offset
// CHECK: memref.copy
func.func @static_with_offset(%a: memref<4xf32>, %b: memref<4xf32, strided<[1], offset: ?>>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32, strided<[1], offset: ?>>
  return
}

// CHECK-LABEL: func.func @nothing_with_offset
// CHECK-NOT: memref.copy
// CHECK: linalg.generic
func.func @nothing_with_offset(%a: memref<0xf32>, %b: memref<0xf32, strided<[1], offset: ?>>) {
  memref.copy %a, %b : memref<0xf32> to memref<0xf32, strided<[1], offset: ?>>
  return
}
