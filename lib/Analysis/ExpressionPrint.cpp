//===- ExpressionPrint.cpp - Text of expressions ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints expressions for people and for tests: `i2 <= i3 & %m[i0, i3] != 0`.
///
//===----------------------------------------------------------------------===//

#include "attn/Analysis/Expression.h"

#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

StringRef mlir::attn::getKindName(ExprKind kind) {
  static constexpr StringLiteral names[] = {
      "constant",  "index",  "bound",  "dim",    "load",   "add",     "mul",
      "floordiv",  "mod",    "divsi",  "remsi",  "max",    "min",     "abs",
      "trunci",    "extui",  "fptosi", "ge",     "eq",     "ne",      "cmpf",
      "and",       "or",     "not",    "select", "reduce", "opaque",  "addf",
      "subf",      "mulf",   "divf",   "remf",   "negf",   "absf",    "maximum",
      "minimum",   "maxnum", "minnum", "pow",    "powi",   "exp",     "exp2",
      "expm1",     "log",    "log2",   "log1p",  "sqrt",   "rsqrt",   "sin",
      "cos",       "tan",    "tanh",   "erf",    "floor",  "ceil",    "round",
      "roundeven", "atan2",  "extf",   "truncf", "sitofp", "complex", "re",
      "im"};
  static_assert(std::size(names) == static_cast<size_t>(ExprKind::Im) + 1);
  return names[static_cast<size_t>(kind)];
}

namespace {
/// Precedence of the operators, loosest first.
enum Level {
  Lowest,
  OrLevel,
  AndLevel,
  CompareLevel,
  AddLevel,
  MulLevel,
  Atom
};

class Printer {
public:
  Printer(raw_ostream &os, AsmState *state) : os(os), state(state) {}

  void print(Expr expr, int outer = Lowest) {
    // Shared parts are printed again and again: stop at some length.
    if (budget == 0) {
      os << "...";
      return;
    }
    --budget;
    int level = getLevel(expr);
    if (level < outer)
      os << '(';
    printInner(expr, level);
    if (level < outer)
      os << ')';
  }

private:
  static int getLevel(Expr expr) {
    switch (expr->getKind()) {
    case ExprKind::Or:
      return OrLevel;
    case ExprKind::And:
      return AndLevel;
    case ExprKind::Ge0:
    case ExprKind::Eq0:
    case ExprKind::Ne0:
    case ExprKind::CmpF:
      return CompareLevel;
    case ExprKind::Sum:
    case ExprKind::AddF:
    case ExprKind::SubF:
      return AddLevel;
    case ExprKind::Product:
    case ExprKind::FloorDiv:
    case ExprKind::Mod:
    case ExprKind::MulF:
    case ExprKind::DivF:
      return MulLevel;
    default:
      return Atom;
    }
  }

  void printValue(Value value) {
    if (state) {
      value.printAsOperand(os, *state);
      return;
    }
    if (auto argument = dyn_cast<BlockArgument>(value))
      os << "%arg" << argument.getArgNumber();
    else
      os << '%' << value.getDefiningOp()->getName().stripDialect();
  }

  void printList(ArrayRef<Expr> operands) {
    llvm::interleaveComma(operands, os, [&](Expr operand) { print(operand); });
  }

  void printBinary(ArrayRef<Expr> operands, StringRef symbol, int level) {
    print(operands.front(), level);
    for (Expr operand : operands.drop_front()) {
      os << ' ' << symbol << ' ';
      print(operand, level + 1);
    }
  }

  void printConstant(Expr expr) {
    if (expr->isBool())
      os << (expr->isTrue() ? "true" : "false");
    else if (auto value = expr->getConstantInt())
      os << *value;
    else
      printNumber(*expr->getConstantFloat());
  }

  void printNumber(double value) {
    SmallString<24> text;
    APFloat(value).toString(text, /*FormatPrecision=*/9, /*MaxPadding=*/3);
    StringRef shown = text;
    os << shown;
    if (std::isfinite(value) && shown.find_first_of(".eE") == StringRef::npos)
      os << ".0";
  }

  /// One side of a comparison, or the whole polynomial: the terms for which
  /// `sign * coefficient` is positive.
  void printTerms(Expr expr, int64_t constant,
                  ArrayRef<std::pair<Expr, int64_t>> terms) {
    bool first = true;
    for (auto [term, factor] : terms) {
      if (factor < 0)
        os << (first ? "-" : " - ");
      else if (!first)
        os << " + ";
      first = false;
      if (std::abs(factor) != 1)
        os << std::abs(factor) << " * ";
      print(term, MulLevel + (term->is(ExprKind::Product) ? 0 : 1));
    }
    if (first)
      os << constant;
    else if (constant)
      os << (constant < 0 ? " - " : " + ") << std::abs(constant);
  }

  void printSum(Expr expr) {
    SmallVector<std::pair<Expr, int64_t>> terms;
    for (auto [term, factor] :
         llvm::zip_equal(expr->getOperands(), expr->getCoefficients()))
      terms.push_back({term, factor});
    printTerms(expr, expr->getConstantTerm(), terms);
  }

  /// `P >= 0` as `negative terms <= positive terms + constant`.
  void printComparison(Expr expr, StringRef symbol) {
    Expr polynomial = expr->getOperand(0);
    SmallVector<std::pair<Expr, int64_t>> left, right;
    int64_t constant = 0;
    if (!polynomial->is(ExprKind::Sum)) {
      right.push_back({polynomial, 1});
    } else {
      constant = polynomial->getConstantTerm();
      for (auto [term, factor] : llvm::zip_equal(
               polynomial->getOperands(), polynomial->getCoefficients())) {
        if (factor < 0)
          left.push_back({term, -factor});
        else
          right.push_back({term, factor});
      }
    }
    // A lone constant reads better on the side without terms, and a lone term
    // on the left.
    if (left.empty() && symbol != "<=") {
      printTerms(expr, 0, right);
      os << ' ' << symbol << ' ' << -constant;
      return;
    }
    bool moveConstant = left.empty();
    printTerms(expr, moveConstant ? -constant : 0, left);
    os << ' ' << symbol << ' ';
    printTerms(expr, moveConstant ? 0 : constant, right);
  }

  void printReduce(Expr expr) {
    ExprKind combiner = expr->getCombiner();
    os << (combiner == ExprKind::Sum || combiner == ExprKind::AddF
               ? StringRef("sum")
               : getKindName(combiner));
    os << '{';
    llvm::interleaveComma(expr->getVariables(), os, [&](Expr variable) {
      print(variable);
      os << " < ";
      print(variable->getExtent());
    });
    os << "}(";
    print(expr->getBody());
    os << "; ";
    print(expr->getInit());
    os << ')';
  }

  void printCall(StringRef name, Expr expr) {
    os << name << '(';
    printList(expr->getOperands());
    os << ')';
  }

  void printInner(Expr expr, int level) {
    switch (expr->getKind()) {
    case ExprKind::Constant:
      return printConstant(expr);
    case ExprKind::Index:
      os << 'i' << expr->getPosition();
      return;
    case ExprKind::Bound:
      os << 'r' << expr->getPosition();
      return;
    case ExprKind::Dim:
      os << "dim(";
      printValue(expr->getValue());
      os << ", " << expr->getDimension() << ')';
      return;
    case ExprKind::Load:
      printValue(expr->getValue());
      if (isa<ShapedType>(expr->getValue().getType())) {
        os << '[';
        printList(expr->getOperands());
        os << ']';
      }
      return;
    case ExprKind::Sum:
      return printSum(expr);
    case ExprKind::Ge0:
      return printComparison(expr, "<=");
    case ExprKind::Eq0:
      return printComparison(expr, "==");
    case ExprKind::Ne0:
      return printComparison(expr, "!=");
    case ExprKind::CmpF:
      print(expr->getOperand(0), level + 1);
      os << ' ' << arith::stringifyCmpFPredicate(expr->getPredicate()) << ' ';
      print(expr->getOperand(1), level + 1);
      return;
    case ExprKind::And:
      return printBinary(expr->getOperands(), "&", level);
    case ExprKind::Or:
      return printBinary(expr->getOperands(), "|", level);
    case ExprKind::AddF:
      return printBinary(expr->getOperands(), "+", level);
    case ExprKind::SubF:
      return printBinary(expr->getOperands(), "-", level);
    case ExprKind::Product:
    case ExprKind::MulF:
      return printBinary(expr->getOperands(), "*", level);
    case ExprKind::DivF:
      return printBinary(expr->getOperands(), "/", level);
    case ExprKind::FloorDiv:
    case ExprKind::Mod:
      return printBinary(expr->getOperands(), getKindName(expr->getKind()),
                         level);
    case ExprKind::NegF:
      os << '-';
      return print(expr->getOperand(0), Atom);
    case ExprKind::Not:
      os << '!';
      return print(expr->getOperand(0), Atom);
    case ExprKind::Reduce:
      return printReduce(expr);
    case ExprKind::Opaque:
      return printCall(expr->getOpName().getStringRef(), expr);
    case ExprKind::ExtF:
    case ExprKind::TruncF:
    case ExprKind::SIToFP: {
      std::string name;
      llvm::raw_string_ostream stream(name);
      stream << expr->getType();
      return printCall(name, expr);
    }
    default:
      return printCall(getKindName(expr->getKind()), expr);
    }
  }

  raw_ostream &os;
  AsmState *state;
  unsigned budget = 1 << 14;
};
} // namespace

void ExpressionContext::print(raw_ostream &os, Expr expr,
                              AsmState *state) const {
  Printer(os, state).print(expr);
}

std::string ExpressionContext::toString(Expr expr) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(stream, expr);
  return text;
}
