// Reads of tensors in the regions of masks, biases and scores.
// RUN: attn-opt %s --attn-check-sizes --canonicalize --cse -split-input-file | FileCheck %s

// What depends on data is checked at the read, what depends on sizes before the
// attention, and what is within anyhow not at all.
// CHECK-LABEL: func.func @attention
// CHECK: attn.mask.generate
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[J:.*]]: index):
// CHECK-NEXT: %[[ID:.*]] = tensor.extract %{{.*}}[%[[J]]]
// CHECK-NEXT: %[[INDEX:.*]] = arith.index_cast %[[ID]]
// CHECK-NEXT: %[[LOW:.*]] = arith.cmpi sge, %[[INDEX]], %{{.*}}
// CHECK-NEXT: cf.assert %[[LOW]], "expects the index of tensor.extract in dimension 0 to be within the tensor"
// CHECK-NEXT: %[[HIGH:.*]] = arith.cmpi slt, %[[INDEX]], %{{.*}}
// CHECK-NEXT: cf.assert %[[HIGH]], "expects the index of tensor.extract in dimension 0 to be within the tensor"
// CHECK-NEXT: tensor.extract
// CHECK: attn.bias.generate
// CHECK-NOT: cf.assert
// CHECK: attn.yield
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 3 to be at least dimension 2 of argument 1, for dimension 0 of the data of 'mask' of attn.attention not to be smaller than the attention"
// CHECK: cf.assert %{{.*}}, "expects the index of tensor.extract in dimension 0 to be within the tensor"
// CHECK-NOT: cf.assert
// CHECK: attn.attention
// CHECK: score
// CHECK: arith.subi
// CHECK-NEXT: arith.cmpi sge
// CHECK-NEXT: cf.assert %{{.*}}, "expects the index of tensor.extract in dimension 0 to be within the tensor"
// CHECK-NEXT: arith.cmpi slt
// CHECK-NEXT: cf.assert %{{.*}}, "expects the index of tensor.extract in dimension 0 to be within the tensor"
// CHECK-NEXT: tensor.extract
func.func @attention(%q: tensor<1x1x?x8xf32>, %k: tensor<1x1x?x8xf32>, %table: tensor<?xf32>,
                     %ids: tensor<?xi64>) -> tensor<1x1x?x8xf32> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<1x1x?x8xf32>
  %o = tensor.empty(%n) : tensor<1x1x?x8xf32>
  %mask = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %id = tensor.extract %ids[%j] : tensor<?xi64>
    %index = arith.index_cast %id : i64 to index
    %v = tensor.extract %table[%index] : tensor<?xf32>
    %zero = arith.constant 0.0 : f32
    %keep = arith.cmpf ogt, %v, %zero : f32
    attn.yield %keep : i1
  }
  %bias = attn.bias.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %sum = arith.addi %i, %j : index
    %v = tensor.extract %table[%sum] : tensor<?xf32>
    attn.yield %v : f32
  }
  %a = attn.attention query(%q : tensor<1x1x?x8xf32>) key(%k : tensor<1x1x?x8xf32>) value(%k : tensor<1x1x?x8xf32>)
    bias(%bias) mask(%mask) outs(%o : tensor<1x1x?x8xf32>) score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      %distance = arith.subi %i, %j : index
      %v = tensor.extract %table[%distance] : tensor<?xf32>
      %r = arith.addf %s, %v : f32
      attn.yield %r : f32
    }
  return %a : tensor<1x1x?x8xf32>
}

// -----

// CHECK-LABEL: func.func @materialize
// CHECK: attn.bias.generate
// CHECK-NOT: cf.assert
// CHECK: attn.yield
// CHECK-NOT: cf.assert
// CHECK: attn.materialize
func.func @materialize(%table: tensor<7xf32>, %o: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %bias = attn.bias.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %sum = arith.addi %i, %j : index
    %v = tensor.extract %table[%sum] : tensor<7xf32>
    attn.yield %v : f32
  }
  %r = attn.materialize %bias : !attn.bias outs(%o : tensor<1x1x4x4xf32>)
  return %r : tensor<1x1x4x4xf32>
}

// -----

// Sizes that are no argument's.
// CHECK-LABEL: func.func @computed
// CHECK: cf.assert %{{.*}}, "expects dimension 3 of the data of 'mask' of attn.attention not to be smaller than the attention"
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of the data of 'bias' of attn.attention not to be smaller than the attention"
// CHECK: attn.attention
func.func @computed(%q: tensor<1x1x4x8xf32>, %k: tensor<1x1x?x8xf32>, %n: index) -> tensor<1x1x4x8xf32> {
  %twice = arith.addi %n, %n : index
  %keep = tensor.empty(%twice) : tensor<1x1x1x?xi1>
  %table = tensor.empty(%twice) : tensor<?xf32>
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x?xi1>
  %bias = attn.bias.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %v = tensor.extract %table[%i] : tensor<?xf32>
    attn.yield %v : f32
  }
  %a = attn.attention query(%q : tensor<1x1x4x8xf32>) key(%k : tensor<1x1x?x8xf32>) value(%k : tensor<1x1x?x8xf32>)
    bias(%bias) mask(%mask) outs(%q : tensor<1x1x4x8xf32>)
  return %a : tensor<1x1x4x8xf32>
}

// -----

// CHECK-LABEL: func.func @rule
// CHECK: cf.assert %{{.*}}, "expects number of pairs of 'cos' of attn.rotary_table to be half of 'dim' of 'rule'"
// CHECK: attn.rotary_table
func.func @rule(%p: tensor<1x4xi64>, %n: index) -> (tensor<1x4x?xf32>, tensor<1x4x?xf32>) {
  %c = tensor.empty(%n) : tensor<1x4x?xf32>
  %table:2 = attn.rotary_table positions(%p : tensor<1x4xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%c, %c : tensor<1x4x?xf32>, tensor<1x4x?xf32>)
  return %table#0, %table#1 : tensor<1x4x?xf32>, tensor<1x4x?xf32>
}

// -----

// Sizes of a tensor that a loop carries are known outside by what it starts
// from, also where those inside were seen first.
// CHECK-LABEL: func.func @carried
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: scf.for
// CHECK: tensor.empty(%[[N]])
// CHECK: scf.yield
// CHECK: tensor.empty(%[[N]]) : tensor<?x4xi1>
func.func @carried(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %t = %c0 to %c2 step %c1 iter_args(%y = %x) -> (tensor<?x4xf32>) {
    %n = tensor.dim %y, %c0 : tensor<?x4xf32>
    %e = tensor.empty(%n) : tensor<?x4xf32>
    %s = linalg.abs ins(%y : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %s : tensor<?x4xf32>
  }
  %m = tensor.dim %r, %c0 : tensor<?x4xf32>
  %o = tensor.empty(%m) : tensor<?x4xi1>
  return %r, %o : tensor<?x4xf32>, tensor<?x4xi1>
}
