// RUN: attn-opt %s --attn-raise-attention | FileCheck %s

// The pass alone, on named ops without a batch: each head becomes a batch.
// CHECK-LABEL: func @heads(
// CHECK: attn.attention query(%{{.*}} : tensor<4x1x6x8xf32>) key(%{{.*}} : tensor<4x1x6x8xf32>) value(%{{.*}} : tensor<4x1x6x8xf32>)
// CHECK-SAME: scale = 1.000000e+00
// CHECK-NOT: linalg.softmax
// CHECK-NOT: linalg.batch_matmul
// CHECK: return
func.func @heads(%q: tensor<4x6x8xf32>, %k: tensor<4x6x8xf32>, %v: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<4x6x6xf32>
  %o = tensor.empty() : tensor<4x6x8xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%s : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%o : tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
  %t = tensor.empty() : tensor<4x8x6xf32>
  %kt = linalg.transpose ins(%k : tensor<4x6x8xf32>) outs(%t : tensor<4x8x6xf32>) permutation = [0, 2, 1]
  %scores = linalg.batch_matmul ins(%q, %kt : tensor<4x6x8xf32>, tensor<4x8x6xf32>) outs(%s0 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%scores : tensor<4x6x6xf32>) outs(%s : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<4x6x6xf32>, tensor<4x6x8xf32>) outs(%o0 : tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
  return %r : tensor<4x6x8xf32>
}

// Over the queries it is no attention.
// CHECK-LABEL: func @other_dimension(
// CHECK-NOT: attn.attention
// CHECK: linalg.softmax dimension(1)
func.func @other_dimension(%q: tensor<4x6x8xf32>, %k: tensor<4x6x8xf32>, %v: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<4x6x6xf32>
  %o = tensor.empty() : tensor<4x6x8xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%s : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %o0 = linalg.fill ins(%zero : f32) outs(%o : tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
  %t = tensor.empty() : tensor<4x8x6xf32>
  %kt = linalg.transpose ins(%k : tensor<4x6x8xf32>) outs(%t : tensor<4x8x6xf32>) permutation = [0, 2, 1]
  %scores = linalg.batch_matmul ins(%q, %kt : tensor<4x6x8xf32>, tensor<4x8x6xf32>) outs(%s0 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %p = linalg.softmax dimension(1) ins(%scores : tensor<4x6x6xf32>) outs(%s : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<4x6x6xf32>, tensor<4x6x8xf32>) outs(%o0 : tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
  return %r : tensor<4x6x8xf32>
}
