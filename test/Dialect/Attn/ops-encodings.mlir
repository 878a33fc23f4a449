// Assembly of positions and encodings, as text and as bytecode.

// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s --mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s --emit-bytecode | attn-opt | FileCheck %s

// Words are one blank apart.
// RUN: attn-opt %s | not grep -E '[^ ]  '

// CHECK-LABEL: func @positions(
func.func @positions(%ids: tensor<1x9xi32>, %first: index, %p: tensor<2x8xi64>) {
  // CHECK-NEXT: %positions = attn.positions segments(%{{.*}} : tensor<1x9xi32>) first(%{{.*}}) outs(%{{.*}} : tensor<2x8xi64>)
  %0 = attn.positions segments(%ids : tensor<1x9xi32>) first(%first) outs(%p : tensor<2x8xi64>)
  // CHECK-NEXT: attn.positions offset(%{{.*}} : index) segments(%{{.*}} : tensor<2x8xi64>) outs(%{{.*}} : tensor<2x8xi64>)
  %1 = attn.positions offset(%first : index) segments(%p : tensor<2x8xi64>) outs(%p : tensor<2x8xi64>)
  return
}

// CHECK-LABEL: func @learned(
func.func @learned(%table: tensor<32x64xf32>, %p: tensor<2x8xi64>, %e: tensor<2x8x64xf32>) {
  // The default is not printed.
  // CHECK-NEXT: attn.learned_position table(%{{.*}} : tensor<32x64xf32>) positions(%{{.*}} : tensor<2x8xi64>) outs(%{{.*}} : tensor<2x8x64xf32>)
  %0 = attn.learned_position table(%table : tensor<32x64xf32>) positions(%p : tensor<2x8xi64>) out_of_range = trap outs(%e : tensor<2x8x64xf32>)
  // CHECK-NEXT: attn.learned_position table(%{{.*}} : tensor<32x64xf32>) positions(%{{.*}} : tensor<2x8xi64>) out_of_range = clamp outs(%{{.*}} : tensor<2x8x64xf32>)
  %1 = attn.learned_position table(%table : tensor<32x64xf32>) positions(%p : tensor<2x8xi64>) out_of_range = clamp outs(%e : tensor<2x8x64xf32>)
  return
}

// CHECK-LABEL: func @sinusoidal(
func.func @sinusoidal(%p: tensor<2x8xi64>, %t: tensor<2x8xf64>, %e: tensor<2x8x64xbf16>, %m: memref<2x8xf32>, %d: memref<2x8x?xf32>) {
  // CHECK-NEXT: %encoding = attn.sinusoidal interleaved positions(%{{.*}} : tensor<2x8xi64>) outs(%{{.*}} : tensor<2x8x64xbf16>)
  %0 = attn.sinusoidal interleaved positions(%p : tensor<2x8xi64>) outs(%e : tensor<2x8x64xbf16>)
  // CHECK-NEXT: attn.sinusoidal concatenated positions(%{{.*}} : tensor<2x8xf64>) denominator = minus_two cosine_first angles = f32 outs(%{{.*}} : tensor<2x8x64xbf16>) {base = 5.000000e+02 : f64, position_scale = 1.000000e+03 : f64}
  %1 = attn.sinusoidal concatenated positions(%t : tensor<2x8xf64>) denominator = minus_two cosine_first angles = f32
    outs(%e : tensor<2x8x64xbf16>) {base = 500.0 : f64, position_scale = 1000.0 : f64}
  // CHECK-NEXT: attn.sinusoidal concatenated positions(%{{.*}} : memref<2x8xf32>) outs(%{{.*}} : memref<2x8x?xf32>)
  attn.sinusoidal concatenated positions(%m : memref<2x8xf32>) outs(%d : memref<2x8x?xf32>)
  return
}

// CHECK-LABEL: func @tables(
func.func @tables(%p: tensor<3x2x8xi64>, %f: tensor<4xf64>, %length: index, %c: tensor<2x8x4xf32>) {
  // CHECK-NEXT: attn.rotary_table positions(%{{.*}} : tensor<3x2x8xi64>) frequencies(%{{.*}} : tensor<4xf64>) sections(<chunked, [1, 1, 2]>) outs(
  %0:2 = attn.rotary_table positions(%p : tensor<3x2x8xi64>) frequencies(%f : tensor<4xf64>)
    sections(#attn.sections<chunked, [1, 1, 2]>) outs(%c, %c : tensor<2x8x4xf32>, tensor<2x8x4xf32>)
  // CHECK-NEXT: attn.rotary_table positions(%{{.*}} : tensor<3x2x8xi64>) rule(<dynamic_ntk, dim = 8, base = 1.000000e+04, factor = 2.000000e+00, original_length = 4.096000e+03>) sections(<axial, [2, 0, 2]>) length(%{{.*}}) angles = f32 outs(
  %1:2 = attn.rotary_table positions(%p : tensor<3x2x8xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 4096.0>)
    sections(#attn.sections<axial, [2, 0, 2]>) length(%length) angles = f32
    outs(%c, %c : tensor<2x8x4xf32>, tensor<2x8x4xf32>)
  return
}

// CHECK-LABEL: func @attributes(
// CHECK-SAME: interleaved = #attn.sections<interleaved, [2, 1, 1]>
// CHECK-SAME: longrope = #attn.frequencies<longrope, dim = 4, base = 1.000000e+04, original_length = 6.400000e+01, short = [1.000000e+00, 1.500000e+00], long = [2.000000e+00, 8.000000e+00]>
// CHECK-SAME: mixed = #attn.frequencies<ntk_mixed, dim = 8, base = 1.000000e+04, factor = 8.000000e+00, exponent = 6.250000e-01>
// CHECK-SAME: ntk = #attn.frequencies<ntk, dim = 8, base = inf, alpha = 8.000000e+00>
// CHECK-SAME: proportional = #attn.frequencies<proportional, dim = 8, base = 1.000000e+04, factor = 1.000000e+00, pairs = 2>
// CHECK-SAME: two_step = #attn.frequencies<ntk_two_step, dim = 8, base = 1.000000e+04, factor = 8.000000e+00>
func.func @attributes() attributes {
  interleaved = #attn.sections<interleaved, [2, 1, 1]>,
  longrope = #attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 64.0, short = [1.0, 1.5], long = [2.0, 8.0]>,
  mixed = #attn.frequencies<ntk_mixed, dim = 8, base = 10000.0, factor = 8.0, exponent = 0.625>,
  ntk = #attn.frequencies<ntk, dim = 8, base = inf, alpha = 8.0>,
  proportional = #attn.frequencies<proportional, dim = 8, base = 10000.0, factor = 1.0, pairs = 2>,
  two_step = #attn.frequencies<ntk_two_step, dim = 8, base = 10000.0, factor = 8.0>
} {
  return
}
