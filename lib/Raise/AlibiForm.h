//===- AlibiForm.h - Biases linear in the distance --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Biases that are slopes of heads times a distance of query and key.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_ALIBIFORM_H
#define ATTN_LIB_RAISE_ALIBIFORM_H

#include "attn/Raise/RaiseMask.h"

namespace mlir::attn {

/// `-slope * (i + offset - j)`, or with the absolute value of the distance.
struct AlibiForm {
  bool absolute = false;
  /// Does not depend on head, query or key.
  Expr offset = nullptr;
  /// The slope of each head, if it is known; else the expression of it.
  SmallVector<double> slopes;
  Expr slope = nullptr;
  /// Bits of mantissa of the narrowest type that went into the slopes.
  unsigned precision = 0;
};

/// The form of `bias`, by its factors, or by its values if it is a table of
/// constants. With `upToRowConstant` the bias may differ from the form by a
/// number that depends on everything but the key. `reason` says why there is no
/// form of a bias that depends on the key.
std::optional<AlibiForm> matchAlibi(ExpressionContext &context, Expr bias,
                                    const PairVariables &pair,
                                    bool upToRowConstant, StringRef &reason);

} // namespace mlir::attn

#endif // ATTN_LIB_RAISE_ALIBIFORM_H
