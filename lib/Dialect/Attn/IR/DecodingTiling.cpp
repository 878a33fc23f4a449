//===- DecodingTiling.cpp - Tiling of caches and merges ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A cache is cut along batches and heads: where its new rows go is data, so
/// its rows stay whole. A merge is cut along rows.
///
//===----------------------------------------------------------------------===//

#include "TilingSpec.h"

using namespace mlir;
using namespace mlir::attn;

static TilingSpec getSpec(CacheAppendOp op) {
  TilingSpec spec(2);
  spec.add(op.getNewRowsMutable(), {0, 1, whole, whole});
  if (isa<ShapedType>(op.getStart().getType()))
    spec.add(op.getStartMutable(), {0});
  spec.add(op.getInitsMutable(), {0, 1, whole, whole});
  return spec;
}

static TilingSpec getSpec(MergeOp op) {
  TilingSpec spec(3);
  DimLoops rows = {0, 1, 2}, features = {0, 1, 2, whole};
  spec.add(op.getPartialsMutable(), features);
  spec.add(op.getLsesMutable(), rows);
  for (auto [number, operand] : llvm::enumerate(op.getInitsMutable()))
    spec.add(operand, number == 0 ? features : rows);
  return spec;
}

ATTN_DEFINE_TILING(CacheAppendOp)
ATTN_DEFINE_TILING(MergeOp)

FailureOr<TilingResult>
CacheAppendOp::getTiledImplementation(OpBuilder &builder,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes) {
  return tile(*this, getSpec(*this), builder, offsets, sizes);
}

FailureOr<TilingResult>
MergeOp::getTiledImplementation(OpBuilder &builder,
                                ArrayRef<OpFoldResult> offsets,
                                ArrayRef<OpFoldResult> sizes) {
  return tile(*this, getSpec(*this), builder, offsets, sizes);
}
