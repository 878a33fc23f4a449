//===- NdArray.h - Host arrays that go in and out of programs ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Dense, row-major arrays in host memory: what .npy files hold, and what a
/// compiled function reads and writes. Besides the types of .npy files an array
/// may hold bf16, which exists only inside the process (files carry it as f32).
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_NDARRAY_H
#define ATTN_EXECUTION_NDARRAY_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace mlir::attn {

/// Element types that arrays can hold.
enum class DType {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  BF16,
  F16,
  F32,
  F64,
  C64,
  C128
};

/// Size of one element in bytes.
unsigned getByteWidth(DType type);

/// The name of the type in MLIR, e.g. `i1`, `f32`, `complex<f32>`.
StringRef getMLIRName(DType type);

/// The type of a name as `getMLIRName` prints it.
std::optional<DType> parseMLIRName(StringRef name);

/// The name that numpy users know, e.g. `bool`, `float32`.
StringRef getNumpyName(DType type);

bool isFloat(DType type);
bool isInteger(DType type);
bool isComplex(DType type);

/// A shape as text: `2x12`, or `scalar` for rank zero. Negative sizes print
/// as `?`.
std::string formatShape(ArrayRef<int64_t> shape);

/// The product of the sizes times `byteWidth`, or nothing if a size is
/// negative or the product overflows.
std::optional<uint64_t> getNumBytes(ArrayRef<int64_t> shape,
                                    unsigned byteWidth);

/// An owning array. The memory is aligned to a cache line.
class NdArray {
public:
  NdArray() = default;

  /// Allocates without initialising the elements. Fails on a size that is
  /// negative, overflows, or that the system refuses.
  static llvm::Expected<NdArray> create(DType type, ArrayRef<int64_t> shape);

  DType getType() const { return type; }
  ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getNumElements() const;
  size_t getNumBytes() const { return numBytes; }
  char *getData() { return data.get(); }
  const char *getData() const { return data.get(); }

  template <typename T> T *getDataAs() {
    return reinterpret_cast<T *>(data.get());
  }
  template <typename T> const T *getDataAs() const {
    return reinterpret_cast<const T *>(data.get());
  }

  /// Fills the array from a strided one of the same shape and type, whose
  /// element [0, ...] is at `source`. Strides are in elements.
  void copyFrom(const char *source, ArrayRef<int64_t> strides);

  /// One element, converted. Integers beyond 2^53 lose bits here; see
  /// `getInteger`.
  std::complex<double> getValue(int64_t index) const;

  /// One element of an integer or bool array.
  int64_t getInteger(int64_t index) const;

  /// Sets one element of a real array, rounding to its type.
  void setValue(int64_t index, double value);

private:
  struct FreeDeleter {
    void operator()(char *pointer) const;
  };

  DType type = DType::F32;
  SmallVector<int64_t> shape;
  size_t numBytes = 0;
  std::unique_ptr<char, FreeDeleter> data;
};

/// Rounds to the nearest 16-bit float of the given semantics, ties to even.
uint16_t encodeFloat16(const llvm::fltSemantics &semantics, double value);

/// The value of a 16-bit float.
double decodeFloat16(const llvm::fltSemantics &semantics, uint16_t bits);

/// One named array of an .npz file.
struct NamedArray {
  std::string name;
  NdArray array;
};

/// The array called `name`, or null.
const NdArray *findArray(ArrayRef<NamedArray> arrays, StringRef name);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_NDARRAY_H
