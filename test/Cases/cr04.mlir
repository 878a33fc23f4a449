// A softmax over fewer numbers than the vector has lanes: the empty lanes hold what
// the reduction ignores, -inf for a maximum and zero for a sum. Zeros would win over
// scores that are all negative.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 1
// %k = -5
// %v = [1, 2, 3, 4, 5]
// -> 3
// not [0.0333156] * 3
// -> -5 + log(5)
func.func @attention(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x5x1x!t>, %v: tensor<1x1x5x1x!t>)
    -> (tensor<1x1x3x1x!t>, tensor<1x1x3xf32>) {
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %sums = tensor.empty() : tensor<1x1x3xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x3x1x!t>) key(%k : tensor<1x1x5x1x!t>)
    value(%v : tensor<1x1x5x1x!t>)
    outs(%out, %sums : tensor<1x1x3x1x!t>, tensor<1x1x3xf32>) {scale = 1.0 : f64}
  return %rows, %lse : tensor<1x1x3x1x!t>, tensor<1x1x3xf32>
}

// The op of linalg, as a graph spells it.
// types: f32 f64
// %s = -5
// -> 0.2
// not [0.0043] * 15
func.func @softmax(%s: tensor<3x5x!t>) -> tensor<3x5x!t> {
  %e = tensor.empty() : tensor<3x5x!t>
  %p = linalg.softmax dimension(1) ins(%s : tensor<3x5x!t>) outs(%e : tensor<3x5x!t>) -> tensor<3x5x!t>
  return %p : tensor<3x5x!t>
}
