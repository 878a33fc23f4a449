//===- ConstantElements.cpp - Reading dense constants -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decodes DenseElementsAttr and dense_resource constants.
///
//===----------------------------------------------------------------------===//

#include "attn/Analysis/ConstantElements.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

#include <cstring>

using namespace mlir;
using namespace mlir::attn;

/// Constants beyond this are not scanned for their range.
static constexpr int64_t kMaxScanned = 1 << 16;

/// Bits of an element in a raw blob: i1 and sub-byte types take whole bytes.
static unsigned getStorageBits(Type type) {
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return bits < 8 ? 8 : bits;
}

std::optional<ConstantElements> ConstantElements::get(Attribute attribute) {
  auto elements = dyn_cast_or_null<ElementsAttr>(attribute);
  if (!elements || !elements.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  Type elementType = elements.getElementType();
  if (elementType.isInteger() && elementType.getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  ConstantElements result;
  result.type = elements.getShapedType();
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    if (!isa<DenseIntOrFPElementsAttr>(dense))
      return std::nullopt;
    result.dense = dense;
    result.splat = dense.isSplat();
    return result;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(attribute);
  if (!resource)
    return std::nullopt;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  unsigned bits = getStorageBits(elementType);
  if (!blob || bits % 8 != 0 || bits > 64)
    return std::nullopt;
  result.raw = blob->getData();
  uint64_t bytes = static_cast<uint64_t>(result.getNumElements()) * (bits / 8);
  if (result.raw.size() < bytes)
    return std::nullopt;
  return result;
}

std::optional<ConstantElements> ConstantElements::get(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  return get(attribute);
}

bool ConstantElements::isFloat() const {
  return isa<FloatType>(type.getElementType());
}

APInt ConstantElements::getBits(int64_t position) const {
  Type elementType = type.getElementType();
  unsigned width =
      elementType.isIndex() ? 64 : elementType.getIntOrFloatBitWidth();
  if (dense) {
    if (isFloat())
      return getAPFloat(position).bitcastToAPInt();
    return dense.getValues<APInt>()[position];
  }
  unsigned bytes = getStorageBits(elementType) / 8;
  uint64_t bits = 0;
  std::memcpy(&bits, raw.data() + position * bytes, bytes);
  if (width < 64)
    bits &= (uint64_t(1) << width) - 1;
  return APInt(width, bits);
}

int64_t ConstantElements::getInt(int64_t position) const {
  APInt bits = getBits(position);
  return bits.getBitWidth() == 1 ? bits.getZExtValue() : bits.getSExtValue();
}

APFloat ConstantElements::getAPFloat(int64_t position) const {
  if (dense)
    return dense.getValues<APFloat>()[position];
  return APFloat(cast<FloatType>(type.getElementType()).getFloatSemantics(),
                 getBits(position));
}

double ConstantElements::getFloat(int64_t position) const {
  if (!isFloat())
    return static_cast<double>(getInt(position));
  APFloat value = getAPFloat(position);
  bool inexact = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble();
}

std::optional<int64_t>
ConstantElements::getPosition(ArrayRef<int64_t> indices) const {
  int64_t position = 0;
  if (indices.size() != getShape().size())
    return std::nullopt;
  for (auto [index, size] : llvm::zip_equal(indices, getShape())) {
    if (index < 0 || index >= size)
      return std::nullopt;
    position = position * size + index;
  }
  return position;
}

SmallVector<double> ConstantElements::getFloats() const {
  SmallVector<double> result;
  for (int64_t i = 0, e = getNumElements(); i < e; ++i)
    result.push_back(getFloat(i));
  return result;
}

std::optional<std::pair<int64_t, int64_t>>
ConstantElements::getIntRange() const {
  int64_t count = splat ? 1 : getNumElements();
  if (isFloat() || count == 0 || count > kMaxScanned)
    return std::nullopt;
  std::pair<int64_t, int64_t> range = {getInt(0), getInt(0)};
  for (int64_t i = 1; i < count; ++i) {
    range.first = std::min(range.first, getInt(i));
    range.second = std::max(range.second, getInt(i));
  }
  return range;
}
