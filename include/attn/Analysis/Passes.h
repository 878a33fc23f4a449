//===- Passes.h - Passes that show analyses ---------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Registration of the passes that print what the analyses found.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_PASSES_H
#define ATTN_ANALYSIS_PASSES_H

namespace mlir::attn {

/// Registers `attn-print-element-expressions`, which prints to standard output
/// the element maps of operations with an `attn.print` attribute (of all
/// operations if there is none). Results of operations with an `attn.stop`
/// attribute are leaves.
void registerPrintElementExpressionsPass();

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_PASSES_H
