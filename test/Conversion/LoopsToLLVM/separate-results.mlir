// RUN: attn-opt %s --attn-separate-results | FileCheck %s

// CHECK-LABEL: func.func @shared
func.func @shared() -> (memref<4x4xf32>, memref<16xf32>, memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %c = memref.alloc() : memref<4x4xf32>
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[VIEW:.*]] = memref.collapse_shape %[[A]]
  // CHECK: %[[C:.*]] = memref.alloc
  // CHECK: %[[B:.*]] = bufferization.clone %[[VIEW]]
  // CHECK: return %[[A]], %[[B]], %[[C]]
  return %a, %b, %c : memref<4x4xf32>, memref<16xf32>, memref<4x4xf32>
}

// CHECK-LABEL: func.func private @private
// CHECK-NOT: bufferization.clone
func.func private @private() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  return %a, %a : memref<4xf32>, memref<4xf32>
}
