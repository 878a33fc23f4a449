//===- ContractionMatch.cpp - Recognise contractions ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the rows, columns and reduction of a contraction on memrefs.
///
//===----------------------------------------------------------------------===//

#include "ContractionMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

/// Rows below which a product with a transposed right operand is a set of dot
/// products, for which plain loops are the better form.
static constexpr int64_t kMinRowsToTranspose = 4;

/// True if the last dimension of the buffer has stride one.
static bool isLastDimContiguous(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || type.getRank() == 0)
    return false;
  return type.areTrailingDimsContiguous(1);
}

/// True if the body is a multiply-add with nothing but widening casts.
static bool hasPlainBody(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->getOperations(), [](Operation &inner) {
    return isa<arith::MulFOp, arith::AddFOp, arith::ExtFOp, linalg::YieldOp>(
        inner);
  });
}

static std::optional<unsigned> lastDim(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  return map.getDimPosition(map.getNumResults() - 1);
}

/// Sorts the loops into rows, columns, reductions and the rest. Fails where a
/// reduction is not over both operands.
static LogicalResult classifyLoops(Contraction &c) {
  SmallVector<unsigned> rows, reductions;
  for (unsigned dim = 0; dim < c.staticSizes.size(); ++dim) {
    bool inLhs = c.lhsMap.isFunctionOfDim(dim);
    bool inRhs = c.rhsMap.isFunctionOfDim(dim);
    bool inOut = c.outMap.isFunctionOfDim(dim);
    if (!inOut) {
      if (!inLhs || !inRhs)
        return failure();
      reductions.push_back(dim);
    } else if (dim != c.n) {
      if (inLhs && !inRhs)
        rows.push_back(dim);
      else
        c.outer.push_back(dim);
    }
  }
  // Callers ask for upstream's contraction interface first, which demands it.
  assert(!reductions.empty() && "a contraction sums over a dimension");
  // Of several row dimensions take the innermost one, of several reductions the
  // one along which the left operand is contiguous.
  if (!rows.empty()) {
    c.m = rows.pop_back_val();
    c.outer.append(rows);
    llvm::sort(c.outer);
  }
  std::optional<unsigned> last = lastDim(c.lhsMap);
  c.k =
      last && llvm::is_contained(reductions, *last) ? *last : reductions.back();
  llvm::erase(reductions, c.k);
  c.outerK = reductions;
  return success();
}

FailureOr<Contraction> attn::matchContraction(linalg::LinalgOp op,
                                              StringRef &reason) {
  auto fail = [&](StringRef text) {
    reason = text;
    return failure();
  };
  if (!op.hasPureBufferSemantics())
    return fail("the op is not on memrefs");
  if (!hasPlainBody(op))
    return fail("the body is not a multiply-add of floating-point numbers");
  Contraction c;
  c.op = op;
  c.lhs = op.getDpsInputs()[0];
  c.rhs = op.getDpsInputs()[1];
  c.out = op.getDpsInits()[0];
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  c.lhsMap = maps[0];
  c.rhsMap = maps[1];
  c.outMap = maps[2];
  c.staticSizes = op.getStaticLoopRanges();
  for (Value operand : {c.lhs, c.rhs, c.out}) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type || !isa<FloatType>(type.getElementType()))
      return fail("an operand is not a memref of floating-point numbers");
    c.accType = type.getElementType();
    if (!c.accType.isF64())
      c.accType = Float32Type::get(op.getContext());
  }

  // Columns are what the result is contiguous in; they belong to one operand.
  std::optional<unsigned> columns = lastDim(c.outMap);
  if (!columns || !isLastDimContiguous(c.out))
    return fail("the last dimension of the result is not contiguous");
  c.n = *columns;
  if (c.lhsMap.isFunctionOfDim(c.n) && !c.rhsMap.isFunctionOfDim(c.n)) {
    std::swap(c.lhs, c.rhs);
    std::swap(c.lhsMap, c.rhsMap);
  }
  if (c.lhsMap.isFunctionOfDim(c.n))
    return fail("the last dimension of the result is a batch dimension");
  if (failed(classifyLoops(c)))
    return fail("a dimension is summed over one operand only");
  c.rhsContiguous = lastDim(c.rhsMap) == c.n && isLastDimContiguous(c.rhs);
  int64_t rows = c.m ? c.staticSizes[*c.m] : 1;
  if (!c.rhsContiguous && !ShapedType::isDynamic(rows) &&
      rows < kMinRowsToTranspose)
    return fail("too few rows to transpose the right operand for");
  return c;
}

void Contraction::takeZeroFill(int64_t maxDepth) {
  if (!outerK.empty() || ShapedType::isDynamic(staticSizes[k]) ||
      staticSizes[k] > maxDepth || !out.getDefiningOp<memref::AllocOp>())
    return;
  // All earlier users of the fresh buffer must be this one fill.
  linalg::FillOp fill;
  for (Operation *user : out.getUsers()) {
    if (user->getBlock() != op->getBlock())
      return;
    if (user == op || op->isBeforeInBlock(user))
      continue;
    auto candidate = dyn_cast<linalg::FillOp>(user);
    if (!candidate || fill)
      return;
    fill = candidate;
  }
  if (!fill || !matchPattern(fill.value(), m_AnyZeroFloat()))
    return;
  fill.erase();
  startsAtZero = true;
}
