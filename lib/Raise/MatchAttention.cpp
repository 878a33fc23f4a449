//===- MatchAttention.cpp - Roles of the indices of attention ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Matches a contraction of probabilities and values twice: over the indices of
/// the result, to see which tensor depends on which of them, and then over
/// batch, head, query and key.
///
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

/// Positions of the Index variables that stand for the roles. They differ from
/// all dimensions, after which the analysis numbers variables.
namespace {
enum Position : unsigned {
  kBatch = 1000,
  kHead,
  kQuery,
  kKey,
  kFeature,
  kValueFeature,
  kGroup,
  kMember,
  kValueKey,
  kFirstFactor = 1100,
};
} // namespace

static bool isCount(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return op && op.getNumReductionLoops() != 0 && op->getNumResults() == 1 &&
         getElementTypeOrSelf(value.getType()).isInteger() &&
         !getElementTypeOrSelf(value.getType()).isInteger(1);
}

/// Counts, and floats that are padded: a mask that is extended by a fill value
/// is data, and scores in pieces are no softmax.
bool AttentionAnalyses::isLeaf(Value value) {
  if (isCount(value))
    return !llvm::all_of(whole.getMap(value).pieces, [](const Piece &piece) {
      return piece.value->isConstant();
    });
  return value.getDefiningOp<tensor::PadOp>() &&
         isa<FloatType>(getElementTypeOrSelf(value));
}

ElementExpressionOptions
AttentionAnalyses::getOptions(unsigned maxFloatPieces) {
  ElementExpressionOptions options;
  options.stopAt = [this](Value value) { return isLeaf(value); };
  options.maxFloatPieces = maxFloatPieces;
  return options;
}

AttentionAnalyses::AttentionAnalyses(ExpressionContext &context)
    : whole(context),
      elements(context, getOptions(ElementExpressionOptions().maxFloatPieces)),
      operands(context, getOptions(1)) {}

namespace {

/// What the contraction looks like over one choice of index variables.
struct View {
  Expr query, key, value;
  ScoreTerms terms;
  SoftmaxMatch softmax;
  ProductOperands product;
};

class AttentionMatcher {
public:
  AttentionMatcher(AttentionAnalyses &analyses, Value result, bool exactMasks,
                   Reason &reason)
      : elements(analyses.elements), operands(analyses.operands),
        context(elements.getContext()), result(result), exactMasks(exactMasks),
        reason(reason) {}

  LogicalResult match();
  AttentionMatch found;

private:
  LogicalResult fail(StringRef text) {
    reason = text;
    return failure();
  }
  LogicalResult findSides();
  Expr makeKey(unsigned position, Value value, ArrayRef<Expr> indices,
               Expr variable);
  void makeFactors();
  bool splitByDivisors();
  SmallVector<Expr> getExtentsOfFactors(unsigned dimension, Expr variable);
  LogicalResult view(const ExprMap &map, View &view);
  LogicalResult assignRoles();
  Expr findQuery(ArrayRef<Expr> candidates) const;
  Expr makeRole(Expr factor, unsigned position);
  bool isShared(Expr factor) const;
  bool hasSink(Expr factor) const;
  LogicalResult assignBatchAndHead(SmallVector<Expr> rest);
  void assign(Expr factor, Expr role) { roles[factor] = role; }

  ElementExpression &elements, &operands;
  ExpressionContext &context;
  Value result;
  bool exactMasks;
  Reason &reason;

  /// The contraction over `variables`, one for each dimension of the result.
  SmallVector<Expr> variables;
  Value probabilities, values;
  SmallVector<Expr> probabilityIndices, valueIndices;
  Expr key = nullptr;
  /// The factors of each dimension, and what they and the dimensions are.
  SmallVector<SmallVector<Expr, 2>> factors;
  ExprMap dimensionMap, roles;
  View first;
};

} // namespace

/// A variable for the dimension of `value` that `variable` is the index of.
Expr AttentionMatcher::makeKey(unsigned position, Value value,
                               ArrayRef<Expr> indices, Expr variable) {
  Expr extent = variable->getExtent();
  for (auto [own, index] : llvm::zip_equal(elements.getExtents(value), indices))
    if (index == variable && !own->isConstant())
      extent = own;
  return context.getIndex(position, extent);
}

/// Which operand of the contraction holds probabilities.
LogicalResult AttentionMatcher::findSides() {
  reason.clear();
  for (auto [d, extent] : llvm::enumerate(elements.getExtents(result)))
    variables.push_back(context.getIndex(kFirstFactor + 100 * d, extent));
  auto contraction = elements.getContraction(result, variables);
  if (!contraction)
    return failure();
  Value operands[2] = {contraction->lhs, contraction->rhs};
  ArrayRef<Expr> indices[2] = {contraction->lhsIndices,
                               contraction->rhsIndices};
  for (unsigned side = 0; side < 2; ++side) {
    if (!looksLikeSoftmax(elements.getElement(operands[side], indices[side])))
      continue;
    if (probabilities)
      return fail("both operands of the contraction have a softmax in them");
    probabilities = operands[side];
    values = operands[1 - side];
    llvm::append_range(probabilityIndices, indices[side]);
    llvm::append_range(valueIndices, indices[1 - side]);
  }
  if (!probabilities)
    return failure();
  if (contraction->variables.size() != 1)
    return fail("the contraction with the values does not sum over one "
                "variable");
  if (!contraction->init->isConstantFloat(0.0))
    return fail("the contraction with the values does not start from zero");
  // Both operands have that many keys, though their sizes may be two unknowns.
  Expr variable = contraction->variables.front();
  key = makeKey(kKey, probabilities, probabilityIndices, variable);
  found.valueKey = makeKey(kValueKey, values, valueIndices, variable);
  if (found.valueKey->getExtent() == key->getExtent())
    found.valueKey = key;
  for (Expr &index : probabilityIndices)
    index = context.substitute(index, {{variable, key}});
  for (Expr &index : valueIndices)
    index = context.substitute(index, {{variable, found.valueKey}});
  return success();
}

/// The sizes that a reshape next to the contraction gives to the parts of a
/// dimension, from the slowest; one size if there is none.
SmallVector<Expr> AttentionMatcher::getExtentsOfFactors(unsigned dimension,
                                                        Expr variable) {
  SmallVector<Expr> extents;
  auto take = [&](Value whole, ArrayRef<int64_t> group) {
    if (!extents.empty())
      return;
    for (int64_t d : group)
      if (Expr extent = elements.getExtents(whole)[d];
          !extent->isConstantInt(1))
        extents.push_back(extent);
  };
  for (Operation *user : result.getUsers())
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user))
      take(expand.getResult(), expand.getReassociationIndices()[dimension]);
  if (auto collapse = probabilities.getDefiningOp<tensor::CollapseShapeOp>())
    for (auto [d, index] : llvm::enumerate(probabilityIndices))
      if (index == variable)
        take(collapse.getSrc(), collapse.getReassociationIndices()[d]);
  return extents;
}

/// Splits the dimensions of the result into factors.
void AttentionMatcher::makeFactors() {
  for (auto [d, variable] : llvm::enumerate(variables)) {
    SmallVector<Expr, 2> parts;
    if (variable->isVariable()) {
      SmallVector<Expr> extents = getExtentsOfFactors(d, variable);
      Expr size = context.getInt(1);
      for (Expr extent : extents)
        size = context.getMul(size, extent);
      bool inProbabilities = llvm::any_of(probabilityIndices, [&](Expr index) {
        return context.occurs(variable, index);
      });
      if (extents.size() < 2 || !inProbabilities ||
          !context.proveEqual(size, variable->getExtent())) {
        parts.push_back(variable);
      } else {
        Expr index = context.getInt(0);
        for (auto [i, extent] : llvm::enumerate(extents)) {
          parts.push_back(
              context.getIndex(kFirstFactor + 100 * d + i + 1, extent));
          index = context.getAdd(context.getMul(index, extent), parts.back());
        }
        dimensionMap[variable] = index;
      }
    }
    factors.push_back(std::move(parts));
  }
}

/// Splits a dimension that the operands take apart by a division, if no reshape
/// says what its parts are: the remainder is the head. Whether there was one.
bool AttentionMatcher::splitByDivisors() {
  bool changed = false;
  for (auto [d, parts] : llvm::enumerate(factors)) {
    Expr variable = variables[d];
    if (parts.size() != 1 || parts.front() != variable ||
        !getExtentsOfFactors(d, variable).empty())
      continue;
    int64_t heads = 0;
    for (Expr expr :
         {first.query, first.key, first.value, first.softmax.scores})
      anyNode(expr, [&](Expr node) {
        if (node->is(ExprKind::FloorDiv) && node->getOperand(0) == variable)
          if (auto divisor = node->getOperand(1)->getConstantInt())
            heads = std::max(heads, *divisor);
        return false;
      });
    if (heads < 2)
      continue;
    Expr size = context.getInt(heads);
    Expr batches = context.getFloorDiv(variable->getExtent(), size);
    if (batches->isConstantInt(1) ||
        !context.proveEqual(context.getMul(batches, size),
                            variable->getExtent()))
      continue;
    Expr batch = context.getIndex(kFirstFactor + 100 * d + 1, batches);
    Expr head = context.getIndex(kFirstFactor + 100 * d + 2, size);
    parts = {batch, head};
    dimensionMap[variable] = context.getAdd(context.getMul(batch, size), head);
    changed = true;
  }
  return changed;
}

/// Matches softmax and scores with the variables replaced.
LogicalResult AttentionMatcher::view(const ExprMap &map, View &view) {
  auto substitute = [&](ArrayRef<Expr> indices) {
    SmallVector<Expr> replaced;
    for (Expr index : indices)
      replaced.push_back(
          context.substitute(context.substitute(index, dimensionMap), map));
    return replaced;
  };
  Expr element =
      elements.getElement(probabilities, substitute(probabilityIndices));
  auto softmax = matchSoftmax(elements, element, key, reason);
  if (failed(softmax))
    return failure();
  view.softmax = *softmax;
  auto terms = matchScores(elements, softmax->scores, key, exactMasks, reason);
  if (failed(terms))
    return failure();
  view.terms = std::move(*terms);
  if (view.softmax.sink && view.terms.addsConstant)
    return fail("a constant is added to scores beside a sink");
  view.product = *getProductOperands(elements, view.terms.product, key);
  view.query =
      operands.getElement(view.product.query, view.product.queryIndices);
  view.key = operands.getElement(view.product.key, view.product.keyIndices);
  view.value = operands.getElement(values, substitute(valueIndices));
  return success();
}

/// The query is the last index of the probabilities before the key that only
/// the queries depend on; a query dimension of size one has none.
Expr AttentionMatcher::findQuery(ArrayRef<Expr> candidates) const {
  for (auto [d, index] : llvm::enumerate(probabilityIndices))
    if (index == key && d > 0 && probabilityIndices[d - 1]->isConstantInt(0))
      return nullptr;
  for (Expr factor : llvm::reverse(candidates))
    if (!context.occurs(factor, first.key) &&
        !context.occurs(factor, first.value))
      return factor;
  return nullptr;
}

/// The index that stands for `factor` from here on; 0 for none.
Expr AttentionMatcher::makeRole(Expr factor, unsigned position) {
  if (!factor)
    return context.getInt(0);
  Expr role = context.getIndex(position, factor->getExtent());
  assign(factor, role);
  return role;
}

/// Whether key and value have `factor` as it is, not as the head that a group
/// of heads shares.
bool AttentionMatcher::isShared(Expr factor) const {
  auto isPlain = [&](Expr expr) {
    return context.occurs(factor, expr) && !anyNode(expr, [&](Expr node) {
             return (node->is(ExprKind::FloorDiv) || node->is(ExprKind::Mod)) &&
                    context.occurs(factor, node);
           });
  };
  return isPlain(first.key) && isPlain(first.value);
}

/// Whether there are sinks along `factor`: those of heads, not of batches.
bool AttentionMatcher::hasSink(Expr factor) const {
  return first.softmax.sink && context.occurs(factor, first.softmax.sink);
}

/// Keys and values share the batch with the queries; a factor on which they
/// depend otherwise (or not at all) is a head.
LogicalResult AttentionMatcher::assignBatchAndHead(SmallVector<Expr> rest) {
  found.pair.batch = found.pair.head = context.getInt(0);
  if (rest.size() == 1) {
    bool batch = isShared(rest[0]) && rest[0]->getPosition() % 100 == 0 &&
                 factors.size() < 4 && !hasSink(rest[0]);
    (batch ? found.pair.batch : found.pair.head) =
        makeRole(rest[0], batch ? kBatch : kHead);
    return success();
  }
  if (rest.size() > 1 && isShared(rest[0]) && !hasSink(rest[0])) {
    found.pair.batch = makeRole(rest[0], kBatch);
    rest.erase(rest.begin());
  }
  if (rest.size() == 1)
    found.pair.head = makeRole(rest[0], kHead);
  if (rest.size() > 2)
    return fail("the probabilities have more than four dimensions");
  if (rest.size() == 2) {
    Expr size = rest[1]->getExtent();
    found.pair.head =
        context.getIndex(kHead, context.getMul(rest[0]->getExtent(), size));
    assign(rest[0], context.getFloorDiv(found.pair.head, size));
    assign(rest[1], context.getMod(found.pair.head, size));
    found.groupHead = context.getIndex(kGroup, rest[0]->getExtent());
    found.memberHead = context.getIndex(kMember, size);
  }
  return success();
}

/// Decides which factor is batch, head, query and feature of the values. Any
/// choice is right; a good one lets K and V keep their shape.
LogicalResult AttentionMatcher::assignRoles() {
  auto occursInProbabilities = [&](Expr factor) {
    return llvm::any_of(probabilityIndices, [&](Expr index) {
      return context.occurs(factor, context.substitute(index, dimensionMap));
    });
  };
  SmallVector<Expr> rest;
  Expr valueFeature = nullptr;
  for (ArrayRef<Expr> parts : factors)
    for (Expr factor : parts) {
      if (occursInProbabilities(factor)) {
        rest.push_back(factor);
        continue;
      }
      if (valueFeature)
        return fail("the values have more than one feature dimension");
      valueFeature = factor;
    }
  Expr query = findQuery(rest);
  llvm::erase(rest, query);
  found.valueFeature = makeRole(valueFeature, kValueFeature);
  found.pair.query = makeRole(query, kQuery);
  found.pair.key = key;
  found.pair.queries = query ? query->getExtent() : context.getInt(1);
  found.pair.keys = key->getExtent();
  return assignBatchAndHead(std::move(rest));
}

/// Whether a variable other than `variable` occurs in `expr`.
static bool dependsOnMore(Expr expr, Expr variable) {
  return anyNode(expr, [&](Expr node) {
    return node->is(ExprKind::Index) && node != variable;
  });
}

LogicalResult AttentionMatcher::match() {
  if (failed(findSides()))
    return failure();
  makeFactors();
  if (failed(view(ExprMap(), first)))
    return failure();
  if (splitByDivisors() && failed(view(ExprMap(), first)))
    return failure();
  if (failed(assignRoles()))
    return failure();
  View view;
  if (failed(this->view(roles, view)))
    return failure();
  assert(!context.occurs(key, view.query) &&
         (!found.pair.query->isVariable() ||
          (!context.occurs(found.pair.query, view.key) &&
           !context.occurs(found.pair.query, view.value))) &&
         "roles that the operands do not have");
  found.resultFactors.clear();
  for (ArrayRef<Expr> parts : factors) {
    SmallVector<Expr, 2> mapped;
    for (Expr factor : parts) {
      Expr role = roles.lookup(factor);
      if (!role->is(ExprKind::Index))
        role = role->is(ExprKind::Mod) ? found.memberHead : found.groupHead;
      mapped.push_back(role);
    }
    found.resultFactors.push_back(std::move(mapped));
  }
  found.sink = view.softmax.sink;
  if (found.sink && dependsOnMore(found.sink, found.pair.head))
    return fail("the sink depends on more than the head");
  auto policy = decideRowPolicy(context, view.terms, view.softmax, found.pair,
                                exactMasks, reason);
  if (failed(policy))
    return failure();
  found.result = result;
  found.policy = std::move(*policy);
  found.terms = std::move(view.terms);
  found.feature = view.product.feature;
  found.probabilities = probabilities;
  found.queryValue = view.product.query;
  found.keyValue = view.product.key;
  found.valueValue = values;
  found.query = view.query;
  found.key = view.key;
  found.value = view.value;
  return success();
}

FailureOr<AttentionMatch> attn::matchAttention(AttentionAnalyses &analyses,
                                               Value result, bool exactMasks,
                                               Reason &reason) {
  AttentionMatcher matcher(analyses, result, exactMasks, reason);
  if (failed(matcher.match()))
    return failure();
  return std::move(matcher.found);
}
