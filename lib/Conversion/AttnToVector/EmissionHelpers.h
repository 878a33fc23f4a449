//===- EmissionHelpers.h - Short forms for emitting loops -------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Short forms for the index arithmetic and loops of the attention kernel.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOVECTOR_EMISSIONHELPERS_H
#define ATTN_LIB_CONVERSION_ATTNTOVECTOR_EMISSIONHELPERS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::attn {

Value indexConstant(ImplicitLocOpBuilder &b, int64_t value);
/// These fold constants, so that static shapes stay static.
Value addIndex(ImplicitLocOpBuilder &b, Value lhs, Value rhs);
Value addIndex(ImplicitLocOpBuilder &b, Value lhs, int64_t rhs);
Value subIndex(ImplicitLocOpBuilder &b, Value lhs, Value rhs);
Value minIndex(ImplicitLocOpBuilder &b, Value lhs, Value rhs);
Value maxIndex(ImplicitLocOpBuilder &b, Value lhs, Value rhs);
/// The largest multiple of `divisor` that is not above `value` (>= 0).
Value roundDown(ImplicitLocOpBuilder &b, Value value, int64_t divisor);
/// Size of dimension `dim` of memref `source`, a constant where it is static.
Value sizeOf(ImplicitLocOpBuilder &b, Value source, int64_t dim);

using LoopBody = llvm::function_ref<SmallVector<Value>(Value, ValueRange)>;

/// Emits `for iv = lower to upper step step` that carries `init`; returns the
/// carried values after the loop. A loop that is statically empty is left out.
SmallVector<Value> emitFor(ImplicitLocOpBuilder &b, Value lower, Value upper,
                           int64_t step, ValueRange init, LoopBody body);
/// The same without carried values.
void emitFor(ImplicitLocOpBuilder &b, Value lower, Value upper, int64_t step,
             llvm::function_ref<void(Value)> body);
/// Emits `for` over [lower, upper) in steps of `step` as far as whole steps go
/// and in steps of one from there: `body(iv, size)`.
SmallVector<Value> emitForWithTail(
    ImplicitLocOpBuilder &b, Value lower, Value upper, int64_t step,
    ValueRange init,
    llvm::function_ref<SmallVector<Value>(Value, int64_t, ValueRange)> body);

/// Emits `if (condition) then else otherwise`; both return values of `types`.
SmallVector<Value> emitIf(ImplicitLocOpBuilder &b, Value condition,
                          llvm::function_ref<SmallVector<Value>()> then,
                          llvm::function_ref<SmallVector<Value>()> otherwise);
/// Emits `if (condition) then`, without results.
void emitIf(ImplicitLocOpBuilder &b, Value condition,
            llvm::function_ref<void()> then);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOVECTOR_EMISSIONHELPERS_H
