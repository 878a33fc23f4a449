//===- CheckAccess.cpp - Check accesses to single elements ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads of elements by index: of tables by token ids, of masks by positions.
/// Most indices follow from those of loops and need a check of sizes at most,
/// which is made once, before the loops.
///
//===----------------------------------------------------------------------===//

#include "SizeChecker.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;

static bool isWide(Type type) { return type.isIndex() || type.isInteger(64); }

/// The value behind casts between index and integers of 64 bits.
static Value stripCasts(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>()) {
    if (!isWide(cast.getIn().getType()))
      break;
    value = cast.getIn();
  }
  return value;
}

namespace {
/// Checks one access.
class AccessCheck {
public:
  AccessCheck(SizeChecker &checker, Operation *op, Operation *access,
              ArrayRef<LoopIndex> loops, ArrayRef<AffineExpr> extents,
              Operation *place)
      : checker(checker), sizes(checker.getSizes()),
        elements(checker.getElements()), context(elements.getContext()), op(op),
        access(access), loops(loops), extents(extents), place(place) {}

  void run(Value tensor, int64_t dimension, Value index) {
    AffineExpr size = sizes.getSize(tensor, dimension);
    Expr expression = evaluate(index);
    if (isWithin(expression, size) || isChecked(index, size))
      return;
    std::string message =
        ("expects the index of " + access->getName().getStringRef() +
         " in dimension " + Twine(dimension) + " to be within the tensor")
            .str();
    SmallVector<AffineExpr> unless(extents);
    expression = dropBroadcast(expression, size, unless);
    AffineExpr greatest;
    if (op->getNumRegions() == 1 &&
        access->getBlock() == &op->getRegion(0).front() &&
        context.proveNonNegative(expression))
      greatest = getBound(expression, /*isGreatest=*/true);
    if (greatest && sizes.isAvailableAt(greatest, op))
      checker.requireNonNegativeUnlessEmpty(place, size - 1 - greatest, unless,
                                            message);
    else
      checker.requireIndex(access, index, size, message);
  }

private:
  /// An integer in the body as an expression of the loops.
  Expr evaluate(Value value);
  Expr evaluateBinary(Operation *op, Expr lhs, Expr rhs);
  Expr evaluateComparison(arith::CmpIOp op);
  Expr evaluateArgument(linalg::LinalgOp body, BlockArgument argument);

  /// The least or the greatest value of an expression over all loops, if it
  /// depends on nothing but sizes; null if that is not known.
  AffineExpr getBound(Expr expression, bool isGreatest);

  /// True if an index is in [0, size) whatever data and sizes are.
  bool isWithin(Expr index, AffineExpr size) {
    if (index->is(ExprKind::Select))
      return isWithin(index->getOperand(1), size) &&
             isWithin(index->getOperand(2), size);
    if (!context.proveNonNegative(index))
      return false;
    // Where a loop has no iteration, nothing is read.
    if (index->isConstantInt(0) && llvm::is_contained(extents, size))
      return true;
    AffineExpr greatest = getBound(index, /*isGreatest=*/true);
    return greatest && sizes.isNonNegative(sizes.simplify(size - 1 - greatest));
  }

  /// Broadcasting at run time is written as `size == 1 ? 0 : index`. Returns
  /// that index and adds to `unless` what is zero where it is not used.
  Expr dropBroadcast(Expr index, AffineExpr size,
                     SmallVectorImpl<AffineExpr> &unless) {
    if (!index->is(ExprKind::Select))
      return index;
    Expr condition = index->getOperand(0);
    bool isNegated = condition->is(ExprKind::Ne0);
    Expr broadcast = index->getOperand(isNegated ? 2 : 1);
    if ((!isNegated && !condition->is(ExprKind::Eq0)) ||
        condition->hasVariables())
      return index;
    AffineExpr zero = getBound(condition->getOperand(0), /*isGreatest=*/true);
    if (!zero || !sizes.isAvailableAt(zero, op))
      return index;
    // Of one element, the first can be read.
    AffineExpr rest = size - 1;
    bool isOne = sizes.simplify(zero - rest) == sizes.getConstant(0) ||
                 sizes.simplify(zero + rest) == sizes.getConstant(0);
    if (!isWithin(broadcast, size) && !(isOne && broadcast->isConstantInt(0)))
      return index;
    unless.push_back(zero);
    return index->getOperand(isNegated ? 1 : 2);
  }

  /// True if checks beside the access hold an index within [0, size).
  bool isChecked(Value index, AffineExpr size) {
    bool isLow = false, isHigh = false;
    Value stripped = stripCasts(index);
    for (auto assertion : access->getBlock()->getOps<cf::AssertOp>()) {
      auto compare = assertion.getArg().getDefiningOp<arith::CmpIOp>();
      if (!compare || stripCasts(compare.getLhs()) != stripped ||
          !assertion->isBeforeInBlock(access))
        continue;
      AffineExpr bound = sizes.getIndex(compare.getRhs());
      if (compare.getPredicate() == arith::CmpIPredicate::sge)
        isLow |= sizes.isNonNegative(bound);
      if (compare.getPredicate() == arith::CmpIPredicate::slt)
        isHigh |= sizes.isNonNegative(sizes.simplify(size - bound));
    }
    return isLow && isHigh;
  }

  SizeChecker &checker;
  SizeExpressions &sizes;
  ElementExpression &elements;
  ExpressionContext &context;
  Operation *op;
  Operation *access;
  ArrayRef<LoopIndex> loops;
  ArrayRef<AffineExpr> extents;
  /// The op that checks of sizes are made before.
  Operation *place;
};
} // namespace

Expr AccessCheck::evaluateArgument(linalg::LinalgOp body,
                                   BlockArgument argument) {
  OpOperand *operand = body.getMatchingOpOperand(argument);
  if (!operand || !isa<RankedTensorType>(operand->get().getType()))
    return context.getLoad(argument);
  SmallVector<Expr> indices;
  for (AffineExpr access : body.getMatchingIndexingMap(operand).getResults()) {
    auto constant = dyn_cast<AffineConstantExpr>(access);
    auto dim = dyn_cast<AffineDimExpr>(access);
    if (constant)
      indices.push_back(context.getInt(constant.getValue()));
    else if (dim && dim.getPosition() < loops.size() &&
             loops[dim.getPosition()].variable)
      indices.push_back(loops[dim.getPosition()].variable);
    else
      return context.getLoad(argument);
  }
  return elements.getElement(operand->get(), indices);
}

Expr AccessCheck::evaluateBinary(Operation *op, Expr lhs, Expr rhs) {
  bool isDivision =
      rhs->getConstantInt().value_or(0) > 0 && context.proveNonNegative(lhs);
  return llvm::TypeSwitch<Operation *, Expr>(op)
      .Case([&](arith::AddIOp) { return context.getAdd(lhs, rhs); })
      .Case([&](arith::SubIOp) { return context.getSub(lhs, rhs); })
      .Case([&](arith::MulIOp) { return context.getMul(lhs, rhs); })
      .Case([&](arith::MaxSIOp) { return context.getMax(lhs, rhs); })
      .Case([&](arith::MinSIOp) { return context.getMin(lhs, rhs); })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>([&](auto) {
        return isDivision ? context.getFloorDiv(lhs, rhs) : nullptr;
      })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](auto) { return isDivision ? context.getMod(lhs, rhs) : nullptr; })
      .Default([](Operation *) { return nullptr; });
}

Expr AccessCheck::evaluateComparison(arith::CmpIOp op) {
  if (!isWide(op.getLhs().getType()))
    return context.getLoad(op);
  Expr lhs = evaluate(op.getLhs()), rhs = evaluate(op.getRhs());
  switch (op.getPredicate()) {
  case arith::CmpIPredicate::slt:
    return context.getLess(lhs, rhs);
  case arith::CmpIPredicate::sle:
    return context.getAtMost(lhs, rhs);
  case arith::CmpIPredicate::sgt:
    return context.getLess(rhs, lhs);
  case arith::CmpIPredicate::sge:
    return context.getAtMost(rhs, lhs);
  case arith::CmpIPredicate::eq:
    return context.getEq0(context.getSub(lhs, rhs));
  case arith::CmpIPredicate::ne:
    return context.getNe0(context.getSub(lhs, rhs));
  default:
    return context.getLoad(op);
  }
}

Expr AccessCheck::evaluate(Value value) {
  for (const LoopIndex &loop : loops)
    if (llvm::is_contained(loop.indices, value) && loop.variable)
      return loop.variable;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto body = dyn_cast<linalg::LinalgOp>(op);
    return body && argument.getOwner() == body.getBlock()
               ? evaluateArgument(body, argument)
               : context.getLoad(value);
  }
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return context.getInt(*constant);
  Operation *definition = value.getDefiningOp();
  // Outside of the loops the analysis knows what a number is.
  if (op != access && !op->isAncestor(definition))
    return elements.getScalar(value);
  if (auto compare = dyn_cast<arith::CmpIOp>(definition))
    return evaluateComparison(compare);
  if (!isWide(value.getType()))
    return context.getLoad(value);
  if (auto cast = dyn_cast<arith::IndexCastOp>(definition))
    return isWide(cast.getIn().getType()) ? evaluate(cast.getIn())
                                          : context.getLoad(value);
  if (auto select = dyn_cast<arith::SelectOp>(definition)) {
    Expr condition = evaluate(select.getCondition());
    return context.getSelect(condition, evaluate(select.getTrueValue()),
                             evaluate(select.getFalseValue()));
  }
  if (!isa<arith::ArithDialect>(definition->getDialect()) ||
      definition->getNumOperands() != 2)
    return context.getLoad(value);
  Expr result = evaluateBinary(definition, evaluate(definition->getOperand(0)),
                               evaluate(definition->getOperand(1)));
  return result ? result : context.getLoad(value);
}

/// True if an expression depends on a size that is not constant.
static bool hasDynamicSize(Expr expression) {
  if (expression->isVariable())
    return !expression->getExtent()->isConstant();
  return expression->is(ExprKind::Dim) ||
         llvm::any_of(expression->getOperands(), hasDynamicSize);
}

AffineExpr AccessCheck::getBound(Expr expression, bool isGreatest) {
  switch (expression->getKind()) {
  case ExprKind::Index: {
    if (!isGreatest)
      return sizes.getConstant(0);
    AffineExpr extent = getBound(expression->getExtent(), isGreatest);
    return extent ? extent - 1 : extent;
  }
  case ExprKind::Dim:
    return sizes.getSize(expression->getValue(), expression->getDimension());
  case ExprKind::Load:
    if (expression->getNumOperands() == 0 &&
        isWide(expression->getValue().getType()))
      return sizes.getIndex(expression->getValue());
    break;
  case ExprKind::Sum: {
    AffineExpr sum = sizes.getConstant(expression->getConstantTerm());
    for (auto [term, factor] : llvm::zip_equal(expression->getOperands(),
                                               expression->getCoefficients())) {
      AffineExpr bound = getBound(term, isGreatest == (factor > 0));
      if (!bound)
        return {};
      sum = sum + sizes.multiply(bound, sizes.getConstant(factor));
    }
    return sizes.simplify(sum);
  }
  default:
    break;
  }
  // Ranges of sizes rest on an assumption about their magnitude.
  if (hasDynamicSize(expression))
    return {};
  Interval range = context.getRange(expression);
  int64_t bound = isGreatest ? range.hi : range.lo;
  // An end at the limit is open.
  if (bound == std::numeric_limits<int64_t>::max() ||
      bound == std::numeric_limits<int64_t>::min())
    return {};
  return sizes.getConstant(bound);
}

void attn::checkAccess(SizeChecker &checker, Operation *op, Operation *access,
                       Value tensor, ValueRange indices,
                       ArrayRef<LoopIndex> loops,
                       ArrayRef<AffineExpr> extents) {
  for (auto [dimension, index] : llvm::enumerate(indices))
    checkIndex(checker, op, access, tensor, dimension, index, loops, extents,
               /*place=*/op);
}

void attn::checkIndex(SizeChecker &checker, Operation *op, Operation *access,
                      Value tensor, int64_t dimension, Value index,
                      ArrayRef<LoopIndex> loops, ArrayRef<AffineExpr> extents,
                      Operation *place) {
  if (isa<RankedTensorType>(tensor.getType()))
    AccessCheck(checker, op, access, loops, extents, place)
        .run(tensor, dimension, index);
}
