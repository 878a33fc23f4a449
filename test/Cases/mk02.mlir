// A removed key has no weight, and no weight times NaN is NaN still: what is removed
// must not be multiplied, but left out. A tile of nothing but NaN after the last key
// changes nothing either.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 1
// %k = [1, nan, -1, inf]
// %v = [2, nan, 6, inf]
// %keep = [1, 0, 1, 0]
// -> [2.476812]
// -> [log(exp(1) + exp(-1))]
func.func @holes(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %keep: tensor<1x1x1x4xi1>) -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// %q = 1
// %k = [1, -1] + [nan] * 298
// %v = [2, 6] + [nan, inf] * 149
// %length = 2
// -> [2.476812] * 20
// -> [log(exp(1) + exp(-1))] * 20
func.func @tile(%q: tensor<1x1x20x1x!t>, %k: tensor<1x1x300x1x!t>, %v: tensor<1x1x300x1x!t>,
    %length: tensor<1xi64>) -> (tensor<1x1x20x1x!t>, tensor<1x1x20xf32>) {
  %mask = attn.mask.padding right lengths(%length : tensor<1xi64>)
  %out = tensor.empty() : tensor<1x1x20x1x!t>
  %sums = tensor.empty() : tensor<1x1x20xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x20x1x!t>) key(%k : tensor<1x1x300x1x!t>)
    value(%v : tensor<1x1x300x1x!t>)
    mask(%mask) outs(%out, %sums : tensor<1x1x20x1x!t>, tensor<1x1x20xf32>) {scale = 1.0 : f64}
  return %rows, %lse : tensor<1x1x20x1x!t>, tensor<1x1x20xf32>
}
