// Messages of the ops for caches, merges and the cross entropy.

// RUN: attn-opt %s -verify-diagnostics -split-input-file

// cache_append_c1
func.func @append_integers(%n: tensor<1x2x1x8xi8>, %i: index, %c: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.cache_append' op operand #0 must be}}
  %0 = attn.cache_append new(%n : tensor<1x2x1x8xi8>) start(%i : index) outs(%c : tensor<1x2x4x8xf32>)
  return
}

// -----

// cache_append_c2
func.func @append_start(%n: tensor<1x2x1x8xf32>, %i: i64, %c: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.cache_append' op operand #1 must be}}
  %0 = attn.cache_append new(%n : tensor<1x2x1x8xf32>) start(%i : i64) outs(%c : tensor<1x2x4x8xf32>)
  return
}

// -----

// cache_append_c3
func.func @append_destinations(%n: tensor<1x2x1x8xf32>, %i: index, %c: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.cache_append' op expects 1 destination, got 2}}
  %0:2 = attn.cache_append new(%n : tensor<1x2x1x8xf32>) start(%i : index) outs(%c, %c : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>)
  return
}

// -----

// cache_append_c4
func.func @append_mixed(%n: tensor<1x2x1x8xf32>, %i: index, %c: memref<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.cache_append' op expects all shaped operands to be tensors, or all to be memrefs, got 'tensor<1x2x1x8xf32>' as operand #0}}
  attn.cache_append new(%n : tensor<1x2x1x8xf32>) start(%i : index) outs(%c : memref<1x2x4x8xf32>)
  return
}

// -----

// cache_append_c5
func.func @append_results(%n: tensor<1x2x1x8xf32>, %i: index, %c: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.cache_append' op expects 1 result, got 0}}
  "attn.cache_append"(%n, %i, %c) : (tensor<1x2x1x8xf32>, index, tensor<1x2x4x8xf32>) -> ()
  return
}

// -----

// cache_append_c6
func.func @append_type(%n: tensor<1x2x1x8xf16>, %i: index, %c: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.cache_append' op expects element type of 'new' ('f16') to equal that of 'outs' ('f32')}}
  %0 = attn.cache_append new(%n : tensor<1x2x1x8xf16>) start(%i : index) outs(%c : tensor<1x2x4x8xf32>)
  return
}

// -----

// cache_append_c7
func.func @append_batch(%n: tensor<1x2x1x8xf32>, %i: index, %c: tensor<3x2x4x8xf32>) {
  // expected-error@+1 {{'attn.cache_append' op expects batch of 'new' (1) to equal that of 'outs' (3)}}
  %0 = attn.cache_append new(%n : tensor<1x2x1x8xf32>) start(%i : index) outs(%c : tensor<3x2x4x8xf32>)
  return
}

// -----

// cache_append_c7
func.func @append_heads(%n: tensor<1x4x1x8xf32>, %i: index, %c: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.cache_append' op expects number of heads of 'new' (4) to equal that of 'outs' (2)}}
  %0 = attn.cache_append new(%n : tensor<1x4x1x8xf32>) start(%i : index) outs(%c : tensor<1x2x4x8xf32>)
  return
}

// -----

// cache_append_c7
func.func @append_features(%n: tensor<1x2x1x6xf32>, %i: index, %c: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.cache_append' op expects head dimension of 'new' (6) to equal that of 'outs' (8)}}
  %0 = attn.cache_append new(%n : tensor<1x2x1x6xf32>) start(%i : index) outs(%c : tensor<1x2x4x8xf32>)
  return
}

// -----

// cache_append_c7
func.func @append_starts(%n: tensor<3x2x1x8xf32>, %i: tensor<2xi64>, %c: tensor<3x2x4x8xf32>) {
  // expected-error@+1 {{'attn.cache_append' op expects size of 'start' (2) to equal that of 'outs' (3) or 1}}
  %0 = attn.cache_append new(%n : tensor<3x2x1x8xf32>) start(%i : tensor<2xi64>) outs(%c : tensor<3x2x4x8xf32>)
  return
}

// -----

// cache_append_c8
func.func @append_length(%n: tensor<1x2x5x8xf32>, %i: index, %c: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.cache_append' op expects length of 'new' (5) to be at most that of 'outs' (4)}}
  %0 = attn.cache_append new(%n : tensor<1x2x5x8xf32>) start(%i : index) ring outs(%c : tensor<1x2x4x8xf32>)
  return
}

// -----

// cache_append_c9
func.func @append_negative(%n: tensor<2x2x1x8xf32>, %c: tensor<2x2x4x8xf32>) {
  %i = arith.constant dense<[3, -1]> : tensor<2xi32>
  // expected-error@+1 {{'attn.cache_append' op expects a non-negative 'start', got -1}}
  %0 = attn.cache_append new(%n : tensor<2x2x1x8xf32>) start(%i : tensor<2xi32>) ring outs(%c : tensor<2x2x4x8xf32>)
  return
}

// -----

// cache_append_c10
func.func @append_beyond(%n: tensor<1x2x2x8xf32>, %c: tensor<1x2x4x8xf32>) {
  %i = arith.constant 3 : index
  // expected-error@+1 {{'attn.cache_append' op expects a 'start' of at most 2, for 2 rows in a cache of 4, got 3}}
  %0 = attn.cache_append new(%n : tensor<1x2x2x8xf32>) start(%i : index) outs(%c : tensor<1x2x4x8xf32>)
  return
}

// -----

// merge_c1
func.func @merge_rank(%p: tensor<2x4x8xf32>, %l: tensor<1x2x4xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.merge' op operand #0 must be}}
  %0 = attn.merge partials(%p : tensor<2x4x8xf32>) lses(%l : tensor<1x2x4xf32>) outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

// merge_c2
func.func @merge_nothing(%o: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.merge' op expects at least one partial output, and a log-sum-exp for each, got 0 and 0}}
  %0 = attn.merge partials() lses() outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

// merge_c2
func.func @merge_pairs(%p: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>) {
  // expected-error@+1 {{'attn.merge' op expects at least one partial output, and a log-sum-exp for each, got 2 and 1}}
  %0 = attn.merge partials(%p, %p : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) lses(%l : tensor<1x2x4xf32>) outs(%p : tensor<1x2x4x8xf32>)
  return
}

// -----

// merge_c3
func.func @merge_destinations(%p: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>) {
  // expected-error@+1 {{'attn.merge' op expects 1 or 2 destinations, got 3}}
  %0:3 = attn.merge partials(%p : tensor<1x2x4x8xf32>) lses(%l : tensor<1x2x4xf32>)
    outs(%p, %l, %l : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return
}

// -----

// merge_c4
func.func @merge_mixed(%p: memref<1x2x4x8xf32>, %l: tensor<1x2x4xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.merge' op expects all shaped operands to be tensors, or all to be memrefs, got 'memref<1x2x4x8xf32>' as operand #0}}
  %0 = attn.merge partials(%p : memref<1x2x4x8xf32>) lses(%l : tensor<1x2x4xf32>) outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

// merge_c5
func.func @merge_results(%p: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>) {
  // expected-error@+1 {{'attn.merge' op expects 1 result, got 0}}
  "attn.merge"(%p, %l, %p) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4x8xf32>) -> ()
  return
}

// -----

// merge_c6
func.func @merge_output_rank(%p: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>) {
  // expected-error@+1 {{'attn.merge' op expects 'outs' to have rank 4, got 'tensor<1x2x4xf32>'}}
  %0 = attn.merge partials(%p : tensor<1x2x4x8xf32>) lses(%l : tensor<1x2x4xf32>) outs(%l : tensor<1x2x4xf32>)
  return
}

// -----

// merge_c6
func.func @merge_lse_rank(%p: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>) {
  // expected-error@+1 {{'attn.merge' op expects 'lse' to have rank 3, got 'tensor<1x2x4x8xf32>'}}
  %0:2 = attn.merge partials(%p : tensor<1x2x4x8xf32>) lses(%l : tensor<1x2x4xf32>) outs(%p, %p : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>)
  return
}

// -----

// merge_c7
func.func @merge_types(%p: tensor<1x2x4x8xf32>, %h: tensor<1x2x4x8xf16>, %l: tensor<1x2x4xf32>) {
  // expected-error@+1 {{'attn.merge' op expects element type of 'partial 1' ('f16') to equal that of 'partial 0' ('f32')}}
  %0 = attn.merge partials(%p, %h : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf16>) lses(%l, %l : tensor<1x2x4xf32>, tensor<1x2x4xf32>) outs(%p : tensor<1x2x4x8xf32>)
  return
}

// -----

// merge_c8
func.func @merge_shape(%p: tensor<1x2x4x8xf32>, %h: tensor<1x2x4x6xf32>, %l: tensor<1x2x4xf32>) {
  // expected-error@+1 {{'attn.merge' op expects head dimension of 'partial 1' (6) to equal that of 'outs' (8)}}
  %0 = attn.merge partials(%p, %h : tensor<1x2x4x8xf32>, tensor<1x2x4x6xf32>) lses(%l, %l : tensor<1x2x4xf32>, tensor<1x2x4xf32>) outs(%p : tensor<1x2x4x8xf32>)
  return
}

// -----

// merge_c9
func.func @merge_lse_type(%p: tensor<1x2x4x8xf64>, %l: tensor<1x2x4xf32>) {
  // expected-error@+1 {{'attn.merge' op expects element type of 'lse 0' to be the accumulator type ('f64'), got 'f32'}}
  %0 = attn.merge partials(%p : tensor<1x2x4x8xf64>) lses(%l : tensor<1x2x4xf32>) outs(%p : tensor<1x2x4x8xf64>)
  return
}

// -----

// merge_c9
func.func @merge_lse_out_type(%p: tensor<1x2x4x8xf16>, %l: tensor<1x2x4xf32>, %o: tensor<1x2x4xf16>) {
  // expected-error@+1 {{'attn.merge' op expects element type of 'lse' to be the accumulator type ('f32'), got 'f16'}}
  %0:2 = attn.merge partials(%p : tensor<1x2x4x8xf16>) lses(%l : tensor<1x2x4xf32>) outs(%p, %o : tensor<1x2x4x8xf16>, tensor<1x2x4xf16>)
  return
}

// -----

// merge_c10
func.func @merge_lse_shape(%p: tensor<1x2x4x8xf32>, %l: tensor<1x2x5xf32>) {
  // expected-error@+1 {{'attn.merge' op expects length of 'lse 0' (5) to equal that of 'outs' (4)}}
  %0 = attn.merge partials(%p : tensor<1x2x4x8xf32>) lses(%l : tensor<1x2x5xf32>) outs(%p : tensor<1x2x4x8xf32>)
  return
}

// -----

// merge_c11
func.func @merge_mean(%p: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>) {
  // expected-error@+1 {{'attn.merge' op expects 'empty_row' to be zero or nan, got mean}}
  %0 = attn.merge partials(%p : tensor<1x2x4x8xf32>) lses(%l : tensor<1x2x4xf32>) empty_row=mean outs(%p : tensor<1x2x4x8xf32>)
  return
}

// -----

// cross_entropy_c1
func.func @loss_rank(%x: tensor<2x3x4xf32>, %t: tensor<3xi64>, %o: tensor<f32>) {
  // expected-error@+1 {{'attn.cross_entropy' op operand #0 must be}}
  %0 = attn.cross_entropy logits(%x : tensor<2x3x4xf32>) targets(%t : tensor<3xi64>) outs(%o : tensor<f32>)
  return
}

// -----

// cross_entropy_c2
func.func @loss_targets(%x: tensor<3x4xf32>, %t: tensor<3xf32>, %o: tensor<f32>) {
  // expected-error@+1 {{'attn.cross_entropy' op operand #1 must be}}
  %0 = attn.cross_entropy logits(%x : tensor<3x4xf32>) targets(%t : tensor<3xf32>) outs(%o : tensor<f32>)
  return
}

// -----

// cross_entropy_c3
func.func @loss_destinations(%x: tensor<3x4xf32>, %t: tensor<3xi64>, %o: tensor<f32>) {
  // expected-error@+1 {{'attn.cross_entropy' op expects 1 destination, got 2}}
  %0:2 = attn.cross_entropy logits(%x : tensor<3x4xf32>) targets(%t : tensor<3xi64>) outs(%o, %o : tensor<f32>, tensor<f32>)
  return
}

// -----

// cross_entropy_c4
func.func @loss_mixed(%x: memref<3x4xf32>, %t: tensor<3xi64>, %o: tensor<f32>) {
  // expected-error@+1 {{'attn.cross_entropy' op expects all shaped operands to be tensors, or all to be memrefs, got 'memref<3x4xf32>' as operand #0}}
  %0 = attn.cross_entropy logits(%x : memref<3x4xf32>) targets(%t : tensor<3xi64>) outs(%o : tensor<f32>)
  return
}

// -----

// cross_entropy_c5
func.func @loss_results(%x: tensor<3x4xf32>, %t: tensor<3xi64>, %o: tensor<f32>) {
  // expected-error@+1 {{'attn.cross_entropy' op expects 1 result, got 0}}
  "attn.cross_entropy"(%x, %t, %o) : (tensor<3x4xf32>, tensor<3xi64>, tensor<f32>) -> ()
  return
}

// -----

// cross_entropy_c6
func.func @loss_type(%x: tensor<3x4xf16>, %t: tensor<3xi64>, %o: tensor<f16>) {
  // expected-error@+1 {{'attn.cross_entropy' op expects element type of 'outs' to be the accumulator type ('f32'), got 'f16'}}
  %0 = attn.cross_entropy logits(%x : tensor<3x4xf16>) targets(%t : tensor<3xi64>) outs(%o : tensor<f16>)
  return
}

// -----

// cross_entropy_c7
func.func @loss_sizes(%x: tensor<3x4xf32>, %t: tensor<2xi64>, %o: tensor<f32>) {
  // expected-error@+1 {{'attn.cross_entropy' op expects size of 'targets' (2) to equal that of 'logits' (3)}}
  %0 = attn.cross_entropy logits(%x : tensor<3x4xf32>) targets(%t : tensor<2xi64>) outs(%o : tensor<f32>)
  return
}

// -----

// cross_entropy_c8
func.func @loss_constant(%x: tensor<3x4xf32>, %o: tensor<f32>) {
  %t = arith.constant dense<[0, -100, 4]> : tensor<3xi64>
  // expected-error@+1 {{'attn.cross_entropy' op expects 'targets' within the 4 classes, got 4}}
  %0 = attn.cross_entropy logits(%x : tensor<3x4xf32>) targets(%t : tensor<3xi64>) outs(%o : tensor<f32>)
  return
}
