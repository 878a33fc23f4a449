// The patterns of each pass, by their transform op. One schedule applies them
// in turn, each to the function of its name only.
// RUN: attn-opt --transform-interpreter --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @simplify
// CHECK-NOT:   empty_row
// CHECK-LABEL: func.func @fuse
// CHECK-NOT:   attn.rotary
// CHECK:       rotate_query
// CHECK-LABEL: func.func @untouched
// CHECK:       attn.rotary
// CHECK:       empty_row = nan
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %simplify = transform.structured.match ops{["func.func"]} attributes{sym_name = "simplify"}
      in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %simplify {
      transform.apply_patterns.attn.simplify
    } : !transform.any_op
    %fuse = transform.structured.match ops{["func.func"]} attributes{sym_name = "fuse"}
      in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %fuse {
      transform.apply_patterns.attn.fuse
    } : !transform.any_op
    transform.yield
  }
  func.func @simplify(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
    %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
      key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>) empty_row = nan
      outs(%o : tensor<1x1x8x64xf32>)
    return %attention : tensor<1x1x8x64xf32>
  }
  func.func @fuse(%q: tensor<1x1x8x64xf32>, %cos: tensor<1x8x32xf32>, %sin: tensor<1x8x32xf32>,
                  %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
    %rotated = attn.rotary split_half %q, %cos, %sin
      : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%o : tensor<1x1x8x64xf32>)
    %attention = attn.attention query(%rotated : tensor<1x1x8x64xf32>)
      key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>) outs(%o : tensor<1x1x8x64xf32>)
    return %attention : tensor<1x1x8x64xf32>
  }
  func.func @untouched(%q: tensor<1x1x8x64xf32>, %cos: tensor<1x8x32xf32>, %sin: tensor<1x8x32xf32>,
                       %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
    %rotated = attn.rotary split_half %q, %cos, %sin
      : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%o : tensor<1x1x8x64xf32>)
    %attention = attn.attention query(%rotated : tensor<1x1x8x64xf32>)
      key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>) empty_row = nan
      outs(%o : tensor<1x1x8x64xf32>)
    return %attention : tensor<1x1x8x64xf32>
  }
}

// -----

// Both lowerings at once, with the rotation that the attention gives back.
// CHECK-LABEL: func.func @lower
// CHECK-NOT:   attn.attention
// CHECK-NOT:   attn.materialize
// CHECK-NOT:   attn.rotary
// CHECK:       return
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.attn.lower_attention_to_linalg
      transform.apply_patterns.attn.lower_to_linalg
    } : !transform.any_op
    transform.yield
  }
  func.func @lower(%q: tensor<1x1x8x64xf32>, %cos: tensor<1x8x32xf32>, %sin: tensor<1x8x32xf32>,
                   %o: tensor<1x1x8x64xf32>, %bits: tensor<1x1x8x8xi1>)
      -> (tensor<1x1x8x64xf32>, tensor<1x1x8x8xi1>) {
    %causal = attn.mask.causal
    %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
      key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>) mask(%causal)
      rotate_query(%cos, %sin : tensor<1x8x32xf32>, tensor<1x8x32xf32>)
      outs(%o : tensor<1x1x8x64xf32>) {query_rotation = #attn.rotation<split_half>}
    %dense = attn.materialize %causal : !attn.mask outs(%bits : tensor<1x1x8x8xi1>)
    return %attention, %dense : tensor<1x1x8x64xf32>, tensor<1x1x8x8xi1>
  }
}

// -----

// CHECK-LABEL: func.func @fuse_linalg
// CHECK:       linalg.generic
// CHECK-NOT:   linalg.
// CHECK:       arith.addf
// CHECK-NEXT:  math.exp
// CHECK-LABEL: func.func @constants
// CHECK:       arith.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]>
// CHECK-NOT:   linalg.transpose
// CHECK-LABEL: func.func @expand
// CHECK-NOT:   math.exp
// CHECK-LABEL: func.func @legalize
// CHECK-NOT:   math.clampf
// CHECK:       return
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %fuse = transform.structured.match ops{["func.func"]} attributes{sym_name = "fuse_linalg"}
      in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %fuse {
      transform.apply_patterns.attn.fuse_linalg
    } : !transform.any_op
    %constants = transform.structured.match ops{["func.func"]} attributes{sym_name = "constants"}
      in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %constants {
      transform.apply_patterns.attn.fold_constant_transpose
    } : !transform.any_op
    %expand = transform.structured.match ops{["func.func"]} attributes{sym_name = "expand"}
      in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %expand {
      transform.apply_patterns.attn.expand_math
    } : !transform.any_op
    %legalize = transform.structured.match ops{["func.func"]} attributes{sym_name = "legalize"}
      in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %legalize {
      transform.apply_patterns.attn.legalize_math
    } : !transform.any_op
    transform.yield
  }
  func.func @fuse_linalg(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %o: tensor<8x16xf32>) -> tensor<8x16xf32> {
    %sum = linalg.add ins(%x, %y : tensor<8x16xf32>, tensor<8x16xf32>)
      outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
    %exp = linalg.exp ins(%sum : tensor<8x16xf32>) outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
    return %exp : tensor<8x16xf32>
  }
  func.func @constants(%o: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %weights = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %transposed = linalg.transpose ins(%weights : tensor<2x2xf32>)
      outs(%o : tensor<2x2xf32>) permutation = [1, 0]
    return %transposed : tensor<2x2xf32>
  }
  func.func @expand(%x: f32) -> f32 {
    %y = math.exp %x : f32
    return %y : f32
  }
  func.func @legalize(%x: f32, %low: f32, %high: f32) -> f32 {
    %y = math.clampf %x to [%low, %high] : f32
    return %y : f32
  }
}

// -----

// Raising is no set of patterns: a schedule calls the pass.
// CHECK-LABEL: func.func @raise
// CHECK:       attn.attention
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %func = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %raised = transform.apply_registered_pass "attn-raise-attention" to %func
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @raise(%q: tensor<4x6x8xf32>, %k: tensor<4x6x8xf32>, %v: tensor<4x6x8xf32>) -> tensor<4x6x8xf32> {
    %zero = arith.constant 0.0 : f32
    %s = tensor.empty() : tensor<4x6x6xf32>
    %o = tensor.empty() : tensor<4x6x8xf32>
    %s0 = linalg.fill ins(%zero : f32) outs(%s : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %o0 = linalg.fill ins(%zero : f32) outs(%o : tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
    %t = tensor.empty() : tensor<4x8x6xf32>
    %kt = linalg.transpose ins(%k : tensor<4x6x8xf32>) outs(%t : tensor<4x8x6xf32>) permutation = [0, 2, 1]
    %scores = linalg.batch_matmul ins(%q, %kt : tensor<4x6x8xf32>, tensor<4x8x6xf32>)
      outs(%s0 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %p = linalg.softmax dimension(2) ins(%scores : tensor<4x6x6xf32>)
      outs(%s : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
    %r = linalg.batch_matmul ins(%p, %v : tensor<4x6x6xf32>, tensor<4x6x8xf32>)
      outs(%o0 : tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
    return %r : tensor<4x6x8xf32>
  }
}
