//===- Passes.td - Raising passes -*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RAISE_PASSES_TD
#define ATTN_RAISE_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // ATTN_RAISE_PASSES_TD
