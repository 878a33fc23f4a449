// RUN: attn-reference-test %s | FileCheck %s

// Most scores here are 0 or ln 3, so that probabilities are quarters: a query
// of ln 3 against keys 0 and 1 gives 1/4 and 3/4.

// CHECK-LABEL: plain#0 [1, 1, 1, 2] = 7 70
// CHECK-NEXT:  plain#1 [1, 1, 1] = 1.38629
func.func @plain() -> (tensor<1x1x1x2xf32>, tensor<1x1x1xf32>) {
  %q = arith.constant dense<1.0986122886681098> : tensor<1x1x1x1xf32>
  %k = arith.constant dense<[[[[0.0], [1.0]]]]> : tensor<1x1x2x1xf32>
  %v = arith.constant dense<[[[[4.0, 40.0], [8.0, 80.0]]]]> : tensor<1x1x2x2xf32>
  %out = tensor.empty() : tensor<1x1x1x2xf32>
  %l = tensor.empty() : tensor<1x1x1xf32>
  %0:2 = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%k : tensor<1x1x2x1xf32>)
    value(%v : tensor<1x1x2x2xf32>)
    outs(%out, %l : tensor<1x1x1x2xf32>, tensor<1x1x1xf32>)
  return %0#0, %0#1 : tensor<1x1x1x2xf32>, tensor<1x1x1xf32>
}

// The default scale is 1/sqrt(4); a given one replaces it, negative or zero.
// CHECK-LABEL: scales#0 [1, 1, 1, 1] = 7
// CHECK-NEXT:  scales#1 [1, 1, 1, 1] = 5
// CHECK-NEXT:  scales#2 [1, 1, 1, 1] = 6
func.func @scales() -> (tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>) {
  %q = arith.constant dense<[[[[2.1972245773362196, 0.0, 5.0, 0.0]]]]> : tensor<1x1x1x4xf64>
  %k = arith.constant dense<[[[[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]]]> : tensor<1x1x2x4xf64>
  %v = arith.constant dense<[[[[4.0], [8.0]]]]> : tensor<1x1x2x1xf64>
  %out = tensor.empty() : tensor<1x1x1x1xf64>
  %0 = attn.attention query(%q : tensor<1x1x1x4xf64>) key(%k : tensor<1x1x2x4xf64>)
    value(%v : tensor<1x1x2x1xf64>) outs(%out : tensor<1x1x1x1xf64>)
  %1 = attn.attention query(%q : tensor<1x1x1x4xf64>) key(%k : tensor<1x1x2x4xf64>)
    value(%v : tensor<1x1x2x1xf64>) outs(%out : tensor<1x1x1x1xf64>) {scale = -0.5 : f64}
  %2 = attn.attention query(%q : tensor<1x1x1x4xf64>) key(%k : tensor<1x1x2x4xf64>)
    value(%v : tensor<1x1x2x1xf64>) outs(%out : tensor<1x1x1x1xf64>) {scale = 0.0 : f64}
  return %0, %1, %2 : tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>, tensor<1x1x1x1xf64>
}

// Query heads 0 and 1 read key/value head 0, heads 2 and 3 head 1.
// CHECK-LABEL: grouped#0 [1, 4, 1, 1] = 10 10 20 20
func.func @grouped() -> tensor<1x4x1x1xf32> {
  %q = arith.constant dense<1.0> : tensor<1x4x1x1xf32>
  %k = arith.constant dense<1.0> : tensor<1x2x1x1xf32>
  %v = arith.constant dense<[[[[10.0]], [[20.0]]]]> : tensor<1x2x1x1xf32>
  %out = tensor.empty() : tensor<1x4x1x1xf32>
  %0 = attn.attention query(%q : tensor<1x4x1x1xf32>) key(%k : tensor<1x2x1x1xf32>)
    value(%v : tensor<1x2x1x1xf32>) outs(%out : tensor<1x4x1x1xf32>)
  return %0 : tensor<1x4x1x1xf32>
}

// Scale, softcap, bias, score region, in this order. The product is 3, scaled
// to 1.5, capped to 2 tanh(0.75) = 1.2702979, the bias 10 j makes it 11.270298,
// and the region adds the query's position 0 and doubles: 22.540596. The other
// key has 0 everywhere. The log-sum-exp shows the score.
// CHECK-LABEL: stages#0 [1, 1, 1] = 22.5406
func.func @stages() -> tensor<1x1x1xf64> {
  %q = arith.constant dense<3.0> : tensor<1x1x1x1xf64>
  %k = arith.constant dense<[[[[0.0], [1.0]]]]> : tensor<1x1x2x1xf64>
  %v = arith.constant dense<0.0> : tensor<1x1x2x1xf64>
  %out = tensor.empty() : tensor<1x1x1x1xf64>
  %l = tensor.empty() : tensor<1x1x1xf64>
  %values = arith.constant dense<[[[[0.0, 10.0]]]]> : tensor<1x1x1x2xf64>
  %two = arith.constant 2.0 : f64
  %bias = attn.bias.tensor %values : tensor<1x1x1x2xf64>
  %0:2 = attn.attention query(%q : tensor<1x1x1x1xf64>) key(%k : tensor<1x1x2x1xf64>)
    value(%v : tensor<1x1x2x1xf64>) bias(%bias)
    outs(%out, %l : tensor<1x1x1x1xf64>, tensor<1x1x1xf64>)
    {scale = 0.5 : f64, softcap = 2.0 : f64} score {
  ^bb0(%s: f64, %b: index, %h: index, %i: index, %j: index):
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f64
    %t = arith.addf %s, %f : f64
    %u = arith.mulf %t, %two : f64
    attn.yield %u : f64
  }
  return %0#1 : tensor<1x1x1xf64>
}

// A removed key and value influence nothing, though they are NaN; a kept one
// influences its row, and no other.
// CHECK-LABEL: nans#0 [1, 1, 3, 1] = 4 6 nan
// CHECK-NEXT:  nans#1 [1, 1, 3] = 0 0.693147 nan
func.func @nans() -> (tensor<1x1x3x1xf32>, tensor<1x1x3xf32>) {
  %q = arith.constant dense<0.0> : tensor<1x1x3x1xf32>
  %nan = arith.constant 0x7FC00000 : f32
  %k0 = arith.constant dense<0.0> : tensor<1x1x3x1xf32>
  %v0 = arith.constant dense<[[[[4.0], [8.0], [0.0]]]]> : tensor<1x1x3x1xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %k = tensor.insert %nan into %k0[%c0, %c0, %c2, %c0] : tensor<1x1x3x1xf32>
  %v = tensor.insert %nan into %v0[%c0, %c0, %c2, %c0] : tensor<1x1x3x1xf32>
  %out = tensor.empty() : tensor<1x1x3x1xf32>
  %l = tensor.empty() : tensor<1x1x3xf32>
  %mask = attn.mask.causal
  %0:2 = attn.attention query(%q : tensor<1x1x3x1xf32>) key(%k : tensor<1x1x3x1xf32>)
    value(%v : tensor<1x1x3x1xf32>) mask(%mask)
    outs(%out, %l : tensor<1x1x3x1xf32>, tensor<1x1x3xf32>)
  return %0#0, %0#1 : tensor<1x1x3x1xf32>, tensor<1x1x3xf32>
}

// A bias of -inf removes as a mask does, a NaN key included; a score of -1e30
// does not, and a row of them has the plain mean.
// CHECK-LABEL: infinite#0 [1, 1, 1, 1] = 4
// CHECK-NEXT:  infinite#1 [1, 1, 1, 1] = 6
func.func @infinite() -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) {
  %q = arith.constant dense<1.0> : tensor<1x1x1x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<1x1x2x1xf32>
  %k = arith.constant dense<[[[[0.0], [0x7FC00000]]]]> : tensor<1x1x2x1xf32>
  %v = arith.constant dense<[[[[4.0], [8.0]]]]> : tensor<1x1x2x1xf32>
  %out = tensor.empty() : tensor<1x1x1x1xf32>
  %inf = arith.constant dense<[[[[0.0, 0xFF800000]]]]> : tensor<1x1x1x2xf32>
  %low = arith.constant dense<-1.0e+30> : tensor<1x1x1x2xf32>
  %a = attn.bias.tensor %inf : tensor<1x1x1x2xf32>
  %b = attn.bias.tensor %low : tensor<1x1x1x2xf32>
  %0 = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%k : tensor<1x1x2x1xf32>)
    value(%v : tensor<1x1x2x1xf32>) bias(%a) outs(%out : tensor<1x1x1x1xf32>)
  %1 = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%zeros : tensor<1x1x2x1xf32>)
    value(%v : tensor<1x1x2x1xf32>) bias(%b) outs(%out : tensor<1x1x1x1xf32>)
  return %0, %1 : tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// A score region that gives -inf does not remove the pair: its weight is 0. If
// all kept scores are -inf the row is 0 / 0, and the logarithm of its sum -inf.
// CHECK-LABEL: lowest#0 [1, 1, 2, 1] = nan 4
// CHECK-NEXT:  lowest#1 [1, 1, 2] = -inf 0
func.func @lowest() -> (tensor<1x1x2x1xf32>, tensor<1x1x2xf32>) {
  %q = arith.constant dense<0.0> : tensor<1x1x2x1xf32>
  %v = arith.constant dense<[[[[4.0], [8.0]]]]> : tensor<1x1x2x1xf32>
  %out = tensor.empty() : tensor<1x1x2x1xf32>
  %l = tensor.empty() : tensor<1x1x2xf32>
  %0:2 = attn.attention query(%q : tensor<1x1x2x1xf32>) key(%q : tensor<1x1x2x1xf32>)
    value(%v : tensor<1x1x2x1xf32>) empty_row=mean
    outs(%out, %l : tensor<1x1x2x1xf32>, tensor<1x1x2xf32>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    %lowest = arith.constant 0xFF800000 : f32
    %below = arith.cmpi sle, %i, %j : index
    %t = arith.select %below, %lowest, %s : f32
    attn.yield %t : f32
  }
  return %0#0, %0#1 : tensor<1x1x2x1xf32>, tensor<1x1x2xf32>
}

// Row 0 keeps nothing, row 1 keeps key 0.
// CHECK-LABEL: empty#0 [1, 1, 2, 1] = 0 4
// CHECK-NEXT:  empty#1 [1, 1, 2] = -inf 0
// CHECK-NEXT:  empty#2 [1, 1, 2, 1] = nan 4
// CHECK-NEXT:  empty#3 [1, 1, 2, 1] = 6 4
func.func @empty() -> (tensor<1x1x2x1xf32>, tensor<1x1x2xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) {
  %q = arith.constant dense<0.0> : tensor<1x1x2x1xf32>
  %k = arith.constant dense<0.0> : tensor<1x1x2x1xf32>
  %v = arith.constant dense<[[[[4.0], [8.0]]]]> : tensor<1x1x2x1xf32>
  %out = tensor.empty() : tensor<1x1x2x1xf32>
  %l = tensor.empty() : tensor<1x1x2xf32>
  %cm1 = arith.constant -1 : index
  %mask = attn.mask.causal offset(%cm1 : index)
  %0:2 = attn.attention query(%q : tensor<1x1x2x1xf32>) key(%k : tensor<1x1x2x1xf32>)
    value(%v : tensor<1x1x2x1xf32>) mask(%mask)
    outs(%out, %l : tensor<1x1x2x1xf32>, tensor<1x1x2xf32>)
  %1 = attn.attention query(%q : tensor<1x1x2x1xf32>) key(%k : tensor<1x1x2x1xf32>)
    value(%v : tensor<1x1x2x1xf32>) mask(%mask) empty_row=nan outs(%out : tensor<1x1x2x1xf32>)
  %2 = attn.attention query(%q : tensor<1x1x2x1xf32>) key(%k : tensor<1x1x2x1xf32>)
    value(%v : tensor<1x1x2x1xf32>) mask(%mask) empty_row=mean outs(%out : tensor<1x1x2x1xf32>)
  return %0#0, %0#1, %1, %2
    : tensor<1x1x2x1xf32>, tensor<1x1x2xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>
}

// Without keys every row is empty; without queries there is no result.
// CHECK-LABEL: none#0 [1, 1, 2, 1] = 0 0
// CHECK-NEXT:  none#1 [1, 1, 0, 1] =
func.func @none() -> (tensor<1x1x2x1xf32>, tensor<1x1x0x1xf32>) {
  %q = arith.constant dense<1.0> : tensor<1x1x2x1xf32>
  %q0 = tensor.empty() : tensor<1x1x0x1xf32>
  %out = tensor.empty() : tensor<1x1x2x1xf32>
  %0 = attn.attention query(%q : tensor<1x1x2x1xf32>) key(%q0 : tensor<1x1x0x1xf32>)
    value(%q0 : tensor<1x1x0x1xf32>) outs(%out : tensor<1x1x2x1xf32>)
  %1 = attn.attention query(%q0 : tensor<1x1x0x1xf32>) key(%q : tensor<1x1x2x1xf32>)
    value(%q : tensor<1x1x2x1xf32>) outs(%q0 : tensor<1x1x0x1xf32>)
  return %0, %1 : tensor<1x1x2x1xf32>, tensor<1x1x0x1xf32>
}

// The query is turned by a quarter from (0, -1) to (1, 0) and so meets the key
// (ln 3, 0), or the key is turned the other way.
// CHECK-LABEL: rotated#0 [1, 1, 1, 1] = 7
// CHECK-NEXT:  rotated#1 [1, 1, 1, 1] = 7
func.func @rotated() -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) {
  %q = arith.constant dense<[[[[0.0, -1.0]]]]> : tensor<1x1x1x2xf32>
  %k = arith.constant dense<[[[[0.0, 0.0], [1.0986122886681098, 0.0]]]]> : tensor<1x1x2x2xf32>
  %v = arith.constant dense<[[[[4.0], [8.0]]]]> : tensor<1x1x2x1xf32>
  %out = tensor.empty() : tensor<1x1x1x1xf32>
  %cos = arith.constant dense<0.0> : tensor<1x1x1xf32>
  %sin = arith.constant dense<1.0> : tensor<1x1x1xf32>
  %cos2 = arith.constant dense<0.0> : tensor<1x2x1xf32>
  %sin2 = arith.constant dense<1.0> : tensor<1x2x1xf32>
  %0 = attn.attention query(%q : tensor<1x1x1x2xf32>) key(%k : tensor<1x1x2x2xf32>)
    value(%v : tensor<1x1x2x1xf32>)
    rotate_query(%cos, %sin : tensor<1x1x1xf32>, tensor<1x1x1xf32>)
    outs(%out : tensor<1x1x1x1xf32>)
    {scale = 1.0 : f64, query_rotation = #attn.rotation<split_half>}
  %1 = attn.attention query(%q : tensor<1x1x1x2xf32>) key(%k : tensor<1x1x2x2xf32>)
    value(%v : tensor<1x1x2x1xf32>)
    rotate_key(%cos2, %sin2 : tensor<1x2x1xf32>, tensor<1x2x1xf32>)
    outs(%out : tensor<1x1x1x1xf32>)
    {scale = 1.0 : f64, key_rotation = #attn.rotation<interleaved, inverse = true>}
  return %0, %1 : tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>
}

// Tiles over the queries, with the mask seen from each, give the whole.
// CHECK-LABEL: tiled#0 [1, 1, 4, 1] = 1 2 3 4
func.func @tiled() -> tensor<1x1x4x1xf32> {
  %q = arith.constant dense<0.0> : tensor<1x1x4x1xf32>
  %v = arith.constant dense<[[[[1.0], [3.0], [5.0], [7.0]]]]> : tensor<1x1x4x1xf32>
  %out = tensor.empty() : tensor<1x1x4x1xf32>
  %c0 = arith.constant 0 : index
  %mask = attn.mask.causal
  %r = scf.forall (%i) = (0) to (4) step (2) shared_outs(%o = %out) -> tensor<1x1x4x1xf32> {
    %qt = tensor.extract_slice %q[0, 0, %i, 0] [1, 1, 2, 1] [1, 1, 1, 1]
      : tensor<1x1x4x1xf32> to tensor<1x1x2x1xf32>
    %ot = tensor.extract_slice %o[0, 0, %i, 0] [1, 1, 2, 1] [1, 1, 1, 1]
      : tensor<1x1x4x1xf32> to tensor<1x1x2x1xf32>
    %mt = attn.mask.slice %mask[%c0, %c0, %i, %c0]
    %t = attn.attention query(%qt : tensor<1x1x2x1xf32>) key(%q : tensor<1x1x4x1xf32>)
      value(%v : tensor<1x1x4x1xf32>) mask(%mt) outs(%ot : tensor<1x1x2x1xf32>)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[0, 0, %i, 0] [1, 1, 2, 1] [1, 1, 1, 1]
        : tensor<1x1x2x1xf32> into tensor<1x1x4x1xf32>
    }
  }
  return %r : tensor<1x1x4x1xf32>
}
