//===- Simplify.cpp - Algebra of rotations and empty rows -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rewrites that need a proof; those that do not are folds and
/// canonicalizations of the ops.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_SIMPLIFYPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

/// R(-a) R(a) = I: a rotation undone by its inverse, over the same tables, the
/// same range, and the layout that the first one wrote.
struct CancelRotations : OpRewritePattern<RotaryOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RotaryOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<RotaryOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the input is not rotated");
    if (inner.getInverse() == op.getInverse())
      return rewriter.notifyMatchFailure(op, "neither undoes the other");
    if (inner.getCos() != op.getCos() || inner.getSin() != op.getSin() ||
        inner.getFirst() != op.getFirst())
      return rewriter.notifyMatchFailure(op, "the rotations differ in tables "
                                             "or range");
    if (inner.getOutputLayout() != op.getLayout() ||
        op.getOutputLayout() != inner.getLayout())
      return rewriter.notifyMatchFailure(op, "the pairs end in another layout");
    // A table with a magnitude m scales by m * m; only a table that is known to
    // have none is orthogonal.
    auto table = op.getCos().getDefiningOp<RotaryTableOp>();
    if (!table || table != op.getSin().getDefiningOp<RotaryTableOp>() ||
        op.getCos() != table.getResult(0) || op.getSin() != table.getResult(1))
      return rewriter.notifyMatchFailure(op, "the tables are not known to be "
                                             "cosines and sines");
    if (!table.getMagnitude().isExactlyValue(1.0))
      return rewriter.notifyMatchFailure(op, "the tables carry a magnitude");
    rewriter.replaceOp(op, inner.getInput());
    return success();
  }
};

/// Drops the empty-row policy where no row is empty.
struct DropEmptyRowPolicy : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getEmptyRow() == EmptyRow::Zero)
      return rewriter.notifyMatchFailure(op, "the policy is the default");
    // No row is empty beside a sink.
    if (op.getSinks()) {
      rewriter.modifyOpInPlace(op, [&] { op.setEmptyRow(EmptyRow::Zero); });
      return success();
    }
    // A bias may remove pairs by -inf. Neither it nor a score region is looked
    // into.
    if (op.getBias() || !op.getScore().empty())
      return rewriter.notifyMatchFailure(op,
                                         "there is a bias or a score region");
    int64_t keys = cast<ShapedType>(op.getKey().getType()).getDimSize(2);
    if (ShapedType::isDynamic(keys) || keys == 0)
      return rewriter.notifyMatchFailure(op, "there may be no keys");
    if (op.getMask()) {
      auto causal = op.getMask().getDefiningOp<MaskCausalOp>();
      if (!causal || causal.getOffset())
        return rewriter.notifyMatchFailure(op, "the mask may empty a row");
    }
    rewriter.modifyOpInPlace(op, [&] { op.setEmptyRow(EmptyRow::Zero); });
    return success();
  }
};

struct SimplifyPass : attn::impl::SimplifyPassBase<SimplifyPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateSimplifyPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void attn::populateSimplifyPatterns(RewritePatternSet &patterns) {
  patterns.add<CancelRotations, DropEmptyRowPolicy>(patterns.getContext());
}
