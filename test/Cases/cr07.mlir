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
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {plan = #attn.plan<query_block = 16, key_block = 2, rows = 1>, scale = 1.0 : f64}
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
