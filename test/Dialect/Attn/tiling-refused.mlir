// Query heads that may start inside a group have no key/value heads of their own.

// RUN: attn-opt %s -transform-interpreter -verify-diagnostics -split-input-file

func.func @inside_group(%q: tensor<1x8x4x8xf32>, %k: tensor<1x2x4x8xf32>) -> tensor<1x8x4x8xf32> {
  // expected-error@+2 {{to tile operation}}
  // expected-error@+1 {{'attn.attention' op failed to generate tiling loops}}
  %0 = attn.attention query(%q : tensor<1x8x4x8xf32>) key(%k : tensor<1x2x4x8xf32>) value(%k : tensor<1x2x4x8xf32>) outs(%q : tensor<1x8x4x8xf32>)
  return %0 : tensor<1x8x4x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Results without elements need no tiles, and no slice of them is legal.

func.func @no_heads(%q: tensor<1x0x4x8xf32>) -> tensor<1x0x4x8xf32> {
  // expected-error@+2 {{to tile operation}}
  // expected-error@+1 {{'attn.attention' op failed to generate tiling loops}}
  %0 = attn.attention query(%q : tensor<1x0x4x8xf32>) key(%q : tensor<1x0x4x8xf32>) value(%q : tensor<1x0x4x8xf32>) outs(%q : tensor<1x0x4x8xf32>)
  return %0 : tensor<1x0x4x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
