// RUN: attn-opt %s -cse -loop-invariant-code-motion -split-input-file | FileCheck %s

// A start or target that is wrong is an error at run time: the loop may run no
// iteration. Constants, which the verifier has looked at, are no danger.

// CHECK-LABEL: func @hoisted(
// CHECK: attn.cache_append new(%{{.*}}) start(%c2
// CHECK: attn.cross_entropy {{.*}} targets(%cst
// CHECK: attn.merge
// CHECK: scf.for
// CHECK: attn.cache_append new(%{{.*}}) start(%arg
// CHECK: attn.cross_entropy {{.*}} targets(%arg
func.func @hoisted(%n: tensor<1x2x1x8xf32>, %c: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>, %start: index,
                   %x: tensor<2x4xf32>, %t: tensor<2xi64>, %o: tensor<f32>, %count: index) -> (tensor<1x2x4x8xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %targets = arith.constant dense<[3, -100]> : tensor<2xi64>
  %0:2 = scf.for %i = %c0 to %count step %c1 iter_args(%a = %c, %b = %o) -> (tensor<1x2x4x8xf32>, tensor<f32>) {
    %known = attn.cache_append new(%n : tensor<1x2x1x8xf32>) start(%c2 : index) outs(%c : tensor<1x2x4x8xf32>)
    %loss = attn.cross_entropy logits(%x : tensor<2x4xf32>) targets(%targets : tensor<2xi64>) outs(%o : tensor<f32>)
    %merged = attn.merge partials(%c : tensor<1x2x4x8xf32>) lses(%l : tensor<1x2x4xf32>) outs(%c : tensor<1x2x4x8xf32>)
    %given = attn.cache_append new(%n : tensor<1x2x1x8xf32>) start(%start : index) outs(%c : tensor<1x2x4x8xf32>)
    %other = attn.cross_entropy logits(%x : tensor<2x4xf32>) targets(%t : tensor<2xi64>) outs(%o : tensor<f32>)
    %s = arith.addf %a, %known : tensor<1x2x4x8xf32>
    %u = arith.addf %s, %given : tensor<1x2x4x8xf32>
    %w = arith.addf %u, %merged : tensor<1x2x4x8xf32>
    %v = arith.addf %b, %loss : tensor<f32>
    %y = arith.addf %v, %other : tensor<f32>
    scf.yield %w, %y : tensor<1x2x4x8xf32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<1x2x4x8xf32>, tensor<f32>
}

// -----

// On memrefs a cache is read, too: what wrote it before is no dead store, and two
// appends are not one.

// CHECK-LABEL: func @memrefs(
// CHECK-COUNT-2: attn.cache_append
func.func @memrefs(%n: memref<1x2x1x8xf32>, %c: memref<1x2x4x8xf32>, %i: index) {
  attn.cache_append new(%n : memref<1x2x1x8xf32>) start(%i : index) outs(%c : memref<1x2x4x8xf32>)
  attn.cache_append new(%n : memref<1x2x1x8xf32>) start(%i : index) outs(%c : memref<1x2x4x8xf32>)
  return
}
