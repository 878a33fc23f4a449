//===- Passes.h - Attention to vector code ----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pass that turns attention on memrefs into vector code.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOVECTOR_PASSES_H
#define ATTN_CONVERSION_ATTNTOVECTOR_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/Conversion/AttnToVector/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "attn/Conversion/AttnToVector/Passes.h.inc"

} // namespace mlir::attn

#endif // ATTN_CONVERSION_ATTNTOVECTOR_PASSES_H
