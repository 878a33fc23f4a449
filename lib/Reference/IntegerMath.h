//===- IntegerMath.h - Integers of a width ----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads the canonical form of an integer as a signed or unsigned number of its
/// type's width.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_REFERENCE_INTEGERMATH_H
#define ATTN_LIB_REFERENCE_INTEGERMATH_H

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::attn::reference {

/// Wide enough for sums and products of two 64-bit numbers. The keyword says
/// that the type is knowingly not of ISO C++.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

/// A sum that wraps where a signed one would be undefined.
inline int64_t addWrapping(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}

inline unsigned getIntegerWidth(Type type) {
  return type.isIndex() ? 64 : cast<IntegerType>(type).getWidth();
}

/// An i1 that is set reads as -1.
inline int64_t asSigned(int64_t value, Type type) {
  return llvm::SignExtend64(value, getIntegerWidth(type));
}

inline uint64_t asUnsigned(int64_t value, Type type) {
  return value & llvm::maskTrailingOnes<uint64_t>(getIntegerWidth(type));
}

} // namespace mlir::attn::reference

#endif // ATTN_LIB_REFERENCE_INTEGERMATH_H
