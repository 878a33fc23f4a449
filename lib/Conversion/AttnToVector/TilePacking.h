//===- TilePacking.h - Transposing rows into lanes and back -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The two places where the attention kernel crosses from rows to lanes: the
/// queries on the way in and the output on the way out.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOVECTOR_TILEPACKING_H
#define ATTN_LIB_CONVERSION_ATTNTOVECTOR_TILEPACKING_H

#include "attn/Conversion/AttnToVector/AttentionKernel.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// Rows and columns of the square blocks that are transposed in registers.
constexpr int64_t transposeWidth = 16;

/// Writes `factor` times the (rotated) query rows into `packed`
/// `[Dk, queryBlock]`; lanes past the last row become zero.
void emitPackQuery(ImplicitLocOpBuilder &b, const AttentionKernel &kernel,
                   Value factor, Value packed);

/// Writes `transposed` `[Dv, queryBlock]`, each lane multiplied by its element
/// of `factors` `[queryBlock]`, to the rows of the output.
void emitUnpackOutput(ImplicitLocOpBuilder &b, const AttentionKernel &kernel,
                      Value transposed, Value factors);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOVECTOR_TILEPACKING_H
