//===- LegalizeMath.cpp - Functions without a good lowering -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rewrites the functions that the conversions from math do not take
/// (`isinf`, `isnormal`), take in the wrong order (`clampf` to the upper bound
/// before the lower) or compute with cancellation (`expm1` as exp(x) - 1,
/// `log1p` as log(1 + x)).
///
//===----------------------------------------------------------------------===//

#include "LegalizeCasts.h"
#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_LEGALIZEMATHPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

static const llvm::fltSemantics &getSemantics(Type type) {
  return cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
}

static Value compare(OpBuilder &b, Location loc, arith::CmpFPredicate predicate,
                     Value value, const APFloat &other) {
  return arith::CmpFOp::create(
      b, loc, predicate, value,
      createScalarOrSplatConstant(b, loc, value.getType(), other));
}

namespace {

struct LegalizeClampF : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    Value raised = arith::MaximumFOp::create(rewriter, op.getLoc(),
                                             op.getValue(), op.getMin());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, raised, op.getMax());
    return success();
  }
};

struct LegalizeIsInf : OpRewritePattern<math::IsInfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsInfOp op,
                                PatternRewriter &rewriter) const override {
    Value size = math::AbsFOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOp(
        op, compare(rewriter, op.getLoc(), arith::CmpFPredicate::OEQ, size,
                    APFloat::getInf(getSemantics(size.getType()))));
    return success();
  }
};

struct LegalizeIsNormal : OpRewritePattern<math::IsNormalOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsNormalOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value size = math::AbsFOp::create(rewriter, loc, op.getOperand());
    const llvm::fltSemantics &semantics = getSemantics(size.getType());
    Value finite = compare(rewriter, loc, arith::CmpFPredicate::OLT, size,
                           APFloat::getInf(semantics));
    Value large = compare(rewriter, loc, arith::CmpFPredicate::OGE, size,
                          APFloat::getSmallestNormalized(semantics));
    rewriter.replaceOpWithNewOp<arith::AndIOp>(op, finite, large);
    return success();
  }
};

/// exp(x) - 1 and log(1 + x) without cancellation, for f32 and f64. Both divide
/// by what rounding made of x (W. Kahan; see N. Higham, Accuracy and Stability
/// of Numerical Algorithms, section 1.14.1): with u = exp(x) the first is
/// (u - 1) * x / log(u), with u = 1 + x the second is log(u) * x / (u - 1).
template <typename OpT> struct LegalizeCancelling : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    constexpr bool isExp = std::is_same_v<OpT, math::ExpM1Op>;
    Location loc = op.getLoc();
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32() &&
        !getElementTypeOrSelf(type).isF64())
      return rewriter.notifyMatchFailure(op, "expects f32 or f64");
    const llvm::fltSemantics &semantics = getSemantics(type);
    Value x = op.getOperand();
    Value one = createScalarOrSplatConstant(rewriter, loc, type,
                                            APFloat::getOne(semantics));
    auto isEqual = [&](Value value, const APFloat &other) -> Value {
      return compare(rewriter, loc, arith::CmpFPredicate::OEQ, value, other);
    };
    Value u;
    if (isExp)
      u = math::ExpOp::create(rewriter, loc, x);
    else
      u = arith::AddFOp::create(rewriter, loc, one, x);
    Value log = math::LogOp::create(rewriter, loc, u);
    Value difference = arith::SubFOp::create(rewriter, loc, u, one);
    Value divided = isExp ? difference : log;
    Value divisor = isExp ? log : difference;
    Value quotient = arith::DivFOp::create(rewriter, loc, x, divisor);
    Value y = arith::MulFOp::create(rewriter, loc, divided, quotient);
    // Where u is 1, x itself is the nearest value; the quotient is 0 / 0.
    Value same = isEqual(u, APFloat::getOne(semantics));
    y = arith::SelectOp::create(rewriter, loc, same, x, y);
    // At the ends the quotient is of infinities, or of x and one.
    Value infinite = isEqual(u, APFloat::getInf(semantics));
    y = arith::SelectOp::create(rewriter, loc, infinite, u, y);
    if (isExp) {
      Value vanished = isEqual(u, APFloat::getZero(semantics));
      y = arith::SelectOp::create(rewriter, loc, vanished, difference, y);
    }
    rewriter.replaceOp(op, y);
    return success();
  }
};

bool isComputedInF32(StringRef name) {
  return name == math::ExpM1Op::getOperationName() ||
         name == math::Log1pOp::getOperationName();
}

struct LegalizeMathPass : attn::impl::LegalizeMathPassBase<LegalizeMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    attn::populateLegalizeMathPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void attn::populateLegalizeMathPatterns(RewritePatternSet &patterns) {
  patterns.add<LegalizeClampF, LegalizeIsInf, LegalizeIsNormal,
               LegalizeCancelling<math::ExpM1Op>,
               LegalizeCancelling<math::Log1pOp>>(patterns.getContext());
  populateMathF32ExpansionPatterns(patterns, isComputedInF32);
  populateLegalizeCastPatterns(patterns);
}
