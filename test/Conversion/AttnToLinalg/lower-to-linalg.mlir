// RUN: attn-opt %s --attn-lower-to-linalg --split-input-file | FileCheck %s

// A scalar offset and no padding: nothing to clamp.
// CHECK-LABEL: func @positions
// CHECK-SAME:    %[[OFFSET:[a-z0-9]+]]: index, %[[OUT:[a-z0-9]+]]: tensor<2x8xi64>
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel"]
// CHECK-SAME:      outs(%[[OUT]] : tensor<2x8xi64>)
// CHECK-NOT:       arith.maxsi
// CHECK:           %[[TOKEN:.*]] = linalg.index 1
// CHECK-NEXT:      %[[POSITION:.*]] = arith.addi %[[TOKEN]], %[[OFFSET]]
// CHECK-NEXT:      %[[RESULT:.*]] = arith.index_cast %[[POSITION]] : index to i64
// CHECK-NEXT:      linalg.yield %[[RESULT]]
func.func @positions(%cached: index, %out: tensor<2x8xi64>) -> tensor<2x8xi64> {
  %positions = attn.positions offset(%cached : index) outs(%out : tensor<2x8xi64>)
  return %positions : tensor<2x8xi64>
}

// -----

// CHECK:       #[[BATCH:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @padded_positions
// CHECK-SAME:    %[[OFFSET:[a-z0-9]+]]: tensor<2xi64>, %[[PADDING:[a-z0-9]+]]: tensor<2xi32>, %[[FIRST:[a-z0-9]+]]: index
// CHECK:         linalg.generic {indexing_maps = [#[[BATCH]], #[[BATCH]],
// CHECK-SAME:      ins(%[[OFFSET]], %[[PADDING]] :
// CHECK-NEXT:    ^bb0(%[[O:.*]]: i64, %[[P:.*]]: i32, %{{.*}}: i32):
// CHECK:           %[[TOKEN:.*]] = linalg.index 1
// CHECK-NEXT:      %[[SHIFTED:.*]] = arith.addi %[[TOKEN]], %[[FIRST]]
// CHECK-NEXT:      %[[PADS:.*]] = arith.index_cast %[[P]]
// CHECK-NEXT:      %[[REAL:.*]] = arith.subi %[[SHIFTED]], %[[PADS]]
// CHECK:           %[[CLAMPED:.*]] = arith.maxsi %[[REAL]], %c0
// CHECK-NEXT:      %[[CACHED:.*]] = arith.index_cast %[[O]]
// CHECK-NEXT:      arith.addi %[[CLAMPED]], %[[CACHED]]
func.func @padded_positions(%offset: tensor<2xi64>, %padding: tensor<2xi32>, %first: index,
                            %out: tensor<2x8xi32>) -> tensor<2x8xi32> {
  %positions = attn.positions offset(%offset : tensor<2xi64>)
    left_padding(%padding : tensor<2xi32>) first(%first) outs(%out : tensor<2x8xi32>)
  return %positions : tensor<2x8xi32>
}

// -----

// CHECK-LABEL: func @learned
// CHECK-SAME:    %[[TABLE:[a-z0-9]+]]: tensor<32x64xf32>
// CHECK:         linalg.generic
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: i64, %{{.*}}: f32):
// CHECK:           %[[ROW:.*]] = arith.index_cast %[[IN]]
// CHECK:           %[[COLUMN:.*]] = linalg.index 2
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW]], %c32
// CHECK-NEXT:      cf.assert %[[INSIDE]], "'attn.learned_position' op expects 'positions' within the 32 rows of 'table'"
// CHECK-NEXT:      scf.if %[[INSIDE]]
// CHECK-NEXT:        tensor.extract %[[TABLE]][%[[ROW]], %[[COLUMN]]]
// CHECK:           } else {
func.func @learned(%table: tensor<32x64xf32>, %positions: tensor<1x8xi64>,
                   %out: tensor<1x8x64xf32>) -> tensor<1x8x64xf32> {
  %embedding = attn.learned_position table(%table : tensor<32x64xf32>)
    positions(%positions : tensor<1x8xi64>) outs(%out : tensor<1x8x64xf32>)
  return %embedding : tensor<1x8x64xf32>
}

// -----

// Positions that the verifier has checked are read without a check, although
// they are lowered by the same pass.
// CHECK-LABEL: func @learned_known
// CHECK-NOT:     cf.assert
// CHECK-NOT:     scf.if
// CHECK:         tensor.extract
// CHECK-NOT:     cf.assert
// CHECK:         return
func.func @learned_known(%table: tensor<32x64xf32>, %out: tensor<1x8x64xf32>,
                         %out_positions: tensor<1x8xi64>) -> tensor<1x8x64xf32> {
  %c24 = arith.constant 24 : index
  %positions = attn.positions offset(%c24 : index) outs(%out_positions : tensor<1x8xi64>)
  %embedding = attn.learned_position table(%table : tensor<32x64xf32>)
    positions(%positions : tensor<1x8xi64>) outs(%out : tensor<1x8x64xf32>)
  return %embedding : tensor<1x8x64xf32>
}

// -----

// With padding they are not known.
// CHECK-LABEL: func @learned_padded
// CHECK:         cf.assert
func.func @learned_padded(%table: tensor<32x64xf32>, %padding: tensor<1xi64>, %out: tensor<1x8x64xf32>,
                          %out_positions: tensor<1x8xi64>) -> tensor<1x8x64xf32> {
  %positions = attn.positions left_padding(%padding : tensor<1xi64>) outs(%out_positions : tensor<1x8xi64>)
  %embedding = attn.learned_position table(%table : tensor<32x64xf32>)
    positions(%positions : tensor<1x8xi64>) outs(%out : tensor<1x8x64xf32>)
  return %embedding : tensor<1x8x64xf32>
}

// -----

// Turns a position in f64, and no call of the math library.
// CHECK-LABEL: func @table
// CHECK:         %[[TURNS:.*]] = arith.constant dense<[0.15915494309189535, 0.0015915494309189536]> : tensor<2xf64>
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{.*}}, %[[TURNS]] :
// CHECK-NEXT:    ^bb0(%[[P:.*]]: i64, %[[F:.*]]: f64, %{{.*}}: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[POSITION:.*]] = arith.sitofp %[[P]] : i64 to f64
// CHECK-NEXT:      %[[ANGLE:.*]] = arith.mulf %[[POSITION]], %[[F]] : f64
// CHECK:           %[[NEAREST:.*]] = math.floor %{{.*}} : f64
// CHECK-NEXT:      %[[REST:.*]] = arith.subf %[[ANGLE]], %[[NEAREST]] : f64
// CHECK-NEXT:      arith.truncf %[[REST]] : f64 to f32
// CHECK-NOT:       math.cos
// CHECK-NOT:       math.sin
// CHECK:           linalg.yield %{{.*}}, %{{.*}} : f32, f32
func.func @table(%positions: tensor<1x8xi64>, %c: tensor<1x8x2xf32>, %s: tensor<1x8x2xf32>)
    -> (tensor<1x8x2xf32>, tensor<1x8x2xf32>) {
  %cos, %sin = attn.rotary_table positions(%positions : tensor<1x8xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>)
    outs(%c, %s : tensor<1x8x2xf32>, tensor<1x8x2xf32>)
  return %cos, %sin : tensor<1x8x2xf32>, tensor<1x8x2xf32>
}

// -----

// The product is rounded to f32, then exact.
// CHECK-LABEL: func @table_f32
// CHECK:         %[[FREQUENCIES:.*]] = arith.constant dense<[1.000000e+00, 0.00999999977]> : tensor<2xf32>
// CHECK:           %[[POSITION:.*]] = arith.sitofp %{{.*}} : i64 to f32
// CHECK-NEXT:      %[[ANGLE:.*]] = arith.mulf %[[POSITION]], %{{.*}} : f32
// CHECK-NEXT:      arith.extf %[[ANGLE]] : f32 to f64
// CHECK:           %[[MAGNITUDE:.*]] = arith.constant 1.250000e+00 : f32
// CHECK:           arith.mulf %{{.*}}, %[[MAGNITUDE]] : f32
// CHECK-NEXT:      arith.truncf %{{.*}} : f32 to bf16
func.func @table_f32(%positions: tensor<1x8xi64>, %c: tensor<1x8x2xbf16>, %s: tensor<1x8x2xbf16>)
    -> (tensor<1x8x2xbf16>, tensor<1x8x2xbf16>) {
  %cos, %sin = attn.rotary_table positions(%positions : tensor<1x8xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) angles=f32
    outs(%c, %s : tensor<1x8x2xbf16>, tensor<1x8x2xbf16>) {magnitude = 1.25}
  return %cos, %sin : tensor<1x8x2xbf16>, tensor<1x8x2xbf16>
}

// -----

// CHECK-LABEL: func @table_f64
// CHECK-SAME:    %{{.*}}: tensor<1x8xi64>, %[[FREQUENCIES:[a-z0-9]+]]: tensor<2xf32>
// CHECK-NOT:     cf.assert
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{.*}}, %[[FREQUENCIES]] :
// CHECK:           math.cos %{{.*}} : f64
// CHECK-NEXT:      math.sin %{{.*}} : f64
func.func @table_f64(%positions: tensor<1x8xi64>, %f: tensor<2xf32>, %c: tensor<1x8x2xf64>, %s: tensor<1x8x2xf64>)
    -> (tensor<1x8x2xf64>, tensor<1x8x2xf64>) {
  %cos, %sin = attn.rotary_table positions(%positions : tensor<1x8xi64>)
    frequencies(%f : tensor<2xf32>) outs(%c, %s : tensor<1x8x2xf64>, tensor<1x8x2xf64>)
  return %cos, %sin : tensor<1x8x2xf64>, tensor<1x8x2xf64>
}

// -----

// Sizes that only run time knows are checked there.
// CHECK-LABEL: func @table_dynamic
// CHECK:         cf.assert %{{.*}}, "'attn.rotary_table' op expects length of 'outs' to equal that of 'positions'"
// CHECK:         cf.assert %{{.*}}, "'attn.rotary_table' op expects number of pairs of 'outs' to equal that of 'rule'"
// CHECK:         cf.assert %{{.*}}, "'attn.rotary_table' op expects length of 'sin' to equal that of 'cos'"
func.func @table_dynamic(%positions: tensor<1x?xi64>, %c: tensor<1x?x?xf32>, %s: tensor<1x?x?xf32>)
    -> (tensor<1x?x?xf32>, tensor<1x?x?xf32>) {
  %cos, %sin = attn.rotary_table positions(%positions : tensor<1x?xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>)
    outs(%c, %s : tensor<1x?x?xf32>, tensor<1x?x?xf32>)
  return %cos, %sin : tensor<1x?x?xf32>, tensor<1x?x?xf32>
}

// -----

// The whole head dimension, in halves: nothing is copied, and the tables of one
// batch serve all.
// CHECK:       #[[TABLE:.*]] = affine_map<(d0, d1, d2, d3) -> (0, d2, d3)>
// CHECK-LABEL: func @rotary
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x4x8x64xf32>, %[[COS:[a-z0-9]+]]: tensor<1x8x32xf32>, %[[SIN:[a-z0-9]+]]: tensor<1x8x32xf32>, %[[OUT:[a-z0-9]+]]: tensor<2x4x8x64xf32>
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[A:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [2, 4, 8, 32] [1, 1, 1, 1]
// CHECK:         %[[B:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 32] [2, 4, 8, 32] [1, 1, 1, 1]
// CHECK:         %[[OUT_A:.*]] = tensor.extract_slice %[[OUT]][0, 0, 0, 0] [2, 4, 8, 32] [1, 1, 1, 1]
// CHECK:         %[[FIRST:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[TABLE]], #[[TABLE]], #{{.*}}]
// CHECK-SAME:      ins(%[[A]], %[[B]], %[[COS]], %[[SIN]] :
// CHECK-SAME:      outs(%[[OUT_A]] :
// CHECK-NEXT:    ^bb0(%[[XA:.*]]: f32, %[[XB:.*]]: f32, %[[C:.*]]: f32, %[[S:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[L:.*]] = arith.mulf %[[XA]], %[[C]]
// CHECK-NEXT:      %[[R:.*]] = arith.mulf %[[XB]], %[[S]]
// CHECK-NEXT:      arith.subf %[[L]], %[[R]]
// CHECK:         %[[HALF:.*]] = tensor.insert_slice %[[FIRST]] into %[[OUT]][0, 0, 0, 0] [2, 4, 8, 32] [1, 1, 1, 1]
// CHECK:         %[[OUT_B:.*]] = tensor.extract_slice %[[HALF]][0, 0, 0, 32] [2, 4, 8, 32] [1, 1, 1, 1]
// CHECK:         %[[SECOND:.*]] = linalg.generic
// CHECK-SAME:      outs(%[[OUT_B]] :
// CHECK-NEXT:    ^bb0(%[[XA:.*]]: f32, %[[XB:.*]]: f32, %[[C:.*]]: f32, %[[S:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[L:.*]] = arith.mulf %[[XA]], %[[S]]
// CHECK-NEXT:      %[[R:.*]] = arith.mulf %[[XB]], %[[C]]
// CHECK-NEXT:      arith.addf %[[L]], %[[R]]
// CHECK:         %[[ALL:.*]] = tensor.insert_slice %[[SECOND]] into %[[HALF]][0, 0, 0, 32]
// CHECK:         return %[[ALL]]
func.func @rotary(%x: tensor<2x4x8x64xf32>, %cos: tensor<1x8x32xf32>, %sin: tensor<1x8x32xf32>,
                  %out: tensor<2x4x8x64xf32>) -> tensor<2x4x8x64xf32> {
  %rotated = attn.rotary split_half %x, %cos, %sin
    : tensor<2x4x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%out : tensor<2x4x8x64xf32>)
  return %rotated : tensor<2x4x8x64xf32>
}

// -----

// Read interleaved, written in halves, behind 4 elements and in front of 28
// that pass through; rounded once.
// CHECK-LABEL: func @rotary_partial
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<2x4x8x64xbf16>
// CHECK:         tensor.extract_slice %[[X]][0, 0, 0, 0] [2, 4, 8, 4] [1, 1, 1, 1]
// CHECK-NEXT:    tensor.insert_slice
// CHECK:         tensor.extract_slice %[[X]][0, 0, 0, 36] [2, 4, 8, 28] [1, 1, 1, 1]
// CHECK-NEXT:    tensor.insert_slice
// CHECK:         tensor.extract_slice %[[X]][0, 0, 0, 4] [2, 4, 8, 16] [1, 1, 1, 2]
// CHECK:         tensor.extract_slice %[[X]][0, 0, 0, 5] [2, 4, 8, 16] [1, 1, 1, 2]
// CHECK:         linalg.generic
// CHECK:           arith.extf %{{.*}} : bf16 to f32
// CHECK:           arith.addf
// CHECK-NEXT:      arith.truncf %{{.*}} : f32 to bf16
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 4] [2, 4, 8, 16] [1, 1, 1, 1]
// CHECK:         linalg.generic
// CHECK:           arith.subf
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 20] [2, 4, 8, 16] [1, 1, 1, 1]
func.func @rotary_partial(%x: tensor<2x4x8x64xbf16>, %cos: tensor<1x8x16xf32>, %sin: tensor<1x8x16xf32>,
                          %out: tensor<2x4x8x64xbf16>) -> tensor<2x4x8x64xbf16> {
  %rotated = attn.rotary interleaved to split_half inverse from 4 %x, %cos, %sin
    : tensor<2x4x8x64xbf16>, tensor<1x8x16xf32>, tensor<1x8x16xf32> outs(%out : tensor<2x4x8x64xbf16>)
  return %rotated : tensor<2x4x8x64xbf16>
}

// -----

// No pair fits, so there is none, which only run time knows.
// CHECK-LABEL: func @rotary_no_pair
// CHECK:         cf.assert
// CHECK-NOT:     tensor.extract_slice %{{.*}}[0, 0, 0, 1]
// CHECK:         return
func.func @rotary_no_pair(%x: tensor<2x4x8x1xf32>, %cos: tensor<1x8x?xf32>, %sin: tensor<1x8x?xf32>,
                          %out: tensor<2x4x8x1xf32>) -> tensor<2x4x8x1xf32> {
  %rotated = attn.rotary interleaved %x, %cos, %sin
    : tensor<2x4x8x1xf32>, tensor<1x8x?xf32>, tensor<1x8x?xf32> outs(%out : tensor<2x4x8x1xf32>)
  return %rotated : tensor<2x4x8x1xf32>
}

// -----

// CHECK-LABEL: func @rotary_dynamic
// CHECK:         cf.assert %{{.*}}, "'attn.rotary' op expects the rotated range within the head dimension of 'input'"
func.func @rotary_dynamic(%x: tensor<1x4x8x?xf32>, %cos: tensor<1x8x?xf32>, %sin: tensor<1x8x?xf32>,
                          %out: tensor<1x4x8x?xf32>) -> tensor<1x4x8x?xf32> {
  %rotated = attn.rotary split_half %x, %cos, %sin
    : tensor<1x4x8x?xf32>, tensor<1x8x?xf32>, tensor<1x8x?xf32> outs(%out : tensor<1x4x8x?xf32>)
  return %rotated : tensor<1x4x8x?xf32>
}

// -----

// Interleaved pairs are written by one op, as `[..., pair, 2]`.
// CHECK:       #[[ELEMENTS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK:       #[[TABLE:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3)>
// CHECK-LABEL: func @rotary_interleaved
// CHECK:         %[[RANGE:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0, 8] [2, 4, 8, 32] [1, 1, 1, 1]
// CHECK-NEXT:    %[[PAIRS:.*]] = tensor.expand_shape %[[RANGE]] {{\[}}[0], [1], [2], [3, 4]] output_shape [2, 4, 8, 16, 2]
// CHECK-NEXT:    %[[ROTATED:.*]] = linalg.generic {indexing_maps = [#[[ELEMENTS]], #[[ELEMENTS]], #[[TABLE]], #[[TABLE]], #{{.*}}]
// CHECK-SAME:      outs(%[[PAIRS]] :
// CHECK:           %[[ELEMENT:.*]] = linalg.index 4
// CHECK:           %[[IS_FIRST:.*]] = arith.cmpi eq, %[[ELEMENT]], %c0
// CHECK:           %[[FIRST:.*]] = arith.subf
// CHECK:           %[[SECOND:.*]] = arith.addf
// CHECK:           arith.select %[[IS_FIRST]], %[[FIRST]], %[[SECOND]]
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[ROTATED]]
// CHECK-NEXT:    tensor.insert_slice %[[FLAT]] into %{{.*}}[0, 0, 0, 8] [2, 4, 8, 32] [1, 1, 1, 1]
func.func @rotary_interleaved(%x: tensor<2x4x8x64xf32>, %cos: tensor<2x8x16xf32>, %sin: tensor<2x8x16xf32>,
                              %out: tensor<2x4x8x64xf32>) -> tensor<2x4x8x64xf32> {
  %rotated = attn.rotary interleaved from 8 %x, %cos, %sin
    : tensor<2x4x8x64xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32> outs(%out : tensor<2x4x8x64xf32>)
  return %rotated : tensor<2x4x8x64xf32>
}

// -----

// Nothing to rotate.
// CHECK-LABEL: func @rotary_empty
// CHECK-SAME:    %[[OUT:[a-z0-9]+]]: tensor<1x4x0x64xf32>)
// CHECK-NEXT:    return %[[OUT]]
func.func @rotary_empty(%x: tensor<1x4x0x64xf32>, %cos: tensor<1x0x32xf32>, %sin: tensor<1x0x32xf32>,
                        %out: tensor<1x4x0x64xf32>) -> tensor<1x4x0x64xf32> {
  %rotated = attn.rotary split_half %x, %cos, %sin
    : tensor<1x4x0x64xf32>, tensor<1x0x32xf32>, tensor<1x0x32xf32> outs(%out : tensor<1x4x0x64xf32>)
  return %rotated : tensor<1x4x0x64xf32>
}

// -----

// CHECK-LABEL: func @mask
// CHECK-NOT:     attn.mask
// CHECK:         linalg.generic
// CHECK:           %[[I:.*]] = linalg.index 2
// CHECK:           %[[J:.*]] = linalg.index 3
// CHECK:           %[[KEEP:.*]] = arith.cmpi sle, %[[J]], %[[I]]
// CHECK-NEXT:      linalg.yield %[[KEEP]] : i1
func.func @mask(%out: tensor<1x1x8x8xi1>) -> tensor<1x1x8x8xi1> {
  %causal = attn.mask.causal
  %dense = attn.materialize %causal : !attn.mask outs(%out : tensor<1x1x8x8xi1>)
  return %dense : tensor<1x1x8x8xi1>
}

// -----

// CHECK-LABEL: func @bias
// CHECK:         linalg.generic
// CHECK:           arith.truncf %{{.*}} : f32 to f16
func.func @bias(%out: tensor<1x8x8x8xf16>) -> tensor<1x8x8x8xf16> {
  %alibi = attn.bias.alibi linear heads 8
  %dense = attn.materialize %alibi : !attn.bias outs(%out : tensor<1x8x8x8xf16>)
  return %dense : tensor<1x8x8x8xf16>
}

// -----

// Ops on memrefs stay, and so do masks with other users.
// CHECK-LABEL: func @memref
// CHECK:         attn.positions
// CHECK:         %[[CAUSAL:.*]] = attn.mask.causal
// CHECK:         return %[[CAUSAL]]
func.func @memref(%out: memref<2x8xi64>) -> !attn.mask {
  attn.positions outs(%out : memref<2x8xi64>)
  %causal = attn.mask.causal
  return %causal : !attn.mask
}
