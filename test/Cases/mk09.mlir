// A boolean mask keeps what is true in one framework and blocks it in another. The
// op says which. The two must give different means to tell.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %keep = [1, 1, 0, 0]
// -> [1.5]
// not [3.5]
func.func @keep(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %keep: tensor<1x1x1x4xi1>) -> tensor<1x1x1x1x!t> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %block = [1, 1, 0, 0]
// -> [3.5]
// not [1.5]
func.func @block(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>,
    %block: tensor<1x1x1x4xi1>) -> tensor<1x1x1x1x!t> {
  %mask = attn.mask.tensor block %block : tensor<1x1x1x4xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}
