//===- Fuse.cpp - Fold rotations into attention -----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A rotation becomes part of an attention only where nothing else needs the
/// rotated tensor, see the description of the pass.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_FUSEPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Why the rotation of an operand cannot be folded into its attention, or an
/// empty string.
static StringRef whyNotFoldable(RotaryOp rotary) {
  if (!rotary->hasOneUse())
    return "the rotated tensor has other users";
  if (rotary.getOutputLayout() != rotary.getLayout())
    return "the rotation changes the layout of pairs";
  return "";
}

namespace {

/// Folds the rotation of the query or of the key.
struct FoldRotation : OpRewritePattern<AttentionOp> {
  FoldRotation(MLIRContext *context, bool ofQuery)
      : OpRewritePattern(context), ofQuery(ofQuery) {}

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    Value operand = ofQuery ? op.getQuery() : op.getKey();
    auto rotary = operand.getDefiningOp<RotaryOp>();
    if (!rotary)
      return rewriter.notifyMatchFailure(op, "the operand is not rotated");
    if (ofQuery ? op.getQueryRotation() : op.getKeyRotation())
      return rewriter.notifyMatchFailure(op, "a rotation is folded already");
    if (StringRef reason = whyNotFoldable(rotary); !reason.empty()) {
      remark::missed(
          op.getLoc(),
          remark::RemarkOpts::name("FoldRotation").category("attn-fuse"))
          << remark::reason("{0}", reason.str());
      return rewriter.notifyMatchFailure(op, reason);
    }
    auto rotation = RotationAttr::get(getContext(), rotary.getLayout(),
                                      rotary.getFirst(), rotary.getInverse());
    rewriter.modifyOpInPlace(op, [&] {
      if (ofQuery) {
        op.getQueryMutable().assign(rotary.getInput());
        op.getQueryCosMutable().assign(rotary.getCos());
        op.getQuerySinMutable().assign(rotary.getSin());
        op.setQueryRotationAttr(rotation);
      } else {
        op.getKeyMutable().assign(rotary.getInput());
        op.getKeyCosMutable().assign(rotary.getCos());
        op.getKeySinMutable().assign(rotary.getSin());
        op.setKeyRotationAttr(rotation);
      }
    });
    rewriter.eraseOp(rotary);
    remark::passed(
        op.getLoc(),
        remark::RemarkOpts::name("FoldRotation").category("attn-fuse"))
        << "folded the rotation of the " << (ofQuery ? "query" : "key");
    return success();
  }

  bool ofQuery;
};

/// Lets the rotations of query and key keep the layout that they read. If both
/// write another one, they permute the head dimension alike, which no product
/// of a query and a key can see, and only then they can be folded.
struct KeepLayout : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    auto query = op.getQuery().getDefiningOp<RotaryOp>();
    auto key = op.getKey().getDefiningOp<RotaryOp>();
    if (!query || !key)
      return rewriter.notifyMatchFailure(op, "query or key is not rotated");
    if (op.getQueryRotation() || op.getKeyRotation())
      return rewriter.notifyMatchFailure(op, "a rotation is folded already");
    if (query.getOutputLayout() == query.getLayout())
      return rewriter.notifyMatchFailure(op, "the layout of pairs stays");
    if (!query->hasOneUse() || !key->hasOneUse())
      return rewriter.notifyMatchFailure(op, "a rotated tensor has other "
                                             "users");
    int64_t pairs = cast<ShapedType>(query.getCos().getType()).getDimSize(2);
    if (ShapedType::isDynamic(pairs) ||
        pairs != cast<ShapedType>(key.getCos().getType()).getDimSize(2) ||
        query.getFirst() != key.getFirst())
      return rewriter.notifyMatchFailure(op, "the ranges may differ");
    if (query.getLayout() != key.getLayout() ||
        query.getOutputLayout() != key.getOutputLayout())
      return rewriter.notifyMatchFailure(op, "the layouts differ");
    for (RotaryOp rotary : {query, key})
      rewriter.modifyOpInPlace(rotary, [&] { rotary.removeLayoutOutAttr(); });
    return success();
  }
};

struct FusePass : attn::impl::FusePassBase<FusePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateFusePatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void attn::populateFusePatterns(RewritePatternSet &patterns) {
  // First, or rotations would be reported that can be folded.
  patterns.add<KeepLayout>(patterns.getContext(), /*benefit=*/2);
  patterns.add<FoldRotation>(patterns.getContext(), /*ofQuery=*/true);
  patterns.add<FoldRotation>(patterns.getContext(), /*ofQuery=*/false);
}
