// RUN: attn-opt %s -attn-raise-attention=exact-masks -remarks-filter=attn-raise 2>&1 | FileCheck %s

// With exact masks a number that is added stays one, which a guard of the row does not
// go with: the op would have to know of both.

#pair = affine_map<(b, i, j) -> (b, i, j)>
#key = affine_map<(b, i, j) -> (b, j)>
#batch = affine_map<(b, i, j) -> (b)>

// CHECK: Reason="rows are zeroed beside a mask that is kept as numbers"
// CHECK-NOT: attn.attention
func.func @rows_put_to_zero(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>,
    %keep: tensor<1x2xi1>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %ek = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf32>) outs(%ek : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %x = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %s = linalg.generic {indexing_maps = [#pair, #key, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %keep : tensor<1x2x2xf32>, tensor<1x2xi1>) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%a: f32, %real: i1, %o: f32):
    %scale = arith.constant 0.70710678118654752 : f32
    %b = arith.mulf %a, %scale : f32
    %low = arith.constant -1.0e9 : f32
    %none = arith.constant 0.0 : f32
    %fill = arith.select %real, %none, %low : f32
    %c = arith.addf %b, %fill : f32
    linalg.yield %c : f32
  } -> tensor<1x2x2xf32>
  %x0 = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %false = arith.constant dense<false> : tensor<1xi1>
  %any = linalg.reduce {arith.ori} ins(%keep : tensor<1x2xi1>) outs(%false : tensor<1xi1>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#pair, #batch, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x0, %any : tensor<1x2x2xf32>, tensor<1xi1>) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%a: f32, %some: i1, %o: f32):
    %none = arith.constant 0.0 : f32
    %c = arith.select %some, %a, %none : f32
    linalg.yield %c : f32
  } -> tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}
