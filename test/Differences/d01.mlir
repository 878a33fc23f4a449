// A row that keeps no key: 0 (SDPA, ONNX, FlexAttention), NaN (a plain softmax), or
// the mean of all values (a large negative number added). The attribute empty_row;
// the log-sum-exp is -inf in all three.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %keep = 0
// -> [0]
// not [nan]
// not [2.5]
// -> [-inf]
func.func @zero(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %keep: tensor<1x1x1x4xi1>) -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %keep = 0
// -> [nan]
// not [0]
// not [2.5]
// -> [-inf]
func.func @nan(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %keep: tensor<1x1x1x4xi1>)
    -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) empty_row = nan outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %keep = 0
// -> [2.5]
// not [0]
// not [nan]
// -> [-inf]
func.func @mean(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %keep: tensor<1x1x1x4xi1>) -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) empty_row = mean outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}
