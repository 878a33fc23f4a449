// The cap comes before the mask. The other way round, the hyperbolic tangent takes
// -inf to minus the cap, and removed keys have weight again; and a bias is added
// after the cap, not capped.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 3]
// -> [1]
// not [1.537883]
func.func @causal(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>) -> tensor<1x1x1x1x!t> {
  %mask = attn.mask.causal
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x2x1x!t>) value(%v : tensor<1x1x2x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>) {scale = 1.0 : f64, softcap = 1.0 : f64}
  return %rows : tensor<1x1x1x1x!t>
}

// %q = 1
// %k = [3, 5, 9]
// %v = [1, 3, 100]
// %keep = [1, 1, 0]
// -> [2.081286]
// not [3.06718]
// not [2.761594]
func.func @mask(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>,
    %keep: tensor<1x1x1x3xi1>) -> tensor<1x1x1x1x!t> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x3xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>) {scale = 1.0 : f64, softcap = 2.0 : f64}
  return %rows : tensor<1x1x1x1x!t>
}

// %q = 1
// %k = [3, 5]
// %v = [1, 3]
// %b = [0.5, 0]
// -> [1.833044]
// not [2.045208]
func.func @bias(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>, %b: tensor<1x1x1x2x!t>)
    -> tensor<1x1x1x1x!t> {
  %bias = attn.bias.tensor %b : tensor<1x1x1x2x!t>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x2x1x!t>) value(%v : tensor<1x1x2x1x!t>)
    bias(%bias) outs(%out : tensor<1x1x1x1x!t>) {scale = 1.0 : f64, softcap = 2.0 : f64}
  return %rows : tensor<1x1x1x1x!t>
}
