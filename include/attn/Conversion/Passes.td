//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The passes between levels of the pipeline that share one header, by folder
/// of lib/Conversion.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_PASSES_TD
#define ATTN_CONVERSION_PASSES_TD

include "attn/Conversion/LinalgToLoops/Passes.td"
include "attn/Conversion/LoopsToLLVM/Passes.td"

#endif // ATTN_CONVERSION_PASSES_TD
