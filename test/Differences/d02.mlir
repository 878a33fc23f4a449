// Causal with two queries and four keys: aligned at the first key, or the last query
// at the last key. The operand offset.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %offset = 0
// -> [1, 1.5]
// not [2, 2.5]
func.func @top_left(%q: tensor<1x1x2x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %offset: i64)
    -> tensor<1x1x2x1x!t> {
  %o = arith.index_cast %offset : i64 to index
  %mask = attn.mask.causal offset(%o : index)
  %out = tensor.empty() : tensor<1x1x2x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x2x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x2x1x!t>)
  return %rows : tensor<1x1x2x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4]
// %offset = 2
// -> [2, 2.5]
// not [1, 1.5]
func.func @bottom_right(%q: tensor<1x1x2x1x!t>, %k: tensor<1x1x4x1x!t>, %v: tensor<1x1x4x1x!t>, %offset: i64)
    -> tensor<1x1x2x1x!t> {
  %o = arith.index_cast %offset : i64 to index
  %mask = attn.mask.causal offset(%o : index)
  %out = tensor.empty() : tensor<1x1x2x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x2x1x!t>) key(%k : tensor<1x1x4x1x!t>) value(%v : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x2x1x!t>)
  return %rows : tensor<1x1x2x1x!t>
}
