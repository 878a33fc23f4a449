//===- LowerAssert.cpp - Assertions through the runtime ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowers cf.assert to a conditional call of the runtime. The form is
/// structured control flow, so it can stand in loop bodies and OpenMP regions.
///
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"
#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace mlir::attn {
#define GEN_PASS_DEF_LOWERASSERTPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// What `lhs predicate rhs` demands of `lhs`, up to `rhs` or, of `ult`, to the
/// number before; empty where the numbers say no more than the message does.
static StringRef getDemand(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "";
  case arith::CmpIPredicate::slt:
    return "less than ";
  case arith::CmpIPredicate::sle:
    return "at most ";
  // What is negative is too great for these, so both ends are told.
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
    return "0 to ";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return "more than ";
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return "at least ";
  case arith::CmpIPredicate::ne:
    return "other than ";
  }
  llvm_unreachable("unknown predicate");
}

/// `value` as an i64.
static Value widen(OpBuilder &builder, Location loc, Value value,
                   bool isUnsigned) {
  Type wide = builder.getI64Type();
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, wide, value);
  if (value.getType() == wide)
    return value;
  if (isUnsigned)
    return arith::ExtUIOp::create(builder, loc, wide, value);
  return arith::ExtSIOp::create(builder, loc, wide, value);
}

/// The comparison whose numbers belong into the message: of integers, and not
/// that something is unequal, where there is nothing to tell.
static arith::CmpIOp getComparison(cf::AssertOp op) {
  auto compare = op.getArg().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() == arith::CmpIPredicate::ne)
    return {};
  Type type = compare.getLhs().getType();
  bool fits = type.isIndex() || (type.isInteger() && !type.isInteger(1) &&
                                 type.getIntOrFloatBitWidth() <= 64);
  return fits ? compare : arith::CmpIOp();
}

/// Whether two values are one, or constants of one value.
static bool isSame(Value a, Value b) {
  APInt first, second;
  return a == b || (a.getType() == b.getType() &&
                    matchPattern(a, m_ConstantInt(&first)) &&
                    matchPattern(b, m_ConstantInt(&second)) && first == second);
}

/// Whether a divisor is `factor`, or the greater of it and 1, which is safe.
static bool isDivisor(Value divisor, Value factor) {
  if (isSame(divisor, factor))
    return true;
  auto greater = divisor.getDefiningOp<arith::MaxUIOp>();
  return greater && matchPattern(greater.getRhs(), m_One()) &&
         isSame(greater.getLhs(), factor);
}

/// The factor of `number / factor * factor == number`, which says that the
/// number is a multiple of it.
static Value getFactor(arith::CmpIOp compare) {
  auto product = compare.getLhs().getDefiningOp<arith::MulIOp>();
  auto quotient =
      product ? product.getLhs().getDefiningOp<arith::DivUIOp>() : nullptr;
  bool isDemanded = quotient && quotient.getLhs() == compare.getRhs() &&
                    isDivisor(quotient.getRhs(), product.getRhs()) &&
                    compare.getPredicate() == arith::CmpIPredicate::eq;
  return isDemanded ? product.getRhs() : Value();
}

/// Emits the call that reports `op`.
static LogicalResult emitReport(OpBuilder &builder, RuntimeCalls &calls,
                                cf::AssertOp op) {
  Location loc = op.getLoc();
  arith::CmpIOp compare = getComparison(op);
  if (!compare)
    return calls.emitFail(builder, loc, op.getMsg());
  if (Value factor = getFactor(compare))
    return calls.emitFail(
        builder, loc,
        escapeFormat(op.getMsg()) + " (got %lld, expected a multiple of %lld)",
        {widen(builder, loc, compare.getRhs(), /*isUnsigned=*/true),
         widen(builder, loc, factor, /*isUnsigned=*/true)});
  std::string format = escapeFormat(op.getMsg()) + " (got %lld, expected " +
                       getDemand(compare.getPredicate()).str() + "%lld)";
  // Shown with its sign, which is why it is too great.
  Value lhs = widen(builder, loc, compare.getLhs(), /*isUnsigned=*/false);
  arith::CmpIPredicate predicate = compare.getPredicate();
  Value rhs = widen(builder, loc, compare.getRhs(),
                    predicate == arith::CmpIPredicate::ult ||
                        predicate == arith::CmpIPredicate::ule);
  if (predicate == arith::CmpIPredicate::ult)
    rhs = arith::SubIOp::create(
        builder, loc, rhs, arith::ConstantIntOp::create(builder, loc, 1, 64));
  return calls.emitFail(builder, loc, format, {lhs, rhs});
}

namespace {
struct LowerAssertPass : attn::impl::LowerAssertPassBase<LowerAssertPass> {
  void runOnOperation() override {
    SmallVector<cf::AssertOp> asserts;
    getOperation().walk([&](cf::AssertOp op) { asserts.push_back(op); });
    RuntimeCalls calls(getOperation());
    for (cf::AssertOp op : asserts) {
      OpBuilder builder(op);
      Value isTrue = arith::ConstantIntOp::create(builder, op.getLoc(), 1, 1);
      Value isFalse =
          arith::XOrIOp::create(builder, op.getLoc(), op.getArg(), isTrue);
      auto branch = scf::IfOp::create(builder, op.getLoc(), isFalse,
                                      /*withElseRegion=*/false);
      OpBuilder inside = branch.getThenBodyBuilder();
      if (failed(emitReport(inside, calls, op)))
        return signalPassFailure();
      op.erase();
    }
  }
};
} // namespace
