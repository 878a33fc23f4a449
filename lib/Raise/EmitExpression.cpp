//===- EmitExpression.cpp - Element expressions back to IR ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The operation of each kind of node; nodes that are shared are emitted once.
///
//===----------------------------------------------------------------------===//

#include "attn/Raise/EmitExpression.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

Value ExpressionEmitter::constantIndex(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value ExpressionEmitter::toIndex(Value integer) {
  if (integer.getType().isIndex())
    return integer;
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    integer);
}

/// What has no operation of its own on single elements.
LogicalResult ExpressionEmitter::fail(Expr expr) {
  if (reason)
    *reason = ("no tensor of the graph has it in the order of its use, and '" +
               (expr->is(ExprKind::Opaque) ? expr->getOpName().getStringRef()
                                           : getKindName(expr->getKind())) +
               "' is not computed anew")
                  .str();
  return failure();
}

FailureOr<Value> ExpressionEmitter::emit(Expr expr) {
  // The depth of an expression is bounded by the analysis that made it.
  if (auto it = values.find(expr); it != values.end())
    return it->second;
  FailureOr<Value> value = emitNode(expr);
  if (succeeded(value))
    values[expr] = *value;
  return value;
}

FailureOr<Value> ExpressionEmitter::emitPolynomial(Expr expr) {
  Value sum;
  auto add = [&](Value term) {
    sum =
        sum ? arith::AddIOp::create(builder, loc, sum, term).getResult() : term;
  };
  for (auto [monomial, coefficient] :
       llvm::zip_equal(expr->getOperands(), expr->getCoefficients())) {
    FailureOr<Value> term = emit(monomial);
    if (failed(term))
      return failure();
    if (coefficient != 1)
      term =
          arith::MulIOp::create(builder, loc, *term, constantIndex(coefficient))
              .getResult();
    add(*term);
  }
  if (expr->getConstantTerm() != 0 || !sum)
    add(constantIndex(expr->getConstantTerm()));
  return sum;
}

FailureOr<Value> ExpressionEmitter::emitLoad(Expr expr) {
  Value source = expr->getValue();
  Value element = source;
  if (isa<RankedTensorType>(source.getType())) {
    SmallVector<Value> indices;
    for (Expr operand : expr->getOperands()) {
      FailureOr<Value> index = emit(operand);
      if (failed(index))
        return failure();
      indices.push_back(*index);
    }
    element = tensor::ExtractOp::create(builder, loc, source, indices);
  }
  Type type = element.getType();
  if (type.isInteger(1) || isa<FloatType>(type))
    return element;
  if (!type.isIntOrIndex())
    return fail(expr);
  return toIndex(element);
}

FailureOr<Value> ExpressionEmitter::emitFloat(Expr expr,
                                              ArrayRef<Value> operands) {
  auto unary = [&](auto op) -> FailureOr<Value> {
    return decltype(op)::create(builder, loc, operands[0]).getResult();
  };
  auto binary = [&](auto op) -> FailureOr<Value> {
    return decltype(op)::create(builder, loc, operands[0], operands[1])
        .getResult();
  };
  switch (expr->getKind()) {
  case ExprKind::AddF:
    return binary(arith::AddFOp());
  case ExprKind::SubF:
    return binary(arith::SubFOp());
  case ExprKind::MulF:
    return binary(arith::MulFOp());
  case ExprKind::DivF:
    return binary(arith::DivFOp());
  case ExprKind::RemF:
    return binary(arith::RemFOp());
  case ExprKind::MaximumF:
    return binary(arith::MaximumFOp());
  case ExprKind::MinimumF:
    return binary(arith::MinimumFOp());
  case ExprKind::MaxNumF:
    return binary(arith::MaxNumFOp());
  case ExprKind::MinNumF:
    return binary(arith::MinNumFOp());
  case ExprKind::PowF:
    return binary(math::PowFOp());
  case ExprKind::Atan2:
    return binary(math::Atan2Op());
  case ExprKind::NegF:
    return unary(arith::NegFOp());
  case ExprKind::AbsF:
    return unary(math::AbsFOp());
  case ExprKind::Exp:
    return unary(math::ExpOp());
  case ExprKind::Exp2:
    return unary(math::Exp2Op());
  case ExprKind::ExpM1:
    return unary(math::ExpM1Op());
  case ExprKind::Log:
    return unary(math::LogOp());
  case ExprKind::Log2:
    return unary(math::Log2Op());
  case ExprKind::Log1P:
    return unary(math::Log1pOp());
  case ExprKind::Sqrt:
    return unary(math::SqrtOp());
  case ExprKind::Rsqrt:
    return unary(math::RsqrtOp());
  case ExprKind::Sin:
    return unary(math::SinOp());
  case ExprKind::Cos:
    return unary(math::CosOp());
  case ExprKind::Tan:
    return unary(math::TanOp());
  case ExprKind::Tanh:
    return unary(math::TanhOp());
  case ExprKind::Erf:
    return unary(math::ErfOp());
  case ExprKind::Floor:
    return unary(math::FloorOp());
  case ExprKind::Ceil:
    return unary(math::CeilOp());
  case ExprKind::Round:
    return unary(math::RoundOp());
  case ExprKind::RoundEven:
    return unary(math::RoundEvenOp());
  case ExprKind::ExtF:
    return arith::ExtFOp::create(builder, loc, expr->getType(), operands[0])
        .getResult();
  case ExprKind::TruncF:
    return arith::TruncFOp::create(builder, loc, expr->getType(), operands[0])
        .getResult();
  case ExprKind::FPowI: {
    Value exponent = arith::IndexCastOp::create(
        builder, loc, builder.getI64Type(), operands[1]);
    return math::FPowIOp::create(builder, loc, operands[0], exponent)
        .getResult();
  }
  case ExprKind::SIToFP: {
    Value integer = operands[0];
    if (integer.getType().isIndex())
      integer = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                           integer);
    return arith::SIToFPOp::create(builder, loc, expr->getType(), integer)
        .getResult();
  }
  default:
    return fail(expr);
  }
}

FailureOr<Value> ExpressionEmitter::emitNode(Expr expr) {
  switch (expr->getKind()) {
  case ExprKind::Constant:
    if (expr->isFloat())
      return arith::ConstantOp::create(
                 builder, loc,
                 builder.getFloatAttr(expr->getType(),
                                      *expr->getConstantFloat()))
          .getResult();
    if (expr->isBool())
      return arith::ConstantOp::create(
                 builder, loc, builder.getBoolAttr(*expr->getConstantInt()))
          .getResult();
    return constantIndex(*expr->getConstantInt());
  case ExprKind::Dim:
    return tensor::DimOp::create(builder, loc, expr->getValue(),
                                 static_cast<int64_t>(expr->getDimension()))
        .getResult();
  case ExprKind::Load:
    return emitLoad(expr);
  case ExprKind::Sum:
    return emitPolynomial(expr);
  default:
    break;
  }

  SmallVector<Value> operands;
  if (!expr->is(ExprKind::Reduce) && !expr->isVariable())
    for (Expr operand : expr->getOperands()) {
      FailureOr<Value> value = emit(operand);
      if (failed(value))
        return failure();
      operands.push_back(*value);
    }
  if (operands.empty())
    return fail(expr);
  auto chain = [&](auto op) -> FailureOr<Value> {
    Value result = operands.front();
    for (Value operand : ArrayRef(operands).drop_front())
      result = decltype(op)::create(builder, loc, result, operand);
    return result;
  };
  auto compareWithZero =
      [&](arith::CmpIPredicate predicate) -> FailureOr<Value> {
    return arith::CmpIOp::create(builder, loc, predicate, operands[0],
                                 constantIndex(0))
        .getResult();
  };
  switch (expr->getKind()) {
  case ExprKind::Product:
    return chain(arith::MulIOp());
  case ExprKind::FloorDiv:
    return chain(arith::FloorDivSIOp());
  case ExprKind::DivSI:
    return chain(arith::DivSIOp());
  case ExprKind::RemSI:
    return chain(arith::RemSIOp());
  case ExprKind::MaxSI:
    return chain(arith::MaxSIOp());
  case ExprKind::MinSI:
    return chain(arith::MinSIOp());
  case ExprKind::And:
    return chain(arith::AndIOp());
  case ExprKind::Or:
    return chain(arith::OrIOp());
  case ExprKind::Ge0:
    return compareWithZero(arith::CmpIPredicate::sge);
  case ExprKind::Eq0:
    return compareWithZero(arith::CmpIPredicate::eq);
  case ExprKind::Ne0:
    return compareWithZero(arith::CmpIPredicate::ne);
  case ExprKind::Mod: {
    // Of floor division: the result has the sign of the divisor.
    Value quotient =
        arith::FloorDivSIOp::create(builder, loc, operands[0], operands[1]);
    Value multiple = arith::MulIOp::create(builder, loc, quotient, operands[1]);
    return arith::SubIOp::create(builder, loc, operands[0], multiple)
        .getResult();
  }
  case ExprKind::AbsI:
    return math::AbsIOp::create(builder, loc, operands[0]).getResult();
  case ExprKind::Not: {
    Value one =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    return arith::XOrIOp::create(builder, loc, operands[0], one).getResult();
  }
  case ExprKind::CmpF:
    return arith::CmpFOp::create(builder, loc, expr->getPredicate(),
                                 operands[0], operands[1])
        .getResult();
  case ExprKind::Select:
    return arith::SelectOp::create(builder, loc, operands[0], operands[1],
                                   operands[2])
        .getResult();
  case ExprKind::TruncI:
  case ExprKind::ExtUI: {
    Value narrow = arith::IndexCastOp::create(
        builder, loc, builder.getIntegerType(expr->getWidth()), operands[0]);
    if (expr->is(ExprKind::TruncI))
      return toIndex(narrow);
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        narrow)
        .getResult();
  }
  case ExprKind::FPToSI:
    return toIndex(arith::FPToSIOp::create(builder, loc, builder.getI64Type(),
                                           operands[0]));
  default:
    return emitFloat(expr, operands);
  }
}
