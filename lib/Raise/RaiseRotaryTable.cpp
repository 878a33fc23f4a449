//===- RaiseRotaryTable.cpp - Tables of rotary angles -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the factors of a rotation are: cosine and sine of positions times
/// frequencies, rows of constant tables of such, or any tensors.
///
/// Graphs compute the angle in f32, and models were trained with what that
/// gives; at a million it is 0.03 rad off. So a raised table rounds as the
/// graph does (`angles = f32`), at any position, and `exact` is for graphs that
/// compute the angle in f64 and for stored tables that were made that way.
/// Cosines and sines that a graph rounds to 16 bits are rounded by the table.
/// The order in which several constants are multiplied is not kept: that is one
/// rounding of the frequency.
///
//===----------------------------------------------------------------------===//

#include "Frequencies.h"
#include "RaiseRotary.h"
#include "attn/Analysis/ConstantElements.h"
#include "attn/Analysis/ExpressionEvaluator.h"
#include "attn/Raise/EmitExpression.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {

struct Table {
  Expr position = nullptr;
  /// Over the pair; null if only a rule is known.
  Expr frequency = nullptr;
  FrequenciesAttr rule;
  AngleType angles = AngleType::F32;
  double magnitude = 1.0;
  /// The 16-bit type that cosines and sines are rounded to, or null.
  Type rounding;
};

/// A cosine or sine, or a row of a table, with what is done to it.
struct Factor {
  Expr base = nullptr;
  double magnitude = 1.0;
  /// The 16-bit type that the product with the magnitude is rounded to, or
  /// null.
  Type rounding;
  /// There is nothing else that rounds to 16 bits.
  bool roundsOnce = true;
};

/// What factors are: a table, tensors that are no known table, or (with a
/// reason) something that should not be taken for a rotation.
enum class FactorKind { Table, Tensors, Contradiction };

class TableMatcher {
public:
  TableMatcher(ExpressionContext &context, const RotaryFactors &factors,
               std::string &reason)
      : context(context), factors(factors), reason(reason) {}

  FactorKind run(Table &table);

private:
  FactorKind matchAngles(Expr cos, Expr sin, Table &table);
  bool splitAngle(Expr angle, Expr &position, Expr &frequency);
  FactorKind matchConstants(const Factor &cosine, const Factor &sine,
                            Table &table);
  /// Whether a variable occurs. What has a size of one has none.
  bool mentions(Expr expr, Expr variable) const {
    return variable->is(ExprKind::Index) && context.occurs(variable, expr);
  }
  FactorKind keepTensors(StringRef why) {
    reason = ("the table of cosines and sines is kept: " + why).str();
    return FactorKind::Tensors;
  }

  ExpressionContext &context;
  const RotaryFactors &factors;
  std::string &reason;
};

/// A constant table read at one row per position and one column per pair.
struct ConstantTable {
  std::optional<ConstantElements> elements;
  SmallVector<int64_t> indices;
  unsigned rowDim = 0;
  /// Not given for a single pair, which is in a column of a known number.
  std::optional<unsigned> columnDim;
  SmallVector<int64_t> columns;
  Expr row = nullptr;
  double factor = 1.0;

  static std::optional<ConstantTable> get(Expr load, double factor,
                                          const RotaryFactors &factors,
                                          ExpressionContext &context);
  int64_t getNumRows() const { return elements->getShape()[rowDim]; }
  double at(int64_t row, int64_t pair) {
    indices[rowDim] = row;
    if (columnDim)
      indices[*columnDim] = columns[pair];
    return factor * elements->getFloat(*elements->getPosition(indices));
  }
};

} // namespace

static unsigned getPrecision(Type type) {
  return cast<FloatType>(type).getFPMantissaWidth();
}

/// Takes constant factors and conversions off a product.
static Factor splitFactor(Expr expr) {
  Factor factor;
  while (true) {
    if (!expr->is(ExprKind::ExtF) && getPrecision(expr->getType()) < 24) {
      // What is rounded again, or multiplied after it, is no rounded product.
      factor.roundsOnce &=
          factor.magnitude == 1.0 &&
          (!factor.rounding || factor.rounding == expr->getType());
      factor.rounding = expr->getType();
    }
    factor.base = expr;
    if (expr->is(ExprKind::ExtF) || expr->is(ExprKind::TruncF)) {
      expr = expr->getOperand(0);
      continue;
    }
    if (!expr->is(ExprKind::MulF) && !expr->is(ExprKind::DivF))
      return factor;
    Expr a = expr->getOperand(0), b = expr->getOperand(1);
    if (expr->is(ExprKind::MulF) && a->isConstant())
      std::swap(a, b);
    std::optional<double> constant = b->getConstantFloat();
    if (!constant || a->isConstant())
      return factor;
    factor.magnitude = expr->is(ExprKind::MulF) ? factor.magnitude * *constant
                                                : factor.magnitude / *constant;
    expr = a;
  }
}

/// Splits an angle into an integer position and a frequency; a null frequency
/// is 1.
bool TableMatcher::splitAngle(Expr angle, Expr &position, Expr &frequency) {
  if (angle->is(ExprKind::ExtF) || angle->is(ExprKind::TruncF)) {
    // An angle rounded to 16 bits is no product of position and frequency.
    return getPrecision(angle->getType()) >= 24 &&
           splitAngle(angle->getOperand(0), position, frequency);
  }
  if (angle->is(ExprKind::SIToFP)) {
    position = angle->getOperand(0);
    return getPrecision(angle->getType()) >= 24 &&
           !mentions(position, factors.pair);
  }
  if (std::optional<double> number = angle->getConstantFloat()) {
    if (*number != std::floor(*number) || std::abs(*number) > 0x1p24)
      return false;
    position = context.getInt(static_cast<int64_t>(*number));
    return true;
  }
  if (!angle->is(ExprKind::MulF) && !angle->is(ExprKind::DivF))
    return false;
  Expr place = angle->getOperand(0), factor = angle->getOperand(1);
  bool division = angle->is(ExprKind::DivF);
  auto mentionsPlace = [&](Expr expr) {
    return mentions(expr, factors.batch) || mentions(expr, factors.sequence);
  };
  bool swap =
      !division && (mentionsPlace(factor) ||
                    (!mentionsPlace(place) && mentions(place, factors.pair)));
  if (swap)
    std::swap(place, factor);
  if (mentionsPlace(factor) || getPrecision(angle->getType()) < 24 ||
      !splitAngle(place, position, frequency))
    return false;
  Expr one = context.getFloat(1.0, angle->getType());
  if (division)
    factor = context.getBinary(ExprKind::DivF, one, factor);
  if (frequency && frequency->getType() != factor->getType())
    return false;
  frequency =
      frequency ? context.getBinary(ExprKind::MulF, frequency, factor) : factor;
  return true;
}

FactorKind TableMatcher::matchAngles(Expr cos, Expr sin, Table &table) {
  if (cos->is(ExprKind::Sin) && sin->is(ExprKind::Cos)) {
    reason = "cosine and sine are swapped";
    return FactorKind::Contradiction;
  }
  if (!cos->is(ExprKind::Cos) || !sin->is(ExprKind::Sin)) {
    reason = "one factor is a cosine or a sine and the other is not its match";
    return FactorKind::Contradiction;
  }
  if (cos->getOperand(0) != sin->getOperand(0)) {
    reason = "cosine and sine are of different angles";
    return FactorKind::Contradiction;
  }
  Expr angle = cos->getOperand(0);
  if (!splitAngle(angle, table.position, table.frequency))
    return keepTensors("the angle is no position times a frequency, in f32 or "
                       "wider");
  if (!table.frequency)
    table.frequency = context.getFloat(1.0, angle->getType());
  // Only f32 and f64 are types of a frequency operand.
  if (getPrecision(table.frequency->getType()) < 24 ||
      !isSafeToEmit(context, table.frequency))
    return keepTensors("the frequencies are narrower than f32, or cannot be "
                       "computed anew without losing a check");
  table.angles = angle->getType().isF64() ? AngleType::Exact : AngleType::F32;

  SmallVector<double> frequencies;
  for (int64_t pair : llvm::seq(factors.pairs)) {
    ExpressionEvaluator evaluator;
    if (factors.pair->is(ExprKind::Index))
      evaluator.set(factors.pair, pair);
    std::optional<double> number = evaluator.evaluateFloat(table.frequency);
    if (!number)
      return FactorKind::Table;
    frequencies.push_back(*number);
  }
  table.rule = recoverFrequencies(context.getMLIRContext(), frequencies,
                                  getPrecision(table.frequency->getType()));
  return FactorKind::Table;
}

std::optional<ConstantTable> ConstantTable::get(Expr load, double factor,
                                                const RotaryFactors &factors,
                                                ExpressionContext &context) {
  ConstantTable table;
  table.factor = factor;
  table.elements = ConstantElements::get(load->getValue());
  if (!table.elements || !table.elements->isFloat())
    return std::nullopt;
  std::optional<unsigned> row, column;
  bool single = factors.pairs == 1;
  for (auto [dimension, index] : llvm::enumerate(load->getOperands())) {
    std::optional<int64_t> constant = index->getConstantInt();
    table.indices.push_back(constant.value_or(0));
    if (single && constant)
      continue;
    if (!single && context.occurs(factors.pair, index)) {
      if (column)
        return std::nullopt;
      column = dimension;
    } else if (table.elements->getShape()[dimension] != 1) {
      if (row)
        return std::nullopt;
      row = dimension;
    }
  }
  if (!row || (!column && !single))
    return std::nullopt;
  table.rowDim = *row;
  table.columnDim = column;
  table.row = load->getOperand(*row);
  if (single)
    return table;
  for (int64_t pair : llvm::seq(factors.pairs)) {
    ExpressionEvaluator evaluator;
    evaluator.set(factors.pair, pair);
    std::optional<int64_t> number =
        evaluator.evaluateInt(load->getOperand(*column));
    if (!number || *number < 0 ||
        *number >= table.elements->getShape()[*column])
      return std::nullopt;
    table.columns.push_back(*number);
  }
  return table;
}

/// Largest distance between the tables and a rule, relative to what an angle
/// computed in f32 is off at that position.
static double getError(ConstantTable &cos, ConstantTable &sin,
                       const Table &table) {
  SmallVector<double> frequencies = table.rule.evaluate();
  double base = table.rule.getParameter("base");
  double spread = 4 + (std::isfinite(base) ? std::abs(std::log(base)) : 0);
  double worst = 0;
  for (int64_t row : llvm::seq(std::min(cos.getNumRows(), sin.getNumRows())))
    for (auto [pair, frequency] : llvm::enumerate(frequencies)) {
      double angle = static_cast<double>(row) * frequency;
      if (table.angles == AngleType::F32)
        angle = static_cast<float>(row) * static_cast<float>(frequency);
      double bound =
          std::abs(table.magnitude) * 0x1p-24 * (4 + spread * std::abs(angle));
      double off = std::max(
          std::abs(cos.at(row, pair) - table.magnitude * std::cos(angle)),
          std::abs(sin.at(row, pair) - table.magnitude * std::sin(angle)));
      worst = std::max(worst, off / bound);
    }
  return worst;
}

/// Classifies constant tables by their values.
FactorKind TableMatcher::matchConstants(const Factor &cosine,
                                        const Factor &sine, Table &table) {
  auto cos =
      ConstantTable::get(cosine.base, cosine.magnitude, factors, context);
  auto sin = ConstantTable::get(sine.base, sine.magnitude, factors, context);
  if (!cos || !sin || cos->getNumRows() < 2 || sin->getNumRows() < 2)
    return keepTensors("it is no constant with a row for each position and a "
                       "column for each pair");
  if (cos->row != sin->row) {
    reason = "cosine and sine are read at different positions";
    return FactorKind::Contradiction;
  }
  int64_t rows = std::min(cos->getNumRows(), sin->getNumRows());
  double magnitude = std::hypot(cos->at(0, 0), sin->at(0, 0));
  for (int64_t row : llvm::seq(rows))
    for (int64_t pair : llvm::seq(factors.pairs)) {
      double length = std::hypot(cos->at(row, pair), sin->at(row, pair));
      if (!(std::abs(length - magnitude) <= 0x1p-7 * magnitude)) {
        reason = "the tables are not cosines and sines of one angle";
        return FactorKind::Contradiction;
      }
    }
  table.position = cos->row;
  table.magnitude = cos->at(0, 0);
  SmallVector<double> frequencies;
  for (int64_t pair : llvm::seq(factors.pairs))
    frequencies.push_back(std::atan2(sin->at(1, pair), cos->at(1, pair)));
  // Two bits less than f32: cosine and sine were rounded as well.
  table.rule = recoverFrequencies(context.getMLIRContext(), frequencies, 22);
  if (!table.rule)
    return keepTensors("its frequencies follow no known rule");
  double roundedError = getError(*cos, *sin, table);
  table.angles = AngleType::Exact;
  double exactError = getError(*cos, *sin, table);
  if (std::min(exactError, roundedError) > 1)
    return keepTensors("some of its rows are not what its frequencies give");
  if (roundedError < exactError)
    table.angles = AngleType::F32;
  return FactorKind::Table;
}

FactorKind TableMatcher::run(Table &table) {
  Factor cos = splitFactor(factors.cos), sin = splitFactor(factors.sin);
  auto isTrigonometric = [](Expr expr) {
    return expr->is(ExprKind::Cos) || expr->is(ExprKind::Sin);
  };
  FactorKind kind;
  if (isTrigonometric(cos.base) || isTrigonometric(sin.base)) {
    if (cos.magnitude != sin.magnitude) {
      reason = llvm::formatv("the cosine is multiplied by {0} and the sine by "
                             "{1}",
                             cos.magnitude, sin.magnitude);
      return FactorKind::Contradiction;
    }
    table.magnitude = cos.magnitude;
    kind = matchAngles(cos.base, sin.base, table);
  } else if (cos.base->is(ExprKind::Load) && sin.base->is(ExprKind::Load)) {
    // What the caller gives needs no explanation.
    if (isa<BlockArgument>(cos.base->getValue()) &&
        isa<BlockArgument>(sin.base->getValue()))
      return FactorKind::Tensors;
    kind = matchConstants(cos, sin, table);
  } else {
    return keepTensors("it is neither computed by cosine and sine nor "
                       "constant");
  }
  if (kind == FactorKind::Table &&
      (!cos.roundsOnce || !sin.roundsOnce || cos.rounding != sin.rounding))
    return keepTensors("it is rounded to 16 bits in more than one way");
  table.rounding = cos.rounding;
  return kind;
}

static FailureOr<std::pair<Value, Value>>
emitTable(OpBuilder &builder, Location loc, ElementExpression &elements,
          const RotaryFactors &factors, const Table &table, Value rotated,
          std::string &reason) {
  FailureOr<Value> positions =
      emitPositions(builder, loc, elements, table.position, factors.batch,
                    factors.sequence, rotated);
  FailureOr<Value> frequencies = Value();
  if (!table.rule)
    frequencies = emitTensor(builder, loc, table.frequency, factors.pair);
  if (failed(positions) || failed(frequencies)) {
    reason = "the positions or the frequencies cannot be had as a tensor";
    return failure();
  }
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, *positions);
  sizes.push_back(builder.getIndexAttr(factors.pairs));
  Type elementType = cast<ShapedType>(rotated.getType()).getElementType();
  if (table.rounding)
    elementType = table.rounding;
  else if (!elementType.isF64())
    elementType = builder.getF32Type();
  Value init = tensor::EmptyOp::create(builder, loc, sizes, elementType);
  auto op = RotaryTableOp::create(
      builder, loc, TypeRange{init.getType(), init.getType()}, *positions,
      *frequencies, ValueRange{init, init}, table.rule, table.angles,
      llvm::APFloat(table.magnitude));
  return std::pair<Value, Value>(op.getResult(0), op.getResult(1));
}

FailureOr<std::pair<Value, Value>>
attn::emitRotaryFactors(OpBuilder &builder, Location loc,
                        ElementExpression &elements,
                        const RotaryFactors &factors, Value rotated,
                        std::string &what, std::string &reason) {
  ExpressionContext &context = elements.getContext();
  Table table;
  FactorKind kind = TableMatcher(context, factors, reason).run(table);
  if (kind == FactorKind::Contradiction)
    return failure();
  if (kind == FactorKind::Table) {
    FailureOr<std::pair<Value, Value>> emitted =
        emitTable(builder, loc, elements, factors, table, rotated, reason);
    if (succeeded(emitted)) {
      what = table.rule ? ("frequency rule '" +
                           stringifyFrequencyRule(table.rule.getRule()) + "'")
                              .str()
                        : "explicit frequencies";
      return emitted;
    }
  }
  SmallVector<Expr> variables = {factors.batch, factors.sequence, factors.pair};
  std::pair<Value, Value> result;
  for (auto [factor, value] : {std::pair(factors.cos, &result.first),
                               std::pair(factors.sin, &result.second)}) {
    FailureOr<Value> tensor =
        findSlice(builder, loc, elements, factor, variables, rotated);
    if (failed(tensor) && isSafeToEmit(context, factor))
      tensor = emitTensor(builder, loc, factor, variables);
    if (failed(tensor)) {
      reason = "no value of the graph holds the cosines and sines, and reading "
               "them anew would lose a check";
      return failure();
    }
    *value = *tensor;
  }
  what = "tensors of cosines and sines";
  return result;
}
