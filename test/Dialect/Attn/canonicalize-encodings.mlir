// RUN: attn-opt %s -canonicalize -split-input-file | FileCheck %s

// A row of one segment does not restart. A tile may reach beyond its segments,
// and so may a length that is not known, which is an error to be kept.

// CHECK-LABEL: func @segments(
// CHECK: attn.positions outs(%{{.*}} : tensor<2x4xi64>)
// CHECK-NEXT: attn.positions segments(%{{.*}} : tensor<2x4xi32>) outs(%{{.*}} : tensor<2x4xi64>)
// CHECK-NEXT: attn.positions segments(%{{.*}} : tensor<1x4xi32>) first(%{{.*}}) outs(%{{.*}} : tensor<2x4xi64>)
// CHECK-NEXT: attn.positions segments(%{{.*}} : tensor<1x4xi32>) outs(%{{.*}} : tensor<2x?xi64>)
func.func @segments(%p: tensor<2x4xi64>, %open: tensor<2x?xi64>, %ids: tensor<2x4xi32>, %first: index)
    -> (tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x?xi64>) {
  %one = arith.constant dense<3> : tensor<1x4xi32>
  %0 = attn.positions segments(%one : tensor<1x4xi32>) outs(%p : tensor<2x4xi64>)
  %1 = attn.positions segments(%ids : tensor<2x4xi32>) outs(%p : tensor<2x4xi64>)
  %2 = attn.positions segments(%one : tensor<1x4xi32>) first(%first) outs(%p : tensor<2x4xi64>)
  %3 = attn.positions segments(%one : tensor<1x4xi32>) outs(%open : tensor<2x?xi64>)
  return %0, %1, %2, %3 : tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x4xi64>, tensor<2x?xi64>
}

// -----

// Dynamic NTK for a known number of tokens: up to 16 the base stays; for 24 it
// is that of NTK with a growth of 1 + 2 (24 - 16) / 16.

// CHECK-LABEL: func @known_length(
// CHECK-NOT: length
// CHECK: attn.rotary_table {{.*}} rule(<default, dim = 8, base = 1.000000e+04>) outs
// CHECK: attn.rotary_table {{.*}} rule(<ntk, dim = 8, base = 1.000000e+04, alpha = 2.000000e+00>) outs
// LongRoPE has no rule that says which of its lists is meant.
// CHECK: attn.rotary_table {{.*}} rule(<longrope, {{.*}}>) length(%c24) outs
func.func @known_length(%p: tensor<1x8xi64>, %c: tensor<1x8x4xf32>, %d: tensor<1x8x1xf32>)
    -> (tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x1xf32>) {
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 16.0>)
    length(%c16) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  %1:2 = attn.rotary_table positions(%p : tensor<1x8xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 16.0>)
    length(%c24) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  %2:2 = attn.rotary_table positions(%p : tensor<1x8xi64>)
    rule(#attn.frequencies<longrope, dim = 2, base = 10000.0, original_length = 16.0, short = [1.0], long = [2.0]>)
    length(%c24) outs(%d, %d : tensor<1x8x1xf32>, tensor<1x8x1xf32>)
  return %0#0, %1#0, %2#0 : tensor<1x8x4xf32>, tensor<1x8x4xf32>, tensor<1x8x1xf32>
}

// -----

// A growth that no attribute can hold stays a matter of run time.

// CHECK-LABEL: func @boundless(
// CHECK: attn.rotary_table {{.*}} length(%{{.*}}) outs
func.func @boundless(%p: tensor<1x8xi64>, %c: tensor<1x8x4xf32>) -> tensor<1x8x4xf32> {
  %c24 = arith.constant 24 : index
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 1.0e+308, original_length = 0.001>)
    length(%c24) outs(%c, %c : tensor<1x8x4xf32>, tensor<1x8x4xf32>)
  return %0#0 : tensor<1x8x4xf32>
}

// -----

// Results without elements are their destinations.

// CHECK-LABEL: func @empty(
// CHECK-SAME: %{{.*}}: tensor<0x8xi64>, %[[E:.*]]: tensor<0x8x4xf32>, %[[W:.*]]: tensor<2x3x0xf32>
// CHECK-NEXT: return %[[E]], %[[W]]
func.func @empty(%p: tensor<0x8xi64>, %e: tensor<0x8x4xf32>, %w: tensor<2x3x0xf32>, %q: tensor<2x3xf32>)
    -> (tensor<0x8x4xf32>, tensor<2x3x0xf32>) {
  %0 = attn.sinusoidal interleaved positions(%p : tensor<0x8xi64>) outs(%e : tensor<0x8x4xf32>)
  %1 = attn.sinusoidal concatenated positions(%q : tensor<2x3xf32>) outs(%w : tensor<2x3x0xf32>)
  return %0, %1 : tensor<0x8x4xf32>, tensor<2x3x0xf32>
}

// -----

// CHECK-LABEL: func @empty_learned(
// CHECK-SAME: %[[N:.*]]: tensor<2x0x4xf32>
// CHECK-NEXT: return %[[N]]
func.func @empty_learned(%n: tensor<2x0x4xf32>, %t: tensor<5x4xf32>, %p: tensor<2x0xi64>) -> tensor<2x0x4xf32> {
  %0 = attn.learned_position table(%t : tensor<5x4xf32>) positions(%p : tensor<2x0xi64>) outs(%n : tensor<2x0x4xf32>)
  return %0 : tensor<2x0x4xf32>
}

// -----

// CHECK-LABEL: func @empty_rotary(
// CHECK-SAME: %[[T:.*]]: tensor<2x0x4xf32>, %[[X:.*]]: tensor<2x3x0x8xf32>
// CHECK-NEXT: return %[[T]], %[[T]], %[[X]]
func.func @empty_rotary(%t: tensor<2x0x4xf32>, %x: tensor<2x3x0x8xf32>, %p: tensor<2x0xi64>)
    -> (tensor<2x0x4xf32>, tensor<2x0x4xf32>, tensor<2x3x0x8xf32>) {
  %0:2 = attn.rotary_table positions(%p : tensor<2x0xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%t, %t : tensor<2x0x4xf32>, tensor<2x0x4xf32>)
  %1 = attn.rotary split_half %x, %t, %t : tensor<2x3x0x8xf32>, tensor<2x0x4xf32>, tensor<2x0x4xf32>
    outs(%x : tensor<2x3x0x8xf32>)
  return %0#0, %0#1, %1 : tensor<2x0x4xf32>, tensor<2x0x4xf32>, tensor<2x3x0x8xf32>
}

// -----

// CHECK-LABEL: func @empty_pairs(
// CHECK-SAME: %[[O:.*]]: tensor<1x1x0x4xi1>
// CHECK-NEXT: return %[[O]]
func.func @empty_pairs(%o: tensor<1x1x0x4xi1>) -> tensor<1x1x0x4xi1> {
  %mask = attn.mask.causal
  %0 = attn.materialize %mask : !attn.mask outs(%o : tensor<1x1x0x4xi1>)
  return %0 : tensor<1x1x0x4xi1>
}
