// Keys and values of this step behind those of a cache, and without one: each of the
// two may be asked for, with or without the other. One implementation failed when
// the first step wanted what the next one needs.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = [1, 2]
// %v = [3, 4]
// -> [3.5, 3.5]
// -> [1, 2] within 0
// -> [3, 4] within 0
func.func @without_past(%q: tensor<1x1x2x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>)
    -> (tensor<1x1x2x1x!t>, tensor<1x1x2x1x!t>, tensor<1x1x2x1x!t>) {
  %e = tensor.empty() : tensor<1x1x2x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x2x1x!t>) key(%k : tensor<1x1x2x1x!t>) value(%v : tensor<1x1x2x1x!t>)
    outs(%e : tensor<1x1x2x1x!t>)
  return %rows, %k, %v : tensor<1x1x2x1x!t>, tensor<1x1x2x1x!t>, tensor<1x1x2x1x!t>
}

// %q = 0
// %k = [1, 2]
// %v = [3, 4]
// %k0 = 9
// %v0 = 6
// -> 4.333333
// -> [9, 1, 2] within 0
// -> [6, 3, 4] within 0
func.func @with_past(%q: tensor<1x1x2x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>,
    %k0: tensor<1x1x1x1x!t>, %v0: tensor<1x1x1x1x!t>)
    -> (tensor<1x1x2x1x!t>, tensor<1x1x3x1x!t>, tensor<1x1x3x1x!t>) {
  %pk = tensor.concat dim(2) %k0, %k : (tensor<1x1x1x1x!t>, tensor<1x1x2x1x!t>) -> tensor<1x1x3x1x!t>
  %pv = tensor.concat dim(2) %v0, %v : (tensor<1x1x1x1x!t>, tensor<1x1x2x1x!t>) -> tensor<1x1x3x1x!t>
  %e = tensor.empty() : tensor<1x1x2x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x2x1x!t>) key(%pk : tensor<1x1x3x1x!t>)
    value(%pv : tensor<1x1x3x1x!t>) outs(%e : tensor<1x1x2x1x!t>)
  return %rows, %pk, %pv : tensor<1x1x2x1x!t>, tensor<1x1x3x1x!t>, tensor<1x1x3x1x!t>
}

// %q = 0
// %k = [1, 2]
// %v = [3, 4]
// %k0 = 9
// %v0 = 6
// %offset = 1
// -> [4.5, 4.333333]
// -> [9, 1, 2] within 0
// -> [6, 3, 4] within 0
func.func @with_past_causal(%q: tensor<1x1x2x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>,
    %k0: tensor<1x1x1x1x!t>, %v0: tensor<1x1x1x1x!t>, %offset: i64)
    -> (tensor<1x1x2x1x!t>, tensor<1x1x3x1x!t>, tensor<1x1x3x1x!t>) {
  %pk = tensor.concat dim(2) %k0, %k : (tensor<1x1x1x1x!t>, tensor<1x1x2x1x!t>) -> tensor<1x1x3x1x!t>
  %pv = tensor.concat dim(2) %v0, %v : (tensor<1x1x1x1x!t>, tensor<1x1x2x1x!t>) -> tensor<1x1x3x1x!t>
  %e = tensor.empty() : tensor<1x1x2x1x!t>
  %o = arith.index_cast %offset : i64 to index
  %mask = attn.mask.causal offset(%o : index)
  %rows = attn.attention query(%q : tensor<1x1x2x1x!t>) key(%pk : tensor<1x1x3x1x!t>)
    value(%pv : tensor<1x1x3x1x!t>) mask(%mask) outs(%e : tensor<1x1x2x1x!t>)
  return %rows, %pk, %pv : tensor<1x1x2x1x!t>, tensor<1x1x3x1x!t>, tensor<1x1x3x1x!t>
}

// The same with room in the cache for later, where NaN lies.
// %q = 0
// %k = [1, 2]
// %v = [3, 4]
// %kc = [9, nan, nan, nan]
// %vc = [6, nan, inf, nan]
// %length = 1
// -> [4.5, 4.333333]
// -> [9, 1, 2, nan] within 0
// -> [6, 3, 4, nan] within 0
func.func @cache(%q: tensor<1x1x2x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>, %kc: tensor<1x1x4x1x!t>,
    %vc: tensor<1x1x4x1x!t>, %length: i64) -> (tensor<1x1x2x1x!t>, tensor<1x1x4x1x!t>, tensor<1x1x4x1x!t>) {
  %o = arith.index_cast %length : i64 to index
  %pk = attn.cache_append new(%k : tensor<1x1x2x1x!t>) start(%o : index) outs(%kc : tensor<1x1x4x1x!t>)
  %pv = attn.cache_append new(%v : tensor<1x1x2x1x!t>) start(%o : index) outs(%vc : tensor<1x1x4x1x!t>)
  %e = tensor.empty() : tensor<1x1x2x1x!t>
  %mask = attn.mask.causal offset(%o : index)
  %rows = attn.attention query(%q : tensor<1x1x2x1x!t>) key(%pk : tensor<1x1x4x1x!t>) value(%pv : tensor<1x1x4x1x!t>)
    mask(%mask) outs(%e : tensor<1x1x2x1x!t>)
  return %rows, %pk, %pv : tensor<1x1x2x1x!t>, tensor<1x1x4x1x!t>, tensor<1x1x4x1x!t>
}

// %q = 0
// %k = [1, 2]
// %v = [3, 4]
// %k0 = 9
// %v0 = 6
// -> 4.333333
func.func @past_unused(%q: tensor<1x1x2x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>,
    %k0: tensor<1x1x1x1x!t>, %v0: tensor<1x1x1x1x!t>) -> tensor<1x1x2x1x!t> {
  %pk = tensor.concat dim(2) %k0, %k : (tensor<1x1x1x1x!t>, tensor<1x1x2x1x!t>) -> tensor<1x1x3x1x!t>
  %pv = tensor.concat dim(2) %v0, %v : (tensor<1x1x1x1x!t>, tensor<1x1x2x1x!t>) -> tensor<1x1x3x1x!t>
  %e = tensor.empty() : tensor<1x1x2x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x2x1x!t>) key(%pk : tensor<1x1x3x1x!t>)
    value(%pv : tensor<1x1x3x1x!t>) outs(%e : tensor<1x1x2x1x!t>)
  return %rows : tensor<1x1x2x1x!t>
}
