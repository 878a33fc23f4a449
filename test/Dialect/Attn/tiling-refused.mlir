// A tile that an op does not have is refused, with the reason in a remark.

// RUN: attn-opt %s -transform-interpreter -verify-diagnostics -split-input-file \
// RUN:   --remarks-filter=attn-tile --remark-format=emitRemark

// Query heads that may start inside a group have no key/value heads of their own.

func.func @inside_group(%q: tensor<1x8x4x8xf32>, %k: tensor<1x2x4x8xf32>) -> tensor<1x8x4x8xf32> {
  // expected-remark@+3 {{Category:attn-tile | Reason="a tile of query heads may start inside a group of those that share a key head"}}
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
  // expected-remark@+3 {{Category:attn-tile | Reason="'outs' has a dimension of size 0, of which no slice is legal"}}
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

// -----

// Inputs that are memrefs cannot be made anew.

func.func @no_keys(%q: memref<1x2x4x8xf32>, %k: memref<1x2x0x8xf32>, %o: memref<1x2x4x8xf32>) {
  // expected-remark@+3 {{Category:attn-tile | Reason="input memref<1x2x0x8xf32> has a dimension of size 0, of which no slice is legal"}}
  // expected-error@+2 {{to tile operation}}
  // expected-error@+1 {{'attn.attention' op failed to generate tiling loops}}
  attn.attention query(%q : memref<1x2x4x8xf32>) key(%k : memref<1x2x0x8xf32>) value(%k : memref<1x2x0x8xf32>) outs(%o : memref<1x2x4x8xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A head dimension is never cut: each tile of the user needs the whole attention.

func.func @features(%q: tensor<1x2x8x8xf32>, %out: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  // expected-remark@+1 {{Category:attn-tile | Reason="a tile of result 0 cuts dimension 3, which stays whole"}}
  %0 = attn.attention query(%q : tensor<1x2x8x8xf32>) key(%q : tensor<1x2x8x8xf32>) value(%q : tensor<1x2x8x8xf32>) outs(%q : tensor<1x2x8x8xf32>)
  %1 = linalg.exp ins(%0 : tensor<1x2x8x8xf32>) outs(%out : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  return %1 : tensor<1x2x8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %user = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %producer = transform.structured.match ops{["attn.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %user tile_sizes [0, 0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %producer into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
