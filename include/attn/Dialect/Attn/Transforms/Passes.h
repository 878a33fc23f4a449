//===- Passes.h - Passes on attn ops ----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Passes that rewrite attn ops into attn ops, and the patterns they are made
/// of.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_H
#define ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace mlir::attn {

#define GEN_PASS_DECL
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"

/// The patterns of attn-simplify.
void populateSimplifyPatterns(RewritePatternSet &patterns);

/// The patterns of attn-fuse.
void populateFusePatterns(RewritePatternSet &patterns);

/// The blocking of an attention with the given number of queries (dynamic:
/// ShapedType::kDynamic) whose scores have `accumulatorBits` bits, on a target
/// with `registers` vector registers of `vectorBits` bits.
PlanAttr choosePlan(MLIRContext *context, int64_t queries,
                    unsigned accumulatorBits, unsigned vectorBits,
                    unsigned registers);

/// Fails with an error at `loc` unless the options of a pass, or the attributes
/// of an op, with the names given describe a target that there may be.
LogicalResult verifyVectorOptions(Location loc, int64_t vectorBits,
                                  int64_t registers,
                                  StringRef bitsName = "vector-bits",
                                  StringRef registersName = "vector-registers");

/// Clones the ops that make the mask and the bias of `op` in front of it.
void sinkMaskAndBias(RewriterBase &rewriter, Operation *op);

/// What an attention was tiled into: an attention, and the loop around it.
struct TiledAttention {
  AttentionOp tile;
  Operation *loop;
};

/// Splits an attention on tensors that has a plan into work units, as
/// attn-tile-attention does. The output has to have elements.
FailureOr<TiledAttention> tileAttention(RewriterBase &rewriter, AttentionOp op);

#define GEN_PASS_REGISTRATION
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_H
