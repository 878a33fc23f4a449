// RUN: attn-opt %s -transform-interpreter -canonicalize -cse -split-input-file | FileCheck %s

// Attention: one head at a time reads the key/value head of its group; mask and
// bias are seen from the tile; the score region keeps seeing the indices of the
// whole attention; the log-sum-exp is cut alike.

// CHECK-DAG: #[[BLOCK:.*]] = affine_map<(d0) -> (d0 * 4)>
// CHECK-DAG: #[[GROUP:.*]] = affine_map<()[s0] -> (s0 floordiv 4)>
// CHECK-LABEL: func @attention(
// CHECK-SAME: %[[Q:.*]]: tensor<2x8x16x64xf32>, %[[K:.*]]: tensor<2x2x24x64xf32>, %[[V:.*]]: tensor<2x2x24x32xf32>
// CHECK: scf.forall (%[[B:.*]], %[[H:.*]], %[[N:.*]]) in (2, 8, 4)
// CHECK: %[[I:.*]] = affine.apply #[[BLOCK]](%[[N]])
// CHECK: %[[G:.*]] = affine.apply #[[GROUP]]()[%[[H]]]
// CHECK-DAG: %[[QT:.*]] = tensor.extract_slice %[[Q]][%[[B]], %[[H]], %[[I]], 0] [1, 1, 4, 64]
// CHECK-DAG: %[[KT:.*]] = tensor.extract_slice %[[K]][%[[B]], %[[G]], 0, 0] [1, 1, 24, 64]
// CHECK-DAG: %[[VT:.*]] = tensor.extract_slice %[[V]][%[[B]], %[[G]], 0, 0] [1, 1, 24, 32]
// CHECK-DAG: %[[BT:.*]] = attn.bias.slice %{{.*}}[%[[B]], %[[H]], %[[I]], %c0]
// CHECK-DAG: %[[MT:.*]] = attn.mask.slice %{{.*}}[%[[B]], %[[H]], %[[I]], %c0]
// CHECK: attn.attention query(%[[QT]] : tensor<1x1x4x64xf32>) key(%[[KT]] : tensor<1x1x24x64xf32>) value(%[[VT]] : tensor<1x1x24x32xf32>) bias(%[[BT]]) mask(%[[MT]])
// CHECK-SAME: rotate_query(%{{.*}}, %{{.*}} : tensor<1x4x32xf32>, tensor<1x4x32xf32>) rotate_key(%{{.*}}, %{{.*}} : tensor<1x24x32xf32>, tensor<1x24x32xf32>)
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<1x1x4x32xf32>, tensor<1x1x4xf32>)
// CHECK: ^bb0(%{{.*}}: f32, %[[SB:.*]]: index, %{{.*}}: index, %[[SI:.*]]: index, %[[SJ:.*]]: index):
// CHECK-DAG: arith.addi %[[SI]], %[[I]]
// CHECK-DAG: arith.addi %[[SB]], %[[B]]
// CHECK-NOT: arith.addi %[[SJ]]
// CHECK: scf.forall.in_parallel
// CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[B]], %[[H]], %[[I]], 0] [1, 1, 4, 32]
// CHECK: tensor.parallel_insert_slice %{{.*}} into %{{.*}}[%[[B]], %[[H]], %[[I]]] [1, 1, 4]
func.func @attention(%q: tensor<2x8x16x64xf32>, %k: tensor<2x2x24x64xf32>, %v: tensor<2x2x24x32xf32>,
                     %out: tensor<2x8x16x32xf32>, %lse: tensor<2x8x16xf32>, %bias: !attn.bias, %mask: !attn.mask,
                     %qc: tensor<2x16x32xf32>, %kc: tensor<1x24x32xf32>) -> (tensor<2x8x16x32xf32>, tensor<2x8x16xf32>) {
  %0:2 = attn.attention query(%q : tensor<2x8x16x64xf32>) key(%k : tensor<2x2x24x64xf32>) value(%v : tensor<2x2x24x32xf32>)
    bias(%bias) mask(%mask) rotate_query(%qc, %qc : tensor<2x16x32xf32>, tensor<2x16x32xf32>)
    rotate_key(%kc, %kc : tensor<1x24x32xf32>, tensor<1x24x32xf32>)
    outs(%out, %lse : tensor<2x8x16x32xf32>, tensor<2x8x16xf32>)
    {query_rotation = #attn.rotation<split_half>, key_rotation = #attn.rotation<split_half>} score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      %sum = arith.addi %i, %b : index
      %all = arith.addi %sum, %j : index
      %integer = arith.index_cast %all : index to i64
      %value = arith.sitofp %integer : i64 to f32
      %score = arith.addf %s, %value : f32
      attn.yield %score : f32
    }
  return %0#0, %0#1 : tensor<2x8x16x32xf32>, tensor<2x8x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [1, 1, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Sizes that are not known, and a batch of one, which no tile cuts.

// CHECK-LABEL: func @dynamic(
// CHECK-DAG: %[[HQ:.*]] = tensor.dim %{{.*}}, %c1
// CHECK: scf.for %[[H:.*]] = %c0 to
// CHECK: scf.for %[[I:.*]] = %c0 to
// CHECK: %[[G:.*]] = affine.apply #{{.*}}()[%[[H]], %{{.*}}, %{{.*}}]
// CHECK: tensor.extract_slice %{{.*}}[0, %[[G]], 0, 0] [1, 1, %{{.*}}, %{{.*}}]
// CHECK: attn.attention query(%{{.*}} : tensor<1x1x?x?xf32>) key(%{{.*}} : tensor<1x1x?x?xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, %[[H]], %[[I]], 0] [1, 1, %{{.*}}, %{{.*}}] {{.*}} : tensor<1x1x?x?xf32> into tensor<1x?x?x?xf32>
func.func @dynamic(%q: tensor<1x?x?x?xf32>, %k: tensor<1x?x?x?xf32>) -> tensor<1x?x?x?xf32> {
  %0 = attn.attention query(%q : tensor<1x?x?x?xf32>) key(%k : tensor<1x?x?x?xf32>) value(%k : tensor<1x?x?x?xf32>)
    outs(%q : tensor<1x?x?x?xf32>)
  return %0 : tensor<1x?x?x?xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:3 = transform.structured.tile_using_for %op tile_sizes [4, 1, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// All heads are one tile; keys without elements are made anew, because no slice
// of nothing is legal.

// CHECK-LABEL: func @heads(
// CHECK: %[[NONE:.*]] = tensor.empty() : tensor<1x3x0x8xf32>
// CHECK: attn.attention query(%{{.*}} : tensor<1x6x2x8xf32>) key(%[[NONE]] : tensor<1x3x0x8xf32>)
func.func @heads(%q: tensor<1x6x4x8xf32>, %k: tensor<1x3x0x8xf32>) -> tensor<1x6x4x8xf32> {
  %0 = attn.attention query(%q : tensor<1x6x4x8xf32>) key(%k : tensor<1x3x0x8xf32>) value(%k : tensor<1x3x0x8xf32>) outs(%q : tensor<1x6x4x8xf32>)
  return %0 : tensor<1x6x4x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The encodings: a rotation moves its tables with the tokens; positions count
// from the first token of the tile, also of a tile of a tile.

// CHECK-LABEL: func @encodings(
// CHECK-SAME: %{{.*}}: tensor<2x8xi64>, %[[FIRST:.*]]: index
// CHECK: scf.for %[[T:.*]] = %c0 to %c8 step %c2
// CHECK:   attn.positions left_padding(%{{.*}} : tensor<2xi64>) first(%[[T]]) outs(%{{.*}} : tensor<2x2xi64>)
// CHECK: scf.for %[[U:.*]] = %c0 to %c8 step %c2
// CHECK:   %[[SUM:.*]] = arith.addi %[[FIRST]], %[[U]]
// CHECK:   attn.positions first(%[[SUM]]) outs(%{{.*}} : tensor<2x2xi64>)
// CHECK: attn.learned_position table(%{{.*}} : tensor<32x4xf32>) positions(%{{.*}} : tensor<1x8xi64>) outs(%{{.*}} : tensor<1x8x4xf32>)
// CHECK: attn.rotary_table positions(%{{.*}} : tensor<2x4xi64>) frequencies(%{{.*}} : tensor<4xf32>) outs(%{{.*}}, %{{.*}} : tensor<2x4x4xf32>, tensor<2x4x4xf32>)
// CHECK: scf.for %[[B:.*]] = %c0 to %c2
// CHECK: scf.for %[[H:.*]] = %c0 to %c3
// CHECK: scf.for %[[S:.*]] = %c0 to %c8
// CHECK-DAG: tensor.extract_slice %{{.*}}[%[[B]], %[[H]], %[[S]], 0] [1, 1, 4, 8]
// CHECK-DAG: tensor.extract_slice %{{.*}}[0, %[[S]], 0] [1, 4, 4]
// CHECK: attn.rotary split_half
func.func @encodings(%p: tensor<2x8xi64>, %first: index, %pad: tensor<2xi64>, %t: tensor<32x4xf32>, %e: tensor<2x8x4xf32>, %f: tensor<4xf32>,
                     %c: tensor<2x8x4xf32>, %x: tensor<2x3x8x8xf32>, %one: tensor<1x8x4xf32>)
    -> (tensor<2x8xi64>, tensor<2x8xi64>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x3x8x8xf32>) {
  %0 = attn.positions left_padding(%pad : tensor<2xi64>) outs(%p : tensor<2x8xi64>) {positions}
  %1 = attn.positions first(%first) outs(%p : tensor<2x8xi64>) {positions}
  %2 = attn.learned_position table(%t : tensor<32x4xf32>) positions(%p : tensor<2x8xi64>) outs(%e : tensor<2x8x4xf32>)
  %3:2 = attn.rotary_table positions(%p : tensor<2x8xi64>) frequencies(%f : tensor<4xf32>) outs(%c, %c : tensor<2x8x4xf32>, tensor<2x8x4xf32>)
  %4 = attn.rotary split_half %x, %one, %one : tensor<2x3x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%x : tensor<2x3x8x8xf32>)
  return %0, %1, %2, %3#0, %3#1, %4 : tensor<2x8xi64>, tensor<2x8xi64>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x8x4xf32>, tensor<2x3x8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %p = transform.structured.match attributes {positions} in %root : (!transform.any_op) -> !transform.any_op
    %p1, %p2 = transform.structured.tile_using_for %p tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %l = transform.structured.match ops{["attn.learned_position"]} in %root : (!transform.any_op) -> !transform.any_op
    %l1, %l2 = transform.structured.tile_using_for %l tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %t = transform.structured.match ops{["attn.rotary_table"]} in %root : (!transform.any_op) -> !transform.any_op
    %t1, %t2 = transform.structured.tile_using_for %t tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %r = transform.structured.match ops{["attn.rotary"]} in %root : (!transform.any_op) -> !transform.any_op
    %r1, %r2:3 = transform.structured.tile_using_for %r tile_sizes [1, 1, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A consumer that cuts the head dimension gets the whole rotation, not a torn
// pair.

// CHECK-LABEL: func @head_dimension(
// CHECK: scf.forall
// CHECK: %[[X:.*]] = attn.rotary split_half {{.*}} outs(%{{.*}} : tensor<1x2x8x8xf32>)
// CHECK: tensor.extract_slice %[[X]][0, 0, 0, %{{.*}}] [1, 2, 8, 4]
func.func @head_dimension(%x: tensor<1x2x8x8xf32>, %c: tensor<1x8x4xf32>, %e: tensor<1x2x8x8xf32>, %out: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %0 = attn.rotary split_half %x, %c, %c : tensor<1x2x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%e : tensor<1x2x8x8xf32>)
  %1 = linalg.negf ins(%0 : tensor<1x2x8x8xf32>) outs(%out : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  return %1 : tensor<1x2x8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.negf"]} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match ops{["attn.rotary"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %producer into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A materialized mask also tiles along the keys.

// CHECK-LABEL: func @materialize(
// CHECK: scf.for %[[I:.*]] = %c0 to %c8 step %c4
// CHECK: scf.for %[[J:.*]] = %c0 to %c12 step %c6
// CHECK: %[[M:.*]] = attn.mask.slice %{{.*}}[%c0, %c0, %[[I]], %[[J]]]
// CHECK: attn.materialize %[[M]] : !attn.mask outs(%{{.*}} : tensor<1x1x4x6xi1>)
func.func @materialize(%m: !attn.mask, %out: tensor<1x1x8x12xi1>) -> tensor<1x1x8x12xi1> {
  %0 = attn.materialize %m : !attn.mask outs(%out : tensor<1x1x8x12xi1>)
  return %0 : tensor<1x1x8x12xi1>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.materialize"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [0, 0, 4, 6] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The rotation of the query is a producer that fuses into the tiles.

// CHECK-LABEL: func @fuse(
// CHECK: scf.forall
// CHECK:   attn.rotary split_half {{.*}} : tensor<1x1x4x8xf32>, tensor<1x4x4xf32>, tensor<1x4x4xf32>
// CHECK:   attn.attention query(%{{.*}} : tensor<1x1x4x8xf32>)
func.func @fuse(%q: tensor<1x2x8x8xf32>, %k: tensor<1x2x8x8xf32>, %c: tensor<1x8x4xf32>, %e: tensor<1x2x8x8xf32>, %out: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %0 = attn.rotary split_half %q, %c, %c : tensor<1x2x8x8xf32>, tensor<1x8x4xf32>, tensor<1x8x4xf32> outs(%e : tensor<1x2x8x8xf32>)
  %1 = attn.attention query(%0 : tensor<1x2x8x8xf32>) key(%k : tensor<1x2x8x8xf32>) value(%k : tensor<1x2x8x8xf32>) outs(%out : tensor<1x2x8x8xf32>)
  return %1 : tensor<1x2x8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match ops{["attn.rotary"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [1, 1, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %producer into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Memrefs tile into views.

// CHECK-LABEL: func @memrefs(
// CHECK: scf.for %[[I:.*]] = %c0 to %c8 step %c4
// CHECK: %[[VIEW:.*]] = memref.subview %{{.*}}[0, 0, %[[I]], 0] [1, 2, 4, 8]
// CHECK: attn.rotary split_half %[[VIEW]]
func.func @memrefs(%x: memref<1x2x8x8xf32>, %c: memref<1x8x4xf32>, %out: memref<1x2x8x8xf32>) {
  attn.rotary split_half %x, %c, %c : memref<1x2x8x8xf32>, memref<1x8x4xf32>, memref<1x8x4xf32> outs(%out : memref<1x2x8x8xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.rotary"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Whole groups of query heads have whole key/value heads, whether the loop is
// normalised or not.

// CHECK-DAG: #[[GROUP:.*]] = affine_map<()[s0] -> (s0 floordiv 2)>
// CHECK-LABEL: func @groups(
// CHECK-SAME: %[[Q:.*]]: tensor<1x8x4x8xf32>, %[[K:.*]]: tensor<1x4x4x8xf32>
// CHECK: scf.for %[[H:.*]] = %c0 to %c8 step %c4
// CHECK: %[[G:.*]] = affine.apply #[[GROUP]]()[%[[H]]]
// CHECK-DAG: tensor.extract_slice %[[Q]][0, %[[H]], 0, 0] [1, 4, 4, 8]
// CHECK-DAG: tensor.extract_slice %[[K]][0, %[[G]], 0, 0] [1, 2, 4, 8]
func.func @groups(%q: tensor<1x8x4x8xf32>, %k: tensor<1x4x4x8xf32>) -> tensor<1x8x4x8xf32> {
  %0 = attn.attention query(%q : tensor<1x8x4x8xf32>) key(%k : tensor<1x4x4x8xf32>) value(%k : tensor<1x4x4x8xf32>) outs(%q : tensor<1x8x4x8xf32>)
  return %0 : tensor<1x8x4x8xf32>
}
// CHECK-LABEL: func @normalised(
// CHECK-SAME: %[[Q:.*]]: tensor<1x8x4x8xf32>, %[[K:.*]]: tensor<1x4x4x8xf32>
// CHECK: scf.forall
// CHECK-DAG: tensor.extract_slice %[[Q]][0, %{{.*}}, 0, 0] [1, 2, 4, 8]
// CHECK-DAG: tensor.extract_slice %[[K]][0, %{{.*}}, 0, 0] [1, 1, 4, 8]
func.func @normalised(%q: tensor<1x8x4x8xf32>, %k: tensor<1x4x4x8xf32>) -> tensor<1x8x4x8xf32> {
  %0 = attn.attention query(%q : tensor<1x8x4x8xf32>) key(%k : tensor<1x4x4x8xf32>) value(%k : tensor<1x4x4x8xf32>) outs(%q : tensor<1x8x4x8xf32>)
  return %0 : tensor<1x8x4x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %ops : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled, %loop = transform.structured.tile_using_for %first tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tile, %forall = transform.structured.tile_using_forall %second tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
