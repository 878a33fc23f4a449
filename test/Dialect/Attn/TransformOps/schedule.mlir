// A schedule plans, tiles, and goes on with the handles that it gets.
// RUN: attn-opt --transform-interpreter %s | FileCheck %s

// CHECK-LABEL: func.func @narrow
// CHECK:       attn.attention {{.*}}{plan = #attn.plan<query_block = 16, key_block = 128, rows = 5>}

// CHECK-LABEL: func.func @wide
// CHECK-NOT:   attn.mask
// CHECK:       attn.rotary
// CHECK:       scf.forall {{.*}} to (2, 8, 128) step (1, 1, 48)
// CHECK:         attn.mask.causal
// CHECK:         attn.mask.slice
// CHECK:         attn.attention {{.*}}plan = #attn.plan<query_block = 48, key_block = 64, rows = 4>
// CHECK-SAME:      tile
// CHECK:       } {loop}

// CHECK-LABEL: func.func @sunk
// CHECK-NEXT:  tensor.empty
// CHECK-NEXT:  %[[MASK:.*]] = attn.mask.causal
// CHECK-NEXT:  attn.attention {{.*}} mask(%[[MASK]])
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %narrow = transform.structured.match ops{["func.func"]} attributes{sym_name = "narrow"}
      in %root : (!transform.any_op) -> !transform.any_op
    %first = transform.structured.match ops{["attn.attention"]} in %narrow
      : (!transform.any_op) -> !transform.any_op
    transform.attn.plan %first bits = 256 registers = 16 : !transform.any_op

    %wide = transform.structured.match ops{["func.func"]} attributes{sym_name = "wide"}
      in %root : (!transform.any_op) -> !transform.any_op
    %second = transform.structured.match ops{["attn.attention"]} in %wide
      : (!transform.any_op) -> !transform.any_op
    transform.attn.plan %second : !transform.any_op
    transform.attn.plan %second to <query_block = 48, key_block = 64, rows = 4> : !transform.any_op
    %tile, %loop = transform.attn.tile_attention %second
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %tile "tile" : !transform.any_op
    transform.annotate %loop "loop" : !transform.any_op

    %sunk = transform.structured.match ops{["func.func"]} attributes{sym_name = "sunk"}
      in %root : (!transform.any_op) -> !transform.any_op
    %third = transform.structured.match ops{["attn.attention"]} in %sunk
      : (!transform.any_op) -> !transform.any_op
    transform.attn.sink_masks %third : !transform.any_op
    transform.yield
  }
  func.func @narrow(%q: tensor<1x1x32x64xf32>, %o: tensor<1x1x32x64xf32>) -> tensor<1x1x32x64xf32> {
    %attention = attn.attention query(%q : tensor<1x1x32x64xf32>)
      key(%q : tensor<1x1x32x64xf32>) value(%q : tensor<1x1x32x64xf32>) outs(%o : tensor<1x1x32x64xf32>)
    return %attention : tensor<1x1x32x64xf32>
  }
  func.func @wide(%q: tensor<2x8x128x64xf32>, %cos: tensor<1x128x32xf32>, %sin: tensor<1x128x32xf32>,
                  %o: tensor<2x8x128x64xf32>) -> tensor<2x8x128x64xf32> {
    %causal = attn.mask.causal
    %attention = attn.attention query(%q : tensor<2x8x128x64xf32>)
      key(%q : tensor<2x8x128x64xf32>) value(%q : tensor<2x8x128x64xf32>) mask(%causal)
      rotate_key(%cos, %sin : tensor<1x128x32xf32>, tensor<1x128x32xf32>)
      outs(%o : tensor<2x8x128x64xf32>) {key_rotation = #attn.rotation<split_half>}
    return %attention : tensor<2x8x128x64xf32>
  }
  func.func @sunk(%q: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
    %causal = attn.mask.causal
    %o = tensor.empty() : tensor<1x1x8x64xf32>
    %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
      key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
      mask(%causal) outs(%o : tensor<1x1x8x64xf32>)
    return %attention : tensor<1x1x8x64xf32>
  }
}
