// YaRN leaves fast pairs alone, divides slow ones, and ramps between. The ends of
// the ramp are rounded or not (both exist), and clamped to the dimension, not to the
// number of pairs. What a pair turns in one position is read off its sine.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t

// The ramp goes from 20 to 46.
// %p = 1
// F = [0.056234133, 0.04694086, 0.0085268438, 0.0001517716, 8.334509e-05, 7.2173874e-06]
// -> [sin(f) for f in F] within 1e-9
func.func @case_a(%p: tensor<1x1xi64>) -> tensor<6xf64> {
  %z = arith.constant 0 : index
  %c = tensor.empty() : tensor<1x1x64xf64>
  %s = tensor.empty() : tensor<1x1x64xf64>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<yarn, dim = 128, base = 10000.0, factor = 16.0, original_length = 4096.0,
      beta_fast = 32.0, beta_slow = 1.0, truncate = 1.0>) outs(%c, %s : tensor<1x1x64xf64>, tensor<1x1x64xf64>)
  %i0 = arith.constant 20 : index
  %f0 = tensor.extract %sin[%z, %z, %i0] : tensor<1x1x64xf64>
  %i1 = arith.constant 21 : index
  %f1 = tensor.extract %sin[%z, %z, %i1] : tensor<1x1x64xf64>
  %i2 = arith.constant 30 : index
  %f2 = tensor.extract %sin[%z, %z, %i2] : tensor<1x1x64xf64>
  %i3 = arith.constant 45 : index
  %f3 = tensor.extract %sin[%z, %z, %i3] : tensor<1x1x64xf64>
  %i4 = arith.constant 46 : index
  %f4 = tensor.extract %sin[%z, %z, %i4] : tensor<1x1x64xf64>
  %i5 = arith.constant 63 : index
  %f5 = tensor.extract %sin[%z, %z, %i5] : tensor<1x1x64xf64>
  %f = tensor.from_elements %f0, %f1, %f2, %f3, %f4, %f5 : tensor<6xf64>
  return %f : tensor<6xf64>
}

// From 8.09 to 17.4, not rounded.
// %p = 1
// F = [0.031705696, 0.0020937924, 0.0001293187]
// -> [sin(f) for f in F] within 1e-9
func.func @case_b(%p: tensor<1x1xi64>) -> tensor<3xf64> {
  %z = arith.constant 0 : index
  %c = tensor.empty() : tensor<1x1x32xf64>
  %s = tensor.empty() : tensor<1x1x32xf64>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<yarn, dim = 64, base = 150000.0, factor = 32.0, original_length = 4096.0,
      beta_fast = 32.0, beta_slow = 1.0, truncate = 0.0>) outs(%c, %s : tensor<1x1x32xf64>, tensor<1x1x32xf64>)
  %i0 = arith.constant 9 : index
  %f0 = tensor.extract %sin[%z, %z, %i0] : tensor<1x1x32xf64>
  %i1 = arith.constant 14 : index
  %f1 = tensor.extract %sin[%z, %z, %i1] : tensor<1x1x32xf64>
  %i2 = arith.constant 17 : index
  %f2 = tensor.extract %sin[%z, %z, %i2] : tensor<1x1x32xf64>
  %f = tensor.from_elements %f0, %f1, %f2 : tensor<3xf64>
  return %f : tensor<3xf64>
}

// From 8 to 18.
// %p = 1
// F = [0.031620752, 0.0022772719, 0.0002279478]
// -> [sin(f) for f in F] within 1e-9
func.func @case_b_truncated(%p: tensor<1x1xi64>) -> tensor<3xf64> {
  %z = arith.constant 0 : index
  %c = tensor.empty() : tensor<1x1x32xf64>
  %s = tensor.empty() : tensor<1x1x32xf64>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<yarn, dim = 64, base = 150000.0, factor = 32.0, original_length = 4096.0,
      beta_fast = 32.0, beta_slow = 1.0, truncate = 1.0>) outs(%c, %s : tensor<1x1x32xf64>, tensor<1x1x32xf64>)
  %i0 = arith.constant 9 : index
  %f0 = tensor.extract %sin[%z, %z, %i0] : tensor<1x1x32xf64>
  %i1 = arith.constant 14 : index
  %f1 = tensor.extract %sin[%z, %z, %i1] : tensor<1x1x32xf64>
  %i2 = arith.constant 17 : index
  %f2 = tensor.extract %sin[%z, %z, %i2] : tensor<1x1x32xf64>
  %f = tensor.from_elements %f0, %f1, %f2 : tensor<3xf64>
  return %f : tensor<3xf64>
}

// The end is 35, past the last pair, 31.
// %p = 1
// F = [6.4111607e-05]
// -> [sin(f) for f in F] within 1e-9
func.func @case_c(%p: tensor<1x1xi64>) -> tensor<1xf64> {
  %z = arith.constant 0 : index
  %c = tensor.empty() : tensor<1x1x32xf64>
  %s = tensor.empty() : tensor<1x1x32xf64>
  %cos, %sin = attn.rotary_table positions(%p : tensor<1x1xi64>)
    rule(#attn.frequencies<yarn, dim = 64, base = 10000.0, factor = 4.0, original_length = 131072.0,
      beta_fast = 32.0, beta_slow = 1.0, truncate = 1.0>) outs(%c, %s : tensor<1x1x32xf64>, tensor<1x1x32xf64>)
  %i0 = arith.constant 31 : index
  %f0 = tensor.extract %sin[%z, %z, %i0] : tensor<1x1x32xf64>
  %f = tensor.from_elements %f0 : tensor<1xf64>
  return %f : tensor<1xf64>
}
