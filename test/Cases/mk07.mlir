// A prompt that sees itself in both directions, and an answer that is causal: the
// first must not reach into the second, and padding stays removed.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %p = 0
// -> [1, 1.5, 2, 2.5]
// again
// %p = 2
// -> [1.5, 1.5, 2, 2.5]
// not [1, 1.5, 2, 2.5]
// again
// %p = 4
// -> [2.5, 2.5, 2.5, 2.5]
func.func @prefix(%q: tensor<1x1x4x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %p: tensor<1xi64>)
    -> tensor<1x1x4x1x!t> {
  %both = attn.mask.prefix length(%p : tensor<1xi64>)
  %causal = attn.mask.causal
  %seen = attn.mask.or %both, %causal
  %out = tensor.empty() : tensor<1x1x4x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x4x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%seen) outs(%out : tensor<1x1x4x1x!t>)
  return %rows : tensor<1x1x4x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, nan, 3, 4]
// %p = 2
// %keep = [1, 0, 1, 1]
// -> [1, 1, 2, 2.666667]
// not [1.5, 1.5, 2, 2.5]
func.func @padding(%q: tensor<1x1x4x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %p: tensor<1xi64>,
    %keep: tensor<1x1x1x4xi1>) -> tensor<1x1x4x1x!t> {
  %both = attn.mask.prefix length(%p : tensor<1xi64>)
  %causal = attn.mask.causal
  %seen = attn.mask.or %both, %causal
  %real = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %mask = attn.mask.and %seen, %real
  %out = tensor.empty() : tensor<1x1x4x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x4x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x4x1x!t>)
  return %rows : tensor<1x1x4x1x!t>
}
