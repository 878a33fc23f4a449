// Where no dominance holds, ops may come before their operands and depend on
// themselves. Verification, canonicalization and what moves masks end, whatever
// they do.

// RUN: attn-opt %s -allow-unregistered-dialect -canonicalize | FileCheck %s
// RUN: attn-opt %s -allow-unregistered-dialect -attn-sink-masks | FileCheck %s --check-prefix=SINK
// RUN: attn-opt %s -allow-unregistered-dialect -attn-tile-attention | FileCheck %s --check-prefix=TILE

// CHECK-LABEL: module @cycles
module @cycles {
  // CHECK: attn.materialize
  %0 = attn.mask.not %1
  %1 = attn.mask.and %0, %2
  %2 = attn.mask.or %1, %3
  %3 = attn.mask.slice %2[%c1, %c1, %c1, %c1]
  %4 = attn.mask.and %4, %4
  %5 = attn.mask.or %5, %5
  %6 = attn.mask.not %7
  %7 = attn.mask.not %6
  %8 = attn.mask.slice %8[%c0, %c0, %c0, %c0]
  %9 = attn.mask.slice %10[%c1, %c1, %c1, %c1]
  %10 = attn.mask.slice %9[%c1, %c1, %c1, %c1]
  %11 = attn.bias.slice %11[%c0, %c0, %c0, %c0]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "unregistered.use"(%4, %5, %6, %8, %9, %11) : (!attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.bias) -> ()
  %out = tensor.empty() : tensor<1x1x4x4xi1>
  %dense = attn.materialize %0 : !attn.mask outs(%out : tensor<1x1x4x4xi1>)
  "unregistered.use"(%dense) : (tensor<1x1x4x4xi1>) -> ()
}

// CHECK-LABEL: module @late_positions
module @late_positions {
  // CHECK: attn.learned_position
  %0 = attn.learned_position table(%table : tensor<4x8xf32>) positions(%positions : tensor<1x8xi64>) outs(%out : tensor<1x8x8xf32>)
  %positions = attn.positions outs(%ids : tensor<1x8xi64>)
  %ids = tensor.empty() : tensor<1x8xi64>
  %table = tensor.empty() : tensor<4x8xf32>
  %out = tensor.empty() : tensor<1x8x8xf32>
  "unregistered.use"(%0) : (tensor<1x8x8xf32>) -> ()
}

// Constants that come late are not looked at: no start, target or offset here is
// in range, but nobody knows.
// CHECK-LABEL: module @late_constants
module @late_constants {
  // CHECK: attn.cache_append
  // CHECK: attn.cross_entropy
  // CHECK: attn.learned_position
  %cache = attn.cache_append new(%rows : tensor<1x1x1x8xf32>) start(%start : index) outs(%old : tensor<1x1x4x8xf32>)
  %start = arith.constant 9 : index
  %loss = attn.cross_entropy logits(%logits : tensor<2x4xf32>) targets(%targets : tensor<2xi64>) outs(%sum : tensor<f32>)
  %targets = arith.constant dense<9> : tensor<2xi64>
  %embedding = attn.learned_position table(%logits : tensor<2x4xf32>) positions(%positions : tensor<1x8xi64>) outs(%wide : tensor<1x8x4xf32>)
  %positions = attn.positions offset(%start : index) outs(%ids : tensor<1x8xi64>)
  %rows = tensor.empty() : tensor<1x1x1x8xf32>
  %old = tensor.empty() : tensor<1x1x4x8xf32>
  %logits = tensor.empty() : tensor<2x4xf32>
  %sum = tensor.empty() : tensor<f32>
  %ids = tensor.empty() : tensor<1x8xi64>
  %wide = tensor.empty() : tensor<1x8x4xf32>
  "unregistered.use"(%cache, %loss, %embedding) : (tensor<1x1x4x8xf32>, tensor<f32>, tensor<1x8x4xf32>) -> ()
}

// A mask that depends on itself stays where it is. The bias of the same op moves,
// each op once, although it comes after its user.
// CHECK-LABEL: module @cycle_of_attention
// SINK-LABEL: module @cycle_of_attention
// TILE-LABEL: module @cycle_of_attention
module @cycle_of_attention {
  // SINK: %[[CYCLE:.*]] = attn.mask.and %[[NOT:.*]], %[[NOT]]
  // SINK-NEXT: %[[NOT]] = attn.mask.not %[[CYCLE]]
  // SINK-NEXT: %[[ALIBI:.*]] = attn.bias.alibi linear heads 8
  // SINK-NEXT: %[[TWICE:.*]] = attn.bias.add %[[ALIBI]], %[[ALIBI]]
  // SINK-NEXT: attn.attention {{.*}} bias(%[[TWICE]]) mask(%[[CYCLE]])
  // TILE: %[[CYCLE:.*]] = attn.mask.and
  // TILE: scf.forall
  // TILE: %[[SLICE:.*]] = attn.mask.slice %[[CYCLE]]
  // TILE: %[[ALIBI:.*]] = attn.bias.alibi linear heads 8
  // TILE: %[[TWICE:.*]] = attn.bias.add %[[ALIBI]], %[[ALIBI]]
  // TILE: attn.attention {{.*}} mask(%[[SLICE]])
  %mask = attn.mask.and %not, %not
  %not = attn.mask.not %mask
  %attention = attn.attention query(%q : tensor<1x1x8x64xf32>) key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
    bias(%bias) mask(%mask) outs(%q : tensor<1x1x8x64xf32>) {plan = #attn.plan<query_block = 4, key_block = 128, rows = 4>}
  %bias = attn.bias.add %alibi, %alibi
  %alibi = attn.bias.alibi linear heads 8
  %q = tensor.empty() : tensor<1x1x8x64xf32>
  "unregistered.use"(%attention) : (tensor<1x1x8x64xf32>) -> ()
}

// CHECK-LABEL: module @cycle_of_bias
// SINK-LABEL: module @cycle_of_bias
// TILE-LABEL: module @cycle_of_bias
module @cycle_of_bias {
  // SINK: %[[SUM:.*]] = attn.bias.add %[[SLICE:.*]], %[[SLICE]]
  // SINK-NEXT: %[[SLICE]] = attn.bias.slice %[[SUM]]
  // SINK: attn.attention {{.*}} bias(%[[SUM]])
  // TILE: scf.forall
  %sum = attn.bias.add %slice, %slice
  %slice = attn.bias.slice %sum[%i, %i, %i, %i]
  %i = arith.constant 1 : index
  %attention = attn.attention query(%q : tensor<1x1x8x64xf32>) key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
    bias(%sum) outs(%q : tensor<1x1x8x64xf32>) {plan = #attn.plan<query_block = 4, key_block = 128, rows = 4>}
  %q = tensor.empty() : tensor<1x1x8x64xf32>
  "unregistered.use"(%attention) : (tensor<1x1x8x64xf32>) -> ()
}
