//===- LowerExpandShape.cpp - Expansions to dynamic sizes -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rewrites memref.expand_shape with several dynamic sizes in one group, which
/// upstream's expansion of strided metadata takes for impossible.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::attn {
#define GEN_PASS_DEF_LOWEREXPANDSHAPEPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

static bool hasSeveralDynamicSizes(memref::ExpandShapeOp op) {
  MemRefType type = op.getResultType();
  return llvm::any_of(op.getReassociationIndices(),
                      [&](const ReassociationIndices &group) {
                        return llvm::count_if(group, [&](int64_t dimension) {
                                 return type.isDynamicDim(dimension);
                               }) > 1;
                      });
}

/// The strides of the result: dynamic ones are products of sizes with the
/// stride of the dimension that was expanded.
static SmallVector<OpFoldResult> getStrides(OpBuilder &builder, Location loc,
                                            memref::ExpandShapeOp op,
                                            ArrayRef<OpFoldResult> sizes,
                                            ValueRange sourceStrides) {
  SmallVector<int64_t> known = op.getResultType().getStridesAndOffset().first;
  SmallVector<OpFoldResult> strides(sizes.size());
  for (auto [group, sourceStride] :
       llvm::zip_equal(op.getReassociationIndices(), sourceStrides)) {
    Value stride = sourceStride;
    for (int64_t dimension : llvm::reverse(group)) {
      strides[dimension] =
          ShapedType::isDynamic(known[dimension])
              ? OpFoldResult(stride)
              : OpFoldResult(builder.getIndexAttr(known[dimension]));
      Value size =
          getValueOrCreateConstantIndexOp(builder, loc, sizes[dimension]);
      stride = arith::MulIOp::create(builder, loc, stride, size);
    }
  }
  return strides;
}

static void lower(memref::ExpandShapeOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, op.getSrc());
  int64_t offset = op.getResultType().getStridesAndOffset().second;
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides =
      getStrides(builder, loc, op, sizes, metadata.getStrides());
  Value cast = memref::ReinterpretCastOp::create(
      builder, loc, op.getResultType(), metadata.getBaseBuffer(),
      ShapedType::isDynamic(offset) ? OpFoldResult(metadata.getOffset())
                                    : builder.getIndexAttr(offset),
      sizes, strides);
  op.replaceAllUsesWith(cast);
  op.erase();
}

namespace {
struct LowerExpandShapePass
    : attn::impl::LowerExpandShapePassBase<LowerExpandShapePass> {
  void runOnOperation() override {
    SmallVector<memref::ExpandShapeOp> expansions;
    getOperation().walk([&](memref::ExpandShapeOp op) {
      if (hasSeveralDynamicSizes(op))
        expansions.push_back(op);
    });
    for (memref::ExpandShapeOp op : expansions)
      lower(op);
  }
};
} // namespace
