//===- ReductionPatterns.h - Simpler attn ops -------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the reducer may do to attn ops.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTN_REDUCE_REDUCTIONPATTERNS_H
#define ATTN_TOOLS_ATTN_REDUCE_REDUCTIONPATTERNS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::attn {

/// Lets the reducer make attn ops simpler, see the .cpp file for how.
void registerReductionPatterns(DialectRegistry &registry);

} // namespace mlir::attn

#endif // ATTN_TOOLS_ATTN_REDUCE_REDUCTIONPATTERNS_H
