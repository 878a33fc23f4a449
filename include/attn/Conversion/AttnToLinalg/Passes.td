//===- Passes.td - Attn ops to linalg ----------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOLINALG_PASSES_TD
#define ATTN_CONVERSION_ATTNTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToLinalgPass : Pass<"attn-lower-to-linalg"> {
  let summary = "Lower attn ops other than attention to linalg and loops";
  let description = [{
    Lowers attn ops on tensors, but `attn.attention`, to `linalg.generic` ops
    that write their destinations. What such an op cannot say is a loop: rows
    that are copied into a cache, positions that restart with each segment.

    * Positions that restart with `segments` are a walk along each row, in
      `scf.for`.
    * A position outside of a learned table fails a `cf.assert` at run time, and
      no row is read for it; positions known to be inside, or clamped, are not
      checked.
    * Rows that do not fit into a cache, and targets that are no class, fail a
      `cf.assert` too, before anything is written.
    * Angles are reduced to a quarter turn in double precision; sine and cosine
      of f32 and narrower tables are polynomials, so the loops vectorise.
    * A rotation writes the pairs through slices of the destination; elements
      outside of the rotated range are copied.

    Before:

    ```mlir
    func.func @f(%cached: index, %out: tensor<2x8xi64>) -> tensor<2x8xi64> {
      %positions = attn.positions offset(%cached : index) outs(%out : tensor<2x8xi64>)
      return %positions : tensor<2x8xi64>
    }
    ```

    After `attn-opt --attn-lower-to-linalg`:

    ```mlir
    #identity = affine_map<(b, t) -> (b, t)>
    func.func @f(%cached: index, %out: tensor<2x8xi64>) -> tensor<2x8xi64> {
      %positions = linalg.generic {indexing_maps = [#identity], iterator_types = ["parallel", "parallel"]}
          outs(%out : tensor<2x8xi64>) {
      ^bb0(%o: i64):
        %t = linalg.index 1 : index
        %sum = arith.addi %t, %cached : index
        %position = arith.index_cast %sum : index to i64
        linalg.yield %position : i64
      } -> tensor<2x8xi64>
      return %positions : tensor<2x8xi64>
    }
    ```

    Preconditions: a mask or bias that is materialized is made by ops that can
    emit it (no function argument), or the pass fails.

    Left alone: `attn.attention`, and ops on memrefs.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "cf::ControlFlowDialect", "linalg::LinalgDialect",
                           "math::MathDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
}

def LowerAttentionToLinalgPass : Pass<"attn-lower-attention-to-linalg"> {
  let summary = "Lower attention to plain loops";
  let description = [{
    Lowers `attn.attention` on tensors one query at a time: a first walk over the
    keys finds the largest score, a second one sums exponentials and weighted
    values. There is no tensor of scores, and keys that the mask surely removes
    are not visited. Nothing is done for speed beyond that: the pass serves
    targets without a kernel of their own, and as what kernels are compared with.

    Rotations of the query and the key become `attn.rotary`, which is lowered as
    `attn-lower-to-linalg` does it.

    Before:

    ```mlir
    func.func @f(%q: tensor<1x8x128x64xf32>, %k: tensor<1x2x128x64xf32>,
                 %v: tensor<1x2x128x64xf32>, %out: tensor<1x8x128x64xf32>)
        -> tensor<1x8x128x64xf32> {
      %causal = attn.mask.causal
      %attention = attn.attention query(%q : tensor<1x8x128x64xf32>)
        key(%k : tensor<1x2x128x64xf32>) value(%v : tensor<1x2x128x64xf32>)
        mask(%causal) outs(%out : tensor<1x8x128x64xf32>)
      return %attention : tensor<1x8x128x64xf32>
    }
    ```

    After `attn-opt --attn-lower-attention-to-linalg`:

    ```mlir-excerpt
    %r = scf.forall (%b, %h, %i) in (1, 8, 128) shared_outs(%out = ...) -> (tensor<1x8x128x64xf32>) {
    ...
    %max:2 = scf.for %j = ...
    ...
    %kept = arith.cmpi sle, %j, %i : index
    ...
    %score = arith.mulf ...
    %larger = arith.maximumf ...
    ...
    %exp = math.exp ...
    ```

    Preconditions: mask and bias are made by ops that can emit them (no function
    argument), or the pass fails.

    Left alone: attention on memrefs.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "attn::AttnDialect", "cf::ControlFlowDialect",
                           "linalg::LinalgDialect", "math::MathDialect",
                           "scf::SCFDialect", "tensor::TensorDialect"];
}

#endif // ATTN_CONVERSION_ATTNTOLINALG_PASSES_TD
