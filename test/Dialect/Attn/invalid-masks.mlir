// Messages of the mask and bias ops, and of regions.

// RUN: attn-opt %s -verify-diagnostics -split-input-file

// mask_window_c1
func.func @negative_side() {
  // expected-error@+1 {{attribute 'left' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = attn.mask.window left -1
  return
}

// -----

// mask_window_c1
func.func @huge_side() {
  // expected-error@+1 {{attribute 'right' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative whose maximum value is 1152921504606846976}}
  %0 = attn.mask.window right 9223372036854775807
  return
}

// -----

// mask_causal_c1
func.func @offset_rank(%o: tensor<2x2xi64>) {
  // expected-error@+1 {{operand #0 must be an index, or a tensor of one integer per batch, but got 'tensor<2x2xi64>'}}
  %0 = attn.mask.causal offset(%o : tensor<2x2xi64>)
  return
}

// -----

// mask_window_c2
func.func @offset_type(%o: tensor<2xf32>) {
  // expected-error@+1 {{operand #0 must be an index, or a tensor of one integer per batch, but got 'tensor<2xf32>'}}
  %0 = attn.mask.window left 1 offset(%o : tensor<2xf32>)
  return
}

// -----

// mask_padding_c2
func.func @left_padding(%l: tensor<2xi64>) {
  // expected-error@+1 {{'attn.mask.padding' op expects 'keys' for left padding}}
  %0 = attn.mask.padding left lengths(%l : tensor<2xi64>)
  return
}

// -----

// mask_padding_c3
func.func @right_padding(%l: tensor<2xi64>, %n: index) {
  // expected-error@+1 {{'attn.mask.padding' op expects no 'keys' for right padding}}
  %0 = attn.mask.padding right lengths(%l : tensor<2xi64>) keys(%n)
  return
}

// -----

// mask_tensor_c1
func.func @mask_rank(%v: tensor<4x4xi1>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.mask.tensor keep %v : tensor<4x4xi1>
  return
}

// -----

// mask_tensor_c1
func.func @mask_element(%v: tensor<1x1x4x4xi8>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.mask.tensor keep %v : tensor<1x1x4x4xi8>
  return
}

// -----

// mask_tensor_c1
func.func @unranked(%v: tensor<*xi1>) {
  // expected-error@+1 {{operand #0 must be}}
  %0 = attn.mask.tensor block %v : tensor<*xi1>
  return
}

// -----

// mask_generate_c2
func.func @mask_arguments() {
  // expected-error@+1 {{'attn.mask.generate' op expects 4 region arguments of type 'index', for batch, head, query and key, got ('index', 'index')}}
  %0 = attn.mask.generate {
  ^bb0(%b: index, %h: index):
    %true = arith.constant true
    attn.yield %true : i1
  }
  return
}

// -----

// mask_generate_c2
func.func @mask_argument_types() {
  // expected-error@+1 {{'attn.mask.generate' op expects 4 region arguments of type 'index', for batch, head, query and key, got ('index', 'index', 'i32', 'index')}}
  %0 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: i32, %j: index):
    %true = arith.constant true
    attn.yield %true : i1
  }
  return
}

// -----

// mask_generate_c3
func.func @mask_yield() {
  // expected-error@+1 {{'attn.mask.generate' op expects the region to yield 'i1', got 'f32'}}
  %0 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %one = arith.constant 1.0 : f32
    attn.yield %one : f32
  }
  return
}

// -----

// mask_generate_c1
func.func @mask_empty_region() {
  // expected-error@+1 {{'attn.mask.generate' op expects a non-empty block}}
  %0 = attn.mask.generate {
  }
  return
}

// -----

// mask_generate_c1
func.func @mask_no_block() {
  // expected-error@+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = "attn.mask.generate"() ({}) : () -> !attn.mask
  return
}

// -----

// bias_generate_c1
func.func @bias_empty_block() {
  // expected-error@+1 {{'attn.bias.generate' op expects a non-empty block}}
  %0 = "attn.bias.generate"() ({
  ^bb0(%b: index, %h: index, %i: index, %j: index):
  }) : () -> !attn.bias
  return
}

// -----

// mask_generate_c3
func.func @mask_no_terminator() {
  %0 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    // expected-error@+1 {{block with no terminator}}
    %true = arith.constant true
  }
  return
}

// -----

// mask_generate_c3
func.func @mask_other_terminator() {
  // expected-error@+1 {{'attn.mask.generate' op expects the region to yield 'i1', got 'ub.unreachable'}}
  %0 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    ub.unreachable
  }
  return
}

// -----

// bias_generate_c2
func.func @bias_arguments() {
  // expected-error@+1 {{'attn.bias.generate' op expects 4 region arguments of type 'index', for batch, head, query and key, got ('index')}}
  %0 = attn.bias.generate {
  ^bb0(%b: index):
    %one = arith.constant 1.0 : f32
    attn.yield %one : f32
  }
  return
}

// -----

// bias_generate_c3
func.func @bias_yield() {
  // expected-error@+1 {{'attn.bias.generate' op expects the region to yield a float, got 'i1'}}
  %0 = attn.bias.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %true = arith.constant true
    attn.yield %true : i1
  }
  return
}

// -----

// yield_c2
func.func @yield_type(%i: index) {
  %0 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %q: index, %j: index):
    // expected-error@+1 {{operand #0 must be 1-bit signless integer or floating-point, but got 'index'}}
    attn.yield %i : index
  }
  return
}

// -----

// yield_c1
func.func @yield_parent(%x: f32) {
  // expected-error@+1 {{'attn.yield' op expects parent op to be one of 'attn.mask.generate, attn.bias.generate, attn.attention'}}
  attn.yield %x : f32
}

// -----

// bias_alibi_c5
func.func @alibi_neither() {
  // expected-error@+1 {{'attn.bias.alibi' op expects either 'heads' or 'slopes', got none}}
  %0 = attn.bias.alibi linear
  return
}

// -----

// bias_alibi_c5
func.func @alibi_both(%s: tensor<8xf32>) {
  // expected-error@+1 {{'attn.bias.alibi' op expects either 'heads' or 'slopes', got both}}
  %0 = attn.bias.alibi linear heads 8 slopes(%s : tensor<8xf32>)
  return
}

// -----

// bias_alibi_c3
func.func @alibi_no_heads() {
  // expected-error@+1 {{attribute 'heads' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %0 = attn.bias.alibi linear heads 0
  return
}

// -----

// bias_alibi_c3
func.func @alibi_huge_heads() {
  // expected-error@+1 {{whose maximum value is 1048576}}
  %0 = attn.bias.alibi linear heads 4611686018427387904
  return
}

// -----

// bias_alibi_c7
func.func @alibi_first_head() {
  // expected-error@+1 {{'attn.bias.alibi' op expects 'first_head' (8) below 'heads' (8)}}
  %0 = attn.bias.alibi linear heads 8 first_head 8
  return
}

// -----

// bias_alibi_c6
func.func @alibi_first_head_of_slopes(%s: tensor<8xf32>) {
  // expected-error@+1 {{'attn.bias.alibi' op expects no 'first_head' with 'slopes', got 2}}
  %0 = attn.bias.alibi linear first_head 2 slopes(%s : tensor<8xf32>)
  return
}

// -----

// expected-error@+1 {{expects positive sizes in the plan, got query_block 0, key_block 64, rows 6}}
#plan = #attn.plan<query_block = 0, key_block = 64, rows = 6>

// -----

// mask_generate_c4
func.func @mask_effect(%m: memref<1xi1>) {
  // expected-error@+1 {{'attn.mask.generate' op expects the region to be free of side effects but reads, got 'memref.store'}}
  %0 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %zero = arith.constant 0 : index
    %true = arith.constant true
    // expected-note@+1 {{which is here}}
    memref.store %true, %m[%zero] : memref<1xi1>
    attn.yield %true : i1
  }
  return
}

// -----

func.func private @unknown(index) -> f32

// bias_generate_c4
func.func @bias_call() {
  // expected-error@+1 {{'attn.bias.generate' op expects the region to be free of side effects but reads, got 'func.call'}}
  %0 = attn.bias.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    // expected-note@+1 {{which is here}}
    %value = func.call @unknown(%j) : (index) -> f32
    attn.yield %value : f32
  }
  return
}
