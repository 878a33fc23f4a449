// RUN: attn-opt %s --attn-lower-to-linalg --split-input-file | FileCheck %s

// A walk along the row: a token whose id differs from the one before it begins
// a segment.
// CHECK-LABEL: func @segments(
// CHECK-SAME:    %[[IDS:[a-z0-9]+]]: tensor<1x8xi32>, %[[OUT:[a-z0-9]+]]: tensor<2x8xi64>
// CHECK-NOT:     cf.assert
// CHECK:         scf.for %[[B:.*]] = %{{.*}} to %c2{{.*}} iter_args(%[[ROWS:.*]] = %[[OUT]])
// CHECK:           scf.for %[[T:.*]] = %{{.*}} to %c8{{.*}} iter_args(%[[START:.*]] = %{{.*}}, %[[ROW:.*]] = %[[ROWS]])
// CHECK:             %[[BEFORE:.*]] = arith.maxsi
// CHECK:             %[[DIFFERS:.*]] = arith.cmpi ne
// CHECK:             %[[BEGIN:.*]] = arith.select %[[DIFFERS]], %{{.*}}, %[[START]]
// CHECK:             %[[COUNT:.*]] = arith.subi %{{.*}}, %[[BEGIN]]
// CHECK:             tensor.insert %{{.*}} into %[[ROW]][%[[B]], %[[T]]]
func.func @segments(%ids: tensor<1x8xi32>, %out: tensor<2x8xi64>) -> tensor<2x8xi64> {
  %positions = attn.positions segments(%ids : tensor<1x8xi32>) outs(%out : tensor<2x8xi64>)
  return %positions : tensor<2x8xi64>
}

// -----

// A tile looks at the tokens before it, and must lie in the row.
// CHECK-LABEL: func @tile(
// CHECK-SAME:    %{{.*}}: tensor<2x?xi64>, %[[FIRST:[a-z0-9]+]]: index
// CHECK:         cf.assert %{{.*}}, "'attn.positions' op expects size of 'offset' to equal that of 'outs'"
// CHECK:         cf.assert %{{.*}}, "'attn.positions' op expects a non-negative 'first'"
// CHECK:         cf.assert %{{.*}}, "'attn.positions' op expects the tokens from 'first' on to have 'segments'"
// CHECK:         scf.for
// CHECK:           %[[START:.*]] = scf.for %{{.*}} = %{{.*}} to %[[FIRST]]
// CHECK:           scf.for {{.*}} iter_args(%{{.*}} = %[[START]],
func.func @tile(%ids: tensor<2x?xi64>, %first: index, %offset: tensor<?xi64>, %out: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %positions = attn.positions offset(%offset : tensor<?xi64>) segments(%ids : tensor<2x?xi64>) first(%first)
    outs(%out : tensor<2x4xi32>)
  return %positions : tensor<2x4xi32>
}

// -----

// A clamped position needs no check where there are rows, and one of the number
// of rows otherwise.
// CHECK-LABEL: func @clamped(
// CHECK-NOT:     cf.assert
// CHECK:         %[[ROW:.*]] = arith.index_cast
// CHECK:         %[[LOW:.*]] = arith.minsi %[[ROW]], %c31
// CHECK:         %[[IN:.*]] = arith.maxsi %[[LOW]], %c0
// CHECK:         tensor.extract %{{.*}}[%[[IN]], %{{.*}}] : tensor<32x64xf32>
// CHECK:         cf.assert %{{.*}}, "'attn.learned_position' op expects 'table' to have rows to clamp positions to"
// CHECK-NEXT:    scf.if
func.func @clamped(%known: tensor<32x64xf32>, %open: tensor<?x64xf32>, %positions: tensor<1x8xi64>,
                   %out: tensor<1x8x64xf32>) -> (tensor<1x8x64xf32>, tensor<1x8x64xf32>) {
  %0 = attn.learned_position table(%known : tensor<32x64xf32>) positions(%positions : tensor<1x8xi64>)
    out_of_range = clamp outs(%out : tensor<1x8x64xf32>)
  %1 = attn.learned_position table(%open : tensor<?x64xf32>) positions(%positions : tensor<1x8xi64>)
    out_of_range = clamp outs(%out : tensor<1x8x64xf32>)
  return %0, %1 : tensor<1x8x64xf32>, tensor<1x8x64xf32>
}

// -----

// Frequencies in turns and phases along the width; a cosine is a quarter ahead.
// CHECK-LABEL: func @sinusoidal(
// CHECK-DAG:     %[[F:.*]] = arith.constant dense<[0.15915494309189535, 0.15915494309189535, 0.0015915494309189538]> : tensor<3xf64>
// CHECK-DAG:     %[[PHASE:.*]] = arith.constant dense<[0.000000e+00, 2.500000e-01, 0.000000e+00]> : tensor<3xf64>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{.*}}, %[[F]], %[[PHASE]] : tensor<1x8xf32>, tensor<3xf64>, tensor<3xf64>)
// CHECK-NEXT:    ^bb0(%[[P:.*]]: f32, %[[W:.*]]: f64, %[[Q:.*]]: f64, %{{.*}}: f32):
// CHECK:           %[[WIDE:.*]] = arith.extf %[[P]] : f32 to f64
// CHECK:           %[[SCALED:.*]] = arith.mulf %[[WIDE]], %{{.*}} : f64
// CHECK:           %[[TURNS:.*]] = arith.mulf %[[SCALED]], %[[W]] : f64
// CHECK:           %[[NEAREST:.*]] = math.floor
// CHECK:           %[[REST:.*]] = arith.subf %[[TURNS]], %[[NEAREST]]
// CHECK:           arith.addf %[[REST]], %[[Q]]
// CHECK-NOT:       math.{{sin|cos}}
// CHECK:           linalg.yield
func.func @sinusoidal(%positions: tensor<1x8xf32>, %out: tensor<1x8x3xf32>) -> tensor<1x8x3xf32> {
  %encoding = attn.sinusoidal interleaved positions(%positions : tensor<1x8xf32>)
    outs(%out : tensor<1x8x3xf32>) {base = 1000.0 : f64, position_scale = 2.0 : f64}
  return %encoding : tensor<1x8x3xf32>
}

// -----

// A width that is not known, or too large for a constant: its frequencies are
// computed first.
// CHECK-LABEL: func @open_width(
// CHECK:         tensor.empty(%{{.*}}) : tensor<?xf32>
// CHECK:         linalg.generic
// CHECK:           math.powf
// CHECK:         linalg.generic
// CHECK:         tensor.empty() : tensor<131072xf64>
// CHECK:         linalg.generic
// CHECK:           math.powf
func.func @open_width(%positions: tensor<1x8xi64>, %out: tensor<1x8x?xf64>, %big: tensor<1x8x131072xf32>)
    -> (tensor<1x8x?xf64>, tensor<1x8x131072xf32>) {
  %0 = attn.sinusoidal concatenated positions(%positions : tensor<1x8xi64>) denominator = minus_two angles = f32
    outs(%out : tensor<1x8x?xf64>)
  %1 = attn.sinusoidal concatenated positions(%positions : tensor<1x8xi64>) outs(%big : tensor<1x8x131072xf32>)
  return %0, %1 : tensor<1x8x?xf64>, tensor<1x8x131072xf32>
}

// -----

// Every axis is an input of its own, and the axis of a pair chooses.
// CHECK-DAG:   #[[FIRST:.*]] = affine_map<(d0, d1, d2) -> (0, d0, d1)>
// CHECK-DAG:   #[[SECOND:.*]] = affine_map<(d0, d1, d2) -> (1, d0, d1)>
// CHECK-LABEL: func @sections(
// CHECK:         cf.assert %{{.*}}, "'attn.rotary_table' op expects number of axes of 'positions' to equal that of 'sections'"
// CHECK:         cf.assert %{{.*}}, "'attn.rotary_table' op expects the sum of 'sections' to be the number of pairs"
// CHECK:         %[[AXES:.*]] = arith.constant dense<[0, 0, 1]> : tensor<3xi32>
// CHECK:         linalg.generic {indexing_maps = [#[[FIRST]], #[[SECOND]],
// CHECK-SAME:      ins(%[[P:.*]], %[[P]], %[[AXES]], %{{.*}} :
// CHECK-NEXT:    ^bb0(%[[A:.*]]: i64, %[[B:.*]]: i64, %[[AXIS:.*]]: i32, %{{.*}}: f64,
// CHECK:           %[[IS:.*]] = arith.cmpi eq, %[[AXIS]], %c1_i32
// CHECK:           arith.select %[[IS]], %[[B]], %[[A]] : i64
func.func @sections(%positions: tensor<?x1x8xi64>, %f: tensor<?xf64>, %out: tensor<1x8x?xf32>)
    -> (tensor<1x8x?xf32>, tensor<1x8x?xf32>) {
  %cos, %sin = attn.rotary_table positions(%positions : tensor<?x1x8xi64>) frequencies(%f : tensor<?xf64>)
    sections(#attn.sections<chunked, [2, 1]>) outs(%out, %out : tensor<1x8x?xf32>, tensor<1x8x?xf32>)
  return %cos, %sin : tensor<1x8x?xf32>, tensor<1x8x?xf32>
}

// -----

// Dynamic NTK in double precision: the growth of the base, once, and its powers.
// CHECK-LABEL: func @dynamic_ntk(
// CHECK-SAME:    %{{.*}}: tensor<1x8xi64>, %[[LENGTH:[a-z0-9]+]]: index
// CHECK:         %[[L:.*]] = arith.index_cast %[[LENGTH]] : index to i64
// CHECK:         %[[TOKENS:.*]] = arith.sitofp %[[L]] : i64 to f64
// CHECK:         %[[LONGER:.*]] = arith.cmpf ogt, %[[TOKENS]], %{{.*}} : f64
// CHECK-DAG:     %[[T:.*]] = arith.constant dense<[1.000000e+00, 1.000000e-01, 1.000000e-02, 1.000000e-03]> : tensor<4xf64>
// CHECK-DAG:     %[[E:.*]] = arith.constant dense<[0.000000e+00, -0.33333333333333331, -0.66666666666666663, -1.000000e+00]> : tensor<4xf64>
// CHECK:         %[[GROWTH:.*]] = arith.select %[[LONGER]]
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[T]], %[[E]] :
// CHECK-NEXT:    ^bb0(%[[TI:.*]]: f64, %[[EI:.*]]: f64,
// CHECK:           %[[POWER:.*]] = math.powf %[[GROWTH]], %[[EI]] : f64
// CHECK-NEXT:      arith.mulf %[[TI]], %[[POWER]] : f64
func.func @dynamic_ntk(%positions: tensor<1x8xi64>, %length: index, %out: tensor<1x8x4xf32>)
    -> (tensor<1x8x4xf32>, tensor<1x8x4xf32>) {
  %cos, %sin = attn.rotary_table positions(%positions : tensor<1x8xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 64.0>)
    length(%length) outs(%out, %out : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return %cos, %sin : tensor<1x8x4xf32>, tensor<1x8x4xf32>
}

// -----

// LongRoPE chooses between two constants.
// CHECK-LABEL: func @longrope(
// CHECK:         %[[LONGER:.*]] = arith.cmpf ogt
// CHECK-DAG:     %[[SHORT:.*]] = arith.constant dense<[1.000000e+00, 5.000000e-03]> : tensor<2xf64>
// CHECK-DAG:     %[[LONG:.*]] = arith.constant dense<[5.000000e-01, 1.250000e-03]> : tensor<2xf64>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[SHORT]], %[[LONG]] :
// CHECK-NEXT:    ^bb0(%[[S:.*]]: f64, %[[L:.*]]: f64,
// CHECK-NEXT:      arith.select %[[LONGER]], %[[L]], %[[S]] : f64
func.func @longrope(%positions: tensor<1x8xi64>, %length: index, %out: tensor<1x8x2xf32>)
    -> (tensor<1x8x2xf32>, tensor<1x8x2xf32>) {
  %cos, %sin = attn.rotary_table positions(%positions : tensor<1x8xi64>)
    rule(#attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 64.0, short = [1.0, 2.0], long = [2.0, 8.0]>)
    length(%length) outs(%out, %out : tensor<1x8x2xf32>, tensor<1x8x2xf32>)
  return %cos, %sin : tensor<1x8x2xf32>, tensor<1x8x2xf32>
}
