// Messages of the destination-style ops.

// RUN: attn-opt %s -verify-diagnostics -split-input-file

// attention_c2
func.func @no_destination(%q: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects 1 or 2 destinations, got 0}}
  "attn.attention"(%q, %q, %q) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>}> ({}) : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) -> ()
  return
}

// -----

// attention_c2
func.func @three_destinations(%q: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects 1 or 2 destinations, got 3}}
  %0:3 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
    outs(%q, %q, %q : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @two_destinations(%p: tensor<1x4xi64>) {
  // expected-error@+1 {{'attn.positions' op expects 1 destination, got 2}}
  %0:2 = attn.positions outs(%p, %p : tensor<1x4xi64>, tensor<1x4xi64>)
  return
}

// -----

// attention_c3
func.func @mixed(%q: tensor<1x2x4x8xf32>, %m: memref<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects all shaped operands to be tensors, or all to be memrefs, got 'memref<1x2x4x8xf32>' as operand #1}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%m : memref<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

func.func @missing_result(%p: tensor<1x4xi64>) {
  // expected-error@+1 {{'attn.positions' op expects 1 result, got 0}}
  "attn.positions"(%p) <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}> : (tensor<1x4xi64>) -> ()
  return
}

// -----

func.func @result_type(%p: tensor<1x4xi64>) {
  // expected-error@+1 {{'attn.positions' op expects the type of a result ('tensor<1x5xi64>') to be that of its destination ('tensor<1x4xi64>')}}
  %0 = "attn.positions"(%p) <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}> : (tensor<1x4xi64>) -> tensor<1x5xi64>
  return
}

// -----

// attention_c1
func.func @unranked(%q: tensor<*xf32>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.attention query(%q : tensor<*xf32>) key(%q : tensor<*xf32>) value(%q : tensor<*xf32>) outs(%q : tensor<*xf32>)
  return
}

// -----

// attention_c5
func.func @output_rank(%q: tensor<1x2x4x8xf32>, %o: tensor<1x2x4xf32>) {
  // expected-error@+1 {{'attn.attention' op expects 'outs' to have rank 4, got 'tensor<1x2x4xf32>'}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4xf32>)
  return
}

// -----

// attention_c6
func.func @key_type(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf16>) {
  // expected-error@+1 {{'attn.attention' op expects element type of 'key' ('f16') to equal that of 'query' ('f32')}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%k : tensor<1x2x4x8xf16>) value(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

// attention_c6
func.func @value_type(%q: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf16>) {
  // expected-error@+1 {{'attn.attention' op expects element type of 'value' ('f16') to equal that of 'query' ('f32')}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x8xf16>) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

// attention_c6
func.func @output_type(%q: tensor<1x2x4x8xf32>, %o: tensor<1x2x4x8xf16>) {
  // expected-error@+1 {{'attn.attention' op expects element type of 'outs' ('f16') to equal that of 'query' ('f32')}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf16>)
  return
}

// -----

// There is no implicit broadcast of batches.

// attention_c7
func.func @key_batch(%q: tensor<3x2x4x8xf32>, %k: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects batch of 'key' (1) to equal that of 'query' (3)}}
  %0 = attn.attention query(%q : tensor<3x2x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%k : tensor<1x2x4x8xf32>) outs(%q : tensor<3x2x4x8xf32>)
  return
}

// -----

// attention_c7
func.func @value_batch(%q: tensor<3x2x4x8xf32>, %v: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects batch of 'value' (1) to equal that of 'query' (3)}}
  %0 = attn.attention query(%q : tensor<3x2x4x8xf32>) key(%q : tensor<3x2x4x8xf32>) value(%v : tensor<1x2x4x8xf32>) outs(%q : tensor<3x2x4x8xf32>)
  return
}

// -----

// attention_c7
func.func @output_batch(%q: tensor<3x2x4x8xf32>, %o: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects batch of 'outs' (1) to equal that of 'query' (3)}}
  %0 = attn.attention query(%q : tensor<3x2x4x8xf32>) key(%q : tensor<3x2x4x8xf32>) value(%q : tensor<3x2x4x8xf32>) outs(%o : tensor<1x2x4x8xf32>)
  return
}

// -----

// attention_c8
func.func @head_dimension(%q: tensor<1x2x4x96xf32>, %k: tensor<1x2x4x64xf32>) {
  // expected-error@+1 {{'attn.attention' op expects head dimension of 'query' (96) to equal that of 'key' (64)}}
  %0 = attn.attention query(%q : tensor<1x2x4x96xf32>) key(%k : tensor<1x2x4x64xf32>) value(%k : tensor<1x2x4x64xf32>) outs(%k : tensor<1x2x4x64xf32>)
  return
}

// -----

// attention_c8
func.func @value_heads(%q: tensor<1x2x4x8xf32>, %v: tensor<1x1x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects number of heads of 'value' (1) to equal that of 'key' (2)}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%v : tensor<1x1x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

// attention_c8
func.func @value_length(%q: tensor<1x2x4x8xf32>, %v: tensor<1x2x5x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects length of 'value' (5) to equal that of 'key' (4)}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x5x8xf32>) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

// attention_c9
func.func @output_heads(%q: tensor<1x2x4x8xf32>, %o: tensor<1x3x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects number of heads of 'outs' (3) to equal that of 'query' (2)}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%o : tensor<1x3x4x8xf32>)
  return
}

// -----

// attention_c9
func.func @output_length(%q: tensor<1x2x4x8xf32>, %o: tensor<1x2x5x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects length of 'outs' (5) to equal that of 'query' (4)}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%o : tensor<1x2x5x8xf32>)
  return
}

// -----

// attention_c9
func.func @output_head_dimension(%q: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x6xf32>) {
  // expected-error@+1 {{'attn.attention' op expects head dimension of 'outs' (8) to equal that of 'value' (6)}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%v : tensor<1x2x4x6xf32>) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

// attention_c10
func.func @groups(%q: tensor<1x7x4x8xf32>, %k: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects number of heads of 'query' (7) to be a multiple of that of 'key' (2)}}
  %0 = attn.attention query(%q : tensor<1x7x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%k : tensor<1x2x4x8xf32>) outs(%q : tensor<1x7x4x8xf32>)
  return
}

// -----

// attention_c10
func.func @no_key_heads(%q: tensor<1x7x4x8xf32>, %k: tensor<1x0x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects number of heads of 'query' (7) to be a multiple of that of 'key' (0)}}
  %0 = attn.attention query(%q : tensor<1x7x4x8xf32>) key(%k : tensor<1x0x4x8xf32>) value(%k : tensor<1x0x4x8xf32>) outs(%q : tensor<1x7x4x8xf32>)
  return
}

// -----

// attention_c11
func.func @lse_rank(%q: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects 'lse' to have rank 3, got 'tensor<1x2x4x8xf32>'}}
  %0:2 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q, %q : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>)
  return
}

// -----

// attention_c12
func.func @lse_type(%q: tensor<1x2x4x8xf16>, %lse: tensor<1x2x4xf16>) {
  // expected-error@+1 {{'attn.attention' op expects element type of 'lse' to be the accumulator type ('f32'), got 'f16'}}
  %0:2 = attn.attention query(%q : tensor<1x2x4x8xf16>) key(%q : tensor<1x2x4x8xf16>) value(%q : tensor<1x2x4x8xf16>) outs(%q, %lse : tensor<1x2x4x8xf16>, tensor<1x2x4xf16>)
  return
}

// -----

// attention_c13
func.func @lse_length(%q: tensor<1x2x4x8xf32>, %lse: tensor<1x2x5xf32>) {
  // expected-error@+1 {{'attn.attention' op expects length of 'lse' (5) to equal that of 'query' (4)}}
  %0:2 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q, %lse : tensor<1x2x4x8xf32>, tensor<1x2x5xf32>)
  return
}

// -----

// attention_c14
func.func @scale(%q: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects a finite 'scale', got}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>) {scale = 0x7FF0000000000000 : f64}
  return
}

// -----

// attention_c15
func.func @softcap(%q: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects a positive finite 'softcap', got 0.000000e+00}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>) {softcap = 0.0 : f64}
  return
}

// -----

// attention_c16
func.func @rotation_attribute(%q: tensor<1x2x4x8xf32>, %c: tensor<1x4x4xf32>) {
  // expected-error@+1 {{'attn.attention' op expects 'query_rotation', 'query_cos' and 'query_sin' together, got only 'query_cos' and 'query_sin'}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
    rotate_query(%c, %c : tensor<1x4x4xf32>, tensor<1x4x4xf32>) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

// attention_c16
func.func @rotation_tables(%q: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects 'key_rotation', 'key_cos' and 'key_sin' together, got only 'key_rotation'}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
    outs(%q : tensor<1x2x4x8xf32>) {key_rotation = #attn.rotation<split_half>}
  return
}

// -----

// attention_c17
func.func @rotation_first(%q: tensor<1x2x4x8xf32>, %c: tensor<1x4x4xf32>) {
  // expected-error@+1 {{'attn.attention' op expects 4 rotated pairs from element 2 to be within the head dimension of 'query' (8)}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
    rotate_query(%c, %c : tensor<1x4x4xf32>, tensor<1x4x4xf32>) outs(%q : tensor<1x2x4x8xf32>) {query_rotation = #attn.rotation<split_half, first = 2>}
  return
}

// -----

// attention_c20
func.func @score_arguments(%q: tensor<1x2x4x8xf16>) {
  // expected-error@+1 {{'attn.attention' op expects 5 arguments of the score region: the score ('f32'), then batch, head, query and key (index), got ('f16', 'index', 'index', 'index', 'index')}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf16>) key(%q : tensor<1x2x4x8xf16>) value(%q : tensor<1x2x4x8xf16>) outs(%q : tensor<1x2x4x8xf16>) score {
  ^bb0(%s: f16, %b: index, %h: index, %i: index, %j: index):
    attn.yield %s : f16
  }
  return
}

// -----

// attention_c21
func.func @score_yield(%q: tensor<1x2x4x8xf32>, %x: f64) {
  // expected-error@+1 {{'attn.attention' op expects the score region to yield 'f32', got 'f64'}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    attn.yield %x : f64
  }
  return
}

// -----

// attention_c21
func.func @score_terminator(%q: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects the score region to yield 'f32', got 'ub.unreachable'}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    ub.unreachable
  }
  return
}

// -----

func.func @score_empty_block(%q: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{empty block: expect at least a terminator}}
  %0 = "attn.attention"(%q, %q, %q, %q) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1>}> ({
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
  }) : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  return
}

// -----

// Types of masks and biases have no sizes: what uses them checks their data,
// which would be read out of bounds.

// attention_c18
func.func @mask_queries(%q: tensor<1x2x4x8xf32>, %m: tensor<1x1x3x4xi1>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.mask.tensor keep %m : tensor<1x1x3x4xi1>
  %1 = attn.mask.causal
  %2 = attn.mask.and %1, %0
  // expected-error@+1 {{'attn.attention' op expects number of queries of the data of 'mask' (3) to be 1 or at least 4}}
  %3 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) mask(%2) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

// attention_c18
func.func @mask_lengths(%q: tensor<3x2x4x8xf32>, %l: tensor<2xi64>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.mask.padding right lengths(%l : tensor<2xi64>)
  // expected-error@+1 {{'attn.attention' op expects batch of the data of 'mask' (2) to be 1 or at least 3}}
  %1 = attn.attention query(%q : tensor<3x2x4x8xf32>) key(%q : tensor<3x2x4x8xf32>) value(%q : tensor<3x2x4x8xf32>) mask(%0) outs(%q : tensor<3x2x4x8xf32>)
  return
}

// -----

// attention_c18
func.func @bias_slopes(%q: tensor<1x4x4x8xf32>, %s: tensor<3xf32>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.bias.alibi linear slopes(%s : tensor<3xf32>)
  // expected-error@+1 {{'attn.attention' op expects number of heads of the data of 'bias' (3) to be 1 or at least 4}}
  %1 = attn.attention query(%q : tensor<1x4x4x8xf32>) key(%q : tensor<1x4x4x8xf32>) value(%q : tensor<1x4x4x8xf32>) bias(%0) outs(%q : tensor<1x4x4x8xf32>)
  return
}

// -----

// attention_c26
func.func @bias_heads(%q: tensor<1x4x4x8xf32>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.bias.alibi linear heads 8 first_head 6
  // expected-error@+1 {{'attn.attention' op expects 'heads' of 'bias' (8) to be at least 'first_head' plus the number of heads (10)}}
  %1 = attn.attention query(%q : tensor<1x4x4x8xf32>) key(%q : tensor<1x4x4x8xf32>) value(%q : tensor<1x4x4x8xf32>) bias(%0) outs(%q : tensor<1x4x4x8xf32>)
  return
}

// -----

// attention_c19
func.func @mask_memref(%q: tensor<1x2x4x8xf32>, %m: memref<1x1x1x4xi1>, %i: index) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.mask.tensor keep %m : memref<1x1x1x4xi1>
  %1 = attn.mask.slice %0[%i, %i, %i, %i]
  // expected-error@+1 {{'attn.attention' op expects data of 'mask' to be in a tensor, got 'memref<1x1x1x4xi1>'}}
  %2 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) mask(%1) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

// materialize_c3
func.func @materialize_mask(%m: !attn.mask, %out: tensor<1x1x4x4xf32>) {
  // expected-error@+1 {{'attn.materialize' op expects element type of 'outs' to be i1 for a mask, got 'f32'}}
  %0 = attn.materialize %m : !attn.mask outs(%out : tensor<1x1x4x4xf32>)
  return
}

// -----

// materialize_c3
func.func @materialize_bias(%b: !attn.bias, %out: tensor<1x1x4x4xi1>) {
  // expected-error@+1 {{'attn.materialize' op expects element type of 'outs' to be a float for a bias, got 'i1'}}
  %0 = attn.materialize %b : !attn.bias outs(%out : tensor<1x1x4x4xi1>)
  return
}

// -----

// materialize_c5
func.func @materialize_keys(%m: tensor<1x1x1x3xi1>, %out: tensor<1x1x4x4xi1>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.mask.tensor keep %m : tensor<1x1x1x3xi1>
  // expected-error@+1 {{'attn.materialize' op expects number of keys of the data of 'source' (3) to be 1 or at least 4}}
  %1 = attn.materialize %0 : !attn.mask outs(%out : tensor<1x1x4x4xi1>)
  return
}
