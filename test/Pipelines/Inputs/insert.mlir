func.func @main(%x: tensor<4x8xf32>, %start: index) -> tensor<6x8xf32> {
  %c0 = arith.constant 0.0 : f32
  %d = tensor.empty() : tensor<6x8xf32>
  %zeros = linalg.fill ins(%c0 : f32) outs(%d : tensor<6x8xf32>) -> tensor<6x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %sum = linalg.add ins(%x, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %all = tensor.insert_slice %sum into %zeros[%start, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<6x8xf32>
  return %all : tensor<6x8xf32>
}
