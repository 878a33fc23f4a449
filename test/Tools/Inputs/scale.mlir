// Large enough to run in parallel.
func.func @main(%in: tensor<4x300x300xf32>) -> tensor<4x300x300xf32> {
  %c2 = arith.constant 2.0 : f32
  %result = func.call @scale(%in, %c2) : (tensor<4x300x300xf32>, f32) -> tensor<4x300x300xf32>
  return %result : tensor<4x300x300xf32>
}

func.func @halve(%in: tensor<4x300x300xf32>) -> tensor<4x300x300xf32> {
  %half = arith.constant 0.5 : f32
  %result = func.call @scale(%in, %half) : (tensor<4x300x300xf32>, f32) -> tensor<4x300x300xf32>
  return %result : tensor<4x300x300xf32>
}

func.func @scale(%in: tensor<4x300x300xf32>, %factor: f32) -> tensor<4x300x300xf32> {
  %empty = tensor.empty() : tensor<4x300x300xf32>
  %result = linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
    iterator_types = ["parallel", "parallel", "parallel"]
  } ins(%in : tensor<4x300x300xf32>) outs(%empty : tensor<4x300x300xf32>) {
  ^bb0(%x: f32, %out: f32):
    %scaled = arith.mulf %x, %factor : f32
    linalg.yield %scaled : f32
  } -> tensor<4x300x300xf32>
  return %result : tensor<4x300x300xf32>
}
