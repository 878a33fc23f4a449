//===- ReductionPatterns.cpp - Simpler attn ops -----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The reducer applies all patterns to an op before it asks whether the program
/// still is interesting. An attention has many optional parts, of which mostly
/// one is to blame. So each part is dropped from a copy of the program first,
/// and from the program itself if the copy is interesting.
///
//===----------------------------------------------------------------------===//

#include "ReductionPatterns.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Reducer/ReductionPatternInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// One way to make an op simpler.
struct Simplification {
  /// Whether the op has what is dropped.
  bool (*applies)(Operation *op);
  /// Drops it. Values that become unused may stay.
  void (*apply)(RewriterBase &rewriter, Operation *op);
};
} // namespace

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
// Whole ops
//===----------------------------------------------------------------------===//

/// Whether an operand of a mask or bias can stand in for it.
template <unsigned number> static constexpr Simplification takeOperand() {
  return {[](Operation *op) {
            return isa<SymbolicOpInterface>(op) &&
                   op->getNumOperands() > number &&
                   op->getOperand(number).getType() ==
                       op->getResult(0).getType();
          },
          [](RewriterBase &rewriter, Operation *op) {
            rewriter.replaceOp(op, op->getOperand(number));
          }};
}

/// A causal mask is the simplest one that is not constant.
static bool isOtherMask(Operation *op) {
  return isa<MaskOpInterface>(op) &&
         !(isa<MaskCausalOp>(op) && op->getNumOperands() == 0);
}
static void replaceByCausal(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<MaskCausalOp>(op, /*offset=*/Value());
}

/// Whether an op writes destinations that can stand in for its results.
static bool hasDestinations(Operation *op) {
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  return destination && isa<AttnDialect>(op->getDialect()) &&
         op->getNumResults() != 0 &&
         llvm::equal(op->getResultTypes(),
                     ValueRange(destination.getDpsInits()).getTypes());
}
static void takeDestinations(RewriterBase &rewriter, Operation *op) {
  SmallVector<Value> inits(cast<DestinationStyleOpInterface>(op).getDpsInits());
  rewriter.replaceOp(op, inits);
}

/// In the order in which they are tried: what drops the most comes first, what
/// makes a new op last, because the reducer does not come back to that.
static constexpr Simplification simplifications[] = {
    {hasDestinations, takeDestinations},
    takeOperand<0>(),
    takeOperand<1>(),
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

//===----------------------------------------------------------------------===//
// Trying
//===----------------------------------------------------------------------===//

/// The ops that make the masks and biases of `op`. The reducer keeps a list of
/// the ops of a block that it goes through, so none behind `op` is named.
static SetVector<Operation *> getProducers(Operation *op) {
  SetVector<Operation *> producers;
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty())
    for (Value operand : worklist.pop_back_val()->getOperands()) {
      auto producer = operand.getDefiningOp<SymbolicOpInterface>();
      bool isBehind = producer && producer->getBlock() == op->getBlock() &&
                      !producer->isBeforeInBlock(op);
      if (producer && !isBehind && producers.insert(producer))
        worklist.push_back(producer);
    }
  return producers;
}

/// Makes the change, and erases the masks and biases that it leaves unused.
static void change(RewriterBase &rewriter, Operation *op,
                   void (*simplify)(RewriterBase &, Operation *)) {
  SetVector<Operation *> producers = getProducers(op);
  simplify(rewriter, op);
  auto isUnused = [](Operation *producer) { return producer->use_empty(); };
  while (true) {
    auto *unused = llvm::find_if(producers, isUnused);
    if (unused == producers.end())
      return;
    Operation *producer = *unused;
    producers.erase(unused);
    rewriter.eraseOp(producer);
  }
}

namespace {
/// Makes the first change after which the program still is interesting.
struct SimplifyAttnOp : RewritePattern {
  SimplifyAttnOp(MLIRContext *context, Tester &tester)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context),
        tester(tester) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    for (const Simplification &simplification : simplifications)
      if (simplification.applies(op) &&
          succeeded(tryChange(rewriter, op, simplification.apply)))
        return success();
    return rewriter.notifyMatchFailure(
        op, "no simpler form of it is valid and interesting");
  }

private:
  LogicalResult tryChange(RewriterBase &rewriter, Operation *op,
                          void (*simplify)(RewriterBase &, Operation *)) const {
    auto module = op->getParentOfType<ModuleOp>();
    IRMapping mapping;
    OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone(mapping)));
    Operation *copied = mapping.lookup(op);
    IRRewriter onCopy(op->getContext());
    change(onCopy, copied, simplify);
    if (!isInteresting(*copy))
      return failure();
    change(rewriter, op, simplify);
    return success();
  }

  bool isInteresting(ModuleOp module) const {
    // What is not valid says so; here it only is a way that leads nowhere.
    ScopedDiagnosticHandler silence(module.getContext(),
                                    [](Diagnostic &) { return success(); });
    return succeeded(verify(module)) &&
           tester.isInteresting(module).first == Tester::Interestingness::True;
  }

  Tester &tester;
};

struct ReductionInterface : DialectReductionPatternInterface {
  ReductionInterface(Dialect *dialect)
      : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &) const override {}

  void populateReductionPatternsWithTester(RewritePatternSet &patterns,
                                           Tester &tester) const override {
    patterns.add<SimplifyAttnOp>(patterns.getContext(), tester);
  }
};
} // namespace

void attn::registerReductionPatterns(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, AttnDialect *dialect) {
    dialect->addInterfaces<ReductionInterface>();
  });
}
