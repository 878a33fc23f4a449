//===- KernelRows.cpp - What rows end with ----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rows without a kept key, the log-sum-exp, and the division by the sum.
///
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "TilePacking.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;

using arith::CmpFPredicate;
using arith::CmpIPredicate;

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
  if (kernel.lseBase == LseBase::Two)
    lse = arith::MulFOp::create(b, lse, laneConstant(1.0 / std::log(2.0)));
  toScratch(arith::SelectOp::create(b, empty, laneConstant(lowest), lse));
  emitFor(b, zero, rows, 1, [&](Value row) {
    Value x = memref::LoadOp::create(b, laneScratch, row);
    memref::StoreOp::create(b, convertFloat(b, x, lseType), kernel.lse, row);
  });
}

void KernelEmitter::finalize(SoftmaxState state) {
  Value empty = emptyLanes(state.sum);
  if (kernel.lse)
    emitLse(state, empty);

  // Output lanes of empty rows are zero so far.
  EmptyRow emptyRow = kernel.sink ? EmptyRow::Zero : kernel.emptyRow;
  double emptyFactor = emptyRow == EmptyRow::Zero  ? 0.0
                       : emptyRow == EmptyRow::Nan ? std::nan("")
                                                   : 1.0;
  Value factor = arith::DivFOp::create(b, laneConstant(1), state.sum);
  factor = arith::SelectOp::create(b, empty, laneConstant(emptyFactor), factor);
  if (emptyRow == EmptyRow::Mean)
    replaceByMean(empty);
  vector::StoreOp::create(b, factor, laneScratch, zero);
  emitUnpackOutput(b, kernel, output, laneScratch);
}
