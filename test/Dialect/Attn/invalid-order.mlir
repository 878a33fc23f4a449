// Ops are verified in the order in which they stand. A verifier does not look
// into operands that come later, which may have no value or no operands at all.

// RUN: attn-opt %s -verify-diagnostics -split-input-file

module @start_in_a_graph_region {
  %cache = attn.cache_append new(%rows : tensor<1x1x1x8xf32>) start(%start : index) outs(%old : tensor<1x1x4x8xf32>)
  // expected-error@+1 {{'arith.constant' op requires attribute 'value'}}
  %start = "arith.constant"() : () -> index
  %rows = tensor.empty() : tensor<1x1x1x8xf32>
  %old = tensor.empty() : tensor<1x1x4x8xf32>
}

// -----

module @targets_in_a_graph_region {
  %loss = attn.cross_entropy logits(%logits : tensor<2x4xf32>) targets(%targets : tensor<2xi64>) outs(%sum : tensor<f32>)
  // expected-error@+1 {{'arith.constant' op requires attribute 'value'}}
  %targets = "arith.constant"() : () -> tensor<2xi64>
  %logits = tensor.empty() : tensor<2x4xf32>
  %sum = tensor.empty() : tensor<f32>
}

// -----

module @positions_in_a_graph_region {
  %embedding = attn.learned_position table(%table : tensor<2x4xf32>) positions(%positions : tensor<1x8xi64>) outs(%out : tensor<1x8x4xf32>)
  // expected-error@+1 {{'arith.constant' op requires attribute 'value'}}
  %positions = "arith.constant"() : () -> tensor<1x8xi64>
  %table = tensor.empty() : tensor<2x4xf32>
  %out = tensor.empty() : tensor<1x8x4xf32>
}

// -----

func.func @behind_its_use(%rows: tensor<1x1x1x8xf32>, %old: tensor<1x1x4x8xf32>) {
  %cache = attn.cache_append new(%rows : tensor<1x1x1x8xf32>) start(%start : index) outs(%old : tensor<1x1x4x8xf32>)
  // expected-error@+1 {{'arith.constant' op requires attribute 'value'}}
  %start = "arith.constant"() : () -> index
  return
}

// -----

// The block of the constant dominates the other one, but stands behind it.

func.func @in_a_later_block(%logits: tensor<2x4xf32>, %sum: tensor<f32>) {
  cf.br ^first
^second:
  %loss = attn.cross_entropy logits(%logits : tensor<2x4xf32>) targets(%targets : tensor<2xi64>) outs(%sum : tensor<f32>)
  return
^first:
  // expected-error@+1 {{'arith.constant' op requires attribute 'value'}}
  %targets = "arith.constant"() : () -> tensor<2xi64>
  cf.br ^second
}

// -----

func.func @positions_in_a_later_block(%table: tensor<2x4xf32>, %ids: tensor<1x8xi64>, %out: tensor<1x8x4xf32>) {
  cf.br ^first
^second:
  %embedding = attn.learned_position table(%table : tensor<2x4xf32>) positions(%positions : tensor<1x8xi64>) outs(%out : tensor<1x8x4xf32>)
  return
^first:
  // expected-error@+1 {{'attn.positions' op operand count (1) does not match with the total size (4) specified in attribute 'operandSegmentSizes'}}
  %positions = "attn.positions"(%ids) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (tensor<1x8xi64>) -> tensor<1x8xi64>
  cf.br ^second
}

// -----

// What comes before is looked at, from other blocks and regions too.

func.func @from_the_first_block(%rows: tensor<1x1x1x8xf32>, %old: tensor<1x1x4x8xf32>, %c: i1) {
  %start = arith.constant 9 : index
  cf.cond_br %c, ^then, ^end
^then:
  scf.if %c {
    // expected-error@+1 {{'attn.cache_append' op expects a 'start' of at most 3, for 1 rows in a cache of 4, got 9}}
    %cache = attn.cache_append new(%rows : tensor<1x1x1x8xf32>) start(%start : index) outs(%old : tensor<1x1x4x8xf32>)
  }
  cf.br ^end
^end:
  return
}
