func.func @main(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  return %b, %a : tensor<?x3xf32>, tensor<?x3xf32>
}
