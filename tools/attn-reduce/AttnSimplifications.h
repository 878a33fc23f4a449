//===- AttnSimplifications.h - Simpler attn ops -----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the reducer may do to attn ops, other than to erase them.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTN_REDUCE_ATTNSIMPLIFICATIONS_H
#define ATTN_TOOLS_ATTN_REDUCE_ATTNSIMPLIFICATIONS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
class RewriterBase;
} // namespace mlir

namespace mlir::attn {

/// One way to make an op simpler.
struct Simplification {
  /// Whether the op has what is dropped.
  bool (*applies)(Operation *op);
  /// Drops it. Values that become unused may stay.
  void (*apply)(RewriterBase &rewriter, Operation *op);
};

ArrayRef<Simplification> getAttnSimplifications();

} // namespace mlir::attn

#endif // ATTN_TOOLS_ATTN_REDUCE_ATTNSIMPLIFICATIONS_H
