// Tiles of positions in packed rows, of sinusoidal encodings and of tables over
// several axes.

// RUN: attn-opt %s -transform-interpreter -canonicalize -cse -split-input-file | FileCheck %s

// Segments are cut along batches only: what is in front of the tile decides
// where its first segment began.

// CHECK-LABEL: func @segments(
// CHECK: scf.for %[[B:.*]] = %c0 to %c2
// CHECK: scf.for %[[T:.*]] = %c0 to %c8 step %c4
// CHECK: %[[IDS:.*]] = tensor.extract_slice %{{.*}}[%[[B]], 0] [1, 8] [1, 1]
// CHECK: attn.positions segments(%[[IDS]] : tensor<1x8xi32>) first(%[[T]]) outs(%{{.*}} : tensor<1x4xi64>)
func.func @segments(%ids: tensor<2x8xi32>, %p: tensor<2x8xi64>) -> tensor<2x8xi64> {
  %0 = attn.positions segments(%ids : tensor<2x8xi32>) outs(%p : tensor<2x8xi64>)
  return %0 : tensor<2x8xi64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.positions"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [1, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @sinusoidal(
// CHECK: scf.for %[[T:.*]] = %c0 to %c8 step %c4
// CHECK: tensor.extract_slice %{{.*}}[0, %[[T]]] [2, 4] [1, 1] : tensor<2x8xf32>
// CHECK: attn.sinusoidal concatenated positions(%{{.*}} : tensor<2x4xf32>) cosine_first outs(%{{.*}} : tensor<2x4x6xf32>)
func.func @sinusoidal(%p: tensor<2x8xf32>, %e: tensor<2x8x6xf32>) -> tensor<2x8x6xf32> {
  %0 = attn.sinusoidal concatenated positions(%p : tensor<2x8xf32>) cosine_first outs(%e : tensor<2x8x6xf32>)
  return %0 : tensor<2x8x6xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.sinusoidal"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// All axes of a position stay together.

// CHECK-LABEL: func @axes(
// CHECK: scf.for %[[B:.*]] = %c0 to %c2
// CHECK: scf.for %[[T:.*]] = %c0 to %c8 step %c4
// CHECK: tensor.extract_slice %{{.*}}[0, %[[B]], %[[T]]] [3, 1, 4] [1, 1, 1] : tensor<3x2x8xi64>
// CHECK: attn.rotary_table positions(%{{.*}} : tensor<3x1x4xi64>) rule(<dynamic_ntk, {{.*}}>) sections(<chunked, [1, 1, 2]>) length(%{{.*}}) outs(%{{.*}}, %{{.*}} : tensor<1x4x4xf32>, tensor<1x4x4xf32>)
func.func @axes(%p: tensor<3x2x8xi64>, %length: index, %c: tensor<2x8x4xf32>) -> (tensor<2x8x4xf32>, tensor<2x8x4xf32>) {
  %0:2 = attn.rotary_table positions(%p : tensor<3x2x8xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 64.0>)
    sections(#attn.sections<chunked, [1, 1, 2]>) length(%length) outs(%c, %c : tensor<2x8x4xf32>, tensor<2x8x4xf32>)
  return %0#0, %0#1 : tensor<2x8x4xf32>, tensor<2x8x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.rotary_table"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [1, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
