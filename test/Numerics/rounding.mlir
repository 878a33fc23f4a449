// What is rounded, and how often: a result of 16 bits once, whatever it is computed
// in, and a bias to the type of the scores, each summand and each sum.

// RUN: %python %S/../Cases/Inputs/run-case.py %s attn-run %t

// Just above the middle of two numbers; rounded to f32 first it is the middle, and
// the even neighbour below the nearest.
// %x = [1, 0]
// %cos = 1 + 2**-11 + 2**-40
// %sin = 0
// -> [1 + 2**-10, 0] within 0
// again
// %cos = -1 - 2**-11 - 2**-40
// -> [-1 - 2**-10, 0] within 0
// again
// %cos = 1 + 2**-11
// -> [1, 0] within 0
func.func @rotary_f16(%x: tensor<1x1x1x2xf16>, %cos: tensor<1x1x1xf64>, %sin: tensor<1x1x1xf64>) -> tensor<1x1x1x2xf16> {
  %e = tensor.empty() : tensor<1x1x1x2xf16>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x2xf16>, tensor<1x1x1xf64>, tensor<1x1x1xf64>
    outs(%e : tensor<1x1x1x2xf16>)
  return %r : tensor<1x1x1x2xf16>
}

// %x = [1, 0]
// %cos = 1 + 2**-8 + 2**-40
// %sin = 0
// -> [1 + 2**-7, 0] within 0
func.func @rotary_bf16(%x: tensor<1x1x1x2xbf16>, %cos: tensor<1x1x1xf64>, %sin: tensor<1x1x1xf64>) -> tensor<1x1x1x2xbf16> {
  %e = tensor.empty() : tensor<1x1x1x2xbf16>
  %r = attn.rotary split_half %x, %cos, %sin : tensor<1x1x1x2xbf16>, tensor<1x1x1xf64>, tensor<1x1x1xf64>
    outs(%e : tensor<1x1x1x2xbf16>)
  return %r : tensor<1x1x1x2xbf16>
}

// %part = 1 + 2**-11 + 2**-40
// %lse = 0
// -> 1 + 2**-10 within 0
func.func @merge_f16(%part: tensor<1x1x1x1xf64>, %lse: tensor<1x1x1xf64>) -> tensor<1x1x1x1xf16> {
  %e = tensor.empty() : tensor<1x1x1x1xf16>
  %r = attn.merge partials(%part : tensor<1x1x1x1xf64>) lses(%lse : tensor<1x1x1xf64>)
    outs(%e : tensor<1x1x1x1xf16>)
  return %r : tensor<1x1x1x1xf16>
}

// %part = 1 + 2**-8 + 2**-40
// %lse = 0
// -> 1 + 2**-7 within 0
func.func @merge_bf16(%part: tensor<1x1x1x1xf64>, %lse: tensor<1x1x1xf64>) -> tensor<1x1x1x1xbf16> {
  %e = tensor.empty() : tensor<1x1x1x1xbf16>
  %r = attn.merge partials(%part : tensor<1x1x1x1xf64>) lses(%lse : tensor<1x1x1xf64>)
    outs(%e : tensor<1x1x1x1xbf16>)
  return %r : tensor<1x1x1x1xbf16>
}

// Weights 1 and one just above the middle of 1/2 and the next number of 11 bits; the
// sum is not rounded.
// %q = 0
// %k = 0
// %v = [0, 1]
// %bias = [0, log(0.5 + 2**-12 + 2**-40)]
// -> (0.5 + 2**-11) / (1.5 + 2**-12) within 1e-9
func.func @weights(%q: tensor<1x1x1x1xf64>, %k: tensor<1x1x2x1xf64>, %v: tensor<1x1x2x1xf64>,
    %bias: tensor<1x1x1x2xf64>) -> tensor<1x1x1x1xf64> {
  %b = attn.bias.tensor %bias : tensor<1x1x1x2xf64>
  %e = tensor.empty() : tensor<1x1x1x1xf64>
  %r = attn.attention query(%q : tensor<1x1x1x1xf64>) key(%k : tensor<1x1x2x1xf64>) value(%v : tensor<1x1x2x1xf64>)
    bias(%b) outs(%e : tensor<1x1x1x1xf64>) {prob_type = f16}
  return %r : tensor<1x1x1x1xf64>
}

// A sum of two finite biases that is -inf in f32 removes its pair; of f64 it is a
// number like any other.
// %q = 0
// %k = 0
// %v = [3, 5]
// %bias = [-3.4028234e38, 0]
// -> [5]
// -> [0]
// again
// %bias = -3.4028234e38
// -> [0]
// -> [-inf]
func.func @sum(%q: tensor<1x1x1x1xf32>, %k: tensor<1x1x2x1xf32>, %v: tensor<1x1x2x1xf32>,
    %bias: tensor<1x1x1x2xf32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>) {
  %b = attn.bias.tensor %bias : tensor<1x1x1x2xf32>
  %sum = attn.bias.add %b, %b
  %e = tensor.empty() : tensor<1x1x1x1xf32>
  %l = tensor.empty() : tensor<1x1x1xf32>
  %r:2 = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%k : tensor<1x1x2x1xf32>) value(%v : tensor<1x1x2x1xf32>)
    bias(%sum) outs(%e, %l : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  return %r#0, %r#1 : tensor<1x1x1x1xf32>, tensor<1x1x1xf32>
}

// %q = 0
// %k = 0
// %v = [3, 5]
// %bias = -3.4028234e38
// -> [4]
func.func @wide_sum(%q: tensor<1x1x1x1xf64>, %k: tensor<1x1x2x1xf64>, %v: tensor<1x1x2x1xf64>,
    %bias: tensor<1x1x1x2xf32>) -> tensor<1x1x1x1xf64> {
  %b = attn.bias.tensor %bias : tensor<1x1x1x2xf32>
  %sum = attn.bias.add %b, %b
  %e = tensor.empty() : tensor<1x1x1x1xf64>
  %r = attn.attention query(%q : tensor<1x1x1x1xf64>) key(%k : tensor<1x1x2x1xf64>) value(%v : tensor<1x1x2x1xf64>)
    bias(%sum) outs(%e : tensor<1x1x1x1xf64>)
  return %r : tensor<1x1x1x1xf64>
}

// An f64 that is -inf in f32, in a tensor and of a region.
// %q = 0
// %k = 0
// %v = [3, 5]
// %bias = [-1e300, 0]
// -> [5]
// -> [5]
// -> [-inf, 0]
func.func @narrowed(%q: tensor<1x1x1x1xf32>, %k: tensor<1x1x2x1xf32>, %v: tensor<1x1x2x1xf32>,
    %bias: tensor<1x1x1x2xf64>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x2xf32>) {
  %b = attn.bias.tensor %bias : tensor<1x1x1x2xf64>
  %e = tensor.empty() : tensor<1x1x1x1xf32>
  %r = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%k : tensor<1x1x2x1xf32>) value(%v : tensor<1x1x2x1xf32>)
    bias(%b) outs(%e : tensor<1x1x1x1xf32>)
  %c0 = arith.constant 0 : index
  %g = attn.bias.generate {
  ^bb0(%batch: index, %head: index, %query: index, %key: index):
    %x = tensor.extract %bias[%c0, %c0, %c0, %key] : tensor<1x1x1x2xf64>
    attn.yield %x : f64
  }
  %s = attn.attention query(%q : tensor<1x1x1x1xf32>) key(%k : tensor<1x1x2x1xf32>) value(%v : tensor<1x1x2x1xf32>)
    bias(%g) outs(%e : tensor<1x1x1x1xf32>)
  %m = tensor.empty() : tensor<1x1x1x2xf32>
  %d = attn.materialize %b : !attn.bias outs(%m : tensor<1x1x1x2xf32>)
  return %r, %s, %d : tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x1x2xf32>
}
