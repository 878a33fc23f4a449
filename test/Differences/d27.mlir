// The default scale is one over the root of the query's width, here 4; attention
// over a compressed part and a rotated part (MLA) means the width before the
// compression, here 16. The attribute scale.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 1
// %k = [1] * 4 + [2] * 4
// %v = [1, 3]
// -> [(exp(2) + 3 * exp(4)) / (exp(2) + exp(4))]
// not [(exp(1) + 3 * exp(2)) / (exp(1) + exp(2))]
func.func @default(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x2x4x!t>, %v: tensor<1x1x2x1x!t>) -> tensor<1x1x1x1x!t> {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x4x!t>) key(%k : tensor<1x1x2x4x!t>) value(%v : tensor<1x1x2x1x!t>)
    outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}

// %q = 1
// %k = [1] * 4 + [2] * 4
// %v = [1, 3]
// -> [(exp(1) + 3 * exp(2)) / (exp(1) + exp(2))]
// not [(exp(2) + 3 * exp(4)) / (exp(2) + exp(4))]
func.func @given(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x2x4x!t>, %v: tensor<1x1x2x1x!t>) -> tensor<1x1x1x1x!t> {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x4x!t>) key(%k : tensor<1x1x2x4x!t>) value(%v : tensor<1x1x2x1x!t>)
    outs(%out : tensor<1x1x1x1x!t>) {scale = 0.25 : f64}
  return %rows : tensor<1x1x1x1x!t>
}
