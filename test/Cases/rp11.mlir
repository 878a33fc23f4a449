// With left padding the first real token is at position 0, and a decoding step goes
// on from there. Elsewhere the step took the length of the cache for its position,
// so that the distance to the prompt grew by the padding. Here row 0 has two padding
// tokens, row 1 none; query and key are [1, 0] everywhere. Padding holds NaN.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

!t = f32

// %q = [[[1, 0]] * 4] * 2
// %k = [[nan, nan]] * 2 + [[1, 0]] * 6
// %v = [inf, nan, 3, 4, 1, 2, 3, 4]
// %pads = [2, 0]
// %lengths = [2, 4]
// -> [0, 0, 3, 3.612942, 1, 1.612942, 2.404111, 3.240678]
func.func @prefill(%q: tensor<2x1x4x2x!t>, %k: tensor<2x1x4x2x!t>, %v: tensor<2x1x4x1x!t>, %pads: tensor<2xi64>,
    %lengths: tensor<2xi64>) -> tensor<2x1x4x1x!t> {
  %first = arith.constant 0 : index
  %keys = arith.constant 4 : index
  %eq = tensor.empty() : tensor<2x4xi64>
  %pq = attn.positions left_padding(%pads : tensor<2xi64>) first(%first) outs(%eq : tensor<2x4xi64>)
  %ek = tensor.empty() : tensor<2x4xi64>
  %pk = attn.positions left_padding(%pads : tensor<2xi64>) outs(%ek : tensor<2x4xi64>)
  %cq = tensor.empty() : tensor<2x4x1xf32>
  %sq = tensor.empty() : tensor<2x4x1xf32>
  %cosq, %sinq = attn.rotary_table positions(%pq : tensor<2x4xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%cq, %sq : tensor<2x4x1xf32>, tensor<2x4x1xf32>)
  %ck = tensor.empty() : tensor<2x4x1xf32>
  %sk = tensor.empty() : tensor<2x4x1xf32>
  %cosk, %sink = attn.rotary_table positions(%pk : tensor<2x4xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%ck, %sk : tensor<2x4x1xf32>, tensor<2x4x1xf32>)
  %oq = tensor.empty() : tensor<2x1x4x2x!t>
  %rq = attn.rotary split_half %q, %cosq, %sinq : tensor<2x1x4x2x!t>, tensor<2x4x1xf32>, tensor<2x4x1xf32>
    outs(%oq : tensor<2x1x4x2x!t>)
  %ok = tensor.empty() : tensor<2x1x4x2x!t>
  %rk = attn.rotary split_half %k, %cosk, %sink : tensor<2x1x4x2x!t>, tensor<2x4x1xf32>, tensor<2x4x1xf32>
    outs(%ok : tensor<2x1x4x2x!t>)
  %real = attn.mask.padding left lengths(%lengths : tensor<2xi64>) keys(%keys)
  %causal = attn.mask.causal offset(%first : index)
  %mask = attn.mask.and %real, %causal
  %out = tensor.empty() : tensor<2x1x4x1x!t>
  %rows = attn.attention query(%rq : tensor<2x1x4x2x!t>) key(%rk : tensor<2x1x4x2x!t>) value(%v : tensor<2x1x4x1x!t>)
    mask(%mask) outs(%out : tensor<2x1x4x1x!t>) {scale = 1.0 : f64}
  return %rows : tensor<2x1x4x1x!t>
}

// Row 0 equals the three real tokens without padding. At position 4 instead of 2 it
// would be 4.6089.
// %q = [[[1, 0]]] * 2
// %k = [[nan, nan]] * 2 + [[1, 0]] * 8
// %v = [inf, nan, 3, 4, 5, 1, 2, 3, 4, 5]
// %pads = [2, 0]
// %lengths = [3, 5]
// -> [4.404111, 3.959088]
// not [4.6089, 3.959088]
func.func @decode(%q: tensor<2x1x1x2x!t>, %k: tensor<2x1x5x2x!t>, %v: tensor<2x1x5x1x!t>, %pads: tensor<2xi64>,
    %lengths: tensor<2xi64>) -> tensor<2x1x1x1x!t> {
  %first = arith.constant 4 : index
  %keys = arith.constant 5 : index
  %eq = tensor.empty() : tensor<2x1xi64>
  %pq = attn.positions left_padding(%pads : tensor<2xi64>) first(%first) outs(%eq : tensor<2x1xi64>)
  %ek = tensor.empty() : tensor<2x5xi64>
  %pk = attn.positions left_padding(%pads : tensor<2xi64>) outs(%ek : tensor<2x5xi64>)
  %cq = tensor.empty() : tensor<2x1x1xf32>
  %sq = tensor.empty() : tensor<2x1x1xf32>
  %cosq, %sinq = attn.rotary_table positions(%pq : tensor<2x1xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%cq, %sq : tensor<2x1x1xf32>, tensor<2x1x1xf32>)
  %ck = tensor.empty() : tensor<2x5x1xf32>
  %sk = tensor.empty() : tensor<2x5x1xf32>
  %cosk, %sink = attn.rotary_table positions(%pk : tensor<2x5xi64>)
    rule(#attn.frequencies<default, dim = 2, base = 10000.0>) outs(%ck, %sk : tensor<2x5x1xf32>, tensor<2x5x1xf32>)
  %oq = tensor.empty() : tensor<2x1x1x2x!t>
  %rq = attn.rotary split_half %q, %cosq, %sinq : tensor<2x1x1x2x!t>, tensor<2x1x1xf32>, tensor<2x1x1xf32>
    outs(%oq : tensor<2x1x1x2x!t>)
  %ok = tensor.empty() : tensor<2x1x5x2x!t>
  %rk = attn.rotary split_half %k, %cosk, %sink : tensor<2x1x5x2x!t>, tensor<2x5x1xf32>, tensor<2x5x1xf32>
    outs(%ok : tensor<2x1x5x2x!t>)
  %real = attn.mask.padding left lengths(%lengths : tensor<2xi64>) keys(%keys)
  %causal = attn.mask.causal offset(%first : index)
  %mask = attn.mask.and %real, %causal
  %out = tensor.empty() : tensor<2x1x1x1x!t>
  %rows = attn.attention query(%rq : tensor<2x1x1x2x!t>) key(%rk : tensor<2x1x5x2x!t>) value(%v : tensor<2x1x5x1x!t>)
    mask(%mask) outs(%out : tensor<2x1x1x1x!t>) {scale = 1.0 : f64}
  return %rows : tensor<2x1x1x1x!t>
}

// The first real token of row 0 gets the first row of a table.
// %table = [10, 20, 30, 40]
// %pads = [2, 0]
// -> [10, 10, 10, 20, 10, 20, 30, 40] within 0
func.func @learned(%table: tensor<4x1x!t>, %pads: tensor<2xi64>) -> tensor<2x4x1x!t> {
  %e = tensor.empty() : tensor<2x4xi64>
  %p = attn.positions left_padding(%pads : tensor<2xi64>) outs(%e : tensor<2x4xi64>)
  %o = tensor.empty() : tensor<2x4x1x!t>
  %rows = attn.learned_position table(%table : tensor<4x1x!t>) positions(%p : tensor<2x4xi64>)
    outs(%o : tensor<2x4x1x!t>)
  return %rows : tensor<2x4x1x!t>
}

// So it does of a table of sines and cosines, and not that of column 2.
// %pads = [2, 0]
// -> [[sin(p), cos(p)] for p in [0, 0, 0, 1, 0, 1, 2, 3]]
// not [[sin(p), cos(p)] for p in [0, 1, 2, 3, 0, 1, 2, 3]]
func.func @sinusoidal(%pads: tensor<2xi64>) -> tensor<2x4x2x!t> {
  %e = tensor.empty() : tensor<2x4xi64>
  %p = attn.positions left_padding(%pads : tensor<2xi64>) outs(%e : tensor<2x4xi64>)
  %o = tensor.empty() : tensor<2x4x2x!t>
  %rows = attn.sinusoidal interleaved positions(%p : tensor<2x4xi64>) outs(%o : tensor<2x4x2x!t>)
  return %rows : tensor<2x4x2x!t>
}
