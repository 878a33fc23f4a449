// Messages of positions, encodings and their attributes, by constraint.

// RUN: attn-opt %s -verify-diagnostics -split-input-file

// positions_c1
func.func @positions_offset_type(%o: tensor<2x2xi64>, %p: tensor<2x8xi64>) {
  // expected-error@+1 {{'attn.positions' op operand #0 must be an index, or a tensor of one integer per batch, but got 'tensor<2x2xi64>'}}
  %0 = attn.positions offset(%o : tensor<2x2xi64>) outs(%p : tensor<2x8xi64>)
  return
}

// -----

// positions_c2
func.func @positions_padding_type(%o: tensor<2xf32>, %p: tensor<2x8xi64>) {
  // expected-error@+1 {{'attn.positions' op operand #0 must be}}
  %0 = attn.positions left_padding(%o : tensor<2xf32>) outs(%p : tensor<2x8xi64>)
  return
}

// -----

// positions_c3
func.func @positions_segments_type(%s: tensor<8xi64>, %p: tensor<2x8xi64>) {
  // expected-error@+1 {{'attn.positions' op operand #0 must be}}
  %0 = attn.positions segments(%s : tensor<8xi64>) outs(%p : tensor<2x8xi64>)
  return
}

// -----

// positions_c4
func.func @positions_outs_type(%p: tensor<2x8xf32>) {
  // expected-error@+1 {{'attn.positions' op operand #0 must be}}
  %0 = attn.positions outs(%p : tensor<2x8xf32>)
  return
}

// -----

// positions_c5
func.func @positions_destinations(%p: tensor<1x4xi64>) {
  // expected-error@+1 {{'attn.positions' op expects 1 destination, got 2}}
  %0:2 = attn.positions outs(%p, %p : tensor<1x4xi64>, tensor<1x4xi64>)
  return
}

// -----

// positions_c6
func.func @positions_offset(%o: tensor<3xi64>, %p: tensor<2x8xi64>) {
  // expected-error@+1 {{'attn.positions' op expects size of 'offset' (3) to equal that of 'outs' (2)}}
  %0 = attn.positions offset(%o : tensor<3xi64>) outs(%p : tensor<2x8xi64>)
  return
}

// -----

// positions_c7
func.func @positions_padding(%o: tensor<3xi64>, %p: tensor<2x8xi64>) {
  // expected-error@+1 {{'attn.positions' op expects size of 'left_padding' (3) to equal that of 'outs' (2)}}
  %0 = attn.positions left_padding(%o : tensor<3xi64>) outs(%p : tensor<2x8xi64>)
  return
}

// -----

// positions_c8
func.func @positions_segments_padding(%s: tensor<2x8xi64>, %o: tensor<2xi64>) {
  // expected-error@+1 {{'attn.positions' op expects either 'segments' or 'left_padding', got both}}
  %0 = attn.positions left_padding(%o : tensor<2xi64>) segments(%s : tensor<2x8xi64>) outs(%s : tensor<2x8xi64>)
  return
}

// -----

// positions_c9
func.func @positions_segments_batch(%s: tensor<3x8xi64>, %p: tensor<2x8xi64>) {
  // expected-error@+1 {{'attn.positions' op expects batch of 'segments' (3) to equal that of 'outs' (2) or 1}}
  %0 = attn.positions segments(%s : tensor<3x8xi64>) outs(%p : tensor<2x8xi64>)
  return
}

// -----

// positions_c10
func.func @positions_segments_length(%s: tensor<2x9xi64>, %p: tensor<2x8xi64>) {
  // expected-error@+1 {{'attn.positions' op expects length of 'segments' (9) to equal that of 'outs' (8)}}
  %0 = attn.positions segments(%s : tensor<2x9xi64>) outs(%p : tensor<2x8xi64>)
  return
}

// -----

// positions_c10
func.func @positions_segments_tile(%s: tensor<2x7xi64>, %p: tensor<2x8xi64>, %f: index) {
  // expected-error@+1 {{'attn.positions' op expects length of 'segments' (7) to be at least that of 'outs' (8)}}
  %0 = attn.positions segments(%s : tensor<2x7xi64>) first(%f) outs(%p : tensor<2x8xi64>)
  return
}

// -----

// learned_position_c1
func.func @learned_table_type(%t: tensor<4xf32>, %p: tensor<2x8xi64>, %o: tensor<2x8x4xf32>) {
  // expected-error@+1 {{'attn.learned_position' op operand #0 must be}}
  %0 = attn.learned_position table(%t : tensor<4xf32>) positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x8x4xf32>)
  return
}

// -----

// learned_position_c2
func.func @learned_positions_type(%t: tensor<4x4xf32>, %p: tensor<2x8xf32>, %o: tensor<2x8x4xf32>) {
  // expected-error@+1 {{'attn.learned_position' op operand #1 must be}}
  %0 = attn.learned_position table(%t : tensor<4x4xf32>) positions(%p : tensor<2x8xf32>) outs(%o : tensor<2x8x4xf32>)
  return
}

// -----

// learned_position_c3
func.func @learned_outs_type(%t: tensor<4x4xf32>, %p: tensor<2x8xi64>, %o: tensor<2x8x4xi32>) {
  // expected-error@+1 {{'attn.learned_position' op operand #2 must be}}
  %0 = attn.learned_position table(%t : tensor<4x4xf32>) positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x8x4xi32>)
  return
}

// -----

// learned_position_c4
func.func @learned_destinations(%t: tensor<4x4xf32>, %p: tensor<2x8xi64>, %o: tensor<2x8x4xf32>) {
  // expected-error@+1 {{'attn.learned_position' op expects 1 destination, got 2}}
  %0:2 = attn.learned_position table(%t : tensor<4x4xf32>) positions(%p : tensor<2x8xi64>) outs(%o, %o : tensor<2x8x4xf32>, tensor<2x8x4xf32>)
  return
}

// -----

// learned_position_c5
func.func @learned_type(%t: tensor<32x64xf32>, %p: tensor<2x8xi64>, %o: tensor<2x8x64xf16>) {
  // expected-error@+1 {{'attn.learned_position' op expects element type of 'outs' ('f16') to equal that of 'table' ('f32')}}
  %0 = attn.learned_position table(%t : tensor<32x64xf32>) positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x8x64xf16>)
  return
}

// -----

// learned_position_c6
func.func @learned_batch(%t: tensor<32x64xf32>, %p: tensor<2x8xi64>, %o: tensor<3x8x64xf32>) {
  // expected-error@+1 {{'attn.learned_position' op expects batch of 'outs' (3) to equal that of 'positions' (2)}}
  %0 = attn.learned_position table(%t : tensor<32x64xf32>) positions(%p : tensor<2x8xi64>) outs(%o : tensor<3x8x64xf32>)
  return
}

// -----

// learned_position_c7
func.func @learned_length(%t: tensor<32x64xf32>, %p: tensor<2x8xi64>, %o: tensor<2x9x64xf32>) {
  // expected-error@+1 {{'attn.learned_position' op expects length of 'outs' (9) to equal that of 'positions' (8)}}
  %0 = attn.learned_position table(%t : tensor<32x64xf32>) positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x9x64xf32>)
  return
}

// -----

// learned_position_c8
func.func @learned_width(%t: tensor<32x64xf32>, %p: tensor<2x8xi64>, %o: tensor<2x8x32xf32>) {
  // expected-error@+1 {{'attn.learned_position' op expects width of 'outs' (32) to equal that of 'table' (64)}}
  %0 = attn.learned_position table(%t : tensor<32x64xf32>) positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x8x32xf32>)
  return
}

// -----

// learned_position_c9
func.func @constant_position(%t: tensor<32x4xf32>, %o: tensor<1x2x4xf32>) {
  %p = arith.constant dense<[[3, 32]]> : tensor<1x2xi64>
  // expected-error@+1 {{'attn.learned_position' op expects 'positions' within the 32 rows of 'table', got 32}}
  %0 = attn.learned_position table(%t : tensor<32x4xf32>) positions(%p : tensor<1x2xi64>) outs(%o : tensor<1x2x4xf32>)
  return
}

// -----

// learned_position_c9
func.func @negative_position(%t: tensor<32x4xf32>, %o: tensor<1x2x4xf32>) {
  %p = arith.constant dense<-1> : tensor<1x2xi32>
  // expected-error@+1 {{'attn.learned_position' op expects 'positions' within the 32 rows of 'table', got -1}}
  %0 = attn.learned_position table(%t : tensor<32x4xf32>) positions(%p : tensor<1x2xi32>) outs(%o : tensor<1x2x4xf32>)
  return
}

// -----

// learned_position_c9
func.func @too_long(%t: tensor<32x4xf32>, %i: tensor<1x8xi64>, %o: tensor<1x8x4xf32>) {
  %c25 = arith.constant 25 : index
  %p = attn.positions offset(%c25 : index) outs(%i : tensor<1x8xi64>)
  // expected-error@+1 {{'attn.learned_position' op expects 'positions' within the 32 rows of 'table', got 32}}
  %0 = attn.learned_position table(%t : tensor<32x4xf32>) positions(%p : tensor<1x8xi64>) outs(%o : tensor<1x8x4xf32>)
  return
}

// -----

// Of positions per batch, the largest offset counts.

// learned_position_c9
func.func @too_long_in_a_batch(%t: tensor<32x4xf32>, %i: tensor<2x8xi64>, %o: tensor<2x8x4xf32>) {
  %offsets = arith.constant dense<[3, 25]> : tensor<2xi64>
  %p = attn.positions offset(%offsets : tensor<2xi64>) outs(%i : tensor<2x8xi64>)
  // expected-error@+1 {{'attn.learned_position' op expects 'positions' within the 32 rows of 'table', got 32}}
  %0 = attn.learned_position table(%t : tensor<32x4xf32>) positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x8x4xf32>)
  return
}

// -----

// Tokens in front of the first one have its position: these are 0 0 0 1.

func.func @first_below_zero(%two: tensor<2x4xf32>, %i: tensor<1x4xi64>, %o: tensor<1x4x4xf32>) {
  %first = arith.constant -2 : index
  %p = attn.positions first(%first) outs(%i : tensor<1x4xi64>)
  %0 = attn.learned_position table(%two : tensor<2x4xf32>) positions(%p : tensor<1x4xi64>) outs(%o : tensor<1x4x4xf32>)
  return
}

// -----

// learned_position_c9
func.func @first_below_zero_beyond(%one: tensor<1x4xf32>, %i: tensor<1x4xi64>, %o: tensor<1x4x4xf32>) {
  %first = arith.constant -2 : index
  %p = attn.positions first(%first) outs(%i : tensor<1x4xi64>)
  // expected-error@+1 {{'attn.learned_position' op expects 'positions' within the 1 rows of 'table', got 1}}
  %0 = attn.learned_position table(%one : tensor<1x4xf32>) positions(%p : tensor<1x4xi64>) outs(%o : tensor<1x4x4xf32>)
  return
}

// -----

// learned_position_c10
func.func @learned_no_rows(%t: tensor<0x4xf32>, %p: tensor<2x8xi64>, %o: tensor<2x8x4xf32>) {
  // expected-error@+1 {{'attn.learned_position' op expects 'table' to have rows to clamp positions to, got none}}
  %0 = attn.learned_position table(%t : tensor<0x4xf32>) positions(%p : tensor<2x8xi64>) out_of_range = clamp outs(%o : tensor<2x8x4xf32>)
  return
}

// -----

// sinusoidal_c1
func.func @sinusoidal_positions(%p: tensor<2x8xf16>, %o: tensor<2x8x4xf32>) {
  // expected-error@+1 {{'attn.sinusoidal' op operand #0 must be}}
  %0 = attn.sinusoidal interleaved positions(%p : tensor<2x8xf16>) outs(%o : tensor<2x8x4xf32>)
  return
}

// -----

// sinusoidal_c2
func.func @sinusoidal_outs(%p: tensor<2x8xi64>, %o: tensor<2x8xf32>) {
  // expected-error@+1 {{'attn.sinusoidal' op operand #1 must be}}
  %0 = attn.sinusoidal interleaved positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x8xf32>)
  return
}

// -----

// sinusoidal_c3
func.func @sinusoidal_destinations(%p: tensor<2x8xi64>, %o: tensor<2x8x4xf32>) {
  // expected-error@+1 {{'attn.sinusoidal' op expects 1 destination, got 2}}
  %0:2 = attn.sinusoidal interleaved positions(%p : tensor<2x8xi64>) outs(%o, %o : tensor<2x8x4xf32>, tensor<2x8x4xf32>)
  return
}

// -----

// sinusoidal_c4
func.func @sinusoidal_batch(%p: tensor<2x8xi64>, %o: tensor<3x8x4xf32>) {
  // expected-error@+1 {{'attn.sinusoidal' op expects batch of 'outs' (3) to equal that of 'positions' (2)}}
  %0 = attn.sinusoidal interleaved positions(%p : tensor<2x8xi64>) outs(%o : tensor<3x8x4xf32>)
  return
}

// -----

// sinusoidal_c5
func.func @sinusoidal_length(%p: tensor<2x8xi64>, %o: tensor<2x9x4xf32>) {
  // expected-error@+1 {{'attn.sinusoidal' op expects length of 'outs' (9) to equal that of 'positions' (8)}}
  %0 = attn.sinusoidal interleaved positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x9x4xf32>)
  return
}

// -----

// sinusoidal_c6
func.func @sinusoidal_base(%p: tensor<2x8xi64>, %o: tensor<2x8x4xf32>) {
  // expected-error@+1 {{'attn.sinusoidal' op expects a positive finite 'base', got 0.000000e+00}}
  %0 = attn.sinusoidal interleaved positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x8x4xf32>) {base = 0.0 : f64}
  return
}

// -----

// sinusoidal_c6
func.func @sinusoidal_infinite_base(%p: tensor<2x8xi64>, %o: tensor<2x8x4xf32>) {
  // expected-error@+1 {{'attn.sinusoidal' op expects a positive finite 'base', got}}
  %0 = attn.sinusoidal interleaved positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x8x4xf32>) {base = 0x7FF0000000000000 : f64}
  return
}

// -----

// sinusoidal_c7
func.func @sinusoidal_scale(%p: tensor<2x8xi64>, %o: tensor<2x8x4xf32>) {
  // expected-error@+1 {{'attn.sinusoidal' op expects a finite 'position_scale', got}}
  %0 = attn.sinusoidal interleaved positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x8x4xf32>) {position_scale = 0x7FF0000000000000 : f64}
  return
}

// -----

// rotary_table_c1
func.func @table_positions(%p: tensor<1x8xf32>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op operand #0 must be}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xf32>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c2
func.func @table_frequency_type(%p: tensor<1x8xi64>, %c: tensor<1x8x4xf32>, %f: tensor<4xi32>) {
  // expected-error@+1 {{'attn.rotary_table' op operand #1 must be}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) frequencies(%f : tensor<4xi32>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c3
func.func @table_outs(%p: tensor<1x8xi64>, %c: tensor<8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op operand #1 must be}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>) outs(%c, %c : tensor<8x4xf32>, tensor<8x4xf32>)
  return
}

// -----

// rotary_table_c4
func.func @table_destinations(%p: tensor<1x8xi64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects 2 destinations, got 1}}
  %0:1 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>) outs(%c : tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c5
func.func @table_neither(%p: tensor<1x8xi64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects either 'frequencies' or 'rule', got none}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c5
func.func @table_both(%p: tensor<1x8xi64>, %f: tensor<4xf64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects either 'frequencies' or 'rule', got both}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) frequencies(%f : tensor<4xf64>)
    rule(#attn.frequencies<default, dim = 8, base = 10000.0>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c6
func.func @table_planes(%p: tensor<3x1x8xi64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects 'positions' of rank 2 without 'sections', got rank 3}}
  %0:2 = attn.rotary_table positions(%p : tensor<3x1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c6
func.func @table_no_planes(%p: tensor<1x8xi64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects 'positions' of rank 3 with 'sections', got rank 2}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>) sections(#attn.sections<chunked, [2, 2]>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c7
func.func @table_no_tokens(%p: tensor<1x8xi64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects 'length' for frequency rule 'dynamic_ntk'}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 16.0>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c7
func.func @table_tokens(%p: tensor<1x8xi64>, %c: tensor<1x8x4xf32>, %l: index) {
  // expected-error@+1 {{'attn.rotary_table' op expects no 'length' where the frequencies do not depend on it}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>) length(%l) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c8
func.func @table_types(%p: tensor<1x8xi64>, %f: tensor<4xf64>, %c: tensor<1x8x4xf32>, %s: tensor<1x8x4xf16>) {
  // expected-error@+1 {{'attn.rotary_table' op expects element type of 'sin' ('f16') to equal that of 'cos' ('f32')}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) frequencies(%f : tensor<4xf64>) outs(%c, %s : tensor<1x8x4xf32>, tensor<1x8x4xf16>)
  return
}

// -----

// rotary_table_c9
func.func @table_batch(%p: tensor<2x8xi64>, %f: tensor<4xf64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects batch of 'cos' (1) to equal that of 'positions' (2)}}
  %0:2 = attn.rotary_table positions(%p : tensor<2x8xi64>) frequencies(%f : tensor<4xf64>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c10
func.func @table_length(%p: tensor<1x9xi64>, %f: tensor<4xf64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects length of 'cos' (8) to equal that of 'positions' (9)}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x9xi64>) frequencies(%f : tensor<4xf64>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c11
func.func @table_sin(%p: tensor<1x8xi64>, %f: tensor<4xf64>, %c: tensor<1x8x4xf32>, %s: tensor<1x8x5xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects number of pairs of 'sin' (5) to equal that of 'cos' (4)}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) frequencies(%f : tensor<4xf64>) outs(%c, %s : tensor<1x8x4xf32>, tensor<1x8x5xf32>)
  return
}

// -----

// rotary_table_c12
func.func @table_magnitude(%p: tensor<1x8xi64>, %f: tensor<4xf64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects a finite 'magnitude', got}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) frequencies(%f : tensor<4xf64>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>) {magnitude = 0x7FF8000000000000 : f64}
  return
}

// -----

// rotary_table_c13
func.func @table_frequencies(%p: tensor<1x8xi64>, %f: tensor<5xf64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects number of pairs of 'cos' (4) to equal that of 'frequencies' (5)}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) frequencies(%f : tensor<5xf64>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c14
func.func @table_rule(%p: tensor<1x8xi64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects 'dim' of 'rule' (10) to be twice the number of pairs of 'cos' (4)}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 10, base = 10000.0>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c15
func.func @table_axes(%p: tensor<3x1x8xi64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects number of axes of 'positions' (3) to equal that of 'sections' (2)}}
  %0:2 = attn.rotary_table positions(%p : tensor<3x1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>) sections(#attn.sections<chunked, [2, 2]>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c16
func.func @table_sections(%p: tensor<2x1x8xi64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects the sum of 'sections' (5) to be the number of pairs (4)}}
  %0:2 = attn.rotary_table positions(%p : tensor<2x1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>) sections(#attn.sections<chunked, [2, 3]>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c17
func.func @table_axial(%p: tensor<2x1x8xi64>, %c: tensor<1x8x4xf32>, %f: tensor<4xf64>) {
  // expected-error@+1 {{'attn.rotary_table' op expects a 'rule' with axial 'sections', which restart its frequencies}}
  %0:2 = attn.rotary_table positions(%p : tensor<2x1x8xi64>) frequencies(%f : tensor<4xf64>) sections(#attn.sections<axial, [2, 2]>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_table_c18
func.func @table_axial_lists(%p: tensor<2x1x8xi64>, %c: tensor<1x8x2xf32>, %n: index) {
  // expected-error@+1 {{'attn.rotary_table' op expects neither 'longrope' nor 'proportional' as 'rule' with axial 'sections', got 'longrope'}}
  %0:2 = attn.rotary_table positions(%p : tensor<2x1x8xi64>) rule(#attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 64.0, short = [1.0, 2.0], long = [2.0, 8.0]>) sections(#attn.sections<axial, [1, 1]>) length(%n) outs(%c, %c : tensor<1x8x2xf32>, tensor<1x8x2xf32>)
  return
}

// -----

// rotary_table_c18
func.func @table_axial_pairs(%p: tensor<2x1x8xi64>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary_table' op expects neither 'longrope' nor 'proportional' as 'rule' with axial 'sections', got 'proportional'}}
  %0:2 = attn.rotary_table positions(%p : tensor<2x1x8xi64>) rule(#attn.frequencies<proportional, dim = 8, base = 10000.0, factor = 1.0, pairs = 2>) sections(#attn.sections<axial, [2, 2]>) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return
}

// -----

// rotary_c1
func.func @rotary_input(%x: tensor<2x8x8xf32>, %c: tensor<1x8x4xf32>, %o: tensor<1x2x8x8xf32>) {
  // expected-error@+1 {{'attn.rotary' op operand #0 must be}}
  %0 = attn.rotary split_half %x, %c, %c : tensor<2x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%o : tensor<1x2x8x8xf32>)
  return
}

// -----

// rotary_c2
func.func @rotary_table_type(%x: tensor<1x2x8x8xf32>, %c: tensor<8x4xf32>, %o: tensor<1x2x8x8xf32>) {
  // expected-error@+1 {{'attn.rotary' op operand #1 must be}}
  %0 = attn.rotary split_half %x, %c, %c : tensor<1x2x8x8xf32>, tensor<8x4xf32>, tensor<8x4xf32> outs(%o : tensor<1x2x8x8xf32>)
  return
}

// -----

// rotary_c3
func.func @rotary_outs(%x: tensor<1x2x8x8xf32>, %c: tensor<1x8x4xf32>, %o: tensor<1x2x8x8xi32>) {
  // expected-error@+1 {{'attn.rotary' op operand #3 must be}}
  %0 = attn.rotary split_half %x, %c, %c : tensor<1x2x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%o : tensor<1x2x8x8xi32>)
  return
}

// -----

// rotary_c4
func.func @rotary_destinations(%x: tensor<1x2x8x8xf32>, %c: tensor<1x8x4xf32>, %o: tensor<1x2x8x8xf32>) {
  // expected-error@+1 {{'attn.rotary' op expects 1 destination, got 2}}
  %0:2 = attn.rotary split_half %x, %c, %c : tensor<1x2x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%o, %o : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>)
  return
}

// -----

// rotary_c5
func.func @rotary_type(%x: tensor<1x2x8x8xf32>, %c: tensor<1x8x4xf32>, %o: tensor<1x2x8x8xf16>) {
  // expected-error@+1 {{'attn.rotary' op expects element type of 'outs' ('f16') to equal that of 'input' ('f32')}}
  %0 = attn.rotary split_half %x, %c, %c : tensor<1x2x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%o : tensor<1x2x8x8xf16>)
  return
}

// -----

// rotary_c6
func.func @rotary_output(%x: tensor<1x2x8x8xf32>, %c: tensor<1x8x4xf32>, %o: tensor<1x2x8x6xf32>) {
  // expected-error@+1 {{'attn.rotary' op expects head dimension of 'outs' (6) to equal that of 'input' (8)}}
  %0 = attn.rotary split_half %x, %c, %c : tensor<1x2x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%o : tensor<1x2x8x6xf32>)
  return
}

// -----

// rotary_c7
func.func @rotary_tables(%x: tensor<1x2x8x8xf32>, %c: tensor<1x8x4xf32>, %s: tensor<1x8x4xf64>) {
  // expected-error@+1 {{'attn.rotary' op expects element type of 'sin' ('f64') to equal that of 'cos' ('f32')}}
  %0 = attn.rotary split_half %x, %c, %s : tensor<1x2x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf64> outs(%x : tensor<1x2x8x8xf32>)
  return
}

// -----

// rotary_c8
func.func @rotary_batch(%x: tensor<3x2x8x8xf32>, %c: tensor<2x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary' op expects batch of 'cos' (2) to equal that of 'input' (3) or 1}}
  %0 = attn.rotary split_half %x, %c, %c : tensor<3x2x8x8xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32> outs(%x : tensor<3x2x8x8xf32>)
  return
}

// -----

// rotary_c9
func.func @rotary_length(%x: tensor<1x2x8x8xf32>, %c: tensor<1x7x4xf32>) {
  // expected-error@+1 {{'attn.rotary' op expects length of 'cos' (7) to equal that of 'input' (8)}}
  %0 = attn.rotary split_half %x, %c, %c : tensor<1x2x8x8xf32>, tensor<1x7x4xf32>, tensor<1x7x4xf32> outs(%x : tensor<1x2x8x8xf32>)
  return
}

// -----

// rotary_c10
func.func @rotary_sin(%x: tensor<1x2x8x8xf32>, %c: tensor<1x8x4xf32>, %s: tensor<1x8x3xf32>) {
  // expected-error@+1 {{'attn.rotary' op expects number of pairs of 'sin' (3) to equal that of 'cos' (4)}}
  %0 = attn.rotary split_half %x, %c, %s : tensor<1x2x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x3xf32> outs(%x : tensor<1x2x8x8xf32>)
  return
}

// -----

// rotary_c11
func.func @rotary_negative(%x: tensor<1x2x8x8xf32>, %c: tensor<1x8x2xf32>) {
  // expected-error@+1 {{'attn.rotary' op expects a non-negative 'first', got -2}}
  %0 = attn.rotary split_half from -2 %x, %c, %c : tensor<1x2x8x8xf32>, tensor<1x8x2xf32>, tensor<1x8x2xf32> outs(%x : tensor<1x2x8x8xf32>)
  return
}

// -----

// rotary_c12
func.func @rotary_odd(%x: tensor<1x2x8x7xf32>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary' op expects 4 rotated pairs from element 0 to be within the head dimension of 'input' (7)}}
  %0 = attn.rotary split_half %x, %c, %c : tensor<1x2x8x7xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%x : tensor<1x2x8x7xf32>)
  return
}

// -----

// rotary_c12
func.func @rotary_huge(%x: tensor<1x2x8x8xf32>, %c: tensor<1x8x4xf32>) {
  // expected-error@+1 {{'attn.rotary' op expects 4 rotated pairs from element 9223372036854775807 to be within the head dimension of 'input' (8)}}
  %0 = attn.rotary split_half from 9223372036854775807 %x, %c, %c : tensor<1x2x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%x : tensor<1x2x8x8xf32>)
  return
}

// -----

// frequencies_c1
// expected-error@+1 {{expects a frequency rule (default, linear, llama3, yarn, ntk, ntk_two_step, ntk_mixed, dynamic_ntk, longrope, proportional), got 'golden'}}
#frequencies = #attn.frequencies<golden, dim = 8, base = 10000.0>

// -----

// frequencies_c2
// expected-error@+1 {{expects a positive even 'dim' of the frequencies, at most 1048576, got 7}}
#frequencies = #attn.frequencies<default, dim = 7, base = 10000.0>

// -----

// frequencies_c2
// expected-error@+1 {{expects a positive even 'dim' of the frequencies, at most 1048576, got 0}}
#frequencies = #attn.frequencies<default, dim = 0, base = 10000.0>

// -----

// frequencies_c2
// expected-error@+1 {{expects a positive even 'dim' of the frequencies, at most 1048576, got 4611686018427387904}}
#frequencies = #attn.frequencies<default, dim = 4611686018427387904, base = 10000.0>

// -----

// frequencies_c3
// expected-error@+1 {{expects no parameter 'factor' for frequency rule 'default', got 2.000000e+00 : f64}}
#frequencies = #attn.frequencies<default, dim = 8, base = 10000.0, factor = 2.0>

// -----

// frequencies_c4
// expected-error@+1 {{expects parameter 'factor' for frequency rule 'linear', got none}}
#frequencies = #attn.frequencies<linear, dim = 8, base = 10000.0>

// -----

// frequencies_c4
// expected-error@+1 {{expects parameter 'long' for frequency rule 'longrope', got none}}
#attribute = #attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 64.0, short = [1.0, 1.0]>

// -----

// frequencies_c5
// expected-error@+1 {{expects parameter 'base' of the frequencies to be positive, got -1.000000e+00}}
#frequencies = #attn.frequencies<default, dim = 8, base = -1.0>

// -----

// frequencies_c5
// expected-error@+1 {{expects parameter 'factor' of the frequencies to be positive and finite, got}}
#frequencies = #attn.frequencies<linear, dim = 8, base = 10000.0, factor = inf>

// -----

// frequencies_c5
// expected-error@+1 {{expects parameter 'truncate' of the frequencies to be 0.0 or 1.0, got 5.000000e-01}}
#frequencies = #attn.frequencies<yarn, dim = 8, base = 10000.0, factor = 16.0, original_length = 4096.0, beta_fast = 32.0, beta_slow = 1.0, truncate = 0.5>

// -----

// frequencies_c5
// expected-error@+1 {{expects parameter 'short' of the frequencies to be positive and finite, got 0.000000e+00}}
#attribute = #attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 64.0, short = [1.0, 0.0], long = [1.0, 1.0]>

// -----

// frequencies_c5
// expected-error@+1 {{expects parameter 'alpha' of the frequencies to be positive and finite, got -8.000000e+00}}
#attribute = #attn.frequencies<ntk, dim = 4, base = 10000.0, alpha = -8.0>

// -----

// frequencies_c6
// expected-error@+1 {{expects parameter 'pairs' of the frequencies to be from 0 to 4, got 5}}
#attribute = #attn.frequencies<proportional, dim = 8, base = 10000.0, factor = 1.0, pairs = 5>

// -----

// frequencies_c6
// expected-error@+1 {{expects parameter 'pairs' of the frequencies to be from 0 to 4, got -1}}
#attribute = #attn.frequencies<proportional, dim = 8, base = 10000.0, factor = 1.0, pairs = -1>

// -----

// frequencies_c7
// expected-error@+1 {{expects parameter 'short' of the frequencies to have 2 numbers, got 3}}
#attribute = #attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 64.0, short = [1.0, 1.0, 1.0], long = [1.0, 1.0]>

// -----

// frequencies_c8
// expected-error@+1 {{expects 'high_freq_factor' (1.000000e+00) to exceed 'low_freq_factor' (4.000000e+00)}}
#frequencies = #attn.frequencies<llama3, dim = 8, base = 500000.0, factor = 8.0, low_freq_factor = 4.0, high_freq_factor = 1.0, original_length = 8192.0>

// -----

// frequencies_c9
// expected-error@+1 {{expects a finite 'base' above 1 for frequency rule 'yarn', got 1.000000e+00}}
#frequencies = #attn.frequencies<yarn, dim = 8, base = 1.0, factor = 16.0, original_length = 4096.0, beta_fast = 32.0, beta_slow = 1.0, truncate = 1.0>

// -----

// frequencies_c10
// expected-error@+1 {{expects each parameter of the frequencies once, got 'base' twice}}
#frequencies = #attn.frequencies<default, dim = 8, base = 10000.0, base = 10000.0>

// -----

// frequencies_c10
// expected-error@+1 {{expects each parameter of the frequencies once, got 'dim' twice}}
#frequencies = #attn.frequencies<default, dim = 8, base = 10000.0, dim = 8>

// -----

// frequencies_c11
// expected-error@+1 {{expects 'beta_fast' (1.000000e+00) to be at least 'beta_slow' (3.200000e+01)}}
#frequencies = #attn.frequencies<yarn, dim = 8, base = 10000.0, factor = 16.0, original_length = 4096.0, beta_fast = 1.0, beta_slow = 32.0, truncate = 1.0>

// -----

// sections_c1
// expected-error@+2 {{expected ::mlir::attn::SectionOrder to be one of: chunked, interleaved, axial}}
// expected-error@+1 {{failed to parse Attn_SectionsAttr parameter 'order'}}
#attribute = #attn.sections<spiral, [1]>

// -----

// sections_c2
// expected-error@+1 {{expects 1 to 16 sections, got 17}}
#attribute = #attn.sections<chunked, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]>

// -----

// sections_c3
// expected-error@+1 {{expects the size of a section to be from 0 to 524288, got -1}}
#attribute = #attn.sections<chunked, [2, -1]>

// -----

// sections_c3
// expected-error@+1 {{expects the size of a section to be from 0 to 524288, got 524289}}
#attribute = #attn.sections<axial, [524289]>

// -----

// sections_c4
// expected-error@+1 {{expects the last pair of section 2 (8) to be less than the sum of all sections (4)}}
#attribute = #attn.sections<interleaved, [0, 1, 3]>

// -----

// rotation_c1
// expected-error@+2 {{expected ::mlir::attn::RotaryLayout to be one of: interleaved, split_half}}
// expected-error@+1 {{failed to parse Attn_RotationAttr parameter 'layout'}}
#attribute = #attn.rotation<twisted>

// -----

// rotation_c2
// expected-error@+1 {{expects a non-negative 'first', got -2}}
#attribute = #attn.rotation<split_half, first = -2>
