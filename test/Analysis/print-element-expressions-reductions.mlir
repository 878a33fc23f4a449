// RUN: attn-opt %s -attn-print-element-expressions -o /dev/null | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#keep = affine_map<(d0, d1) -> (d0, 0)>

// Softmax: a maximum with an arg-max beside it, exp, sum, division; scores of a
// contraction are a leaf.
// CHECK-LABEL: @softmax
// CHECK: [0:6, 0:8] -> exp(%[[S:[0-9]+]][i0, i1] - maximum{r1 < 8}(%[[S]][i0, r1]; -Inf)) / sum{r2 < 8}(exp(%[[S]][i0, r2] - maximum{r1 < 8}(%[[S]][i0, r1]; -Inf)); 0.0)
func.func @softmax(%q: tensor<6x4xf32>, %k: tensor<4x8xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : i64
  %e = tensor.empty() : tensor<6x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %s = linalg.matmul ins(%q, %k : tensor<6x4xf32>, tensor<4x8xf32>) outs(%z : tensor<6x8xf32>) -> tensor<6x8xf32>
  %e1 = tensor.empty() : tensor<6x1xf32>
  %ei = tensor.empty() : tensor<6x1xi64>
  %low = linalg.fill ins(%ninf : f32) outs(%e1 : tensor<6x1xf32>) -> tensor<6x1xf32>
  %first = linalg.fill ins(%c0 : i64) outs(%ei : tensor<6x1xi64>) -> tensor<6x1xi64>
  %max:2 = linalg.generic {indexing_maps = [#id, #keep, #keep], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<6x8xf32>) outs(%low, %first : tensor<6x1xf32>, tensor<6x1xi64>) {
  ^bb0(%in: f32, %out: f32, %at: i64):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i64
    %m = arith.maximumf %in, %out : f32
    %more = arith.cmpf ogt, %in, %out : f32
    %where = arith.select %more, %ji, %at : i64
    linalg.yield %m, %where : f32, i64
  } -> (tensor<6x1xf32>, tensor<6x1xi64>)
  %exp = linalg.generic {indexing_maps = [#id, #keep, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %max#0 : tensor<6x8xf32>, tensor<6x1xf32>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %x = math.exp %d : f32
    linalg.yield %x : f32
  } -> tensor<6x8xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e1 : tensor<6x1xf32>) -> tensor<6x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, #keep], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<6x8xf32>) outs(%none : tensor<6x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.addf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<6x1xf32>
  %r = linalg.generic {indexing_maps = [#id, #keep, #id], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<6x8xf32>, tensor<6x1xf32>) outs(%e : tensor<6x8xf32>) attrs = {attn.print} {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}

// A sink beside the scores: the sum keeps its order, part after part.
// CHECK-LABEL: @sink
// CHECK: [0:6] -> %arg1[i0, 0] + sum{r1 < 8}(%arg0[i0, r1]; 0.0)
func.func @sink(%s: tensor<6x8xf32>, %sink: tensor<6x1xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %c = tensor.concat dim(1) %s, %sink : (tensor<6x8xf32>, tensor<6x1xf32>) -> tensor<6x9xf32>
  %e = tensor.empty() : tensor<6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %r = linalg.reduce {arith.addf} ins(%c : tensor<6x9xf32>) outs(%z : tensor<6xf32>) dimensions = [1] {attn.print}
  return %r : tensor<6xf32>
}

// A sum over even and odd parts would change its order: a leaf.
// CHECK-LABEL: @reordered
// CHECK: %[[R:.+]]:
// CHECK-NEXT: [0:6] -> %[[R]][i0]
func.func @reordered(%x: tensor<6x4x2xf32>, %y: tensor<6x8xf32>) -> tensor<6xf32> {
  %zero = arith.constant 0.0 : f32
  %a = tensor.extract_slice %x[0, 0, 0] [6, 4, 1] [1, 1, 1] : tensor<6x4x2xf32> to tensor<6x4x1xf32>
  %b = arith.negf %a : tensor<6x4x1xf32>
  %c = tensor.concat dim(2) %a, %b : (tensor<6x4x1xf32>, tensor<6x4x1xf32>) -> tensor<6x4x2xf32>
  %d = tensor.collapse_shape %c [[0], [1, 2]] : tensor<6x4x2xf32> into tensor<6x8xf32>
  %e = tensor.empty() : tensor<6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %r = linalg.reduce {arith.addf} ins(%d : tensor<6x8xf32>) outs(%z : tensor<6xf32>) dimensions = [1] {attn.print}
  return %r : tensor<6xf32>
}
