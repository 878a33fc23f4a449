// RUN: attn-opt %s --attn-raise-attention | FileCheck %s

// The numbers of keys and of values are two unknowns, which the contraction of
// probabilities and values says are equal, in either order of its operands.

// CHECK-LABEL: func.func @values_last(
// CHECK-SAME: %[[Q:.*]]: tensor<2x?x8xf32>, %[[K:.*]]: tensor<2x?x8xf32>, %[[V:.*]]: tensor<2x?x8xf32>
// CHECK: %[[Q4:.*]] = tensor.expand_shape %[[Q]]
// CHECK: %[[K4:.*]] = tensor.expand_shape %[[K]]
// CHECK: %[[V4:.*]] = tensor.expand_shape %[[V]]
// CHECK: attn.attention query(%[[Q4]] : {{.*}}) key(%[[K4]] : {{.*}}) value(%[[V4]] :
func.func @values_last(%q: tensor<2x?x8xf32>, %k: tensor<2x?x8xf32>, %v: tensor<2x?x8xf32>) -> tensor<2x?x8xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %nq = tensor.dim %q, %c1 : tensor<2x?x8xf32>
  %nk = tensor.dim %k, %c1 : tensor<2x?x8xf32>
  %et = tensor.empty(%nk) : tensor<2x8x?xf32>
  %kt = linalg.transpose ins(%k : tensor<2x?x8xf32>) outs(%et : tensor<2x8x?xf32>) permutation = [0, 2, 1]
  %e = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x?x8xf32>, tensor<2x8x?xf32>) outs(%z : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x?x?xf32>) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %eo = tensor.empty(%nq) : tensor<2x?x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x?x?xf32>, tensor<2x?x8xf32>) outs(%zo : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  return %r : tensor<2x?x8xf32>
}

// CHECK-LABEL: func.func @values_first(
// CHECK-SAME: %[[Q:.*]]: tensor<2x?x8xf32>, %[[K:.*]]: tensor<2x?x8xf32>, %[[V:.*]]: tensor<2x?x8xf32>
// CHECK: %[[Q4:.*]] = tensor.expand_shape %[[Q]]
// CHECK: %[[K4:.*]] = tensor.expand_shape %[[K]]
// CHECK: %[[V4:.*]] = tensor.expand_shape %[[V]]
// CHECK: attn.attention query(%[[Q4]] : {{.*}}) key(%[[K4]] : {{.*}}) value(%[[V4]] :
func.func @values_first(%q: tensor<2x?x8xf32>, %k: tensor<2x?x8xf32>, %v: tensor<2x?x8xf32>) -> tensor<2x?x8xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %nq = tensor.dim %q, %c1 : tensor<2x?x8xf32>
  %nk = tensor.dim %k, %c1 : tensor<2x?x8xf32>
  %et = tensor.empty(%nk) : tensor<2x8x?xf32>
  %kt = linalg.transpose ins(%k : tensor<2x?x8xf32>) outs(%et : tensor<2x8x?xf32>) permutation = [0, 2, 1]
  %e = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x?x8xf32>, tensor<2x8x?xf32>) outs(%z : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x?x?xf32>) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %eo = tensor.empty(%nq) : tensor<2x?x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b,j,i,d) -> (b,j,d)>, affine_map<(b,j,i,d) -> (b,i,j)>, affine_map<(b,j,i,d) -> (b,i,d)>], iterator_types = ["parallel","reduction","parallel","parallel"]} ins(%v, %p : tensor<2x?x8xf32>, tensor<2x?x?xf32>) outs(%zo : tensor<2x?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %y = arith.addf %o, %m : f32
    linalg.yield %y : f32
  } -> tensor<2x?x8xf32>
  return %r : tensor<2x?x8xf32>
}
