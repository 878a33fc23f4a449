// A key that is removed, or one whose score has -1e4 added: 20000 tokens back, ALiBi
// with a slope of 1/2 takes as much from a key that is kept, and the two weigh the
// same. A predicate, or a number in a bias.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// types: f32 f64
// %q = 0
// %k = 0
// %v = [1] + [0] * 19999 + [2]
// %keep = [1] + [0] * 20000
// %m = 0.5
// -> [1]
// not [1.5]
func.func @removed(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x20001x1x!t>, %v: tensor<1x1x20001x1x!t>,
    %keep: tensor<1x1x1x20001xi1>, %m: tensor<1xf32>) -> tensor<1x1x1x1x!t> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x20001xi1>
  %far = arith.constant 20000 : index
  %alibi = attn.bias.alibi linear slopes(%m : tensor<1xf32>) offset(%far : index)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x20001x1x!t>)
    value(%v : tensor<1x1x20001x1x!t>)
    bias(%alibi) mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}

// types: f32 f64
// %q = 0
// %k = 0
// %v = [1] + [0] * 19999 + [2]
// %fill = [0] + [-3e38] * 19999 + [-1e4]
// %m = 0.5
// -> [1.5]
// not [1]
func.func @added(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x20001x1x!t>, %v: tensor<1x1x20001x1x!t>,
    %fill: tensor<1x1x1x20001xf32>, %m: tensor<1xf32>) -> tensor<1x1x1x1x!t> {
  %fills = attn.bias.tensor %fill : tensor<1x1x1x20001xf32>
  %far = arith.constant 20000 : index
  %alibi = attn.bias.alibi linear slopes(%m : tensor<1xf32>) offset(%far : index)
  %bias = attn.bias.add %alibi, %fills
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x20001x1x!t>)
    value(%v : tensor<1x1x20001x1x!t>)
    bias(%bias) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}
