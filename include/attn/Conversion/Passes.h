//===- Passes.h - Conversion passes -----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Constructors, options and registration of the conversion passes.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_PASSES_H
#define ATTN_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "attn/Conversion/Passes.h.inc"

/// Patterns that transpose constants.
void populateFoldConstantTransposePatterns(RewritePatternSet &patterns);

/// Patterns that make linalg ops on tensors generic and fuse them, with those
/// of upstream that they need. To be applied from the top down.
void populateFuseLinalgPatterns(RewritePatternSet &patterns);

/// Patterns that expand functions of numbers to arithmetic on f32.
void populateExpandMathPatterns(RewritePatternSet &patterns);

/// Patterns for functions of numbers that the conversions from math lack, or
/// compute without a correct digit.
void populateLegalizeMathPatterns(RewritePatternSet &patterns);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_PASSES_H
