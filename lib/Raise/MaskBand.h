//===- MaskBand.h - Masks that are a band of diagonals ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Masks that keep the pairs whose distance is within constants.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_MASKBAND_H
#define ATTN_LIB_RAISE_MASKBAND_H

#include "attn/Raise/RaiseMask.h"

namespace mlir::attn {

/// `-left <= j - i <= right`; a side that is not set has no bound.
struct MaskBand {
  std::optional<int64_t> left, right;
  /// Every query has a key in the band.
  bool everyRow = false;
};

/// The band that `keep` is: a comparison of query and key with constants, or a
/// table of constants whose true elements fill a band.
std::optional<MaskBand> getBand(ExpressionContext &context, Expr keep,
                                const PairVariables &pair);

} // namespace mlir::attn

#endif // ATTN_LIB_RAISE_MASKBAND_H
