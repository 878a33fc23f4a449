//===- Passes.td - Attn ops to linalg ----------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOLINALG_PASSES
#define ATTN_CONVERSION_ATTNTOLINALG_PASSES

include "mlir/Pass/PassBase.td"

def LowerToLinalgPass : Pass<"attn-lower-to-linalg"> {
  let summary = "Lower attn ops other than attention to linalg and loops";
  let description = [{
    Lowers `attn.positions`, `attn.learned_position`, `attn.rotary_table`,
    `attn.rotary`, `attn.materialize`, `attn.merge` and `attn.cross_entropy` on
    tensors to `linalg.generic` ops that write their destinations, and
    `attn.cache_append` to a loop that copies rows. `attn.attention` and ops on
    memrefs stay.

    * A position outside of a learned table fails a `cf.assert` at run time, and
      no row is read for it; positions known to be inside are not checked.
    * Rows that do not fit into a cache, and targets that are no class, fail a
      `cf.assert` too, before anything is written.
    * Angles are reduced to a quarter turn in double precision; sine and cosine
      of f32 and narrower tables are polynomials, so the loops vectorise.
    * A rotation writes the pairs through slices of the destination; elements
      outside of the rotated range are copied.
    * A mask or bias must be made by ops that can emit it (no function argument),
      or the pass fails.

    Example:

    ```mlir
    func.func @f(%cached: index, %out: tensor<2x8xi64>) -> tensor<2x8xi64> {
      %positions = attn.positions offset(%cached : index) outs(%out : tensor<2x8xi64>)
      return %positions : tensor<2x8xi64>
    }
    ```

    becomes a `linalg.generic` on `%out` that yields `%cached` plus the index of
    the token.
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

    Example:

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
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "attn::AttnDialect", "cf::ControlFlowDialect",
                           "linalg::LinalgDialect", "math::MathDialect",
                           "scf::SCFDialect", "tensor::TensorDialect"];
}

#endif // ATTN_CONVERSION_ATTNTOLINALG_PASSES
