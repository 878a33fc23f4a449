func.func @main(%table: tensor<?x4xf32>, %positions: tensor<1x3xi64>) -> tensor<1x3x4xf32> {
  %out = tensor.empty() : tensor<1x3x4xf32>
  %r = attn.learned_position table(%table : tensor<?x4xf32>) positions(%positions : tensor<1x3xi64>)
    outs(%out : tensor<1x3x4xf32>)
  return %r : tensor<1x3x4xf32>
}
