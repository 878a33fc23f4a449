//===- SymbolicOps.h - Shared by mask and bias ops --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What masks and biases share: canonicalization of offsets and slices, and
/// the check of their data against the sizes that a use brings.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_IR_SYMBOLICOPS_H
#define ATTN_LIB_DIALECT_ATTN_IR_SYMBOLICOPS_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

/// `value` as the fold of `op`; no fold if it is the result of `op` itself.
/// This happens in cycles, which regions without dominance allow, and would be
/// taken for a change in place, again and again.
inline OpFoldResult foldTo(Value value, Operation *op) {
  return value.getDefiningOp() == op ? OpFoldResult() : OpFoldResult(value);
}

/// An offset of zero is none.
template <typename Op> struct DropZeroOffset : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!op.getOffset() || !matchPattern(op.getOffset(), m_Zero()))
      return rewriter.notifyMatchFailure(op,
                                         "the offset is absent, or not zero");
    rewriter.modifyOpInPlace(op, [&] { op.getOffsetMutable().clear(); });
    return success();
  }
};

/// A mask that keeps everything is a window without sides, which reads no data.
template <typename Op> struct FullToWindow : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (op.getConstantKeep() != true)
      return rewriter.notifyMatchFailure(
          op, "the mask is not known to keep everything");
    rewriter.replaceOpWithNewOp<MaskWindowOp>(
        op, op.getMask().getType(), /*offset=*/Value(), /*left=*/IntegerAttr(),
        /*right=*/IntegerAttr());
    return success();
  }
};

/// Whether a slice starts at index zero of everything.
template <typename Op> bool isAtOrigin(Op slice) {
  for (Value offset :
       {slice.getBatch(), slice.getHead(), slice.getQuery(), slice.getKey()})
    if (!matchPattern(offset, m_Zero()))
      return false;
  return true;
}

/// A slice of a slice starts at the sum of both starts:
/// `slice(slice(s, x), y)(p) = slice(s, x)(p + y) = s(p + y + x)`.
template <typename Op> struct MergeSlices : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().template getDefiningOp<Op>();
    if (!inner || inner == op)
      return rewriter.notifyMatchFailure(op, "the source is no other slice");
    PairBuilder builder(rewriter, op.getLoc());
    rewriter.replaceOpWithNewOp<Op>(
        op, inner.getSource(), builder.add(inner.getBatch(), op.getBatch()),
        builder.add(inner.getHead(), op.getHead()),
        builder.add(inner.getQuery(), op.getQuery()),
        builder.add(inner.getKey(), op.getKey()));
    return success();
  }
};

/// The number that `value`, an index or integers, is everywhere, if it is
/// known; nothing for a null value.
std::optional<int64_t> getUniformInteger(Value value);

/// Whether a bias is known to be zero for all pairs.
bool isZeroBias(Value bias);

/// Checks that the region of `op` takes the indices of a pair, and yields what
/// `isYielded` accepts, called `expected` in messages.
LogicalResult verifyPairRegion(Operation *op, Region &region,
                               StringRef expected,
                               llvm::function_ref<bool(Type)> isYielded);

/// Checks that `block`, of the region called `region` in messages, ends by
/// yielding what `isYielded` accepts, called `expected`, and has no side
/// effect.
LogicalResult verifyYield(Operation *op, Block &block, StringRef region,
                          StringRef expected,
                          llvm::function_ref<bool(Type)> isYielded);

/// Checks the operands that the mask or bias `symbolic` (called `name` in
/// messages) is made of against `sizes`, the static or dynamic numbers of
/// batches, heads, queries and keys that `op` brings: each dimension is 1 or
/// covers the size, and all are tensors or all memrefs, as in `op`. The types
/// of masks and biases carry no sizes, so no other op can check this, and data
/// that are too small would be read out of bounds. Behind a slice only the
/// kind of type is checked.
LogicalResult verifySymbolicOperand(Operation *op, StringRef name,
                                    Value symbolic, ArrayRef<int64_t> sizes,
                                    bool onTensors);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_SYMBOLICOPS_H
