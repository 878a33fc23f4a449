func.func @main(%ids: tensor<1x?xi64>, %first: index) -> tensor<2x3xi64> {
  %e = tensor.empty() : tensor<2x3xi64>
  %r = attn.positions segments(%ids : tensor<1x?xi64>) first(%first) outs(%e : tensor<2x3xi64>)
  return %r : tensor<2x3xi64>
}
