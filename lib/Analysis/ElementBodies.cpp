//===- ElementBodies.cpp - Elements of linalg operations --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates bodies of linalg operations, tensor.generate and tensor.pad over
/// expressions, and turns reductions into `Reduce` nodes.
///
//===----------------------------------------------------------------------===//

#include "ElementBuilder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::attn;
using Impl = ElementExpression::Impl;

bool attn::isFloatContraction(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return false;
  Type type = getElementTypeOrSelf(op.getDpsInitOperand(0)->get().getType());
  if (!isa<FloatType, ComplexType>(type))
    return false;
  return linalg::isaContractionOpInterface(op) ||
         linalg::isaConvolutionOpInterface(op);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Expr Impl::evaluateBodyOp(Operation *op, ArrayRef<Expr> operands,
                          ArrayRef<Expr> loops) {
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return index.getDim() < loops.size() ? loops[index.getDim()] : nullptr;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return read(extract.getTensor(), operands.drop_front());
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    const ElementMap *source = lookup(dim.getSource());
    auto position = operands[1]->getConstantInt();
    if (!source || !position || *position < 0 || *position >= source->getRank())
      return context.getLoad(dim.getResult());
    return source->extents[*position];
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    AffineMap map = apply.getAffineMap();
    return applyAffine(context, map.getResult(0),
                       operands.take_front(map.getNumDims()),
                       operands.drop_front(map.getNumDims()));
  }
  if (llvm::is_contained(operands, nullptr))
    return nullptr;
  return applyScalarOp(context, op, operands);
}

/// The operations of a body on which a value depends, in order.
static SmallVector<Operation *> getSlice(Block &body, Value wanted) {
  llvm::SmallDenseSet<Value> needed = {wanted};
  SmallVector<Operation *> slice;
  for (Operation &op : llvm::reverse(body)) {
    if (llvm::none_of(op.getResults(),
                      [&](Value result) { return needed.contains(result); }))
      continue;
    slice.push_back(&op);
    needed.insert(op.operand_begin(), op.operand_end());
  }
  std::reverse(slice.begin(), slice.end());
  return slice;
}

Expr Impl::evaluateBody(Block &body, Value wanted, ArrayRef<Expr> loops,
                        function_ref<Expr(BlockArgument)> argument) {
  llvm::SmallDenseMap<Value, Expr> known;
  auto get = [&](Value value) -> Expr {
    if (auto it = known.find(value); it != known.end())
      return it->second;
    auto blockArgument = dyn_cast<BlockArgument>(value);
    Expr result = blockArgument && blockArgument.getOwner() == &body
                      ? argument(blockArgument)
                      : readScalar(value);
    if (result)
      known[value] = result;
    return result;
  };
  for (Operation *op : getSlice(body, wanted)) {
    if (op->getNumRegions() != 0 || op->getNumResults() != 1)
      return nullptr;
    SmallVector<Expr> operands;
    for (Value operand : op->getOperands()) {
      Expr value = nullptr;
      if (!isa<TensorType>(operand.getType())) {
        value = get(operand);
        if (!value)
          return nullptr;
      }
      operands.push_back(value);
    }
    Expr result = nullptr;
    if (isa<arith::ConstantOp>(op))
      result = elementOf(op->getResult(0), {});
    else
      result = evaluateBodyOp(op, operands, loops);
    if (!result || result->getDepth() > 2 * options.maxDepth)
      return nullptr;
    known[op->getResult(0)] = result;
  }
  return get(wanted);
}

Expr Impl::evaluateLinalgBody(linalg::LinalgOp op, Value wanted,
                              ArrayRef<Expr> loops, bool readInits) {
  auto argument = [&](BlockArgument blockArgument) -> Expr {
    OpOperand *operand = op.getMatchingOpOperand(blockArgument);
    if (op.isDpsInit(operand) && !readInits)
      return nullptr;
    if (!isa<TensorType>(operand->get().getType()))
      return readScalar(operand->get());
    SmallVector<Expr> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(operand).getResults())
      indices.push_back(applyAffine(context, expr, loops));
    return read(operand->get(), indices);
  };
  return evaluateBody(*op.getBlock(), wanted, loops, argument);
}

void Impl::collectAsserted(linalg::LinalgOp op, ElementMap &map) {
  if (op.getNumReductionLoops() != 0)
    return;
  SmallVector<Expr> loops(op.getNumLoops(), nullptr);
  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  const Piece &piece = map.pieces.front();
  for (auto [d, result] : llvm::enumerate(outMap.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      loops[dim.getPosition()] = context.getAdd(
          piece.dims[d].offset,
          context.getScaled(context.getIndex(d, piece.dims[d].size),
                            piece.dims[d].stride));
  if (llvm::is_contained(loops, nullptr))
    return;
  for (auto assertion : op.getBlock()->getOps<cf::AssertOp>()) {
    Expr condition = evaluateLinalgBody(op, assertion.getArg(), loops, false);
    if (condition && !condition->isTrue())
      map.asserted.push_back(condition);
  }
}

//===----------------------------------------------------------------------===//
// Linalg operations
//===----------------------------------------------------------------------===//

Expr Impl::elementOfLinalg(linalg::LinalgOp op, unsigned result,
                           ArrayRef<Expr> indices) {
  OpOperand *init = op.getDpsInitOperand(result);
  SmallVector<Expr> loops(op.getNumLoops(), nullptr);
  for (auto [expr, index] :
       llvm::zip_equal(op.getMatchingIndexingMap(init).getResults(), indices)) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim) {
      // A kept dimension of size 1.
      if (!isa<AffineConstantExpr>(expr) || !index->isConstantInt(0))
        return nullptr;
      continue;
    }
    if (loops[dim.getPosition()])
      return nullptr;
    loops[dim.getPosition()] = index;
  }
  SmallVector<unsigned> reduced;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (type == utils::IteratorType::reduction)
      reduced.push_back(loop);
    else if (!loops[loop])
      return nullptr;
    if (type == utils::IteratorType::reduction && loops[loop])
      return nullptr;
  }
  if (!reduced.empty())
    return elementOfReduction(op, result, loops, reduced, indices);
  Value yielded = op.getBlock()->getTerminator()->getOperand(result);
  return evaluateLinalgBody(op, yielded, loops, /*readInits=*/true);
}

Expr Impl::getLoopExtent(linalg::LinalgOp op, unsigned loop) {
  AffineExpr wanted = getAffineDimExpr(loop, op->getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    const ElementMap *map = lookup(operand.get());
    if (!map || !isa<TensorType>(operand.get().getType()))
      continue;
    for (auto [d, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
      if (expr == wanted)
        return map->extents[d];
  }
  return nullptr;
}

/// The operation that combines an element with the accumulator `out`, and the
/// element.
static Operation *getCombiner(Value yielded, BlockArgument out,
                              Value &element) {
  Operation *op = yielded.getDefiningOp();
  if (!op || op->getBlock() != out.getOwner() || op->getNumOperands() != 2)
    return nullptr;
  if (op->getOperand(0) == out)
    element = op->getOperand(1);
  else if (op->getOperand(1) == out)
    element = op->getOperand(0);
  else
    return nullptr;
  return element == out ? nullptr : op;
}

Expr Impl::elementOfReduction(linalg::LinalgOp op, unsigned result,
                              MutableArrayRef<Expr> loops,
                              ArrayRef<unsigned> reduced,
                              ArrayRef<Expr> indices) {
  Value yielded = op.getBlock()->getTerminator()->getOperand(result);
  OpOperand *init = op.getDpsInitOperand(result);
  Value element;
  Operation *combiner =
      getCombiner(yielded, op.getMatchingBlockArgument(init), element);
  std::optional<ExprKind> kind =
      combiner ? getCombinerKind(combiner) : std::nullopt;
  if (!kind)
    return nullptr;
  // Sums of floats must keep their order, so they are only cut in intervals.
  bool ordered = isa<FloatType>(element.getType()) &&
                 (*kind == ExprKind::AddF || *kind == ExprKind::MulF);

  // Reduced dimensions are variables numbered from the rank of the result.
  unsigned firstVariable = indices.size();
  SmallVector<PieceDim> whole;
  for (unsigned loop : reduced) {
    Expr extent = getLoopExtent(op, loop);
    if (!extent)
      return nullptr;
    whole.push_back({context.getInt(0), 1, extent});
  }
  Expr value = read(init->get(), indices);
  if (!value)
    return nullptr;
  SmallVector<SmallVector<PieceDim>> boxes = {whole};
  unsigned count = 0;
  while (!boxes.empty()) {
    SmallVector<PieceDim> box = boxes.pop_back_val();
    SmallVector<Expr> variables;
    for (auto [i, dim] : llvm::enumerate(box)) {
      variables.push_back(context.getIndex(firstVariable + i, dim.size));
      loops[reduced[i]] = context.getAdd(
          dim.offset, context.getScaled(variables.back(), dim.stride));
    }
    Expr body = evaluateLinalgBody(op, element, loops, /*readInits=*/false);
    if (body) {
      value = context.getReduce(*kind, variables, body, value);
      if (++count > options.maxPieces)
        return nullptr;
      continue;
    }
    if (!cut)
      return nullptr;
    auto it = llvm::find(variables, cut->variable);
    if (it == variables.end())
      return nullptr; // A cut of the result's own dimension: passed on.
    Cut here = *std::exchange(cut, std::nullopt);
    SmallVector<PieceDim> parts;
    unsigned position = it - variables.begin();
    if ((ordered && (!here.at || box.size() != 1)) ||
        !cutDim(context, box[position], here, parts) ||
        boxes.size() + parts.size() > options.maxPieces)
      return nullptr;
    for (PieceDim &part : llvm::reverse(parts)) {
      box[position] = part;
      boxes.push_back(box);
    }
  }
  return value;
}
