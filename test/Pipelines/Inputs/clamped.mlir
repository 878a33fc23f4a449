func.func @main(%table: tensor<?x2xf32>, %positions: tensor<1x3xi64>) -> tensor<1x3x2xf32> {
  %e = tensor.empty() : tensor<1x3x2xf32>
  %r = attn.learned_position table(%table : tensor<?x2xf32>) positions(%positions : tensor<1x3xi64>)
    out_of_range = clamp outs(%e : tensor<1x3x2xf32>)
  return %r : tensor<1x3x2xf32>
}
