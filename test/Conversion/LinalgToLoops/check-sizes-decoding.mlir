// What the ops for caches, merges and losses, and sinks, expect of dynamic sizes.
// RUN: attn-opt %s --attn-check-sizes --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @append
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 2 to equal dimension 0 of argument 0, for dimension 0 of 'new' of attn.cache_append to equal dimension 0 of 'outs'"
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 1 to equal dimension 0 of argument 0, for dimension 0 of 'start' of attn.cache_append to equal dimension 0 of 'outs'"
// CHECK: cf.assert %{{.*}}, "expects dimension 2 of argument 2 to be at least dimension 2 of argument 0, for length of 'new' of attn.cache_append to be at most that of 'outs'"
// CHECK-NOT: cf.assert
// CHECK: attn.cache_append
func.func @append(%n: tensor<?x2x?x8xf32>, %s: tensor<?xi64>, %c: tensor<?x2x?x8xf32>) -> tensor<?x2x?x8xf32> {
  %0 = attn.cache_append new(%n : tensor<?x2x?x8xf32>) start(%s : tensor<?xi64>) outs(%c : tensor<?x2x?x8xf32>)
  return %0 : tensor<?x2x?x8xf32>
}

// Where sizes are no dimensions of arguments, the operands are named.

// CHECK-LABEL: func.func @computed
// CHECK: cf.assert %{{.*}}, "expects length of 'new' of attn.cache_append to be at most that of 'outs'"
// CHECK: attn.cache_append
func.func @computed(%n: tensor<1x2x?x8xf32>, %more: tensor<1x2x?x8xf32>, %i: index, %c: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
  %rows = tensor.concat dim(2) %n, %more : (tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32>
  %0 = attn.cache_append new(%rows : tensor<1x2x?x8xf32>) start(%i : index) outs(%c : tensor<1x2x?x8xf32>)
  return %0 : tensor<1x2x?x8xf32>
}

// CHECK-LABEL: func.func @merge
// CHECK: cf.assert %{{.*}}, "expects dimension 2 of argument 3 to equal dimension 2 of argument 0, for dimension 2 of 'partial 0' of attn.merge to equal dimension 2 of 'outs'"
// CHECK: cf.assert %{{.*}}, "expects dimension 2 of argument 1 to equal dimension 2 of argument 0, for dimension 2 of 'partial 1' of attn.merge to equal dimension 2 of 'outs'"
// CHECK: cf.assert %{{.*}}, "expects dimension 2 of argument 2 to equal dimension 2 of argument 0, for dimension 2 of 'lse 0' of attn.merge to equal dimension 2 of 'outs'"
// CHECK-NOT: cf.assert
// CHECK: attn.merge
func.func @merge(%p: tensor<1x2x?x8xf32>, %r: tensor<1x2x?x8xf32>, %l: tensor<1x2x?xf32>, %o: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
  %0 = attn.merge partials(%p, %r : tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>) lses(%l, %l : tensor<1x2x?xf32>, tensor<1x2x?xf32>)
    outs(%o : tensor<1x2x?x8xf32>)
  return %0 : tensor<1x2x?x8xf32>
}

// CHECK-LABEL: func.func @loss
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 1 to equal dimension 0 of argument 0, for dimension 0 of 'targets' of attn.cross_entropy to equal dimension 0 of 'logits'"
// CHECK-NOT: cf.assert
// CHECK: attn.cross_entropy
func.func @loss(%x: tensor<?x8xf32>, %t: tensor<?xi64>, %o: tensor<f32>) -> tensor<f32> {
  %0 = attn.cross_entropy logits(%x : tensor<?x8xf32>) targets(%t : tensor<?xi64>) outs(%o : tensor<f32>)
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @sinks
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 1 to equal dimension 1 of argument 0, for dimension 0 of 'sinks' of attn.attention to equal dimension 1 of 'query'"
// CHECK-NOT: cf.assert
// CHECK: attn.attention
func.func @sinks(%q: tensor<1x?x8x16xf32>, %s: tensor<?xf32>) -> tensor<1x?x8x16xf32> {
  %0 = attn.attention query(%q : tensor<1x?x8x16xf32>) key(%q : tensor<1x?x8x16xf32>) value(%q : tensor<1x?x8x16xf32>) sinks(%s : tensor<?xf32>)
    outs(%q : tensor<1x?x8x16xf32>)
  return %0 : tensor<1x?x8x16xf32>
}
