// What a schedule cannot do is an error that says why.
// RUN: attn-opt --transform-interpreter --split-input-file --verify-diagnostics %s

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %attention = transform.structured.match ops{["attn.attention"]} in %root
      : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expects an attention with a plan}}
    %tile, %loop = transform.attn.tile_attention %attention
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @no_plan(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
    // expected-note @below {{got this one}}
    %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
      key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>) outs(%o : tensor<1x1x8x64xf32>)
    return %attention : tensor<1x1x8x64xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %attention = transform.structured.match ops{["attn.attention"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.attn.plan %attention : !transform.any_op
    // expected-error @below {{expects an attention on tensors}}
    %tile, %loop = transform.attn.tile_attention %attention
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @memrefs(%q: memref<1x1x8x64xf32>, %o: memref<1x1x8x64xf32>) {
    // expected-note @below {{got this one}}
    attn.attention query(%q : memref<1x1x8x64xf32>)
      key(%q : memref<1x1x8x64xf32>) value(%q : memref<1x1x8x64xf32>) outs(%o : memref<1x1x8x64xf32>)
    return
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %attention = transform.structured.match ops{["attn.attention"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.attn.plan %attention : !transform.any_op
    // expected-error @below {{expects an output with elements}}
    %tile, %loop = transform.attn.tile_attention %attention
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @no_query(%q: tensor<1x1x0x64xf32>, %k: tensor<1x1x8x64xf32>, %o: tensor<1x1x0x64xf32>)
      -> tensor<1x1x0x64xf32> {
    // expected-note @below {{got this one}}
    %attention = attn.attention query(%q : tensor<1x1x0x64xf32>)
      key(%k : tensor<1x1x8x64xf32>) value(%k : tensor<1x1x8x64xf32>) outs(%o : tensor<1x1x0x64xf32>)
    return %attention : tensor<1x1x0x64xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{transform applied to the wrong op kind}}
    transform.attn.plan %func : !transform.any_op
    transform.yield
  }
  // expected-note @below {{when applied to this op}}
  func.func @wrong_op() {
    return
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{expects 'bits' to be a power of two from 128 to 2048, got 100}}
    transform.attn.plan %root bits = 100 : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{expects 'bits' to be a power of two from 128 to 2048, got -8}}
    transform.attn.plan %root bits = -8 : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // 512 and a bit that no 32-bit number has.
    // expected-error @below {{expects 'bits' to be a power of two from 128 to 2048, got 4294967808}}
    transform.attn.plan %root bits = 4294967808 : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{expects 'registers' to be from 8 to 64, got -1}}
    transform.attn.plan %root registers = -1 : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{expects either a plan or the registers of a target}}
    transform.attn.plan %root bits = 256 to <query_block = 16, key_block = 64, rows = 4> : !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-note @below {{handle to invalidated ops}}
    %attention = transform.structured.match ops{["attn.attention"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.attn.plan %attention : !transform.any_op
    // expected-note @below {{invalidated by this transform op that consumes its operand #0}}
    %tile, %loop = transform.attn.tile_attention %attention
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // expected-error @below {{uses a handle invalidated by a previously executed transform op}}
    transform.attn.plan %attention : !transform.any_op
    transform.yield
  }
  func.func @consumed(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
    // expected-note @below {{ancestor payload op}}
    // expected-note @below {{nested payload op}}
    %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
      key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>) outs(%o : tensor<1x1x8x64xf32>)
    return %attention : tensor<1x1x8x64xf32>
  }
}
