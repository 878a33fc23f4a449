//===- ParallelLoops.h - Parallel loops around ops --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Work is split over threads once, by the outermost loop.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_PARALLELLOOPS_H
#define ATTN_CONVERSION_PARALLELLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::attn {

/// Whether `op` already stands in a loop that is run by several threads.
inline bool isInParallelLoop(Operation *op) {
  while ((op = op->getParentOp()))
    if (isa<scf::ForallOp, scf::ParallelOp>(op) ||
        op->getName().getDialectNamespace() == "omp")
      return true;
  return false;
}

} // namespace mlir::attn

#endif // ATTN_CONVERSION_PARALLELLOOPS_H
