// A causal mask beside a mask of the user: both count. One framework refuses, others
// drop one of the two.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3]
// %keep = [1, 0, 1]
// -> [1, 1, 2]
// not [1, 1.5, 2]
// not [2, 2, 2]
func.func @padding(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>,
    %keep: tensor<1x1x1x3xi1>) -> tensor<1x1x3x1x!t> {
  %causal = attn.mask.causal
  %data = attn.mask.tensor keep %keep : tensor<1x1x1x3xi1>
  %mask = attn.mask.and %causal, %data
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x3x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x3x1x!t>)
  return %rows : tensor<1x1x3x1x!t>
}

// Added to the scores: 1, 1.75 and 2.
// %q = 0
// %k = 0
// %v = [1, 2, 3]
// %b = [0, log(3), 0]
// -> [1, (1 + 2 * exp(rounded(log(3)))) / (1 + exp(rounded(log(3)))),
//        (4 + 2 * exp(rounded(log(3)))) / (2 + exp(rounded(log(3))))]
// not [1, 1.5, 2.25]
func.func @float_mask(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>,
    %b: tensor<1x1x1x3x!t>) -> tensor<1x1x3x1x!t> {
  %mask = attn.mask.causal
  %bias = attn.bias.tensor %b : tensor<1x1x1x3x!t>
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x3x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    bias(%bias) mask(%mask) outs(%out : tensor<1x1x3x1x!t>)
  return %rows : tensor<1x1x3x1x!t>
}
