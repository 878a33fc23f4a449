//===- ExpressionBool.cpp - Comparisons, and, or, select --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Boolean expressions and select of ExpressionContext: negation normal form,
/// comparisons of polynomials with zero, conditions decided by ranges.
///
//===----------------------------------------------------------------------===//

#include "attn/Analysis/Expression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::attn;

/// The greatest common divisor of the coefficients.
static int64_t getContent(const Polynomial &polynomial) {
  int64_t content = 0;
  for (auto [unused, coefficient] : polynomial.terms)
    if (coefficient != std::numeric_limits<int64_t>::min())
      content = std::gcd(content, coefficient);
    else
      return 1;
  return content;
}

/// The condition and the constant arms of a polynomial whose only term is a
/// select of constants.
static Expr getConstantSelect(const Polynomial &polynomial, int64_t &ifTrue,
                              int64_t &ifFalse) {
  if (polynomial.terms.size() != 1)
    return nullptr;
  auto [term, factor] = polynomial.terms.front();
  if (!term->is(ExprKind::Select))
    return nullptr;
  auto a = term->getOperand(1)->getConstantInt();
  auto b = term->getOperand(2)->getConstantInt();
  if (!a || !b)
    return nullptr;
  ifTrue = polynomial.constant + factor * *a;
  ifFalse = polynomial.constant + factor * *b;
  return term->getOperand(0);
}

Expr ExpressionContext::getGe0(Expr a) {
  Polynomial polynomial = getPolynomial(a);
  int64_t ifTrue = 0, ifFalse = 0;
  if (Expr condition = getConstantSelect(polynomial, ifTrue, ifFalse))
    return getSelect(condition, getBool(ifTrue >= 0), getBool(ifFalse >= 0));
  if (proveNonNegative(a))
    return getBool(true);
  if (proveNonNegative(getAdd(getScaled(a, -1), -1)))
    return getBool(false);
  if (int64_t content = getContent(polynomial); content > 1) {
    for (auto &term : polynomial.terms)
      term.second /= content;
    polynomial.constant = llvm::divideFloorSigned(polynomial.constant, content);
    a = getPolynomial(std::move(polynomial));
  }
  return makeOp(ExprKind::Ge0, boolType, {a});
}

Expr ExpressionContext::getEq0(Expr a) {
  Polynomial polynomial = getPolynomial(a);
  if (polynomial.terms.empty())
    return getBool(polynomial.constant == 0);
  int64_t ifTrue = 0, ifFalse = 0;
  if (Expr condition = getConstantSelect(polynomial, ifTrue, ifFalse))
    return getSelect(condition, getBool(ifTrue == 0), getBool(ifFalse == 0));
  if (proveNonNegative(getAdd(a, -1)) ||
      proveNonNegative(getAdd(getScaled(a, -1), -1)))
    return getBool(false);
  int64_t content = getContent(polynomial);
  if (polynomial.constant % content != 0)
    return getBool(false);
  if (polynomial.terms.front().second < 0)
    content = -content;
  for (auto &term : polynomial.terms)
    term.second /= content;
  polynomial.constant /= content;
  return makeOp(ExprKind::Eq0, boolType,
                {getPolynomial(std::move(polynomial))});
}

/// The predicate that holds exactly where the other does not.
static arith::CmpFPredicate negatePredicate(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  static constexpr std::pair<P, P> opposites[] = {
      {P::OEQ, P::UNE}, {P::OGT, P::ULE},
      {P::OGE, P::ULT}, {P::OLT, P::UGE},
      {P::OLE, P::UGT}, {P::ONE, P::UEQ},
      {P::ORD, P::UNO}, {P::AlwaysTrue, P::AlwaysFalse}};
  for (auto [a, b] : opposites) {
    if (predicate == a)
      return b;
    if (predicate == b)
      return a;
  }
  llvm_unreachable("every predicate has an opposite");
}

Expr ExpressionContext::getNot(Expr a) {
  // Kept, because an expression that shares its parts has many more paths than
  // nodes.
  if (auto it = negations.find(a); it != negations.end())
    return it->second;
  Expr result = computeNot(a);
  negations[a] = result;
  return result;
}

Expr ExpressionContext::computeNot(Expr a) {
  switch (a->getKind()) {
  case ExprKind::Constant:
    return getBool(!*a->getConstantInt());
  case ExprKind::Ge0:
    return getGe0(getAdd(getScaled(a->getOperand(0), -1), -1));
  case ExprKind::Eq0:
    return makeOp(ExprKind::Ne0, boolType, a->getOperands());
  case ExprKind::Ne0:
    return makeOp(ExprKind::Eq0, boolType, a->getOperands());
  case ExprKind::Not:
    return a->getOperand(0);
  case ExprKind::CmpF:
    return getCmpF(negatePredicate(a->getPredicate()), a->getOperand(0),
                   a->getOperand(1));
  case ExprKind::And:
  case ExprKind::Or: {
    SmallVector<Expr> operands;
    for (Expr operand : a->getOperands())
      operands.push_back(getNot(operand));
    return a->is(ExprKind::And) ? getOr(operands) : getAnd(operands);
  }
  case ExprKind::Select:
    return getSelect(a->getOperand(0), getNot(a->getOperand(1)),
                     getNot(a->getOperand(2)));
  default:
    return makeOp(ExprKind::Not, boolType, {a});
  }
}

/// Joins `P >= 0 & -P >= 0` to `P == 0`; for an `or`, what the negations say.
/// Returns false if there is nothing to join.
static bool joinBounds(ExpressionContext &context, ExprKind kind,
                       SmallVectorImpl<Expr> &operands) {
  for (unsigned i = 0; i < operands.size(); ++i) {
    if (!operands[i]->is(ExprKind::Ge0))
      continue;
    Expr bound = operands[i]->getOperand(0);
    Expr other = context.getScaled(bound, -1);
    if (kind == ExprKind::Or)
      other = context.getAdd(other, -2);
    for (unsigned j = i + 1; j < operands.size(); ++j) {
      if (!operands[j]->is(ExprKind::Ge0) ||
          operands[j]->getOperand(0) != other)
        continue;
      operands.erase(operands.begin() + j);
      operands[i] = kind == ExprKind::And
                        ? context.getEq0(bound)
                        : context.getNe0(context.getAdd(bound, 1));
      return true;
    }
  }
  return false;
}

Expr ExpressionContext::getNary(ExprKind kind, ArrayRef<Expr> operands) {
  bool absorbing = kind == ExprKind::Or;
  SmallVector<Expr> flat;
  for (Expr operand : operands) {
    if (operand->is(kind))
      llvm::append_range(flat, operand->getOperands());
    else
      flat.push_back(operand);
  }
  llvm::sort(flat, [](Expr x, Expr y) { return x->getId() < y->getId(); });
  flat.erase(llvm::unique(flat), flat.end());
  llvm::erase_if(flat, [&](Expr operand) {
    return operand->isConstantInt(absorbing ? 0 : 1);
  });
  for (Expr operand : flat)
    if (operand->isConstant())
      return operand;
  if (joinBounds(*this, kind, flat))
    return getNary(kind, flat);
  if (flat.empty())
    return getBool(!absorbing);
  if (flat.size() == 1)
    return flat.front();
  return makeOp(kind, boolType, flat);
}

Expr ExpressionContext::getAnd(ArrayRef<Expr> operands) {
  return getNary(ExprKind::And, operands);
}

Expr ExpressionContext::getOr(ArrayRef<Expr> operands) {
  return getNary(ExprKind::Or, operands);
}

/// Whether the arms of a select of integers are equal where `condition`
/// (a Ne0) does not hold, so that the select is its first arm.
static bool agreesOtherwise(ExpressionContext &context, Expr condition,
                            Expr ifTrue, Expr ifFalse) {
  if (!condition->is(ExprKind::Ne0) || !ifTrue->isInteger())
    return false;
  // The re-broadcast idiom `select(size == 1, 0, index)`: an index of a
  // dimension of size 1 is 0, one of a dimension of size 0 does not exist.
  if (ifTrue->isVariable() && ifFalse->isConstantInt(0)) {
    Expr extent = ifTrue->getExtent();
    if (condition == context.getNe0(extent) ||
        condition == context.getNe0(context.getAdd(extent, -1)))
      return true;
  }
  // The arms differ by a multiple of what is zero then.
  Polynomial difference =
      context.getPolynomial(context.getSub(ifTrue, ifFalse));
  Polynomial zero = context.getPolynomial(condition->getOperand(0));
  if (difference.terms.empty() || zero.terms.empty())
    return false;
  if (zero.terms.front().second == -1)
    return false; // Eq0 made the first coefficient positive.
  int64_t factor = difference.terms.front().second / zero.terms.front().second;
  return context.getScaled(condition->getOperand(0), factor) ==
         context.getPolynomial(std::move(difference));
}

/// Whether the arms have to change places: a constant comes second, the lesser
/// one of two.
static bool comesSecond(Expr ifTrue, Expr ifFalse) {
  if (!ifTrue->isConstant() || !ifFalse->isConstant())
    return ifTrue->isConstant();
  if (ifTrue->isFloat())
    return *ifTrue->getConstantFloat() < *ifFalse->getConstantFloat();
  return *ifTrue->getConstantInt() < *ifFalse->getConstantInt();
}

Expr ExpressionContext::getSelect(Expr condition, Expr ifTrue, Expr ifFalse) {
  if (condition->isConstant())
    return condition->isTrue() ? ifTrue : ifFalse;
  if (ifTrue == ifFalse)
    return ifTrue;
  if (condition->is(ExprKind::Not) || condition->is(ExprKind::Eq0)) {
    condition = getNot(condition);
    std::swap(ifTrue, ifFalse);
  }
  if (agreesOtherwise(*this, condition, ifTrue, ifFalse))
    return ifTrue;
  // An inner select on the same condition, in either polarity, is decided.
  Expr opposite = getNot(condition);
  auto decide = [&](Expr arm, bool holds) {
    if (!arm->is(ExprKind::Select))
      return arm;
    if (arm->getOperand(0) == condition)
      return arm->getOperand(holds ? 1 : 2);
    if (arm->getOperand(0) == opposite)
      return arm->getOperand(holds ? 2 : 1);
    return arm;
  };
  ifTrue = decide(ifTrue, true);
  ifFalse = decide(ifFalse, false);
  if (ifTrue == ifFalse)
    return ifTrue;
  if (ifTrue->isBool()) {
    if (ifTrue->isTrue())
      return getOr({condition, ifFalse});
    if (ifTrue->isFalse())
      return getAnd({getNot(condition), ifFalse});
    if (ifFalse->isFalse())
      return getAnd({condition, ifTrue});
    if (ifFalse->isTrue())
      return getOr({getNot(condition), ifTrue});
  }
  // The sign of a zero is not kept, see Expression.h.
  if (ifTrue->isConstantFloat(0))
    ifTrue = getFloat(0.0, ifTrue->getType());
  if (ifFalse->isConstantFloat(0))
    ifFalse = getFloat(0.0, ifFalse->getType());
  if (comesSecond(ifTrue, ifFalse)) {
    condition = getNot(condition);
    std::swap(ifTrue, ifFalse);
  }
  return makeOp(ExprKind::Select, ifTrue->getType(),
                {condition, ifTrue, ifFalse});
}

static bool comparesEqualFirst(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OEQ:
  case P::ONE:
  case P::UEQ:
  case P::UNE:
  case P::ORD:
  case P::UNO:
    return true;
  default:
    return false;
  }
}

/// The predicate of the operands swapped.
static arith::CmpFPredicate swapPredicate(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OGT:
    return P::OLT;
  case P::OGE:
    return P::OLE;
  case P::UGT:
    return P::ULT;
  case P::UGE:
    return P::ULE;
  default:
    return predicate;
  }
}

Expr ExpressionContext::getCmpF(arith::CmpFPredicate predicate, Expr a,
                                Expr b) {
  using P = arith::CmpFPredicate;
  if (predicate == P::AlwaysTrue || predicate == P::AlwaysFalse)
    return getBool(predicate == P::AlwaysTrue);
  if (P swapped = swapPredicate(predicate); swapped != predicate) {
    predicate = swapped;
    std::swap(a, b);
  }
  // A widening is exact: compare in the narrow type if the other side has it.
  auto narrow = [&](Expr wide, Expr &other) -> Expr {
    Expr source = wide->getOperand(0);
    if (other->is(ExprKind::ExtF) &&
        other->getOperand(0)->getType() == source->getType()) {
      other = other->getOperand(0);
      return source;
    }
    if (auto value = other->getConstantFloat()) {
      Expr rounded = getFloat(*value, source->getType());
      if (rounded->getConstantFloat() == value || *value != *value) {
        other = rounded;
        return source;
      }
    }
    return wide;
  };
  if (a->is(ExprKind::ExtF))
    a = narrow(a, b);
  else if (b->is(ExprKind::ExtF))
    b = narrow(b, a);
  if (a->isConstant() && b->isConstant())
    return getBool(arith::applyCmpPredicate(predicate,
                                            APFloat(*a->getConstantFloat()),
                                            APFloat(*b->getConstantFloat())));
  if (comparesEqualFirst(predicate)) {
    bool swap = a->isConstant() != b->isConstant() ? a->isConstant()
                                                   : a->getId() > b->getId();
    if (swap)
      std::swap(a, b);
  }
  // Comparing a select of constants with a constant is the select's condition.
  for (unsigned side = 0; side < 2; ++side) {
    Expr select = side ? b : a, other = side ? a : b;
    if (select->is(ExprKind::Select) && other->isConstant() &&
        select->getOperand(1)->isConstant() &&
        select->getOperand(2)->isConstant()) {
      auto compare = [&](Expr arm) {
        return side ? getCmpF(predicate, other, arm)
                    : getCmpF(predicate, arm, other);
      };
      return getSelect(select->getOperand(0), compare(select->getOperand(1)),
                       compare(select->getOperand(2)));
    }
  }
  return makeOp(ExprKind::CmpF, boolType, {a, b},
                static_cast<int64_t>(predicate));
}
