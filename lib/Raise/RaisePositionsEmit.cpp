//===- RaisePositionsEmit.cpp - Tensors of positions ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `attn.positions` for positions that count along the sequence, from an offset
/// and past a left padding; any other integers as a tensor.
///
//===----------------------------------------------------------------------===//

#include "RaiseRotary.h"
#include "attn/Raise/EmitExpression.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// `offset + max(sequence - padding, 0)`, or `offset + sequence` if there is no
/// padding.
struct Counted {
  Expr offset = nullptr;
  Expr padding = nullptr;
};

} // namespace

static std::optional<Counted> matchCounted(ExpressionContext &context,
                                           Expr position, Expr sequence) {
  if (!sequence->is(ExprKind::Index)) {
    // One token: a number that is known without looking at data is an offset.
    if (hasLoads(position))
      return std::nullopt;
    return Counted{position, nullptr};
  }
  Expr rest = context.getSub(position, sequence);
  if (!context.occurs(sequence, rest))
    return Counted{rest, nullptr};
  for (auto [monomial, coefficient] : context.getPolynomial(position).terms) {
    if (coefficient != 1 || !monomial->is(ExprKind::MaxSI) ||
        monomial->getNumOperands() != 2)
      continue;
    Expr a = monomial->getOperand(0), b = monomial->getOperand(1);
    if (a->isConstantInt(0))
      std::swap(a, b);
    Expr padding = context.getSub(sequence, a);
    Expr offset = context.getSub(position, monomial);
    if (b->isConstantInt(0) && !context.occurs(sequence, padding) &&
        !context.occurs(sequence, offset))
      return Counted{offset, padding};
  }
  return std::nullopt;
}

/// A number, or a tensor `[B]` if it depends on the batch.
static FailureOr<Value> emitPerBatch(OpBuilder &builder, Location loc,
                                     Expr expr, Expr batch, bool alwaysTensor) {
  if (batch->is(ExprKind::Index) || alwaysTensor)
    return emitTensor(builder, loc, expr, batch);
  return ExpressionEmitter(builder, loc).emit(expr);
}

static FailureOr<Value> emitCounted(OpBuilder &builder, Location loc,
                                    ExpressionContext &context,
                                    const Counted &counted, Expr batch,
                                    Expr sequence) {
  Value offset, padding;
  Expr offsetBatch =
      context.occurs(batch, counted.offset) ? batch : context.getInt(0);
  if (!counted.offset->isConstantInt(0)) {
    FailureOr<Value> value =
        emitPerBatch(builder, loc, counted.offset, offsetBatch, false);
    if (failed(value))
      return failure();
    offset = *value;
  }
  if (counted.padding) {
    FailureOr<Value> value =
        emitPerBatch(builder, loc, counted.padding, batch, true);
    if (failed(value))
      return failure();
    padding = *value;
  }
  auto sizes = emitSizes(builder, loc, {batch, sequence});
  if (failed(sizes))
    return failure();
  Value init =
      tensor::EmptyOp::create(builder, loc, *sizes, builder.getI64Type());
  return PositionsOp::create(builder, loc, TypeRange{init.getType()}, offset,
                             padding, /*first=*/Value(), init)
      .getResult(0);
}

FailureOr<Value> attn::emitPositions(OpBuilder &builder, Location loc,
                                     ElementExpression &elements, Expr position,
                                     Expr batch, Expr sequence, Value near) {
  ExpressionContext &context = elements.getContext();
  bool safe = isSafeToEmit(context, position);
  if (safe)
    if (std::optional<Counted> counted =
            matchCounted(context, position, sequence))
      return emitCounted(builder, loc, context, *counted, batch, sequence);
  FailureOr<Value> found =
      findSlice(builder, loc, elements, position, {batch, sequence}, near);
  if (succeeded(found) || !safe)
    return found;
  return emitTensor(builder, loc, position, {batch, sequence}, &elements);
}
