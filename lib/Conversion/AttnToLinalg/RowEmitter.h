//===- RowEmitter.h - One row of attention as plain loops -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The arithmetic of one query, see LowerAttentionToLinalg.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOLINALG_ROWEMITTER_H
#define ATTN_LIB_CONVERSION_ATTNTOLINALG_ROWEMITTER_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// What all rows share, computed in front of the loop over rows.
struct AttentionInputs {
  AttentionOp op;
  FloatType type;
  /// Rotated already.
  Value query, key;
  Value keyCount, scale;
  /// Query heads per key/value head.
  Value groupSize;
};

/// The output (`tensor<Dv>`) and the log-sum-exp (a scalar) of one query.
struct RowResult {
  Value output, lse;
};

/// Emits one row, the query `query` of one head.
class RowEmitter {
public:
  RowEmitter(const AttentionInputs &inputs, Value batch, Value head,
             Value keyHead, Value query)
      : inputs(inputs), op(inputs.op), type(inputs.type), batch(batch),
        head(head), keyHead(keyHead), query(query) {}

  /// Writes the output to `row`, a slice of the destination.
  RowResult emit(PairBuilder &builder, Value row);

private:
  using KeptKeyBody = llvm::function_ref<SmallVector<Value>(
      PairBuilder &builder, Value key, Value score, ValueRange state)>;

  /// A loop over the kept keys; `body` gives the next state.
  ValueRange forKeptKeys(PairBuilder &builder, const KeyIntervals &keys,
                         ValueRange state, KeptKeyBody body);
  /// The score of a pair, `bias` (may be null) included.
  Value emitScore(PairBuilder &builder, Value key, Value bias);
  Value emitDot(PairBuilder &builder, Value key);
  Value emitSoftcap(PairBuilder &builder, Value score, double softcap);
  /// `number` with the precision of `to`, if that is given.
  Value emitRounded(PairBuilder &builder, Value number, std::optional<Type> to);

  /// `sink` may be null.
  RowResult emitSoftmax(PairBuilder &builder, const KeyIntervals &keys,
                        Value maximum, Value sink, Value row);
  RowResult emitEmpty(PairBuilder &builder, Value row);

  /// A sum of values that is zero.
  Value createSum(PairBuilder &builder);
  /// `sum + weight * value[key]`.
  Value addValue(PairBuilder &builder, Value sum, Value weight, Value key);
  /// `sum / divisor`, rounded to the destination's element type.
  Value divideInto(PairBuilder &builder, Value row, Value sum, Value divisor);

  const AttentionInputs &inputs;
  AttentionOp op;
  FloatType type;
  Value batch, head, keyHead, query;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOLINALG_ROWEMITTER_H
