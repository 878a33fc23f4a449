//===- NdArray.cpp - Host arrays that go in and out of programs -*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Allocation and element access. Sizes are checked before anything is
/// allocated, since they may come from a file.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/NdArray.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::attn;

namespace {
struct TypeInfo {
  DType type;
  unsigned byteWidth;
  const char *mlirName;
  const char *numpyName;
};
} // namespace

/// In the order of DType.
static constexpr TypeInfo typeTable[] = {
    {DType::Bool, 1, "i1", "bool"},
    {DType::I8, 1, "i8", "int8"},
    {DType::I16, 2, "i16", "int16"},
    {DType::I32, 4, "i32", "int32"},
    {DType::I64, 8, "i64", "int64"},
    {DType::U8, 1, "ui8", "uint8"},
    {DType::BF16, 2, "bf16", "bfloat16"},
    {DType::F16, 2, "f16", "float16"},
    {DType::F32, 4, "f32", "float32"},
    {DType::F64, 8, "f64", "float64"},
    {DType::C64, 8, "complex<f32>", "complex64"},
    {DType::C128, 16, "complex<f64>", "complex128"},
};

static const TypeInfo &getInfo(DType type) {
  return typeTable[static_cast<unsigned>(type)];
}

unsigned attn::getByteWidth(DType type) { return getInfo(type).byteWidth; }

StringRef attn::getMLIRName(DType type) { return getInfo(type).mlirName; }

StringRef attn::getNumpyName(DType type) { return getInfo(type).numpyName; }

std::optional<DType> attn::parseMLIRName(StringRef name) {
  for (const TypeInfo &info : typeTable)
    if (name == info.mlirName)
      return info.type;
  return std::nullopt;
}

bool attn::isFloat(DType type) {
  return type == DType::BF16 || type == DType::F16 || type == DType::F32 ||
         type == DType::F64;
}

bool attn::isComplex(DType type) {
  return type == DType::C64 || type == DType::C128;
}

bool attn::isInteger(DType type) { return !isFloat(type) && !isComplex(type); }

std::string attn::formatShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      shape, os,
      [&](int64_t size) {
        if (size < 0)
          os << '?';
        else
          os << size;
      },
      "x");
  return text;
}

std::optional<uint64_t> attn::getNumBytes(ArrayRef<int64_t> shape,
                                          unsigned byteWidth) {
  // A zero anywhere makes the array empty, but a negative size is wrong even
  // then.
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  if (llvm::is_contained(shape, 0))
    return 0;
  uint64_t numBytes = byteWidth;
  for (int64_t size : shape) {
    bool overflowed = false;
    numBytes = llvm::SaturatingMultiply(numBytes, static_cast<uint64_t>(size),
                                        &overflowed);
    if (overflowed || numBytes > static_cast<uint64_t>(INT64_MAX))
      return std::nullopt;
  }
  return numBytes;
}

void NdArray::FreeDeleter::operator()(char *pointer) const {
  std::free(pointer);
}

llvm::Expected<NdArray> NdArray::create(DType type, ArrayRef<int64_t> shape) {
  std::optional<uint64_t> numBytes =
      attn::getNumBytes(shape, getByteWidth(type));
  if (!numBytes)
    return llvm::createStringError("array of shape %s is too large",
                                   formatShape(shape).c_str());
  constexpr size_t alignment = 64;
  NdArray result;
  result.type = type;
  result.shape.assign(shape.begin(), shape.end());
  result.numBytes = *numBytes;
  // An empty array still has an address.
  size_t allocated = llvm::alignTo(std::max<uint64_t>(*numBytes, 1), alignment);
  result.data.reset(
      static_cast<char *>(std::aligned_alloc(alignment, allocated)));
  if (!result.data)
    return llvm::createStringError(
        "out of memory for an array of shape %s (%llu bytes)",
        formatShape(shape).c_str(), static_cast<unsigned long long>(*numBytes));
  return result;
}

int64_t NdArray::getNumElements() const {
  return numBytes / getByteWidth(type);
}

void NdArray::copyFrom(const char *source, ArrayRef<int64_t> strides) {
  size_t width = getByteWidth(type);
  bool contiguous = true;
  int64_t expected = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    contiguous &= shape[d] == 1 || strides[d] == expected;
    expected *= shape[d];
  }
  if (contiguous) {
    std::memcpy(getData(), source, numBytes);
    return;
  }
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0, e = getNumElements(); i < e; ++i) {
    int64_t offset = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      offset += index[d] * strides[d];
    std::memcpy(getData() + i * width,
                source + offset * static_cast<int64_t>(width), width);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
}

uint16_t attn::encodeFloat16(const llvm::fltSemantics &semantics,
                             double value) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue());
}

double attn::decodeFloat16(const llvm::fltSemantics &semantics, uint16_t bits) {
  llvm::APFloat number(semantics, llvm::APInt(16, bits));
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

std::complex<double> NdArray::getValue(int64_t index) const {
  switch (type) {
  case DType::BF16:
    return decodeFloat16(llvm::APFloat::BFloat(), getDataAs<uint16_t>()[index]);
  case DType::F16:
    return decodeFloat16(llvm::APFloat::IEEEhalf(),
                         getDataAs<uint16_t>()[index]);
  case DType::F32:
    return getDataAs<float>()[index];
  case DType::F64:
    return getDataAs<double>()[index];
  case DType::C64: {
    const float *parts = getDataAs<float>() + 2 * index;
    return {parts[0], parts[1]};
  }
  case DType::C128: {
    const double *parts = getDataAs<double>() + 2 * index;
    return {parts[0], parts[1]};
  }
  default:
    return static_cast<double>(getInteger(index));
  }
}

int64_t NdArray::getInteger(int64_t index) const {
  switch (type) {
  case DType::I8:
    return getDataAs<int8_t>()[index];
  case DType::I16:
    return getDataAs<int16_t>()[index];
  case DType::I32:
    return getDataAs<int32_t>()[index];
  case DType::I64:
    return getDataAs<int64_t>()[index];
  default:
    return getDataAs<uint8_t>()[index];
  }
}

void NdArray::setValue(int64_t index, double value) {
  // Negative values wrap in unsigned types, as they do in numpy.
  auto toInteger = [&] { return static_cast<int64_t>(value); };
  switch (type) {
  case DType::Bool:
    getDataAs<uint8_t>()[index] = value != 0;
    return;
  case DType::I8:
    getDataAs<int8_t>()[index] = static_cast<int8_t>(toInteger());
    return;
  case DType::U8:
    getDataAs<uint8_t>()[index] = static_cast<uint8_t>(toInteger());
    return;
  case DType::I16:
    getDataAs<int16_t>()[index] = static_cast<int16_t>(toInteger());
    return;
  case DType::I32:
    getDataAs<int32_t>()[index] = static_cast<int32_t>(toInteger());
    return;
  case DType::I64:
    getDataAs<int64_t>()[index] = toInteger();
    return;
  case DType::BF16:
    getDataAs<uint16_t>()[index] =
        encodeFloat16(llvm::APFloat::BFloat(), value);
    return;
  case DType::F16:
    getDataAs<uint16_t>()[index] =
        encodeFloat16(llvm::APFloat::IEEEhalf(), value);
    return;
  case DType::F32:
    getDataAs<float>()[index] = static_cast<float>(value);
    return;
  case DType::F64:
    getDataAs<double>()[index] = value;
    return;
  case DType::C64:
    getDataAs<float>()[2 * index] = static_cast<float>(value);
    getDataAs<float>()[2 * index + 1] = 0;
    return;
  case DType::C128:
    getDataAs<double>()[2 * index] = value;
    getDataAs<double>()[2 * index + 1] = 0;
    return;
  }
}

const NdArray *attn::findArray(ArrayRef<NamedArray> arrays, StringRef name) {
  const NamedArray *it = llvm::find_if(
      arrays, [&](const NamedArray &entry) { return entry.name == name; });
  return it == arrays.end() ? nullptr : &it->array;
}
