//===- VectorMath.cpp - Elementary functions on vectors ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// See VectorMath.h. Coefficients are minimax fits (Remez exchange, relative
/// error) with the constant term fixed to its exact value.
///
//===----------------------------------------------------------------------===//

#include "VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// What exp and tanh need to know of a floating-point format.
struct FormatTraits {
  /// Adding it rounds to an integer and leaves that integer plus the exponent
  /// bias in the low bits.
  double magic;
  /// Arguments below are clamped; their result has exponent field 0.
  double expClamp;
  unsigned mantissaBits;
  /// 2^f on [-0.5, 0.5], highest power first, without the constant term 1.
  ArrayRef<double> exp2;
  /// (tanh(x) / x - 1) / x^2 in x^2 on [0, 0.625^2], highest power first.
  ArrayRef<double> tanh;
};

/// Relative errors 9.2e-8 and 4.2e-9.
constexpr double exp2F32[] = {
    1.3264754043889643651e-3, 9.6714979914864668507e-3,
    5.5507334643653369456e-2, 2.4022242400946207533e-1,
    6.9314697804420129604e-1};
constexpr double tanhF32[] = {
    -5.7216384159480533725e-3, 2.0655226718431111067e-2,
    -5.3745147409970678278e-2, 1.3331515210997536213e-1,
    -3.3333285076861104279e-1};

/// Relative errors 3.4e-18 and 9.9e-18.
constexpr double exp2F64[] = {
    4.4347725221946521617e-10, 7.0737780652179631493e-9,
    1.0178199512997243034e-7,  1.3215435315387583924e-6,
    1.5252733493447083915e-5,  1.5403530457038098978e-4,
    1.3333558146773995759e-3,  9.6181291075941871634e-3,
    5.5504108664820088e-2,     2.4022650695910131061e-1,
    6.931471805599453257e-1};
constexpr double tanhF64[] = {
    -1.6139207744982091029e-5, 7.7289226088347258914e-5,
    -2.2870042341432980898e-4, 5.8638907058458693093e-4,
    -1.4549829203143171464e-3, 3.5919943094608965955e-3,
    -8.8632217098587935428e-3, 2.1869487637080761854e-2,
    -5.3968253934347628836e-2, 1.3333333333270042511e-1,
    -3.3333333333332930758e-1};

constexpr double log2E = 1.4426950408889634074;

} // namespace

/// The clamp is the largest "round" argument whose result rounds to exponent
/// field 0: -127 and -1023 in units of log 2.
static FormatTraits traitsOf(Type elementType) {
  if (elementType.isF64())
    return {6755399441055744.0 + 1023.0, -709.0, 52, exp2F64, tanhF64};
  return {12582912.0 + 127.0, -88.0, 23, exp2F32, tanhF32};
}

static Value horner(ImplicitLocOpBuilder &b, Value x, ArrayRef<double> coeffs) {
  Type type = x.getType();
  Value result = floatConstant(b, type, coeffs.front());
  for (double c : coeffs.drop_front())
    result = vector::FMAOp::create(b, result, x, floatConstant(b, type, c));
  return result;
}

Value attn::floatConstant(ImplicitLocOpBuilder &b, Type type, double value) {
  auto elementType = cast<FloatType>(getElementTypeOrSelf(type));
  TypedAttr attr = b.getFloatAttr(elementType, value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attr = DenseElementsAttr::get(shaped, Attribute(attr));
  return arith::ConstantOp::create(b, attr);
}

Value attn::convertFloat(ImplicitLocOpBuilder &b, Value x, Type elementType) {
  Type from = getElementTypeOrSelf(x.getType());
  if (from == elementType)
    return x;
  Type type = elementType;
  if (auto vector = dyn_cast<VectorType>(x.getType()))
    type = vector.clone(elementType);
  unsigned fromBits = from.getIntOrFloatBitWidth();
  unsigned toBits = elementType.getIntOrFloatBitWidth();
  if (fromBits < toBits)
    return arith::ExtFOp::create(b, type, x);
  if (fromBits > toBits)
    return arith::TruncFOp::create(b, type, x);
  // bf16 and f16 do not convert into each other directly.
  return convertFloat(b, convertFloat(b, x, b.getF32Type()), elementType);
}

Value attn::emitExpNonPositive(ImplicitLocOpBuilder &b, Value x) {
  Type type = x.getType();
  Type elementType = getElementTypeOrSelf(type);
  FormatTraits traits = traitsOf(elementType);
  Type bitsElement = b.getIntegerType(elementType.getIntOrFloatBitWidth());
  Type bitsType = bitsElement;
  if (auto vector = dyn_cast<VectorType>(type))
    bitsType = vector.clone(bitsElement);

  // Compared this way around a NaN is not replaced.
  Value clamp = floatConstant(b, type, traits.expClamp);
  Value isLow = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, clamp);
  x = arith::SelectOp::create(b, isLow, clamp, x);

  // x log2(e) = n + f; the low bits of `shifted` hold n plus the exponent bias.
  Value factor = floatConstant(b, type, log2E);
  Value magic = floatConstant(b, type, traits.magic);
  Value shifted = vector::FMAOp::create(b, x, factor, magic);
  Value n = arith::SubFOp::create(b, shifted, magic);
  Value f = vector::FMAOp::create(b, x, factor, arith::NegFOp::create(b, n));
  Value p = horner(b, f, traits.exp2);
  p = vector::FMAOp::create(b, p, f, floatConstant(b, type, 1.0));

  // The product keeps a NaN of `p` whatever the bits of the power are.
  TypedAttr shiftAttr = b.getIntegerAttr(bitsElement, traits.mantissaBits);
  if (auto vector = dyn_cast<VectorType>(bitsType))
    shiftAttr = DenseElementsAttr::get(vector, Attribute(shiftAttr));
  Value bits = arith::BitcastOp::create(b, bitsType, shifted);
  bits =
      arith::ShLIOp::create(b, bits, arith::ConstantOp::create(b, shiftAttr));
  return arith::MulFOp::create(b, p, arith::BitcastOp::create(b, type, bits));
}

Value attn::emitTanh(ImplicitLocOpBuilder &b, Value x) {
  Type type = x.getType();
  FormatTraits traits = traitsOf(getElementTypeOrSelf(type));
  Value one = floatConstant(b, type, 1.0);
  Value magnitude = math::AbsFOp::create(b, x);

  // Near zero by the polynomial, which keeps the relative error; elsewhere by
  // (1 - e) / (1 + e) with e = exp(-2 |x|).
  Value square = arith::MulFOp::create(b, x, x);
  Value tail = horner(b, square, traits.tanh);
  Value near =
      vector::FMAOp::create(b, arith::MulFOp::create(b, tail, square), x, x);
  Value e = emitExpNonPositive(
      b, arith::MulFOp::create(b, magnitude, floatConstant(b, type, -2.0)));
  Value far = arith::DivFOp::create(b, arith::SubFOp::create(b, one, e),
                                    arith::AddFOp::create(b, one, e));
  far = math::CopySignOp::create(b, far, x);
  Value isFar = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, magnitude,
                                      floatConstant(b, type, 0.625));
  return arith::SelectOp::create(b, isFar, far, near);
}

Value attn::loadRow(ImplicitLocOpBuilder &b, Value source, ValueRange indices,
                    int64_t size) {
  auto type = cast<MemRefType>(source.getType());
  auto vectorType = VectorType::get({size}, type.getElementType());
  if (type.isLastDimUnitStride())
    return vector::LoadOp::create(b, vectorType, source, indices);
  SmallVector<Value> elements, at(indices);
  for (int64_t i = 0; i < size; ++i) {
    at.back() = arith::AddIOp::create(b, indices.back(),
                                      arith::ConstantIndexOp::create(b, i));
    elements.push_back(memref::LoadOp::create(b, source, at));
  }
  return vector::FromElementsOp::create(b, vectorType, elements);
}

void attn::storeRow(ImplicitLocOpBuilder &b, Value row, Value target,
                    ValueRange indices) {
  if (cast<MemRefType>(target.getType()).isLastDimUnitStride()) {
    vector::StoreOp::create(b, row, target, indices);
    return;
  }
  SmallVector<Value> at(indices);
  int64_t size = cast<VectorType>(row.getType()).getNumElements();
  for (int64_t i = 0; i < size; ++i) {
    at.back() = arith::AddIOp::create(b, indices.back(),
                                      arith::ConstantIndexOp::create(b, i));
    memref::StoreOp::create(b, vector::ExtractOp::create(b, row, i), target,
                            at);
  }
}
