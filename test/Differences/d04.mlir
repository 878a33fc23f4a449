// True keeps (SDPA, ONNX, FlexAttention, JAX), or true blocks (MultiheadAttention,
// Bloom). The polarity of attn.mask.tensor.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %keep = [1, 0, 0, 0]
// -> [1]
// not [3]
func.func @keep(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %keep: tensor<1x1x1x4xi1>) -> tensor<1x1x1x1x!t> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %keep = [1, 0, 0, 0]
// -> [3]
// not [1]
func.func @block(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %keep: tensor<1x1x1x4xi1>) -> tensor<1x1x1x1x!t> {
  %mask = attn.mask.tensor block %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}
