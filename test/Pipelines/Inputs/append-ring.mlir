// A cache that goes on at its beginning.
func.func @main(%new: tensor<1x1x2x1xf32>, %start: i64, %cache: tensor<1x1x3x1xf32>) -> tensor<1x1x3x1xf32> {
  %at = arith.index_cast %start : i64 to index
  %0 = attn.cache_append new(%new : tensor<1x1x2x1xf32>) start(%at : index) ring outs(%cache : tensor<1x1x3x1xf32>)
  return %0 : tensor<1x1x3x1xf32>
}
