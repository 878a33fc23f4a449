//===- MaskFolds.cpp - Folders of the mask ops ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is known of masks at compile time. The canonical forms: a mask that
/// keeps everything is a window without sides; a band around the diagonal is
/// one op; a slice is of something that is not a slice.
///
//===----------------------------------------------------------------------===//

#include "SymbolicOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Constant masks
//===----------------------------------------------------------------------===//

/// The value of a mask that is the same for all pairs. Looks through `not` and
/// `slice`, a bounded number of times, and not into `and` and `or`: these fold
/// away if an operand is constant, and following both of their operands would
/// take exponential time on shared masks.
static std::optional<bool> getConstantKeep(Value mask) {
  bool negate = false;
  for (int step = 0; step < 16; ++step) {
    Operation *op = mask.getDefiningOp();
    if (auto negation = dyn_cast_or_null<MaskNotOp>(op)) {
      negate = !negate;
      mask = negation.getOperand();
      continue;
    }
    if (auto slice = dyn_cast_or_null<MaskSliceOp>(op)) {
      mask = slice.getSource();
      continue;
    }
    auto interface = dyn_cast_or_null<MaskOpInterface>(op);
    if (!interface || isa<MaskAndOp, MaskOrOp>(op))
      return std::nullopt;
    std::optional<bool> keep = interface.getConstantKeep();
    return keep ? std::optional(*keep != negate) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<bool> MaskWindowOp::getConstantKeep() {
  if (!getLeft() && !getRight())
    return true;
  return std::nullopt;
}

std::optional<bool> MaskTensorOp::getConstantKeep() {
  SplatElementsAttr splat;
  if (!matchPattern(getValues(), m_Constant(&splat)))
    return std::nullopt;
  return splat.getSplatValue<bool>() == (getPolarity() == MaskPolarity::Keep);
}

std::optional<bool> MaskAndOp::getConstantKeep() {
  std::optional<bool> lhs = ::getConstantKeep(getLhs());
  std::optional<bool> rhs = ::getConstantKeep(getRhs());
  if (lhs == false || rhs == false)
    return false;
  if (lhs == true && rhs == true)
    return true;
  return std::nullopt;
}

std::optional<bool> MaskOrOp::getConstantKeep() {
  std::optional<bool> lhs = ::getConstantKeep(getLhs());
  std::optional<bool> rhs = ::getConstantKeep(getRhs());
  if (lhs == true || rhs == true)
    return true;
  if (lhs == false && rhs == false)
    return false;
  return std::nullopt;
}

std::optional<bool> MaskNotOp::getConstantKeep() {
  if (std::optional<bool> keep = ::getConstantKeep(getOperand()))
    return !*keep;
  return std::nullopt;
}

std::optional<bool> MaskGenerateOp::getConstantKeep() {
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (std::optional<int64_t> keep = getConstantIntValue(yield.getValue()))
    return *keep != 0;
  return std::nullopt;
}

std::optional<bool> MaskSliceOp::getConstantKeep() {
  return ::getConstantKeep(getSource());
}

//===----------------------------------------------------------------------===//
// Bands
//===----------------------------------------------------------------------===//

namespace {
/// A causal mask or a window: keeps `p - left <= j <= p + right`, where `p = i
/// + offset`; a side that is missing is unbounded. Every band keeps the
/// diagonal `j = p`, because sides are not negative.
struct Band {
  Value offset;
  std::optional<int64_t> left, right;
};
} // namespace

static std::optional<Band> getBand(Value mask) {
  if (auto causal = mask.getDefiningOp<MaskCausalOp>())
    return Band{causal.getOffset(), std::nullopt, 0};
  if (auto window = mask.getDefiningOp<MaskWindowOp>())
    return Band{window.getOffset(), window.getLeft(), window.getRight()};
  return std::nullopt;
}

/// Whether the side `inner` of a band lies within the side `outer`.
static bool isWithin(std::optional<int64_t> inner,
                     std::optional<int64_t> outer) {
  return !outer || (inner && *inner <= *outer);
}

/// Whether `inner` is chunks that are within `outer`: chunks of a multiple of
/// their size that start where some of them do, or a band that is at least as
/// wide as the distance of two of their tokens.
static bool isChunkWithin(Value inner, Value outer) {
  auto chunk = inner.getDefiningOp<MaskChunkOp>();
  if (!chunk)
    return false;
  auto size = static_cast<int64_t>(chunk.getSize());
  if (auto other = outer.getDefiningOp<MaskChunkOp>())
    return chunk.getOffset() == other.getOffset() &&
           chunk.getStart() == other.getStart() &&
           static_cast<int64_t>(other.getSize()) % size == 0;
  std::optional<Band> band = getBand(outer);
  return band && chunk.getOffset() == band->offset &&
         isWithin(size - 1, band->left) && isWithin(size - 1, band->right);
}

/// Whether both are prefixes of known lengths, `outer` being no shorter.
static bool isPrefixWithin(Value inner, Value outer) {
  auto innerOp = inner.getDefiningOp<MaskPrefixOp>();
  auto outerOp = outer.getDefiningOp<MaskPrefixOp>();
  if (!innerOp || !outerOp)
    return false;
  std::optional<int64_t> innerLength = getUniformInteger(innerOp.getLength());
  std::optional<int64_t> outerLength = getUniformInteger(outerOp.getLength());
  return innerLength && outerLength && *innerLength <= *outerLength;
}

/// Whether everything that `inner` keeps, `outer` keeps too.
static bool implies(Value inner, Value outer) {
  if (inner == outer || getConstantKeep(inner) == false ||
      getConstantKeep(outer) == true)
    return true;
  if (isChunkWithin(inner, outer) || isPrefixWithin(inner, outer))
    return true;
  std::optional<Band> innerBand = getBand(inner), outerBand = getBand(outer);
  return innerBand && outerBand && innerBand->offset == outerBand->offset &&
         isWithin(innerBand->left, outerBand->left) &&
         isWithin(innerBand->right, outerBand->right);
}

/// The side of the intersection of two bands: the shorter one.
static std::optional<int64_t> intersectSides(std::optional<int64_t> lhs,
                                             std::optional<int64_t> rhs) {
  return isWithin(lhs, rhs) ? lhs : rhs;
}

/// The side of the union of two bands: the longer one.
static std::optional<int64_t> uniteSides(std::optional<int64_t> lhs,
                                         std::optional<int64_t> rhs) {
  return isWithin(lhs, rhs) ? rhs : lhs;
}

namespace {
/// Two bands around one diagonal are one band. The intersection takes the
/// narrower side each; so does the union the wider one, without a hole, because
/// both bands keep the diagonal.
template <typename Op, auto combineSides>
struct MergeBands : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    std::optional<Band> lhs = getBand(op.getLhs()), rhs = getBand(op.getRhs());
    if (!lhs || !rhs)
      return rewriter.notifyMatchFailure(
          op, "an operand is neither causal nor a window");
    if (lhs->offset != rhs->offset)
      return rewriter.notifyMatchFailure(op, "the offsets differ");
    auto attribute = [&](std::optional<int64_t> side) {
      return side ? rewriter.getI64IntegerAttr(*side) : IntegerAttr();
    };
    rewriter.replaceOpWithNewOp<MaskWindowOp>(
        op, op.getMask().getType(), lhs->offset,
        attribute(combineSides(lhs->left, rhs->left)),
        attribute(combineSides(lhs->right, rhs->right)));
    return success();
  }
};

/// A window that looks back without bound and not ahead is causal.
struct WindowToCausal : OpRewritePattern<MaskWindowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaskWindowOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getLeft() || op.getRight() != 0)
      return rewriter.notifyMatchFailure(
          op, "the window is bounded on the left, or looks ahead");
    rewriter.replaceOpWithNewOp<MaskCausalOp>(op, op.getMask().getType(),
                                              op.getOffset());
    return success();
  }
};

/// A window without sides keeps everything, wherever it is.
struct DropOffsetOfFullWindow : OpRewritePattern<MaskWindowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaskWindowOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getOffset() || op.getConstantKeep() != true)
      return rewriter.notifyMatchFailure(op, "the offset is absent or matters");
    rewriter.modifyOpInPlace(op, [&] { op.getOffsetMutable().clear(); });
    return success();
  }
};

/// Inverting data is reading them with the other polarity.
struct NotOfTensor : OpRewritePattern<MaskNotOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaskNotOp op,
                                PatternRewriter &rewriter) const override {
    auto tensor = op.getOperand().getDefiningOp<MaskTensorOp>();
    if (!tensor)
      return rewriter.notifyMatchFailure(op, "the operand is not data");
    auto polarity = tensor.getPolarity() == MaskPolarity::Keep
                        ? MaskPolarity::Block
                        : MaskPolarity::Keep;
    rewriter.replaceOpWithNewOp<MaskTensorOp>(op, op.getMask().getType(),
                                              tensor.getValues(), polarity);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Folders and canonicalization of each op
//===----------------------------------------------------------------------===//

void MaskCausalOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add<DropZeroOffset<MaskCausalOp>>(context);
}

void MaskWindowOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add<DropZeroOffset<MaskWindowOp>, DropOffsetOfFullWindow,
               WindowToCausal>(context);
}

void MaskTensorOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add<FullToWindow<MaskTensorOp>>(context);
}

OpFoldResult MaskAndOp::fold(FoldAdaptor) {
  if (implies(getRhs(), getLhs()))
    return foldTo(getRhs(), *this);
  if (implies(getLhs(), getRhs()))
    return foldTo(getLhs(), *this);
  return {};
}

void MaskAndOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<MergeBands<MaskAndOp, intersectSides>>(context);
}

OpFoldResult MaskOrOp::fold(FoldAdaptor) {
  if (implies(getLhs(), getRhs()))
    return foldTo(getRhs(), *this);
  if (implies(getRhs(), getLhs()))
    return foldTo(getLhs(), *this);
  return {};
}

void MaskOrOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<MergeBands<MaskOrOp, uniteSides>>(context);
}

OpFoldResult MaskNotOp::fold(FoldAdaptor) {
  if (auto inner = getOperand().getDefiningOp<MaskNotOp>())
    return foldTo(inner.getOperand(), *this);
  return {};
}

void MaskNotOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<NotOfTensor>(context);
}

OpFoldResult MaskSliceOp::fold(FoldAdaptor) {
  // A mask that is the same everywhere looks the same from everywhere.
  if (isAtOrigin(*this) || ::getConstantKeep(getSource()))
    return foldTo(getSource(), *this);
  return {};
}

void MaskSliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<MergeSlices<MaskSliceOp>>(context);
}
