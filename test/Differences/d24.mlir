// Three things are called a sink: one more logit for each head (gpt-oss); tokens at
// the start that every query keeps (StreamingLLM); one more in the denominator
// (softmax plus one), which is the first with a logit of 0.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %sinks = 1
// -> [10 / (4 + exp(1))]
// not [2]
// not [3]
// -> [log(4 + exp(1))]
func.func @logit(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %sinks: tensor<1xf32>)
    -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    sinks(%sinks : tensor<1xf32>) outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %sinks = 0
// -> [2]
// not [3]
// not [10 / (4 + exp(1))]
// -> [log(5)]
func.func @plus_one(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %sinks: tensor<1xf32>) -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    sinks(%sinks : tensor<1xf32>) outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %n = 1
// -> [8 / 3]
// not [3.5]
// not [2]
func.func @tokens(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %n: i64)
    -> tensor<1x1x1x1x!t> {
  %first = arith.index_cast %n : i64 to index
  %c3 = arith.constant 3 : index
  %start = attn.mask.prefix length(%first : index)
  %window = attn.mask.window left 1 right 0 offset(%c3 : index)
  %mask = attn.mask.or %start, %window
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}
