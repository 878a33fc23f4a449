// RUN: attn-reference-test --split-input-file --verify-diagnostics --max-elements=1000 %s

func.func @unsupported() {
  // expected-error@+1 {{the reference interpreter does not support 'test.unknown'}}
  "test.unknown"() : () -> ()
  return
}

// -----

func.func @type() {
  // expected-error@+1 {{the reference interpreter has no values of type 'vector<2xf32>'}}
  %0 = arith.constant dense<1.0> : vector<2xf32>
  return
}

// -----

func.func @assert() {
  %false = arith.constant false
  // expected-error@+1 {{assertion failed: lengths differ}}
  cf.assert %false, "lengths differ"
  return
}

// -----

func.func @extract() -> f32 {
  %t = arith.constant dense<0.0> : tensor<2x3xf32>
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  // expected-error@+1 {{index [0, 3] is out of bounds of a tensor of shape [2, 3]}}
  %x = tensor.extract %t[%c0, %c3] : tensor<2x3xf32>
  return %x : f32
}

// -----

func.func @division() -> i32 {
  %c0 = arith.constant 0 : i32
  // expected-error@+1 {{integer division by zero}}
  %x = arith.divsi %c0, %c0 : i32
  return %x : i32
}

// -----

func.func @overflow() -> i8 {
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  // expected-error@+1 {{integer division overflows: -128 divided by -1}}
  %x = arith.divsi %a, %b : i8
  return %x : i8
}

// -----

func.func @shift() -> i8 {
  %a = arith.constant 8 : i8
  // expected-error@+1 {{expects the shift amount (8) to be below the bit width (8)}}
  %x = arith.shli %a, %a : i8
  return %x : i8
}

// -----

func.func @negative() -> tensor<?xf32> {
  %n = arith.constant -1 : index
  // expected-error@+1 {{expects the size of dimension 0 to be at least 0, got -1}}
  %x = tensor.empty(%n) : tensor<?xf32>
  return %x : tensor<?xf32>
}

// -----

func.func @huge() -> tensor<?x?xf32> {
  %n = arith.constant 9223372036854775807 : index
  // expected-error@+1 {{a tensor of shape [9223372036854775807, 9223372036854775807] has more elements than the limit of 1000}}
  %x = tensor.empty(%n, %n) : tensor<?x?xf32>
  return %x : tensor<?x?xf32>
}

// -----

func.func @cast(){
  %c2 = arith.constant 2 : index
  %t = tensor.empty(%c2) : tensor<?xf32>
  // expected-error@+1 {{expects result 0 to be of type 'tensor<3xf32>', got shape [2]}}
  %x = tensor.cast %t : tensor<?xf32> to tensor<3xf32>
  return
}

// -----

func.func @slice() {
  %t = arith.constant dense<0.0> : tensor<4xf32>
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{the slice with offset 2, size 3 and stride 1 is out of bounds of dimension 0 of size 4}}
  %x = tensor.extract_slice %t[%c2] [3] [1] : tensor<4xf32> to tensor<3xf32>
  return
}

// -----

func.func @reshape() {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %t = tensor.empty(%c4) : tensor<?xf32>
  // expected-error@+1 {{expects the sizes that dimension 0 expands to, to have the product 4, got 6}}
  %x = tensor.expand_shape %t [[0, 1]] output_shape [%c3, 2] : tensor<?xf32> into tensor<?x2xf32>
  return
}

// -----

func.func @ranges() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = tensor.empty(%c2) : tensor<?xf32>
  %b = tensor.empty(%c3) : tensor<?xf32>
  // expected-error@+1 {{expects dimension 0 of operand 1 (3) to equal the extent of loop 0 (2)}}
  %x = linalg.copy ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @window() {
  %c4 = arith.constant 4 : index
  %x = tensor.empty(%c4) : tensor<?xf32>
  %w = arith.constant dense<0.0> : tensor<3xf32>
  %out = arith.constant dense<0.0> : tensor<3xf32>
  // expected-error@+1 {{accesses dimension 0 of operand 0 at index 4, out of bounds of its size 4}}
  %y = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<3xf32>) outs(%out : tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func private @again() {
  // expected-error@+1 {{calls are nested deeper than 64}}
  func.call @again() : () -> ()
  return
}
func.func @recursion() {
  func.call @again() : () -> ()
  return
}

// -----

func.func @step() {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{expects a positive step, got 0}}
  scf.for %i = %c0 to %c0 step %c0 {
  }
  return
}

// -----

func.func @resource() {
  // expected-error@+1 {{the resource 'absent' has no data}}
  %0 = arith.constant dense_resource<absent> : tensor<2xf32>
  return
}

// -----

func.func @truncated() {
  // expected-error@+1 {{expects the resource 'short' to hold 8 bytes, got 4}}
  %0 = arith.constant dense_resource<short> : tensor<2xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F"
    }
  }
#-}

// -----

// expected-error@+1 {{the reference interpreter expects one block in 'blocks', got 2}}
func.func @blocks() {
  cf.br ^bb1
^bb1:
  return
}

// -----

// expected-error@+1 {{expects result 0 to have elements, got '!attn.mask'}}
func.func @symbolic() -> !attn.mask {
  %mask = attn.mask.causal
  return %mask : !attn.mask
}

// -----

func.func @offset(){
  %o = arith.constant dense<0> : tensor<2xi64>
  %c3 = arith.constant 3 : index
  %out = tensor.empty(%c3) : tensor<?x1x1x1xi1>
  // expected-error@+1 {{batch 2 is out of bounds of 'offset' of size 2}}
  %m = attn.mask.causal offset(%o : tensor<2xi64>)
  %0 = attn.materialize %m : !attn.mask outs(%out : tensor<?x1x1x1xi1>)
  return
}

// -----

func.func @values() {
  %v = arith.constant dense<true> : tensor<1x1x2x2xi1>
  %c3 = arith.constant 3 : index
  %out = tensor.empty(%c3) : tensor<1x1x2x?xi1>
  // expected-error@+1 {{the pair [0, 0, 0, 2] is out of bounds of 'values' of shape [1, 1, 2, 2]}}
  %m = attn.mask.tensor keep %v : tensor<1x1x2x2xi1>
  %0 = attn.materialize %m : !attn.mask outs(%out : tensor<1x1x2x?xi1>)
  return
}

// -----

func.func @heads() {
  %c3 = arith.constant 3 : index
  %out = tensor.empty(%c3) : tensor<1x?x1x1xf32>
  // expected-error@+1 {{head 2 is out of bounds of 2 heads}}
  %m = attn.bias.alibi linear heads 2
  %0 = attn.materialize %m : !attn.bias outs(%out : tensor<1x?x1x1xf32>)
  return
}

// -----

// The verifier does not see through the sums.
func.func @position() {
  %c1 = arith.constant 1 : index
  %table = tensor.empty() : tensor<4x1xf32>
  %out = tensor.empty() : tensor<1x2x1xf32>
  %o = tensor.empty() : tensor<1x2xi64>
  %c2 = arith.addi %c1, %c1 : index
  %c3 = arith.addi %c2, %c1 : index
  %p = attn.positions offset(%c3 : index) outs(%o : tensor<1x2xi64>)
  // expected-error@+1 {{position 4 is outside of the table of 4 rows}}
  %0 = attn.learned_position table(%table : tensor<4x1xf32>)
    positions(%p : tensor<1x2xi64>) outs(%out : tensor<1x2x1xf32>)
  return
}

// -----

func.func @shapes() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %q = tensor.empty(%c2) : tensor<1x1x2x?xf32>
  %k = tensor.empty(%c3) : tensor<1x1x2x?xf32>
  %v = tensor.empty() : tensor<1x1x2x4xf32>
  %out = tensor.empty() : tensor<1x1x2x4xf32>
  // expected-error@+1 {{expects head dimension of 'query' (2) to equal that of 'key' (3)}}
  %0 = attn.attention query(%q : tensor<1x1x2x?xf32>) key(%k : tensor<1x1x2x?xf32>)
    value(%v : tensor<1x1x2x4xf32>) outs(%out : tensor<1x1x2x4xf32>)
  return
}

// -----

func.func @groups() {
  %c2 = arith.constant 2 : index
  %q = tensor.empty() : tensor<1x3x2x4xf32>
  %k = tensor.empty(%c2) : tensor<1x?x2x4xf32>
  %out = tensor.empty() : tensor<1x3x2x4xf32>
  // expected-error@+1 {{expects number of heads of 'query' (3) to be a multiple of that of 'key' (2)}}
  %0 = attn.attention query(%q : tensor<1x3x2x4xf32>) key(%k : tensor<1x?x2x4xf32>)
    value(%k : tensor<1x?x2x4xf32>) outs(%out : tensor<1x3x2x4xf32>)
  return
}

// -----

func.func @tables() {
  %c3 = arith.constant 3 : index
  %x = tensor.empty() : tensor<1x1x2x4xf32>
  %t = tensor.empty(%c3) : tensor<1x2x?xf32>
  // expected-error@+1 {{expects 6 rotated elements from 0 on to fit the head dimension 4}}
  %0 = attn.rotary split_half %x, %t, %t : tensor<1x1x2x4xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>
    outs(%x : tensor<1x1x2x4xf32>)
  return
}

// -----

// An error inside of a region of a mask reaches the attention.
func.func @region() {
  %ids = arith.constant dense<0> : tensor<1xi64>
  %q = arith.constant dense<0.0> : tensor<1x1x2x1xf32>
  %m = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    // expected-error@+1 {{index [1] is out of bounds of a tensor of shape [1]}}
    %p = tensor.extract %ids[%j] : tensor<1xi64>
    %keep = arith.trunci %p : i64 to i1
    attn.yield %keep : i1
  }
  %0 = attn.attention query(%q : tensor<1x1x2x1xf32>) key(%q : tensor<1x1x2x1xf32>)
    value(%q : tensor<1x1x2x1xf32>) mask(%m) outs(%q : tensor<1x1x2x1xf32>)
  return
}

// -----

// A mask grows in a loop, which no input file bounds: every step doubles it.
func.func @nesting() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 100000 : index
  %first = attn.mask.causal
  %m = scf.for %i = %c0 to %end step %c1 iter_args(%n = %first) -> (!attn.mask) {
    // expected-error@+1 {{a mask or bias is made of more than 1000 others}}
    %next = attn.mask.and %n, %n
    scf.yield %next : !attn.mask
  }
  return
}
