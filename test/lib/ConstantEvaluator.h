//===- ConstantEvaluator.h - Executes constant IR ---------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes ops whose operands are constant by folding them, so that a test can
/// compare what masks and biases emit with what they mean.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_LIB_CONSTANTEVALUATOR_H
#define ATTN_TEST_LIB_CONSTANTEVALUATOR_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::attn::test {

class ConstantEvaluator {
public:
  /// The constant that `value` has, executing what it depends on; null, after
  /// an error at the op, if an op in the way does not fold.
  Attribute evaluate(Value value);

private:
  LogicalResult execute(Operation *op);
  LogicalResult executeLoop(Operation *op);

  DenseMap<Value, Attribute> values;
};

} // namespace mlir::attn::test

#endif // ATTN_TEST_LIB_CONSTANTEVALUATOR_H
