// RUN: attn-opt %s --attn-tile-attention --split-input-file | FileCheck %s

// Batches, heads and blocks of queries become iterations. The mask is made in
// each of them, for the queries of the block.
// CHECK-LABEL: func @tile(
// CHECK-NOT: attn.mask
// CHECK: scf.forall (%[[B:.*]], %[[H:.*]], %[[I:.*]]) = (0, 0, 0) to (2, 8, 128) step (1, 1, 32)
// CHECK: %[[CAUSAL:.*]] = attn.mask.causal
// CHECK: %[[SLICE:.*]] = attn.mask.slice %[[CAUSAL]]
// CHECK: attn.attention query(%{{.*}} : tensor<1x1x32x64xf32>) key(%{{.*}} : tensor<1x1x128x64xf32>)
// CHECK-SAME: mask(%[[SLICE]])
// CHECK: tensor.parallel_insert_slice
func.func @tile(%q: tensor<2x8x128x64xf32>, %k: tensor<2x2x128x64xf32>) -> tensor<2x8x128x64xf32> {
  %causal = attn.mask.causal
  %a = attn.attention query(%q : tensor<2x8x128x64xf32>) key(%k : tensor<2x2x128x64xf32>) value(%k : tensor<2x2x128x64xf32>)
    mask(%causal) outs(%q : tensor<2x8x128x64xf32>) {plan = #attn.plan<query_block = 32, key_block = 128, rows = 8>}
  return %a : tensor<2x8x128x64xf32>
}

// -----

// Keys are rotated once, in front of the loop; queries in their iteration.
// CHECK-LABEL: func @rotations(
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<1x2x?x64xf32>
// CHECK: attn.rotary split_half %[[K]]
// CHECK: scf.forall
// CHECK-NOT: attn.rotary
// CHECK: attn.attention {{.*}} rotate_query(
// CHECK-NOT: rotate_key
func.func @rotations(%q: tensor<1x8x128x64xf32>, %k: tensor<1x2x?x64xf32>, %cos: tensor<1x128x32xf32>,
                     %kcos: tensor<1x?x32xf32>) -> tensor<1x8x128x64xf32> {
  %a = attn.attention query(%q : tensor<1x8x128x64xf32>) key(%k : tensor<1x2x?x64xf32>) value(%k : tensor<1x2x?x64xf32>)
    rotate_query(%cos, %cos : tensor<1x128x32xf32>, tensor<1x128x32xf32>)
    rotate_key(%kcos, %kcos : tensor<1x?x32xf32>, tensor<1x?x32xf32>) outs(%q : tensor<1x8x128x64xf32>)
    {plan = #attn.plan<query_block = 32, key_block = 128, rows = 8>,
     query_rotation = #attn.rotation<split_half>, key_rotation = #attn.rotation<split_half>}
  return %a : tensor<1x8x128x64xf32>
}

// -----

// Without a plan nothing is done.
// CHECK-LABEL: func @no_plan(
// CHECK-NOT: scf.forall
func.func @no_plan(%q: tensor<1x8x128x64xf32>) -> tensor<1x8x128x64xf32> {
  %a = attn.attention query(%q : tensor<1x8x128x64xf32>) key(%q : tensor<1x8x128x64xf32>) value(%q : tensor<1x8x128x64xf32>)
    outs(%q : tensor<1x8x128x64xf32>)
  return %a : tensor<1x8x128x64xf32>
}
