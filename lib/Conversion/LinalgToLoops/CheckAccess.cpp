//===- CheckAccess.cpp - Check accesses to single elements ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads of elements by index: of tables by token ids, of masks by positions.
/// Most indices are those of loops, which need a check of sizes at most.
///
//===----------------------------------------------------------------------===//

#include "SizeChecker.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

/// The value behind casts between index and integers of 64 bits.
static Value stripCasts(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>()) {
    if (!cast.getIn().getType().isIndex() &&
        !cast.getIn().getType().isInteger(64))
      break;
    value = cast.getIn();
  }
  return value;
}

/// True if an expression is a sum of non-negative multiples of symbols and a
/// constant of any sign, so that it is greatest where they are.
static bool growsWithSymbols(AffineExpr expression) {
  if (isa<AffineSymbolExpr, AffineConstantExpr>(expression))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary || !growsWithSymbols(binary.getLHS()))
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return growsWithSymbols(binary.getRHS());
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && factor &&
         factor.getValue() >= 0;
}

namespace {
/// Checks one access.
class AccessCheck {
public:
  AccessCheck(SizeChecker &checker, Operation *op, Operation *access,
              ArrayRef<BoundedIndex> bounded, ArrayRef<AffineExpr> extents)
      : checker(checker), sizes(checker.getSizes()), op(op), access(access),
        extents(extents) {
    for (const BoundedIndex &index : bounded) {
      AffineExpr symbol = sizes.getIndex(index.index);
      least[symbol] = sizes.getConstant(0);
      greatest[symbol] = index.extent - 1;
    }
  }

  void run(Value tensor, int64_t dimension, Value index) {
    AffineExpr size = sizes.getSize(tensor, dimension);
    if (isWithin(index, size) || isChecked(index, size))
      return;
    std::string message =
        ("expects the index of " + access->getName().getStringRef() +
         " in dimension " + Twine(dimension) + " to be within the tensor")
            .str();
    auto [low, high] = getRange(index);
    if (!low || !sizes.isAvailableAt(low, op) || !sizes.isAvailableAt(high, op))
      return checker.requireIndex(access, index, size, message);
    checker.requireNonNegativeUnlessEmpty(op, low, extents, message);
    checker.requireNonNegativeUnlessEmpty(op, size - 1 - high, extents,
                                          message);
  }

private:
  /// The least and the greatest value of an index over the loops.
  std::pair<AffineExpr, AffineExpr> getRange(Value index) {
    AffineExpr expression = sizes.getIndex(index);
    if (!growsWithSymbols(expression))
      return {};
    return {sizes.simplify(expression.replace(least)),
            sizes.simplify(expression.replace(greatest))};
  }

  /// True if an index is in [0, size) whatever data and sizes are.
  bool isWithin(Value index, AffineExpr size) {
    if (auto select = stripCasts(index).getDefiningOp<arith::SelectOp>())
      if (isWithin(select.getTrueValue(), size) &&
          isWithin(select.getFalseValue(), size))
        return true;
    auto [low, high] = getRange(index);
    // Where there is no iteration, the greatest index may be -1.
    return low && sizes.isNonNegative(low) &&
           (sizes.isNonNegative(sizes.simplify(size - 1 - high)) ||
            isConstantWithinNonEmpty(index, size));
  }

  /// True for a constant 0 if the tensor has no elements only where nothing is
  /// read.
  bool isConstantWithinNonEmpty(Value index, AffineExpr size) {
    return sizes.getIndex(index) == sizes.getConstant(0) &&
           llvm::is_contained(extents, size);
  }

  /// True if checks beside the access hold an index within [0, size).
  bool isChecked(Value index, AffineExpr size) {
    bool isLow = false, isHigh = false;
    Value stripped = stripCasts(index);
    for (auto assertion : access->getBlock()->getOps<cf::AssertOp>()) {
      auto compare = assertion.getArg().getDefiningOp<arith::CmpIOp>();
      if (!compare || stripCasts(compare.getLhs()) != stripped ||
          !assertion->isBeforeInBlock(access))
        continue;
      AffineExpr bound = sizes.getIndex(compare.getRhs());
      if (compare.getPredicate() == arith::CmpIPredicate::sge)
        isLow |= sizes.isNonNegative(bound);
      if (compare.getPredicate() == arith::CmpIPredicate::slt)
        isHigh |= sizes.isNonNegative(sizes.simplify(size - bound));
    }
    return isLow && isHigh;
  }

  SizeChecker &checker;
  SizeExpressions &sizes;
  Operation *op;
  Operation *access;
  ArrayRef<AffineExpr> extents;
  DenseMap<AffineExpr, AffineExpr> least, greatest;
};
} // namespace

void attn::checkAccess(SizeChecker &checker, Operation *op, Operation *access,
                       Value tensor, ValueRange indices,
                       ArrayRef<BoundedIndex> bounded,
                       ArrayRef<AffineExpr> extents) {
  if (!isa<RankedTensorType>(tensor.getType()))
    return;
  AccessCheck check(checker, op, access, bounded, extents);
  for (auto [dimension, index] : llvm::enumerate(indices))
    check.run(tensor, dimension, index);
}
