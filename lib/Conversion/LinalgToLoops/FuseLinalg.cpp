//===- FuseLinalg.cpp - Fewer passes over memory ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fuses elementwise chains into their consumers and copies (transposes and
/// broadcasts) into contractions. Contractions themselves stay whole, their
/// micro-kernel needs them plain.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_FUSELINALGPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// The vectoriser compares every pair of buffers of a loop that might overlap,
/// and gives up beyond a handful.
static constexpr unsigned kMaxFusedInputs = 8;

/// True if evaluating the body again costs more than loading its result.
static bool isExpensive(linalg::GenericOp op) {
  return llvm::any_of(op.getBody()->without_terminator(), [](Operation &inner) {
    return isa<math::MathDialect>(inner.getDialect()) ||
           isa<arith::DivFOp, arith::DivSIOp, arith::RemSIOp,
               tensor::ExtractOp>(inner);
  });
}

/// Decides whether the producer of `operand` is fused into its user.
static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer || linalg::isaContractionOpInterface(consumer))
    return false;
  // A user that reads the producer twice would get its body twice, and its own
  // users four times. Operands that are read alike are made one before.
  if (!producer->hasOneUse())
    return false;
  unsigned inputs = producer.getNumDpsInputs() + consumer.getNumDpsInputs() - 1;
  if (inputs > kMaxFusedInputs)
    return false;
  // Where the consumer repeats an element, so would it repeat the computation.
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  bool repeats = map.getNumResults() < consumer.getNumLoops();
  return !repeats || !isExpensive(producer);
}

/// Whether the type of a tensor, or the op that makes it, tells that it has no
/// elements.
static bool isKnownEmpty(Value tensor) {
  if (llvm::is_contained(cast<ShapedType>(tensor.getType()).getShape(), 0))
    return true;
  auto empty = tensor.getDefiningOp<tensor::EmptyOp>();
  return empty && llvm::any_of(empty.getMixedSizes(), [](OpFoldResult size) {
           return isConstantIntValue(size, 0);
         });
}

/// The dynamic sizes of the result of `op`.
static FailureOr<SmallVector<Value>> getDynamicSizes(OpBuilder &b,
                                                     Operation *op) {
  ReifiedRankedShapedTypeDims sizes;
  if (failed(reifyResultShapes(b, op, sizes)))
    return failure();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Value> dynamic;
  for (auto [dimension, size] : llvm::enumerate(sizes[0]))
    if (type.isDynamicDim(dimension))
      dynamic.push_back(getValueOrCreateConstantIndexOp(b, op->getLoc(), size));
  return dynamic;
}

namespace {

/// linalg named ops to linalg.generic, but for those with lowerings of their
/// own.
struct GeneralizeForFusion : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::FillOp>(op) || linalg::isaContractionOpInterface(op) ||
        linalg::isaConvolutionOpInterface(op))
      return rewriter.notifyMatchFailure(op, "has a lowering of its own");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// linalg.softmax to the reductions and elementwise ops that it stands for.
struct DecomposeSoftmax : OpRewritePattern<linalg::SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "expects tensors");
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return rewriter.notifyMatchFailure(op, "cannot be decomposed");
    rewriter.replaceOp(op, *results);
    return success();
  }
};

/// A tensor.pad of nothing to what it fills its result with. Its bufferization
/// would take a slice of no elements, which may begin at the end of a dimension
/// and is invalid there.
struct ReplaceEmptyPad : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    if (!isKnownEmpty(op.getSource()))
      return rewriter.notifyMatchFailure(op, "expects a source of no elements");
    FailureOr<SmallVector<Value>> sizes = getDynamicSizes(rewriter, op);
    if (failed(sizes))
      return rewriter.notifyMatchFailure(op, "has no known sizes");
    auto generate = tensor::GenerateOp::create(rewriter, op.getLoc(),
                                               op.getResultType(), *sizes);
    rewriter.inlineRegionBefore(op.getRegion(), generate.getBody(),
                                generate.getBody().end());
    rewriter.replaceOp(op, generate.getResult());
    return success();
  }
};

/// A tensor.collapse_shape of nothing to a new tensor. Of `?x0` it makes `?`,
/// where its form on memrefs would be 0, and is not valid then.
struct ReplaceEmptyCollapse : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    if (!isKnownEmpty(op.getSrc()))
      return rewriter.notifyMatchFailure(op, "expects a source of no elements");
    FailureOr<SmallVector<Value>> sizes = getDynamicSizes(rewriter, op);
    if (failed(sizes))
      return rewriter.notifyMatchFailure(op, "has no known sizes");
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, op.getResultType(),
                                                 *sizes);
    return success();
  }
};

/// contraction(copy(x)) -> contraction(x) with another indexing map, where the
/// copy only permutes or repeats elements.
struct FoldCopyIntoContraction : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!linalg::isaContractionOpInterface(op) || !op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "is no contraction of tensors");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> operands = op->getOperands();
    bool changed = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto copy = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!copy || !isCopy(copy))
        continue;
      AffineMap &map = maps[operand->getOperandNumber()];
      AffineMap inner = copy.getMatchingIndexingMap(copy.getDpsInputOperand(0));
      AffineMap outer = copy.getMatchingIndexingMap(copy.getDpsInitOperand(0));
      map = inner.compose(inversePermutation(outer)).compose(map);
      operands[operand->getOperandNumber()] = copy.getDpsInputs()[0];
      changed = true;
    }
    if (!changed)
      return rewriter.notifyMatchFailure(op, "no input is a copy");
    // Each loop still needs an operand that gives its size.
    if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
      return rewriter.notifyMatchFailure(op, "a loop would have no bound");
    int64_t numInputs = op.getNumDpsInputs();
    auto generic =
        linalg::GenericOp::create(rewriter, op.getLoc(), op->getResultTypes(),
                                  ArrayRef(operands).take_front(numInputs),
                                  ArrayRef(operands).drop_front(numInputs),
                                  maps, op.getIteratorTypesArray());
    rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                               generic.getRegion().begin());
    rewriter.replaceOp(op, generic.getResults());
    return success();
  }

private:
  static bool isCopy(linalg::GenericOp op) {
    if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
        op.getNumLoops() != op.getNumParallelLoops())
      return false;
    auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
    AffineMap inner = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
    AffineMap outer = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    return yield.getOperand(0) == op.getBody()->getArgument(0) &&
           inner.isProjectedPermutation() && outer.isPermutation();
  }
};

struct FuseLinalgPass : attn::impl::FuseLinalgPassBase<FuseLinalgPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    attn::populateFuseLinalgPatterns(patterns);
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal();
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace

void attn::populateFuseLinalgPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<DecomposeSoftmax, GeneralizeForFusion, ReplaceEmptyPad,
               ReplaceEmptyCollapse, FoldCopyIntoContraction>(context);
  linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  populateMathAlgebraicSimplificationPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  context->getLoadedDialect<linalg::LinalgDialect>()
      ->getCanonicalizationPatterns(patterns);
}
