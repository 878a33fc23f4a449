//===- SizeChecker.cpp - Checks of sizes at run time ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decides which checks are needed and emits them as cf.assert.
///
//===----------------------------------------------------------------------===//

#include "SizeChecker.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

bool SizeChecker::isAlwaysExecuted(Operation *op) {
  return op->getBlock() == &function.front();
}

void SizeChecker::emit(OpBuilder &builder, Location loc, Value condition,
                       const Twine &message) {
  cf::AssertOp::create(builder, loc, condition, message.str());
}

/// Adds the terms of a sum to those that add something or, with the sign
/// changed, to those that take something away.
static void splitSum(AffineExpr sum, AffineExpr &plus, AffineExpr &minus) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(sum);
  if (binary && sum.getKind() == AffineExprKind::Add) {
    splitSum(binary.getLHS(), plus, minus);
    splitSum(binary.getRHS(), plus, minus);
    return;
  }
  AffineExpr factor =
      binary && sum.getKind() == AffineExprKind::Mul ? binary.getRHS() : sum;
  auto constant = dyn_cast<AffineConstantExpr>(factor);
  if (constant && constant.getValue() < 0)
    minus = minus - sum;
  else
    plus = plus + sum;
}

/// Emits the comparison of an expression with zero. What it takes away is put
/// on the other side, so that messages can show both.
static Value compareWithZero(OpBuilder &builder, Location loc,
                             SizeExpressions &sizes,
                             arith::CmpIPredicate predicate,
                             AffineExpr expression) {
  AffineExpr plus = sizes.getConstant(0), minus = plus;
  splitSum(expression, plus, minus);
  Value lhs = sizes.materialize(builder, loc, plus);
  Value rhs = sizes.materialize(builder, loc, sizes.simplify(minus));
  return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
}

std::string SizeChecker::describe(AffineExpr expression) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return std::to_string(constant.getValue());
  auto found = sizes.getArgumentDim(expression, function.front());
  if (!found)
    return {};
  return ("dimension " + Twine(found->second) + " of argument " +
          Twine(found->first))
      .str();
}

/// A message about arguments, and what an op expects for which they are
/// checked. The caller knows arguments, not ops, but operands of attn ops have
/// names.
static std::string explain(Operation *op, StringRef ofArguments,
                           StringRef ofOperands) {
  if (!isa<AttnDialect>(op->getDialect()))
    return ofArguments.str();
  ofOperands.consume_front("expects ");
  return (ofArguments + ", for " + ofOperands).str();
}

/// A message for `greater - smaller >= 0` of dimensions of arguments.
std::string SizeChecker::describeDifference(AffineExpr expression) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return {};
  for (auto [greater, negated] : {std::pair(sum.getLHS(), sum.getRHS()),
                                  std::pair(sum.getRHS(), sum.getLHS())}) {
    AffineExpr smaller = sizes.simplify(negated * -1);
    std::string least = describe(smaller), described = describe(greater);
    if (!isa<AffineConstantExpr>(greater) && !least.empty() &&
        !described.empty())
      return "expects " + described + " to be at least " + least;
  }
  return {};
}

void SizeChecker::requireEqual(Operation *op, const OperandDim &actual,
                               const OperandDim &expected) {
  AffineExpr actualSize = sizes.getSize(actual.tensor, actual.dimension);
  AffineExpr expectedSize = sizes.getSize(expected.tensor, expected.dimension);
  if (actualSize == expectedSize ||
      sizes.simplify(actualSize - expectedSize) == sizes.getConstant(0))
    return;
  // Expected is a constant, or what the caller gave first.
  auto actualPlace = sizes.getArgumentDim(actualSize, function.front());
  auto expectedPlace = sizes.getArgumentDim(expectedSize, function.front());
  if ((isa<AffineConstantExpr>(actualSize) &&
       !isa<AffineConstantExpr>(expectedSize)) ||
      (actualPlace && expectedPlace && *actualPlace < *expectedPlace))
    std::swap(actualSize, expectedSize);
  std::string actualText = describe(actualSize);
  std::string expectedText = describe(expectedSize);
  std::string message = ("expects dimension " + Twine(actual.dimension) +
                         " of " + actual.operand + " of " +
                         op->getName().getStringRef() + " to equal dimension " +
                         Twine(expected.dimension) + " of " + expected.operand)
                            .str();
  if (!actualText.empty() && !expectedText.empty() &&
      !isa<AffineConstantExpr>(actualSize))
    message = explain(op, "expects " + actualText + " to equal " + expectedText,
                      message);

  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value equal =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                            sizes.materialize(builder, loc, actualSize),
                            sizes.materialize(builder, loc, expectedSize));
  emit(builder, loc, equal, message);
  if (isAlwaysExecuted(op))
    sizes.assumeEqual(actualSize, expectedSize);
}

void SizeChecker::requireZero(Operation *op, AffineExpr expression,
                              const Twine &message) {
  expression = sizes.simplify(expression);
  if (expression == sizes.getConstant(0))
    return;
  OpBuilder builder(op);
  emit(builder, op->getLoc(),
       compareWithZero(builder, op->getLoc(), sizes, arith::CmpIPredicate::eq,
                       expression),
       message);
  if (isAlwaysExecuted(op))
    sizes.assumeEqual(expression, sizes.getConstant(0));
}

void SizeChecker::requireNonNegative(Operation *op, AffineExpr expression,
                                     const Twine &message) {
  requireNonNegativeUnlessEmpty(op, expression, {}, message);
}

void SizeChecker::requireNonNegativeUnlessEmpty(Operation *op,
                                                AffineExpr expression,
                                                ArrayRef<AffineExpr> extents,
                                                const Twine &message) {
  expression = sizes.simplify(expression);
  if (sizes.isNonNegative(expression))
    return;
  std::string text = message.str();
  if (std::string described = describeDifference(expression);
      !described.empty())
    text = explain(op, described, text);
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value holds = compareWithZero(builder, loc, sizes, arith::CmpIPredicate::sge,
                                expression);
  for (AffineExpr extent : extents) {
    auto constant = dyn_cast<AffineConstantExpr>(extent);
    if (constant && constant.getValue() != 0)
      continue;
    Value empty =
        compareWithZero(builder, loc, sizes, arith::CmpIPredicate::eq, extent);
    holds = arith::OrIOp::create(builder, loc, holds, empty);
  }
  emit(builder, loc, holds, text);
  if (extents.empty() && isAlwaysExecuted(op))
    sizes.assumeNonNegative(expression);
}

void SizeChecker::requireMultiple(Operation *op, AffineExpr expression,
                                  AffineExpr factor, const Twine &message) {
  if (expression == factor || factor == sizes.getConstant(1))
    return;
  auto dividend = dyn_cast<AffineConstantExpr>(expression);
  auto divisor = dyn_cast<AffineConstantExpr>(factor);
  if (dividend && divisor && divisor.getValue() > 0 &&
      dividend.getValue() % divisor.getValue() == 0)
    return;
  if (multiples.contains({expression, factor}))
    return;
  if (isAlwaysExecuted(op))
    multiples.insert({expression, factor});
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value value = sizes.materialize(builder, loc, expression);
  Value by = sizes.materialize(builder, loc, factor);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  // Of zero only zero is a multiple; the remainder by it is undefined.
  Value safe = arith::MaxUIOp::create(builder, loc, by, one);
  Value quotient = arith::DivUIOp::create(builder, loc, value, safe);
  Value product = arith::MulIOp::create(builder, loc, quotient, by);
  Value equal = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      product, value);
  emit(builder, loc, equal, message);
}

void SizeChecker::requireIndex(Operation *access, Value index, AffineExpr size,
                               const Twine &message) {
  OpBuilder builder(access);
  Location loc = access->getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value end = sizes.materialize(builder, loc, size);
  Value isLow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                      index, zero);
  emit(builder, loc, isLow, message);
  Value isHigh = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       index, end);
  emit(builder, loc, isHigh, message);
}

void SizeChecker::learn(cf::AssertOp assertion) {
  std::optional<bool> known = sizes.getCondition(assertion.getArg());
  if (known == true) {
    assertion.erase();
    return;
  }
  auto compare = assertion.getArg().getDefiningOp<arith::CmpIOp>();
  if (!compare || !isAlwaysExecuted(assertion) ||
      !(compare.getLhs().getType().isIndex() ||
        compare.getLhs().getType().isInteger(64)))
    return;
  AffineExpr lhs = sizes.getIndex(compare.getLhs());
  AffineExpr rhs = sizes.getIndex(compare.getRhs());
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::eq:
    return sizes.assumeEqual(lhs, rhs);
  case arith::CmpIPredicate::sge:
    return sizes.assumeNonNegative(sizes.simplify(lhs - rhs));
  case arith::CmpIPredicate::sle:
    return sizes.assumeNonNegative(sizes.simplify(rhs - lhs));
  case arith::CmpIPredicate::sgt:
    return sizes.assumeNonNegative(sizes.simplify(lhs - rhs - 1));
  case arith::CmpIPredicate::slt:
    return sizes.assumeNonNegative(sizes.simplify(rhs - lhs - 1));
  default:
    return;
  }
}

void SizeChecker::simplify(Operation *op) {
  if (op->getNumResults() != 1 || !op->getResult(0).getType().isIndex() ||
      !isa<arith::ArithDialect, tensor::TensorDialect>(op->getDialect()) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return;
  AffineExpr number = sizes.getIndex(op->getResult(0));
  if (!isa<AffineSymbolExpr, AffineConstantExpr>(number))
    return;
  OpBuilder builder(op);
  Value value = sizes.materialize(builder, op->getLoc(), number);
  if (value != op->getResult(0))
    op->getResult(0).replaceAllUsesWith(value);
}
