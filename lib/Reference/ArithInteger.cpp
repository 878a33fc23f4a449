//===- ArithInteger.cpp - Integer ops of arith ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Integers wrap at their width. What arith leaves undefined (division by zero,
/// shifts by the width or more) is an error.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "IntegerMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

/// The type of the first operand, or of its elements.
static Type typeOf(Operation *op) {
  return getElementTypeOrSelf(op->getOperand(0).getType());
}

/// Results wrap, so 64-bit unsigned arithmetic serves every width.
template <auto fn>
static LogicalResult wrapping(Operation *op, ArrayRef<Scalar> in,
                              MutableArrayRef<Scalar> out) {
  uint64_t value = fn(in[0].getInteger(), in[1].getInteger());
  out[0] = canonicalizeInteger(value, typeOf(op));
  return success();
}

template <auto fn>
static LogicalResult onSigned(Operation *op, ArrayRef<Scalar> in,
                              MutableArrayRef<Scalar> out) {
  Type type = typeOf(op);
  int64_t value = fn(asSigned(in[0].getInteger(), type),
                     asSigned(in[1].getInteger(), type));
  out[0] = canonicalizeInteger(value, type);
  return success();
}

template <auto fn>
static LogicalResult onUnsigned(Operation *op, ArrayRef<Scalar> in,
                                MutableArrayRef<Scalar> out) {
  Type type = typeOf(op);
  uint64_t value = fn(asUnsigned(in[0].getInteger(), type),
                      asUnsigned(in[1].getInteger(), type));
  out[0] = canonicalizeInteger(value, type);
  return success();
}

static LogicalResult checkDivisor(Operation *op, int64_t divisor) {
  if (divisor == 0)
    return op->emitError("integer division by zero");
  return success();
}

template <auto fn>
static LogicalResult signedDivision(Operation *op, ArrayRef<Scalar> in,
                                    MutableArrayRef<Scalar> out) {
  Type type = typeOf(op);
  int64_t lhs = asSigned(in[0].getInteger(), type);
  int64_t rhs = asSigned(in[1].getInteger(), type);
  if (failed(checkDivisor(op, rhs)))
    return failure();
  if (rhs == -1 && lhs == llvm::minIntN(getIntegerWidth(type)))
    return op->emitError() << "integer division overflows: " << lhs
                           << " divided by -1";
  out[0] = canonicalizeInteger(fn(lhs, rhs), type);
  return success();
}

template <auto fn>
static LogicalResult unsignedDivision(Operation *op, ArrayRef<Scalar> in,
                                      MutableArrayRef<Scalar> out) {
  if (failed(checkDivisor(op, in[1].getInteger())))
    return failure();
  return onUnsigned<fn>(op, in, out);
}

template <auto fn>
static LogicalResult shift(Operation *op, ArrayRef<Scalar> in,
                           MutableArrayRef<Scalar> out) {
  Type type = typeOf(op);
  uint64_t amount = asUnsigned(in[1].getInteger(), type);
  if (amount >= getIntegerWidth(type))
    return op->emitError() << "expects the shift amount (" << amount
                           << ") to be below the bit width ("
                           << getIntegerWidth(type) << ")";
  out[0] = canonicalizeInteger(fn(in[0].getInteger(), amount, type), type);
  return success();
}

static uint64_t shiftLeft(int64_t value, uint64_t amount, Type) {
  return static_cast<uint64_t>(value) << amount;
}

static uint64_t shiftRightSigned(int64_t value, uint64_t amount, Type type) {
  return asSigned(value, type) >> amount;
}

static uint64_t shiftRightUnsigned(int64_t value, uint64_t amount, Type type) {
  return asUnsigned(value, type) >> amount;
}

static LogicalResult evaluateCompare(Operation *op, ArrayRef<Scalar> in,
                                     MutableArrayRef<Scalar> out) {
  Type type = typeOf(op);
  int64_t lhs = asSigned(in[0].getInteger(), type);
  int64_t rhs = asSigned(in[1].getInteger(), type);
  uint64_t unsignedLhs = asUnsigned(lhs, type);
  uint64_t unsignedRhs = asUnsigned(rhs, type);
  auto compare = [&]() {
    switch (cast<arith::CmpIOp>(op).getPredicate()) {
    case arith::CmpIPredicate::eq:
      return lhs == rhs;
    case arith::CmpIPredicate::ne:
      return lhs != rhs;
    case arith::CmpIPredicate::slt:
      return lhs < rhs;
    case arith::CmpIPredicate::sle:
      return lhs <= rhs;
    case arith::CmpIPredicate::sgt:
      return lhs > rhs;
    case arith::CmpIPredicate::sge:
      return lhs >= rhs;
    case arith::CmpIPredicate::ult:
      return unsignedLhs < unsignedRhs;
    case arith::CmpIPredicate::ule:
      return unsignedLhs <= unsignedRhs;
    case arith::CmpIPredicate::ugt:
      return unsignedLhs > unsignedRhs;
    case arith::CmpIPredicate::uge:
      return unsignedLhs >= unsignedRhs;
    }
    llvm_unreachable("unknown predicate");
  };
  out[0] = Scalar::fromBool(compare());
  return success();
}

/// Extensions, truncations and casts from and to index.
template <bool isSigned>
static LogicalResult evaluateCast(Operation *op, ArrayRef<Scalar> in,
                                  MutableArrayRef<Scalar> out) {
  Type from = typeOf(op);
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  int64_t value = isSigned ? asSigned(in[0].getInteger(), from)
                           : asUnsigned(in[0].getInteger(), from);
  out[0] = canonicalizeInteger(value, to);
  return success();
}

static LogicalResult evaluateAddExtended(Operation *op, ArrayRef<Scalar> in,
                                         MutableArrayRef<Scalar> out) {
  Type type = typeOf(op);
  UInt128 sum = UInt128(asUnsigned(in[0].getInteger(), type)) +
                asUnsigned(in[1].getInteger(), type);
  out[0] = canonicalizeInteger(static_cast<uint64_t>(sum), type);
  out[1] = Scalar::fromBool((sum >> getIntegerWidth(type)) != 0);
  return success();
}

template <bool isSigned>
static LogicalResult evaluateMulExtended(Operation *op, ArrayRef<Scalar> in,
                                         MutableArrayRef<Scalar> out) {
  Type type = typeOf(op);
  UInt128 product =
      isSigned
          ? static_cast<UInt128>(Int128(asSigned(in[0].getInteger(), type)) *
                                 asSigned(in[1].getInteger(), type))
          : UInt128(asUnsigned(in[0].getInteger(), type)) *
                asUnsigned(in[1].getInteger(), type);
  out[0] = canonicalizeInteger(static_cast<uint64_t>(product), type);
  out[1] = canonicalizeInteger(
      static_cast<uint64_t>(product >> getIntegerWidth(type)), type);
  return success();
}

void reference::registerArithIntegerHandlers(HandlerRegistry &registry) {
  using I = int64_t;
  using U = uint64_t;
  registry.addKernel<arith::AddIOp>(wrapping<[](U a, U b) { return a + b; }>);
  registry.addKernel<arith::SubIOp>(wrapping<[](U a, U b) { return a - b; }>);
  registry.addKernel<arith::MulIOp>(wrapping<[](U a, U b) { return a * b; }>);
  registry.addKernel<arith::AndIOp>(wrapping<[](U a, U b) { return a & b; }>);
  registry.addKernel<arith::OrIOp>(wrapping<[](U a, U b) { return a | b; }>);
  registry.addKernel<arith::XOrIOp>(wrapping<[](U a, U b) { return a ^ b; }>);

  registry.addKernel<arith::MaxSIOp>(
      onSigned<[](I a, I b) { return std::max(a, b); }>);
  registry.addKernel<arith::MinSIOp>(
      onSigned<[](I a, I b) { return std::min(a, b); }>);
  registry.addKernel<arith::MaxUIOp>(
      onUnsigned<[](U a, U b) { return std::max(a, b); }>);
  registry.addKernel<arith::MinUIOp>(
      onUnsigned<[](U a, U b) { return std::min(a, b); }>);

  registry.addKernel<arith::DivSIOp>(
      signedDivision<[](I a, I b) { return a / b; }>);
  registry.addKernel<arith::RemSIOp>(
      signedDivision<[](I a, I b) { return a % b; }>);
  registry.addKernel<arith::FloorDivSIOp>(
      signedDivision<[](I a, I b) { return llvm::divideFloorSigned(a, b); }>);
  registry.addKernel<arith::CeilDivSIOp>(
      signedDivision<[](I a, I b) { return llvm::divideCeilSigned(a, b); }>);
  registry.addKernel<arith::DivUIOp>(
      unsignedDivision<[](U a, U b) { return a / b; }>);
  registry.addKernel<arith::RemUIOp>(
      unsignedDivision<[](U a, U b) { return a % b; }>);
  registry.addKernel<arith::CeilDivUIOp>(
      unsignedDivision<[](U a, U b) { return a / b + (a % b != 0); }>);

  registry.addKernel<arith::ShLIOp>(shift<shiftLeft>);
  registry.addKernel<arith::ShRSIOp>(shift<shiftRightSigned>);
  registry.addKernel<arith::ShRUIOp>(shift<shiftRightUnsigned>);

  registry.addKernel<arith::CmpIOp>(evaluateCompare);
  registry.addKernel<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(
      evaluateCast<true>);
  registry.addKernel<arith::ExtUIOp, arith::IndexCastUIOp>(evaluateCast<false>);
  registry.addKernel<arith::AddUIExtendedOp>(evaluateAddExtended);
  registry.addKernel<arith::MulSIExtendedOp>(evaluateMulExtended<true>);
  registry.addKernel<arith::MulUIExtendedOp>(evaluateMulExtended<false>);
}
