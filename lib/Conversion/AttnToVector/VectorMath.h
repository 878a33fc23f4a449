//===- VectorMath.h - Elementary functions on vectors -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Elementary functions as arith and vector.fma operations, so that they run in
/// vector registers on every target without a vector math library; and access
/// to the elements of a row.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOVECTOR_VECTORMATH_H
#define ATTN_LIB_CONVERSION_ATTNTOVECTOR_VECTORMATH_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// A constant of `type`, a float type or a vector of floats.
Value floatConstant(ImplicitLocOpBuilder &b, Type type, double value);

/// `e^x` for a vector x <= 0 (no overflow handling), f32 or f64.
/// Relative error about 1e-7 and 2e-16; results below the smallest normal
/// number, and that of -inf, are exactly 0; NaN stays NaN.
Value emitExpNonPositive(ImplicitLocOpBuilder &b, Value x);

/// `tanh x` of a vector, f32 or f64, relative error of a few roundings; NaN
/// stays NaN.
Value emitTanh(ImplicitLocOpBuilder &b, Value x);

/// `x` in `type`'s element type, by extension or truncation where they differ.
Value convertFloat(ImplicitLocOpBuilder &b, Value x, Type elementType);

/// Loads (stores) consecutive elements of the innermost dimension from
/// `indices` on: at once where they lie side by side, else one by one.
Value loadRow(ImplicitLocOpBuilder &b, Value source, ValueRange indices,
              int64_t size);
void storeRow(ImplicitLocOpBuilder &b, Value row, Value target,
              ValueRange indices);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOVECTOR_VECTORMATH_H
