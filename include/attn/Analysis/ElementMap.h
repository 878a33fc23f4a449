//===- ElementMap.h - What the elements of a value equal --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The element map of a value: its index space cut into pieces, and on each one
/// branch-free expression.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_ELEMENTMAP_H
#define ATTN_ANALYSIS_ELEMENTMAP_H

#include "attn/Analysis/Expression.h"

namespace mlir::attn {

/// The indices `offset + stride * k`, k in [0, size), of one dimension.
struct PieceDim {
  Expr offset;
  int64_t stride = 1;
  Expr size;
};

/// A box of the index space with the expression of its elements.
///
/// The expression is over *local* variables `Index(d, dims[d].size)`: the
/// element at `dims[d].offset + dims[d].stride * k_d` is `value` with k_d for
/// the variable of dimension d (which is the constant 0 where the size is 1).
/// Hence both halves (or the even and odd elements) of a rotated tensor speak
/// of one and the same angle: `x[k]*c - x[k+h]*s` and `x[k+h]*c + x[k]*s`.
struct Piece {
  SmallVector<PieceDim, 4> dims;
  Expr value = nullptr;
};

/// The elements of a value. The pieces are disjoint and cover the index space;
/// a value that was not looked through has one piece, a `Load` of itself.
struct ElementMap {
  /// Sizes of the value's dimensions; empty for a scalar.
  SmallVector<Expr, 4> extents;
  SmallVector<Piece, 1> pieces;
  /// Conditions that the defining operation asserts (`cf.assert` in a body),
  /// over the variables of the first piece. The value does not depend on them.
  SmallVector<Expr, 0> asserted;
  /// The value was not looked through.
  bool leaf = false;

  unsigned getRank() const { return extents.size(); }
  /// The expression if there is one piece (covering everything), else null.
  Expr getSingle() const {
    return pieces.size() == 1 ? pieces.front().value : nullptr;
  }
};

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_ELEMENTMAP_H
