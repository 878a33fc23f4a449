//===- Expression.cpp - Making and substituting expressions -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of ExpressionContext that does not simplify: unique nodes, leaves,
/// reductions and their variables, substitution.
///
//===----------------------------------------------------------------------===//

#include "attn/Analysis/Expression.h"
#include "attn/Analysis/ConstantElements.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::attn;

/// Levels from here on are variables of reductions taken apart for a moment.
static constexpr unsigned kTemporaryLevel = 1u << 30;

void ExprNode::Profile(llvm::FoldingSetNodeID &nodeId) const {
  nodeId.AddInteger(static_cast<unsigned>(kind));
  nodeId.AddPointer(type.getAsOpaquePointer());
  for (Expr operand : operands)
    nodeId.AddPointer(operand);
  for (int64_t coefficient : coefficients)
    nodeId.AddInteger(coefficient);
  nodeId.AddInteger(data);
  nodeId.AddInteger(llvm::bit_cast<uint64_t>(number));
  nodeId.AddPointer(extent);
  nodeId.AddPointer(pointer);
  nodeId.AddPointer(attributes);
}

ExpressionContext::ExpressionContext(MLIRContext *context)
    : context(context), indexType(IndexType::get(context)),
      boolType(IntegerType::get(context, 1)) {}

Type ExpressionContext::getExprType(Type type) const {
  if (type.isInteger(1))
    return boolType;
  if (type.isIntOrIndex())
    return indexType;
  return type;
}

Expr ExpressionContext::make(ExprNode node) {
  llvm::FoldingSetNodeID nodeId;
  node.Profile(nodeId);
  void *position = nullptr;
  if (ExprNode *existing = nodes.FindNodeOrInsertPos(nodeId, position))
    return existing;
  node.depth = 1;
  for (Expr operand : node.operands) {
    node.depth = std::max(node.depth, operand->depth + 1);
    node.variables |= operand->variables;
    node.maxLevel = std::max(node.maxLevel, operand->maxLevel);
  }
  node.operands = node.operands.copy(allocator);
  node.coefficients = node.coefficients.copy(allocator);
  node.id = nextId++;
  auto *result = new (allocator.Allocate<ExprNode>()) ExprNode(node);
  nodes.InsertNode(result, position);
  return result;
}

Expr ExpressionContext::makeOp(ExprKind kind, Type type,
                               ArrayRef<Expr> operands, int64_t data) {
  ExprNode node;
  node.kind = kind;
  node.type = type;
  node.operands = operands;
  node.data = data;
  return make(node);
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

Expr ExpressionContext::getInt(int64_t value) {
  return makeOp(ExprKind::Constant, indexType, {}, value);
}

Expr ExpressionContext::getBool(bool value) {
  return makeOp(ExprKind::Constant, boolType, {}, value);
}

double attn::roundTo(APFloat value, Type type) {
  bool inexact = false;
  value.convert(cast<FloatType>(type).getFloatSemantics(),
                APFloat::rmNearestTiesToEven, &inexact);
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

Expr ExpressionContext::getFloat(const APFloat &value, Type type) {
  ExprNode node;
  node.kind = ExprKind::Constant;
  node.type = type;
  node.number = roundTo(value, type);
  return make(node);
}

Expr ExpressionContext::getFloat(double value, Type type) {
  return getFloat(APFloat(value), type);
}

Expr ExpressionContext::getIndex(unsigned dimension, Expr extent) {
  if (extent->isConstantInt(1))
    return getInt(0);
  ExprNode node;
  node.kind = ExprKind::Index;
  node.type = indexType;
  node.data = dimension;
  node.extent = extent;
  node.variables = true;
  return make(node);
}

Expr ExpressionContext::getBound(unsigned level, Expr extent) {
  ExprNode node;
  node.kind = ExprKind::Bound;
  node.type = indexType;
  node.data = level;
  node.extent = extent;
  node.variables = true;
  node.maxLevel = level < kTemporaryLevel ? level : 0;
  return make(node);
}

Expr ExpressionContext::getDim(Value tensor, unsigned dimension) {
  auto type = cast<ShapedType>(tensor.getType());
  if (type.hasRank() && !type.isDynamicDim(dimension))
    return getInt(type.getDimSize(dimension));
  ExprNode node;
  node.kind = ExprKind::Dim;
  node.type = indexType;
  node.data = dimension;
  node.pointer = tensor.getAsOpaquePointer();
  return make(node);
}

/// The element of a constant, if it is a splat or the indices are known.
static Expr getConstantElement(ExpressionContext &context, Value value,
                               ArrayRef<Expr> indices) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (!constant || !isa<ShapedType>(value.getType()))
    return nullptr;
  auto elements = ConstantElements::get(constant.getValue());
  if (!elements || elements->getNumElements() == 0)
    return nullptr;
  int64_t position = 0;
  if (!elements->isSplat()) {
    SmallVector<int64_t> known;
    for (Expr index : indices)
      if (auto number = index->getConstantInt())
        known.push_back(*number);
    auto found = elements->getPosition(known);
    if (!found)
      return nullptr;
    position = *found;
  }
  Type type = elements->getType().getElementType();
  if (isa<FloatType>(type))
    return context.getFloat(elements->getAPFloat(position), type);
  if (type.isInteger(1))
    return context.getBool(elements->getInt(position));
  return context.getInt(elements->getInt(position));
}

Expr ExpressionContext::getLoad(Value value, ArrayRef<Expr> indices) {
  if (Expr element = getConstantElement(*this, value, indices))
    return element;
  // The only index of a dimension of size 1 is 0.
  SmallVector<Expr> inside(indices);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && type.getRank() == static_cast<int64_t>(inside.size()))
    for (auto [index, size] : llvm::zip_equal(inside, type.getShape()))
      if (size == 1)
        index = getInt(0);
  ExprNode node;
  node.kind = ExprKind::Load;
  node.type = getExprType(getElementTypeOrSelf(value.getType()));
  node.operands = inside;
  node.pointer = value.getAsOpaquePointer();
  return make(node);
}

Expr ExpressionContext::getOpaque(OperationName name, DictionaryAttr attributes,
                                  Type type, ArrayRef<Expr> operands) {
  ExprNode node;
  node.kind = ExprKind::Opaque;
  node.type = getExprType(type);
  node.operands = operands;
  node.pointer = name.getAsOpaquePointer();
  node.attributes = attributes.getAsOpaquePointer();
  return make(node);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Expr ExpressionContext::getCombined(ExprKind combiner, Expr a, Expr b) {
  switch (combiner) {
  case ExprKind::Sum:
    return getAdd(a, b);
  case ExprKind::Product:
    return getMul(a, b);
  case ExprKind::MaxSI:
    return getMax(a, b);
  case ExprKind::MinSI:
    return getMin(a, b);
  case ExprKind::And:
    return getAnd({a, b});
  case ExprKind::Or:
    return getOr({a, b});
  default:
    return getBinary(combiner, a, b);
  }
}

/// The greatest (or least) value of `body` over a variable in which it is
/// linear; null if it is not, or if the variable may have no value.
Expr ExpressionContext::getExtreme(bool greatest, Expr variable, Expr body) {
  if (!proveLess(getInt(0), variable->getExtent()))
    return nullptr;
  Polynomial polynomial = getPolynomial(body);
  int64_t slope = 0;
  for (auto [term, factor] : polynomial.terms) {
    if (term == variable)
      slope = factor;
    else if (occurs(variable, term))
      return nullptr;
  }
  bool last = (slope > 0) == greatest;
  Expr at = last ? getAdd(variable->getExtent(), -1) : getInt(0);
  return substitute(body, {{variable, at}});
}

Expr ExpressionContext::getReduce(ExprKind combiner, ArrayRef<Expr> variables,
                                  Expr body, Expr init) {
  // A body that does not depend on a variable of an idempotent reduction needs
  // no special case: the form below is already canonical.
  SmallVector<Expr> kept;
  for (Expr variable : variables)
    if (variable->isVariable())
      kept.push_back(variable);
  if (kept.empty())
    return getCombined(combiner, init, body);
  // Nothing is added, or joined.
  if ((combiner == ExprKind::Sum && body->isConstantInt(0)) ||
      (combiner == ExprKind::And && body->isTrue()) ||
      (combiner == ExprKind::Or && body->isFalse()))
    return init;

  // The largest of a variable is its last value, and so on.
  if ((combiner == ExprKind::MaxSI || combiner == ExprKind::MinSI) &&
      kept.size() == 1)
    if (Expr extreme =
            getExtreme(combiner == ExprKind::MaxSI, kept.front(), body))
      return getCombined(combiner, init, extreme);

  unsigned level = body->maxLevel;
  for (Expr variable : kept)
    level = std::max(level, variable->getExtent()->maxLevel);
  ExprMap map;
  SmallVector<Expr> operands = {init, nullptr};
  for (Expr variable : kept) {
    Expr bound = getBound(++level, variable->getExtent());
    map[variable] = bound;
    operands.push_back(bound);
  }
  operands[1] = substitute(body, map);
  return makeOp(ExprKind::Reduce, body->getType(), operands,
                static_cast<int64_t>(combiner));
}

/// Returns the body over variables that occur nowhere else.
Expr ExpressionContext::openReduce(Expr reduce,
                                   SmallVectorImpl<Expr> &variables) {
  ExprMap map;
  for (Expr bound : reduce->getVariables()) {
    Expr temporary =
        getBound(kTemporaryLevel + nextTemporary++, bound->getExtent());
    map[bound] = temporary;
    variables.push_back(temporary);
  }
  return substitute(reduce->getBody(), map);
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

Expr ExpressionContext::rebuild(Expr expr, ArrayRef<Expr> operands) {
  switch (expr->getKind()) {
  case ExprKind::Constant:
  case ExprKind::Index:
  case ExprKind::Bound:
  case ExprKind::Dim:
    return expr;
  case ExprKind::Load:
    return getLoad(expr->getValue(), operands);
  case ExprKind::Sum: {
    Expr result = getInt(expr->getConstantTerm());
    for (auto [operand, factor] :
         llvm::zip_equal(operands, expr->getCoefficients()))
      result = getAdd(result, getScaled(operand, factor));
    return result;
  }
  case ExprKind::Product: {
    Expr result = operands.front();
    for (Expr operand : operands.drop_front())
      result = getMul(result, operand);
    return result;
  }
  case ExprKind::FloorDiv:
    return getFloorDiv(operands[0], operands[1]);
  case ExprKind::Mod:
    return getMod(operands[0], operands[1]);
  case ExprKind::MaxSI:
    return getMax(operands[0], operands[1]);
  case ExprKind::MinSI:
    return getMin(operands[0], operands[1]);
  case ExprKind::AbsI:
    return getAbsI(operands[0]);
  case ExprKind::TruncI:
    return getTruncI(operands[0], expr->getWidth());
  case ExprKind::Ge0:
    return getGe0(operands[0]);
  case ExprKind::Eq0:
    return getEq0(operands[0]);
  case ExprKind::Ne0:
    return getNe0(operands[0]);
  case ExprKind::CmpF:
    return getCmpF(expr->getPredicate(), operands[0], operands[1]);
  case ExprKind::And:
    return getAnd(operands);
  case ExprKind::Or:
    return getOr(operands);
  case ExprKind::Not:
    return getNot(operands[0]);
  case ExprKind::Select:
    return getSelect(operands[0], operands[1], operands[2]);
  case ExprKind::FPowI:
    return getFPowI(operands[0], operands[1]);
  case ExprKind::ExtF:
  case ExprKind::TruncF:
  case ExprKind::SIToFP:
    return getCast(expr->getKind(), operands[0], expr->getType());
  case ExprKind::FPToSI:
    return getFPToSI(operands[0], expr->getWidth());
  case ExprKind::Complex:
    return getComplex(operands[0], operands[1]);
  case ExprKind::Re:
    return getRe(operands[0]);
  case ExprKind::Im:
    return getIm(operands[0]);
  case ExprKind::AddF:
  case ExprKind::SubF:
  case ExprKind::MulF:
  case ExprKind::DivF:
  case ExprKind::RemF:
  case ExprKind::MaximumF:
  case ExprKind::MinimumF:
  case ExprKind::MaxNumF:
  case ExprKind::MinNumF:
  case ExprKind::PowF:
  case ExprKind::Atan2:
    return getBinary(expr->getKind(), operands[0], operands[1]);
  case ExprKind::NegF:
    return getUnary(ExprKind::NegF, operands[0]);
  default: {
    ExprNode node = *expr;
    node.operands = operands;
    node.variables = false;
    node.maxLevel = 0;
    return make(node);
  }
  }
}

Expr ExpressionContext::substituteIn(Expr expr, const ExprMap &map,
                                     ExprMap &done) {
  if (auto it = map.find(expr); it != map.end())
    return it->second;
  if (!expr->hasVariables() || expr->getOperands().empty())
    return expr;
  if (auto it = done.find(expr); it != done.end())
    return it->second;

  Expr result = expr;
  if (expr->is(ExprKind::Reduce)) {
    // A value put in may hold variables of an enclosing reduction that have the
    // same level: rename the own ones first, and number them again afterwards.
    SmallVector<Expr> variables;
    Expr body = openReduce(expr, variables);
    ExprMap inner;
    Expr newBody = substituteIn(body, map, inner);
    Expr init = substituteIn(expr->getInit(), map, done);
    result = getReduce(expr->getCombiner(), variables, newBody, init);
  } else {
    SmallVector<Expr> operands;
    bool changed = false;
    for (Expr operand : expr->getOperands()) {
      operands.push_back(substituteIn(operand, map, done));
      changed |= operands.back() != operand;
    }
    if (changed)
      result = rebuild(expr, operands);
  }
  done[expr] = result;
  return result;
}

Expr ExpressionContext::substitute(Expr expr, const ExprMap &map) {
  if (llvm::all_of(map,
                   [](auto &entry) { return entry.first == entry.second; }))
    return expr;
  ExprMap done;
  return substituteIn(expr, map, done);
}

bool ExpressionContext::occurs(Expr variable, Expr expr) const {
  llvm::SmallPtrSet<Expr, 16> seen;
  SmallVector<Expr> worklist = {expr};
  while (!worklist.empty()) {
    Expr next = worklist.pop_back_val();
    if (next == variable)
      return true;
    if (seen.insert(next).second)
      llvm::append_range(worklist, next->getOperands());
  }
  return false;
}

ArrayRef<Expr> mlir::attn::getFactors(const Expr &monomial) {
  if (monomial->is(ExprKind::Product))
    return monomial->getOperands();
  return ArrayRef<Expr>(monomial);
}
