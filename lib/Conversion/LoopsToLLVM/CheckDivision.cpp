//===- CheckDivision.cpp - Check integer divisions --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs on loops, after fusion: there a check neither keeps ops apart nor
/// evaluates what nothing uses.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CHECKDIVISIONPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

static bool isSignedDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
             arith::FloorDivSIOp, index::DivSOp, index::RemSOp,
             index::CeilDivSOp, index::FloorDivSOp>(op);
}

static bool isUnsignedDivision(Operation *op) {
  return isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, index::DivUOp,
             index::RemUOp, index::CeilDivUOp>(op);
}

/// Asserts that a condition holds, in all lanes of a vector.
static void emitAssert(OpBuilder &builder, Location loc, Value condition,
                       StringRef message) {
  if (auto type = dyn_cast<VectorType>(condition.getType())) {
    auto flat = VectorType::get(type.getNumElements(), type.getElementType());
    condition = vector::ShapeCastOp::create(builder, loc, flat, condition);
    condition = vector::ReductionOp::create(
        builder, loc, vector::CombiningKind::AND, condition);
  }
  cf::AssertOp::create(builder, loc, condition, message);
}

static bool isOtherConstant(Value value, const APInt &number) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) && constant != number;
}

/// The condition that `value` is not `number`; null if it is another constant.
static Value emitDiffers(OpBuilder &builder, Location loc, Value value,
                         const APInt &number) {
  if (isOtherConstant(value, number))
    return Value();
  auto attribute =
      builder.getIntegerAttr(getElementTypeOrSelf(value.getType()), number);
  TypedAttr other = attribute;
  if (auto type = dyn_cast<ShapedType>(value.getType()))
    other = DenseElementsAttr::get(type, attribute);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                               arith::ConstantOp::create(builder, loc, other));
}

static void checkDivision(Operation *op) {
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Type type = getElementTypeOrSelf(divisor.getType());
  // A tensor is not on the road of this pass.
  if (isa<TensorType>(divisor.getType()))
    return;
  unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                  : type.getIntOrFloatBitWidth();
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (Value isValid = emitDiffers(builder, loc, divisor, APInt::getZero(width)))
    emitAssert(builder, loc, isValid, "integer division by zero");
  if (!isSignedDivision(op))
    return;
  APInt least = APInt::getSignedMinValue(width);
  if (isOtherConstant(dividend, least))
    return;
  Value isOther = emitDiffers(builder, loc, divisor, APInt::getAllOnes(width));
  if (!isOther)
    return;
  Value isGreater = emitDiffers(builder, loc, dividend, least);
  emitAssert(builder, loc,
             arith::OrIOp::create(builder, loc, isOther, isGreater),
             "integer division overflows: the least number divided by -1");
}

namespace {
struct CheckDivisionPass
    : attn::impl::CheckDivisionPassBase<CheckDivisionPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (isSignedDivision(op) || isUnsignedDivision(op))
        checkDivision(op);
    });
  }
};
} // namespace
