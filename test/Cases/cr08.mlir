// A block of keys of which none is kept, first, last, or all: the running maximum
// starts at -inf, and -inf minus -inf must not be taken for a factor. Blocks of two
// keys; what is removed holds NaN.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = [nan, nan, 0, 0]
// %v = [nan, inf, 3, 5]
// %keep = [0, 0, 1, 1]
// -> [4]
// -> [log(2)]
func.func @first(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %keep: tensor<1x1x1x4xi1>) -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
    {plan = #attn.plan<query_block = 16, key_block = 2, rows = 1>, scale = 1.0 : f64}
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// %q = 0
// %k = [0, 0, nan, nan]
// %v = [3, 5, nan, inf]
// %keep = [1, 1, 0, 0]
// -> [4]
// -> [log(2)]
func.func @last(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %keep: tensor<1x1x1x4xi1>) -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
    {plan = #attn.plan<query_block = 16, key_block = 2, rows = 1>, scale = 1.0 : f64}
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// %q = 0
// %k = nan
// %v = nan
// %keep = 0
// -> [0]
// -> [-inf]
func.func @all(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %keep: tensor<1x1x1x4xi1>)
    -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
    {plan = #attn.plan<query_block = 16, key_block = 2, rows = 1>, scale = 1.0 : f64}
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}

// %q = 1
// %k = [-1000, -1000, 0, 0]
// %v = [9, 9, 3, 5]
// %keep = 1
// -> [4]
// -> [log(2)]
func.func @tiny_then_large(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %keep: tensor<1x1x1x4xi1>) -> (tensor<1x1x1x1x!t>, tensor<1x1x1xf32>) {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %sums = tensor.empty() : tensor<1x1x1xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>)
    value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out, %sums : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>)
    {plan = #attn.plan<query_block = 16, key_block = 2, rows = 1>, scale = 1.0 : f64}
  return %rows, %lse : tensor<1x1x1x1x!t>, tensor<1x1x1xf32>
}
