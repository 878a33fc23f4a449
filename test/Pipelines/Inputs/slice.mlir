func.func @main(%x: tensor<?xf32>, %o: index, %n: index, %s: index) -> tensor<?xf32> {
  %p = tensor.extract_slice %x[%o] [%n] [%s] : tensor<?xf32> to tensor<?xf32>
  %r = tensor.insert_slice %p into %x[%o] [%n] [%s] : tensor<?xf32> into tensor<?xf32>
  %q = tensor.concat dim(0) %p, %r : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %q : tensor<?xf32>
}
