//===- EmissionHelpers.cpp - Short forms for emitting loops -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// See EmissionHelpers.h.
///
//===----------------------------------------------------------------------===//

#include "EmissionHelpers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

Value attn::indexConstant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value attn::addIndex(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(lhs, rhs);
}

Value attn::addIndex(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs) {
  return rhs == 0 ? lhs : addIndex(b, lhs, indexConstant(b, rhs));
}

Value attn::subIndex(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return b.createOrFold<arith::SubIOp>(lhs, rhs);
}

Value attn::minIndex(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return b.createOrFold<arith::MinSIOp>(lhs, rhs);
}

Value attn::maxIndex(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return b.createOrFold<arith::MaxSIOp>(lhs, rhs);
}

Value attn::roundDown(ImplicitLocOpBuilder &b, Value value, int64_t divisor) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return indexConstant(b, *known / divisor * divisor);
  Value rest = b.createOrFold<arith::RemSIOp>(value, indexConstant(b, divisor));
  return subIndex(b, value, rest);
}

Value attn::sizeOf(ImplicitLocOpBuilder &b, Value source, int64_t dim) {
  return b.createOrFold<memref::DimOp>(source, dim);
}

SmallVector<Value> attn::emitFor(ImplicitLocOpBuilder &b, Value lower,
                                 Value upper, int64_t step, ValueRange init,
                                 LoopBody body) {
  std::optional<int64_t> low = getConstantIntValue(lower);
  std::optional<int64_t> high = getConstantIntValue(upper);
  if (low && high && *low >= *high)
    return SmallVector<Value>(init);
  auto loop = scf::ForOp::create(b, lower, upper, indexConstant(b, step), init);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> results =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  // Without carried values the loop comes with its terminator.
  if (!init.empty())
    scf::YieldOp::create(b, results);
  return SmallVector<Value>(loop.getResults());
}

void attn::emitFor(ImplicitLocOpBuilder &b, Value lower, Value upper,
                   int64_t step, llvm::function_ref<void(Value)> body) {
  emitFor(b, lower, upper, step, ValueRange{}, [&](Value iv, ValueRange) {
    body(iv);
    return SmallVector<Value>();
  });
}

SmallVector<Value> attn::emitForWithTail(
    ImplicitLocOpBuilder &b, Value lower, Value upper, int64_t step,
    ValueRange init,
    llvm::function_ref<SmallVector<Value>(Value, int64_t, ValueRange)> body) {
  Value whole = roundDown(b, subIndex(b, upper, lower), step);
  Value middle = addIndex(b, lower, whole);
  SmallVector<Value> carried =
      emitFor(b, lower, middle, step, init,
              [&](Value iv, ValueRange args) { return body(iv, step, args); });
  return emitFor(b, middle, upper, 1, carried,
                 [&](Value iv, ValueRange args) { return body(iv, 1, args); });
}

SmallVector<Value>
attn::emitIf(ImplicitLocOpBuilder &b, Value condition,
             llvm::function_ref<SmallVector<Value>()> then,
             llvm::function_ref<SmallVector<Value>()> otherwise) {
  auto op = scf::IfOp::create(
      b, condition,
      [&](OpBuilder &nested, Location) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(nested.saveInsertionPoint());
        scf::YieldOp::create(b, then());
      },
      [&](OpBuilder &nested, Location) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(nested.saveInsertionPoint());
        scf::YieldOp::create(b, otherwise());
      });
  return SmallVector<Value>(op.getResults());
}

void attn::emitIf(ImplicitLocOpBuilder &b, Value condition,
                  llvm::function_ref<void()> then) {
  auto op = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  then();
}
