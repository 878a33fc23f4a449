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

#include "mlir/Pass/Pass.h"

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/Analysis/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "attn/Analysis/Passes.h.inc"

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_PASSES_H
