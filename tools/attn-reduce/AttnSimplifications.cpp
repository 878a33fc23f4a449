//===- AttnSimplifications.cpp - Simpler attn ops ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An attention has many optional parts, of which mostly one is to blame. So
/// each part is dropped on its own.
///
//===----------------------------------------------------------------------===//

#include "AttnSimplifications.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Parts of an attention
//===----------------------------------------------------------------------===//

/// Drops an optional operand of an attention.
template <auto getMutable> static constexpr Simplification dropOperand() {
  return {[](Operation *op) {
            auto attention = dyn_cast<AttentionOp>(op);
            return attention && !(attention.*getMutable)().empty();
          },
          [](RewriterBase &rewriter, Operation *op) {
            auto attention = cast<AttentionOp>(op);
            rewriter.modifyOpInPlace(
                op, [&] { (attention.*getMutable)().clear(); });
          }};
}

/// Drops an optional attribute of an attention.
template <auto get, auto remove>
static constexpr Simplification dropAttribute() {
  return {[](Operation *op) {
            auto attention = dyn_cast<AttentionOp>(op);
            return attention && (attention.*get)();
          },
          [](RewriterBase &rewriter, Operation *op) {
            auto attention = cast<AttentionOp>(op);
            rewriter.modifyOpInPlace(op, [&] { (attention.*remove)(); });
          }};
}

/// The rotation goes with its two tables.
template <bool ofQuery> static constexpr Simplification dropRotation() {
  return {[](Operation *op) {
            auto attention = dyn_cast<AttentionOp>(op);
            return attention && (ofQuery ? attention.getQueryRotation()
                                         : attention.getKeyRotation())
                                    .has_value();
          },
          [](RewriterBase &rewriter, Operation *op) {
            auto attention = cast<AttentionOp>(op);
            rewriter.modifyOpInPlace(op, [&] {
              if (ofQuery) {
                attention.getQueryCosMutable().clear();
                attention.getQuerySinMutable().clear();
                attention.removeQueryRotationAttr();
              } else {
                attention.getKeyCosMutable().clear();
                attention.getKeySinMutable().clear();
                attention.removeKeyRotationAttr();
              }
            });
          }};
}

static bool hasScoreRegion(Operation *op) {
  auto attention = dyn_cast<AttentionOp>(op);
  return attention && !attention.getScore().empty();
}
static void dropScoreRegion(RewriterBase &rewriter, Operation *op) {
  Region &score = cast<AttentionOp>(op).getScore();
  rewriter.modifyOpInPlace(op, [&] { rewriter.eraseBlock(&score.front()); });
}

static bool hasEmptyRowPolicy(Operation *op) {
  auto attention = dyn_cast<AttentionOp>(op);
  return attention && attention.getEmptyRow() != EmptyRow::Zero;
}
static void dropEmptyRowPolicy(RewriterBase &rewriter, Operation *op) {
  rewriter.modifyOpInPlace(
      op, [&] { cast<AttentionOp>(op).setEmptyRow(EmptyRow::Zero); });
}

static bool hasLseBase(Operation *op) {
  auto attention = dyn_cast<AttentionOp>(op);
  return attention && attention.getLseBase() != LseBase::Natural;
}
static void dropLseBase(RewriterBase &rewriter, Operation *op) {
  rewriter.modifyOpInPlace(
      op, [&] { cast<AttentionOp>(op).setLseBase(LseBase::Natural); });
}

/// The destination of the log-sum-exp stands in for it.
static bool hasLse(Operation *op) {
  auto attention = dyn_cast<AttentionOp>(op);
  return attention && attention.getLseInit() && op->getNumResults() == 2;
}
static void dropLse(RewriterBase &rewriter, Operation *op) {
  auto attention = cast<AttentionOp>(op);
  rewriter.setInsertionPoint(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes().front());
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  state.addRegion();
  Value lse = attention.getLseInit();
  auto shorter = cast<AttentionOp>(rewriter.create(state));
  if (!attention.getScore().empty())
    rewriter.inlineRegionBefore(attention.getScore(), shorter.getScore(),
                                shorter.getScore().end());
  shorter.getInitsMutable().erase(1);
  rewriter.replaceOp(op, {shorter->getResult(0), lse});
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// A causal mask is the simplest one that is not constant.
static bool isOtherMask(Operation *op) {
  return isa<MaskOpInterface>(op) &&
         !(isa<MaskCausalOp>(op) && op->getNumOperands() == 0);
}
static void replaceByCausal(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<MaskCausalOp>(op, /*offset=*/Value());
}

/// What drops the most comes first.
static constexpr Simplification simplifications[] = {
    {isOtherMask, replaceByCausal},
    dropOperand<&AttentionOp::getMaskMutable>(),
    dropOperand<&AttentionOp::getBiasMutable>(),
    dropOperand<&AttentionOp::getSinksMutable>(),
    dropRotation</*ofQuery=*/true>(),
    dropRotation</*ofQuery=*/false>(),
    {hasScoreRegion, dropScoreRegion},
    {hasEmptyRowPolicy, dropEmptyRowPolicy},
    {hasLseBase, dropLseBase},
    dropAttribute<&AttentionOp::getPlanAttr, &AttentionOp::removePlanAttr>(),
    dropAttribute<&AttentionOp::getSoftcapAttr,
                  &AttentionOp::removeSoftcapAttr>(),
    dropAttribute<&AttentionOp::getScaleAttr, &AttentionOp::removeScaleAttr>(),
    dropAttribute<&AttentionOp::getBiasBeforeScaleAttr,
                  &AttentionOp::removeBiasBeforeScaleAttr>(),
    dropAttribute<&AttentionOp::getProbTypeAttr,
                  &AttentionOp::removeProbTypeAttr>(),
    dropAttribute<&AttentionOp::getSoftmaxTypeAttr,
                  &AttentionOp::removeSoftmaxTypeAttr>(),
    {hasLse, dropLse},
};

ArrayRef<Simplification> attn::getAttnSimplifications() {
  return simplifications;
}
