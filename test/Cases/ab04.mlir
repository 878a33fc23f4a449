// Padding in front and a cache: positions count the real tokens, and padding has no
// weight. The mask was cut to the last token before it was summed, so that the new
// token began at 0 again. Row 0 has two padding keys, which hold NaN; its three real
// ones give the bits of a run of three keys.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = 0
// %k = [nan, nan, 0, 0, 0, 0, 0, 0, 0, 0]
// %v = [9, nan, 1, 2, 3, 1, 2, 3, 4, 5]
// %m = 0.5
// %lengths = [3, 5]
// %offsets = [4, 4]
// -> [2.320157, 3.905633]
// not [3.346569, 3.905633]
func.func @decode(%q: tensor<2x1x1x1x!t>, %k: tensor<2x1x5x1x!t>, %v: tensor<2x1x5x1x!t>, %m: tensor<1xf32>,
    %lengths: tensor<2xi64>, %offsets: tensor<2xi64>) -> tensor<2x1x1x1x!t> {
  %keys = arith.constant 5 : index
  %alibi = attn.bias.alibi linear slopes(%m : tensor<1xf32>) offset(%offsets : tensor<2xi64>)
  %real = attn.mask.padding left lengths(%lengths : tensor<2xi64>) keys(%keys)
  %causal = attn.mask.causal offset(%offsets : tensor<2xi64>)
  %mask = attn.mask.and %real, %causal
  %out = tensor.empty() : tensor<2x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<2x1x1x1x!t>) key(%k : tensor<2x1x5x1x!t>) value(%v : tensor<2x1x5x1x!t>)
    bias(%alibi) mask(%mask) outs(%out : tensor<2x1x1x1x!t>)
  return %rows : tensor<2x1x1x1x!t>
}

// %q = 0
// %k = [nan, nan, 0, 0, 0]
// %v = [9, nan, 1, 2, 3]
// %m = 0.5
// %length = 3
// -> 0 within 0
func.func @same_bits(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x5x1x!t>, %v: tensor<1x1x5x1x!t>, %m: tensor<1xf32>,
    %length: tensor<1xi64>) -> tensor<1x1x1x1x!t> {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %keys = arith.constant 5 : index
  %e = tensor.empty() : tensor<1x1x1x1x!t>
  %padded = attn.bias.alibi linear slopes(%m : tensor<1xf32>) offset(%c4 : index)
  %real = attn.mask.padding left lengths(%length : tensor<1xi64>) keys(%keys)
  %whole = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x5x1x!t>) value(%v : tensor<1x1x5x1x!t>)
    bias(%padded) mask(%real) outs(%e : tensor<1x1x1x1x!t>)
  %k3 = tensor.extract_slice %k[0, 0, 2, 0] [1, 1, 3, 1] [1, 1, 1, 1] : tensor<1x1x5x1x!t> to tensor<1x1x3x1x!t>
  %v3 = tensor.extract_slice %v[0, 0, 2, 0] [1, 1, 3, 1] [1, 1, 1, 1] : tensor<1x1x5x1x!t> to tensor<1x1x3x1x!t>
  %plain = attn.bias.alibi linear slopes(%m : tensor<1xf32>) offset(%c2 : index)
  %part = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k3 : tensor<1x1x3x1x!t>) value(%v3 : tensor<1x1x3x1x!t>)
    bias(%plain) outs(%e : tensor<1x1x1x1x!t>)
  %difference = arith.subf %whole, %part : tensor<1x1x1x1x!t>
  return %difference : tensor<1x1x1x1x!t>
}
