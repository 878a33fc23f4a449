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

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Raise/RaiseMask.h"

using namespace mlir;
using namespace mlir::attn;

FailureOr<Value> attn::raiseBias(ExpressionContext &context, Expr bias,
                                 const PairVariables &pair, OpBuilder &builder,
                                 Location loc) {
  auto tensor = emitPairTensor(context, bias, pair, builder, loc);
  if (failed(tensor))
    return failure();
  return BiasTensorOp::create(builder, loc, *tensor).getResult();
}
