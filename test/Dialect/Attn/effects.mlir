// Ops on tensors are pure: equal ones are one, unused ones go, and invariant
// ones leave loops.

// RUN: attn-opt %s -cse -loop-invariant-code-motion -split-input-file | FileCheck %s

// CHECK-LABEL: func @pure(
// CHECK: attn.attention
// CHECK-NOT: attn.attention
// CHECK: scf.for
func.func @pure(%q: tensor<1x2x4x8xf32>, %n: index) -> (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>)
  %1 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>)
  %unused = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%1 : tensor<1x2x4x8xf32>) outs(%q : tensor<1x2x4x8xf32>)
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %0) -> tensor<1x2x4x8xf32> {
    %sum = arith.addf %x, %1 : tensor<1x2x4x8xf32>
    scf.yield %sum : tensor<1x2x4x8xf32>
  }
  return %0, %2 : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>
}

// -----

// CHECK-LABEL: func @hoisted(
// CHECK: attn.positions
// CHECK: attn.rotary_table
// CHECK: attn.rotary split_half
// CHECK: attn.attention
// CHECK: scf.for
// CHECK-NEXT: arith.addf
func.func @hoisted(%q: tensor<1x2x4x8xf32>, %p: tensor<1x4xi64>, %c: tensor<1x4x4xf32>, %n: index) -> tensor<1x2x4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %q) -> tensor<1x2x4x8xf32> {
    %positions = attn.positions outs(%p : tensor<1x4xi64>)
    %table:2 = attn.rotary_table positions(%positions : tensor<1x4xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
      outs(%c, %c : tensor<1x4x4xf32>, tensor<1x4x4xf32>)
    %rotated = attn.rotary split_half %q, %table#0, %table#1 : tensor<1x2x4x8xf32>, tensor<1x4x4xf32>, tensor<1x4x4xf32> outs(%q : tensor<1x2x4x8xf32>)
    %mask = attn.mask.causal
    %a = attn.attention query(%rotated : tensor<1x2x4x8xf32>) key(%rotated : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>) mask(%mask)
      outs(%q : tensor<1x2x4x8xf32>) score {
      ^bb0(%s: f32, %b: index, %h: index, %qi: index, %ki: index):
        %twice = arith.addf %s, %s : f32
        attn.yield %twice : f32
      }
    %sum = arith.addf %x, %a : tensor<1x2x4x8xf32>
    scf.yield %sum : tensor<1x2x4x8xf32>
  }
  return %0 : tensor<1x2x4x8xf32>
}

// -----

// A position outside of the table is an error at run time: the loop may run no
// iteration. Positions that are known to be inside are no danger.

// CHECK-LABEL: func @learned(
// CHECK: attn.learned_position table(%{{.*}} : tensor<32x4xf32>) positions(%[[KNOWN:.*]] : tensor<1x8xi64>)
// CHECK: scf.for
// CHECK-NEXT: attn.learned_position table(%{{.*}} : tensor<32x4xf32>) positions(%[[UNKNOWN:.*]] : tensor<1x8xi64>)
func.func @learned(%t: tensor<32x4xf32>, %i: tensor<1x8xi64>, %unknown: tensor<1x8xi64>, %o: tensor<1x8x4xf32>, %n: index) -> tensor<1x8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %known = attn.positions offset(%c24 : index) outs(%i : tensor<1x8xi64>)
  %0 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %o) -> tensor<1x8x4xf32> {
    %a = attn.learned_position table(%t : tensor<32x4xf32>) positions(%known : tensor<1x8xi64>) outs(%o : tensor<1x8x4xf32>)
    %b = attn.learned_position table(%t : tensor<32x4xf32>) positions(%unknown : tensor<1x8xi64>) outs(%o : tensor<1x8x4xf32>)
    %sum = arith.addf %a, %b : tensor<1x8x4xf32>
    %next = arith.addf %x, %sum : tensor<1x8x4xf32>
    scf.yield %next : tensor<1x8x4xf32>
  }
  return %0 : tensor<1x8x4xf32>
}

// -----

// On memrefs every op stays: it writes.

// CHECK-LABEL: func @memrefs(
// CHECK: scf.for
// CHECK-COUNT-2: attn.attention
func.func @memrefs(%q: memref<1x2x4x8xf32>, %o: memref<1x2x4x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    attn.attention query(%q : memref<1x2x4x8xf32>) key(%q : memref<1x2x4x8xf32>) value(%q : memref<1x2x4x8xf32>) outs(%o : memref<1x2x4x8xf32>)
    attn.attention query(%q : memref<1x2x4x8xf32>) key(%q : memref<1x2x4x8xf32>) value(%q : memref<1x2x4x8xf32>) outs(%o : memref<1x2x4x8xf32>)
  }
  return
}
