//===- Passes.h - Attn ops to linalg ----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Passes and patterns that lower the ops of the dialect on tensors to linalg.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOLINALG_PASSES_H
#define ATTN_CONVERSION_ATTNTOLINALG_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/Conversion/AttnToLinalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "attn/Conversion/AttnToLinalg/Passes.h.inc"

/// Patterns for `attn.positions`, `attn.learned_position`, `attn.rotary_table`,
/// `attn.rotary` and `attn.materialize` on tensors. Learned positions are
/// checked at run time unless their `attn.positions` is still there to tell the
/// range.
void populateLowerToLinalgPatterns(RewritePatternSet &patterns);

/// Patterns for `attn.attention` on tensors; they make `attn.rotary` ops for
/// rotations of the query and the key.
void populateLowerAttentionToLinalgPatterns(RewritePatternSet &patterns);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_ATTNTOLINALG_PASSES_H
