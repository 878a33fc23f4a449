//===- LoweringUtils.h - Shared by the lowerings to linalg ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parallel linalg.generic ops, checks at run time, and the patterns of each
/// family of ops.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOLINALG_LOWERINGUTILS_H
#define ATTN_LIB_CONVERSION_ATTNTOLINALG_LOWERINGUTILS_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/IR/NamedDim.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

void populateLowerDecodingPatterns(RewritePatternSet &patterns);
void populateLowerLossPatterns(RewritePatternSet &patterns);
void populateLowerLearnedPositionPatterns(RewritePatternSet &patterns);
void populateLowerPositionsPatterns(RewritePatternSet &patterns);
void populateLowerRotaryTablePatterns(RewritePatternSet &patterns);
void populateLowerRotaryPatterns(RewritePatternSet &patterns);
void populateLowerMaterializePatterns(RewritePatternSet &patterns);

/// The values that `body` yields for the elements `args` of the operands.
using GenericBody =
    llvm::function_ref<SmallVector<Value>(PairBuilder &body, ValueRange args)>;

/// A linalg.generic without reductions. `inputMaps` are the maps of the inputs;
/// every destination has one loop per dimension, in order.
linalg::GenericOp createParallelGeneric(OpBuilder &builder, Location loc,
                                        ValueRange inputs,
                                        ArrayRef<AffineMap> inputMaps,
                                        ValueRange inits, GenericBody body);

/// The map of an operand whose dimension `i` follows loop `loops[i]` of
/// `numLoops`; a dimension of static size 1 stays at 0.
AffineMap getBroadcastMap(Value operand, unsigned numLoops,
                          ArrayRef<unsigned> loops);

/// Emits a cf.assert with a message about `op`, unless `condition` is known to
/// hold.
void emitAssert(PairBuilder &builder, Operation *op, Value condition,
                const Twine &message);

/// Emits a run-time check of two sizes that the verifier could not compare.
void emitSameDimAssert(PairBuilder &builder, Operation *op, StringRef what,
                       const NamedDim &actual, const NamedDim &expected);

/// Erases masks and biases without users below `root`.
void eraseUnusedMasks(Operation *root);

/// Whether a static size of `value` is 0. Slices of such tensors would start
/// out of bounds, which their verifier refuses.
bool isStaticallyEmpty(Value value);

/// f64 if any of the values has f64 elements, else f32: the type that products
/// and sums are computed in.
FloatType getComputeType(ValueRange values);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOLINALG_LOWERINGUTILS_H
