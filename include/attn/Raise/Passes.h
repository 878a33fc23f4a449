//===- Passes.h - Raising passes --------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Passes that recover attn ops from linalg, by what an element equals.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_RAISE_PASSES_H
#define ATTN_RAISE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/Raise/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "attn/Raise/Passes.h.inc"

} // namespace mlir::attn

#endif // ATTN_RAISE_PASSES_H
