// Caches are written in place: no cache is copied and none is allocated in a loop
// of steps, nor in a function whose caller gives the caches away.

// RUN: attn-opt %s -attn-cpu-pipeline="stage=bufferized" | FileCheck %s

// CHECK-LABEL: func @steps(
// CHECK: scf.for
// CHECK-NOT: memref.alloc{{.*}}128x64
// CHECK-NOT: memref.copy {{.*}} memref<1x2x128x64xf32
// CHECK: attn.attention
// CHECK: return
func.func @steps(%q: tensor<1x8x1x64xf32>, %k: tensor<1x2x1x64xf32>, %first: index, %last: index) -> tensor<1x8x1x64xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x2x128x64xf32>
  %cache = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x128x64xf32>) -> tensor<1x2x128x64xf32>
  %0:3 = scf.for %at = %first to %last step %c1 iter_args(%x = %q, %keys = %cache, %values = %cache)
      -> (tensor<1x8x1x64xf32>, tensor<1x2x128x64xf32>, tensor<1x2x128x64xf32>) {
    %keys_1 = attn.cache_append new(%k : tensor<1x2x1x64xf32>) start(%at : index) outs(%keys : tensor<1x2x128x64xf32>)
    %values_1 = attn.cache_append new(%k : tensor<1x2x1x64xf32>) start(%at : index) ring outs(%values : tensor<1x2x128x64xf32>)
    %causal = attn.mask.causal offset(%at : index)
    %out = tensor.empty() : tensor<1x8x1x64xf32>
    %attention = attn.attention query(%x : tensor<1x8x1x64xf32>) key(%keys_1 : tensor<1x2x128x64xf32>) value(%values_1 : tensor<1x2x128x64xf32>)
      mask(%causal) outs(%out : tensor<1x8x1x64xf32>)
    scf.yield %attention, %keys_1, %values_1 : tensor<1x8x1x64xf32>, tensor<1x2x128x64xf32>, tensor<1x2x128x64xf32>
  }
  return %0#0 : tensor<1x8x1x64xf32>
}

// CHECK-LABEL: func @step(
// CHECK-SAME: %[[KEYS:[a-z0-9]*]]: memref<1x2x128x64xf32>,
// CHECK-NOT: memref.alloc{{.*}}128x64
// CHECK-NOT: memref.copy {{.*}} memref<1x2x128x64xf32
// CHECK: memref.subview %[[KEYS]]
// CHECK-NOT: memref.alloc{{.*}}128x64
// CHECK-NOT: memref.copy {{.*}} memref<1x2x128x64xf32
// CHECK: attn.attention
func.func @step(%q: tensor<1x8x1x64xf32>, %x: tensor<1x2x1x64xf32>, %keys: tensor<1x2x128x64xf32> {bufferization.writable = true},
                %values: tensor<1x2x128x64xf32>, %length: tensor<1xi64>) -> tensor<1x8x1x64xf32> {
  // What computes the new row does not write it into the cache in front of the
  // checks.
  %new = tensor.empty() : tensor<1x2x1x64xf32>
  %k = linalg.exp ins(%x : tensor<1x2x1x64xf32>) outs(%new : tensor<1x2x1x64xf32>) -> tensor<1x2x1x64xf32>
  %keys_1 = attn.cache_append new(%k : tensor<1x2x1x64xf32>) start(%length : tensor<1xi64>) outs(%keys : tensor<1x2x128x64xf32>)
  %causal = attn.mask.causal offset(%length : tensor<1xi64>)
  %out = tensor.empty() : tensor<1x8x1x64xf32>
  %attention = attn.attention query(%q : tensor<1x8x1x64xf32>) key(%keys_1 : tensor<1x2x128x64xf32>) value(%values : tensor<1x2x128x64xf32>)
    mask(%causal) outs(%out : tensor<1x8x1x64xf32>)
  return %attention : tensor<1x8x1x64xf32>
}
