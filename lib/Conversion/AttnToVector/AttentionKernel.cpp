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

#include "KernelEmitter.h"
#include "TilePacking.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn;

using arith::CmpFPredicate;
using arith::CmpIPredicate;

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
  // A sink of -inf has no weight. A NaN is not above, and makes the sum NaN.
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

void KernelEmitter::emit() {
  allocateScratch();
  computeQueryIndices();
  computeIntervals();

  factor = kernel.scale;
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
