//===- ReductionPasses.h - Passes that reduce programs ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `reduction-tree` and `opt-reduction-pass`, by the names and with the options
/// that mlir-reduce has.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTN_REDUCE_REDUCTIONPASSES_H
#define ATTN_TOOLS_ATTN_REDUCE_REDUCTIONPASSES_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::attn {

void registerReductionPasses();

/// Whether one of the passes runs on the whole program.
bool hasReductionPass(OpPassManager &passes);

} // namespace mlir::attn

#endif // ATTN_TOOLS_ATTN_REDUCE_REDUCTIONPASSES_H
