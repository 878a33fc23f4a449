//===- Passes.td - Raising passes -*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RAISE_PASSES_TD
#define ATTN_RAISE_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaiseAttentionPass : Pass<"attn-raise-attention"> {
  let summary = "recover attention with its mask and bias from linalg";
  let description = [{
    Finds contractions whose left operand is a softmax over the summed variable
    of scores that are a contraction of two tensors, and replaces their results
    by `attn.attention`. Masks, biases, scale, softcap and grouped heads are
    read off the expression that an element of the probabilities equals, so the
    spelling does not matter. Other users of intermediate values keep their own
    computation. What is not recognised stays as it is, and a remark of the
    category `attn-raise` says why.
  }];
  let dependentDialects = [
    "::mlir::attn::AttnDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def RaiseRotaryPass : Pass<"attn-raise-rotary"> {
  let summary = "recover rotary embeddings and their tables from linalg";
  let description = [{
    Replaces values that are rotations of another value by `attn.rotary`: two
    pieces of the last dimension, halves or even and odd elements, that equal
    `a * c - b * s` and `b * c + a * s`, while the rest passes through. Where `c`
    and `s` are cosine and sine of positions times frequencies, or rows of
    constant tables of such, `attn.rotary_table` makes them, by the frequency
    rule that the constants are within rounding, else by explicit frequencies.
    Other factors are read from tensors. Graphs that compute the angle in f32
    get `angles = f32`, which rounds as they do. Products that the graph rounds
    to 16 bits are kept in f32. A value that only looks like a rotation stays as
    it is, and a remark of the category `attn-raise` says why.
  }];
  let dependentDialects = [
    "::mlir::attn::AttnDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // ATTN_RAISE_PASSES_TD
