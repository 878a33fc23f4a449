// The query at position 5 and a cache of the last three keys, 3 to 5, or of keys
// that start at 0. Positions count from the first key that is there: the offset is 2
// in the one, and 5 in the other, where those three keys are out of the window. A
// ring says the same: the last tokens are in it, and a causal mask counts from the
// first of them, the start of the queries less the start of the keys.

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

// Tokens 3 to 5 take the rows 0 to 2 of a ring of three. The queries are tokens 4
// and 5, and the offset is 1; with an offset of 0 they would be tokens 3 and 4.
// %q = 0
// %k = 0
// %old = [0, 1, 2]
// %new = [3, 4, 5]
// %key_start = 3
// %query_start = 4
// -> [3.5, 4]
// not [3, 3.5]
// -> [3, 4, 5] within 0
// again
// %query_start = 3
// -> [3, 3.5]
// not [3.5, 4]
// -> [3, 4, 5] within 0
func.func @ring(%q: tensor<1x1x2x1x!t>, %k: tensor<1x1x3x1x!t>, %old: tensor<1x1x3x1x!t>, %new: tensor<1x1x3x1x!t>,
    %key_start: i64, %query_start: i64) -> (tensor<1x1x2x1x!t>, tensor<1x1x3x1x!t>) {
  %ks = arith.index_cast %key_start : i64 to index
  %qs = arith.index_cast %query_start : i64 to index
  %values = attn.cache_append new(%new : tensor<1x1x3x1x!t>) start(%ks : index) ring outs(%old : tensor<1x1x3x1x!t>)
  %offset = arith.subi %qs, %ks : index
  %mask = attn.mask.causal offset(%offset : index)
  %out = tensor.empty() : tensor<1x1x2x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x2x1x!t>) key(%k : tensor<1x1x3x1x!t>)
    value(%values : tensor<1x1x3x1x!t>) mask(%mask) outs(%out : tensor<1x1x2x1x!t>)
  return %rows, %values : tensor<1x1x2x1x!t>, tensor<1x1x3x1x!t>
}
