//===- DestinationOps.h - Shared by destination-style ops -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the ops that write destinations share: checks of shapes with one style
/// of message, memory effects and reification.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_IR_DESTINATIONOPS_H
#define ATTN_LIB_DIALECT_ATTN_IR_DESTINATIONOPS_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/IR/NamedDim.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::attn {

/// A size of a tensor or memref, which may be dynamic.
inline int64_t getDim(Value value, int64_t dimension) {
  return cast<ShapedType>(value.getType()).getDimSize(dimension);
}

/// The least and the greatest of some integers.
using IntegerRange = std::pair<int64_t, int64_t>;

/// Whether `defining` comes before `user` in the order in which a verifier
/// visits ops. If not, `user` may be looked at while `defining` is not verified
/// yet: where no dominance holds, where it is violated, and in blocks that
/// stand before those that dominate them.
bool isVerifiedBefore(Operation *defining, Operation *user);

/// The elements of a constant tensor `value`, an operand of `user`; null if it
/// is none, or may not be verified yet.
DenseIntElementsAttr getConstantIntegers(Operation *user, Value value);

/// The range of `value`, a constant integer or tensor of some; std::nullopt if
/// it is none, is empty, or may not be verified yet.
std::optional<IntegerRange> getConstantRange(Operation *user, Value value);

/// Fails with `expects <what> of 'a' (n) to equal that of 'b' (m)` if both
/// sizes are static and differ. With `allowOne`, `actual` may be 1.
LogicalResult verifySameDim(Operation *op, StringRef what, NamedDim actual,
                            NamedDim expected, bool allowOne = false);

/// Fails if the element types of two operands differ.
LogicalResult verifySameElementType(Operation *op, StringRef actualName,
                                    Value actual, StringRef expectedName,
                                    Value expected);

/// Checks a log-sum-exp `[B, H, S]` of rank 3: its element type is
/// `accumulator`, and its sizes are the first three of `rows`.
LogicalResult verifyLse(Operation *op, StringRef name, Value lse,
                        FloatType accumulator, StringRef rowsName, Value rows);

/// Checks what every destination-style op obeys: as many destinations as
/// `minInits .. maxInits`; all shaped operands tensors, or all memrefs; one
/// result per destination for tensors, with its type, and none for memrefs.
LogicalResult verifyDestinations(DestinationStyleOpInterface op,
                                 unsigned minInits, unsigned maxInits);

/// Checks the tables of a rotation against the tensor that it rotates.
LogicalResult verifyRotation(Operation *op, StringRef inputName, Value input,
                             StringRef cosName, Value cos, StringRef sinName,
                             Value sin, int64_t first);

/// Clones `op` with other operands and result types. `mlir::clone` would do the
/// same, but tells listeners of the first block of every region, and the score
/// region of an attention may have none.
Operation *cloneWithOperands(OpBuilder &builder, Operation *op,
                             TypeRange resultTypes, ValueRange operands);

/// Results without elements are their destinations.
template <typename Op> struct FoldEmptyResults : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0 ||
        !llvm::all_of(op->getResultTypes(), [](Type type) {
          return llvm::is_contained(cast<ShapedType>(type).getShape(), 0);
        }))
      return rewriter.notifyMatchFailure(op, "a result may have elements");
    rewriter.replaceOp(op, op.getInits());
    return success();
  }
};

/// A log-sum-exp that nobody reads is not computed.
template <typename Op> struct DropUnusedLse : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 2 || !op->getResult(1).use_empty())
      return rewriter.notifyMatchFailure(
          op, "there is no log-sum-exp as a tensor, or it is used");
    Operation *clone = cloneWithOperands(
        rewriter, op, TypeRange{op->getResult(0).getType()}, op->getOperands());
    rewriter.modifyOpInPlace(
        clone, [&] { cast<Op>(clone).getInitsMutable().erase(1); });
    rewriter.replaceAllUsesWith(op->getResult(0), clone->getResult(0));
    rewriter.eraseOp(op);
    return success();
  }
};

/// Reads of memref inputs, and writes of memref destinations, which are
/// overwritten as a whole unless the op has ReadsDestinations; none on tensors.
void getDestinationEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects);

/// Speculatable on tensors, as far as the regions are; not on memrefs, which
/// are written.
Speculation::Speculatability
getDestinationSpeculatability(DestinationStyleOpInterface op);

/// The sizes of the results: those of the destinations.
LogicalResult
reifyDestinations(DestinationStyleOpInterface op, OpBuilder &builder,
                  ReifiedRankedShapedTypeDims &reifiedReturnShapes);

} // namespace mlir::attn

/// Defines the shared interface methods of one destination-style op, except
/// getSpeculatability.
#define ATTN_DEFINE_DESTINATION_EFFECTS(Op)                                    \
  void Op::getEffects(                                                         \
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>      \
          &effects) {                                                          \
    getDestinationEffects(*this, effects);                                     \
  }                                                                            \
  LogicalResult Op::reifyResultShapes(                                         \
      OpBuilder &builder, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {  \
    return reifyDestinations(*this, builder, reifiedReturnShapes);             \
  }

/// Defines the canonicalization of an op that has no patterns of its own.
#define ATTN_DEFINE_DESTINATION_PATTERNS(Op)                                   \
  void Op::getCanonicalizationPatterns(RewritePatternSet &patterns,            \
                                       MLIRContext *context) {                 \
    patterns.add<FoldEmptyResults<Op>>(context);                               \
  }

/// Defines the shared interface methods of one destination-style op.
#define ATTN_DEFINE_DESTINATION_OP(Op)                                         \
  ATTN_DEFINE_DESTINATION_EFFECTS(Op)                                          \
  Speculation::Speculatability Op::getSpeculatability() {                      \
    return getDestinationSpeculatability(*this);                               \
  }

#endif // ATTN_LIB_DIALECT_ATTN_IR_DESTINATIONOPS_H
