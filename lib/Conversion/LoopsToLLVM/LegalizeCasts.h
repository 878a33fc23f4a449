//===- LegalizeCasts.h - Rounding to 16-bit floats --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_LOOPSTOLLVM_LEGALIZECASTS_H
#define ATTN_LIB_CONVERSION_LOOPSTOLLVM_LEGALIZECASTS_H

namespace mlir {
class RewritePatternSet;
namespace attn {

/// Patterns for casts of f64 to f16 and bf16, of integers to bf16, and for
/// functions of bf16.
void populateLegalizeCastPatterns(RewritePatternSet &patterns);

} // namespace attn
} // namespace mlir

#endif // ATTN_LIB_CONVERSION_LOOPSTOLLVM_LEGALIZECASTS_H
