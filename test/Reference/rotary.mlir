// RUN: attn-reference-test %s | FileCheck %s

// Frequencies 1 and 1/100 at positions 0 and 2, with a magnitude of 2.
// CHECK-LABEL: table#0 [1, 2, 2] = 2 2 -0.832294 1.9996
// CHECK-NEXT:  table#1 [1, 2, 2] = 0 0 1.81859 0.0399973
func.func @table() -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>) {
  %out = tensor.empty() : tensor<1x2x2xf32>
  %positions = arith.constant dense<[[0, 2]]> : tensor<1x2xi64>
  %cos, %sin = attn.rotary_table positions(%positions : tensor<1x2xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>)
    outs(%out, %out : tensor<1x2x2xf32>, tensor<1x2x2xf32>) {magnitude = 2.0 : f64}
  return %cos, %sin : tensor<1x2x2xf32>, tensor<1x2x2xf32>
}

// Position 1 makes the frequency its own angle: sin(f) shows f where f is small.
// The anchors are those of the papers' own code: f[15] of Llama 3 with R = 64,
// base 5e5, factor 32, and f[30] of YaRN with R = 128, L = 4096, factor 16.
// CHECK-LABEL: llama3#0 [] = 0.00129055
func.func @llama3() -> f32 {
  %c0 = arith.constant 0 : index
  %c15 = arith.constant 15 : index
  %out = tensor.empty() : tensor<1x1x32xf32>
  %positions = arith.constant dense<1> : tensor<1x1xi64>
  %cos, %sin = attn.rotary_table positions(%positions : tensor<1x1xi64>)
    rule(#attn.frequencies<llama3, dim = 64, base = 500000.0, factor = 32.0,
         low_freq_factor = 1.0, high_freq_factor = 4.0, original_length = 8192.0>)
    outs(%out, %out : tensor<1x1x32xf32>, tensor<1x1x32xf32>)
  %f = tensor.extract %sin[%c0, %c0, %c15] : tensor<1x1x32xf32>
  return %f : f32
}

// CHECK-LABEL: yarn#0 [] = 0.00852674
// CHECK-NEXT:  yarn#1 [] = 0.00371341
func.func @yarn() -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c30 = arith.constant 30 : index
  %c34 = arith.constant 34 : index
  %out = tensor.empty() : tensor<1x1x64xf64>
  %positions = arith.constant dense<1> : tensor<1x1xi64>
  %cos, %sin = attn.rotary_table positions(%positions : tensor<1x1xi64>)
    rule(#attn.frequencies<yarn, dim = 128, base = 10000.0, factor = 16.0,
         original_length = 4096.0, beta_fast = 32.0, beta_slow = 1.0, truncate = 1.0>)
    outs(%out, %out : tensor<1x1x64xf64>, tensor<1x1x64xf64>)
  %f = tensor.extract %sin[%c0, %c0, %c30] : tensor<1x1x64xf64>
  %g = tensor.extract %sin[%c0, %c0, %c34] : tensor<1x1x64xf64>
  return %f, %g : f64, f64
}

// Interpolation divides frequencies; an infinite base stops all but the first.
// CHECK-LABEL: others#0 [1, 1, 2] = 0.247404 0.0025
// CHECK-NEXT:  others#1 [1, 1, 2] = 0.841471 0
// CHECK-NEXT:  others#2 [1, 1, 2] = 0.479426 0.198669
func.func @others() -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) {
  %out = tensor.empty() : tensor<1x1x2xf32>
  %one = arith.constant dense<1> : tensor<1x1xi64>
  %given = arith.constant dense<[0.5, 0.2]> : tensor<2xf64>
  %c0, %s0 = attn.rotary_table positions(%one : tensor<1x1xi64>)
    rule(#attn.frequencies<linear, dim = 4, base = 10000.0, factor = 4.0>)
    outs(%out, %out : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %c1, %s1 = attn.rotary_table positions(%one : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = inf>)
    outs(%out, %out : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %c2, %s2 = attn.rotary_table positions(%one : tensor<1x1xi64>)
    frequencies(%given : tensor<2xf64>)
    outs(%out, %out : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  return %s0, %s1, %s2 : tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
}

// At a position of a million an angle rounded to f32 is off in the second
// digit; the exact one is sin(10^6 * 10^-0.5).
// CHECK-LABEL: angles#0 [1, 1, 2] = -0.349994 0.971787
// CHECK-NEXT:  angles#1 [1, 1, 2] = -0.349994 0.967885
func.func @angles() -> (tensor<1x1x2xf64>, tensor<1x1x2xf64>) {
  %out = tensor.empty() : tensor<1x1x2xf64>
  %far = arith.constant dense<1000000> : tensor<1x1xi64>
  %c0, %s0 = attn.rotary_table positions(%far : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10.0>)
    outs(%out, %out : tensor<1x1x2xf64>, tensor<1x1x2xf64>)
  %c1, %s1 = attn.rotary_table positions(%far : tensor<1x1xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10.0>) angles=f32
    outs(%out, %out : tensor<1x1x2xf64>, tensor<1x1x2xf64>)
  return %s0, %s1 : tensor<1x1x2xf64>, tensor<1x1x2xf64>
}

// A quarter turn of the first pair, a half turn of the second.
// CHECK-LABEL: rotate#0 [1, 1, 1, 6] = -2 1 -3 -4 5 6
// CHECK-NEXT:  rotate#1 [1, 1, 1, 6] = -3 -2 1 -4 5 6
// CHECK-NEXT:  rotate#2 [1, 1, 1, 6] = 2 -1 -3 -4 5 6
// CHECK-NEXT:  rotate#3 [1, 1, 1, 6] = 1 2 -4 3 -5 -6
// CHECK-NEXT:  rotate#4 [1, 1, 1, 6] = -2 -3 1 -4 5 6
func.func @rotate() -> (tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>,
                        tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>) {
  %out = tensor.empty() : tensor<1x1x1x6xf32>
  %x = arith.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]]]> : tensor<1x1x1x6xf32>
  %cos = arith.constant dense<[[[0.0, -1.0]]]> : tensor<1x1x2xf32>
  %sin = arith.constant dense<[[[1.0, 0.0]]]> : tensor<1x1x2xf32>
  %0 = attn.rotary interleaved %x, %cos, %sin
    : tensor<1x1x1x6xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32> outs(%out : tensor<1x1x1x6xf32>)
  %1 = attn.rotary split_half %x, %cos, %sin
    : tensor<1x1x1x6xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32> outs(%out : tensor<1x1x1x6xf32>)
  %2 = attn.rotary interleaved inverse %x, %cos, %sin
    : tensor<1x1x1x6xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32> outs(%out : tensor<1x1x1x6xf32>)
  %3 = attn.rotary interleaved from 2 %x, %cos, %sin
    : tensor<1x1x1x6xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32> outs(%out : tensor<1x1x1x6xf32>)
  %4 = attn.rotary interleaved to split_half %x, %cos, %sin
    : tensor<1x1x1x6xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32> outs(%out : tensor<1x1x1x6xf32>)
  return %0, %1, %2, %3, %4 : tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>,
    tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>
}
