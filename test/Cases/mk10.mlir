// Masks of fewer dimensions broadcast from the right against (batch, head, query,
// key): three dimensions start at the head. Here the missing ones are written as 1.
// A mask with less than the heads or keys of the query, and not 1, is an error that
// says so; one of three dimensions is no operand.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t
// RUN: attn-opt %s -split-input-file -verify-diagnostics -o /dev/null

!t = f32

// %q = 0
// %k = 0
// %v = [1, 2, 3] * 6
// %keep = [1, 1, 0]
// -> [1.5] * 12
func.func @keys(%q: tensor<2x3x2x1x!t>, %k: tensor<2x3x3x1x!t>, %v: tensor<2x3x3x1x!t>,
    %keep: tensor<1x1x1x3xi1>) -> tensor<2x3x2x1x!t> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x3xi1>
  %out = tensor.empty() : tensor<2x3x2x1x!t>
  %rows = attn.attention query(%q : tensor<2x3x2x1x!t>) key(%k : tensor<2x3x3x1x!t>) value(%v : tensor<2x3x3x1x!t>)
    mask(%mask) outs(%out : tensor<2x3x2x1x!t>)
  return %rows : tensor<2x3x2x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3] * 6
// %keep = [1, 0, 0, 1, 1, 0]
// -> [1, 1.5] * 6
func.func @queries(%q: tensor<2x3x2x1x!t>, %k: tensor<2x3x3x1x!t>, %v: tensor<2x3x3x1x!t>,
    %keep: tensor<1x1x2x3xi1>) -> tensor<2x3x2x1x!t> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x2x3xi1>
  %out = tensor.empty() : tensor<2x3x2x1x!t>
  %rows = attn.attention query(%q : tensor<2x3x2x1x!t>) key(%k : tensor<2x3x3x1x!t>) value(%v : tensor<2x3x3x1x!t>)
    mask(%mask) outs(%out : tensor<2x3x2x1x!t>)
  return %rows : tensor<2x3x2x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3] * 6
// %keep = [1, 0, 0, 1, 1, 0, 1, 1, 1]
// -> [1, 1, 1.5, 1.5, 2, 2] * 2
func.func @heads(%q: tensor<2x3x2x1x!t>, %k: tensor<2x3x3x1x!t>, %v: tensor<2x3x3x1x!t>,
    %keep: tensor<1x3x1x3xi1>) -> tensor<2x3x2x1x!t> {
  %mask = attn.mask.tensor keep %keep : tensor<1x3x1x3xi1>
  %out = tensor.empty() : tensor<2x3x2x1x!t>
  %rows = attn.attention query(%q : tensor<2x3x2x1x!t>) key(%k : tensor<2x3x3x1x!t>) value(%v : tensor<2x3x3x1x!t>)
    mask(%mask) outs(%out : tensor<2x3x2x1x!t>)
  return %rows : tensor<2x3x2x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 2, 3] * 6
// %keep = [0, 1, 0, 0, 0, 1]
// -> [2] * 6 + [3] * 6
func.func @batches(%q: tensor<2x3x2x1x!t>, %k: tensor<2x3x3x1x!t>, %v: tensor<2x3x3x1x!t>,
    %keep: tensor<2x1x1x3xi1>) -> tensor<2x3x2x1x!t> {
  %mask = attn.mask.tensor keep %keep : tensor<2x1x1x3xi1>
  %out = tensor.empty() : tensor<2x3x2x1x!t>
  %rows = attn.attention query(%q : tensor<2x3x2x1x!t>) key(%k : tensor<2x3x3x1x!t>) value(%v : tensor<2x3x3x1x!t>)
    mask(%mask) outs(%out : tensor<2x3x2x1x!t>)
  return %rows : tensor<2x3x2x1x!t>
}

// -----

// Three dimensions [2, 2, 3] start at the head: two heads, and the query has three.
func.func @wrong_heads(%q: tensor<2x3x2x1xf32>, %k: tensor<2x3x3x1xf32>, %keep: tensor<1x2x2x3xi1>,
    %out: tensor<2x3x2x1xf32>) -> tensor<2x3x2x1xf32> {
  // expected-note @+1 {{which is this op's}}
  %mask = attn.mask.tensor keep %keep : tensor<1x2x2x3xi1>
  // expected-error @+1 {{expects number of heads of the data of 'mask' (2) to be 1 or at least 3}}
  %rows = attn.attention query(%q : tensor<2x3x2x1xf32>) key(%k : tensor<2x3x3x1xf32>) value(%k : tensor<2x3x3x1xf32>)
    mask(%mask) outs(%out : tensor<2x3x2x1xf32>)
  return %rows : tensor<2x3x2x1xf32>
}

// -----

func.func @wrong_keys(%q: tensor<2x3x2x1xf32>, %k: tensor<2x3x3x1xf32>, %keep: tensor<1x3x2x2xi1>,
    %out: tensor<2x3x2x1xf32>) -> tensor<2x3x2x1xf32> {
  // expected-note @+1 {{which is this op's}}
  %mask = attn.mask.tensor keep %keep : tensor<1x3x2x2xi1>
  // expected-error @+1 {{expects number of keys of the data of 'mask' (2) to be 1 or at least 3}}
  %rows = attn.attention query(%q : tensor<2x3x2x1xf32>) key(%k : tensor<2x3x3x1xf32>) value(%k : tensor<2x3x3x1xf32>)
    mask(%mask) outs(%out : tensor<2x3x2x1xf32>)
  return %rows : tensor<2x3x2x1xf32>
}

// -----

// Nothing broadcasts on its own.
func.func @wrong_rank(%q: tensor<2x3x2x1xf32>, %k: tensor<2x3x3x1xf32>, %keep: tensor<2x2x3xi1>,
    %out: tensor<2x3x2x1xf32>) -> tensor<2x3x2x1xf32> {
  // expected-error @+1 {{operand #0 must be 4D tensor of 1-bit signless integer values or 4D memref of 1-bit signless integer values, but got 'tensor<2x2x3xi1>'}}
  %mask = attn.mask.tensor keep %keep : tensor<2x2x3xi1>
  %rows = attn.attention query(%q : tensor<2x3x2x1xf32>) key(%k : tensor<2x3x3x1xf32>) value(%k : tensor<2x3x3x1xf32>)
    mask(%mask) outs(%out : tensor<2x3x2x1xf32>)
  return %rows : tensor<2x3x2x1xf32>
}
