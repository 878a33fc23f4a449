//===- LowerToLinalg.cpp - Attn ops to linalg -------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pass, and the lowering of attn.materialize; the other ops have files of
/// their own.
///
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"
#include "attn/Conversion/AttnToLinalg/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_LOWERTOLINALGPASS
#include "attn/Conversion/AttnToLinalg/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
struct LowerMaterialize : OpRewritePattern<MaterializeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaterializeOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Value source = op.getSource(), init = op.getInits()[0];
    if (!isKnownMaskOrBias(source))
      return rewriter.notifyMatchFailure(
          op, "the mask or bias is not made by ops that can emit it");
    auto generic = createParallelGeneric(
        rewriter, op.getLoc(), /*inputs=*/{}, /*inputMaps=*/{}, init,
        [&](PairBuilder &body, ValueRange) -> SmallVector<Value> {
          return {emitPair(body, source, getElementTypeOrSelf(init.getType()),
                           getComputeType(init))};
        });
    rewriter.replaceOp(op, generic.getResults());
    return success();
  }

private:
  static Value emitPair(PairBuilder &body, Value source, Type type,
                        FloatType computeType) {
    auto index = [&](int64_t loop) -> Value {
      return linalg::IndexOp::create(body.getBuilder(), body.getLoc(), loop);
    };
    PairIndices indices{index(0), index(1), index(2), index(3)};
    if (auto mask = source.getDefiningOp<MaskOpInterface>())
      return mask.emitKeep(body, indices);
    auto bias = source.getDefiningOp<BiasOpInterface>();
    return body.castFloat(bias.emitBias(body, indices, computeType),
                          cast<FloatType>(type));
  }
};

struct LowerToLinalgPass
    : attn::impl::LowerToLinalgPassBase<LowerToLinalgPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet learned(context), all(context);
    populateLowerLearnedPositionPatterns(learned);
    populateLowerToLinalgPatterns(all);
    learnedPatterns = std::move(learned);
    allPatterns = std::move(all);
    return success();
  }

  void runOnOperation() override {
    WalkResult known = getOperation()->walk([](MaterializeOp op) {
      return WalkResult(verifyKnownMaskOrBias(op, "source", op.getSource()));
    });
    if (known.wasInterrupted())
      return signalPassFailure();
    // While `attn.positions` is there to tell the range of positions.
    walkAndApplyPatterns(getOperation(), learnedPatterns);
    walkAndApplyPatterns(getOperation(), allPatterns);
    eraseUnusedMasks(getOperation());
  }

private:
  FrozenRewritePatternSet learnedPatterns, allPatterns;
};
} // namespace

void attn::populateLowerMaterializePatterns(RewritePatternSet &patterns) {
  patterns.add<LowerMaterialize>(patterns.getContext());
}

void attn::populateLowerToLinalgPatterns(RewritePatternSet &patterns) {
  populateLowerDecodingPatterns(patterns);
  populateLowerLearnedPositionPatterns(patterns);
  populateLowerLossPatterns(patterns);
  populateLowerMaterializePatterns(patterns);
  populateLowerPositionsPatterns(patterns);
  populateLowerRotaryPatterns(patterns);
  populateLowerRotaryTablePatterns(patterns);
}
