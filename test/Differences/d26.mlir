// A mask for two keys where there are four: ONNX removes the keys that it does not
// name; elsewhere they are kept, or it is an error. The mask is padded with what is
// meant.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %short = [1, 0]
// -> [1]
// not [8 / 3]
func.func @removed(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %short: tensor<1x1x1x2xi1>) -> tensor<1x1x1x1x!t> {
  %rest = arith.constant false
  %keep = tensor.pad %short low[0, 0, 0, 0] high[0, 0, 0, 2] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %rest : i1
  } : tensor<1x1x1x2xi1> to tensor<1x1x1x4xi1>
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %short = [1, 0]
// -> [8 / 3]
// not [1]
func.func @kept(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %short: tensor<1x1x1x2xi1>) -> tensor<1x1x1x1x!t> {
  %rest = arith.constant true
  %keep = tensor.pad %short low[0, 0, 0, 0] high[0, 0, 0, 2] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %rest : i1
  } : tensor<1x1x1x2xi1> to tensor<1x1x1x4xi1>
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}
