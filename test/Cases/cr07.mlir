// Sums that go round a loop, over two blocks of two keys with scores 1, 3 and 2, 0.
// Bufferization dropped the read of a destination, or gave one buffer to two loops.
// Two attentions that start from the same tensors give the same, and leave them as
// they were.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 1
// %k = [1, 3, 2, 0]
// %v = [1, 2, 3, 4]
// -> [2.213856]
// -> [3.44019]
func.func @two_blocks(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>)
    -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
    {plan = #attn.plan<query_block = 16, key_block = 2, rows = 1>, scale = 1.0 : f64}
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// %q = 1
// %k = [1, 3, 2, 0]
// %v = [1, 2, 3, 4]
// %zero = 0
// %low = -inf
// -> [2.213856]
// -> [3.44019]
// -> [2.213856]
// -> [3.44019]
// -> [0] within 0
// -> [-inf]
func.func @shared_inits(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %zero: tensor<1x1x1x1x!t>, %low: tensor<1x1x1xf32>) -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>, tensor<1x1x1x1x!t>, tensor<1x1x1xf32>, tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %a, %la = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    outs(%zero, %low : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {plan = #attn.plan<query_block = 16, key_block = 2, rows = 1>, scale = 1.0 : f64}
  %b, %lb = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    outs(%zero, %low : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {plan = #attn.plan<query_block = 16, key_block = 2, rows = 1>, scale = 1.0 : f64}
  return %a, %la, %b, %lb, %zero, %low : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>, tensor<1x1x1x1x!t>, tensor<1x1x1xf32>,
    tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// The blocks as attentions of their own, and what their sums make together.
// types: f32
// %q = 1
// %k = [1, 3, 2, 0]
// %v = [1, 2, 3, 4]
// -> [2.213856]
// -> [3.44019]
// -> [2.135335 / 1.135335]
// -> [3 + log(1.135335)]
func.func @merged(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>)
    -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>, tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %k1 = tensor.extract_slice %k[0, 0, 0, 0] [1, 1, 2, 1] [1, 1, 1, 1] : tensor<1x1x4x1x!t> to tensor<1x1x2x1x!t>
  %v1 = tensor.extract_slice %v[0, 0, 0, 0] [1, 1, 2, 1] [1, 1, 1, 1] : tensor<1x1x4x1x!t> to tensor<1x1x2x1x!t>
  %o1, %l1 = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k1 : tensor<1x1x2x1x!t>)
    value(%v1 : tensor<1x1x2x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  %k2 = tensor.extract_slice %k[0, 0, 2, 0] [1, 1, 2, 1] [1, 1, 1, 1] : tensor<1x1x4x1x!t> to tensor<1x1x2x1x!t>
  %v2 = tensor.extract_slice %v[0, 0, 2, 0] [1, 1, 2, 1] [1, 1, 1, 1] : tensor<1x1x4x1x!t> to tensor<1x1x2x1x!t>
  %o2, %l2 = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k2 : tensor<1x1x2x1x!t>)
    value(%v2 : tensor<1x1x2x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {scale = 1.0 : f64}
  %rows, %lse = attn.merge partials(%o1, %o2 : tensor<1x1x1x1x!t>, tensor<1x1x1x1x!t>)
    lses(%l1, %l2 : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
  return %rows, %lse, %o1, %l1 : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>, tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}
