//===- RotateKeys.cpp - Rotated copy of the keys ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// See RotateKeys.h.
///
//===----------------------------------------------------------------------===//

#include "RotateKeys.h"

#include "EmissionHelpers.h"
#include "TilePacking.h"
#include "VectorMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// Access to `size` consecutive elements of a row: vectors, or scalars for 1.
struct RowAccess {
  ImplicitLocOpBuilder &b;
  Type accType;
  int64_t size;

  Value load(Value source, Value row, Value column) {
    SmallVector<Value> at = {row, column};
    Value x = size == 1
                  ? Value(memref::LoadOp::create(b, source, at).getResult())
                  : loadRow(b, source, at, size);
    return convertFloat(b, x, accType);
  }
  void store(Value x, Value target, Value row, Value column) {
    SmallVector<Value> at = {row, column};
    if (size == 1)
      memref::StoreOp::create(b, x, target, at);
    else
      storeRow(b, x, target, at);
  }
};
} // namespace

/// Splits (joins) the pairs that two adjacent vectors hold interleaved.
static std::pair<Value, Value> deinterleave(ImplicitLocOpBuilder &b, Value low,
                                            Value high) {
  int64_t size = cast<VectorType>(low.getType()).getNumElements();
  SmallVector<int64_t> even, odd;
  for (int64_t i = 0; i < size; ++i) {
    even.push_back(2 * i);
    odd.push_back(2 * i + 1);
  }
  return {vector::ShuffleOp::create(b, low, high, even),
          vector::ShuffleOp::create(b, low, high, odd)};
}

static std::pair<Value, Value> interleave(ImplicitLocOpBuilder &b, Value even,
                                          Value odd) {
  int64_t size = cast<VectorType>(even.getType()).getNumElements();
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < size; ++i) {
    low.push_back(i / 2 + (i % 2) * size);
    high.push_back(size / 2 + i / 2 + (i % 2) * size);
  }
  return {vector::ShuffleOp::create(b, even, odd, low),
          vector::ShuffleOp::create(b, even, odd, high)};
}

void attn::emitRotateKeys(ImplicitLocOpBuilder &b, Value keys,
                          const AttentionKernel::Rotation &rotation,
                          Value target) {
  Type accType = cast<MemRefType>(target.getType()).getElementType();
  Value zero = indexConstant(b, 0);
  Value first = indexConstant(b, rotation.first);
  Value pairs = sizeOf(b, rotation.cos, 1);
  Value end = addIndex(b, first, addIndex(b, pairs, pairs));
  SmallVector<Value> none;

  auto copy = [&](Value row, Value lower, Value upper) {
    emitForWithTail(b, lower, upper, transposeWidth, ValueRange{},
                    [&](Value column, int64_t size, ValueRange) {
                      RowAccess access{b, accType, size};
                      access.store(access.load(keys, row, column), target, row,
                                   column);
                      return none;
                    });
  };
  auto rotatePairs = [&](Value row, Value pair, int64_t size, ValueRange) {
    RowAccess access{b, accType, size};
    // Where the first and the second elements of the pairs are; interleaved
    // vectors of pairs lie in the two vectors from the first element on.
    Value xAt = addIndex(b, first, pair), yAt = addIndex(b, xAt, pairs);
    if (rotation.interleaved) {
      xAt = addIndex(b, first,
                     arith::MulIOp::create(b, pair, indexConstant(b, 2)));
      yAt = addIndex(b, xAt, size);
    }
    bool shuffle = rotation.interleaved && size > 1;
    Value x = access.load(keys, row, xAt), y = access.load(keys, row, yAt);
    if (shuffle)
      std::tie(x, y) = deinterleave(b, x, y);
    Value cos = access.load(rotation.cos, row, pair);
    Value sin = access.load(rotation.sin, row, pair);
    if (rotation.inverse)
      sin = arith::NegFOp::create(b, sin);
    auto mul = [&](Value lhs, Value rhs) {
      return arith::MulFOp::create(b, lhs, rhs);
    };
    Value newX = arith::SubFOp::create(b, mul(x, cos), mul(y, sin));
    Value newY = arith::AddFOp::create(b, mul(x, sin), mul(y, cos));
    if (shuffle)
      std::tie(newX, newY) = interleave(b, newX, newY);
    access.store(newX, target, row, xAt);
    access.store(newY, target, row, yAt);
    return none;
  };
  emitFor(b, zero, sizeOf(b, keys, 0), 1, [&](Value row) {
    copy(row, zero, first);
    emitForWithTail(b, zero, pairs, transposeWidth, ValueRange{},
                    [&](Value pair, int64_t size, ValueRange args) {
                      return rotatePairs(row, pair, size, args);
                    });
    copy(row, end, sizeOf(b, keys, 1));
  });
}
