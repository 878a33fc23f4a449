// A row that keeps no key is 0, and its log-sum-exp -inf. Elsewhere it became NaN,
// the mean of all values, or whatever the buffer held. A large finite number that is
// added is a number, though, and not a mask.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %keep = [[1] * 4, [0] * 4, [1] * 4, [1] * 4]
// -> [2.5, 0, 2.5, 2.5]
// not [2.5, 2.5, 2.5, 2.5]
// not [2.5, nan, 2.5, 2.5]
// -> [log(4), -inf, log(4), log(4)]
// again
// %keep = 0
// -> 0
// -> -inf
func.func @one_row(%q: tensor<1x1x4x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %keep: tensor<1x1x4x4xi1>) -> (tensor<1x1x4x1x!t>, tensor<1x1x4xf32>) {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x4x4xi1>
  %out = tensor.empty() : tensor<1x1x4x1x!t>
  %sums = tensor.empty() : tensor<1x1x4xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x4x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out, %sums : tensor<1x1x4x1x!t>, tensor<1x1x4xf32>)
  return %rows, %lse : tensor<1x1x4x1x!t>, tensor<1x1x4xf32>
}

// types: f32
// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %b = [0] * 4 + [-3.4028235e38] * 4 + [0] * 8
// -> [2.5, 2.5, 2.5, 2.5]
// not [2.5, 0, 2.5, 2.5]
func.func @lowest_number(%q: tensor<1x1x4x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %b: tensor<1x1x4x4x!t>) -> tensor<1x1x4x1x!t> {
  %bias = attn.bias.tensor %b : tensor<1x1x4x4x!t>
  %out = tensor.empty() : tensor<1x1x4x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x4x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    bias(%bias) outs(%out : tensor<1x1x4x1x!t>)
  return %rows : tensor<1x1x4x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %b = [0] * 4 + [-inf] * 4 + [0] * 8
// -> [2.5, 0, 2.5, 2.5]
// -> [log(4), -inf, log(4), log(4)]
func.func @infinity(%q: tensor<1x1x4x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %b: tensor<1x1x4x4x!t>) -> (tensor<1x1x4x1x!t>, tensor<1x1x4xf32>) {
  %bias = attn.bias.tensor %b : tensor<1x1x4x4x!t>
  %out = tensor.empty() : tensor<1x1x4x1x!t>
  %sums = tensor.empty() : tensor<1x1x4xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x4x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    bias(%bias) outs(%out, %sums : tensor<1x1x4x1x!t>, tensor<1x1x4xf32>)
  return %rows, %lse : tensor<1x1x4x1x!t>, tensor<1x1x4xf32>
}
