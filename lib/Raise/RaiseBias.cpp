//===- RaiseBias.cpp - Biases from expressions ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes a bias of a score term: a known form, or a tensor with the dimensions
/// on which the term depends.
///
//===----------------------------------------------------------------------===//

#include "AlibiForm.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Raise/EmitExpression.h"
#include "attn/Raise/RaiseMask.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// Whether the slopes are those of the rule for that many heads.
static bool followsRule(ArrayRef<double> slopes, unsigned precision) {
  // Stored numbers are rounded once. In f32 they may be powers of a rounded
  // base, whose error grows with the exponent.
  constexpr unsigned single = 24;
  double unit = std::ldexp(1.0, -static_cast<int>(std::min(precision, single)));
  SmallVector<double> rule = BiasAlibiOp::computeSlopes(slopes.size());
  for (auto [head, slope, expected] : llvm::enumerate(slopes, rule)) {
    double units = precision < single ? 1.0 : 3.0 + static_cast<double>(head);
    if (!(std::fabs(slope - expected) <= units * unit * expected))
      return false;
  }
  return true;
}

/// The slopes as a tensor `[H]`, or `[B, H]` if they depend on the batch.
static FailureOr<Value> makeSlopes(ExpressionContext &context,
                                   const AlibiForm &form,
                                   const PairVariables &pair,
                                   OpBuilder &builder, Location loc,
                                   std::string &reason) {
  if (form.slope) {
    SmallVector<Expr> variables = {pair.head};
    if (pair.batch->isVariable() && context.occurs(pair.batch, form.slope))
      variables = {pair.batch, pair.head};
    return emitTensor(builder, loc, form.slope, variables,
                      /*elements=*/nullptr, &reason);
  }
  SmallVector<float> slopes(form.slopes.begin(), form.slopes.end());
  auto type = RankedTensorType::get({static_cast<int64_t>(slopes.size())},
                                    builder.getF32Type());
  return arith::ConstantOp::create(
             builder, loc, DenseElementsAttr::get(type, ArrayRef(slopes)))
      .getResult();
}

static FailureOr<Value> makeAlibi(ExpressionContext &context,
                                  const AlibiForm &form,
                                  const PairVariables &pair, OpBuilder &builder,
                                  Location loc, std::string &reason) {
  auto offset = emitOffset(context, form.offset, pair, builder, loc, reason);
  if (failed(offset))
    return failure();
  Value slopes;
  IntegerAttr heads;
  if (!form.slope && followsRule(form.slopes, form.precision)) {
    heads = builder.getI64IntegerAttr(form.slopes.size());
  } else {
    auto given = makeSlopes(context, form, pair, builder, loc, reason);
    if (failed(given))
      return failure();
    slopes = *given;
  }
  return BiasAlibiOp::create(builder, loc, slopes, *offset,
                             form.absolute ? AlibiDistance::Absolute
                                           : AlibiDistance::Linear,
                             heads, /*first_head=*/0)
      .getResult();
}

FailureOr<Value> attn::raiseBias(ExpressionContext &context, Expr bias,
                                 const PairVariables &pair,
                                 bool upToRowConstant, OpBuilder &builder,
                                 Location loc, std::string &reason) {
  StringRef noAlibi;
  if (auto form = matchAlibi(context, bias, pair, upToRowConstant, noAlibi)) {
    auto alibi = makeAlibi(context, *form, pair, builder, loc, reason);
    if (succeeded(alibi))
      return alibi;
    noAlibi = "the slopes or the offset cannot be computed anew";
  }
  auto tensor = emitPairTensor(context, bias, pair, builder, loc, reason);
  if (failed(tensor))
    return failure();
  if (pair.explain && !noAlibi.empty() && !isGiven(bias))
    pair.explain("a bias is kept as a tensor: " + noAlibi);
  return BiasTensorOp::create(builder, loc, *tensor).getResult();
}
