// The stock tool runs schedules with transform ops of the plugin.
// RUN: mlir-opt %s --load-dialect-plugin=%attn_plugin \
// RUN:   --pass-pipeline='builtin.module(transform-interpreter,canonicalize)' | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK:       scf.forall
// CHECK:         attn.attention
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.attn.fuse
    } : !transform.any_op
    %attention = transform.structured.match ops{["attn.attention"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.attn.plan %attention : !transform.any_op
    %tile, %loop = transform.attn.tile_attention %attention
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @f(%q: tensor<1x1x64x64xf32>, %o: tensor<1x1x64x64xf32>) -> tensor<1x1x64x64xf32> {
    %attention = attn.attention query(%q : tensor<1x1x64x64xf32>)
      key(%q : tensor<1x1x64x64xf32>) value(%q : tensor<1x1x64x64xf32>) outs(%o : tensor<1x1x64x64xf32>)
    return %attention : tensor<1x1x64x64xf32>
  }
}
