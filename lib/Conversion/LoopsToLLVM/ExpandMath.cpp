//===- ExpandMath.cpp - Vectorisable math functions -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Replaces f32 math functions by arithmetic, so that loops which call them
/// vectorise on every ISA and need no library of vector functions.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

namespace {

/// Builds ops on f32 values of one shape.
class F32Builder {
public:
  F32Builder(PatternRewriter &rewriter, Location loc, Type type)
      : b(rewriter), loc(loc), type(type) {
    intType = b.getI32Type();
    if (auto shaped = dyn_cast<ShapedType>(type))
      intType = shaped.clone(intType);
  }

  Value constant(float value) {
    return createScalarOrSplatConstant(b, loc, type, APFloat(value));
  }
  Value integer(int32_t value) {
    return createScalarOrSplatConstant(b, loc, intType,
                                       APInt(32, value, /*isSigned=*/true));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, loc, x, y, z);
  }
  Value bits(Value x) { return arith::BitcastOp::create(b, loc, intType, x); }
  /// 2^n as a float, for n in [-126, 127].
  Value powerOfTwo(Value n) {
    Value biased = arith::AddIOp::create(b, loc, n, integer(127));
    return fromBits(shiftLeft(biased, 23));
  }
  /// Limits x to [low, high] and leaves NaN as it is.
  Value clamp(Value x, float low, float high) {
    Value lower = constant(low), upper = constant(high);
    x = select(less(x, lower), lower, x);
    return select(less(upper, x), upper, x);
  }
  Value less(Value x, Value y) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, x, y);
  }
  Value equal(Value x, Value y) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  Value fromBits(Value n) { return arith::BitcastOp::create(b, loc, type, n); }
  Value toFloat(Value n) { return arith::SIToFPOp::create(b, loc, type, n); }
  Value shiftRight(Value n, int32_t bits) {
    return arith::ShRSIOp::create(b, loc, n, integer(bits));
  }
  Value shiftLeft(Value n, int32_t bits) {
    return arith::ShLIOp::create(b, loc, n, integer(bits));
  }
  Value subtractInt(Value x, Value y) {
    return arith::SubIOp::create(b, loc, x, y);
  }

private:
  PatternRewriter &b;
  Location loc;
  Type type;
  Type intType;
};

/// exp(x) = 2^n * exp(r) with n = round(x * log2(e)) and r = x - n * ln(2), by
/// a polynomial of degree 6 on |r| <= ln(2)/2. Rounding to n adds a number so
/// large that the fraction is lost; unlike a conversion to an integer this is
/// defined for NaN. The power is applied in two halves, so that results down to
/// the subnormals are rounded once, exp(-inf) is 0 and overflow is inf.
struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "expects an f32 operand");
    F32Builder f(rewriter, op.getLoc(), type);
    Value x = f.clamp(op.getOperand(), -110.0f, 100.0f);
    Value magic = f.constant(12582912.0f);
    Value shifted = f.fma(x, f.constant(1.44269504f), magic);
    Value n = f.sub(shifted, magic);
    Value r = f.fma(n, f.constant(-0.693359375f), x);
    r = f.fma(n, f.constant(2.12194440e-4f), r);
    Value p = f.constant(1.9875691500e-4f);
    for (float coefficient :
         {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f,
          1.6666665459e-1f, 5.0000001201e-1f})
      p = f.fma(p, r, f.constant(coefficient));
    Value y = f.add(f.fma(p, f.mul(r, r), r), f.constant(1.0f));

    Value power = f.subtractInt(f.bits(shifted), f.bits(magic));
    Value half = f.shiftRight(power, 1);
    Value rest = f.subtractInt(power, half);
    y = f.mul(f.mul(y, f.powerOfTwo(half)), f.powerOfTwo(rest));
    rewriter.replaceOp(op, y);
    return success();
  }
};

/// sin and cos by polynomials on |r| <= pi/4, r = x - q * pi/2. The reduction
/// is done in f64 with pi/2 in two parts, so that it is exact to f32 for every
/// |x| < 2^50: angles of late positions are large. Beyond that neighbouring f32
/// values are many periods apart; the angle is then taken for 0, which keeps
/// the result in range, and NaN for infinities.
template <typename OpT> struct ExpandSinCos : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "expects an f32 operand");
    Location loc = op.getLoc();
    F32Builder f(rewriter, loc, type);
    auto [r, quadrant] = reduce(rewriter, loc, op.getOperand());
    if (std::is_same_v<OpT, math::CosOp>)
      quadrant = arith::AddIOp::create(rewriter, loc, quadrant, f.integer(1));

    Value z = f.mul(r, r);
    Value sin =
        f.fma(z, f.constant(-1.9515295891e-4f), f.constant(8.3321608736e-3f));
    sin = f.fma(sin, z, f.constant(-1.6666654611e-1f));
    sin = f.fma(f.mul(sin, z), r, r);
    Value cos = f.fma(z, f.constant(2.443315711809948e-5f),
                      f.constant(-1.388731625493765e-3f));
    cos = f.fma(cos, z, f.constant(4.166664568298827e-2f));
    cos = f.fma(cos, z, f.constant(-0.5f));
    cos = f.fma(cos, z, f.constant(1.0f));

    auto isSet = [&](int32_t bit) -> Value {
      Value masked =
          arith::AndIOp::create(rewriter, loc, quadrant, f.integer(bit));
      return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                                   masked, f.integer(0));
    };
    Value y = arith::SelectOp::create(rewriter, loc, isSet(1), cos, sin);
    Value negated = arith::NegFOp::create(rewriter, loc, y);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isSet(2), negated, y);
    return success();
  }

private:
  /// Returns r and the quadrant modulo 2^32.
  static std::pair<Value, Value> reduce(PatternRewriter &b, Location loc,
                                        Value x) {
    Type type = x.getType();
    auto withElement = [&](Type element) -> Type {
      if (auto shaped = dyn_cast<ShapedType>(type))
        return shaped.clone(element);
      return element;
    };
    Type wideType = withElement(b.getF64Type());
    auto constant = [&](double value) {
      return createScalarOrSplatConstant(b, loc, wideType, APFloat(value));
    };
    Value wide = arith::ExtFOp::create(b, loc, wideType, x);
    Value magic = constant(0x1.8p52);
    Value shifted =
        math::FmaOp::create(b, loc, wide, constant(0.63661977236758138), magic);
    Value n = arith::SubFOp::create(b, loc, shifted, magic);
    Value r =
        math::FmaOp::create(b, loc, n, constant(-1.5707963267948966), wide);
    r = math::FmaOp::create(b, loc, n, constant(-6.123233995736766e-17), r);

    Value size = math::AbsFOp::create(b, loc, wide);
    Value small = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, size,
                                        constant(0x1p50));
    Value zeroOrNan = arith::MulFOp::create(b, loc, wide, constant(0.0));
    r = arith::SelectOp::create(b, loc, small, r, zeroOrNan);
    Value bits =
        arith::BitcastOp::create(b, loc, withElement(b.getI64Type()), shifted);
    Value quadrant =
        arith::TruncIOp::create(b, loc, withElement(b.getI32Type()), bits);
    return {arith::TruncFOp::create(b, loc, type, r), quadrant};
  }
};

/// log(x) = e * ln(2) + log(1 + f) with x = 2^e * (1 + f) and 1 + f in
/// [sqrt(1/2), sqrt(2)), by a polynomial (Cephes, logf). Subnormal x are scaled
/// first; upstream's approximation takes them for the smallest normal number.
struct ExpandLog : OpRewritePattern<math::LogOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::LogOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "expects an f32 operand");
    F32Builder f(rewriter, op.getLoc(), type);
    Value x = op.getOperand();
    Value subnormal = f.less(x, f.constant(0x1p-126f));
    Value scaled = f.select(subnormal, f.mul(x, f.constant(0x1p23f)), x);

    constexpr int32_t sqrtHalf = 0x3f3504f3;
    Value bits = f.bits(scaled);
    Value power = f.shiftRight(f.subtractInt(bits, f.integer(sqrtHalf)), 23);
    Value fraction =
        f.sub(f.fromBits(f.subtractInt(bits, f.shiftLeft(power, 23))),
              f.constant(1.0f));
    Value exponent =
        f.sub(f.toFloat(power),
              f.select(subnormal, f.constant(23.0f), f.constant(0.0f)));

    Value p = f.constant(7.0376836292e-2f);
    for (float coefficient :
         {-1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f,
          1.4249322787e-1f, -1.6668057665e-1f, 2.0000714765e-1f,
          -2.4999993993e-1f, 3.3333331174e-1f})
      p = f.fma(p, fraction, f.constant(coefficient));
    Value square = f.mul(fraction, fraction);
    Value y = f.mul(f.mul(p, square), fraction);
    y = f.fma(exponent, f.constant(-2.12194440e-4f), y);
    y = f.fma(square, f.constant(-0.5f), y);
    y = f.fma(exponent, f.constant(0.693359375f), f.add(fraction, y));

    constexpr float inf = std::numeric_limits<float>::infinity();
    y = f.select(f.less(x, f.constant(inf)), y, x);
    Value zero = f.constant(0.0f);
    Value edge = f.select(f.equal(x, zero), f.constant(-inf),
                          f.constant(std::numeric_limits<float>::quiet_NaN()));
    rewriter.replaceOp(op, f.select(f.less(zero, x), y, edge));
    return success();
  }
};

/// Upstream approximations that are accurate to a few units in the last place
/// and keep NaN and infinities.
bool isApproximated(StringRef name) {
  return llvm::is_contained(
      {math::TanhOp::getOperationName(), math::ErfOp::getOperationName()},
      name);
}

/// Functions that are computed in f32 for f16 and bf16 operands.
bool isComputedInF32(StringRef name) {
  return isApproximated(name) ||
         llvm::is_contained(
             {math::ExpOp::getOperationName(), math::LogOp::getOperationName(),
              math::SinOp::getOperationName(), math::CosOp::getOperationName()},
             name);
}

struct ExpandMathPass : attn::impl::ExpandMathPassBase<ExpandMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    attn::populateExpandMathPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void attn::populateExpandMathPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExp, ExpandLog, ExpandSinCos<math::SinOp>,
               ExpandSinCos<math::CosOp>>(patterns.getContext());
  populateMathF32ExpansionPatterns(patterns, isComputedInF32);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateExpandBFloat16Patterns(patterns);
  populateMathPolynomialApproximationPatterns(patterns, isApproximated);
}
