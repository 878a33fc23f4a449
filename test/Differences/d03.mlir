// A causal mask and one of the user: both (ONNX, cuDNN, JAX), or one of them where a
// framework drops the other. The op has one mask; attn.mask.and says both.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3]
// %keep = [1, 0, 1]
// -> [1, 1, 2]
// not [1, 1.5, 2]
// not [2, 2, 2]
func.func @both(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>,
    %keep: tensor<1x1x1x3xi1>) -> tensor<1x1x3x1x!t> {
  %causal = attn.mask.causal
  %data = attn.mask.tensor keep %keep : tensor<1x1x1x3xi1>
  %mask = attn.mask.and %causal, %data
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x3x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x3x1x!t>)
  return %rows : tensor<1x1x3x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3]
// -> [1, 1.5, 2]
// not [1, 1, 2]
// not [2, 2, 2]
func.func @causal_only(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>) -> tensor<1x1x3x1x!t> {
  %mask = attn.mask.causal
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x3x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x3x1x!t>)
  return %rows : tensor<1x1x3x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3]
// %keep = [1, 0, 1]
// -> [2, 2, 2]
// not [1, 1, 2]
// not [1, 1.5, 2]
func.func @data_only(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>,
    %keep: tensor<1x1x1x3xi1>) -> tensor<1x1x3x1x!t> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x3xi1>
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x3x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x3x1x!t>)
  return %rows : tensor<1x1x3x1x!t>
}
