//===- AttentionKernel.cpp - Online attention in vector IR ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Emission of one work unit of attention. With lanes being queries:
///
///   QT[d][q]   = scale * rotated(Q)[q][d]                   packed once
///   S^T[k][q]  = sum_d K[k][d] * QT[d][q]                   outer products
///   P^T[k][q]  = exp(S^T[k][q] - m[q])
///   O^T[d][q]  = alpha[q] * O^T[d][q] + sum_k V[k][d] * P^T[k][q]
///
/// over blocks of keys. The scores of a block come from three loops: keys
/// before those that are surely kept, the surely kept ones without any mask
/// code, and the keys after them. In all blocks but a few, two of the three are
/// empty.
///
/// Removed pairs get the score -inf, whose exponential is exactly zero, while
/// the running maximum starts at the lowest finite number: a lane that has seen
/// only removed pairs subtracts a finite maximum and sums nothing.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/AttnToVector/AttentionKernel.h"

#include "EmissionHelpers.h"
#include "TilePacking.h"
#include "VectorMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn;

using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {

/// Running state of the softmax, one value per lane.
struct SoftmaxState {
  Value max, sum;
};

/// Keys that are visited together: `count` from `first` on, of which rows
/// [sureBegin, sureEnd), counted from `first`, need no mask.
struct KeyBlock {
  Value first, count, sureBegin, sureEnd;
};

class KernelEmitter {
public:
  KernelEmitter(ImplicitLocOpBuilder &b, const AttentionKernel &kernel);

  void emit();

private:
  // Preparation.
  void allocateScratch();
  Value allocate(ArrayRef<int64_t> shape, ValueRange sizes, Type elementType);
  void computeQueryIndices();
  void computeIntervals();
  SoftmaxState initialState();

  // One block of keys.
  SoftmaxState visitKeys(SoftmaxState state);
  SoftmaxState visitBlock(const KeyBlock &block, SoftmaxState state);
  Value emitScores(const KeyBlock &block, Value max);
  Value emitScoreRows(Value row, int64_t rows, Value firstKey, bool masked,
                      Value max);
  Value finishScore(Value score, Value key, Value bias, bool masked);
  Value emitProbabilities(Value keys, Value max, Value sum);
  void emitValues(const KeyBlock &block, Value alpha);
  void emitValueRows(Value element, int64_t rows, Value firstKey, Value keys,
                     Value alpha);
  void emitGuardedValues(Value firstKey, Value keys, Value alpha);
  Value allFinite(Value firstKey, Value lower, Value upper);
  Value keepLanes(Value key);

  // 16-bit keys and values are widened once per work unit.
  void widenRows(Value source, Value sourceRow, Value target, Value rows);
  Value loadKey(Value row, int64_t offset, Value groupRow, Value element);
  Value loadValue(Value firstKey, Value row, Value element);

  // Completion.
  void finalize(SoftmaxState state);
  Value emptyLanes(Value sum);
  Value keptAny();
  void replaceByMean(Value empty);
  void emitLse(SoftmaxState state, Value empty);

  Value laneConstant(double value) { return floatConstant(b, laneType, value); }
  Value broadcast(Value scalar) {
    return vector::BroadcastOp::create(b, laneType.clone(scalar.getType()),
                                       scalar);
  }
  Value loadLanes(Value source, Value row) {
    return vector::LoadOp::create(b, laneType, source, ValueRange{row, zero});
  }
  void storeLanes(Value lanes, Value target, Value row) {
    vector::StoreOp::create(b, lanes, target, ValueRange{row, zero});
  }
  bool hasMask() const { return kernel.keep || kernel.biasMayRemove; }
  /// Without a later stage the bias may start the accumulator.
  bool biasFirst() const { return kernel.bias && kernel.softcap == 0; }

  ImplicitLocOpBuilder &b;
  const AttentionKernel &kernel;
  int64_t lanes, rowGroup, keyBlock;
  Type accType;
  VectorType laneType;
  Value zero;

  Value keyCount, keySize, valueSize;
  Value mayBegin, mayEnd, sureBegin, sureEnd;
  /// Whether there may be keys from mayBegin to sureBegin, and surely kept
  /// ones.
  bool hasPrefix = false, hasSure = false;
  Value queries;
  Value packedQuery, scores, output, wideKeys, wideValues, laneScratch;
};

} // namespace

KernelEmitter::KernelEmitter(ImplicitLocOpBuilder &b,
                             const AttentionKernel &kernel)
    : b(b), kernel(kernel), lanes(kernel.plan.getQueryBlock()),
      rowGroup(kernel.plan.getRows()),
      // Whole row groups, or every block would end with single rows.
      keyBlock(llvm::alignTo(kernel.plan.getKeyBlock(), rowGroup)) {
  Type elementType = cast<MemRefType>(kernel.query.getType()).getElementType();
  accType = elementType.isF64() ? elementType : Type(b.getF32Type());
  laneType = VectorType::get({lanes}, accType);
  zero = indexConstant(b, 0);
  keyCount = sizeOf(b, kernel.key, 0);
  keySize = sizeOf(b, kernel.key, 1);
  valueSize = sizeOf(b, kernel.value, 1);
}

Value KernelEmitter::allocate(ArrayRef<int64_t> shape, ValueRange sizes,
                              Type elementType) {
  return memref::AllocOp::create(b, MemRefType::get(shape, elementType), sizes,
                                 b.getI64IntegerAttr(64));
}

/// The sizes depend on the blocking and on the head dimensions only.
void KernelEmitter::allocateScratch() {
  auto rowsByLanes = [&](Value source) {
    int64_t rows = cast<MemRefType>(source.getType()).getDimSize(1);
    SmallVector<Value> sizes;
    if (ShapedType::isDynamic(rows))
      sizes.push_back(sizeOf(b, source, 1));
    return allocate({rows, lanes}, sizes, accType);
  };
  auto rowsOf = [&](int64_t rows, Value source) {
    int64_t columns = cast<MemRefType>(source.getType()).getDimSize(1);
    SmallVector<Value> sizes;
    if (ShapedType::isDynamic(columns))
      sizes.push_back(sizeOf(b, source, 1));
    return allocate({rows, columns}, sizes, accType);
  };
  packedQuery = rowsByLanes(kernel.key);
  output = rowsByLanes(kernel.value);
  scores = allocate({keyBlock, lanes}, {}, accType);
  laneScratch = allocate({lanes}, {}, accType);
  auto isNarrow = [&](Value source) {
    return cast<MemRefType>(source.getType()).getElementType() != accType;
  };
  if (isNarrow(kernel.key))
    wideKeys = rowsOf(rowGroup, kernel.key);
  if (isNarrow(kernel.value))
    wideValues = rowsOf(keyBlock, kernel.value);
}

void KernelEmitter::computeQueryIndices() {
  if (!kernel.keep && !kernel.bias && !kernel.score)
    return;
  auto type = VectorType::get({lanes}, b.getIndexType());
  auto wide = [&](Value scalar) {
    return vector::BroadcastOp::create(b, type, scalar);
  };
  Value last = addIndex(b, sizeOf(b, kernel.query, 0), -1);
  queries = vector::StepOp::create(b, type);
  queries = arith::MinSIOp::create(b, queries, wide(last));
  if (kernel.queryBegin)
    queries = arith::AddIOp::create(b, queries, wide(kernel.queryBegin));
}

/// Brings the intervals into order whatever the caller gives, so that no key
/// outside the memref is ever read.
void KernelEmitter::computeIntervals() {
  mayBegin = kernel.mayBegin ? maxIndex(b, kernel.mayBegin, zero) : zero;
  mayEnd = kernel.mayEnd ? minIndex(b, kernel.mayEnd, keyCount) : keyCount;
  sureBegin = sureEnd = mayBegin;
  if (!hasMask() || !kernel.sureBegin || kernel.biasMayRemove)
    return;
  std::optional<int64_t> knownBegin = getConstantIntValue(kernel.sureBegin);
  if (knownBegin && knownBegin == getConstantIntValue(kernel.sureEnd))
    return;
  hasSure = true;
  // Both ends move inwards to whole row groups counted from mayBegin: a few
  // more keys ask the mask, and none is left over at the seams.
  Value before = maxIndex(b, subIndex(b, kernel.sureBegin, mayBegin), zero);
  before = roundDown(b, addIndex(b, before, rowGroup - 1), rowGroup);
  Value end = minIndex(b, kernel.sureEnd, mayEnd);
  Value whole = roundDown(b, subIndex(b, end, mayBegin), rowGroup);
  Value some = arith::CmpIOp::create(b, CmpIPredicate::slt, before, whole);
  // Masks that start at the first key need no loop before the sure keys.
  hasPrefix = getConstantIntValue(before) != 0;
  if (hasPrefix)
    before = arith::SelectOp::create(b, some, before, zero);
  whole = arith::SelectOp::create(b, some, whole, zero);
  sureBegin = hasPrefix ? addIndex(b, mayBegin, before) : mayBegin;
  sureEnd = addIndex(b, mayBegin, whole);
}

SoftmaxState KernelEmitter::initialState() {
  const llvm::fltSemantics &semantics =
      cast<FloatType>(accType).getFloatSemantics();
  APFloat lowest = APFloat::getLargest(semantics, /*Negative=*/true);
  Value max = laneConstant(lowest.convertToDouble());
  if (!kernel.sink)
    return {max, laneConstant(0)};
  // The sink is a key that every lane keeps, with a value of zero.
  Value sink = broadcast(kernel.sink);
  Value above = arith::CmpFOp::create(b, CmpFPredicate::OGT, sink, max);
  max = arith::SelectOp::create(b, above, sink, max);
  return {max, emitExpNonPositive(b, arith::SubFOp::create(b, sink, max))};
}

/// Lanes that keep `key` by the mask.
Value KernelEmitter::keepLanes(Value key) {
  Value keep;
  if (kernel.keep)
    keep = kernel.keep(b, b.getLoc(), queries, key);
  if (!kernel.biasMayRemove)
    return keep;
  Value bias = kernel.bias(b, b.getLoc(), queries, key);
  double lowest = -std::numeric_limits<double>::infinity();
  // Unordered: a NaN bias does not remove the pair.
  Value present =
      arith::CmpFOp::create(b, CmpFPredicate::UNE, bias, laneConstant(lowest));
  return keep ? arith::AndIOp::create(b, keep, present) : present;
}

void KernelEmitter::widenRows(Value source, Value sourceRow, Value target,
                              Value rows) {
  Value columns = sizeOf(b, source, 1);
  emitFor(b, zero, rows, 1, [&](Value row) {
    Value from = addIndex(b, sourceRow, row);
    emitForWithTail(b, zero, columns, transposeWidth, ValueRange{},
                    [&](Value column, int64_t size, ValueRange) {
                      SmallVector<Value> sourceAt = {from, column};
                      SmallVector<Value> targetAt = {row, column};
                      if (size == 1) {
                        Value x = memref::LoadOp::create(b, source, sourceAt);
                        memref::StoreOp::create(b, convertFloat(b, x, accType),
                                                target, targetAt);
                        return SmallVector<Value>();
                      }
                      Value x = loadRow(b, source, sourceAt, size);
                      vector::StoreOp::create(b, convertFloat(b, x, accType),
                                              target, targetAt);
                      return SmallVector<Value>();
                    });
  });
}

/// Element `element` of the key `offset` rows after `row`; `groupRow` is its
/// row in the widened copy.
Value KernelEmitter::loadKey(Value row, int64_t offset, Value groupRow,
                             Value element) {
  if (wideKeys)
    return memref::LoadOp::create(b, wideKeys, ValueRange{groupRow, element});
  return memref::LoadOp::create(b, kernel.key,
                                ValueRange{addIndex(b, row, offset), element});
}

Value KernelEmitter::loadValue(Value firstKey, Value row, Value element) {
  if (wideValues)
    return memref::LoadOp::create(b, wideValues, ValueRange{row, element});
  return memref::LoadOp::create(
      b, kernel.value, ValueRange{addIndex(b, firstKey, row), element});
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
      init = vector::InsertOp::create(b, biases[i], init, i);

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
    storeLanes(p, scores, row);
    return SmallVector<Value>{arith::AddFOp::create(b, args[0], p)};
  })[0];
}

/// Adds `rows` elements of the head dimension from `element` on.
void KernelEmitter::emitValueRows(Value element, int64_t rows, Value firstKey,
                                  Value keys, Value alpha) {
  auto tileType = VectorType::get({rows, lanes}, accType);
  auto columnType = VectorType::get({rows}, accType);
  SmallVector<Value> elements;
  Value tile = ub::PoisonOp::create(b, tileType);
  for (int64_t i = 0; i < rows; ++i) {
    elements.push_back(addIndex(b, element, i));
    Value old = loadLanes(output, elements.back());
    tile = vector::InsertOp::create(b, arith::MulFOp::create(b, old, alpha),
                                    tile, i);
  }
  tile = emitFor(b, zero, keys, 1, tile, [&](Value row, ValueRange args) {
    SmallVector<Value> column;
    for (Value at : elements)
      column.push_back(loadValue(firstKey, row, at));
    Value lhs = vector::FromElementsOp::create(b, columnType, column);
    Value rhs = loadLanes(scores, row);
    return SmallVector<Value>{vector::OuterProductOp::create(
        b, tileType, lhs, rhs, args[0], vector::CombiningKind::ADD)};
  })[0];
  for (auto [i, at] : llvm::enumerate(elements))
    storeLanes(vector::ExtractOp::create(b, tile, i), output, at);
}

/// Whether all values of block rows [lower, upper) are finite.
Value KernelEmitter::allFinite(Value firstKey, Value lower, Value upper) {
  // Several vectors of a row at once, as the sums are a chain.
  int64_t width = transposeWidth;
  std::optional<int64_t> size = getConstantIntValue(valueSize);
  while (size && width < 4 * transposeWidth && *size % (2 * width) == 0)
    width *= 2;

  // x * 0 is NaN exactly where x is not finite, and NaN stays in the sum.
  auto wideType = VectorType::get({width}, accType);
  Value wideZero = floatConstant(b, wideType, 0);
  Value none = floatConstant(b, accType, 0);
  Value source = wideValues ? wideValues : kernel.value;
  Value offset = wideValues ? zero : firstKey;
  Value whole = roundDown(b, valueSize, width);
  SmallVector<Value> sums = emitFor(
      b, lower, upper, 1, ValueRange{wideZero, none},
      [&](Value row, ValueRange args) {
        Value at = addIndex(b, offset, row);
        Value wide = emitFor(
            b, zero, whole, width, args[0], [&](Value column, ValueRange sum) {
              Value x = loadRow(b, source, ValueRange{at, column}, width);
              return SmallVector<Value>{
                  vector::FMAOp::create(b, x, wideZero, sum[0])};
            })[0];
        Value one = emitFor(
            b, whole, valueSize, 1, args[1], [&](Value column, ValueRange sum) {
              Value x =
                  memref::LoadOp::create(b, source, ValueRange{at, column});
              x = arith::MulFOp::create(b, x, none);
              return SmallVector<Value>{arith::AddFOp::create(b, x, sum[0])};
            })[0];
        return SmallVector<Value>{wide, one};
      });
  Value sum = vector::ReductionOp::create(b, vector::CombiningKind::ADD,
                                          sums[0], sums[1]);
  return arith::CmpFOp::create(b, CmpFPredicate::ORD, sum, sum);
}

/// The product with values of which some are not finite: a removed pair must
/// not meet them even with probability zero.
void KernelEmitter::emitGuardedValues(Value firstKey, Value keys, Value alpha) {
  Value none = laneConstant(0);
  emitFor(b, zero, valueSize, 1, [&](Value element) {
    Value old = loadLanes(output, element);
    Value init = arith::MulFOp::create(b, old, alpha);
    Value sum =
        emitFor(b, zero, keys, 1, init, [&](Value row, ValueRange args) {
          Value keep = keepLanes(addIndex(b, firstKey, row));
          Value value = broadcast(loadValue(firstKey, row, element));
          value = arith::SelectOp::create(b, keep, value, none);
          return SmallVector<Value>{
              vector::FMAOp::create(b, value, loadLanes(scores, row), args[0])};
        })[0];
    storeLanes(sum, output, element);
  });
}

void KernelEmitter::emitValues(const KeyBlock &block, Value alpha) {
  if (wideValues)
    widenRows(kernel.value, block.first, wideValues, block.count);
  auto product = [&] {
    emitForWithTail(b, zero, valueSize, rowGroup, ValueRange{},
                    [&](Value element, int64_t rows, ValueRange) {
                      emitValueRows(element, rows, block.first, block.count,
                                    alpha);
                      return SmallVector<Value>();
                    });
    return SmallVector<Value>();
  };
  if (!hasMask()) {
    product();
    return;
  }
  Value finite = allFinite(block.first, block.sureEnd, block.count);
  if (hasPrefix)
    finite = arith::AndIOp::create(
        b, allFinite(block.first, zero, block.sureBegin), finite);
  emitIf(b, finite, product, [&] {
    emitGuardedValues(block.first, block.count, alpha);
    return SmallVector<Value>();
  });
}

SoftmaxState KernelEmitter::visitBlock(const KeyBlock &block,
                                       SoftmaxState state) {
  Value max = emitScores(block, state.max);
  Value alpha = emitExpNonPositive(b, arith::SubFOp::create(b, state.max, max));
  Value sum = emitProbabilities(block.count, max,
                                arith::MulFOp::create(b, state.sum, alpha));
  emitValues(block, alpha);
  return {max, sum};
}

SoftmaxState KernelEmitter::visitKeys(SoftmaxState state) {
  Value step = indexConstant(b, keyBlock);
  SmallVector<Value> result =
      emitFor(b, mayBegin, mayEnd, keyBlock, ValueRange{state.max, state.sum},
              [&](Value first, ValueRange args) {
                KeyBlock block;
                block.first = first;
                block.count = minIndex(b, step, subIndex(b, mayEnd, first));
                auto rowOf = [&](Value key) {
                  Value row = maxIndex(b, subIndex(b, key, first), zero);
                  return minIndex(b, row, block.count);
                };
                block.sureBegin = hasPrefix ? rowOf(sureBegin) : zero;
                block.sureEnd = rowOf(sureEnd);
                SoftmaxState next = visitBlock(block, {args[0], args[1]});
                return SmallVector<Value>{next.max, next.sum};
              });
  return {result[0], result[1]};
}

/// Lanes with a kept key, recomputed from the mask.
Value KernelEmitter::keptAny() {
  auto type = VectorType::get({lanes}, b.getI1Type());
  auto splat = [&](Value condition) {
    return vector::BroadcastOp::create(b, type, condition);
  };
  if (!hasMask())
    return splat(
        arith::CmpIOp::create(b, CmpIPredicate::slt, mayBegin, mayEnd));
  Value sure =
      splat(arith::CmpIOp::create(b, CmpIPredicate::slt, sureBegin, sureEnd));
  return emitFor(b, mayBegin, mayEnd, 1, sure, [&](Value key, ValueRange args) {
    return SmallVector<Value>{arith::OrIOp::create(b, args[0], keepLanes(key))};
  })[0];
}

/// Lanes without a kept key. A sum of zero is necessary but not sufficient: the
/// lane may keep keys whose scores are all -inf. So the mask is asked, in this
/// rare case only.
Value KernelEmitter::emptyLanes(Value sum) {
  auto type = VectorType::get({lanes}, b.getI1Type());
  Value noSum =
      arith::CmpFOp::create(b, CmpFPredicate::OEQ, sum, laneConstant(0));
  Value any = vector::ReductionOp::create(b, vector::CombiningKind::OR, noSum);
  Value none =
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, false));
  Value all = arith::ConstantOp::create(b, DenseElementsAttr::get(type, true));
  return emitIf(
      b, any,
      [&] {
        Value nothing = arith::XOrIOp::create(b, keptAny(), all);
        return SmallVector<Value>{arith::AndIOp::create(b, noSum, nothing)};
      },
      [&] { return SmallVector<Value>{none}; })[0];
}

/// Sets the lanes of `empty` to the mean of all values.
void KernelEmitter::replaceByMean(Value empty) {
  Value any = vector::ReductionOp::create(b, vector::CombiningKind::OR, empty);
  emitIf(b, any, [&] {
    Value count = arith::SIToFPOp::create(
        b, accType, arith::IndexCastOp::create(b, b.getI64Type(), keyCount));
    emitFor(b, zero, valueSize, 1, [&](Value element) {
      Value none = floatConstant(b, accType, 0);
      Value sum =
          emitFor(b, zero, keyCount, 1, none, [&](Value key, ValueRange args) {
            Value x = memref::LoadOp::create(b, kernel.value,
                                             ValueRange{key, element});
            return SmallVector<Value>{
                arith::AddFOp::create(b, args[0], convertFloat(b, x, accType))};
          })[0];
      Value mean = broadcast(arith::DivFOp::create(b, sum, count));
      Value old = loadLanes(output, element);
      storeLanes(arith::SelectOp::create(b, empty, mean, old), output, element);
    });
  });
}

void KernelEmitter::emitLse(SoftmaxState state, Value empty) {
  Value one = laneConstant(1);
  // Through scratch memory, lane by lane, as there is no vector logarithm.
  auto toScratch = [&](Value lanesValue) {
    vector::StoreOp::create(b, lanesValue, laneScratch, zero);
  };
  double lowest = -std::numeric_limits<double>::infinity();
  Type lseType = cast<MemRefType>(kernel.lse.getType()).getElementType();
  Value rows = sizeOf(b, kernel.query, 0);
  toScratch(arith::SelectOp::create(b, empty, one, state.sum));
  emitFor(b, zero, rows, 1, [&](Value row) {
    Value sum = memref::LoadOp::create(b, laneScratch, row);
    memref::StoreOp::create(b, math::LogOp::create(b, sum), laneScratch, row);
  });
  Value logs = vector::LoadOp::create(b, laneType, laneScratch, zero);
  Value lse = arith::AddFOp::create(b, state.max, logs);
  toScratch(arith::SelectOp::create(b, empty, laneConstant(lowest), lse));
  emitFor(b, zero, rows, 1, [&](Value row) {
    Value x = memref::LoadOp::create(b, laneScratch, row);
    memref::StoreOp::create(b, convertFloat(b, x, lseType), kernel.lse, row);
  });
}

void KernelEmitter::finalize(SoftmaxState state) {
  using EmptyRow = AttentionKernel::EmptyRow;
  Value empty = emptyLanes(state.sum);
  if (kernel.lse)
    emitLse(state, empty);

  // Output lanes of empty rows are zero so far.
  double emptyFactor = kernel.emptyRow == EmptyRow::zero  ? 0.0
                       : kernel.emptyRow == EmptyRow::nan ? std::nan("")
                                                          : 1.0;
  Value factor = arith::DivFOp::create(b, laneConstant(1), state.sum);
  factor = arith::SelectOp::create(b, empty, laneConstant(emptyFactor), factor);
  if (kernel.emptyRow == EmptyRow::mean)
    replaceByMean(empty);
  vector::StoreOp::create(b, factor, laneScratch, zero);
  emitUnpackOutput(b, kernel, output, laneScratch);
}

void KernelEmitter::emit() {
  allocateScratch();
  computeQueryIndices();
  computeIntervals();

  Value factor = kernel.scale;
  if (kernel.softcap != 0)
    factor = arith::DivFOp::create(b, factor,
                                   floatConstant(b, accType, kernel.softcap));
  emitPackQuery(b, kernel, factor, packedQuery);
  Value none = laneConstant(0);
  emitFor(b, zero, valueSize, 1,
          [&](Value element) { storeLanes(none, output, element); });

  finalize(visitKeys(initialState()));

  for (Value buffer :
       {packedQuery, output, scores, laneScratch, wideKeys, wideValues})
    if (buffer)
      memref::DeallocOp::create(b, buffer);
}

void attn::emitAttentionKernel(OpBuilder &builder, Location loc,
                               const AttentionKernel &kernel) {
  ImplicitLocOpBuilder b(loc, builder);
  KernelEmitter(b, kernel).emit();
  builder.restoreInsertionPoint(b.saveInsertionPoint());
}
