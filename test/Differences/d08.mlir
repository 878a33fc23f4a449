// The scale on the scores, which are sums in f32; on the query, in its type; or its
// root on query and key. With a scale of 1/3 the query 1.0 of bf16 becomes 0.333984375,
// and with its root both become 0.578125. A scale may be negative, which has no root,
// and products that f16 cannot hold are no infinities, wherever the scale stands.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// types: bf16
// %q = 1
// %k = 1
// %v = 1
// -> [1]
// -> [1 / 3]
// not [0.333984375]
// not [0.578125 ** 2]
func.func @on_scores(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x1x1x!t>, %v: tensor<1x1x1x1x!t>)
    -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x1x1x!t>)
    value(%v : tensor<1x1x1x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 0.333333333333333333 : f64}
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// types: bf16
// %q = 1
// %k = 1
// %v = 1
// -> [0.333984375]
// not [1 / 3]
// not [0.578125 ** 2]
func.func @on_query(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x1x1x!t>, %v: tensor<1x1x1x1x!t>) -> tensor<1x1x1xf32> {
  %third = arith.constant dense<0.333984375> : tensor<1x1x1x1x!t>
  %scaled = arith.mulf %q, %third : tensor<1x1x1x1x!t>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%scaled : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x1x1x!t>)
    value(%v : tensor<1x1x1x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  return %lse : tensor<1x1x1xf32>
}

// types: bf16
// %q = 1
// %k = 1
// %v = 1
// -> [0.578125 ** 2]
// not [1 / 3]
// not [0.333984375]
func.func @on_both(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x1x1x!t>, %v: tensor<1x1x1x1x!t>) -> tensor<1x1x1xf32> {
  %root = arith.constant dense<0.578125> : tensor<1x1x1x1x!t>
  %scaled_q = arith.mulf %q, %root : tensor<1x1x1x1x!t>
  %scaled_k = arith.mulf %k, %root : tensor<1x1x1x1x!t>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%scaled_q : tensor<1x1x1x1x!t>) key(%scaled_k : tensor<1x1x1x1x!t>)
    value(%v : tensor<1x1x1x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  return %lse : tensor<1x1x1xf32>
}

// %q = 1
// %k = [1, 2]
// %v = [1, 3]
// -> [(exp(-1) + 3 * exp(-2)) / (exp(-1) + exp(-2))]
// not [(exp(1) + 3 * exp(2)) / (exp(1) + exp(2))]
func.func @negative(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>) -> tensor<1x1x1x1x!t> {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x2x1x!t>) value(%v : tensor<1x1x2x1x!t>)
    outs(%out : tensor<1x1x1x1x!t>) {scale = -1.0 : f64}
  return %rows : tensor<1x1x1x1x!t>
}

// Each product is 65536, and f16 ends at 65504: a sum in f16 is infinite, and the
// softmax of that NaN.
// types: f16
// %q = 256
// %k = 256
// %v = 1
// -> 1
// not [nan]
// -> 256
// not [inf]
func.func @large(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x1x4x!t>, %v: tensor<1x1x1x1x!t>)
    -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x4x!t>) key(%k : tensor<1x1x1x4x!t>)
    value(%v : tensor<1x1x1x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 0.0009765625 : f64}
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// Roots are what keeps such sums small elsewhere: 64 for each product. Here they are
// not needed, and give the same.
// types: f16
// %q = 256
// %k = 256
// %v = 1
// -> 1
// not [nan]
// -> 256
// not [inf]
func.func @large_on_both(%q: tensor<1x1x1x4x!t>, %k: tensor<1x1x1x4x!t>, %v: tensor<1x1x1x1x!t>)
    -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %root = arith.constant dense<0.03125> : tensor<1x1x1x4x!t>
  %scaled_q = arith.mulf %q, %root : tensor<1x1x1x4x!t>
  %scaled_k = arith.mulf %k, %root : tensor<1x1x1x4x!t>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%scaled_q : tensor<1x1x1x4x!t>) key(%scaled_k : tensor<1x1x1x4x!t>)
    value(%v : tensor<1x1x1x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}
