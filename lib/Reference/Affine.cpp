//===- Affine.cpp - Affine expressions and their ops ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates affine expressions, and the ops that compute indices with them.
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/AffineMap.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

FailureOr<int64_t> reference::evaluateAffine(Operation *op, AffineExpr expr,
                                             ArrayRef<int64_t> dims,
                                             ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];

  auto binary = cast<AffineBinaryOpExpr>(expr);
  FailureOr<int64_t> lhs = evaluateAffine(op, binary.getLHS(), dims, symbols);
  FailureOr<int64_t> rhs = evaluateAffine(op, binary.getRHS(), dims, symbols);
  if (failed(lhs) || failed(rhs))
    return failure();
  // Unsigned arithmetic wraps where signed arithmetic would be undefined.
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return static_cast<int64_t>(uint64_t(*lhs) + uint64_t(*rhs));
  case AffineExprKind::Mul:
    return static_cast<int64_t>(uint64_t(*lhs) * uint64_t(*rhs));
  default:
    break;
  }
  if (*rhs <= 0)
    return op->emitError() << "expects a positive divisor in the affine map, "
                           << "got " << *rhs;
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(*lhs, *rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(*lhs, *rhs);
  case AffineExprKind::Mod:
    return llvm::mod(*lhs, *rhs);
  default:
    llvm_unreachable("not a binary affine expression");
  }
}

/// The results of the op's map at its operands.
static FailureOr<SmallVector<int64_t>> evaluateMap(Evaluation &eval,
                                                   AffineMap map) {
  SmallVector<int64_t> operands = eval.getIntegers(0, eval.getNumOperands());
  ArrayRef<int64_t> dims = ArrayRef(operands).take_front(map.getNumDims());
  ArrayRef<int64_t> symbols = ArrayRef(operands).drop_front(map.getNumDims());
  SmallVector<int64_t> results;
  for (AffineExpr expr : map.getResults()) {
    FailureOr<int64_t> value =
        evaluateAffine(eval.getOperation(), expr, dims, symbols);
    if (failed(value))
      return failure();
    results.push_back(*value);
  }
  return results;
}

static LogicalResult evaluateApply(Evaluation &eval) {
  FailureOr<SmallVector<int64_t>> values =
      evaluateMap(eval, eval.getOp<affine::AffineApplyOp>().getMap());
  if (failed(values))
    return failure();
  eval.setResult(0, Scalar(values->front()));
  return success();
}

static LogicalResult evaluateMin(Evaluation &eval) {
  FailureOr<SmallVector<int64_t>> values =
      evaluateMap(eval, eval.getOp<affine::AffineMinOp>().getMap());
  if (failed(values))
    return failure();
  eval.setResult(0, Scalar(*llvm::min_element(*values)));
  return success();
}

static LogicalResult evaluateMax(Evaluation &eval) {
  FailureOr<SmallVector<int64_t>> values =
      evaluateMap(eval, eval.getOp<affine::AffineMaxOp>().getMap());
  if (failed(values))
    return failure();
  eval.setResult(0, Scalar(*llvm::max_element(*values)));
  return success();
}

/// `((i0 * b1 + i1) * b2 + i2)`, where a basis as long as the indices starts
/// with a bound that plays no part.
static LogicalResult evaluateLinearize(Evaluation &eval) {
  auto op = eval.getOp<affine::AffineLinearizeIndexOp>();
  unsigned operand = op.getMultiIndex().size();
  SmallVector<int64_t> indices = eval.getIntegers(0, operand);
  SmallVector<int64_t> basis =
      eval.getMixedIntegers(op.getStaticBasis(), operand);
  uint64_t result = 0;
  for (size_t i = 0, e = indices.size(); i < e; ++i) {
    if (i > 0)
      result *= uint64_t(basis[basis.size() - (e - i)]);
    result += uint64_t(indices[i]);
  }
  eval.setResult(0, Scalar(static_cast<int64_t>(result)));
  return success();
}

/// The digits of an index, the last one first; the first takes the rest.
static LogicalResult evaluateDelinearize(Evaluation &eval) {
  auto op = eval.getOp<affine::AffineDelinearizeIndexOp>();
  unsigned operand = 1;
  SmallVector<int64_t> basis =
      eval.getMixedIntegers(op.getStaticBasis(), operand);
  int64_t rest = eval.getInteger(0);
  unsigned count = op.getNumResults();
  for (unsigned number = count; number-- > 0;) {
    if (number == 0) {
      eval.setResult(0, Scalar(rest));
      break;
    }
    int64_t size = basis[basis.size() - (count - number)];
    if (size <= 0)
      return eval.emitError() << "expects a positive basis, got " << size;
    eval.setResult(number, Scalar(llvm::mod(rest, size)));
    rest = llvm::divideFloorSigned(rest, size);
  }
  return success();
}

void reference::registerAffineHandlers(HandlerRegistry &registry) {
  registry.addHandler<affine::AffineApplyOp>(evaluateApply);
  registry.addHandler<affine::AffineMinOp>(evaluateMin);
  registry.addHandler<affine::AffineMaxOp>(evaluateMax);
  registry.addHandler<affine::AffineLinearizeIndexOp>(evaluateLinearize);
  registry.addHandler<affine::AffineDelinearizeIndexOp>(evaluateDelinearize);
}
