// ALiBi by the distance, or by the key alone (Bloom): the same rows under a causal
// mask, but the log-sum-exp of row i differs by the slope times i. attn.bias.alibi,
// or arithmetic in a region.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [0, 0, 1]
// %m = 0.5
// -> [0, 0, 0.5064804]
// -> [0, log(1 + exp(-.5)), 0.6802697]
// not [0, log(1 + exp(.5)), 1.68027]
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

// %q = 0
// %k = 0
// %v = [0, 0, 1]
// %m = 0.5
// -> [0, 0, 0.5064804]
// -> [0, log(1 + exp(.5)), 1.68027]
// not [0, log(1 + exp(-.5)), 0.6802697]
func.func @key(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>, %m: tensor<1xf32>)
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
