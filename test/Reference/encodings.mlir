// RUN: attn-reference-test %s | FileCheck %s

// Runs of equal ids are segments; the same id later is another one. A tile
// counts from where its first segment began.
// CHECK-LABEL: segments#0 [2, 6] = 0 1 2 0 1 0 0 1 2 0 1 0
// CHECK-NEXT:  segments#1 [2, 6] = 7 8 9 7 8 7 5 5 6 7 8 9
// CHECK-NEXT:  segments#2 [2, 3] = 2 0 1 2 3 4
func.func @segments() -> (tensor<2x6xi64>, tensor<2x6xi64>, tensor<2x3xi32>) {
  %out = tensor.empty() : tensor<2x6xi64>
  %tile = tensor.empty() : tensor<2x3xi32>
  %shared = arith.constant dense<[[7, 7, 7, 3, 3, 7]]> : tensor<1x6xi32>
  %own = arith.constant dense<[[7, 7, 7, 3, 3, 7], [0, 1, 1, 1, 1, 1]]> : tensor<2x6xi64>
  %offsets = arith.constant dense<[7, 5]> : tensor<2xi64>
  %c2 = arith.constant 2 : index
  %0 = attn.positions segments(%shared : tensor<1x6xi32>) outs(%out : tensor<2x6xi64>)
  %1 = attn.positions offset(%offsets : tensor<2xi64>) segments(%own : tensor<2x6xi64>) outs(%out : tensor<2x6xi64>)
  %last = arith.constant dense<[[7, 7, 7, 3, 3, 7], [1, 1, 1, 1, 1, 1]]> : tensor<2x6xi64>
  %2 = attn.positions segments(%last : tensor<2x6xi64>) first(%c2) outs(%tile : tensor<2x3xi32>)
  return %0, %1, %2 : tensor<2x6xi64>, tensor<2x6xi64>, tensor<2x3xi32>
}

// CHECK-LABEL: clamped#0 [1, 4, 1] = 40 40 10 10
func.func @clamped() -> tensor<1x4x1xf32> {
  %table = arith.constant dense<[[10.0], [20.0], [30.0], [40.0]]> : tensor<4x1xf32>
  %positions = arith.constant dense<[[3, 4, 0, -1]]> : tensor<1x4xi64>
  %out = tensor.empty() : tensor<1x4x1xf32>
  %0 = attn.learned_position table(%table : tensor<4x1xf32>)
    positions(%positions : tensor<1x4xi64>) out_of_range = clamp outs(%out : tensor<1x4x1xf32>)
  return %0 : tensor<1x4x1xf32>
}

// Odd widths: one sine more than cosines.
// CHECK-LABEL: odd#0 [1, 1, 5] = 0.909297 -0.416147 0.0502166 0.998738 0.00126191
// CHECK-NEXT:  odd#1 [1, 1, 3] = 0.909297 -0.416147 0.00430886
// CHECK-NEXT:  odd#2 [1, 1, 1] = 0.909297
// CHECK-NEXT:  odd#3 [1, 1, 3] = 0.909297 0.00430886 -0.416147
// CHECK-NEXT:  odd#4 [1, 1, 1] = -0.416147
func.func @odd() -> (tensor<1x1x5xf32>, tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1x1x3xf32>, tensor<1x1x1xf32>) {
  %two = arith.constant dense<2> : tensor<1x1xi64>
  %o5 = tensor.empty() : tensor<1x1x5xf32>
  %o3 = tensor.empty() : tensor<1x1x3xf32>
  %o1 = tensor.empty() : tensor<1x1x1xf32>
  %0 = attn.sinusoidal interleaved positions(%two : tensor<1x1xi64>) outs(%o5 : tensor<1x1x5xf32>)
  %1 = attn.sinusoidal interleaved positions(%two : tensor<1x1xi64>) outs(%o3 : tensor<1x1x3xf32>)
  %2 = attn.sinusoidal interleaved positions(%two : tensor<1x1xi64>) denominator = minus_two outs(%o1 : tensor<1x1x1xf32>)
  %3 = attn.sinusoidal concatenated positions(%two : tensor<1x1xi64>) outs(%o3 : tensor<1x1x3xf32>)
  %4 = attn.sinusoidal concatenated positions(%two : tensor<1x1xi64>) cosine_first outs(%o1 : tensor<1x1x1xf32>)
  return %0, %1, %2, %3, %4 : tensor<1x1x5xf32>, tensor<1x1x3xf32>, tensor<1x1x1xf32>, tensor<1x1x3xf32>, tensor<1x1x1xf32>
}

// Position 3 in the two layouts, with the two denominators, and scaled.
// CHECK-LABEL: layouts#0 [1, 1, 4] = 0.14112 -0.989992 0.0299955 0.99955
// CHECK-NEXT:  layouts#1 [1, 1, 4] = 0.14112 0.0299955 -0.989992 0.99955
// CHECK-NEXT:  layouts#2 [1, 1, 4] = 0.14112 0.0003 -0.989992 1
// CHECK-NEXT:  layouts#3 [1, 1, 4] = -0.989992 0.14112 0.99955 0.0299955
// CHECK-NEXT:  layouts#4 [1, 1, 4] = 0.14112 0.29552 -0.989992 0.955336
func.func @layouts() -> (tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>) {
  %three = arith.constant dense<3> : tensor<1x1xi64>
  %half = arith.constant dense<1.5> : tensor<1x1xf32>
  %out = tensor.empty() : tensor<1x1x4xf32>
  %0 = attn.sinusoidal interleaved positions(%three : tensor<1x1xi64>) outs(%out : tensor<1x1x4xf32>)
  %1 = attn.sinusoidal concatenated positions(%three : tensor<1x1xi64>) outs(%out : tensor<1x1x4xf32>)
  %2 = attn.sinusoidal concatenated positions(%three : tensor<1x1xi64>) denominator = minus_two outs(%out : tensor<1x1x4xf32>)
  %3 = attn.sinusoidal interleaved positions(%half : tensor<1x1xf32>) cosine_first outs(%out : tensor<1x1x4xf32>) {position_scale = 2.0 : f64}
  %4 = attn.sinusoidal concatenated positions(%three : tensor<1x1xi64>) outs(%out : tensor<1x1x4xf32>) {base = 100.0 : f64}
  return %0, %1, %2, %3, %4 : tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>
}

// At position 937 an angle of f32 is off in the seventh digit.
// CHECK-LABEL: timestep#0 [1, 1, 4] = 0.7211 0.0547506 0.692831 -0.9985
func.func @timestep() -> tensor<1x1x4xf64> {
  %t = arith.constant dense<937.0> : tensor<1x1xf32>
  %out = tensor.empty() : tensor<1x1x4xf64>
  %0 = attn.sinusoidal concatenated positions(%t : tensor<1x1xf32>) outs(%out : tensor<1x1x4xf64>)
  return %0 : tensor<1x1x4xf64>
}

// The angles are the frequencies at position 1: NTK with alpha = 8 divides the
// last of them by 8; so do both others.
// CHECK-LABEL: ntk#0 [1, 1, 4] = 0.841471 0.0499792 0.0025 0.000125
// CHECK-NEXT:  ntk#1 [1, 1, 4] = 0.56018 0.035348 0.00210224 0.000125
// CHECK-NEXT:  ntk#2 [1, 1, 4] = 0.405161 0.0259639 0.00176005 0.000125
// CHECK-NEXT:  ntk#3 [1, 1, 4] = 0.841471 0.0998334 0 0
func.func @ntk() -> (tensor<1x1x4xf64>, tensor<1x1x4xf64>, tensor<1x1x4xf64>, tensor<1x1x4xf64>) {
  %one = arith.constant dense<1> : tensor<1x1xi64>
  %out = tensor.empty() : tensor<1x1x4xf64>
  %c0, %s0 = attn.rotary_table positions(%one : tensor<1x1xi64>)
    rule(#attn.frequencies<ntk, dim = 8, base = 10000.0, alpha = 8.0>) outs(%out, %out : tensor<1x1x4xf64>, tensor<1x1x4xf64>)
  %c1, %s1 = attn.rotary_table positions(%one : tensor<1x1xi64>)
    rule(#attn.frequencies<ntk_two_step, dim = 8, base = 10000.0, factor = 8.0>) outs(%out, %out : tensor<1x1x4xf64>, tensor<1x1x4xf64>)
  %c2, %s2 = attn.rotary_table positions(%one : tensor<1x1xi64>)
    rule(#attn.frequencies<ntk_mixed, dim = 8, base = 10000.0, factor = 8.0, exponent = 0.625>) outs(%out, %out : tensor<1x1x4xf64>, tensor<1x1x4xf64>)
  %c3, %s3 = attn.rotary_table positions(%one : tensor<1x1xi64>)
    rule(#attn.frequencies<proportional, dim = 8, base = 10000.0, factor = 1.0, pairs = 2>) outs(%out, %out : tensor<1x1x4xf64>, tensor<1x1x4xf64>)
  return %s0, %s1, %s2, %s3 : tensor<1x1x4xf64>, tensor<1x1x4xf64>, tensor<1x1x4xf64>, tensor<1x1x4xf64>
}

// Dynamic NTK: the base of 16 stays up to 6 tokens; at 7 it is 87.11, and the
// second frequency 0.1071429. LongRoPE changes lists after 4096 tokens.
// CHECK-LABEL: lengths#0 [1, 1, 2] = 0.841471 0.247404
// CHECK-NEXT:  lengths#1 [1, 1, 2] = 0.841471 0.106938
// CHECK-NEXT:  lengths#2 [1, 1, 2] = -0.839072 0.997779
// CHECK-NEXT:  lengths#3 [1, 1, 2] = 0.283662 0.999922
func.func @lengths() -> (tensor<1x1x2xf64>, tensor<1x1x2xf64>, tensor<1x1x2xf64>, tensor<1x1x2xf64>) {
  %one = arith.constant dense<1> : tensor<1x1xi64>
  %ten = arith.constant dense<10> : tensor<1x1xi64>
  %out = tensor.empty() : tensor<1x1x2xf64>
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c4096 = arith.constant 4096 : index
  %c4097 = arith.constant 4097 : index
  %c0, %s0 = attn.rotary_table positions(%one : tensor<1x1xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 4, base = 16.0, factor = 8.0, original_length = 6.0>)
    length(%c6) outs(%out, %out : tensor<1x1x2xf64>, tensor<1x1x2xf64>)
  %c1, %s1 = attn.rotary_table positions(%one : tensor<1x1xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 4, base = 16.0, factor = 8.0, original_length = 6.0>)
    length(%c7) outs(%out, %out : tensor<1x1x2xf64>, tensor<1x1x2xf64>)
  %c2, %s2 = attn.rotary_table positions(%ten : tensor<1x1xi64>)
    rule(#attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 4096.0, short = [1.0, 1.5], long = [2.0, 8.0]>)
    length(%c4096) outs(%out, %out : tensor<1x1x2xf64>, tensor<1x1x2xf64>)
  %c3, %s3 = attn.rotary_table positions(%ten : tensor<1x1xi64>)
    rule(#attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 4096.0, short = [1.0, 1.5], long = [2.0, 8.0]>)
    length(%c4097) outs(%out, %out : tensor<1x1x2xf64>, tensor<1x1x2xf64>)
  return %s0, %s1, %c2, %c3 : tensor<1x1x2xf64>, tensor<1x1x2xf64>, tensor<1x1x2xf64>, tensor<1x1x2xf64>
}

// Time, height and width 3, 5 and 7. The angles are 3, 0.5, 0.07 and 0.007 in
// chunks; 3, 0.5, 0.07 and 0.003 dealt out; and with two pairs that start anew
// for the width 3, 5, 7 and 0.07.
// CHECK-LABEL: axes#0 [1, 1, 4] = 0.14112 0.479426 0.0699428 0.00699994
// CHECK-NEXT:  axes#1 [1, 1, 4] = 0.14112 0.479426 0.0699428 0.003
// CHECK-NEXT:  axes#2 [1, 1, 4] = 0.14112 -0.958924 0.656987 0.0699428
func.func @axes() -> (tensor<1x1x4xf64>, tensor<1x1x4xf64>, tensor<1x1x4xf64>) {
  %p = arith.constant dense<[[[3]], [[5]], [[7]]]> : tensor<3x1x1xi64>
  %out = tensor.empty() : tensor<1x1x4xf64>
  %c0, %s0 = attn.rotary_table positions(%p : tensor<3x1x1xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    sections(#attn.sections<chunked, [1, 1, 2]>) outs(%out, %out : tensor<1x1x4xf64>, tensor<1x1x4xf64>)
  %c1, %s1 = attn.rotary_table positions(%p : tensor<3x1x1xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    sections(#attn.sections<interleaved, [2, 1, 1]>) outs(%out, %out : tensor<1x1x4xf64>, tensor<1x1x4xf64>)
  %c2, %s2 = attn.rotary_table positions(%p : tensor<3x1x1xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    sections(#attn.sections<axial, [1, 1, 2]>) outs(%out, %out : tensor<1x1x4xf64>, tensor<1x1x4xf64>)
  return %s0, %s1, %s2 : tensor<1x1x4xf64>, tensor<1x1x4xf64>, tensor<1x1x4xf64>
}
