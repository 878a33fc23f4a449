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

#ifndef ATTN_LIB_CONVERSION_LINALGTOLOOPS_PARALLELLOOPS_H
#define ATTN_LIB_CONVERSION_LINALGTOLOOPS_PARALLELLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::attn {

/// Whether `op` already stands in a loop that is run by several threads.
inline bool isInParallelLoop(Operation *op) {
  return op->getParentOfType<scf::ParallelOp>() ||
         op->getParentOfType<scf::ForallOp>();
}

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_LINALGTOLOOPS_PARALLELLOOPS_H
