// A cache is read and written by an append: in place where nothing reads the old
// cache afterwards, into a copy where something does.

// RUN: attn-opt %s -one-shot-bufferize="bufferize-function-boundaries" -split-input-file | FileCheck %s

// CHECK-LABEL: func @in_place(
// CHECK-SAME: %[[N:.*]]: memref<1x2x1x8xf32, {{.*}}>, %[[C:.*]]: memref<1x2x4x8xf32, {{.*}}>, %[[I:.*]]: index
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: attn.cache_append new(%[[N]] : {{.*}}) start(%[[I]] : index) outs(%[[C]] : {{.*}})
// CHECK-NOT: memref.copy
// CHECK: return %[[C]]
func.func @in_place(%n: tensor<1x2x1x8xf32>, %c: tensor<1x2x4x8xf32> {bufferization.writable = true}, %i: index) -> tensor<1x2x4x8xf32> {
  %0 = attn.cache_append new(%n : tensor<1x2x1x8xf32>) start(%i : index) outs(%c : tensor<1x2x4x8xf32>)
  return %0 : tensor<1x2x4x8xf32>
}

// -----

// What was in the cache is read by the append: it is filled for it.

// CHECK-LABEL: func @filled(
// CHECK: linalg.fill {{.*}} outs(%[[C:[a-z0-9_]*]] :
// CHECK: attn.cache_append {{.*}} outs(%[[C]] :
func.func @filled(%n: tensor<1x2x1x8xf32>, %c: tensor<1x2x4x8xf32> {bufferization.writable = true}, %i: index, %x: f32) -> tensor<1x2x4x8xf32> {
  %0 = linalg.fill ins(%x : f32) outs(%c : tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  %1 = attn.cache_append new(%n : tensor<1x2x1x8xf32>) start(%i : index) outs(%0 : tensor<1x2x4x8xf32>)
  return %1 : tensor<1x2x4x8xf32>
}

// -----

// CHECK-LABEL: func @copied(
// CHECK-SAME: %[[C:[a-z0-9]*]]: memref<1x2x4x8xf32, {{.*}}>, %[[I:.*]]: index
// CHECK: memref.copy %[[C]], %[[COPY:.*]] :
// CHECK: attn.cache_append {{.*}} outs(%[[COPY]] :
// CHECK: attn.cache_append {{.*}} outs(%[[C]] :
func.func @copied(%n: tensor<1x2x1x8xf32>, %c: tensor<1x2x4x8xf32> {bufferization.writable = true}, %i: index)
    -> (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) {
  %c0 = arith.constant 0 : index
  %0 = attn.cache_append new(%n : tensor<1x2x1x8xf32>) start(%i : index) outs(%c : tensor<1x2x4x8xf32>)
  %1 = attn.cache_append new(%n : tensor<1x2x1x8xf32>) start(%c0 : index) outs(%c : tensor<1x2x4x8xf32>)
  return %0, %1 : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>
}

// -----

// CHECK-LABEL: func @others(
// CHECK: attn.merge partials(%{{.*}} : memref<1x2x4x8xf32, {{.*}}>) lses(%{{.*}} : memref<1x2x4xf32, {{.*}}>) outs(%{{.*}} : memref<1x2x4x8xf32>)
// CHECK: attn.cross_entropy logits(%{{.*}} : memref<3x4xf32, {{.*}}>) targets(%{{.*}} : memref<3xi64, {{.*}}>) outs(%{{.*}} : memref<f32>)
// CHECK: attn.attention {{.*}} sinks(%{{.*}} : memref<2xf32, {{.*}}>) {{.*}} {prob_type = bf16}
func.func @others(%p: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>, %x: tensor<3x4xf32>, %t: tensor<3xi64>, %s: tensor<2xf32>)
    -> (tensor<1x2x4x8xf32>, tensor<f32>, tensor<1x2x4x8xf32>) {
  %empty = tensor.empty() : tensor<1x2x4x8xf32>
  %number = tensor.empty() : tensor<f32>
  %0 = attn.merge partials(%p : tensor<1x2x4x8xf32>) lses(%l : tensor<1x2x4xf32>) outs(%empty : tensor<1x2x4x8xf32>)
  %1 = attn.cross_entropy logits(%x : tensor<3x4xf32>) targets(%t : tensor<3xi64>) outs(%number : tensor<f32>)
  %2 = attn.attention query(%p : tensor<1x2x4x8xf32>) key(%p : tensor<1x2x4x8xf32>) value(%p : tensor<1x2x4x8xf32>)
    sinks(%s : tensor<2xf32>) outs(%empty : tensor<1x2x4x8xf32>) {prob_type = bf16}
  return %0, %1, %2 : tensor<1x2x4x8xf32>, tensor<f32>, tensor<1x2x4x8xf32>
}
