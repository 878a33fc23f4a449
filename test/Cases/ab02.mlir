// A decoding step has the bias of its row of the whole: the distance counts from the
// offset, over all keys of the cache. It was lost, or of the wrong sign, in steps of
// one query.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [0, 0, 1]
// %m = 0.5
// -> [0, 0, 0.5064804]
// not [0, 0, 0.3333333]
// not [0, 0, 0.1863237]
// again
// %v = [1, 2, 3]
// -> [1, 1.622459, 2.320157]
func.func @prefill(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>, %m: tensor<1xf32>)
    -> tensor<1x1x3x1x!t> {
  %alibi = attn.bias.alibi linear slopes(%m : tensor<1xf32>)
  %mask = attn.mask.causal
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x3x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    bias(%alibi) mask(%mask) outs(%out : tensor<1x1x3x1x!t>)
  return %rows : tensor<1x1x3x1x!t>
}

// %q = 0
// %k = 0
// %v = [0, 0, 1]
// %m = 0.5
// -> [0.5064804]
// not [0.3333333]
// not [0.1863237]
// again
// %v = [1, 2, 3]
// -> [2.320157]
func.func @decode(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>, %m: tensor<1xf32>)
    -> tensor<1x1x1x1x!t> {
  %offset = arith.constant 2 : index
  %alibi = attn.bias.alibi linear slopes(%m : tensor<1xf32>) offset(%offset : index)
  %mask = attn.mask.causal offset(%offset : index)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    bias(%alibi) mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}
