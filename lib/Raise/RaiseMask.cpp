//===- RaiseMask.cpp - Masks from boolean expressions -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes a predicate apart at `and` and `or`. Bounds of the key that move with
/// the query are causal masks and windows, bounds that do not are padding,
/// constants are looked at, and what is left becomes data of the least size.
///
//===----------------------------------------------------------------------===//

#include "attn/Raise/RaiseMask.h"
#include "ExpressionQueries.h"
#include "MaskBand.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Raise/EmitExpression.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::attn;

/// Which of batch, head, query and key occur in `expr`, as bits.
static unsigned getDependence(ExpressionContext &context, Expr expr,
                              const PairVariables &pair) {
  unsigned bits = 0;
  for (auto [d, variable] : llvm::enumerate(pair.all()))
    if (variable->isVariable() && context.occurs(variable, expr))
      bits |= 1u << d;
  return bits;
}

namespace {
enum : unsigned { kBatch = 1, kHead = 2, kQuery = 4, kKey = 8 };
} // namespace

bool attn::isGiven(Expr expr) {
  while (expr->is(ExprKind::ExtF) || expr->is(ExprKind::TruncF) ||
         expr->is(ExprKind::Not) || expr->is(ExprKind::Ne0) ||
         expr->is(ExprKind::Eq0) ||
         ((expr->is(ExprKind::MulF) || expr->is(ExprKind::DivF)) &&
          expr->getOperand(1)->isConstant()))
    expr = expr->getOperand(0);
  return expr->is(ExprKind::Load) && isa<BlockArgument>(expr->getValue());
}

FailureOr<Value> attn::emitPairTensor(ExpressionContext &context, Expr element,
                                      const PairVariables &pair,
                                      OpBuilder &builder, Location loc,
                                      std::string &reason) {
  SmallVector<Expr> variables;
  unsigned dependence = getDependence(context, element, pair);
  for (auto [d, variable] : llvm::enumerate(pair.all()))
    variables.push_back(dependence & (1u << d) ? variable : context.getInt(0));
  if (pair.findTensor)
    if (Value tensor = pair.findTensor(element, variables))
      return tensor;
  return emitTensor(builder, loc, element, variables, /*elements=*/nullptr,
                    &reason);
}

FailureOr<Value> attn::emitOffset(ExpressionContext &context, Expr offset,
                                  const PairVariables &pair, OpBuilder &builder,
                                  Location loc, std::string &reason) {
  if (offset->isConstantInt(0))
    return Value();
  if (pair.batch->isVariable() && context.occurs(pair.batch, offset))
    return emitTensor(builder, loc, offset, {pair.batch}, /*elements=*/nullptr,
                      &reason);
  ExpressionEmitter emitter(builder, loc, &reason);
  return emitter.emit(offset);
}

namespace {

class MaskRaiser {
public:
  MaskRaiser(ExpressionContext &context, const PairVariables &pair,
             OpBuilder &builder, Location loc, std::string &reason)
      : context(context), pair(pair), builder(builder), loc(loc),
        reason(reason) {}

  /// Every step fails only where an expression is not emitted, which sets the
  /// reason.
  FailureOr<Value> raise(Expr keep);

private:
  FailureOr<Value> raiseAnd(ArrayRef<Expr> operands);
  FailureOr<Value> raiseOr(ArrayRef<Expr> operands);
  FailureOr<Value> raiseBound(Expr bound);
  FailureOr<Value> raisePadding(Expr coefficientFree, int64_t coefficient);
  FailureOr<Value> makeBand(std::optional<int64_t> left,
                            std::optional<int64_t> right);
  FailureOr<Value> makeTensor(Expr keep);
  FailureOr<Value> makeGenerate(Expr keep);
  FailureOr<Value> makeOffset(Expr offset) {
    return emitOffset(context, offset, pair, builder, loc, reason);
  }
  Value join(Value a, Value b) {
    if (!a || !b)
      return a ? a : b;
    return MaskAndOp::create(builder, loc, a, b);
  }

  ExpressionContext &context;
  const PairVariables &pair;
  OpBuilder &builder;
  Location loc;
  std::string &reason;
};

} // namespace

/// `-left <= j - i <= right`.
FailureOr<Value> MaskRaiser::makeBand(std::optional<int64_t> left,
                                      std::optional<int64_t> right) {
  // No key is so far away, and windows have no such number.
  constexpr int64_t farthest = PairBuilder::maxPosition / 4;
  if (left && *left > farthest)
    left = std::nullopt;
  if (right && *right > farthest)
    right = std::nullopt;
  if (!left && !right)
    return makeGenerate(context.getBool(true));
  if (left && right && *left + *right < 0)
    return makeGenerate(context.getBool(false));
  // A one-sided bound on the right is causal, whatever its offset; with a
  // bound on the left as well only `j <= i` is.
  Value causal;
  if (right && (!left || *right == 0)) {
    auto offset = makeOffset(context.getInt(*right));
    if (failed(offset))
      return failure();
    causal = MaskCausalOp::create(builder, loc, *offset);
    right = std::nullopt;
  }
  if (!left)
    return causal;
  // Both sides count from i + offset, and neither is negative.
  int64_t offset = 0;
  if (*left < 0)
    offset = -*left;
  else if (right && *right < 0)
    offset = *right;
  auto shift = makeOffset(context.getInt(offset));
  if (failed(shift))
    return failure();
  IntegerAttr rightAttr =
      right ? builder.getI64IntegerAttr(*right - offset) : IntegerAttr();
  Value window = MaskWindowOp::create(builder, loc, *shift,
                                      builder.getI64IntegerAttr(*left + offset),
                                      rightAttr);
  return join(causal, window);
}

/// A bound `coefficient * j + rest >= 0` that depends on nothing else than the
/// batch.
FailureOr<Value> MaskRaiser::raisePadding(Expr rest, int64_t coefficient) {
  // -j + rest >= 0: the first rest + 1 keys. j + rest >= 0: all but the first
  // -rest, so the last keys + rest.
  bool right = coefficient < 0;
  Expr length =
      right ? context.getAdd(rest, 1) : context.getAdd(pair.keys, rest);
  auto lengths = emitTensor(builder, loc, length, {pair.batch},
                            /*elements=*/nullptr, &reason);
  if (failed(lengths))
    return failure();
  Value keys;
  if (!right) {
    ExpressionEmitter emitter(builder, loc, &reason);
    auto count = emitter.emit(pair.keys);
    if (failed(count))
      return failure();
    keys = *count;
  }
  return MaskPaddingOp::create(builder, loc, *lengths, keys,
                               right ? PaddingSide::Right : PaddingSide::Left)
      .getResult();
}

/// One comparison `p >= 0`.
FailureOr<Value> MaskRaiser::raiseBound(Expr bound) {
  auto [query, key, others] = splitByPair(context, bound->getOperand(0), pair);
  unsigned dependence = getDependence(context, others, pair);
  if (dependence & ~kBatch)
    return makeTensor(bound);
  // A single query is query 0.
  if (!pair.query->isVariable() && key == -1 && !(dependence & kBatch))
    query = 1;
  if (query == 0 && (key == 1 || key == -1) && hasLoads(others))
    return raisePadding(others, key);
  if (query == 1 && key == -1) {
    auto offset = makeOffset(others);
    if (failed(offset))
      return failure();
    return MaskCausalOp::create(builder, loc, *offset).getResult();
  }
  if (query == -1 && key == 1) {
    // j >= i - others.
    auto offset = makeOffset(context.getScaled(others, -1));
    if (failed(offset))
      return failure();
    return MaskWindowOp::create(builder, loc, *offset,
                                builder.getI64IntegerAttr(0), IntegerAttr())
        .getResult();
  }
  return makeTensor(bound);
}

/// A region for what is arithmetic on the indices alone.
FailureOr<Value> MaskRaiser::makeGenerate(Expr keep) {
  auto generate = MaskGenerateOp::create(builder, loc);
  Block &block = generate.getBody().emplaceBlock();
  Type index = builder.getIndexType();
  block.addArguments({index, index, index, index}, {loc, loc, loc, loc});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&block);
  ExpressionEmitter emitter(builder, loc, &reason);
  for (auto [variable, argument] :
       llvm::zip_equal(pair.all(), block.getArguments()))
    if (variable->isVariable())
      emitter.define(variable, argument);
  auto value = emitter.emit(keep);
  if (failed(value)) {
    generate.erase();
    return failure();
  }
  YieldOp::create(builder, loc, *value);
  return generate.getResult();
}

/// What is known only as data, or as arithmetic.
FailureOr<Value> MaskRaiser::makeTensor(Expr keep) {
  if (!hasLoads(keep))
    return makeGenerate(keep);
  auto tensor = emitPairTensor(context, keep, pair, builder, loc, reason);
  if (failed(tensor))
    return failure();
  // What is given, or says something of keys or of queries alone, is data.
  bool dense =
      (getDependence(context, keep, pair) & (kQuery | kKey)) == (kQuery | kKey);
  if (pair.explain && dense && !isGiven(keep))
    pair.explain("a part of the mask is kept as a tensor over queries and "
                 "keys: it is neither a band of constants nor a comparison of "
                 "a query, a key and a number of the batch");
  return MaskTensorOp::create(builder, loc, *tensor, MaskPolarity::Keep)
      .getResult();
}

FailureOr<Value> MaskRaiser::raiseAnd(ArrayRef<Expr> operands) {
  Value mask;
  auto add = [&](FailureOr<Value> part) -> LogicalResult {
    if (failed(part))
      return failure();
    mask = join(mask, *part);
    return success();
  };
  // Bounds -left <= j - i <= right with constants belong together.
  std::optional<int64_t> left, right;
  llvm::MapVector<unsigned, SmallVector<Expr>> data;
  SmallVector<Expr> rest;
  for (Expr operand : operands) {
    if (auto band = getBand(context, operand, pair)) {
      if (band->left)
        left = left ? std::min(*left, *band->left) : *band->left;
      if (band->right)
        right = right ? std::min(*right, *band->right) : *band->right;
      continue;
    }
    if (operand->is(ExprKind::Ge0) || operand->is(ExprKind::Or))
      rest.push_back(operand);
    else
      data[getDependence(context, operand, pair)].push_back(operand);
  }
  if ((left || right) && failed(add(makeBand(left, right))))
    return failure();
  for (Expr operand : rest)
    if (failed(add(operand->is(ExprKind::Ge0) ? raiseBound(operand)
                                              : raise(operand))))
      return failure();
  for (auto &[dependence, parts] : data)
    if (failed(add(makeTensor(context.getAnd(parts)))))
      return failure();
  return mask;
}

FailureOr<Value> MaskRaiser::raiseOr(ArrayRef<Expr> operands) {
  // Data that depends on the same indices is one tensor, and arithmetic is one
  // region; only what mixes the two is taken apart.
  Expr whole = context.getOr(operands);
  unsigned dependence = getDependence(context, whole, pair);
  bool keyOrQuery = (dependence & (kQuery | kKey)) != (kQuery | kKey);
  if (!hasLoads(whole) || keyOrQuery)
    return makeTensor(whole);
  SmallVector<Expr> data, others;
  for (Expr operand : operands)
    (hasLoads(operand) ? data : others).push_back(operand);
  Value mask;
  bool keepsAll = false;
  auto add = [&](FailureOr<Value> part) -> LogicalResult {
    if (failed(part))
      return failure();
    keepsAll |= !*part;
    mask = mask && *part
               ? MaskOrOp::create(builder, loc, mask, *part).getResult()
               : *part;
    return success();
  };
  if (!others.empty() && failed(add(raise(context.getOr(others)))))
    return failure();
  llvm::MapVector<unsigned, SmallVector<Expr>> groups;
  for (Expr operand : data)
    groups[getDependence(context, operand, pair)].push_back(operand);
  for (auto &[bits, parts] : groups) {
    auto part = parts.size() == 1 ? raise(parts.front())
                                  : makeTensor(context.getOr(parts));
    if (failed(add(part)))
      return failure();
  }
  return keepsAll ? Value() : mask;
}

FailureOr<Value> MaskRaiser::raise(Expr keep) {
  if (keep->isTrue())
    return Value();
  if (keep->isFalse())
    return makeGenerate(keep);
  if (keep->is(ExprKind::And))
    return raiseAnd(keep->getOperands());
  if (keep->is(ExprKind::Or)) {
    // A disjunction may still be a constant table.
    if (getBand(context, keep, pair))
      return raiseAnd({keep});
    return raiseOr(keep->getOperands());
  }
  return raiseAnd({keep});
}

FailureOr<Value> attn::raiseMask(ExpressionContext &context, Expr keep,
                                 const PairVariables &pair, OpBuilder &builder,
                                 Location loc, std::string &reason) {
  return MaskRaiser(context, pair, builder, loc, reason).raise(keep);
}

bool attn::keepsKeyInEveryRow(ExpressionContext &context, Expr keep,
                              const PairVariables &pair) {
  if (keep->isTrue())
    return true;
  if (auto band = getBand(context, keep, pair))
    return band->everyRow;
  SmallVector<Expr> candidates = {context.getInt(0),
                                  context.getAdd(pair.keys, -1)};
  for (Expr candidate :
       {pair.query,
        context.getAdd(pair.query, context.getSub(pair.keys, pair.queries))})
    if (context.proveNonNegative(candidate) &&
        context.proveLess(candidate, pair.keys))
      candidates.push_back(candidate);
  return llvm::any_of(candidates, [&](Expr candidate) {
    return context.substitute(keep, {{pair.key, candidate}})->isTrue();
  });
}
