//===- KernelEmitter.h - The emitter of the attention kernel ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One class, whose stages are in files of their own: the scores of a block of
/// keys, the product with the values, and what is left at the end of the rows.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOVECTOR_KERNELEMITTER_H
#define ATTN_LIB_CONVERSION_ATTNTOVECTOR_KERNELEMITTER_H

#include "EmissionHelpers.h"
#include "VectorMath.h"
#include "attn/Conversion/AttnToVector/AttentionKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// Running state of the softmax, one value per lane.
struct SoftmaxState {
  Value max, sum;
};

/// Keys that are visited together: `count` from `first` on, of which rows
/// [sureBegin, sureEnd), counted from `first`, need no mask.
struct KeyBlock {
  Value first, count, sureBegin, sureEnd;
};

/// Emits one work unit, see AttentionKernel.cpp.
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
  /// The bias starts the accumulator where it belongs there, or no stage is in
  /// between.
  bool biasFirst() const {
    return kernel.bias && (kernel.biasBeforeScale || kernel.softcap == 0);
  }
  /// What the accumulator of a key starts with.
  Value firstSum(Value bias) {
    return kernel.biasBeforeScale
               ? arith::MulFOp::create(b, bias, broadcast(factor)).getResult()
               : bias;
  }
  /// `x` with the precision of `type`, if that is given.
  Value roundTo(Value x, FloatType type) {
    return type ? convertFloat(b, convertFloat(b, x, type), accType) : x;
  }

  ImplicitLocOpBuilder &b;
  const AttentionKernel &kernel;
  int64_t lanes, rowGroup, keyBlock;
  Type accType;
  VectorType laneType;
  Value zero;
  /// What the products of query and key are multiplied by.
  Value factor;

  Value keyCount, keySize, valueSize;
  Value mayBegin, mayEnd, sureBegin, sureEnd;
  /// Whether there may be keys from mayBegin to sureBegin, and surely kept
  /// ones.
  bool hasPrefix = false, hasSure = false;
  Value queries;
  Value packedQuery, scores, output, wideKeys, wideValues, laneScratch;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOVECTOR_KERNELEMITTER_H
