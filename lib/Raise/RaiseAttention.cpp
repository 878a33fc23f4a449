//===- RaiseAttention.cpp - Attention from linalg ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Replaces what was matched as attention. All of a function is matched and
/// emitted before the first value is replaced, because the analysis does not
/// follow changes.
///
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "attn/Raise/EmitExpression.h"
#include "attn/Raise/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>

namespace mlir::attn {
#define GEN_PASS_DEF_RAISEATTENTIONPASS
#include "attn/Raise/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// The default scale for D features, if `scale` is it within the rounding of an
/// f32 constant on either side of the product.
static bool isDefaultScale(double scale, int64_t features) {
  double usual = 1.0 / std::sqrt(static_cast<double>(features));
  return std::fabs(scale - usual) <= usual * 0x1p-21;
}

namespace {

class AttentionRaiser {
public:
  AttentionRaiser(MLIRContext *mlirContext, bool exactMasks)
      : context(mlirContext), analyses(context), exactMasks(exactMasks) {}

  void run(Block &block);

private:
  void visit(Value result);
  void explainOthers(Block &block);
  FailureOr<Value> emit(const AttentionMatch &match, Reason &reason);
  Value castResult(Value value, Type type, OpBuilder &builder);
  void reportMissed(Location loc, StringRef reason);
  void reportPassed(AttentionOp op);

  ExpressionContext context;
  AttentionAnalyses analyses;
  bool exactMasks;
  SmallVector<std::pair<Value, Value>> replacements;
};

struct RaiseAttentionPass
    : attn::impl::RaiseAttentionPassBase<RaiseAttentionPass> {
  using RaiseAttentionPassBase::RaiseAttentionPassBase;

  void runOnOperation() override {
    getOperation()->walk([&](FunctionOpInterface function) {
      for (Block &block : function.getFunctionBody())
        AttentionRaiser(&getContext(), exactMasks).run(block);
    });
  }
};

} // namespace

void AttentionRaiser::reportMissed(Location loc, StringRef reason) {
  remark::missed(
      loc, remark::RemarkOpts::name("RaiseAttention").category("attn-raise"))
      << remark::reason("{0}", reason);
}

void AttentionRaiser::reportPassed(AttentionOp op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "attention";
  if (auto group = op.getStaticGroupSize(); group && *group != 1)
    os << " of " << *group << " query heads per key head";
  if (op.getMask())
    os << ", masked";
  if (op.getBias())
    os << ", biased";
  if (op.getSinks())
    os << ", with sinks";
  if (auto softcap = op.getSoftcap())
    os << ", softcap " << softcap->convertToDouble();
  remark::passed(
      op.getLoc(),
      remark::RemarkOpts::name("RaiseAttention").category("attn-raise"))
      << text;
}

/// `value` with elements converted to `type`.
Value AttentionRaiser::castResult(Value value, Type type, OpBuilder &builder) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == type)
    return value;
  SmallVector<Expr> variables = analyses.elements.getVariables(value);
  Expr element = context.getCast(from.getIntOrFloatBitWidth() >
                                         type.getIntOrFloatBitWidth()
                                     ? ExprKind::TruncF
                                     : ExprKind::ExtF,
                                 context.getLoad(value, variables), type);
  return *emitTensor(builder, value.getLoc(), element, variables,
                     &analyses.elements);
}

/// Whether a bias looks like a mask.
static bool addsLowNumber(Expr bias) {
  bias = stripFloatCasts(bias);
  return bias->is(ExprKind::Select) &&
         llvm::any_of(bias->getOperands().drop_front(), [](Expr arm) {
           auto number = arm->getConstantFloat();
           return number && *number <= -1e3;
         });
}

FailureOr<Value> AttentionRaiser::emit(const AttentionMatch &match,
                                       Reason &reason) {
  Location loc = match.result.getLoc();
  OpBuilder builder(match.result.getDefiningOp());
  PairVariables pair = match.pair;
  pair.findTensor = [&](Expr element, ArrayRef<Expr> variables) {
    return findTensor(analyses.elements, match.probabilities, element,
                      variables, builder, loc);
  };
  pair.explain = [&](const Twine &text) { reportMissed(loc, text.str()); };
  auto mask = raiseMask(context, match.policy.keep, pair, builder, loc, reason);
  if (failed(mask)) {
    reason = "the mask can not be computed: " + reason;
    return failure();
  }
  Value bias;
  size_t numTerms = match.policy.biases.size() - match.policy.numMasksInBiases;
  for (auto [i, term] : llvm::enumerate(match.policy.biases)) {
    if (i == numTerms) {
      pair.explain("a mask is kept as numbers that are added: what a row "
                   "without keys gives depends on them");
      pair.explain = nullptr;
    }
    if (pair.explain && addsLowNumber(term)) {
      pair.explain("a mask adds a number that does not remove a pair: it is "
                   "kept as a bias");
      pair.explain = nullptr;
    }
    // The op has no log-sum-exp.
    auto next = raiseBias(context, term, pair, /*upToRowConstant=*/!match.sink,
                          builder, loc, reason);
    if (failed(next)) {
      reason = "the bias can not be computed: " + reason;
      return failure();
    }
    bias =
        bias ? BiasAddOp::create(builder, loc, bias, *next).getResult() : *next;
  }
  auto operands = makeOperands(analyses.operands, match, builder, reason);
  if (failed(operands))
    return failure();
  FailureOr<Value> sinks = Value();
  if (match.sink) {
    sinks = emitTensor(builder, loc, match.sink, {pair.head},
                       &analyses.elements, &reason);
    if (failed(sinks))
      return failure();
  }

  SmallVector<OpFoldResult> sizes;
  for (int64_t d = 0; d < 3; ++d)
    sizes.push_back(tensor::getMixedSize(builder, loc, operands->query, d));
  sizes.push_back(tensor::getMixedSize(builder, loc, operands->value, 3));
  auto queryType = cast<RankedTensorType>(operands->query.getType());
  Value init =
      tensor::EmptyOp::create(builder, loc, sizes, queryType.getElementType());
  std::optional<double> scale = operands->scale;
  int64_t features = queryType.getDimSize(3);
  if (features != ShapedType::kDynamic && isDefaultScale(*scale, features))
    scale = std::nullopt;
  std::optional<double> softcap = match.terms.softcap;
  auto op = AttentionOp::create(builder, loc, operands->query, operands->key,
                                operands->value, bias, *mask, init, scale,
                                softcap, match.policy.emptyRow);
  if (*sinks)
    op.getSinksMutable().assign(*sinks);
  if (Type type = match.policy.softmaxType)
    op.setSoftmaxType(type);
  reportPassed(op);
  Value restored =
      castResult(restoreResult(match, op.getResult(0), builder, loc),
                 getElementTypeOrSelf(match.result.getType()), builder);
  if (restored.getType() != match.result.getType())
    restored =
        tensor::CastOp::create(builder, loc, match.result.getType(), restored);
  return restored;
}

void AttentionRaiser::visit(Value result) {
  Reason reason;
  auto match = matchAttention(analyses, result, exactMasks, reason);
  if (failed(match)) {
    if (!reason.empty())
      reportMissed(result.getLoc(), reason);
    return;
  }
  auto replacement = emit(*match, reason);
  if (failed(replacement))
    reportMissed(result.getLoc(), reason);
  else
    replacements.push_back({result, *replacement});
}

/// Whether a body sums products.
static bool sumsProducts(linalg::LinalgOp op) {
  bool product = false, sum = false;
  for (Operation &inner : *op.getBlock()) {
    product |= isa<arith::MulFOp>(inner);
    sum |= isa<arith::AddFOp>(inner);
  }
  return product && sum && op.getNumReductionLoops() != 0;
}

/// Values may be summed by an operation that is no contraction.
void AttentionRaiser::explainOthers(Block &block) {
  for (auto op : block.getOps<linalg::LinalgOp>())
    if (op.hasPureTensorSemantics() && sumsProducts(op) &&
        !linalg::isaContractionOpInterface(op) &&
        llvm::any_of(op->getOperands(), [&](Value operand) {
          return isa<RankedTensorType>(operand.getType()) &&
                 looksLikeSoftmax(analyses.elements.getElement(
                     operand, analyses.elements.getVariables(operand)));
        }))
      reportMissed(op.getLoc(), "products with a softmax are summed by an "
                                "operation that is no contraction");
}

void AttentionRaiser::run(Block &block) {
  SmallVector<Value> results;
  for (auto op : block.getOps<linalg::LinalgOp>())
    if (op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
        linalg::isaContractionOpInterface(op))
      results.push_back(op->getResult(0));
  for (Value result : results)
    visit(result);
  explainOthers(block);
  for (auto [from, to] : replacements)
    from.replaceAllUsesWith(to);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}
