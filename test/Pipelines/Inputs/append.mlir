// A cache of two batches, with room for the rows that data say.
func.func @main(%new: tensor<2x1x?x1xf32>, %start: tensor<2xi64>, %cache: tensor<2x1x?x1xf32>) -> tensor<2x1x?x1xf32> {
  %0 = attn.cache_append new(%new : tensor<2x1x?x1xf32>) start(%start : tensor<2xi64>) outs(%cache : tensor<2x1x?x1xf32>)
  return %0 : tensor<2x1x?x1xf32>
}
