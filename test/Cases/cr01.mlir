// Query heads share a head of keys in groups that follow each other: 0, 0, 1, 1.
// Repeated in turns, 0, 1, 0, 1, they read the wrong one.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t
// RUN: attn-opt %s -split-input-file -verify-diagnostics -o /dev/null

!t = f32

// %q = 0
// %k = 0
// %v = [1, 1, 2, 2]
// -> [1, 1, 2, 2]
// not [1, 2, 1, 2]
func.func @two_groups(%q: tensor<1x4x1x1x!t>, %k: tensor<1x2x2x1x!t>, %v: tensor<1x2x2x1x!t>) -> tensor<1x4x1x1x!t> {
  %out = tensor.empty() : tensor<1x4x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x4x1x1x!t>) key(%k : tensor<1x2x2x1x!t>) value(%v : tensor<1x2x2x1x!t>)
    outs(%out : tensor<1x4x1x1x!t>)
  return %rows : tensor<1x4x1x1x!t>
}

// %q = 0
// %k = 0
// %v = [1, 1, 2, 2, 3, 3]
// -> [1, 1, 2, 2, 3, 3]
// not [1, 2, 3, 1, 2, 3]
func.func @three_groups(%q: tensor<1x6x1x1x!t>, %k: tensor<1x3x2x1x!t>, %v: tensor<1x3x2x1x!t>)
    -> tensor<1x6x1x1x!t> {
  %out = tensor.empty() : tensor<1x6x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x6x1x1x!t>) key(%k : tensor<1x3x2x1x!t>) value(%v : tensor<1x3x2x1x!t>)
    outs(%out : tensor<1x6x1x1x!t>)
  return %rows : tensor<1x6x1x1x!t>
}

// -----

func.func @no_groups(%q: tensor<1x5x1x1xf32>, %k: tensor<1x2x2x1xf32>) -> tensor<1x5x1x1xf32> {
  // expected-error @+1 {{expects number of heads of 'query' (5) to be a multiple of that of 'key' (2)}}
  %rows = attn.attention query(%q : tensor<1x5x1x1xf32>) key(%k : tensor<1x2x2x1xf32>) value(%k : tensor<1x2x2x1xf32>)
    outs(%q : tensor<1x5x1x1xf32>)
  return %rows : tensor<1x5x1x1xf32>
}
