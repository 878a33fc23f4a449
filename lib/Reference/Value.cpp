//===- Value.cpp - Values of the reference interpreter ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Storage of tensors and the canonical forms of numbers.
///
//===----------------------------------------------------------------------===//

#include "attn/Reference/Value.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

std::optional<ElementKind> reference::getElementKind(Type type) {
  // A double holds what narrower types do, and nothing wider.
  if (auto number = dyn_cast<FloatType>(type))
    return number.getWidth() <= 64 ? std::optional(ElementKind::Float)
                                   : std::nullopt;
  if (isa<IndexType>(type))
    return ElementKind::Integer;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.getWidth() == 0 || integer.getWidth() > 64)
      return std::nullopt;
    return ElementKind::Integer;
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    if (getElementKind(complex.getElementType()) == ElementKind::Float)
      return ElementKind::Complex;
  }
  return std::nullopt;
}

int64_t reference::canonicalizeInteger(int64_t value, Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return value;
  if (integer.getWidth() == 1)
    return value & 1;
  return llvm::SignExtend64(value, integer.getWidth());
}

//===----------------------------------------------------------------------===//
// Tensor
//===----------------------------------------------------------------------===//

static int64_t countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

Tensor Tensor::zeros(Type elementType, ArrayRef<int64_t> shape) {
  Tensor result;
  result.elementType = elementType;
  result.shape.assign(shape.begin(), shape.end());
  size_t count = countElements(shape);
  switch (result.getKind()) {
  case ElementKind::Float:
    result.data = std::make_shared<Data>(std::vector<double>(count));
    break;
  case ElementKind::Integer:
    result.data = std::make_shared<Data>(std::vector<int64_t>(count));
    break;
  case ElementKind::Complex:
    result.data =
        std::make_shared<Data>(std::vector<std::complex<double>>(count));
    break;
  }
  return result;
}

Tensor Tensor::filled(Type elementType, ArrayRef<int64_t> shape, Scalar value) {
  Tensor result = zeros(elementType, shape);
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i)
    result.setElement(i, value);
  return result;
}

int64_t Tensor::getNumElements() const { return countElements(shape); }

bool Tensor::isInBounds(ArrayRef<int64_t> indices) const {
  if (indices.size() != shape.size())
    return false;
  for (auto [index, size] : llvm::zip_equal(indices, shape))
    if (index < 0 || index >= size)
      return false;
  return true;
}

int64_t Tensor::getLinearIndex(ArrayRef<int64_t> indices) const {
  assert(isInBounds(indices) && "index out of bounds");
  int64_t linear = 0;
  for (auto [index, size] : llvm::zip_equal(indices, shape))
    linear = linear * size + index;
  return linear;
}

Scalar Tensor::getElement(int64_t linearIndex) const {
  return std::visit(
      [&](const auto &elements) { return Scalar(elements[linearIndex]); },
      *data);
}

void Tensor::setElement(int64_t linearIndex, Scalar value) {
  detach();
  switch (getKind()) {
  case ElementKind::Float:
    std::get<std::vector<double>>(*data)[linearIndex] = value.getFloat();
    return;
  case ElementKind::Integer:
    std::get<std::vector<int64_t>>(*data)[linearIndex] = value.getInteger();
    return;
  case ElementKind::Complex:
    std::get<std::vector<std::complex<double>>>(*data)[linearIndex] =
        value.getComplex();
    return;
  }
}

Tensor Tensor::withShape(ArrayRef<int64_t> newShape) const {
  assert(countElements(newShape) == getNumElements() &&
         "another number of elements");
  Tensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  return result;
}
