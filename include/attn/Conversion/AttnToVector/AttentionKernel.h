//===- AttentionKernel.h - Online attention in vector IR --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Emission of one work unit of attention (one batch, one head, one block of
/// queries) as vector, scf, arith and memref operations.
///
/// The score tile is kept transposed: the lanes of every vector are queries, so
/// that keys and values are read where they lie through scalar broadcasts, and
/// maximum, sum, rescaling and masking never cross lanes. Only the queries are
/// packed, once per work unit, with their rotation and the scale folded in.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOVECTOR_ATTENTIONKERNEL_H
#define ATTN_CONVERSION_ATTNTOVECTOR_ATTENTIONKERNEL_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <functional>
#include <optional>

namespace mlir::attn {

/// One work unit of attention.
///
/// Matrices are memrefs of rank 2 with any strides (a unit innermost one is
/// faster); every size may be dynamic, zero or one. Sums are held in f32, or in
/// f64 for f64 queries; this is the accumulator type below. Keys and values are
/// of the type of the queries or of the accumulator type.
struct AttentionKernel {
  /// Rotation of the query rows while they are packed.
  struct Rotation {
    /// `[queries, R/2]` tables, row by row those of the query rows.
    Value cos, sin;
    /// Pairs are (2i, 2i + 1) if set, otherwise (i, i + R/2).
    bool interleaved = false;
    /// First rotated element of a row.
    int64_t first = 0;
    /// Rotates by the negated angle.
    bool inverse = false;
  };

  /// Returns a vector with a lane for each of `queries`
  /// (`vector<queryBlock x index>`) and `key` (index).
  using PairFn =
      std::function<Value(OpBuilder &, Location, Value queries, Value key)>;
  /// Returns the transformed `scores` of each lane.
  using ScoreFn = std::function<Value(OpBuilder &, Location, Value scores,
                                      Value queries, Value key)>;

  /// `[Q, Dk]` with Q <= queryBlock, `[Sk, Dk]`, `[Sk, Dv]` and `[Q, Dv]`.
  Value query, key, value, output;
  /// `[Q]` log-sum-exp of each row, or null, and the base of its logarithm.
  Value lse;
  LseBase lseBase = LseBase::Natural;
  /// One more logit of every row, a scalar of the accumulator type, or null.
  Value sink;
  /// Rotation of the queries. Keys are expected rotated.
  std::optional<Rotation> rotation;
  /// Factor of the scores, a scalar of the accumulator type.
  Value scale;
  /// Scores become `softcap * tanh(score / softcap)`; 0: they do not.
  double softcap = 0;
  /// The types that scores, and weights before the product with the values, are
  /// rounded to; null: they are not.
  FloatType softmaxType, probType;
  /// What a row without a single kept key becomes; beside a sink it is zero.
  EmptyRow emptyRow = EmptyRow::Zero;

  /// Index that the callbacks see for the first query row; null: 0. They see
  /// key rows under their own index. Lanes past the last row repeat it, so that
  /// a callback never sees an index of a row that does not exist.
  Value queryBegin;
  /// Keys outside [mayBegin, mayEnd) are kept by no row of the block and are
  /// not visited; null: all keys.
  Value mayBegin, mayEnd;
  /// Keys inside [sureBegin, sureEnd) are kept by every row of the block and
  /// are visited without asking `keep`; null: no such keys. Not used without
  /// `keep`, where every visited key is kept.
  Value sureBegin, sureEnd;
  /// Which lanes keep the key, as i1.
  PairFn keep;
  /// The bias of each lane, of the accumulator type.
  PairFn bias;
  /// Whether `bias` may be -inf, which removes the pair as a mask does.
  bool biasMayRemove = false;
  /// Whether the bias is added before the scores are scaled.
  bool biasBeforeScale = false;
  ScoreFn score;

  /// Register and cache blocking.
  PlanAttr plan;
};

/// Emits `kernel` at the insertion point of `builder`. Scratch memory is
/// allocated on the heap, is freed again, and does not depend on the number of
/// keys.
void emitAttentionKernel(OpBuilder &builder, Location loc,
                         const AttentionKernel &kernel);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_ATTNTOVECTOR_ATTENTIONKERNEL_H
