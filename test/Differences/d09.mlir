// The types of scores and weights: f32, or rounded to bf16 before the softmax
// (softmax_type), or before the product with the values (prob_type); the sums stay
// as they are. The second score is 1.00390625, which bf16 rounds to 1.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// types: f32
// %q = 1
// %k = [0, 1.00390625]
// %v = [1, 3]
// -> [(exp(0) + 3 * exp(1.00390625)) / (exp(0) + exp(1.00390625))]
// not [(exp(0) + 3 * exp(1)) / (exp(0) + exp(1))]
// not [(0.3671875 + 3) / (1 + exp(-1.00390625))]
func.func @wide(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>) -> tensor<1x1x1x1x!t> {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x2x1x!t>) value(%v : tensor<1x1x2x1x!t>)
    outs(%out : tensor<1x1x1x1x!t>) {scale = 1.0 : f64}
  return %rows : tensor<1x1x1x1x!t>
}

// types: f32
// %q = 1
// %k = [0, 1.00390625]
// %v = [1, 3]
// -> [(exp(0) + 3 * exp(1)) / (exp(0) + exp(1))]
// not [(exp(0) + 3 * exp(1.00390625)) / (exp(0) + exp(1.00390625))]
func.func @rounded_scores(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>)
    -> tensor<1x1x1x1x!t> {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x2x1x!t>) value(%v : tensor<1x1x2x1x!t>)
    outs(%out : tensor<1x1x1x1x!t>) {scale = 1.0 : f64, softmax_type = bf16}
  return %rows : tensor<1x1x1x1x!t>
}

// exp(-1) is 0.3671875 as bf16.
// types: f32
// %q = 1
// %k = [0, 1]
// %v = [1, 3]
// -> [(0.3671875 + 3) / (1 + exp(-1))]
// not [(exp(0) + 3 * exp(1)) / (exp(0) + exp(1))]
func.func @rounded_weights(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>)
    -> tensor<1x1x1x1x!t> {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x2x1x!t>) value(%v : tensor<1x1x2x1x!t>)
    outs(%out : tensor<1x1x1x1x!t>) {prob_type = bf16, scale = 1.0 : f64}
  return %rows : tensor<1x1x1x1x!t>
}
