// Two real tokens of four, with the padding behind them or in front.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %n = 2
// -> [1.5]
// not [3.5]
func.func @right(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %n: tensor<1xi64>)
    -> tensor<1x1x1x1x!t> {
  %mask = attn.mask.padding right lengths(%n : tensor<1xi64>)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %n = 2
// -> [3.5]
// not [1.5]
func.func @left(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %n: tensor<1xi64>)
    -> tensor<1x1x1x1x!t> {
  %keys = arith.constant 4 : index
  %mask = attn.mask.padding left lengths(%n : tensor<1xi64>) keys(%keys)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}
