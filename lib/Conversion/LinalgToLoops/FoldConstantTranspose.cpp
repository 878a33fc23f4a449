//===- FoldConstantTranspose.cpp - Transpose weights at once ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates linalg.transpose of a constant at compile time. Upstream folds do
/// so for small inline constants only; weights are resources.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_FOLDCONSTANTTRANSPOSEPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Writes `from`, a row-major array of `shape`, to `to` with its dimensions
/// permuted: dimension d of the result is dimension permutation[d] of `from`.
static void permute(ArrayRef<char> from, MutableArrayRef<char> to,
                    ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation,
                    int64_t elementBytes) {
  int64_t rank = shape.size();
  SmallVector<int64_t> strides(rank, elementBytes), resultShape(rank);
  for (int64_t dim = rank - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  for (int64_t dim = 0; dim < rank; ++dim)
    resultShape[dim] = shape[permutation[dim]];

  SmallVector<int64_t> position(rank, 0);
  int64_t source = 0;
  for (size_t target = 0; target < to.size(); target += elementBytes) {
    std::copy_n(from.begin() + source, elementBytes, to.begin() + target);
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      source += strides[permutation[dim]];
      if (++position[dim] < resultShape[dim])
        break;
      source -= resultShape[dim] * strides[permutation[dim]];
      position[dim] = 0;
    }
  }
}

namespace {
struct FoldTranspose : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    ElementsAttr source;
    if (!matchPattern(op.getInput(), m_Constant(&source)))
      return rewriter.notifyMatchFailure(op, "input is not a constant");
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !type.hasStaticShape() ||
        !type.getElementType().isIntOrFloat() ||
        type.getElementTypeBitWidth() % 8 != 0)
      return rewriter.notifyMatchFailure(
          op, "expects static shape and elements of whole bytes");

    ElementsAttr result;
    if (auto dense = dyn_cast<DenseElementsAttr>(source))
      result = transpose(op, type, dense);
    else if (auto resource = dyn_cast<DenseResourceElementsAttr>(source))
      result = transpose(op, type, resource);
    if (!result)
      return rewriter.notifyMatchFailure(op,
                                         "data of the constant not at hand");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, result);
    return success();
  }

private:
  static bool permuteInto(linalg::TransposeOp op, RankedTensorType type,
                          ArrayRef<char> data, MutableArrayRef<char> result) {
    int64_t elementBytes = type.getElementTypeBitWidth() / 8;
    if (static_cast<int64_t>(data.size()) !=
        type.getNumElements() * elementBytes)
      return false;
    auto sourceType = cast<ShapedType>(op.getInput().getType());
    permute(data, result, sourceType.getShape(), op.getPermutation(),
            elementBytes);
    return true;
  }

  static ElementsAttr transpose(linalg::TransposeOp op, RankedTensorType type,
                                DenseElementsAttr source) {
    if (source.isSplat())
      return source.resizeSplat(type);
    SmallVector<char> data(source.getRawData().size());
    if (!permuteInto(op, type, source.getRawData(), data))
      return {};
    return DenseElementsAttr::getFromRawBuffer(type, data);
  }

  static ElementsAttr transpose(linalg::TransposeOp op, RankedTensorType type,
                                DenseResourceElementsAttr source) {
    AsmResourceBlob *blob = source.getRawHandle().getBlob();
    if (!blob)
      return {};
    AsmResourceBlob result = HeapAsmResourceBlob::allocate(
        blob->getData().size(), blob->getDataAlignment(),
        /*dataIsMutable=*/true);
    if (!permuteInto(op, type, blob->getData(), result.getMutableData()))
      return {};
    std::string name = (source.getRawHandle().getKey() + "_transposed").str();
    return DenseResourceElementsAttr::get(type, name, std::move(result));
  }
};

struct FoldConstantTransposePass
    : attn::impl::FoldConstantTransposePassBase<FoldConstantTransposePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    attn::populateFoldConstantTransposePatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void attn::populateFoldConstantTransposePatterns(RewritePatternSet &patterns) {
  patterns.add<FoldTranspose>(patterns.getContext());
}
