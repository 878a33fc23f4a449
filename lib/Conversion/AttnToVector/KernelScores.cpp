//===- KernelScores.cpp - Scores of a block of keys -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Scores of a block of keys, their maximum, and their exponentials.
///
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn;

using arith::CmpFPredicate;

/// Element `element` of the key `offset` rows after `row`; `groupRow` is its
/// row in the widened copy.
Value KernelEmitter::loadKey(Value row, int64_t offset, Value groupRow,
                             Value element) {
  if (wideKeys)
    return memref::LoadOp::create(b, wideKeys, ValueRange{groupRow, element});
  return memref::LoadOp::create(b, kernel.key,
                                ValueRange{addIndex(b, row, offset), element});
}

/// Applies the stages after the contraction to the scores of one key.
Value KernelEmitter::finishScore(Value score, Value key, Value bias,
                                 bool masked) {
  if (kernel.softcap != 0)
    score = arith::MulFOp::create(b, emitTanh(b, score),
                                  laneConstant(kernel.softcap));
  if (kernel.bias && !biasFirst())
    score = arith::AddFOp::create(b, score, bias);
  if (kernel.score)
    score = kernel.score(b, b.getLoc(), score, queries, key);
  score = roundTo(score, kernel.softmaxType);
  if (!masked)
    return score;
  double lowest = -std::numeric_limits<double>::infinity();
  Value removed = laneConstant(lowest);
  if (kernel.biasMayRemove) {
    Value present = arith::CmpFOp::create(b, CmpFPredicate::UNE, bias, removed);
    score = arith::SelectOp::create(b, present, score, removed);
  }
  if (!kernel.keep)
    return score;
  Value keep = kernel.keep(b, b.getLoc(), queries, key);
  return arith::SelectOp::create(b, keep, score, removed);
}

/// Scores of `rows` keys from block row `row` on; returns the new maximum.
Value KernelEmitter::emitScoreRows(Value row, int64_t rows, Value firstKey,
                                   bool masked, Value max) {
  Value key = addIndex(b, firstKey, row);
  if (wideKeys)
    widenRows(kernel.key, key, wideKeys, indexConstant(b, rows));

  SmallVector<Value> keys, groupRows, biases;
  for (int64_t i = 0; i < rows; ++i) {
    keys.push_back(addIndex(b, key, i));
    groupRows.push_back(indexConstant(b, i));
    biases.push_back(kernel.bias
                         ? kernel.bias(b, b.getLoc(), queries, keys.back())
                         : Value());
  }

  auto tileType = VectorType::get({rows, lanes}, accType);
  Value init = floatConstant(b, tileType, 0);
  if (biasFirst())
    for (int64_t i = 0; i < rows; ++i)
      init = vector::InsertOp::create(b, firstSum(biases[i]), init, i);

  auto columnType = VectorType::get({rows}, accType);
  Value tile =
      emitFor(b, zero, keySize, 1, init, [&](Value element, ValueRange args) {
        SmallVector<Value> column;
        for (int64_t i = 0; i < rows; ++i)
          column.push_back(loadKey(key, i, groupRows[i], element));
        Value lhs = vector::FromElementsOp::create(b, columnType, column);
        Value rhs = loadLanes(packedQuery, element);
        return SmallVector<Value>{vector::OuterProductOp::create(
            b, tileType, lhs, rhs, args[0], vector::CombiningKind::ADD)};
      })[0];

  for (int64_t i = 0; i < rows; ++i) {
    Value score = vector::ExtractOp::create(b, tile, i);
    score = finishScore(score, keys[i], biases[i], masked);
    storeLanes(score, scores, addIndex(b, row, i));
    // A NaN does not become the maximum; it reaches the sum by itself.
    Value above = arith::CmpFOp::create(b, CmpFPredicate::OGT, score, max);
    max = arith::SelectOp::create(b, above, score, max);
  }
  return max;
}

Value KernelEmitter::emitScores(const KeyBlock &block, Value max) {
  auto rowsOf = [&](bool masked) {
    return [&, masked](Value row, int64_t rows, ValueRange args) {
      return SmallVector<Value>{
          emitScoreRows(row, rows, block.first, masked, args[0])};
    };
  };
  if (!hasMask())
    return emitForWithTail(b, zero, block.count, rowGroup, max,
                           rowsOf(false))[0];
  // Only the keys after the surely kept ones may end within a row group.
  auto groups = [&](Value lower, Value upper, bool masked, Value max) {
    return emitFor(b, lower, upper, rowGroup, max,
                   [&](Value row, ValueRange args) {
                     return rowsOf(masked)(row, rowGroup, args);
                   })[0];
  };
  if (hasPrefix)
    max = groups(zero, block.sureBegin, true, max);
  if (hasSure)
    max = groups(block.sureBegin, block.sureEnd, false, max);
  return emitForWithTail(b, block.sureEnd, block.count, rowGroup, max,
                         rowsOf(true))[0];
}

/// Replaces the scores by their exponentials; returns the new sum.
Value KernelEmitter::emitProbabilities(Value keys, Value max, Value sum) {
  return emitFor(b, zero, keys, 1, sum, [&](Value row, ValueRange args) {
    Value score = loadLanes(scores, row);
    Value p = emitExpNonPositive(b, arith::SubFOp::create(b, score, max));
    // The sum is not rounded.
    storeLanes(roundTo(p, kernel.probType), scores, row);
    return SmallVector<Value>{arith::AddFOp::create(b, args[0], p)};
  })[0];
}
