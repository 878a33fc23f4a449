//===- GraphWalk.h - The shell of a raising pass ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What passes that replace values of a graph one by one have in common.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_GRAPHWALK_H
#define ATTN_LIB_RAISE_GRAPHWALK_H

#include "mlir/IR/Builders.h"

namespace mlir::attn {

/// Visits the operations below `root` in their order, but for those in bodies
/// of linalg operations: elements are not values of the graph.
void visitGraph(Operation *root, function_ref<void(Operation *)> visit);

/// Erases what computed the values that were replaced.
void eraseDeadCode(Operation *root);

/// Transposes `value` so that dimension d of the result is `order[d]`.
Value emitTranspose(OpBuilder &builder, Location loc, Value value,
                    ArrayRef<int64_t> order);

} // namespace mlir::attn

#endif // ATTN_LIB_RAISE_GRAPHWALK_H
