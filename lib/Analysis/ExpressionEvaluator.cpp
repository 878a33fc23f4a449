//===- ExpressionEvaluator.cpp - Numbers out of expressions -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A small interpreter of expressions.
///
//===----------------------------------------------------------------------===//

#include "attn/Analysis/ExpressionEvaluator.h"
#include "attn/Analysis/ConstantElements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using Result = std::optional<ExprValue>;

/// A double rounded to a type, fast for the common ones.
static double roundDouble(double value, Type type) {
  if (type.isF64())
    return value;
  if (type.isF32())
    return static_cast<float>(value);
  return roundTo(APFloat(value), type);
}

void ExpressionEvaluator::set(Expr node, int64_t value) {
  bound[node] = ExprValue::getInt(value);
  for (Layer &layer : layers)
    layer.done.clear();
}

void ExpressionEvaluator::set(Expr node, double value) {
  bound[node] = ExprValue::getFloat(value);
  for (Layer &layer : layers)
    layer.done.clear();
}

void ExpressionEvaluator::setIndices(ExpressionContext &context,
                                     const Piece &piece,
                                     ArrayRef<int64_t> local) {
  for (auto [d, dim] : llvm::enumerate(piece.dims)) {
    Expr variable = context.getIndex(d, dim.size);
    if (variable->isVariable())
      set(variable, local[d]);
  }
}

static Result getTruncated(int64_t value, unsigned width, bool isSigned) {
  if (width >= 64)
    return ExprValue::getInt(value);
  uint64_t bits = static_cast<uint64_t>(value) & ((uint64_t(1) << width) - 1);
  return ExprValue::getInt(isSigned ? llvm::SignExtend64(bits, width)
                                    : static_cast<int64_t>(bits));
}

Result ExpressionEvaluator::computeInt(Expr expr,
                                       ArrayRef<ExprValue> operands) {
  auto get = [&](unsigned i) { return operands[i].integer; };
  switch (expr->getKind()) {
  case ExprKind::Sum: {
    int64_t sum = expr->getConstantTerm();
    for (auto [i, factor] : llvm::enumerate(expr->getCoefficients()))
      sum = static_cast<int64_t>(static_cast<uint64_t>(sum) +
                                 static_cast<uint64_t>(factor) *
                                     static_cast<uint64_t>(get(i)));
    return ExprValue::getInt(sum);
  }
  case ExprKind::Product: {
    int64_t product = 1;
    for (ExprValue operand : operands)
      product = static_cast<int64_t>(static_cast<uint64_t>(product) *
                                     static_cast<uint64_t>(operand.integer));
    return ExprValue::getInt(product);
  }
  case ExprKind::FloorDiv:
  case ExprKind::Mod: {
    if (get(1) <= 0)
      return std::nullopt;
    int64_t quotient = llvm::divideFloorSigned(get(0), get(1));
    return ExprValue::getInt(
        expr->is(ExprKind::Mod) ? get(0) - quotient * get(1) : quotient);
  }
  case ExprKind::MaxSI:
    return ExprValue::getInt(std::max(get(0), get(1)));
  case ExprKind::MinSI:
    return ExprValue::getInt(std::min(get(0), get(1)));
  case ExprKind::AbsI:
    return ExprValue::getInt(std::abs(get(0)));
  case ExprKind::TruncI:
  case ExprKind::ExtUI:
    return getTruncated(get(0), expr->getWidth(), expr->is(ExprKind::TruncI));
  case ExprKind::FPToSI:
    if (!(std::fabs(operands[0].number) < 9.0e18))
      return std::nullopt;
    return ExprValue::getInt(static_cast<int64_t>(operands[0].number));
  case ExprKind::Ge0:
    return ExprValue::getInt(get(0) >= 0);
  case ExprKind::Eq0:
    return ExprValue::getInt(get(0) == 0);
  case ExprKind::Ne0:
    return ExprValue::getInt(get(0) != 0);
  case ExprKind::Not:
    return ExprValue::getInt(!get(0));
  case ExprKind::And:
    return ExprValue::getInt(
        llvm::all_of(operands, [](ExprValue v) { return v.integer != 0; }));
  case ExprKind::Or:
    return ExprValue::getInt(
        llvm::any_of(operands, [](ExprValue v) { return v.integer != 0; }));
  case ExprKind::CmpF:
    return ExprValue::getInt(arith::applyCmpPredicate(
        expr->getPredicate(), APFloat(operands[0].number),
        APFloat(operands[1].number)));
  default:
    return std::nullopt;
  }
}

/// Unary and binary functions over doubles.
static std::optional<double> applyFunction(ExprKind kind, double x, double y) {
  switch (kind) {
  case ExprKind::AddF:
    return x + y;
  case ExprKind::SubF:
    return x - y;
  case ExprKind::MulF:
    return x * y;
  case ExprKind::DivF:
    return x / y;
  case ExprKind::RemF:
    return std::fmod(x, y);
  case ExprKind::NegF:
    return -x;
  case ExprKind::AbsF:
    return std::fabs(x);
  case ExprKind::MaximumF:
    return maximum(APFloat(x), APFloat(y)).convertToDouble();
  case ExprKind::MinimumF:
    return minimum(APFloat(x), APFloat(y)).convertToDouble();
  case ExprKind::MaxNumF:
    return std::fmax(x, y);
  case ExprKind::MinNumF:
    return std::fmin(x, y);
  case ExprKind::PowF:
    return std::pow(x, y);
  case ExprKind::Exp:
    return std::exp(x);
  case ExprKind::Exp2:
    return std::exp2(x);
  case ExprKind::ExpM1:
    return std::expm1(x);
  case ExprKind::Log:
    return std::log(x);
  case ExprKind::Log2:
    return std::log2(x);
  case ExprKind::Log1P:
    return std::log1p(x);
  case ExprKind::Sqrt:
    return std::sqrt(x);
  case ExprKind::Rsqrt:
    return 1.0 / std::sqrt(x);
  case ExprKind::Sin:
    return std::sin(x);
  case ExprKind::Cos:
    return std::cos(x);
  case ExprKind::Tan:
    return std::tan(x);
  case ExprKind::Tanh:
    return std::tanh(x);
  case ExprKind::Erf:
    return std::erf(x);
  case ExprKind::Floor:
    return std::floor(x);
  case ExprKind::Ceil:
    return std::ceil(x);
  case ExprKind::Round:
    return std::round(x);
  case ExprKind::RoundEven:
    return std::nearbyint(x);
  case ExprKind::Atan2:
    return std::atan2(x, y);
  case ExprKind::ExtF:
  case ExprKind::TruncF:
    return x;
  default:
    return std::nullopt;
  }
}

Result ExpressionEvaluator::computeFloat(Expr expr,
                                         ArrayRef<ExprValue> operands) {
  Type type = expr->getType();
  if (expr->is(ExprKind::SIToFP)) {
    APFloat value(cast<FloatType>(type).getFloatSemantics());
    value.convertFromAPInt(APInt(64, operands[0].integer, /*isSigned=*/true),
                           /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
    bool inexact = false;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &inexact);
    return ExprValue::getFloat(value.convertToDouble());
  }
  if (expr->is(ExprKind::FPowI))
    return ExprValue::getFloat(roundDouble(
        std::pow(operands[0].number, static_cast<double>(operands[1].integer)),
        type));
  double y = operands.size() > 1 ? operands[1].number : 0.0;
  auto value = applyFunction(expr->getKind(), operands[0].number, y);
  if (!value)
    return std::nullopt;
  return ExprValue::getFloat(roundDouble(*value, type));
}

Result ExpressionEvaluator::computeLoad(Expr expr) {
  SmallVector<int64_t> indices;
  for (Expr operand : expr->getOperands()) {
    auto index = evaluateInt(operand);
    if (!index)
      return std::nullopt;
    indices.push_back(*index);
  }
  auto elements = ConstantElements::get(expr->getValue());
  if (!elements)
    return std::nullopt;
  auto position = elements->getPosition(indices);
  if (!position)
    return std::nullopt;
  return elements->isFloat()
             ? ExprValue::getFloat(elements->getFloat(*position))
             : ExprValue::getInt(elements->getInt(*position));
}

/// Combines two elements of a reduction.
static Result combine(Expr reduce, ExprValue a, ExprValue b) {
  switch (reduce->getCombiner()) {
  case ExprKind::Sum:
    return ExprValue::getInt(a.integer + b.integer);
  case ExprKind::Product:
    return ExprValue::getInt(a.integer * b.integer);
  case ExprKind::MaxSI:
    return ExprValue::getInt(std::max(a.integer, b.integer));
  case ExprKind::MinSI:
    return ExprValue::getInt(std::min(a.integer, b.integer));
  case ExprKind::And:
    return ExprValue::getInt(a.integer && b.integer);
  case ExprKind::Or:
    return ExprValue::getInt(a.integer || b.integer);
  default:
    break;
  }
  auto value = applyFunction(reduce->getCombiner(), a.number, b.number);
  if (!value)
    return std::nullopt;
  return ExprValue::getFloat(roundDouble(*value, reduce->getType()));
}

Result ExpressionEvaluator::computeReduce(Expr expr) {
  SmallVector<int64_t> sizes;
  for (Expr variable : expr->getVariables()) {
    auto size = evaluateInt(variable->getExtent());
    if (!size)
      return std::nullopt;
    sizes.push_back(*size);
  }
  Result value = evaluate(expr->getInit());
  if (!value || llvm::any_of(sizes, [](int64_t size) { return size <= 0; }))
    return value;
  layers.emplace_back();
  llvm::append_range(layers.back().variables, expr->getVariables());
  SmallVector<int64_t> point(sizes.size(), 0);
  while (value) {
    for (auto [variable, at] : llvm::zip_equal(expr->getVariables(), point))
      bound[variable] = ExprValue::getInt(at);
    layers.back().done.clear();
    Result element = evaluate(expr->getBody());
    value = element ? combine(expr, *value, *element) : std::nullopt;
    unsigned d = point.size();
    while (d > 0 && ++point[d - 1] == sizes[d - 1])
      point[--d] = 0;
    if (d == 0)
      break;
  }
  layers.pop_back();
  for (Expr variable : expr->getVariables())
    bound.erase(variable);
  return value;
}

/// Whether a variable occurs; the answer is kept.
bool ExpressionEvaluator::dependsOn(Expr expr, Expr variable) {
  if (expr == variable)
    return true;
  if (!expr->hasVariables() || expr->getOperands().empty())
    return false;
  auto [it, isNew] = dependences.try_emplace({expr, variable}, false);
  if (!isNew)
    return it->second;
  bool result = llvm::any_of(expr->getOperands(), [&](Expr operand) {
    return dependsOn(operand, variable);
  });
  dependences[{expr, variable}] = result;
  return result;
}

/// The innermost reduction whose step changes the expression.
ExpressionEvaluator::Layer &ExpressionEvaluator::getLayer(Expr expr) {
  for (Layer &layer : llvm::reverse(layers))
    for (Expr variable : layer.variables)
      if (dependsOn(expr, variable))
        return layer;
  return layers.front();
}

Result ExpressionEvaluator::compute(Expr expr) {
  switch (expr->getKind()) {
  case ExprKind::Constant:
    if (auto number = expr->getConstantFloat())
      return ExprValue::getFloat(*number);
    return ExprValue::getInt(*expr->getConstantInt());
  case ExprKind::Index:
  case ExprKind::Bound:
  case ExprKind::Dim:
    return std::nullopt;
  case ExprKind::Load:
    return computeLoad(expr);
  case ExprKind::Reduce:
    return computeReduce(expr);
  case ExprKind::Select: {
    // The arm that is not taken may read outside of a constant.
    auto condition = evaluateInt(expr->getOperand(0));
    if (!condition)
      return std::nullopt;
    return evaluate(expr->getOperand(*condition ? 1 : 2));
  }
  default:
    break;
  }
  SmallVector<ExprValue> operands;
  for (Expr operand : expr->getOperands()) {
    Result value = evaluate(operand);
    if (!value)
      return std::nullopt;
    operands.push_back(*value);
  }
  if (operands.empty())
    return std::nullopt;
  return expr->isFloat() ? computeFloat(expr, operands)
                         : computeInt(expr, operands);
}

Result ExpressionEvaluator::evaluate(Expr expr) {
  if (auto it = bound.find(expr); it != bound.end())
    return it->second;
  if (expr->isConstant())
    return compute(expr);
  auto &known = getLayer(expr).done;
  if (auto it = known.find(expr); it != known.end())
    return it->second;
  if (budget == 0)
    return std::nullopt;
  --budget;
  Result value = compute(expr);
  // The layers may have moved meanwhile.
  getLayer(expr).done[expr] = value;
  return value;
}

std::optional<int64_t> ExpressionEvaluator::evaluateInt(Expr expr) {
  Result value = evaluate(expr);
  if (!value || value->isFloat)
    return std::nullopt;
  return value->integer;
}

std::optional<double> ExpressionEvaluator::evaluateFloat(Expr expr) {
  Result value = evaluate(expr);
  if (!value || !value->isFloat)
    return std::nullopt;
  return value->number;
}

Result attn::evaluateAt(ExpressionContext &context, const ElementMap &map,
                        ArrayRef<int64_t> indices) {
  for (const Piece &piece : map.pieces) {
    SmallVector<int64_t> local;
    for (auto [dim, index] : llvm::zip_equal(piece.dims, indices)) {
      auto offset = dim.offset->getConstantInt();
      auto size = dim.size->getConstantInt();
      if (!offset || !size)
        return std::nullopt;
      int64_t distance = index - *offset;
      if (distance < 0 || distance % dim.stride != 0 ||
          distance / dim.stride >= *size)
        break;
      local.push_back(distance / dim.stride);
    }
    if (local.size() != piece.dims.size())
      continue;
    ExpressionEvaluator evaluator;
    evaluator.setIndices(context, piece, local);
    return evaluator.evaluate(piece.value);
  }
  return std::nullopt;
}
