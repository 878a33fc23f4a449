//===- NamedDim.h - Dimensions in messages ----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What messages about sizes name, at compile time and at run time.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_NAMEDDIM_H
#define ATTN_DIALECT_ATTN_IR_NAMEDDIM_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::attn {

/// A dimension of a named operand, for messages.
struct NamedDim {
  StringRef operand;
  Value value;
  int64_t dimension;

  int64_t size() const {
    return cast<ShapedType>(value.getType()).getDimSize(dimension);
  }
};

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_NAMEDDIM_H
