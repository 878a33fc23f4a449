// RUN: attn-opt %s -transform-interpreter -canonicalize -cse -split-input-file | FileCheck %s

// Sinks are cut with the query heads.

// CHECK-LABEL: func @sinks(
// CHECK-SAME: %[[Q:.*]]: tensor<2x8x16x64xf32>, %[[S:.*]]: tensor<8xf16>
// CHECK: scf.forall (%[[B:.*]], %[[H:.*]], %{{.*}}) in (2, 8, 4)
// CHECK: %[[ST:.*]] = tensor.extract_slice %[[S]][%[[H]]] [1] [1] : tensor<8xf16> to tensor<1xf16>
// CHECK: attn.attention {{.*}} sinks(%[[ST]] : tensor<1xf16>) lse_base = two
// CHECK-SAME: prob_type = f16
func.func @sinks(%q: tensor<2x8x16x64xf32>, %s: tensor<8xf16>, %lse: tensor<2x8x16xf32>) -> (tensor<2x8x16x64xf32>, tensor<2x8x16xf32>) {
  %0:2 = attn.attention query(%q : tensor<2x8x16x64xf32>) key(%q : tensor<2x8x16x64xf32>) value(%q : tensor<2x8x16x64xf32>)
    sinks(%s : tensor<8xf16>) lse_base=two outs(%q, %lse : tensor<2x8x16x64xf32>, tensor<2x8x16xf32>) {prob_type = f16}
  return %0#0, %0#1 : tensor<2x8x16x64xf32>, tensor<2x8x16xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [1, 1, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A cache is cut along batches and heads, with the starts of the batches.

// CHECK-LABEL: func @append(
// CHECK-SAME: %[[N:.*]]: tensor<4x8x3x64xf32>, %[[S:.*]]: tensor<4xi64>, %[[C:.*]]: tensor<4x8x32x64xf32>
// CHECK: scf.for %[[B:.*]] = %c0 to %c4 step %c1 iter_args(%[[CB:.*]] = %[[C]])
// CHECK: scf.for %[[H:.*]] = %c0 to %c8 step %c2 iter_args(%[[CH:.*]] = %[[CB]])
// CHECK-DAG: %[[NT:.*]] = tensor.extract_slice %[[N]][%[[B]], %[[H]], 0, 0] [1, 2, 3, 64]
// CHECK-DAG: %[[ST:.*]] = tensor.extract_slice %[[S]][%[[B]]] [1] [1]
// CHECK-DAG: %[[CT:.*]] = tensor.extract_slice %[[CH]][%[[B]], %[[H]], 0, 0] [1, 2, 32, 64]
// CHECK: attn.cache_append new(%[[NT]] : tensor<1x2x3x64xf32>) start(%[[ST]] : tensor<1xi64>) ring outs(%[[CT]] : tensor<1x2x32x64xf32>)
func.func @append(%n: tensor<4x8x3x64xf32>, %s: tensor<4xi64>, %c: tensor<4x8x32x64xf32>) -> tensor<4x8x32x64xf32> {
  %0 = attn.cache_append new(%n : tensor<4x8x3x64xf32>) start(%s : tensor<4xi64>) ring outs(%c : tensor<4x8x32x64xf32>)
  return %0 : tensor<4x8x32x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.cache_append"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [1, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @merge(
// CHECK: scf.forall (%{{.*}}, %[[N:.*]]) in (2, 4)
// CHECK: %[[I:.*]] = affine.apply {{.*}}(%[[N]])
// CHECK-DAG: tensor.extract_slice %{{.*}}[0, %{{.*}}, %[[I]], 0] [1, 1, 2, 6]
// CHECK-DAG: tensor.extract_slice %{{.*}}[0, %{{.*}}, %[[I]]] [1, 1, 2]
// CHECK: attn.merge partials(%{{.*}}, %{{.*}} : tensor<1x1x2x6xf16>, tensor<1x1x2x6xf16>) lses(%{{.*}}, %{{.*}} : tensor<1x1x2xf32>, tensor<1x1x2xf32>)
// CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<1x1x2x6xf32>, tensor<1x1x2xf32>)
func.func @merge(%p: tensor<1x2x8x6xf16>, %r: tensor<1x2x8x6xf16>, %l: tensor<1x2x8xf32>, %out: tensor<1x2x8x6xf32>, %lse: tensor<1x2x8xf32>)
    -> (tensor<1x2x8x6xf32>, tensor<1x2x8xf32>) {
  %0:2 = attn.merge partials(%p, %r : tensor<1x2x8x6xf16>, tensor<1x2x8x6xf16>) lses(%l, %l : tensor<1x2x8xf32>, tensor<1x2x8xf32>)
    outs(%out, %lse : tensor<1x2x8x6xf32>, tensor<1x2x8xf32>)
  return %0#0, %0#1 : tensor<1x2x8x6xf32>, tensor<1x2x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.merge"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op tile_sizes [0, 1, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
