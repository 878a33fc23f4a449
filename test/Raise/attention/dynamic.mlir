// RUN: attn-opt %s --attn-raise-attention | FileCheck %s
// RUN: attn-run %s --entry=sink --shapes=in0=2x5x8,in1=2x7x8,in2=2x7x8 --no-raise --outputs=%t.npz
// RUN: attn-run %s --entry=sink --shapes=in0=2x5x8,in1=2x7x8,in2=2x7x8 --compare=%t.npz

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

// A sink behind an unknown number of keys.

// CHECK-LABEL: func.func @sink(
// CHECK: attn.attention {{.*}} sinks(%{{.*}} : tensor<2xf32>)
func.func @sink(%q: tensor<2x?x8xf32>, %k: tensor<2x?x8xf32>, %v: tensor<2x?x8xf32>, %sink: tensor<2xf32>)
    -> tensor<2x?x8xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %nq = tensor.dim %q, %c1 : tensor<2x?x8xf32>
  %nk = tensor.dim %k, %c1 : tensor<2x?x8xf32>
  %et = tensor.empty(%nk) : tensor<2x8x?xf32>
  %kt = linalg.transpose ins(%k : tensor<2x?x8xf32>) outs(%et : tensor<2x8x?xf32>) permutation = [0, 2, 1]
  %e = tensor.empty(%nq, %nk) : tensor<2x?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x?x8xf32>, tensor<2x8x?xf32>) outs(%z : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %ec = tensor.empty(%nq) : tensor<2x?x1xf32>
  %c = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%ec : tensor<2x?x1xf32>) dimensions = [1, 2]
  %all = tensor.concat dim(2) %s, %c : (tensor<2x?x?xf32>, tensor<2x?x1xf32>) -> tensor<2x?x?xf32>
  %na = tensor.dim %all, %c2 : tensor<2x?x?xf32>
  %ea = tensor.empty(%nq, %na) : tensor<2x?x?xf32>
  %pa = linalg.softmax dimension(2) ins(%all : tensor<2x?x?xf32>) outs(%ea : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, %nq, %nk] [1, 1, 1] : tensor<2x?x?xf32> to tensor<2x?x?xf32>
  %eo = tensor.empty(%nq) : tensor<2x?x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x?x?xf32>, tensor<2x?x8xf32>) outs(%zo : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  return %r : tensor<2x?x8xf32>
}
