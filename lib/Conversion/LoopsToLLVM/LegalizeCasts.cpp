//===- LegalizeCasts.cpp - Rounding to 16-bit floats ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Casts to f16 and bf16 that LLVM leaves to functions which not every runtime
/// library has (`__truncdfbf2`, `__truncsfbf2`), or that it rounds twice, to
/// f32 first. Here the first of two roundings is to odd: a number that is not
/// exact gets a last bit of 1, so that it is no tie of the second rounding and
/// stays on its side of one. With two more bits than the result that gives what
/// one rounding does (S. Boldo, G. Melquiond, Emulation of FMA and correctly
/// rounded sums: proved algorithms using rounding to odd, IEEE Transactions on
/// Computers 57, 2008).
///
//===----------------------------------------------------------------------===//

#include "LegalizeCasts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

/// `element`, or a vector of it where `type` is one.
static Type cloneWithElement(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.clone(element) : element;
}

static Value makeInteger(OpBuilder &b, Location loc, Type type,
                         const APInt &value) {
  return createScalarOrSplatConstant(b, loc, type, value);
}

/// An f64 to f32, rounded to odd. Where the nearest is even and not exact, the
/// other neighbour is odd: the next bit pattern, away from zero or towards it.
/// That holds for subnormal results and for zero, too; of what is rounded to
/// infinity, the largest finite number is odd.
static Value roundToOdd(OpBuilder &b, Location loc, Value x) {
  Type type = cloneWithElement(x.getType(), b.getF32Type());
  Type intType = cloneWithElement(x.getType(), b.getI32Type());
  auto integer = [&](int32_t value) {
    return makeInteger(b, loc, intType, APInt(32, value, /*isSigned=*/true));
  };
  Value nearest = arith::TruncFOp::create(b, loc, type, x);
  Value back = arith::ExtFOp::create(b, loc, x.getType(), nearest);
  // False for NaN, which stays as it is.
  Value inexact =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ONE, back, x);
  Value smaller = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                        math::AbsFOp::create(b, loc, back),
                                        math::AbsFOp::create(b, loc, x));
  Value bits = arith::BitcastOp::create(b, loc, intType, nearest);
  Value last = arith::AndIOp::create(b, loc, bits, integer(1));
  Value even =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, last, integer(0));
  Value step =
      arith::SelectOp::create(b, loc, smaller, integer(1), integer(-1));
  Value moved = arith::AddIOp::create(b, loc, bits, step);
  Value moves = arith::AndIOp::create(b, loc, inexact, even);
  bits = arith::SelectOp::create(b, loc, moves, moved, bits);
  return arith::BitcastOp::create(b, loc, type, bits);
}

/// An integer as f64; of one with more than 53 bits, rounded to odd.
template <typename OpT>
static Value convertToOdd(OpBuilder &b, Location loc, Value x) {
  constexpr bool isSigned = std::is_same_v<OpT, arith::SIToFPOp>;
  Type type = cloneWithElement(x.getType(), b.getF64Type());
  unsigned width = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
  constexpr unsigned precision = 53;
  if (width <= precision)
    return OpT::create(b, loc, type, x);
  auto integer = [&](const APInt &value) {
    return makeInteger(b, loc, x.getType(), value);
  };
  // Numbers of `precision` bits and a sign are exact. Others lose `extra` bits,
  // the last of what is left tells of any that were set.
  unsigned extra = width - precision;
  APInt dropped = APInt::getLowBitsSet(width, extra);
  Value rest = arith::AndIOp::create(b, loc, x, integer(dropped));
  Value sticky = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, rest,
                                       integer(APInt(width, 0)));
  Value kept = arith::AndIOp::create(b, loc, x, integer(~dropped));
  Value odd = arith::OrIOp::create(b, loc, kept,
                                   integer(APInt::getOneBitSet(width, extra)));
  Value rounded = arith::SelectOp::create(b, loc, sticky, odd, kept);
  Value shifted = x;
  if (isSigned)
    shifted = arith::AddIOp::create(
        b, loc, x, integer(APInt::getOneBitSet(width, precision)));
  Value exact = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::ult, shifted,
      integer(APInt::getOneBitSet(width, precision + isSigned)));
  return OpT::create(b, loc, type,
                     arith::SelectOp::create(b, loc, exact, x, rounded));
}

namespace {

struct LegalizeTruncF : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!getElementTypeOrSelf(op.getIn().getType()).isF64() ||
        (!element.isF16() && !element.isBF16()))
      return rewriter.notifyMatchFailure(op, "is no f64 to f16 or bf16");
    if (op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
        arith::RoundingMode::to_nearest_even)
      return rewriter.notifyMatchFailure(op, "has another rounding");
    Value odd = roundToOdd(rewriter, op.getLoc(), op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), odd);
    return success();
  }
};

/// Integers to bf16 through f32, or through f64 if f32 does not hold them. To
/// f16, such integers are infinite in any case.
template <typename OpT> struct LegalizeIntegerToFloat : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "expects a bf16 result");
    Value x = op.getIn();
    unsigned width = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
    constexpr unsigned precisionOfF32 = 24;
    Value wide;
    if (width <= precisionOfF32)
      wide =
          OpT::create(rewriter, op.getLoc(),
                      cloneWithElement(x.getType(), rewriter.getF32Type()), x);
    else
      wide = convertToOdd<OpT>(rewriter, op.getLoc(), x);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), wide);
    return success();
  }
};

/// Functions of bf16 that may round, in f32. LLVM would do so too, where the
/// target has none, but with a call to round.
struct ComputeBF16InF32 : RewritePattern {
  ComputeBF16InF32(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
            op->getDialect()) ||
        !op->hasTrait<OpTrait::Elementwise>())
      return rewriter.notifyMatchFailure(op, "is no function of numbers");
    // These move bits, or have patterns of their own.
    if (isa<CastOpInterface, arith::SelectOp, arith::NegFOp, math::AbsFOp,
            math::CopySignOp>(op))
      return rewriter.notifyMatchFailure(op, "rounds nothing");
    auto isBF16 = [](Type type) { return getElementTypeOrSelf(type).isBF16(); };
    if (llvm::none_of(op->getResultTypes(), isBF16))
      return rewriter.notifyMatchFailure(op, "has no result of bf16");
    Location loc = op->getLoc();
    auto widen = [&](Type type) {
      return isBF16(type) ? cloneWithElement(type, rewriter.getF32Type())
                          : type;
    };
    OperationState state(loc, op->getName());
    state.addAttributes(op->getAttrs());
    for (Value operand : op->getOperands())
      state.operands.push_back(
          isBF16(operand.getType())
              ? arith::ExtFOp::create(rewriter, loc, widen(operand.getType()),
                                      operand)
              : operand);
    state.addTypes(llvm::map_to_vector(op->getResultTypes(), widen));
    Operation *wide = rewriter.create(state);
    SmallVector<Value> results;
    for (auto [result, type] :
         llvm::zip_equal(wide->getResults(), op->getResultTypes()))
      results.push_back(
          isBF16(type) ? arith::TruncFOp::create(rewriter, loc, type, result)
                       : Value(result));
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void attn::populateLegalizeCastPatterns(RewritePatternSet &patterns) {
  patterns.add<LegalizeTruncF, LegalizeIntegerToFloat<arith::SIToFPOp>,
               LegalizeIntegerToFloat<arith::UIToFPOp>, ComputeBF16InF32>(
      patterns.getContext());
}
