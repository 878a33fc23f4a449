// Messages of attention's newer parts, of its region and of its plan.

// RUN: attn-opt %s -verify-diagnostics -split-input-file

// attention_c4
func.func @results(%q: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects 1 result, got 0}}
  "attn.attention"(%q, %q, %q, %q) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1>}> ({}) : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) -> ()
  return
}

// -----

// attention_c19
func.func @bias_memref(%q: tensor<1x2x4x8xf32>, %m: memref<1x1x1x4xf32>) {
  // expected-note@+1 {{which is this op's}}
  %0 = attn.bias.tensor %m : memref<1x1x1x4xf32>
  // expected-error@+1 {{'attn.attention' op expects data of 'bias' to be in a tensor, got 'memref<1x1x1x4xf32>'}}
  %2 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) bias(%0) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

// attention_c22
func.func @score_writes(%q: tensor<1x2x4x8xf32>, %m: memref<4xf32>) {
  // expected-error@+1 {{'attn.attention' op expects the score region to be free of side effects but reads, got 'memref.store'}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    // expected-note@+1 {{which is here}}
    memref.store %s, %m[%i] : memref<4xf32>
    attn.yield %s : f32
  }
  return
}

// -----

// attention_c23
func.func @sinks_rank(%q: tensor<1x2x4x8xf32>, %s: tensor<1x2xf32>) {
  // expected-error@+1 {{operand #3 must be}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) sinks(%s : tensor<1x2xf32>) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

// One sink for all heads is no broadcast.

// attention_c24
func.func @sinks_heads(%q: tensor<1x2x4x8xf32>, %s: tensor<1xf32>) {
  // expected-error@+1 {{'attn.attention' op expects number of heads of 'sinks' (1) to equal that of 'query' (2)}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) sinks(%s : tensor<1xf32>) outs(%q : tensor<1x2x4x8xf32>)
  return
}

// -----

// attention_c25
func.func @prob_type(%q: tensor<1x2x4x8xf16>) {
  // expected-error@+1 {{'attn.attention' op expects 'prob_type' not to be wider than the accumulators ('f32'), got 'f64'}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf16>) key(%q : tensor<1x2x4x8xf16>) value(%q : tensor<1x2x4x8xf16>) outs(%q : tensor<1x2x4x8xf16>) {prob_type = f64}
  return
}

// -----

// attention_c25
func.func @softmax_type(%q: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{'attn.attention' op expects 'softmax_type' not to be wider than the accumulators ('f32'), got 'f64'}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>) {softmax_type = f64}
  return
}

// -----

// attention_c25
func.func @integer_type(%q: tensor<1x2x4x8xf32>) {
  // expected-error@+1 {{attribute 'prob_type' failed to satisfy constraint}}
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>) {prob_type = i8}
  return
}

// -----

// yield_c1
func.func @yield_type() {
  %0 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    // expected-error@+1 {{'attn.yield' op operand #0 must be 1-bit signless integer or floating-point}}
    attn.yield %i : index
  }
  return
}

// -----

// yield_c2
func.func @yield_parent(%x: f32) {
  // expected-error@+1 {{'attn.yield' op expects parent op to be one of 'attn.mask.generate, attn.bias.generate, attn.attention'}}
  attn.yield %x : f32
}

// -----

// plan_c1
// expected-error@+1 {{expects positive sizes in the plan, got query_block 16, key_block -1, rows 6}}
#plan = #attn.plan<query_block = 16, key_block = -1, rows = 6>

// -----

// plan_c2
// expected-error@+1 {{expects at most 1024 accumulators in the plan, got query_block 1024 times rows 8}}
#plan = #attn.plan<query_block = 1024, key_block = 128, rows = 8>

// -----

// plan_c2
// expected-error@+1 {{expects at most 1024 accumulators in the plan, got query_block 9223372036854775807 times rows 9223372036854775807}}
#plan = #attn.plan<query_block = 9223372036854775807, key_block = 1, rows = 9223372036854775807>

// -----

// plan_c3
// expected-error@+1 {{expects 'key_block' of the plan to be at most 65536, got 9223372036854775807}}
#plan = #attn.plan<query_block = 64, key_block = 9223372036854775807, rows = 8>
