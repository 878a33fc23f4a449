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
  // expected-error@+1 {{index [2] is out of bounds of 'offset' of shape [2]}}
  %m = attn.mask.causal offset(%o : tensor<2xi64>)
  %0 = attn.materialize %m : !attn.mask outs(%out : tensor<?x1x1x1xi1>)
  return
}

// -----

func.func @values() {
  %v = arith.constant dense<true> : tensor<1x1x2x2xi1>
  %c3 = arith.constant 3 : index
  %out = tensor.empty(%c3) : tensor<1x1x2x?xi1>
  // expected-error@+1 {{index [0, 0, 0, 2] is out of bounds of 'values' of shape [1, 1, 2, 2]}}
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
  // expected-error@+1 {{expects 'positions' within the 4 rows of 'table', got 4}}
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

// -----

// Nothing yields the result.
func.func private @never() -> tensor<2xf32> {
  // expected-error@+1 {{the reference interpreter does not support 'ub.unreachable'}}
  ub.unreachable
}
func.func @unreachable() -> tensor<2xf32> {
  %0 = func.call @never() : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @unreachable() {
  %0 = scf.execute_region -> tensor<2xf32> {
    // expected-error@+1 {{the reference interpreter does not support 'ub.unreachable'}}
    ub.unreachable
  }
  %1 = arith.addf %0, %0 : tensor<2xf32>
  return
}

// -----

func.func @poison() -> i32 {
  // expected-error@+1 {{the reference interpreter does not support 'ub.poison'}}
  %0 = ub.poison : i32
  return %0 : i32
}

// -----

// A splat needs no memory in the file, but does here.
func.func @splat() {
  // expected-error@+1 {{a tensor of shape [1000000, 1000000, 1000000, 1000000] has more elements than the limit of 1000}}
  %0 = arith.constant dense<0.0> : tensor<1000000x1000000x1000000x1000000xf32>
  return
}

// -----

// A size of zero does not excuse the others.
func.func @sizes(){
  %n = arith.constant 9223372036854775807 : index
  // expected-error@+1 {{a tensor of shape [0, 9223372036854775807] has more elements than the limit of 1000}}
  %x = tensor.empty(%n) : tensor<0x?xf32>
  return
}

// -----

func.func @wide() {
  // expected-error@+1 {{the reference interpreter has no values of type 'f128'}}
  %0 = arith.constant 1.0 : f128
  return
}

// -----

func.func @wide() {
  // expected-error@+1 {{the reference interpreter has no values of type 'tensor<1xf80>'}}
  %0 = arith.constant dense_resource<absent> : tensor<1xf80>
  return
}

// -----

// expected-error@+1 {{the reference interpreter has no values of type 'memref<2xf32>'}}
func.func @memref(%m: memref<2xf32>) attributes {test.arguments = [1.0]} {
  return
}

// -----

// expected-error@+1 {{expects 1 arguments, got 0}}
func.func @count(%x: f32) attributes {test.arguments = []} {
  return
}

// -----

// expected-error@+1 {{expects argument 0 to have elements, got '!attn.mask'}}
func.func @mask(%m: !attn.mask) attributes {test.arguments = [1.0]} {
  return
}

// -----

// expected-error@+1 {{expects argument 1 to be of type 'i64', got a value of another kind}}
func.func @kind(%x: i64, %y: i64) attributes {test.arguments = [1, 1.0]} {
  return
}

// -----

// expected-error@+1 {{expects argument 0 to be of type 'tensor<2xf32>', got a scalar}}
func.func @scalar(%x: tensor<2xf32>) attributes {test.arguments = [1.0]} {
  return
}

// -----

// expected-error@+1 {{expects argument 0 to be of type 'tensor<2xf32>', got elements of type 'i32'}}
func.func @elements(%x: tensor<2xf32>)
    attributes {test.arguments = [dense<1> : tensor<2xi32>]} {
  return
}

// -----

// expected-error@+1 {{expects argument 0 to be of type 'tensor<?x2xf32>', got shape [3]}}
func.func @shape(%x: tensor<?x2xf32>)
    attributes {test.arguments = [dense<1.0> : tensor<3xf32>]} {
  return
}

// -----

// expected-error@+1 {{a tensor of shape [0, 2000] has more elements than the limit of 1000}}
func.func @limit(%x: tensor<?x?xf32>)
    attributes {test.arguments = [dense<1.0> : tensor<0x2000xf32>]} {
  return
}

// -----

// expected-error@+1 {{the reference interpreter needs the body of 'external'}}
func.func private @external()
func.func @caller() {
  func.call @external() : () -> ()
  return
}

// -----

func.func @region() {
  // expected-error@+1 {{the reference interpreter expects one block in the region, got 2}}
  scf.execute_region {
    cf.br ^bb1
  ^bb1:
    scf.yield
  }
  return
}

// -----

func.func @forall() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{expects a positive step, got 0}}
  scf.forall (%i) = (%c0) to (%c4) step (%c0) {
  }
  return
}

// -----

func.func @elementwise() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = tensor.empty(%c2) : tensor<?xf32>
  %b = tensor.empty(%c3) : tensor<?xf32>
  // expected-error@+1 {{expects operands of one shape, got [2] and [3]}}
  %0 = arith.addf %a, %b : tensor<?xf32>
  return
}

// -----

func.func @select() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %p = tensor.empty(%c2) : tensor<?xi1>
  %a = tensor.empty(%c3) : tensor<?xf32>
  // expected-error@+1 {{expects operands of one shape, got [2], [3] and [3]}}
  %0 = arith.select %p, %a, %a : tensor<?xi1>, tensor<?xf32>
  return
}

// -----

func.func @remainder() {
  %a = arith.constant -128 : i8
  %b = arith.constant -1 : i8
  // expected-error@+1 {{integer division overflows: -128 divided by -1}}
  %0 = arith.remsi %a, %b : i8
  return
}

// -----

func.func @power() {
  %a = arith.constant 0 : i8
  %b = arith.constant -1 : i8
  // expected-error@+1 {{zero to a negative power}}
  %0 = math.ipowi %a, %b : i8
  return
}

// -----

func.func @divisor() {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{expects a positive divisor in the affine map, got 0}}
  %0 = affine.apply affine_map<()[s0] -> (4 floordiv s0)>()[%c0]
  return
}

// -----

func.func @basis() {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{expects a positive basis, got 0}}
  %0:2 = affine.delinearize_index %c0 into (%c0) : index, index
  return
}

// -----

func.func @sparse() {
  // expected-error@+1 {{the reference interpreter has no value for the constant sparse<0, 1.000000e+00>}}
  %0 = arith.constant sparse<0, 1.0> : tensor<2xf32>
  return
}

// -----

func.func @rank() {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %n = arith.addi %c2, %c1 : index
  %t = tensor.empty() : tensor<2x2xf32>
  // expected-error@+1 {{dimension 3 is out of bounds of a tensor of rank 2}}
  %0 = tensor.dim %t, %n : tensor<2x2xf32>
  return
}

// -----

func.func @insert() {
  %x = arith.constant 1.0 : f32
  %c2 = arith.constant 2 : index
  %t = tensor.empty(%c2) : tensor<?xf32>
  // expected-error@+1 {{index [2] is out of bounds of a tensor of shape [2]}}
  %0 = tensor.insert %x into %t[%c2] : tensor<?xf32>
  return
}

// -----

func.func @padding() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant -1 : index
  %t = tensor.empty() : tensor<2xf32>
  // expected-error@+1 {{expects padding of at least 0, got -1 and 0}}
  %0 = tensor.pad %t low[%n] high[0] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<2xf32> to tensor<?xf32>
  return
}

// -----

func.func @padding() {
  %x = arith.constant 1.0 : f32
  %n = arith.constant 9223372036854775807 : index
  %t = tensor.empty() : tensor<2xf32>
  // expected-error@+1 {{a tensor of shape [9223372036854775807, 9223372036854775807] has more elements than the limit of 1000}}
  %0 = tensor.pad %t low[%n] high[%n] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<2xf32> to tensor<?xf32>
  return
}

// -----

func.func @concat() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = tensor.empty(%c2) : tensor<2x?xf32>
  %b = tensor.empty(%c3) : tensor<2x?xf32>
  // expected-error@+1 {{expects dimension 1 of input 1 (3) to equal that of input 0 (2)}}
  %0 = tensor.concat dim(0) %a, %b : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @reshape() {
  %t = tensor.empty() : tensor<4xf32>
  %shape = arith.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error@+1 {{cannot reshape [4] to [2, 3]}}
  %0 = tensor.reshape %t(%shape) : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @reshape() {
  %t = tensor.empty() : tensor<4xf32>
  %shape = arith.constant dense<[-2, -2]> : tensor<2xi64>
  // expected-error@+1 {{expects the size of dimension 0 to be at least 0, got -2}}
  %0 = tensor.reshape %t(%shape) : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @source() {
  %c3 = arith.constant 3 : index
  %a = tensor.empty(%c3) : tensor<?xf32>
  %b = tensor.empty() : tensor<4xf32>
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{expects a source of shape [2], got [3]}}
  %0 = tensor.insert_slice %a into %b[0] [%c2] [1] : tensor<?xf32> into tensor<4xf32>
  return
}

// -----

func.func @gather() {
  %t = tensor.empty() : tensor<2x3xf32>
  %i = arith.constant dense<[[0], [2]]> : tensor<2x1xindex>
  // expected-error@+1 {{coordinate 2 is out of bounds of dimension 0 of size 2}}
  %0 = tensor.gather %t[%i] gather_dims([0]) : (tensor<2x3xf32>, tensor<2x1xindex>) -> tensor<2x3xf32>
  return
}

// -----

func.func @scatter() {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %t = tensor.empty(%c3) : tensor<2x?xf32>
  %s = tensor.empty(%c4) : tensor<2x1x?xf32>
  %i = arith.constant dense<[[0], [1]]> : tensor<2x1xindex>
  // expected-error@+1 {{expects a source of shape [2, 1, 3], got [2, 1, 4]}}
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0]) unique
    : (tensor<2x1x?xf32>, tensor<2x?xf32>, tensor<2x1xindex>) -> tensor<2x?xf32>
  return
}

// -----

func.func @softmax() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = tensor.empty(%c2) : tensor<?xf32>
  %b = tensor.empty(%c3) : tensor<?xf32>
  // expected-error@+1 {{expects an output of shape [2], got [3]}}
  %0 = linalg.softmax dimension(0) ins(%a : tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

#halves = affine_map<(d0) -> (d0 floordiv 2)>
#same = affine_map<(d0) -> (d0)>
func.func @halves() {
  %c1 = arith.constant 1 : index
  %a = tensor.empty(%c1) : tensor<?xf32>
  %b = tensor.empty() : tensor<4xf32>
  // expected-error@+1 {{accesses operand 0 at [1], out of bounds of its shape [1]}}
  %0 = linalg.generic {indexing_maps = [#halves, #same], iterator_types = ["parallel"]}
    ins(%a : tensor<?xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<4xf32>
  return
}

// -----

// The reach of the loop is zero where it wraps: 4 * 2^62.
#far = affine_map<(d0) -> (d0 * 4611686018427387904)>
#same = affine_map<(d0) -> (d0)>
func.func @far() {
  %a = tensor.empty() : tensor<1xf32>
  %n = arith.constant 5 : index
  %b = tensor.empty(%n) : tensor<?xf32>
  // expected-error@+1 {{accesses operand 0 at [4611686018427387904], out of bounds of its shape [1]}}
  %0 = linalg.generic {indexing_maps = [#far, #same], iterator_types = ["parallel"]}
    ins(%a : tensor<1xf32>) outs(%b : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return
}

// -----

func.func @destination() {
  %c3 = arith.constant 3 : index
  %table = tensor.empty() : tensor<4x2xf32>
  %p = arith.constant dense<0> : tensor<1x2xi64>
  %out = tensor.empty(%c3) : tensor<1x?x2xf32>
  // expected-error@+1 {{expects a destination of shape [1, 2, 2], got [1, 3, 2]}}
  %0 = attn.learned_position table(%table : tensor<4x2xf32>)
    positions(%p : tensor<1x2xi64>) outs(%out : tensor<1x?x2xf32>)
  return
}

// -----

func.func @lse() {
  %c3 = arith.constant 3 : index
  %q = tensor.empty() : tensor<1x1x2x4xf32>
  %lse = tensor.empty(%c3) : tensor<1x1x?xf32>
  // expected-error@+1 {{expects a destination of shape [1, 1, 2] for the log-sum-exp, got [1, 1, 3]}}
  %0:2 = attn.attention query(%q : tensor<1x1x2x4xf32>) key(%q : tensor<1x1x2x4xf32>)
    value(%q : tensor<1x1x2x4xf32>) outs(%q, %lse : tensor<1x1x2x4xf32>, tensor<1x1x?xf32>)
  return
}

// -----

func.func @batches() {
  %c3 = arith.constant 3 : index
  %q = tensor.empty() : tensor<2x1x2x4xf32>
  %k = tensor.empty(%c3) : tensor<?x1x2x4xf32>
  // expected-error@+1 {{expects batch of 'key' (3) to equal that of 'query' (2)}}
  %0 = attn.attention query(%q : tensor<2x1x2x4xf32>) key(%k : tensor<?x1x2x4xf32>)
    value(%k : tensor<?x1x2x4xf32>) outs(%q : tensor<2x1x2x4xf32>)
  return
}

// -----

func.func @lengths() {
  %c3 = arith.constant 3 : index
  %q = tensor.empty() : tensor<1x1x2x4xf32>
  %v = tensor.empty(%c3) : tensor<1x1x?x4xf32>
  // expected-error@+1 {{expects length of 'value' (3) to equal that of 'key' (2)}}
  %0 = attn.attention query(%q : tensor<1x1x2x4xf32>) key(%q : tensor<1x1x2x4xf32>)
    value(%v : tensor<1x1x?x4xf32>) outs(%q : tensor<1x1x2x4xf32>)
  return
}

// -----

func.func @slopes() {
  %c3 = arith.constant 3 : index
  %slopes = arith.constant dense<1.0> : tensor<2xf32>
  %out = tensor.empty(%c3) : tensor<1x?x1x1xf32>
  // expected-error@+1 {{index [2] is out of bounds of 'slopes' of shape [2]}}
  %m = attn.bias.alibi linear slopes(%slopes : tensor<2xf32>)
  %0 = attn.materialize %m : !attn.bias outs(%out : tensor<1x?x1x1xf32>)
  return
}

// -----

func.func @rotary() {
  %c3 = arith.constant 3 : index
  %x = tensor.empty() : tensor<1x1x2x4xf32>
  %t = tensor.empty() : tensor<1x2x2xf32>
  %out = tensor.empty(%c3) : tensor<1x1x?x4xf32>
  // expected-error@+1 {{expects a destination of shape [1, 1, 2, 4], got [1, 1, 3, 4]}}
  %0 = attn.rotary split_half %x, %t, %t : tensor<1x1x2x4xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>
    outs(%out : tensor<1x1x?x4xf32>)
  return
}

// -----

func.func @rotary() {
  %c1 = arith.constant 1 : index
  %x = tensor.empty() : tensor<1x1x2x4xf32>
  %t = tensor.empty() : tensor<1x2x2xf32>
  %s = tensor.empty(%c1) : tensor<1x2x?xf32>
  // expected-error@+1 {{expects tables of one shape, got [1, 2, 2] and [1, 2, 1]}}
  %0 = attn.rotary split_half %x, %t, %s : tensor<1x1x2x4xf32>, tensor<1x2x2xf32>, tensor<1x2x?xf32>
    outs(%x : tensor<1x1x2x4xf32>)
  return
}

// -----

func.func @rotary() {
  %c3 = arith.constant 3 : index
  %x = tensor.empty() : tensor<2x1x2x4xf32>
  %t = tensor.empty(%c3) : tensor<1x?x2xf32>
  // expected-error@+1 {{expects tables of shape [2 or 1, 2, R/2], got [1, 3, 2]}}
  %0 = attn.rotary split_half %x, %t, %t : tensor<2x1x2x4xf32>, tensor<1x?x2xf32>, tensor<1x?x2xf32>
    outs(%x : tensor<2x1x2x4xf32>)
  return
}

// -----

func.func @table() {
  %c3 = arith.constant 3 : index
  %p = arith.constant dense<0> : tensor<1x2xi64>
  %out = tensor.empty(%c3) : tensor<1x?x2xf32>
  // expected-error@+1 {{expects 'cos' of shape [1, 2, 2], by 'positions' and 'rule', got [1, 3, 2]}}
  %0:2 = attn.rotary_table positions(%p : tensor<1x2xi64>)
    rule(#attn.frequencies<default, dim = 4, base = 10000.0>) angles=exact
    outs(%out, %out : tensor<1x?x2xf32>, tensor<1x?x2xf32>)
  return
}

// -----

// Neither the calls nor the blocks of one function are many.
func.func private @again(%c: i1) {
  scf.if %c {
    scf.if %c {
      scf.if %c {
        scf.if %c {
          scf.if %c {
            scf.if %c {
              scf.if %c {
                scf.if %c {
                  scf.if %c {
                    scf.if %c {
                      scf.if %c {
                        // expected-error@+1 {{blocks are nested deeper than 1000}}
                        scf.if %c {
                          scf.if %c {
                            scf.if %c {
                              scf.if %c {
                                scf.if %c {
                                  scf.if %c {
                                    scf.if %c {
                                      scf.if %c {
                                        scf.if %c {
                                          func.call @again(%c) : (i1) -> ()
                                        }
                                      }
                                    }
                                  }
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return
}
func.func @recursion() {
  %true = arith.constant true
  func.call @again(%true) : (i1) -> ()
  return
}

// -----

func.func @query_ids() {
  %c3 = arith.constant 3 : index
  %ids = arith.constant dense<0> : tensor<1x2xi64>
  %out = tensor.empty(%c3) : tensor<1x1x?x2xi1>
  // expected-error@+1 {{index [0, 2] is out of bounds of 'query_ids' of shape [1, 2]}}
  %m = attn.mask.document query(%ids : tensor<1x2xi64>) key(%ids : tensor<1x2xi64>)
  %0 = attn.materialize %m : !attn.mask outs(%out : tensor<1x1x?x2xi1>)
  return
}

// -----

func.func @key_ids() {
  %c3 = arith.constant 3 : index
  %ids = arith.constant dense<0> : tensor<1x2xi32>
  %out = tensor.empty(%c3) : tensor<1x1x2x?xi1>
  // expected-error@+1 {{index [0, 2] is out of bounds of 'key_ids' of shape [1, 2]}}
  %m = attn.mask.document query(%ids : tensor<1x2xi32>) key(%ids : tensor<1x2xi32>)
  %0 = attn.materialize %m : !attn.mask outs(%out : tensor<1x1x2x?xi1>)
  return
}

// -----

func.func @table_columns() {
  %c9 = arith.constant 9 : index
  %table = tensor.empty(%c9) : tensor<1x?xf32>
  // expected-error@+1 {{expects dimension 1 of 'table' (9) to be 8}}
  %m = attn.bias.relative t5 num_buckets 8 max_distance 10 table(%table : tensor<1x?xf32>)
  return
}

// -----

func.func @no_table_columns() {
  %c0 = arith.constant 0 : index
  %table = tensor.empty(%c0) : tensor<1x?xf32>
  // expected-error@+1 {{expects dimension 1 of 'table' (0) to be at least 1}}
  %m = attn.bias.relative toeplitz first_distance -3 table(%table : tensor<1x?xf32>)
  return
}
