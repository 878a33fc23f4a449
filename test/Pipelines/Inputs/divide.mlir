func.func @main(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %c = arith.constant 0 : index
  %n = tensor.dim %a, %c : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %f = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]}
    ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%e : tensor<?xi32>) {
    ^bb0(%x: i32, %y: i32, %o: i32):
    %q = arith.divsi %x, %y : i32
    linalg.yield %q : i32 } -> tensor<?xi32>
  return %f : tensor<?xi32>
}
