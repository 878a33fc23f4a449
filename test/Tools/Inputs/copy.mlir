func.func @main(%arg0: tensor<?x3xf32>) -> tensor<?x3xf32> {
  return %arg0 : tensor<?x3xf32>
}
