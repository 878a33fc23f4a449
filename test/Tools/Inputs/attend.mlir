// Attention over dynamic sizes, keys being the values, with a mask that is read by positions as
// exporters write it.
#id = affine_map<(b, i, j) -> (b, i, j)>
#keys = affine_map<(b, i, j) -> (j)>
#pos = affine_map<(j) -> (j)>
func.func @main(%q: tensor<?x?x8xf32>, %k: tensor<?x?x8xf32>, %valid: tensor<?x?xi1>)
    -> tensor<?x?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %b = tensor.dim %q, %c0 : tensor<?x?x8xf32>
  %m = tensor.dim %q, %c1 : tensor<?x?x8xf32>
  %n = tensor.dim %k, %c1 : tensor<?x?x8xf32>
  %e = tensor.empty(%b, %m, %n) : tensor<?x?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %et = tensor.empty(%b, %n) : tensor<?x8x?xf32>
  %kt = linalg.transpose ins(%k : tensor<?x?x8xf32>) outs(%et : tensor<?x8x?xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<?x?x8xf32>, tensor<?x8x?xf32>)
    outs(%z : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %ep = tensor.empty(%n) : tensor<?xi64>
  %positions = linalg.generic {indexing_maps = [#pos], iterator_types = ["parallel"]} outs(%ep : tensor<?xi64>) {
  ^bb0(%o: i64):
    %j = linalg.index 0 : index
    %p = arith.index_cast %j : index to i64
    linalg.yield %p : i64
  } -> tensor<?xi64>
  %masked = linalg.generic {indexing_maps = [#id, #keys, #id],
                            iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %positions : tensor<?x?x?xf32>, tensor<?xi64>) outs(%e : tensor<?x?x?xf32>) {
  ^bb0(%x: f32, %p: i64, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %p : i64 to index
    %keep = tensor.extract %valid[%i, %j] : tensor<?x?xi1>
    %y = arith.select %keep, %x, %low : f32
    linalg.yield %y : f32
  } -> tensor<?x?x?xf32>
  %w = linalg.softmax dimension(2) ins(%masked : tensor<?x?x?xf32>) outs(%e : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %er = tensor.empty(%b, %m) : tensor<?x?x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %r = linalg.batch_matmul ins(%w, %k : tensor<?x?x?xf32>, tensor<?x?x8xf32>)
    outs(%zr : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  return %r : tensor<?x?x8xf32>
}
