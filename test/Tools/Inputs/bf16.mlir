func.func @main(%arg0: tensor<2xbf16>) -> tensor<2xbf16> {
  return %arg0 : tensor<2xbf16>
}
