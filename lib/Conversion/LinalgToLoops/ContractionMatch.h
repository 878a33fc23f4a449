//===- ContractionMatch.h - Recognise contractions --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The view of a contraction that its lowering works on.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_LINALGTOLOOPS_CONTRACTIONMATCH_H
#define ATTN_LIB_CONVERSION_LINALGTOLOOPS_CONTRACTIONMATCH_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::attn {

/// out[outer, m, n] += sum over k of lhs[outer, m, k] * rhs[outer, k, n], each
/// operand in some layout. Dimensions are loops of the linalg op.
struct Contraction {
  linalg::LinalgOp op;
  Value lhs, rhs, out;
  AffineMap lhsMap, rhsMap, outMap;
  /// Loop sizes, dynamic where not known.
  SmallVector<int64_t> staticSizes;
  /// Parallel dimensions other than `m` and `n`.
  SmallVector<unsigned> outer;
  /// Reductions other than `k`.
  SmallVector<unsigned> outerK;
  /// The row dimension; a vector times a matrix has none.
  std::optional<unsigned> m;
  /// The column dimension, contiguous in `out`.
  unsigned n = 0;
  unsigned k = 0;
  /// True if `n` is contiguous in `rhs` too.
  bool rhsContiguous = false;
  /// f64 for f64 operands, otherwise f32.
  Type accType;
  /// True if the old value of `out` is zero and need not be read.
  bool startsAtZero = false;

  Type getLhsElementType() const {
    return cast<MemRefType>(lhs.getType()).getElementType();
  }

  /// Erases a preceding fill of `out` with zero and sets `startsAtZero`. Only
  /// done where the whole reduction, at most `maxDepth` long, is one pass.
  void takeZeroFill(int64_t maxDepth);
};

/// Matches a contraction of floating-point memrefs that has vectorisable
/// columns; sets `reason` where it fails.
FailureOr<Contraction> matchContraction(linalg::LinalgOp op, StringRef &reason);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_LINALGTOLOOPS_CONTRACTIONMATCH_H
