//===- TileAttention.cpp - Split attention into work units ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tiling itself is the op's TilingInterface; here the loops and the sizes
/// of tiles are chosen.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::attn {
#define GEN_PASS_DEF_TILEATTENTIONPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Turns a folded rotation of the key into an `attn.rotary` in front of `op`.
static void splitKeyRotation(RewriterBase &rewriter, AttentionOp op) {
  if (!op.getKeyRotation())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value key = op.getKey();
  RotationAttr rotation = *op.getKeyRotation();
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, key),
      getElementTypeOrSelf(key.getType()));
  auto rotary = RotaryOp::create(
      rewriter, loc, TypeRange{empty.getType()}, key, op.getKeyCos(),
      op.getKeySin(), ValueRange{empty}, rotation.getLayout(),
      /*layout_out=*/RotaryLayoutAttr(),
      static_cast<uint64_t>(rotation.getFirst()), rotation.getInverse());
  Value rotated = rotary.getResult(0);
  if (rotated.getType() != key.getType())
    rotated = tensor::CastOp::create(rewriter, loc, key.getType(), rotated);
  rewriter.modifyOpInPlace(op, [&] {
    op.getKeyMutable().assign(rotated);
    op.getKeyCosMutable().clear();
    op.getKeySinMutable().clear();
    op.removeKeyRotationAttr();
  });
}

FailureOr<TiledAttention> attn::tileAttention(RewriterBase &rewriter,
                                              AttentionOp op) {
  splitKeyRotation(rewriter, op);
  rewriter.setInsertionPoint(op);
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes({rewriter.getIndexAttr(1), rewriter.getIndexAttr(1),
                        rewriter.getIndexAttr(op.getPlan()->getQueryBlock())});
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, op, options);
  if (failed(tiled))
    return failure();
  rewriter.replaceOp(op, tiled->replacements);
  auto tile = cast<AttentionOp>(tiled->tiledOps.front());
  sinkMaskAndBias(rewriter, tile);
  return TiledAttention{tile, tiled->loops.front()};
}

namespace {
struct TileAttentionPass
    : attn::impl::TileAttentionPassBase<TileAttentionPass> {
  void runOnOperation() override {
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) {
      if (op.getPlan() && op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (AttentionOp op : ops) {
      // Without a row there is no tile. Without features, but with a
      // log-sum-exp, the op stays whole: its output has no slices.
      ArrayRef<int64_t> output =
          cast<RankedTensorType>(op.getOutputInit().getType()).getShape();
      if (llvm::is_contained(output, 0)) {
        if (!op.getLseInit() || llvm::is_contained(output.drop_back(), 0))
          rewriter.replaceOp(op, op.getInits());
        continue;
      }
      if (failed(tileAttention(rewriter, op))) {
        op.emitOpError("cannot be tiled into work units");
        return signalPassFailure();
      }
    }
  }
};
} // namespace
