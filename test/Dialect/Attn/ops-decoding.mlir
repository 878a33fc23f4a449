// Attention with its newer parts, and the ops for caches, merges and losses, print
// as they were read, also through the generic form and through bytecode.

// RUN: attn-opt %s | FileCheck %s
// RUN: attn-opt %s --mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s --emit-bytecode | attn-opt | FileCheck %s

// Words are one blank apart.
// RUN: attn-opt %s | not grep -E '[^ ]  '

// CHECK-LABEL: func @attention(
// CHECK-SAME: %[[Q:.*]]: tensor<1x2x4x8xf16>, %[[S:.*]]: tensor<2xbf16>, %[[BIAS:.*]]: !attn.bias, %[[LSE:.*]]: tensor<1x2x4xf32>
func.func @attention(%q: tensor<1x2x4x8xf16>, %s: tensor<2xbf16>, %bias: !attn.bias, %lse: tensor<1x2x4xf32>) {
  // CHECK: attn.attention query(%[[Q]] : tensor<1x2x4x8xf16>) key(%[[Q]] : tensor<1x2x4x8xf16>) value(%[[Q]] : tensor<1x2x4x8xf16>) sinks(%[[S]] : tensor<2xbf16>) empty_row = nan lse_base = two outs(%[[Q]], %[[LSE]] : tensor<1x2x4x8xf16>, tensor<1x2x4xf32>)
  %0:2 = attn.attention query(%q : tensor<1x2x4x8xf16>) key(%q : tensor<1x2x4x8xf16>) value(%q : tensor<1x2x4x8xf16>)
    sinks(%s : tensor<2xbf16>) empty_row=nan lse_base=two outs(%q, %lse : tensor<1x2x4x8xf16>, tensor<1x2x4xf32>)
  // CHECK: attn.attention {{.*}} bias(%[[BIAS]]) outs(%[[Q]] : tensor<1x2x4x8xf16>) {bias_before_scale, prob_type = f16, softmax_type = bf16}
  %1 = attn.attention query(%q : tensor<1x2x4x8xf16>) key(%q : tensor<1x2x4x8xf16>) value(%q : tensor<1x2x4x8xf16>) bias(%bias)
    lse_base=natural outs(%q : tensor<1x2x4x8xf16>) {bias_before_scale, prob_type = f16, softmax_type = bf16}
  return
}

// CHECK-LABEL: func @append(
// CHECK-SAME: %[[N:.*]]: tensor<2x2x?x8xf16>, %[[I:.*]]: index, %[[B:.*]]: tensor<2xi32>, %[[C:.*]]: tensor<2x2x4x8xf16>
func.func @append(%n: tensor<2x2x?x8xf16>, %i: index, %b: tensor<2xi32>, %c: tensor<2x2x4x8xf16>,
                  %nm: memref<2x2x1x8xf64>, %bm: memref<2xindex>, %cm: memref<2x2x4x8xf64>) {
  // CHECK: %cache = attn.cache_append new(%[[N]] : tensor<2x2x?x8xf16>) start(%[[I]] : index) outs(%[[C]] : tensor<2x2x4x8xf16>)
  %0 = attn.cache_append new(%n : tensor<2x2x?x8xf16>) start(%i : index) outs(%c : tensor<2x2x4x8xf16>)
  // CHECK: attn.cache_append new(%[[N]] : tensor<2x2x?x8xf16>) start(%[[B]] : tensor<2xi32>) ring outs(%[[C]] : tensor<2x2x4x8xf16>) {note}
  %1 = attn.cache_append new(%n : tensor<2x2x?x8xf16>) start(%b : tensor<2xi32>) ring outs(%c : tensor<2x2x4x8xf16>) {note}
  // CHECK: attn.cache_append new(%{{.*}} : memref<2x2x1x8xf64>) start(%{{.*}} : memref<2xindex>) outs(%{{.*}} : memref<2x2x4x8xf64>)
  attn.cache_append new(%nm : memref<2x2x1x8xf64>) start(%bm : memref<2xindex>) outs(%cm : memref<2x2x4x8xf64>)
  return
}

// CHECK-LABEL: func @merge(
// CHECK-SAME: %[[P:.*]]: tensor<1x2x4x8xf16>, %[[L:.*]]: tensor<1x2x4xf32>, %[[O:.*]]: tensor<1x2x4x8xf32>
func.func @merge(%p: tensor<1x2x4x8xf16>, %l: tensor<1x2x4xf32>, %o: tensor<1x2x4x8xf32>,
                 %pm: memref<1x2x4x8xf64>, %lm: memref<1x2x4xf64>) {
  // CHECK: %merged, %merged_lse = attn.merge partials(%[[P]], %[[P]] : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16>) lses(%[[L]], %[[L]] : tensor<1x2x4xf32>, tensor<1x2x4xf32>) outs(%[[O]], %[[L]] : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>)
  %0:2 = attn.merge partials(%p, %p : tensor<1x2x4x8xf16>, tensor<1x2x4x8xf16>) lses(%l, %l : tensor<1x2x4xf32>, tensor<1x2x4xf32>)
    empty_row=zero outs(%o, %l : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>)
  // CHECK: attn.merge partials(%[[P]] : tensor<1x2x4x8xf16>) lses(%[[L]] : tensor<1x2x4xf32>) empty_row = nan lse_base = two outs(%[[P]] : tensor<1x2x4x8xf16>)
  %1 = attn.merge partials(%p : tensor<1x2x4x8xf16>) lses(%l : tensor<1x2x4xf32>) empty_row=nan lse_base=two outs(%p : tensor<1x2x4x8xf16>)
  // CHECK: attn.merge partials(%{{.*}} : memref<1x2x4x8xf64>) lses(%{{.*}} : memref<1x2x4xf64>) outs(%{{.*}} : memref<1x2x4x8xf64>)
  attn.merge partials(%pm : memref<1x2x4x8xf64>) lses(%lm : memref<1x2x4xf64>) outs(%pm : memref<1x2x4x8xf64>)
  return
}

// CHECK-LABEL: func @cross_entropy(
// CHECK-SAME: %[[X:.*]]: tensor<?x32xbf16>, %[[T:.*]]: tensor<?xi32>, %[[O:.*]]: tensor<f32>
func.func @cross_entropy(%x: tensor<?x32xbf16>, %t: tensor<?xi32>, %o: tensor<f32>,
                         %xm: memref<3x4xf64>, %tm: memref<3xindex>, %om: memref<f64>) {
  // CHECK: %loss = attn.cross_entropy logits(%[[X]] : tensor<?x32xbf16>) targets(%[[T]] : tensor<?xi32>) outs(%[[O]] : tensor<f32>)
  %0 = attn.cross_entropy logits(%x : tensor<?x32xbf16>) targets(%t : tensor<?xi32>) outs(%o : tensor<f32>)
  // CHECK: attn.cross_entropy logits(%[[X]] : tensor<?x32xbf16>) targets(%[[T]] : tensor<?xi32>) ignore_index 0 all_ignored = zero outs(%[[O]] : tensor<f32>)
  %1 = attn.cross_entropy logits(%x : tensor<?x32xbf16>) targets(%t : tensor<?xi32>) ignore_index 0 all_ignored=zero outs(%o : tensor<f32>)
  // CHECK: attn.cross_entropy logits(%{{.*}} : memref<3x4xf64>) targets(%{{.*}} : memref<3xindex>) outs(%{{.*}} : memref<f64>)
  attn.cross_entropy logits(%xm : memref<3x4xf64>) targets(%tm : memref<3xindex>) ignore_index -100 all_ignored=nan outs(%om : memref<f64>)
  return
}
