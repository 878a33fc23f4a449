//===- Constant.cpp - Values of constant attributes -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Turns constant attributes into values: numbers, dense and splat elements,
/// and the blobs of dense resources.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

static int64_t toInteger(const APInt &value, Type type) {
  return canonicalizeInteger(
      value.extractBitsAsZExtValue(value.getBitWidth(), 0), type);
}

static Tensor evaluateDense(DenseElementsAttr dense) {
  Type elementType = dense.getElementType();
  Tensor result = Tensor::zeros(elementType, dense.getType().getShape());
  switch (result.getKind()) {
  case ElementKind::Float:
    for (auto [element, value] :
         llvm::zip_equal(result.getMutableFloats(), dense.getValues<APFloat>()))
      element = value.convertToDouble();
    break;
  case ElementKind::Integer:
    for (auto [element, value] :
         llvm::zip_equal(result.getMutableIntegers(), dense.getValues<APInt>()))
      element = toInteger(value, elementType);
    break;
  case ElementKind::Complex:
    for (auto [element, value] :
         llvm::zip_equal(result.getMutableComplexes(),
                         dense.getValues<std::complex<APFloat>>()))
      element = {value.real().convertToDouble(),
                 value.imag().convertToDouble()};
    break;
  }
  return result;
}

/// Reads little-endian bits of `width` (a multiple of 8) at `bytes`.
static uint64_t readBits(const char *bytes, unsigned width) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < width / 8; ++i)
    bits |= uint64_t(uint8_t(bytes[i])) << (8 * i);
  return bits;
}

/// Reads the blob of a dense resource: elements of whole bytes, little-endian;
/// i1 either one byte per element or packed eight to a byte, as its size says.
static FailureOr<RuntimeValue>
evaluateResource(const Evaluation &eval, DenseResourceElementsAttr attr) {
  ShapedType type = attr.getType();
  Type elementType = type.getElementType();
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!blob)
    return eval.emitError() << "the resource '" << attr.getRawHandle().getKey()
                            << "' has no data";
  ArrayRef<char> bytes = blob->getData();
  size_t count = type.getNumElements();

  Type numberType = elementType;
  unsigned numbers = 1;
  if (auto complex = dyn_cast<ComplexType>(elementType)) {
    numberType = complex.getElementType();
    numbers = 2;
  }
  unsigned width =
      numberType.isIndex() ? 64 : numberType.getIntOrFloatBitWidth();
  bool packedBits = width == 1 && bytes.size() != count;
  unsigned stride = llvm::divideCeil(width, 8u);
  size_t expected =
      packedBits ? llvm::divideCeil(count, 8) : count * numbers * stride;
  if (bytes.size() != expected)
    return eval.emitError()
           << "expects the resource '" << attr.getRawHandle().getKey()
           << "' to hold " << expected << " bytes, got " << bytes.size();

  auto readFloat = [&](size_t number) {
    APInt bits(width, readBits(bytes.data() + number * stride, stride * 8),
               /*isSigned=*/false, /*implicitTrunc=*/true);
    return APFloat(cast<FloatType>(numberType).getFloatSemantics(), bits)
        .convertToDouble();
  };
  Tensor result = Tensor::zeros(elementType, type.getShape());
  switch (result.getKind()) {
  case ElementKind::Float:
    for (auto [i, element] : llvm::enumerate(result.getMutableFloats()))
      element = readFloat(i);
    break;
  case ElementKind::Complex:
    for (auto [i, element] : llvm::enumerate(result.getMutableComplexes()))
      element = {readFloat(2 * i), readFloat(2 * i + 1)};
    break;
  case ElementKind::Integer:
    for (auto [i, element] : llvm::enumerate(result.getMutableIntegers())) {
      if (packedBits)
        element = (uint8_t(bytes[i / 8]) >> (i % 8)) & 1;
      else if (width == 1)
        element = bytes[i] != 0;
      else
        element = canonicalizeInteger(
            readBits(bytes.data() + i * stride, stride * 8), elementType);
    }
    break;
  }
  return RuntimeValue(result);
}

FailureOr<RuntimeValue> reference::evaluateConstant(const Evaluation &eval,
                                                    Attribute value,
                                                    Type type) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return RuntimeValue(Scalar(number.getValueAsDouble()));
  if (auto number = dyn_cast<IntegerAttr>(value))
    return RuntimeValue(Scalar(toInteger(number.getValue(), type)));
  if (auto elements = dyn_cast<ElementsAttr>(value))
    if (failed(eval.checkShape(elements.getShapedType().getShape())))
      return failure();
  if (auto dense = dyn_cast<DenseElementsAttr>(value))
    return RuntimeValue(evaluateDense(dense));
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return evaluateResource(eval, resource);
  return eval.emitError()
         << "the reference interpreter has no value for the constant " << value;
}
