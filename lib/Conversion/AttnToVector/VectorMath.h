//===- VectorMath.h - Elementary functions on vectors -----------*- C++ -*-===//
///
/// Elementary functions as arith and math.fma operations, so that they
/// vectorise on every target without a vector math library.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOVECTOR_VECTORMATH_H
#define ATTN_LIB_CONVERSION_ATTNTOVECTOR_VECTORMATH_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// A constant of `type`, a float type or a vector of floats.
Value floatConstant(ImplicitLocOpBuilder &b, Type type, double value);

/// `e^x` for x <= 0 or slightly above (no overflow handling), f32 or f64.
/// Relative error about 1e-7 and 2e-16; results below the smallest normal
/// number, and that of -inf, are exactly 0; NaN stays NaN.
Value emitExpNonPositive(ImplicitLocOpBuilder &b, Value x);

/// `tanh x`, f32 or f64, relative error of a few roundings; NaN stays NaN.
Value emitTanh(ImplicitLocOpBuilder &b, Value x);

/// `x` in `type`'s element type, by extension or truncation where they differ.
Value convertFloat(ImplicitLocOpBuilder &b, Value x, Type elementType);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOVECTOR_VECTORMATH_H
