//===- ExpressionEvaluator.h - Numbers out of expressions -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates expressions at concrete indices, to classify constant masks,
/// frequency vectors and tables.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_EXPRESSIONEVALUATOR_H
#define ATTN_ANALYSIS_EXPRESSIONEVALUATOR_H

#include "attn/Analysis/ElementMap.h"

namespace mlir::attn {

/// An integer (or a boolean as 0 or 1), or a float.
struct ExprValue {
  bool isFloat = false;
  int64_t integer = 0;
  double number = 0.0;

  static ExprValue getInt(int64_t value) { return {false, value, 0.0}; }
  static ExprValue getFloat(double value) { return {true, 0, value}; }
};

/// Interprets expressions. Variables, sizes and any other node get their value
/// from set(); loads of constants are read; everything else that is not known
/// makes the result nothing. Every float result is rounded to its type.
class ExpressionEvaluator {
public:
  /// At most `budget` nodes are evaluated in all (over the life of the
  /// evaluator); beyond that there is no result.
  explicit ExpressionEvaluator(uint64_t budget = uint64_t(1) << 26)
      : budget(budget) {}

  void set(Expr node, int64_t value);
  void set(Expr node, double value);
  /// Binds the variables of a piece so that it is evaluated at local indices.
  void setIndices(ExpressionContext &context, const Piece &piece,
                  ArrayRef<int64_t> local);

  std::optional<ExprValue> evaluate(Expr expr);
  std::optional<int64_t> evaluateInt(Expr expr);
  std::optional<double> evaluateFloat(Expr expr);

private:
  std::optional<ExprValue> compute(Expr expr);
  std::optional<ExprValue> computeInt(Expr expr, ArrayRef<ExprValue> operands);
  std::optional<ExprValue> computeFloat(Expr expr,
                                        ArrayRef<ExprValue> operands);
  std::optional<ExprValue> computeLoad(Expr expr);
  std::optional<ExprValue> computeReduce(Expr expr);

  /// Results that depend on the variables of one reduction that is being
  /// evaluated (on none, for the first layer), so that a step of a reduction
  /// forgets only what it changes.
  struct Layer {
    SmallVector<Expr, 2> variables;
    llvm::DenseMap<Expr, std::optional<ExprValue>> done;
  };

  bool dependsOn(Expr expr, Expr variable);
  Layer &getLayer(Expr expr);

  llvm::DenseMap<Expr, ExprValue> bound;
  llvm::DenseMap<std::pair<Expr, Expr>, bool> dependences;
  SmallVector<Layer, 2> layers = {Layer()};
  uint64_t budget;
};

/// The element of a map at concrete indices; sizes have to be constants.
std::optional<ExprValue> evaluateAt(ExpressionContext &context,
                                    const ElementMap &map,
                                    ArrayRef<int64_t> indices);

} // namespace mlir::attn

#endif // ATTN_ANALYSIS_EXPRESSIONEVALUATOR_H
