// The query at position 5 and a cache of the last three keys, 3 to 5, or of keys
// that start at 0. Positions count from the first key that is there: the offset is 2
// in the one, and 5 in the other, where those three keys are out of the window.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [3, 4, 5]
// %offset = 2
// -> [4.5]
// not [0]
func.func @from_three(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>, %offset: i64)
    -> tensor<1x1x1x1x!t> {
  %o = arith.index_cast %offset : i64 to index
  %mask = attn.mask.window left 1 right 0 offset(%o : index)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}

// %q = 0
// %k = 0
// %v = [3, 4, 5]
// %offset = 5
// -> [0]
// not [4.5]
func.func @from_zero(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>, %offset: i64)
    -> tensor<1x1x1x1x!t> {
  %o = arith.index_cast %offset : i64 to index
  %mask = attn.mask.window left 1 right 0 offset(%o : index)
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>)
  return %rows : tensor<1x1x1x1x!t>
}
