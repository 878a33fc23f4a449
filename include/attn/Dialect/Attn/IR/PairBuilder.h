//===- PairBuilder.h - Emits values per query/key pair ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What masks and biases use to emit IR for one pair (batch, head, query, key)
/// or for a vector of pairs. The same code serves scalar loops and vector
/// kernels: every index may be an `index` or a vector of `index`, and a scalar
/// meets a vector by being broadcast.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_PAIRBUILDER_H
#define ATTN_DIALECT_ATTN_IR_PAIRBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::attn {

/// The indices of one pair, or of several: each is an `index` or a vector of
/// `index`; all vectors have one shape.
struct PairIndices {
  Value batch, head, query, key;

  /// The first index that is a vector, or null.
  Value getVector() const;
};

/// The queries `[queryBegin, queryEnd)` of one head, all of type `index`.
struct QueryRange {
  Value batch, head, queryBegin, queryEnd;
  /// The number of keys.
  Value keyCount;
};

class PairBuilder;

/// Half-open key intervals for a range of queries, all of type `index`: of the
/// keys `[0, keyCount)`, no pair is kept outside `may` and every pair is inside
/// `sure`. For an empty range of queries both hold of any intervals.
struct KeyIntervals {
  Value mayBegin, mayEnd, sureBegin, sureEnd;

  /// Nothing is known: `may` is everything, `sure` nothing.
  static KeyIntervals unknown(PairBuilder &builder, const QueryRange &range);
  /// Everything is kept.
  static KeyIntervals all(PairBuilder &builder, const QueryRange &range);
  /// Orders and clamps the bounds: `0 <= mayBegin <= sureBegin <= sureEnd <=
  /// mayEnd <= keyCount`.
  KeyIntervals normalize(PairBuilder &builder, Value keyCount) const;
};

/// An OpBuilder at a location whose operations broadcast scalars to vectors.
class PairBuilder {
public:
  PairBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() const { return loc; }

  /// A constant of type `index`, `i1`, or of a float type.
  Value index(int64_t value);
  Value boolean(bool value);
  Value floating(FloatType type, double value);

  /// Index arithmetic; `floorDiv` rounds down.
  Value add(Value lhs, Value rhs);
  Value sub(Value lhs, Value rhs);
  Value mul(Value lhs, Value rhs);
  Value floorDiv(Value lhs, Value rhs);
  Value min(Value lhs, Value rhs);
  Value max(Value lhs, Value rhs);
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs);

  /// Boolean arithmetic.
  Value logicalAnd(Value lhs, Value rhs);
  Value logicalOr(Value lhs, Value rhs);
  Value logicalNot(Value operand);
  Value select(Value condition, Value ifTrue, Value ifFalse);

  /// Float arithmetic.
  Value addFloat(Value lhs, Value rhs);
  Value mulFloat(Value lhs, Value rhs);
  Value negateFloat(Value operand);
  Value absFloat(Value operand);
  /// 2 to the power of `operand`.
  Value exp2(Value operand);
  /// A signed integer or index as a float. Exact up to the type's precision.
  Value toFloat(Value integer, FloatType type);
  /// Extends or rounds a float to `type`.
  Value castFloat(Value operand, FloatType type);
  /// An integer of any width as `index`, sign-extended.
  Value toIndex(Value integer);

  /// An element of a ranked tensor or memref. Indices may be vectors; an index
  /// into a dimension of static size 1 is replaced by 0. A vector of elements
  /// is loaded lane by lane.
  Value load(Value source, ArrayRef<Value> indices);
  /// The size of a dimension as `index`.
  Value dim(Value source, int64_t dimension);

  /// Clones the single block of `region` with its arguments replaced by `args`
  /// and returns what its terminator yields. If any argument is a vector, so is
  /// the result: elementwise ops are cloned as vector ops, and a region with
  /// any other op is cloned once per lane.
  Value inlineRegion(Region &region, ArrayRef<Value> args);

  /// Offsets and lengths beyond this are beyond every tensor, also less the
  /// side of a window, which is at most a quarter of it. Sums do not overflow.
  static constexpr int64_t maxPosition = int64_t(1) << 62;

  /// An index brought into `[-maxPosition, maxPosition]`.
  Value bounded(Value value);

  /// The offset of a batch, bounded: 0 if `offset` is null, itself if it is an
  /// index, else its element `[batch]`.
  Value batchOffset(Value offset, Value batch);

  /// Broadcasts `value` to the shape of the vector `like`, if that is one. A
  /// null `like` is no vector.
  Value broadcastLike(Value value, Value like);

private:
  /// Makes both values vectors if one of them is.
  void unify(Value &lhs, Value &rhs);
  Value inlineScalar(Region &region, ArrayRef<Value> args);
  Value loadScalar(Value source, ArrayRef<Value> indices);

  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_PAIRBUILDER_H
