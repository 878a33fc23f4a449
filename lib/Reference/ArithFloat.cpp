//===- ArithFloat.cpp - Float ops, constants and casts of arith -*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Float types are doubles here, so extension and truncation change nothing by
/// themselves. A cast from float to integer saturates, and NaN gives zero.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "IntegerMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

template <auto fn>
static LogicalResult binary(Operation *op, ArrayRef<Scalar> in,
                            MutableArrayRef<Scalar> out) {
  out[0] = fn(in[0].getFloat(), in[1].getFloat());
  return success();
}

static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return std::max(a, b);
}

static double minimum(double a, double b) { return -maximum(-a, -b); }

static LogicalResult evaluateNegate(Operation *, ArrayRef<Scalar> in,
                                    MutableArrayRef<Scalar> out) {
  out[0] = -in[0].getFloat();
  return success();
}

static LogicalResult evaluateCompare(Operation *op, ArrayRef<Scalar> in,
                                     MutableArrayRef<Scalar> out) {
  double lhs = in[0].getFloat();
  double rhs = in[1].getFloat();
  bool unordered = std::isnan(lhs) || std::isnan(rhs);
  auto compare = [&]() {
    switch (cast<arith::CmpFOp>(op).getPredicate()) {
    case arith::CmpFPredicate::AlwaysFalse:
      return false;
    case arith::CmpFPredicate::OEQ:
      return lhs == rhs;
    case arith::CmpFPredicate::OGT:
      return lhs > rhs;
    case arith::CmpFPredicate::OGE:
      return lhs >= rhs;
    case arith::CmpFPredicate::OLT:
      return lhs < rhs;
    case arith::CmpFPredicate::OLE:
      return lhs <= rhs;
    case arith::CmpFPredicate::ONE:
      return !unordered && lhs != rhs;
    case arith::CmpFPredicate::ORD:
      return !unordered;
    case arith::CmpFPredicate::UEQ:
      return unordered || lhs == rhs;
    case arith::CmpFPredicate::UGT:
      return unordered || lhs > rhs;
    case arith::CmpFPredicate::UGE:
      return unordered || lhs >= rhs;
    case arith::CmpFPredicate::ULT:
      return unordered || lhs < rhs;
    case arith::CmpFPredicate::ULE:
      return unordered || lhs <= rhs;
    case arith::CmpFPredicate::UNE:
      return unordered || lhs != rhs;
    case arith::CmpFPredicate::UNO:
      return unordered;
    case arith::CmpFPredicate::AlwaysTrue:
      return true;
    }
    llvm_unreachable("unknown predicate");
  };
  out[0] = Scalar::fromBool(compare());
  return success();
}

static LogicalResult evaluateSelect(Operation *, ArrayRef<Scalar> in,
                                    MutableArrayRef<Scalar> out) {
  out[0] = in[0].getInteger() ? in[1] : in[2];
  return success();
}

/// A select between whole tensors by one condition, where no kernel applies
/// because the tensors may differ in shape.
static LogicalResult evaluateSelectOp(Evaluation &eval) {
  const RuntimeValue &condition = eval.getOperand(0);
  if (condition.isScalar()) {
    eval.setResult(0, eval.takeOperand(condition.getInteger() ? 1 : 2));
    return success();
  }
  Tensor result = eval.getTensor(2);
  const Tensor &chosen = eval.getTensor(1);
  const Tensor &conditions = condition.getTensor();
  if (chosen.getShape() != result.getShape() ||
      conditions.getShape() != result.getShape())
    return eval.emitError() << "expects operands of one shape, got "
                            << formatShape(conditions.getShape()) << ", "
                            << formatShape(chosen.getShape()) << " and "
                            << formatShape(result.getShape());
  for (auto [i, keep] : llvm::enumerate(conditions.getIntegers()))
    if (keep)
      result.setElement(i, chosen.getElement(i));
  eval.setResult(0, result);
  return success();
}

static LogicalResult passThrough(Operation *, ArrayRef<Scalar> in,
                                 MutableArrayRef<Scalar> out) {
  out[0] = in[0];
  return success();
}

template <bool isSigned>
static LogicalResult evaluateIntToFloat(Operation *op, ArrayRef<Scalar> in,
                                        MutableArrayRef<Scalar> out) {
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  int64_t value = in[0].getInteger();
  out[0] = isSigned ? static_cast<double>(asSigned(value, type))
                    : static_cast<double>(asUnsigned(value, type));
  return success();
}

template <bool isSigned>
static LogicalResult evaluateFloatToInt(Operation *op, ArrayRef<Scalar> in,
                                        MutableArrayRef<Scalar> out) {
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  llvm::APSInt integer(getIntegerWidth(type), /*isUnsigned=*/!isSigned);
  bool isExact = false;
  // This conversion saturates, and makes zero of NaN.
  llvm::APFloat(in[0].getFloat())
      .convertToInteger(integer, llvm::APFloat::rmTowardZero, &isExact);
  out[0] =
      canonicalizeInteger(static_cast<int64_t>(integer.getZExtValue()), type);
  return success();
}

/// Reinterprets bits, which needs the value in its declared type.
static LogicalResult evaluateBitcast(Operation *op, ArrayRef<Scalar> in,
                                     MutableArrayRef<Scalar> out) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  unsigned width = from.getIntOrFloatBitWidth();
  APInt bits(width, 0);
  bool losesInfo = false;
  if (auto floatType = dyn_cast<FloatType>(from)) {
    llvm::APFloat value(in[0].getFloat());
    value.convert(floatType.getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    bits = value.bitcastToAPInt();
  } else {
    bits = APInt(width, asUnsigned(in[0].getInteger(), from));
  }
  if (auto floatType = dyn_cast<FloatType>(to)) {
    out[0] =
        llvm::APFloat(floatType.getFloatSemantics(), bits).convertToDouble();
  } else {
    out[0] = canonicalizeInteger(static_cast<int64_t>(bits.getZExtValue()), to);
  }
  return success();
}

static LogicalResult evaluateConstantOp(Evaluation &eval) {
  auto op = eval.getOp<arith::ConstantOp>();
  std::optional<RuntimeValue> &cache = eval.getCache();
  if (!cache) {
    FailureOr<RuntimeValue> value =
        evaluateConstant(eval, op.getValue(), op.getType());
    if (failed(value))
      return failure();
    cache = *value;
  }
  eval.setResult(0, *cache);
  return success();
}

void reference::registerArithFloatHandlers(HandlerRegistry &registry) {
  using D = double;
  registry.addKernel<arith::AddFOp>(binary<[](D a, D b) { return a + b; }>);
  registry.addKernel<arith::SubFOp>(binary<[](D a, D b) { return a - b; }>);
  registry.addKernel<arith::MulFOp>(binary<[](D a, D b) { return a * b; }>);
  registry.addKernel<arith::DivFOp>(binary<[](D a, D b) { return a / b; }>);
  registry.addKernel<arith::RemFOp>(
      binary<[](D a, D b) { return std::fmod(a, b); }>);
  registry.addKernel<arith::MaximumFOp>(binary<maximum>);
  registry.addKernel<arith::MinimumFOp>(binary<minimum>);
  registry.addKernel<arith::MaxNumFOp>(
      binary<[](D a, D b) { return std::fmax(a, b); }>);
  registry.addKernel<arith::MinNumFOp>(
      binary<[](D a, D b) { return std::fmin(a, b); }>);
  registry.addKernel<arith::NegFOp>(evaluateNegate);
  registry.addKernel<arith::CmpFOp>(evaluateCompare);
  registry.addKernel<arith::ExtFOp, arith::TruncFOp>(passThrough);
  registry.addKernel<arith::SIToFPOp>(evaluateIntToFloat<true>);
  registry.addKernel<arith::UIToFPOp>(evaluateIntToFloat<false>);
  registry.addKernel<arith::FPToSIOp>(evaluateFloatToInt<true>);
  registry.addKernel<arith::FPToUIOp>(evaluateFloatToInt<false>);
  registry.addKernel<arith::BitcastOp, tensor::BitcastOp>(evaluateBitcast);
  registry.addKernel<arith::SelectOp>(evaluateSelect);
  registry.addHandler<arith::SelectOp>(evaluateSelectOp);
  registry.addHandler<arith::ConstantOp>(evaluateConstantOp);
}
