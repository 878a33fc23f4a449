// A violation of each constraint of masks, biases and attn.materialize that
// invalid-masks.mlir and invalid.mlir do not have.

// RUN: attn-opt %s -verify-diagnostics -split-input-file

// mask_causal_c1
func.func @causal_element(%o: tensor<2xf32>) {
  // expected-error@+1 {{operand #0 must be an index, or a tensor of one integer per batch, but got 'tensor<2xf32>'}}
  %0 = attn.mask.causal offset(%o : tensor<2xf32>)
  return
}

// -----

// mask_chunk_c1
func.func @chunk_size_zero() {
  // expected-error@+1 {{'attn.mask.chunk' op attribute 'size' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive whose maximum value is 1152921504606846976}}
  %0 = attn.mask.chunk size 0
  return
}

// -----

// mask_chunk_c1
func.func @chunk_size_huge() {
  // expected-error@+1 {{attribute 'size' failed to satisfy constraint}}
  %0 = attn.mask.chunk size 1152921504606846977
  return
}

// -----

// mask_chunk_c2
func.func @chunk_offset(%o: tensor<2x1xi64>) {
  // expected-error@+1 {{operand #0 must be an index, or a tensor of one integer per batch, but got 'tensor<2x1xi64>'}}
  %0 = attn.mask.chunk size 4 offset(%o : tensor<2x1xi64>)
  return
}

// -----

// mask_chunk_c3
func.func @chunk_start(%o: i64) {
  // expected-error@+1 {{operand #0 must be an index, or a tensor of one integer per batch, but got 'i64'}}
  %0 = attn.mask.chunk size 4 start(%o : i64)
  return
}

// -----

// mask_padding_c1
func.func @padding_rank(%l: tensor<2x1xi64>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.mask.padding right lengths(%l : tensor<2x1xi64>)
  return
}

// -----

// mask_padding_c4
func.func @padding_keys(%l: tensor<2xi64>, %n: i64) {
  // expected-error@+1 {{operand #1 must be index, but got 'i64'}}
  %0 = "attn.mask.padding"(%l, %n) <{side = #attn<side left>}> : (tensor<2xi64>, i64) -> !attn.mask
  return
}

// -----

// mask_document_c1
func.func @document_rank(%q: tensor<8xi64>, %k: tensor<1x8xi64>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.mask.document query(%q : tensor<8xi64>) key(%k : tensor<1x8xi64>)
  return
}

// -----

// mask_document_c1
func.func @document_float(%q: tensor<1x8xf32>, %k: tensor<1x8xi64>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.mask.document query(%q : tensor<1x8xf32>) key(%k : tensor<1x8xi64>)
  return
}

// -----

// mask_document_c2
func.func @document_keys(%q: tensor<1x8xi64>, %k: tensor<1x8xi8>) {
  // expected-error@+1 {{operand #1 must be}}
  %0 = attn.mask.document query(%q : tensor<1x8xi64>) key(%k : tensor<1x8xi8>)
  return
}

// -----

// mask_prefix_c1
func.func @prefix_length(%l: i64) {
  // expected-error@+1 {{operand #0 must be an index, or a tensor of one integer per batch, but got 'i64'}}
  %0 = attn.mask.prefix length(%l : i64)
  return
}

// -----

// mask_and_c1
func.func @and_bias(%m: !attn.mask, %b: !attn.bias) {
  // expected-error@+1 {{operand #1 must be a predicate over (batch, head, query, key), but got '!attn.bias'}}
  %0 = "attn.mask.and"(%m, %b) : (!attn.mask, !attn.bias) -> !attn.mask
  return
}

// -----

// mask_or_c1
func.func @or_bool(%m: !attn.mask, %b: i1) {
  // expected-error@+1 {{operand #1 must be a predicate over (batch, head, query, key), but got 'i1'}}
  %0 = "attn.mask.or"(%m, %b) : (!attn.mask, i1) -> !attn.mask
  return
}

// -----

// mask_not_c1
func.func @not_tensor(%b: tensor<1x1x4x4xi1>) {
  // expected-error@+1 {{operand #0 must be a predicate over (batch, head, query, key), but got 'tensor<1x1x4x4xi1>'}}
  %0 = "attn.mask.not"(%b) : (tensor<1x1x4x4xi1>) -> !attn.mask
  return
}

// -----

// mask_slice_c1
func.func @mask_slice_source(%b: !attn.bias, %i: index) {
  // expected-error@+1 {{operand #0 must be a predicate over (batch, head, query, key), but got '!attn.bias'}}
  %0 = "attn.mask.slice"(%b, %i, %i, %i, %i) : (!attn.bias, index, index, index, index) -> !attn.mask
  return
}

// -----

// mask_slice_c2
func.func @mask_slice_offset(%m: !attn.mask, %i: index, %w: i64) {
  // expected-error@+1 {{operand #4 must be index, but got 'i64'}}
  %0 = "attn.mask.slice"(%m, %i, %i, %i, %w) : (!attn.mask, index, index, index, i64) -> !attn.mask
  return
}

// -----

// bias_alibi_c1
func.func @alibi_slopes_rank(%s: tensor<1x8x1xf32>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.bias.alibi linear slopes(%s : tensor<1x8x1xf32>)
  return
}

// -----

// bias_alibi_c2
func.func @alibi_offset(%o: tensor<f32>) {
  // expected-error@+1 {{operand #0 must be an index, or a tensor of one integer per batch, but got 'tensor<f32>'}}
  %0 = attn.bias.alibi linear heads 8 offset(%o : tensor<f32>)
  return
}

// -----

// bias_alibi_c4
func.func @alibi_negative_head() {
  // expected-error@+1 {{attribute 'first_head' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = attn.bias.alibi linear heads 8 first_head -1
  return
}

// -----

// bias_alibi_c6
func.func @alibi_series_of_slopes(%s: tensor<8xf32>) {
  // expected-error@+1 {{'attn.bias.alibi' op expects no 'series' with 'slopes', got 'plain'}}
  %0 = attn.bias.alibi linear series = plain slopes(%s : tensor<8xf32>)
  return
}

// -----

// bias_relative_c1
func.func @relative_table(%t: tensor<32xf32>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.bias.relative t5 num_buckets 32 max_distance 128 table(%t : tensor<32xf32>)
  return
}

// -----

// bias_relative_c2
func.func @relative_offset(%t: tensor<8x32xf32>, %o: i32) {
  // expected-error@+1 {{operand #1 must be an index, or a tensor of one integer per batch, but got 'i32'}}
  %0 = attn.bias.relative t5 num_buckets 32 max_distance 128 table(%t : tensor<8x32xf32>) offset(%o : i32)
  return
}

// -----

// bias_relative_c3
func.func @relative_one_bucket(%t: tensor<8x1xf32>) {
  // expected-error@+1 {{attribute 'num_buckets' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 2 whose maximum value is 256}}
  %0 = attn.bias.relative t5 num_buckets 1 max_distance 128 table(%t : tensor<8x1xf32>)
  return
}

// -----

// bias_relative_c3
func.func @relative_many_buckets(%t: tensor<8x257xf32>) {
  // expected-error@+1 {{attribute 'num_buckets' failed to satisfy constraint}}
  %0 = attn.bias.relative t5 num_buckets 257 max_distance 512 table(%t : tensor<8x257xf32>)
  return
}

// -----

// bias_relative_c4
func.func @relative_max_distance(%t: tensor<8x32xf32>) {
  // expected-error@+1 {{attribute 'max_distance' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive whose maximum value is 1048576}}
  %0 = attn.bias.relative t5 num_buckets 32 max_distance 1048577 table(%t : tensor<8x32xf32>)
  return
}

// -----

// bias_relative_c5
func.func @relative_first_distance(%t: tensor<8x32xf32>) {
  // expected-error@+1 {{attribute 'first_distance' failed to satisfy constraint}}
  %0 = attn.bias.relative toeplitz first_distance -9223372036854775808 table(%t : tensor<8x32xf32>)
  return
}

// -----

// bias_relative_c6
func.func @relative_size_count(%t: tensor<8x32xf32>) {
  // expected-error@+1 {{attribute 'size' failed to satisfy constraint: i64 dense array attribute with exactly 2 elements whose value is positive}}
  %0 = attn.bias.relative window size [7] table(%t : tensor<8x32xf32>)
  return
}

// -----

// bias_relative_c6
func.func @relative_size_zero(%t: tensor<8x32xf32>) {
  // expected-error@+1 {{attribute 'size' failed to satisfy constraint}}
  %0 = attn.bias.relative window size [7, 0] table(%t : tensor<8x32xf32>)
  return
}

// -----

// bias_relative_c7
func.func @relative_no_buckets(%t: tensor<8x32xf32>) {
  // expected-error@+1 {{'attn.bias.relative' op expects 'num_buckets' for form 't5'}}
  %0 = attn.bias.relative t5 max_distance 128 table(%t : tensor<8x32xf32>)
  return
}

// -----

// bias_relative_c7
func.func @relative_no_size(%t: tensor<8x32xf32>) {
  // expected-error@+1 {{'attn.bias.relative' op expects 'size' for form 'window'}}
  %0 = attn.bias.relative window table(%t : tensor<8x32xf32>)
  return
}

// -----

// bias_relative_c7
func.func @relative_foreign(%t: tensor<8x32xf32>) {
  // expected-error@+1 {{'attn.bias.relative' op expects no 'bidirectional' for form 'toeplitz'}}
  %0 = attn.bias.relative toeplitz bidirectional first_distance 0 table(%t : tensor<8x32xf32>)
  return
}

// -----

// bias_relative_c8
func.func @relative_odd_buckets(%t: tensor<8x31xf32>) {
  // expected-error@+1 {{'attn.bias.relative' op expects an even 'num_buckets' of at least 4 for both directions, got 31}}
  %0 = attn.bias.relative t5 num_buckets 31 max_distance 128 bidirectional table(%t : tensor<8x31xf32>)
  return
}

// -----

// bias_relative_c8
func.func @relative_two_buckets(%t: tensor<8x2xf32>) {
  // expected-error@+1 {{'attn.bias.relative' op expects an even 'num_buckets' of at least 4 for both directions, got 2}}
  %0 = attn.bias.relative t5 num_buckets 2 max_distance 128 bidirectional table(%t : tensor<8x2xf32>)
  return
}

// -----

// bias_relative_c9
func.func @relative_short_distance(%t: tensor<8x32xf32>) {
  // expected-error@+1 {{'attn.bias.relative' op expects 'max_distance' (16) to exceed the 16 distances that have buckets of their own}}
  %0 = attn.bias.relative t5 num_buckets 32 max_distance 16 table(%t : tensor<8x32xf32>)
  return
}

// -----

// bias_relative_c10
func.func @relative_huge_size(%t: tensor<8x?xf32>) {
  // expected-error@+1 {{'attn.bias.relative' op expects sides of 'size' of at most 1048576, got 1048577}}
  %0 = attn.bias.relative window size [1, 1048577] table(%t : tensor<8x?xf32>)
  return
}

// -----

// bias_relative_c11
func.func @relative_columns(%t: tensor<8x16xf32>) {
  // expected-error@+1 {{'attn.bias.relative' op expects dimension 1 of 'table' (16) to be 32}}
  %0 = attn.bias.relative t5 num_buckets 32 max_distance 128 table(%t : tensor<8x16xf32>)
  return
}

// -----

// bias_relative_c11
func.func @relative_window_columns(%t: tensor<8x170xf32>) {
  // expected-error@+1 {{'attn.bias.relative' op expects dimension 1 of 'table' (170) to be 169}}
  %0 = attn.bias.relative window size [7, 7] table(%t : tensor<8x170xf32>)
  return
}

// -----

// bias_relative_c11
func.func @relative_empty(%t: tensor<8x0xf32>) {
  // expected-error@+1 {{'attn.bias.relative' op expects dimension 1 of 'table' (0) to be at least 1}}
  %0 = attn.bias.relative toeplitz first_distance 0 table(%t : tensor<8x0xf32>)
  return
}

// -----

// bias_tensor_c1
func.func @bias_tensor_rank(%t: tensor<8x4x4xf32>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.bias.tensor %t : tensor<8x4x4xf32>
  return
}

// -----

// bias_tensor_c1
func.func @bias_tensor_integer(%t: tensor<1x8x4x4xi32>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.bias.tensor %t : tensor<1x8x4x4xi32>
  return
}

// -----

// bias_add_c1
func.func @add_mask(%m: !attn.mask, %b: !attn.bias) {
  // expected-error@+1 {{operand #1 must be a score term over (batch, head, query, key), but got '!attn.mask'}}
  %0 = "attn.bias.add"(%b, %m) : (!attn.bias, !attn.mask) -> !attn.bias
  return
}

// -----

// bias_slice_c1
func.func @bias_slice_source(%m: !attn.mask, %i: index) {
  // expected-error@+1 {{operand #0 must be a score term over (batch, head, query, key), but got '!attn.mask'}}
  %0 = "attn.bias.slice"(%m, %i, %i, %i, %i) : (!attn.mask, index, index, index, index) -> !attn.bias
  return
}

// -----

// bias_slice_c2
func.func @bias_slice_offset(%b: !attn.bias, %i: index, %w: i64) {
  // expected-error@+1 {{operand #1 must be index, but got 'i64'}}
  %0 = "attn.bias.slice"(%b, %w, %i, %i, %i) : (!attn.bias, i64, index, index, index) -> !attn.bias
  return
}

// -----

// materialize_c1
func.func @materialize_rank(%m: !attn.mask, %o: tensor<4x4xi1>) {
  // expected-error@+1 {{operand #1 must be variadic of}}
  %0 = attn.materialize %m : !attn.mask outs(%o : tensor<4x4xi1>)
  return
}

// -----

// materialize_c1
func.func @materialize_source(%m: i1, %o: tensor<1x1x4x4xi1>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.materialize %m : i1 outs(%o : tensor<1x1x4x4xi1>)
  return
}

// -----

// materialize_c2
func.func @materialize_destinations(%m: !attn.mask, %o: tensor<1x1x4x4xi1>) {
  // expected-error@+1 {{'attn.materialize' op expects 1 destination, got 2}}
  %0:2 = attn.materialize %m : !attn.mask outs(%o, %o : tensor<1x1x4x4xi1>, tensor<1x1x4x4xi1>)
  return
}

// -----

// materialize_c4
func.func @materialize_memref(%v: memref<1x1x1x4xi1>, %o: tensor<1x1x4x4xi1>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.mask.tensor keep %v : memref<1x1x1x4xi1>
  // expected-error@+1 {{'attn.materialize' op expects data of 'source' to be in a tensor, got 'memref<1x1x1x4xi1>'}}
  %1 = attn.materialize %0 : !attn.mask outs(%o : tensor<1x1x4x4xi1>)
  return
}

// -----

// materialize_c5
func.func @materialize_query_ids(%q: tensor<2x3xi64>, %k: tensor<1x3xi32>, %o: tensor<2x1x4x3xi1>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.mask.document query(%q : tensor<2x3xi64>) key(%k : tensor<1x3xi32>)
  // expected-error@+1 {{'attn.materialize' op expects number of queries of the data of 'source' (3) to be 1 or at least 4}}
  %1 = attn.materialize %0 : !attn.mask outs(%o : tensor<2x1x4x3xi1>)
  return
}

// -----

// materialize_c5
func.func @materialize_key_ids(%q: tensor<2x4xi64>, %k: tensor<1x3xi32>, %o: tensor<2x1x4x5xi1>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.mask.document query(%q : tensor<2x4xi64>) key(%k : tensor<1x3xi32>)
  // expected-error@+1 {{'attn.materialize' op expects number of keys of the data of 'source' (3) to be 1 or at least 5}}
  %1 = attn.materialize %0 : !attn.mask outs(%o : tensor<2x1x4x5xi1>)
  return
}

// -----

// materialize_c5
func.func @materialize_id_batches(%q: tensor<2x4xi64>, %k: tensor<2x5xi32>, %o: tensor<3x1x4x5xi1>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.mask.document query(%q : tensor<2x4xi64>) key(%k : tensor<2x5xi32>)
  // expected-error@+1 {{'attn.materialize' op expects batch of the data of 'source' (2) to be 1 or at least 3}}
  %1 = attn.materialize %0 : !attn.mask outs(%o : tensor<3x1x4x5xi1>)
  return
}

// -----

// materialize_c5
func.func @materialize_starts(%s: tensor<2xi64>, %o: tensor<3x1x4x5xi1>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.mask.chunk size 4 start(%s : tensor<2xi64>)
  // expected-error@+1 {{'attn.materialize' op expects batch of the data of 'source' (2) to be 1 or at least 3}}
  %1 = attn.materialize %0 : !attn.mask outs(%o : tensor<3x1x4x5xi1>)
  return
}

// -----

// materialize_c5
func.func @materialize_prefixes(%s: tensor<2xi64>, %o: tensor<3x1x4x5xi1>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.mask.prefix length(%s : tensor<2xi64>)
  // expected-error@+1 {{'attn.materialize' op expects batch of the data of 'source' (2) to be 1 or at least 3}}
  %1 = attn.materialize %0 : !attn.mask outs(%o : tensor<3x1x4x5xi1>)
  return
}

// -----

// materialize_c5
func.func @materialize_table_heads(%t: tensor<2x32xf32>, %o: tensor<3x4x4x5xf32>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.bias.relative t5 num_buckets 32 max_distance 128 table(%t : tensor<2x32xf32>)
  // expected-error@+1 {{'attn.materialize' op expects number of heads of the data of 'source' (2) to be 1 or at least 4}}
  %1 = attn.materialize %0 : !attn.bias outs(%o : tensor<3x4x4x5xf32>)
  return
}

// -----

// materialize_c6
func.func @materialize_heads(%o: tensor<1x4x4x5xf32>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.bias.alibi linear heads 6 first_head 4
  // expected-error@+1 {{'attn.materialize' op expects 'heads' of 'source' (6) to be at least 'first_head' plus the number of heads (8)}}
  %1 = attn.materialize %0 : !attn.bias outs(%o : tensor<1x4x4x5xf32>)
  return
}
