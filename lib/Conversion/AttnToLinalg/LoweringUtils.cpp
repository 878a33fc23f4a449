//===- LoweringUtils.cpp - Shared by the lowerings to linalg ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks that hold by static sizes or constants are not emitted.
///
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

linalg::GenericOp attn::createParallelGeneric(OpBuilder &builder, Location loc,
                                              ValueRange inputs,
                                              ArrayRef<AffineMap> inputMaps,
                                              ValueRange inits,
                                              GenericBody body) {
  int64_t rank = cast<ShapedType>(inits.front().getType()).getRank();
  SmallVector<AffineMap> maps(inputMaps);
  maps.append(inits.size(), builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, loc, inits.getTypes(), inputs, inits, maps, iterators,
      [&](OpBuilder &bodyBuilder, Location bodyLoc, ValueRange args) {
        PairBuilder pairs(bodyBuilder, bodyLoc);
        linalg::YieldOp::create(bodyBuilder, bodyLoc, body(pairs, args));
      });
}

AffineMap attn::getBroadcastMap(Value operand, unsigned numLoops,
                                ArrayRef<unsigned> loops) {
  auto type = cast<ShapedType>(operand.getType());
  MLIRContext *context = operand.getContext();
  SmallVector<AffineExpr> exprs;
  for (auto [loop, size] : llvm::zip_equal(loops, type.getShape()))
    exprs.push_back(size == 1 ? getAffineConstantExpr(0, context)
                              : getAffineDimExpr(loop, context));
  return AffineMap::get(numLoops, 0, exprs, context);
}

void attn::emitAssert(PairBuilder &builder, Operation *op, Value condition,
                      const Twine &message) {
  if (matchPattern(condition, m_One()))
    return;
  cf::AssertOp::create(
      builder.getBuilder(), builder.getLoc(), condition,
      ("'" + op->getName().getStringRef() + "' op " + message).str());
}

void attn::emitSameDimAssert(PairBuilder &builder, Operation *op,
                             StringRef what, const NamedDim &actual,
                             const NamedDim &expected) {
  if (!ShapedType::isDynamic(actual.size()) &&
      !ShapedType::isDynamic(expected.size()))
    return;
  Value equal = builder.compare(
      arith::CmpIPredicate::eq, builder.dim(actual.value, actual.dimension),
      builder.dim(expected.value, expected.dimension));
  emitAssert(builder, op, equal,
             "expects " + what + " of '" + actual.operand +
                 "' to equal that of '" + expected.operand + "'");
}

void attn::eraseUnusedMasks(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<MaskOpInterface, BiasOpInterface>(op))
      ops.push_back(op);
  });
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
}

bool attn::isStaticallyEmpty(Value value) {
  return llvm::is_contained(cast<ShapedType>(value.getType()).getShape(), 0);
}

FloatType attn::getComputeType(ValueRange values) {
  for (Value value : values)
    if (Type type = getElementTypeOrSelf(value.getType()); type.isF64())
      return cast<FloatType>(type);
  return Float32Type::get(values.front().getContext());
}
