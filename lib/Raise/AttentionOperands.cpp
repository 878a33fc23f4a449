//===- AttentionOperands.cpp - Tensors of a matched attention ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Query, key and value of a matched attention as tensors of rank 4: values of
/// the graph where they exist. Factors of the scores are taken out of query and
/// key, and repeated heads are not repeated.
///
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "GraphWalk.h"
#include "attn/Raise/EmitExpression.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {

/// `factor * base` is the element of an operand, up to rounding.
struct Scaled {
  Expr base = nullptr;
  double factor = 1.0;
};

/// Positions of the variables of key/value heads.
constexpr unsigned kKeyHead = 1010, kInGroup = 1011;

} // namespace

/// Takes constant factors and conversions off an element of a query or a key.
/// Returns the forms that have the element type `type`, the last with the least
/// arithmetic in it.
static SmallVector<Scaled> takeFactors(Expr expr, Type type) {
  SmallVector<Scaled> forms;
  double factor = 1.0;
  while (true) {
    if (expr->getType() == type && std::isfinite(factor))
      forms.push_back({expr, factor});
    if (expr->is(ExprKind::NegF)) {
      factor = -factor;
    } else if (expr->is(ExprKind::MulF) || expr->is(ExprKind::DivF)) {
      auto constant = expr->getOperand(1)->getConstantFloat();
      if (!constant)
        return forms;
      factor =
          expr->is(ExprKind::MulF) ? factor * *constant : factor / *constant;
    } else if (!expr->is(ExprKind::ExtF) && !expr->is(ExprKind::TruncF)) {
      return forms;
    }
    expr = expr->getOperand(0);
  }
}

/// The element at key/value head `keyHead` if `group` heads share it, else
/// null.
static Expr getUnrepeated(ExpressionContext &context, Expr expr, Expr head,
                          Expr group, Expr keyHead) {
  Expr member = context.getIndex(kInGroup, group);
  Expr index = context.getAdd(context.getMul(keyHead, group), member);
  Expr result = context.substitute(expr, {{head, index}});
  return member->isVariable() && context.occurs(member, result) ? nullptr
                                                                : result;
}

/// The largest number of query heads that read one and the same key and value.
static Expr getGroupSize(ExpressionContext &context, Expr head, Expr key,
                         Expr value) {
  if (!head->isVariable())
    return context.getInt(1);
  Expr heads = head->getExtent();
  if (!context.occurs(head, key) && !context.occurs(head, value))
    return heads;
  auto count = heads->getConstantInt();
  if (!count)
    return context.getInt(1);
  SmallVector<int64_t> candidates;
  for (Expr expr : {key, value})
    anyNode(expr, [&](Expr node) {
      if (node->is(ExprKind::FloorDiv) &&
          context.occurs(head, node->getOperand(0)))
        if (auto divisor = node->getOperand(1)->getConstantInt())
          candidates.push_back(*divisor);
      return false;
    });
  llvm::sort(candidates, std::greater<>());
  for (int64_t size : candidates) {
    if (size < 2 || *count % size != 0)
      continue;
    Expr group = context.getInt(size);
    Expr keyHead = context.getIndex(kKeyHead, context.getInt(*count / size));
    if (getUnrepeated(context, key, head, group, keyHead) &&
        getUnrepeated(context, value, head, group, keyHead))
      return group;
  }
  return context.getInt(1);
}

/// Whether `value` is the tensor whose element at `variables` is `element`.
static bool isTensor(ElementExpression &elements, Value value, Expr element,
                     ArrayRef<Expr> variables) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != static_cast<int64_t>(variables.size()) ||
      type.getElementType() != element->getType())
    return false;
  for (auto [extent, variable] :
       llvm::zip_equal(elements.getExtents(value), variables)) {
    bool same = variable->isVariable() ? extent == variable->getExtent()
                                       : extent->isConstantInt(1);
    if (!same)
      return false;
  }
  return elements.getElement(value, variables) == element;
}

/// Adds dimensions of size one where a variable is the constant 0.
static Value addUnits(OpBuilder &builder, Location loc, Value value,
                      ArrayRef<Expr> variables) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<ReassociationIndices> groups(type.getRank());
  SmallVector<int64_t> shape;
  int64_t group = -1;
  for (auto [d, variable] : llvm::enumerate(variables)) {
    group += variable->isVariable();
    shape.push_back(variable->isVariable() ? type.getDimSize(group) : 1);
    groups[std::max<int64_t>(group, 0)].push_back(d);
  }
  return tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
      groups);
}

Value attn::findTensor(ElementExpression &elements, Value start, Expr element,
                       ArrayRef<Expr> variables, OpBuilder &builder,
                       Location loc) {
  if (element->is(ExprKind::Load) &&
      isTensor(elements, element->getValue(), element, variables))
    return element->getValue();
  SmallVector<Expr> compact;
  for (Expr variable : variables)
    if (variable->isVariable())
      compact.push_back(variable);
  constexpr unsigned limit = 64;
  llvm::SetVector<Value> way;
  way.insert(start);
  for (unsigned i = 0; i < way.size() && i < limit; ++i) {
    Value value = way[i];
    if (isTensor(elements, value, element, variables))
      return value;
    if (!compact.empty() && isTensor(elements, value, element, compact))
      return addUnits(builder, loc, value, variables);
    Operation *op = value.getDefiningOp();
    if (!op ||
        !(isa<linalg::LinalgOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
              tensor::ReshapeOp, tensor::CastOp>(op) ||
          OpTrait::hasElementwiseMappableTraits(op)))
      continue;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        linalgOp && linalg::isaContractionOpInterface(linalgOp))
      continue;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()) &&
          !operand.getDefiningOp<tensor::EmptyOp>())
        way.insert(operand);
  }
  return Value();
}

static unsigned getWidth(Expr expr) {
  return expr->getType().getIntOrFloatBitWidth();
}

namespace {
/// The elements of the operands in one type, those of query and key with less
/// and less of the factors around them.
struct OperandForms {
  SmallVector<Scaled> queries, keys;
  Expr value = nullptr;
};
} // namespace

/// The type of the result, unless the graph computes in a wider one.
static FailureOr<OperandForms> getForms(ExpressionContext &context,
                                        const AttentionMatch &match,
                                        Reason &reason) {
  Type type = getElementTypeOrSelf(match.result.getType());
  OperandForms forms{takeFactors(match.query, type),
                     takeFactors(match.key, type), match.value};
  if (!forms.queries.empty() && !forms.keys.empty() &&
      match.value->getType() == type)
    return forms;
  for (Expr expr : {match.query, match.key, match.value})
    if (getWidth(expr) > type.getIntOrFloatBitWidth())
      type = expr->getType();
  auto widen = [&](Expr expr) -> Expr {
    if (expr->getType() == type)
      return expr;
    return getWidth(expr) < type.getIntOrFloatBitWidth()
               ? context.getCast(ExprKind::ExtF, expr, type)
               : nullptr;
  };
  Expr query = widen(match.query), key = widen(match.key);
  Expr value = widen(match.value);
  if (!query || !key || !value) {
    reason = "query, key and value have types of which none holds the others";
    return failure();
  }
  return OperandForms{takeFactors(query, type), takeFactors(key, type), value};
}

FailureOr<AttentionOperands> attn::makeOperands(ElementExpression &elements,
                                                const AttentionMatch &match,
                                                OpBuilder &builder,
                                                Reason &reason) {
  ExpressionContext &context = elements.getContext();
  auto forms = getForms(context, match, reason);
  if (failed(forms))
    return failure();
  auto &[queries, keys, value] = *forms;
  const PairVariables &pair = match.pair;
  Expr head = pair.head, keyHead = head;
  Expr group = getGroupSize(context, head, keys.back().base, value);
  if (!group->isConstantInt(1)) {
    keyHead = context.getIndex(kKeyHead,
                               context.getFloorDiv(head->getExtent(), group));
    for (Scaled &key : keys)
      key.base = getUnrepeated(context, key.base, head, group, keyHead);
    value = getUnrepeated(context, value, head, group, keyHead);
  }
  Location loc = match.result.getLoc();
  AttentionOperands operands;
  operands.scale = match.terms.scale;
  // A tensor without the factor, if it costs no more than the one with it; else
  // any that the graph has.
  constexpr unsigned maxOperations = 2;
  auto make = [&](Value start, ArrayRef<Scaled> forms,
                  ArrayRef<Expr> variables) -> Value {
    auto use = [&](Value tensor, const Scaled &form) {
      if (tensor)
        operands.scale *= form.factor;
      return tensor;
    };
    auto compute = [&](const Scaled &form) {
      auto tensor = emitTensor(builder, loc, form.base, variables, &elements);
      return use(succeeded(tensor) ? *tensor : Value(), form);
    };
    for (const Scaled &form : llvm::reverse(forms)) {
      if (Value found =
              findTensor(elements, start, form.base, variables, builder, loc))
        return use(found, form);
      if (isElementwise(form.base, variables, maxOperations, &elements))
        return compute(form);
    }
    return compute(forms.back());
  };
  operands.query = make(match.queryValue, queries,
                        {pair.batch, head, pair.query, match.feature});
  operands.key = make(match.keyValue, keys,
                      {pair.batch, keyHead, pair.key, match.feature});
  operands.value =
      make(match.valueValue, {Scaled{value}},
           {pair.batch, keyHead, match.valueKey, match.valueFeature});
  if (!operands.query || !operands.key || !operands.value) {
    reason = "an operand is neither a tensor of the graph nor an expression "
             "that can be computed";
    return failure();
  }
  if (!std::isfinite(operands.scale)) {
    reason = "the scale is not finite";
    return failure();
  }
  return operands;
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

Value attn::restoreResult(const AttentionMatch &match, Value attention,
                          OpBuilder &builder, Location loc) {
  auto wanted = cast<RankedTensorType>(match.result.getType());
  auto type = cast<RankedTensorType>(attention.getType());
  SmallVector<Expr> roles = {match.pair.batch, match.pair.head,
                             match.pair.query, match.valueFeature};
  Value value = attention;
  if (match.groupHead) {
    roles = {match.pair.batch, match.groupHead, match.memberHead,
             match.pair.query, match.valueFeature};
    auto size = [](Expr variable) {
      return variable->getExtent()->getConstantInt().value_or(
          ShapedType::kDynamic);
    };
    SmallVector<int64_t> shape = {type.getDimSize(0), size(match.groupHead),
                                  size(match.memberHead), type.getDimSize(2),
                                  type.getDimSize(3)};
    value = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        value, ArrayRef<ReassociationIndices>{{0}, {1, 2}, {3}, {4}});
  }

  // Dimensions of size one stand for those of the result where they can.
  SmallVector<int64_t> spare, order;
  for (auto [d, role] : llvm::enumerate(roles))
    if (!role->isVariable())
      spare.push_back(d);
  std::reverse(spare.begin(), spare.end());
  SmallVector<ReassociationIndices> groups;
  SmallVector<bool> missing;
  for (ArrayRef<Expr> factors : match.resultFactors) {
    ReassociationIndices group;
    for (Expr factor : factors)
      group.push_back(llvm::find(roles, factor) - roles.begin());
    if (factors.empty() && !spare.empty())
      group.push_back(spare.pop_back_val());
    missing.push_back(group.empty());
    if (!group.empty())
      groups.push_back(group);
  }
  if (!groups.empty())
    groups.front().insert(groups.front().begin(), spare.rbegin(), spare.rend());
  int64_t next = 0;
  for (ReassociationIndices &group : groups)
    for (int64_t &dimension : group) {
      order.push_back(dimension);
      dimension = next++;
    }
  value = emitTranspose(builder, loc, value, order);
  if (groups.size() != order.size())
    value = tensor::CollapseShapeOp::create(builder, loc, value, groups);
  if (groups.size() != missing.size()) {
    // Dimensions of size one join the one in front of them, or the first.
    SmallVector<ReassociationIndices> expanded(groups.size());
    int64_t group = -1;
    for (auto [d, unit] : llvm::enumerate(missing)) {
      group += !unit;
      expanded[std::max<int64_t>(group, 0)].push_back(d);
    }
    value = tensor::ExpandShapeOp::create(
        builder, loc,
        RankedTensorType::get(wanted.getShape(),
                              getElementTypeOrSelf(value.getType())),
        value, expanded);
  }
  return value;
}
