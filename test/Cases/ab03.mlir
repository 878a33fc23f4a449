// Three spellings of ALiBi differ by a number for each row, which the softmax drops:
// the rows are equal, but not the log-sum-exp, not the sums in 16 bits, and nothing
// without a causal mask.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [0, 0, 1]
// %m = 0.5
// -> [0, 0, 0.5064804]
// -> [0, log(1 + exp(-0.5)), 0.6802697]
func.func @distance(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>, %m: tensor<1xf32>)
    -> (tensor<1x1x3x1x!t>, tensor<1x1x3xf32>) {
  %alibi = attn.bias.alibi linear slopes(%m : tensor<1xf32>)
  %mask = attn.mask.causal
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %sums = tensor.empty() : tensor<1x1x3xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x3x1x!t>) key(%k : tensor<1x1x3x1x!t>)
    value(%v : tensor<1x1x3x1x!t>)
    bias(%alibi) mask(%mask) outs(%out, %sums : tensor<1x1x3x1x!t>, tensor<1x1x3xf32>)
  return %rows, %lse : tensor<1x1x3x1x!t>, tensor<1x1x3xf32>
}

// m j: the log-sum-exp is larger by m i.
// %q = 0
// %k = 0
// %v = [0, 0, 1]
// %m = 0.5
// -> [0, 0, 0.5064804]
// -> [0, log(exp(0.5) + 1), 1.68027]
// not [0, log(1 + exp(-0.5)), 0.6802697]
func.func @keys(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>, %m: tensor<1xf32>)
    -> (tensor<1x1x3x1x!t>, tensor<1x1x3xf32>) {
  %keys = attn.bias.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %n = arith.index_cast %j : index to i64
    %x = arith.sitofp %n : i64 to f32
    %z = arith.constant 0 : index
    %s = tensor.extract %m[%z] : tensor<1xf32>
    %y = arith.mulf %s, %x : f32
    attn.yield %y : f32
  }
  %mask = attn.mask.causal
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %sums = tensor.empty() : tensor<1x1x3xf32>
  %rows, %lse = attn.attention query(%q : tensor<1x1x3x1x!t>) key(%k : tensor<1x1x3x1x!t>)
    value(%v : tensor<1x1x3x1x!t>)
    bias(%keys) mask(%mask) outs(%out, %sums : tensor<1x1x3x1x!t>, tensor<1x1x3xf32>)
  return %rows, %lse : tensor<1x1x3x1x!t>, tensor<1x1x3xf32>
}

// Query 40000 and the keys 39997 to 40000, which is query 3 of four keys. As f16, m
// j is 20000 for all of them.
// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %m = 0.5
// -> [3.084576]
// not [2.5]
func.func @far(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %m: tensor<1xf32>)
    -> tensor<1x1x1x1x!t> {
  %offset = arith.constant 3 : index
  %alibi = attn.bias.alibi linear slopes(%m : tensor<1xf32>) offset(%offset : index)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    bias(%alibi) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}

// The same with all 40001 keys.
// %q = 0
// %k = 0
// %v = [0] * 39997 + [1, 2, 3, 4]
// %m = 0.5
// -> [3.084576]
// not [2.5]
func.func @far_whole(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x40001x1x!t>, %v: tensor<1x1x40001x1x!t>,
    %m: tensor<1xf32>) -> tensor<1x1x1x1x!t> {
  %offset = arith.constant 40000 : index
  %alibi = attn.bias.alibi linear slopes(%m : tensor<1xf32>) offset(%offset : index)
  %window = attn.mask.window left 3 right 0 offset(%offset : index)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x40001x1x!t>)
    value(%v : tensor<1x1x40001x1x!t>)
    bias(%alibi) mask(%window) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}

// Without a causal mask the distance is absolute.
// %q = 0
// %k = 0
// %v = [0, 0, 1]
// %m = 0.5
// -> [0.1863237, 0.2740686, 0.5064804]
// not [0.5064804, 0.5064804, 0.5064804]
func.func @absolute(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>, %m: tensor<1xf32>)
    -> tensor<1x1x3x1x!t> {
  %alibi = attn.bias.alibi absolute slopes(%m : tensor<1xf32>)
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x3x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    bias(%alibi) outs(%out : tensor<1x1x3x1x!t>)
  return %rows : tensor<1x1x3x1x!t>
}
