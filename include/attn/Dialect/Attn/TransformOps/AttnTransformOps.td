//===- AttnTransformOps.td - Transform dialect extension ---*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMOPS_ATTNTRANSFORMOPS_TD
#define ATTN_DIALECT_ATTN_TRANSFORMOPS_ATTNTRANSFORMOPS_TD

include "attn/Dialect/Attn/IR/AttnAttrs.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// The patterns of one pass, for `transform.apply_patterns`.
class Attn_ApplyPatternsOp<string name>
    : Op<Transform_Dialect, "apply_patterns.attn." # name,
         [DeclareOpInterfaceMethods<PatternDescriptorOpInterface>]> {
  let assemblyFormat = "attr-dict";
}

def ApplyAttnSimplifyPatternsOp
    : Attn_ApplyPatternsOp<"simplify"> {
  let description = [{
    The patterns of `attn-simplify`: rotations that undo each other, and policies
    for empty rows where no row is empty.

    ```mlir
    // RUN: attn-opt --transform-interpreter
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %func = transform.structured.match ops{["func.func"]} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.apply_patterns to %func {
          transform.apply_patterns.attn.simplify
        } : !transform.any_op
        transform.yield
      }
      func.func @f(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
        %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
          key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>) empty_row = nan
          outs(%o : tensor<1x1x8x64xf32>)
        return %attention : tensor<1x1x8x64xf32>
      }
    }
    ```

    becomes an attention with `empty_row = zero`, the default.
  }];
}

def ApplyAttnFusePatternsOp
    : Attn_ApplyPatternsOp<"fuse"> {
  let description = [{
    The patterns of `attn-fuse`: rotations of query and key become part of the
    attention.

    ```mlir
    // RUN: attn-opt --transform-interpreter
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %func = transform.structured.match ops{["func.func"]} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.apply_patterns to %func {
          transform.apply_patterns.attn.fuse
        } : !transform.any_op
        transform.yield
      }
      func.func @f(%q: tensor<1x1x8x64xf32>, %cos: tensor<1x8x32xf32>, %sin: tensor<1x8x32xf32>,
                   %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
        %rotated = attn.rotary split_half %q, %cos, %sin
          : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%o : tensor<1x1x8x64xf32>)
        %attention = attn.attention query(%rotated : tensor<1x1x8x64xf32>)
          key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>) outs(%o : tensor<1x1x8x64xf32>)
        return %attention : tensor<1x1x8x64xf32>
      }
    }
    ```

    folds the rotation into the attention (`rotate_query`).
  }];
}

def ApplyAttnLowerToLinalgPatternsOp
    : Attn_ApplyPatternsOp<"lower_to_linalg"> {
  let description = [{
    The patterns of `attn-lower-to-linalg`: every op on tensors but
    `attn.attention`, as linalg.

    ```mlir
    // RUN: attn-opt --transform-interpreter
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %func = transform.structured.match ops{["func.func"]} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.apply_patterns to %func {
          transform.apply_patterns.attn.lower_to_linalg
        } : !transform.any_op
        transform.yield
      }
      func.func @f(%o: tensor<1x1x8x8xi1>) -> tensor<1x1x8x8xi1> {
        %causal = attn.mask.causal
        %dense = attn.materialize %causal : !attn.mask outs(%o : tensor<1x1x8x8xi1>)
        return %dense : tensor<1x1x8x8xi1>
      }
    }
    ```

    becomes a `linalg.generic`.
  }];
}

def ApplyAttnLowerAttentionToLinalgPatternsOp
    : Attn_ApplyPatternsOp<"lower_attention_to_linalg"> {
  let description = [{
    The patterns of `attn-lower-attention-to-linalg`: `attn.attention` as plain
    loops and linalg. Rotations that were folded into it become `attn.rotary`
    again, which `transform.apply_patterns.attn.lower_to_linalg` lowers.

    ```mlir
    // RUN: attn-opt --transform-interpreter
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %func = transform.structured.match ops{["func.func"]} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.apply_patterns to %func {
          transform.apply_patterns.attn.lower_attention_to_linalg
        } : !transform.any_op
        transform.yield
      }
      func.func @f(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
        %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
          key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
          outs(%o : tensor<1x1x8x64xf32>)
        return %attention : tensor<1x1x8x64xf32>
      }
    }
    ```

    becomes an `scf.forall` over batches, heads and queries.
  }];
}

def ApplyAttnFuseLinalgPatternsOp
    : Attn_ApplyPatternsOp<"fuse_linalg"> {
  let description = [{
    The patterns of `attn-fuse-linalg`: linalg ops on tensors become generic and
    are fused, with upstream's patterns that this needs. `attn-fuse-linalg`
    applies them from the top down, the default of `transform.apply_patterns`
    too.

    ```mlir
    // RUN: attn-opt --transform-interpreter
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %func = transform.structured.match ops{["func.func"]} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.apply_patterns to %func {
          transform.apply_patterns.attn.fuse_linalg
        } : !transform.any_op
        transform.yield
      }
      func.func @f(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %o: tensor<8x16xf32>) -> tensor<8x16xf32> {
        %sum = linalg.add ins(%x, %y : tensor<8x16xf32>, tensor<8x16xf32>)
          outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
        %root = linalg.exp ins(%sum : tensor<8x16xf32>) outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
        return %root : tensor<8x16xf32>
      }
    }
    ```

    becomes one `linalg.generic`.
  }];
}

def ApplyAttnFoldConstantTransposePatternsOp
    : Attn_ApplyPatternsOp<"fold_constant_transpose"> {
  let description = [{
    The patterns of `attn-fold-constant-transpose`: transposed constants become
    constants.

    ```mlir
    // RUN: attn-opt --transform-interpreter
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %func = transform.structured.match ops{["func.func"]} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.apply_patterns to %func {
          transform.apply_patterns.attn.fold_constant_transpose
        } : !transform.any_op
        transform.yield
      }
      func.func @f(%o: tensor<2x2xf32>) -> tensor<2x2xf32> {
        %weights = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
        %transposed = linalg.transpose ins(%weights : tensor<2x2xf32>)
          outs(%o : tensor<2x2xf32>) permutation = [1, 0]
        return %transposed : tensor<2x2xf32>
      }
    }
    ```

    becomes the constant `[[1.0, 3.0], [2.0, 4.0]]`.
  }];
}

def ApplyAttnExpandMathPatternsOp
    : Attn_ApplyPatternsOp<"expand_math"> {
  let description = [{
    The patterns of `attn-expand-math`: functions of numbers become arithmetic on
    f32, which vectorises.

    ```mlir
    // RUN: attn-opt --transform-interpreter
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %func = transform.structured.match ops{["func.func"]} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.apply_patterns to %func {
          transform.apply_patterns.attn.expand_math
        } : !transform.any_op
        transform.yield
      }
      func.func @f(%x: f32) -> f32 {
        %y = math.exp %x : f32
        return %y : f32
      }
    }
    ```

    becomes arithmetic without `math.exp`.
  }];
}

def ApplyAttnLegalizeMathPatternsOp
    : Attn_ApplyPatternsOp<"legalize_math"> {
  let description = [{
    The patterns of `attn-legalize-math`: functions of numbers that the conversions
    of upstream lack, or compute without a correct digit.

    ```mlir
    // RUN: attn-opt --transform-interpreter
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %func = transform.structured.match ops{["func.func"]} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.apply_patterns to %func {
          transform.apply_patterns.attn.legalize_math
        } : !transform.any_op
        transform.yield
      }
      func.func @f(%x: f32, %low: f32, %high: f32) -> f32 {
        %y = math.clampf %x to [%low, %high] : f32
        return %y : f32
      }
    }
    ```

    becomes comparisons and selects.
  }];
}

//===----------------------------------------------------------------------===//
// Transformations
//===----------------------------------------------------------------------===//

def AttnPlanOp : Op<Transform_Dialect, "attn.plan", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TransformEachOpTrait,
    TransformOpInterface]> {
  let summary = "choose the blocking of an attention";
  let description = [{
    Gives each attention of the handle a `#attn.plan`: the blocking that
    `attn-plan` would choose for a target with `registers` vector registers (32)
    of `bits` bits (512), or instead the one that is given as `to`. A plan that is
    there already is replaced: unlike a pass, a schedule knows its attention.

    #### Return modes

    Reads the handle and changes the payload in place. Fails silenceably where
    the payload is no `attn.attention`.

    ```mlir
    // RUN: attn-opt --transform-interpreter
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %attention = transform.structured.match ops{["attn.attention"]} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.attn.plan %attention bits = 256 registers = 16 : !transform.any_op
        transform.attn.plan %attention to <query_block = 16, key_block = 64, rows = 4>
          : !transform.any_op
        transform.yield
      }
      func.func @f(%q: tensor<1x1x32x64xf32>, %o: tensor<1x1x32x64xf32>) -> tensor<1x1x32x64xf32> {
        %attention = attn.attention query(%q : tensor<1x1x32x64xf32>)
          key(%q : tensor<1x1x32x64xf32>) value(%q : tensor<1x1x32x64xf32>)
          outs(%o : tensor<1x1x32x64xf32>)
        return %attention : tensor<1x1x32x64xf32>
      }
    }
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
    OptionalAttr<I64Attr>:$bits,
    OptionalAttr<I64Attr>:$registers,
    OptionalAttr<Attn_PlanAttr>:$plan);
  let assemblyFormat = [{
    $target (`bits` `=` $bits^)? (`registers` `=` $registers^)? (`to` $plan^)?
    attr-dict `:` type($target)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::attn::AttentionOp target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def AttnTileAttentionOp : Op<Transform_Dialect, "attn.tile_attention", [
    FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface,
    TransformEachOpTrait, TransformOpInterface]> {
  let summary = "split an attention into work units";
  let description = [{
    What `attn-tile-attention` does with one attention on tensors: an
    `scf.forall` over batches, query heads and blocks of queries, as many as its
    plan says. A folded rotation of the key is split off in front of the loop,
    and masks and biases are cloned into it.

    #### Return modes

    Consumes the handle; gives handles to the attention inside of the loop and
    to the loop. Fails silenceably, with nothing changed, where the payload is no
    `attn.attention`, has no plan, is on memrefs, or has an output without
    elements.

    ```mlir
    // RUN: attn-opt --transform-interpreter
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %attention = transform.structured.match ops{["attn.attention"]} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.attn.plan %attention : !transform.any_op
        %tile, %loop = transform.attn.tile_attention %attention
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
        transform.yield
      }
      func.func @f(%q: tensor<2x8x128x64xf32>, %o: tensor<2x8x128x64xf32>) -> tensor<2x8x128x64xf32> {
        %causal = attn.mask.causal
        %attention = attn.attention query(%q : tensor<2x8x128x64xf32>)
          key(%q : tensor<2x8x128x64xf32>) value(%q : tensor<2x8x128x64xf32>)
          mask(%causal) outs(%o : tensor<2x8x128x64xf32>)
        return %attention : tensor<2x8x128x64xf32>
      }
    }
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$tiled,
                      TransformHandleTypeInterface:$loop);
  let assemblyFormat = "$target attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::attn::AttentionOp target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def AttnSinkMasksOp : Op<Transform_Dialect, "attn.sink_masks", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TransformEachOpTrait,
    TransformOpInterface]> {
  let summary = "move masks and biases next to an op that uses them";
  let description = [{
    Clones the ops that make the mask and the bias of each op of the handle in
    front of it, and erases those that nothing else uses, as `attn-sink-masks`
    does. One-shot bufferization needs this.

    #### Return modes

    Reads the handle and changes the payload in place. An op without a mask or
    bias stays as it is.

    ```mlir
    // RUN: attn-opt --transform-interpreter
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%root: !transform.any_op) {
        %attention = transform.structured.match ops{["attn.attention"]} in %root
          : (!transform.any_op) -> !transform.any_op
        transform.attn.sink_masks %attention : !transform.any_op
        transform.yield
      }
      func.func @f(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
        %causal = attn.mask.causal
        %x = tensor.empty() : tensor<1x1x8x64xf32>
        %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
          key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
          mask(%causal) outs(%x : tensor<1x1x8x64xf32>)
        return %attention : tensor<1x1x8x64xf32>
      }
    }
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

#endif // ATTN_DIALECT_ATTN_TRANSFORMOPS_ATTNTRANSFORMOPS_TD
