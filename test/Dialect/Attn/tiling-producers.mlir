// RUN: attn-opt %s -transform-interpreter -canonicalize -cse -split-input-file | FileCheck %s

// Every op on tensors fuses into a loop over tiles of its user: a tile of its
// result is made by the op on tiles of its operands.

// CHECK-LABEL: func.func @attention(
// CHECK-NOT: = attn.attention
// CHECK: scf.forall
// CHECK: attn.attention query(%{{.*}} : tensor<1x1x4x8xf32>) key(%{{.*}} : tensor<1x1x6x8xf32>) value(%{{.*}} : tensor<1x1x6x8xf32>) outs(%{{.*}} : tensor<1x1x4x8xf32>)
// CHECK: linalg.generic
// CHECK-NOT: = attn.attention
func.func @attention(%q: tensor<1x2x8x8xf32>, %k: tensor<1x2x6x8xf32>, %out: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %0 = attn.attention query(%q : tensor<1x2x8x8xf32>) key(%k : tensor<1x2x6x8xf32>) value(%k : tensor<1x2x6x8xf32>) outs(%q : tensor<1x2x8x8xf32>)
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x2x8x8xf32>) outs(%out : tensor<1x2x8x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %x : f32
    linalg.yield %z : f32
  } -> tensor<1x2x8x8xf32>
  return %1 : tensor<1x2x8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %user = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %user tile_sizes [0, 1, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %producer into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @learned_position(
// CHECK-NOT: = attn.learned_position
// CHECK: scf.forall
// CHECK: attn.learned_position table(%{{.*}} : tensor<9x4xf32>) positions(%{{.*}} : tensor<2x4xi64>) outs(%{{.*}} : tensor<2x4x4xf32>)
// CHECK: linalg.generic
// CHECK-NOT: = attn.learned_position
func.func @learned_position(%t: tensor<9x4xf32>, %p: tensor<2x8xi64>, %o: tensor<2x8x4xf32>, %out: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %0 = attn.learned_position table(%t : tensor<9x4xf32>) positions(%p : tensor<2x8xi64>) outs(%o : tensor<2x8x4xf32>)
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0 : tensor<2x8x4xf32>) outs(%out : tensor<2x8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %x : f32
    linalg.yield %z : f32
  } -> tensor<2x8x4xf32>
  return %1 : tensor<2x8x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %user = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match ops{["attn.learned_position"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %user tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %producer into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @materialize(
// CHECK-NOT: = attn.materialize
// CHECK: scf.forall
// CHECK: attn.materialize %{{.*}} : !attn.bias outs(%{{.*}} : tensor<1x1x4x6xf32>)
// CHECK: linalg.generic
// CHECK-NOT: = attn.materialize
func.func @materialize(%b: !attn.bias, %o: tensor<1x1x8x12xf32>, %out: tensor<1x1x8x12xf32>) -> tensor<1x1x8x12xf32> {
  %0 = attn.materialize %b : !attn.bias outs(%o : tensor<1x1x8x12xf32>)
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0 : tensor<1x1x8x12xf32>) outs(%out : tensor<1x1x8x12xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %x : f32
    linalg.yield %z : f32
  } -> tensor<1x1x8x12xf32>
  return %1 : tensor<1x1x8x12xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %user = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match ops{["attn.materialize"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %user tile_sizes [0, 0, 4, 6] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %producer into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @rotary_table(
// CHECK-NOT: = attn.rotary_table
// CHECK: scf.forall
// CHECK: attn.rotary_table positions(%{{.*}} : tensor<1x4xi64>) rule(<default, dim = 8, base = 1.000000e+02>) outs(%{{.*}}, %{{.*}} : tensor<1x4x4xf32>, tensor<1x4x4xf32>)
// CHECK: linalg.generic
// CHECK-NOT: = attn.rotary_table
func.func @rotary_table(%p: tensor<1x8xi64>, %o: tensor<1x8x4xf32>, %out: tensor<1x8x4xf32>) -> tensor<1x8x4xf32> {
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(<default, dim = 8, base = 100.0>) outs(%o, %o : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%0#0 : tensor<1x8x4xf32>) outs(%out : tensor<1x8x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %x : f32
    linalg.yield %z : f32
  } -> tensor<1x8x4xf32>
  return %1 : tensor<1x8x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %user = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match ops{["attn.rotary_table"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %user tile_sizes [0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %producer into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @positions(
// CHECK-NOT: = attn.positions
// CHECK: scf.forall
// CHECK: attn.positions first(%{{.*}}) outs(%{{.*}} : tensor<1x4xi64>)
// CHECK: linalg.generic
// CHECK-NOT: = attn.positions
func.func @positions(%p: tensor<2x8xi64>, %out: tensor<2x8xi64>) -> tensor<2x8xi64> {
  %0 = attn.positions outs(%p : tensor<2x8xi64>)
  %1 = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<2x8xi64>) outs(%out : tensor<2x8xi64>) {
  ^bb0(%x: i64, %y: i64):
    %z = arith.addi %x, %x : i64
    linalg.yield %z : i64
  } -> tensor<2x8xi64>
  return %1 : tensor<2x8xi64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %user = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match ops{["attn.positions"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %user tile_sizes [1, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %producer into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
