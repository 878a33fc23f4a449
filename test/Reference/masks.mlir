// RUN: attn-reference-test %s | FileCheck %s

// CHECK-LABEL: causal#0 [1, 1, 3, 4] = 1 0 0 0 1 1 0 0 1 1 1 0
// CHECK-NEXT:  causal#1 [1, 1, 3, 4] = 1 1 0 0 1 1 1 0 1 1 1 1
func.func @causal() -> (tensor<1x1x3x4xi1>, tensor<1x1x3x4xi1>) {
  %out = tensor.empty() : tensor<1x1x3x4xi1>
  %c1 = arith.constant 1 : index
  %a = attn.mask.causal
  %b = attn.mask.causal offset(%c1 : index)
  %0 = attn.materialize %a : !attn.mask outs(%out : tensor<1x1x3x4xi1>)
  %1 = attn.materialize %b : !attn.mask outs(%out : tensor<1x1x3x4xi1>)
  return %0, %1 : tensor<1x1x3x4xi1>, tensor<1x1x3x4xi1>
}

// One offset for each batch; a negative one leaves rows without keys.
// CHECK-LABEL: offsets#0 [2, 1, 2, 2] = 0 0 1 0 1 1 1 1
func.func @offsets() -> tensor<2x1x2x2xi1> {
  %out = tensor.empty() : tensor<2x1x2x2xi1>
  %o = arith.constant dense<[-1, 1]> : tensor<2xi32>
  %a = attn.mask.causal offset(%o : tensor<2xi32>)
  %0 = attn.materialize %a : !attn.mask outs(%out : tensor<2x1x2x2xi1>)
  return %0 : tensor<2x1x2x2xi1>
}

// One offset or length for all batches: static size 1 is broadcast.
// CHECK-LABEL: broadcast#0 [2, 1, 2, 2] = 0 0 1 0 0 0 1 0
// CHECK-NEXT:  broadcast#1 [2, 1, 1, 2] = 0 1 0 1
func.func @broadcast() -> (tensor<2x1x2x2xi1>, tensor<2x1x1x2xi1>) {
  %out = tensor.empty() : tensor<2x1x2x2xi1>
  %row = tensor.empty() : tensor<2x1x1x2xi1>
  %o = arith.constant dense<-1> : tensor<1xi32>
  %l = arith.constant dense<1> : tensor<1xi64>
  %c2 = arith.constant 2 : index
  %a = attn.mask.causal offset(%o : tensor<1xi32>)
  %b = attn.mask.padding left lengths(%l : tensor<1xi64>) keys(%c2)
  %0 = attn.materialize %a : !attn.mask outs(%out : tensor<2x1x2x2xi1>)
  %1 = attn.materialize %b : !attn.mask outs(%row : tensor<2x1x1x2xi1>)
  return %0, %1 : tensor<2x1x2x2xi1>, tensor<2x1x1x2xi1>
}

// Both ends are inclusive; a side that is not given is open.
// CHECK-LABEL: window#0 [1, 1, 4, 4] = 1 0 0 0 1 1 0 0 0 1 1 0 0 0 1 1
// CHECK-NEXT:  window#1 [1, 1, 4, 4] = 1 1 1 1 1 1 1 1 0 1 1 1 0 0 1 1
// CHECK-NEXT:  window#2 [1, 1, 4, 4] = 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1
func.func @window() -> (tensor<1x1x4x4xi1>, tensor<1x1x4x4xi1>, tensor<1x1x4x4xi1>) {
  %out = tensor.empty() : tensor<1x1x4x4xi1>
  %c1 = arith.constant 1 : index
  %a = attn.mask.window left 1 right 0
  %b = attn.mask.window left 1
  %c = attn.mask.window right 1 offset(%c1 : index)
  %0 = attn.materialize %a : !attn.mask outs(%out : tensor<1x1x4x4xi1>)
  %1 = attn.materialize %b : !attn.mask outs(%out : tensor<1x1x4x4xi1>)
  %2 = attn.materialize %c : !attn.mask outs(%out : tensor<1x1x4x4xi1>)
  return %0, %1, %2 : tensor<1x1x4x4xi1>, tensor<1x1x4x4xi1>, tensor<1x1x4x4xi1>
}

// CHECK-LABEL: padding#0 [2, 1, 1, 3] = 1 0 0 1 1 1
// CHECK-NEXT:  padding#1 [2, 1, 1, 3] = 0 0 1 1 1 1
func.func @padding() -> (tensor<2x1x1x3xi1>, tensor<2x1x1x3xi1>) {
  %out = tensor.empty() : tensor<2x1x1x3xi1>
  %lengths = arith.constant dense<[1, 3]> : tensor<2xi64>
  %c3 = arith.constant 3 : index
  %a = attn.mask.padding right lengths(%lengths : tensor<2xi64>)
  %b = attn.mask.padding left lengths(%lengths : tensor<2xi64>) keys(%c3)
  %0 = attn.materialize %a : !attn.mask outs(%out : tensor<2x1x1x3xi1>)
  %1 = attn.materialize %b : !attn.mask outs(%out : tensor<2x1x1x3xi1>)
  return %0, %1 : tensor<2x1x1x3xi1>, tensor<2x1x1x3xi1>
}

// Dimensions of size 1 are broadcast; `block` removes where the tensor is true.
// CHECK-LABEL: tensors#0 [2, 1, 2, 2] = 1 0 1 0 1 1 1 1
// CHECK-NEXT:  tensors#1 [2, 1, 2, 2] = 0 1 0 1 0 0 0 0
func.func @tensors() -> (tensor<2x1x2x2xi1>, tensor<2x1x2x2xi1>) {
  %out = tensor.empty() : tensor<2x1x2x2xi1>
  %v = arith.constant dense<[[[[true, false]]], [[[true, true]]]]> : tensor<2x1x1x2xi1>
  %a = attn.mask.tensor keep %v : tensor<2x1x1x2xi1>
  %b = attn.mask.tensor block %v : tensor<2x1x1x2xi1>
  %0 = attn.materialize %a : !attn.mask outs(%out : tensor<2x1x2x2xi1>)
  %1 = attn.materialize %b : !attn.mask outs(%out : tensor<2x1x2x2xi1>)
  return %0, %1 : tensor<2x1x2x2xi1>, tensor<2x1x2x2xi1>
}

// CHECK-LABEL: algebra#0 [1, 1, 2, 3] = 0 0 0 0 1 0
// CHECK-NEXT:  algebra#1 [1, 1, 2, 3] = 1 1 1 1 1 1
// CHECK-NEXT:  algebra#2 [1, 1, 2, 3] = 0 1 1 0 0 1
func.func @algebra() -> (tensor<1x1x2x3xi1>, tensor<1x1x2x3xi1>, tensor<1x1x2x3xi1>) {
  %out = tensor.empty() : tensor<1x1x2x3xi1>
  %v = arith.constant dense<[[[[false, true, true]]]]> : tensor<1x1x1x3xi1>
  %a = attn.mask.causal
  %b = attn.mask.tensor keep %v : tensor<1x1x1x3xi1>
  %and = attn.mask.and %a, %b
  %or = attn.mask.or %a, %b
  %not = attn.mask.not %a
  %0 = attn.materialize %and : !attn.mask outs(%out : tensor<1x1x2x3xi1>)
  %1 = attn.materialize %or : !attn.mask outs(%out : tensor<1x1x2x3xi1>)
  %2 = attn.materialize %not : !attn.mask outs(%out : tensor<1x1x2x3xi1>)
  return %0, %1, %2 : tensor<1x1x2x3xi1>, tensor<1x1x2x3xi1>, tensor<1x1x2x3xi1>
}

// A region reads values from outside: documents of equal id.
// CHECK-LABEL: generate#0 [1, 2, 3, 3] = 1 1 0 1 1 0 0 0 1 0 0 1 0 0 1 1 1 0
func.func @generate() -> tensor<1x2x3x3xi1> {
  %out = tensor.empty() : tensor<1x2x3x3xi1>
  %ids = arith.constant dense<[5, 5, 7]> : tensor<3xi64>
  %c0 = arith.constant 0 : index
  %m = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %p = tensor.extract %ids[%i] : tensor<3xi64>
    %q = tensor.extract %ids[%j] : tensor<3xi64>
    %same = arith.cmpi eq, %p, %q : i64
    %first = arith.cmpi eq, %h, %c0 : index
    %keep = arith.cmpi eq, %same, %first : i1
    attn.yield %keep : i1
  }
  %0 = attn.materialize %m : !attn.mask outs(%out : tensor<1x2x3x3xi1>)
  return %0 : tensor<1x2x3x3xi1>
}

// A region keeps the values that it saw, though the loop goes on: the masks of
// the iterations are `j == 0` and `j == 1`.
// CHECK-LABEL: captured#0 [1, 1, 1, 3] = 1 1 0
func.func @captured() -> tensor<1x1x1x3xi1> {
  %out = tensor.empty() : tensor<1x1x1x3xi1>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %false = arith.constant false
    attn.yield %false : i1
  }
  %all = scf.for %n = %c0 to %c2 step %c1 iter_args(%m = %none) -> (!attn.mask) {
    %one = attn.mask.generate {
    ^bb0(%b: index, %h: index, %i: index, %j: index):
      %keep = arith.cmpi eq, %j, %n : index
      attn.yield %keep : i1
    }
    %next = attn.mask.or %m, %one
    scf.yield %next : !attn.mask
  }
  %0 = attn.materialize %all : !attn.mask outs(%out : tensor<1x1x1x3xi1>)
  return %0 : tensor<1x1x1x3xi1>
}

// The mask of a tile that starts at query 1 and key 2.
// CHECK-LABEL: tile#0 [1, 1, 2, 2] = 0 0 1 0
func.func @tile() -> tensor<1x1x2x2xi1> {
  %out = tensor.empty() : tensor<1x1x2x2xi1>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = attn.mask.causal
  %t = attn.mask.slice %m[%c0, %c0, %c1, %c2]
  %0 = attn.materialize %t : !attn.mask outs(%out : tensor<1x1x2x2xi1>)
  return %0 : tensor<1x1x2x2xi1>
}

// Masks are chosen as a whole.
// CHECK-LABEL: select#0 [1, 1, 1, 2] = 0 1
func.func @select() -> tensor<1x1x1x2xi1> {
  %false = arith.constant false
  %a = attn.mask.causal
  %b = attn.mask.not %a
  %m = arith.select %false, %a, %b : !attn.mask
  %0 = tensor.empty() : tensor<1x1x1x2xi1>
  %1 = attn.materialize %m : !attn.mask outs(%0 : tensor<1x1x1x2xi1>)
  return %1 : tensor<1x1x1x2xi1>
}

// Chunks of two tokens, also counted from token 1, and of three, of the queries
// from -1 on.
// CHECK-LABEL: chunk#0 [1, 1, 3, 4] = 1 1 0 0 1 1 0 0 0 0 1 1
// CHECK-NEXT:  chunk#1 [1, 1, 3, 4] = 1 0 0 0 0 1 1 0 0 1 1 0
// CHECK-NEXT:  chunk#2 [1, 1, 3, 4] = 0 0 0 0 1 1 1 0 1 1 1 0
func.func @chunk() -> (tensor<1x1x3x4xi1>, tensor<1x1x3x4xi1>, tensor<1x1x3x4xi1>) {
  %out = tensor.empty() : tensor<1x1x3x4xi1>
  %c1 = arith.constant 1 : index
  %cm1 = arith.constant -1 : index
  %a = attn.mask.chunk size 2
  %b = attn.mask.chunk size 2 start(%c1 : index)
  %c = attn.mask.chunk size 3 offset(%cm1 : index)
  %0 = attn.materialize %a : !attn.mask outs(%out : tensor<1x1x3x4xi1>)
  %1 = attn.materialize %b : !attn.mask outs(%out : tensor<1x1x3x4xi1>)
  %2 = attn.materialize %c : !attn.mask outs(%out : tensor<1x1x3x4xi1>)
  return %0, %1, %2 : tensor<1x1x3x4xi1>, tensor<1x1x3x4xi1>, tensor<1x1x3x4xi1>
}

// One offset and one start for each batch.
// CHECK-LABEL: chunks#0 [2, 1, 1, 5] = 0 0 0 1 1 1 0 0 0 0
func.func @chunks() -> tensor<2x1x1x5xi1> {
  %out = tensor.empty() : tensor<2x1x1x5xi1>
  %o = arith.constant dense<[4, 0]> : tensor<2xi32>
  %s = arith.constant dense<[3, -2]> : tensor<2xi64>
  %a = attn.mask.chunk size 3 offset(%o : tensor<2xi32>) start(%s : tensor<2xi64>)
  %0 = attn.materialize %a : !attn.mask outs(%out : tensor<2x1x1x5xi1>)
  return %0 : tensor<2x1x1x5xi1>
}

// Ids of two types; one row of queries for both batches; -1 is padding.
// CHECK-LABEL: document#0 [2, 1, 3, 4] = 1 1 0 0 0 0 1 0 0 0 0 0 0 0 0 0 1 0 0 1 0 0 0 0
func.func @document() -> tensor<2x1x3x4xi1> {
  %out = tensor.empty() : tensor<2x1x3x4xi1>
  %q = arith.constant dense<[[0, 5, -1]]> : tensor<1x3xi32>
  %k = arith.constant dense<[[0, 0, 5, -1], [5, -1, 4, 5]]> : tensor<2x4xi64>
  %a = attn.mask.document query(%q : tensor<1x3xi32>) key(%k : tensor<2x4xi64>)
  %0 = attn.materialize %a : !attn.mask outs(%out : tensor<2x1x3x4xi1>)
  return %0 : tensor<2x1x3x4xi1>
}

// CHECK-LABEL: prefix#0 [1, 1, 1, 3] = 1 1 0
// CHECK-NEXT:  prefix#1 [2, 1, 1, 3] = 0 0 0 1 1 1
func.func @prefix() -> (tensor<1x1x1x3xi1>, tensor<2x1x1x3xi1>) {
  %out = tensor.empty() : tensor<1x1x1x3xi1>
  %rows = tensor.empty() : tensor<2x1x1x3xi1>
  %c2 = arith.constant 2 : index
  %l = arith.constant dense<[-1, 7]> : tensor<2xi32>
  %a = attn.mask.prefix length(%c2 : index)
  %b = attn.mask.prefix length(%l : tensor<2xi32>)
  %0 = attn.materialize %a : !attn.mask outs(%out : tensor<1x1x1x3xi1>)
  %1 = attn.materialize %b : !attn.mask outs(%rows : tensor<2x1x1x3xi1>)
  return %0, %1 : tensor<1x1x1x3xi1>, tensor<2x1x1x3xi1>
}
