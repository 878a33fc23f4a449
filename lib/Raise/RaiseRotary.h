//===- RaiseRotary.h - Rotations by what elements equal ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The parts of the rotary raiser: a value that is a rotation of another, the
/// table of cosines and sines that it is rotated by, and a search for values
/// of the graph that hold given elements.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_RAISEROTARY_H
#define ATTN_LIB_RAISE_RAISEROTARY_H

#include "ExpressionQueries.h"
#include "attn/Analysis/ElementExpression.h"
#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// What a dimension of a rotated value is, in the order of `attn.rotary`.
enum class RotaryRole : uint8_t { Batch, Head, Sequence, Feature };

/// The factors of a rotation, as expressions over `batch` and `sequence`
/// (variables, or 0 for a size of one) and the number `pair` of the pair.
struct RotaryFactors {
  Expr cos = nullptr, sin = nullptr;
  Expr batch = nullptr, sequence = nullptr, pair = nullptr;
  int64_t pairs = 0;
  /// Sizes of `sequence`, and of `batch` where the factors depend on it.
  Expr length = nullptr;
};

/// A value that is a rotation of `input`.
struct RotaryMatch {
  Value input;
  /// The dimensions of the value and of the input.
  SmallVector<RotaryRole, 4> roles, inputRoles;
  RotaryLayout layout = RotaryLayout::SplitHalf;
  RotaryLayout layoutOut = RotaryLayout::SplitHalf;
  int64_t first = 0;
  bool inverse = false;
  /// Some elements of the last dimension are not rotated.
  bool partial = false;
  /// The value has batch and heads in one dimension: `roles` are those of the
  /// value before these were merged.
  bool merged = false;
  RotaryFactors factors;
};

/// Matches `value` as a rotation. If it only looks like one, `reason` says what
/// is wrong; it stays empty for other values.
std::optional<RotaryMatch> matchRotary(ElementExpression &elements, Value value,
                                       std::string &reason);

/// Emits the tensors `[B|1, S, R/2]` of cosines and sines, by
/// `attn.rotary_table` where the factors are cosine and sine of positions times
/// frequencies, else from the tensors of the graph. Gives `what` was found, and
/// the reason why a table was not. Fails with a reason if cosine and sine
/// contradict each other, or cannot be had without losing a check of the graph.
FailureOr<std::pair<Value, Value>>
emitRotaryFactors(OpBuilder &builder, Location loc, ElementExpression &elements,
                  const RotaryFactors &factors, Value rotated,
                  std::string &what, std::string &reason);

/// `attn.positions` where `position` counts along `sequence`, else any tensor
/// `[B|1, S]` of the positions. `near` is a value whose computation may hold
/// them.
FailureOr<Value> emitPositions(OpBuilder &builder, Location loc,
                               ElementExpression &elements, Expr position,
                               Expr batch, Expr sequence, Value near);

/// Visits the values that `value` is computed from, nearest first, itself not
/// included, as far as the analysis looks through them. Stops when `visit`
/// returns true.
void visitSources(ElementExpression &elements, Value value,
                  function_ref<bool(Value)> visit);

/// A slice of a value that `near` is computed from whose element at `variables`
/// (distinct variables, or 0 for a dimension of size one) is `element`.
FailureOr<Value> findSlice(OpBuilder &builder, Location loc,
                           ElementExpression &elements, Expr element,
                           ArrayRef<Expr> variables, Value near);

/// Whether `element` can be computed anew: all that it reads is known to be in
/// bounds, so that no check of the graph is lost.
bool isSafeToEmit(ExpressionContext &context, Expr element);

} // namespace mlir::attn

#endif // ATTN_LIB_RAISE_RAISEROTARY_H
