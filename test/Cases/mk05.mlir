// A window of W keys counts the query's own key in one framework and not in the
// other, and its ends are in or out. Here both sides are given as distances that are
// still in.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4, 5]
// -> [1, 1.5, 2.5, 3.5, 4.5]
// not [1, 1.5, 2, 3, 4]
func.func @two_keys(%q: tensor<1x1x5x1x!t>, %k: tensor<1x1x5x1x!t>, %v: tensor<1x1x5x1x!t>) -> tensor<1x1x5x1x!t> {
  %window = attn.mask.window left 1 right 0
  %out = tensor.empty() : tensor<1x1x5x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x5x1x!t>) key(%k : tensor<1x1x5x1x!t>) value(%v : tensor<1x1x5x1x!t>)
    mask(%window) outs(%out : tensor<1x1x5x1x!t>)
  return %rows : tensor<1x1x5x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4, 5]
// -> [1, 1.5, 2, 3, 4]
// not [1, 1.5, 2.5, 3.5, 4.5]
func.func @two_before(%q: tensor<1x1x5x1x!t>, %k: tensor<1x1x5x1x!t>, %v: tensor<1x1x5x1x!t>) -> tensor<1x1x5x1x!t> {
  %window = attn.mask.window left 2 right 0
  %out = tensor.empty() : tensor<1x1x5x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x5x1x!t>) key(%k : tensor<1x1x5x1x!t>) value(%v : tensor<1x1x5x1x!t>)
    mask(%window) outs(%out : tensor<1x1x5x1x!t>)
  return %rows : tensor<1x1x5x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4, 5]
// -> [1.5, 2, 3, 4, 4.5]
func.func @one_each(%q: tensor<1x1x5x1x!t>, %k: tensor<1x1x5x1x!t>, %v: tensor<1x1x5x1x!t>) -> tensor<1x1x5x1x!t> {
  %window = attn.mask.window left 1 right 1
  %out = tensor.empty() : tensor<1x1x5x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x5x1x!t>) key(%k : tensor<1x1x5x1x!t>) value(%v : tensor<1x1x5x1x!t>)
    mask(%window) outs(%out : tensor<1x1x5x1x!t>)
  return %rows : tensor<1x1x5x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4, 5]
// -> [2, 2.5, 3, 3.5, 4]
func.func @two_each(%q: tensor<1x1x5x1x!t>, %k: tensor<1x1x5x1x!t>, %v: tensor<1x1x5x1x!t>) -> tensor<1x1x5x1x!t> {
  %window = attn.mask.window left 2 right 2
  %out = tensor.empty() : tensor<1x1x5x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x5x1x!t>) key(%k : tensor<1x1x5x1x!t>) value(%v : tensor<1x1x5x1x!t>)
    mask(%window) outs(%out : tensor<1x1x5x1x!t>)
  return %rows : tensor<1x1x5x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3, 4, 5]
// -> [1, 1.5, 2, 2.5, 3.5]
func.func @causal(%q: tensor<1x1x5x1x!t>, %k: tensor<1x1x5x1x!t>, %v: tensor<1x1x5x1x!t>) -> tensor<1x1x5x1x!t> {
  %window = attn.mask.window left 3 right 3
  %causal = attn.mask.causal
  %mask = attn.mask.and %causal, %window
  %out = tensor.empty() : tensor<1x1x5x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x5x1x!t>) key(%k : tensor<1x1x5x1x!t>) value(%v : tensor<1x1x5x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x5x1x!t>)
  return %rows : tensor<1x1x5x1x!t>
}
