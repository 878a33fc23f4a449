//===- ScalarOps.cpp - Scalar operations as expressions ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Translates arith, math, complex and affine operations to expressions.
///
//===----------------------------------------------------------------------===//

#include "ElementBuilder.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;

Expr attn::applyAffine(ExpressionContext &context, AffineExpr expr,
                       ArrayRef<Expr> dims, ArrayRef<Expr> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return context.getInt(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Expr a = applyAffine(context, binary.getLHS(), dims, symbols);
  Expr b = applyAffine(context, binary.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return context.getAdd(a, b);
  case AffineExprKind::Mul:
    return context.getMul(a, b);
  case AffineExprKind::FloorDiv:
    return context.getFloorDiv(a, b);
  case AffineExprKind::CeilDiv:
    return context.getFloorDiv(context.getAdd(a, context.getAdd(b, -1)), b);
  default:
    return context.getMod(a, b);
  }
}

std::optional<ExprKind> attn::getCombinerKind(Operation *op) {
  using Result = std::optional<ExprKind>;
  Type type = op->getResult(0).getType();
  bool isBool = type.isInteger(1);
  bool isWide = type.isInteger(64) || type.isIndex();
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](arith::AddFOp) { return ExprKind::AddF; })
      .Case([](arith::MulFOp) { return ExprKind::MulF; })
      .Case([](arith::MaximumFOp) { return ExprKind::MaximumF; })
      .Case([](arith::MinimumFOp) { return ExprKind::MinimumF; })
      .Case([](arith::MaxNumFOp) { return ExprKind::MaxNumF; })
      .Case([](arith::MinNumFOp) { return ExprKind::MinNumF; })
      .Case([&](arith::AddIOp) {
        return isWide ? Result(ExprKind::Sum) : Result();
      })
      .Case([&](arith::MulIOp) {
        if (isBool)
          return Result(ExprKind::And);
        return isWide ? Result(ExprKind::Product) : Result();
      })
      .Case([&](arith::MaxSIOp) {
        return isBool ? Result() : Result(ExprKind::MaxSI);
      })
      .Case([&](arith::MinSIOp) {
        return isBool ? Result() : Result(ExprKind::MinSI);
      })
      .Case([&](arith::AndIOp) {
        return isBool ? Result(ExprKind::And) : Result();
      })
      .Case([&](arith::OrIOp) {
        return isBool ? Result(ExprKind::Or) : Result();
      })
      .Case([&](arith::MaxUIOp) {
        return isBool ? Result(ExprKind::Or) : Result();
      })
      .Case([&](arith::MinUIOp) {
        return isBool ? Result(ExprKind::And) : Result();
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Unary and binary float operations that have a kind of their own.
static std::optional<ExprKind> getFloatKind(StringRef name) {
  return llvm::StringSwitch<std::optional<ExprKind>>(name)
      .Case("arith.addf", ExprKind::AddF)
      .Case("arith.subf", ExprKind::SubF)
      .Case("arith.mulf", ExprKind::MulF)
      .Case("arith.divf", ExprKind::DivF)
      .Case("arith.remf", ExprKind::RemF)
      .Case("arith.negf", ExprKind::NegF)
      .Case("arith.maximumf", ExprKind::MaximumF)
      .Case("arith.minimumf", ExprKind::MinimumF)
      .Case("arith.maxnumf", ExprKind::MaxNumF)
      .Case("arith.minnumf", ExprKind::MinNumF)
      .Case("math.powf", ExprKind::PowF)
      .Case("math.atan2", ExprKind::Atan2)
      .Case("math.absf", ExprKind::AbsF)
      .Case("math.exp", ExprKind::Exp)
      .Case("math.exp2", ExprKind::Exp2)
      .Case("math.expm1", ExprKind::ExpM1)
      .Case("math.log", ExprKind::Log)
      .Case("math.log2", ExprKind::Log2)
      .Case("math.log1p", ExprKind::Log1P)
      .Case("math.sqrt", ExprKind::Sqrt)
      .Case("math.rsqrt", ExprKind::Rsqrt)
      .Case("math.sin", ExprKind::Sin)
      .Case("math.cos", ExprKind::Cos)
      .Case("math.tan", ExprKind::Tan)
      .Case("math.tanh", ExprKind::Tanh)
      .Case("math.erf", ExprKind::Erf)
      .Case("math.floor", ExprKind::Floor)
      .Case("math.ceil", ExprKind::Ceil)
      .Case("math.round", ExprKind::Round)
      .Case("math.roundeven", ExprKind::RoundEven)
      .Default(std::nullopt);
}

namespace {
/// One operation and its operands.
class ScalarTranslator {
public:
  ScalarTranslator(ExpressionContext &context, Operation *op,
                   ArrayRef<Expr> operands)
      : context(context), op(op), operands(operands),
        type(getElementTypeOrSelf(op->getResult(0).getType())) {}

  Expr translate() {
    if (auto kind = getFloatKind(op->getName().getStringRef()))
      return operands.size() == 1
                 ? context.getUnary(*kind, operands[0])
                 : context.getBinary(*kind, operands[0], operands[1]);
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return context.getSelect(operands[0], operands[1], operands[2]);
    if (auto compare = dyn_cast<arith::CmpFOp>(op))
      return context.getCmpF(compare.getPredicate(), operands[0], operands[1]);
    if (auto compare = dyn_cast<arith::CmpIOp>(op))
      return translateCompare(compare.getPredicate());
    if (isa<math::FPowIOp>(op))
      return context.getFPowI(operands[0], operands[1]);
    if (Expr cast = translateCast())
      return cast;
    if (Expr number = translateComplex())
      return number;
    if (type.isIntOrIndex())
      if (Expr integer = type.isInteger(1) ? translateBool() : translateInt())
        return integer;
    return opaque();
  }

private:
  Expr opaque() {
    return context.getOpaque(op->getName(), op->getDiscardableAttrDictionary(),
                             type, operands);
  }

  unsigned getWidth(Type t) const {
    return t.isIndex() ? 64 : t.getIntOrFloatBitWidth();
  }
  unsigned getOperandWidth() const {
    return getWidth(getElementTypeOrSelf(op->getOperand(0).getType()));
  }
  Expr wrap(Expr value) { return context.getTruncI(value, getWidth(type)); }
  bool isNonNegative(Expr value) { return context.proveNonNegative(value); }
  bool isPositive(Expr value) {
    return context.proveLess(context.getInt(0), value);
  }

  Expr boolToInt(Expr value, int64_t ifTrue) {
    return context.getSelect(value, context.getInt(ifTrue), context.getInt(0));
  }

  Expr translateCompare(arith::CmpIPredicate predicate) {
    using P = arith::CmpIPredicate;
    Expr a = operands[0], b = operands[1];
    if (a->isBool()) {
      Expr differ = context.getSelect(a, context.getNot(b), b);
      if (predicate == P::eq)
        return context.getNot(differ);
      if (predicate == P::ne)
        return differ;
      return opaquePredicate(predicate);
    }
    bool isUnsigned = predicate >= P::ult;
    if (isUnsigned && !(isNonNegative(a) && isNonNegative(b)))
      return opaquePredicate(predicate);
    switch (predicate) {
    case P::eq:
      return context.getEq0(context.getSub(a, b));
    case P::ne:
      return context.getNe0(context.getSub(a, b));
    case P::slt:
    case P::ult:
      return context.getLess(a, b);
    case P::sle:
    case P::ule:
      return context.getAtMost(a, b);
    case P::sgt:
    case P::ugt:
      return context.getLess(b, a);
    case P::sge:
    case P::uge:
      return context.getAtMost(b, a);
    }
    return opaquePredicate(predicate);
  }

  /// The predicate is no discardable attribute, so it has to be kept by hand.
  Expr opaquePredicate(arith::CmpIPredicate predicate) {
    auto number = IntegerAttr::get(IntegerType::get(op->getContext(), 64),
                                   static_cast<int64_t>(predicate));
    auto attributes = DictionaryAttr::get(
        op->getContext(),
        {NamedAttribute(StringAttr::get(op->getContext(), "predicate"),
                        number)});
    return context.getOpaque(op->getName(), attributes, type, operands);
  }

  Expr translateCast() {
    Expr a = operands[0];
    if (isa<arith::ExtFOp>(op))
      return context.getCast(ExprKind::ExtF, a, type);
    if (auto trunc = dyn_cast<arith::TruncFOp>(op))
      return trunc.getRoundingmode()
                 ? nullptr
                 : context.getCast(ExprKind::TruncF, a, type);
    if (isa<arith::SIToFPOp>(op)) {
      if (a->isBool())
        a = boolToInt(a, -1);
      return context.getCast(ExprKind::SIToFP, a, type);
    }
    if (isa<arith::UIToFPOp>(op)) {
      if (a->isBool())
        a = boolToInt(a, 1);
      else if (!isNonNegative(a))
        return nullptr;
      return context.getCast(ExprKind::SIToFP, a, type);
    }
    if (isa<arith::FPToSIOp>(op) && !type.isInteger(1))
      return context.getFPToSI(a, getWidth(type));
    if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op)) {
      if (a->isBool())
        return boolToInt(a, 1);
      return isNonNegative(a) ? a : nullptr;
    }
    if (isa<arith::ExtSIOp, arith::IndexCastOp>(op) && a->isBool())
      return boolToInt(a, -1);
    if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
      return wrap(a);
    if (isa<arith::TruncIOp>(op)) {
      if (!type.isInteger(1))
        return wrap(a);
      return context.getNe0(context.getMod(a, context.getInt(2)));
    }
    return nullptr;
  }

  Expr translateComplex() {
    if (isa<complex::CreateOp>(op))
      return context.getComplex(operands[0], operands[1]);
    if (isa<complex::ReOp>(op))
      return context.getRe(operands[0]);
    if (isa<complex::ImOp>(op))
      return context.getIm(operands[0]);
    if (!isa<complex::MulOp, complex::AddOp, complex::SubOp, complex::NegOp,
             complex::ConjOp, complex::ExpOp>(op))
      return nullptr;
    Expr a = context.getRe(operands[0]), b = context.getIm(operands[0]);
    auto binary = [&](ExprKind kind, Expr x, Expr y) {
      return context.getBinary(kind, x, y);
    };
    if (isa<complex::NegOp>(op))
      return context.getComplex(context.getUnary(ExprKind::NegF, a),
                                context.getUnary(ExprKind::NegF, b));
    if (isa<complex::ConjOp>(op))
      return context.getComplex(a, context.getUnary(ExprKind::NegF, b));
    if (isa<complex::ExpOp>(op)) {
      Expr size = context.getUnary(ExprKind::Exp, a);
      return context.getComplex(
          binary(ExprKind::MulF, size, context.getUnary(ExprKind::Cos, b)),
          binary(ExprKind::MulF, size, context.getUnary(ExprKind::Sin, b)));
    }
    Expr c = context.getRe(operands[1]), d = context.getIm(operands[1]);
    if (isa<complex::MulOp>(op))
      return context.getComplex(
          binary(ExprKind::SubF, binary(ExprKind::MulF, a, c),
                 binary(ExprKind::MulF, b, d)),
          binary(ExprKind::AddF, binary(ExprKind::MulF, a, d),
                 binary(ExprKind::MulF, b, c)));
    ExprKind kind = isa<complex::AddOp>(op) ? ExprKind::AddF : ExprKind::SubF;
    return context.getComplex(binary(kind, a, c), binary(kind, b, d));
  }

  Expr translateBool() {
    if (operands.size() != 2 || !operands[0]->isBool())
      return nullptr;
    Expr a = operands[0], b = operands[1];
    if (isa<arith::AndIOp, arith::MulIOp, arith::MinUIOp>(op))
      return context.getAnd({a, b});
    if (isa<arith::OrIOp, arith::MaxUIOp>(op))
      return context.getOr({a, b});
    if (isa<arith::XOrIOp, arith::AddIOp, arith::SubIOp>(op)) {
      if (a->isConstant())
        std::swap(a, b);
      return context.getSelect(b, context.getNot(a), a);
    }
    return nullptr;
  }

  Expr translateInt() {
    Expr a = operands[0], b = operands.size() > 1 ? operands[1] : nullptr;
    if (isa<arith::AddIOp>(op))
      return wrap(context.getAdd(a, b));
    if (isa<arith::SubIOp>(op))
      return wrap(context.getSub(a, b));
    if (isa<arith::MulIOp>(op))
      return wrap(context.getMul(a, b));
    bool nonNegative = isNonNegative(a) && (!b || isNonNegative(b));
    if (isa<arith::MaxSIOp>(op) || (isa<arith::MaxUIOp>(op) && nonNegative))
      return context.getMax(a, b);
    if (isa<arith::MinSIOp>(op) || (isa<arith::MinUIOp>(op) && nonNegative))
      return context.getMin(a, b);
    if (isa<math::AbsIOp>(op))
      return wrap(context.getAbsI(a));
    if (isa<arith::DivSIOp, arith::FloorDivSIOp, arith::DivUIOp>(op))
      return translateDivision(a, b);
    if (isa<arith::RemSIOp, arith::RemUIOp>(op))
      return isNonNegative(a) && isPositive(b) ? context.getMod(a, b) : nullptr;
    if (isa<arith::CeilDivSIOp>(op) && isPositive(b))
      return context.getFloorDiv(context.getAdd(a, context.getAdd(b, -1)), b);
    if (isa<arith::ShLIOp>(op))
      if (auto bits = b->getConstantInt(); bits && *bits >= 0 && *bits < 62)
        return wrap(context.getScaled(a, int64_t(1) << *bits));
    return nullptr;
  }

  Expr translateDivision(Expr a, Expr b) {
    // The program divides by b, so it is not zero: a size is then positive.
    if (!isNonNegative(b))
      return nullptr;
    if (isa<arith::FloorDivSIOp>(op) || isNonNegative(a))
      return context.getFloorDiv(a, b);
    return nullptr;
  }

  ExpressionContext &context;
  Operation *op;
  ArrayRef<Expr> operands;
  Type type;
};
} // namespace

Expr attn::applyScalarOp(ExpressionContext &context, Operation *op,
                         ArrayRef<Expr> operands) {
  if (operands.empty() || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return nullptr;
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  if (!isa<FloatType, ComplexType>(type) && !type.isIntOrIndex())
    return nullptr;
  auto isSupported = [](Value value) { return hasElements(value.getType()); };
  if (!llvm::all_of(op->getOperands(), isSupported) ||
      !hasElements(op->getResult(0).getType()))
    return nullptr;
  return ScalarTranslator(context, op, operands).translate();
}
