//===- RaisePositions.cpp - Recover learned positions -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A learned position is a row of a table, the row being a position. That is
/// what tells it from the embedding of a token: a position counts along the
/// sequence, by an iota or a cumulative sum; a token is read from data.
///
/// A row for each index is a slice of the table, as many other slices are. It
/// is taken for positions only where it is added to something for every batch.
///
//===----------------------------------------------------------------------===//

#include "GraphWalk.h"
#include "RaiseRotary.h"
#include "attn/Analysis/ConstantElements.h"
#include "attn/Raise/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn {
#define GEN_PASS_DEF_RAISEPOSITIONSPASS
#include "attn/Raise/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {

/// `table[position, feature]`, over a batch, a sequence and a feature.
struct PositionRow {
  Value table;
  Expr position = nullptr;
  /// Position t (and a constant) for token t: nothing but a slice.
  bool isSlice = false;
};

class Raiser {
public:
  explicit Raiser(MLIRContext *mlirContext)
      : context(mlirContext), elements(context), builder(mlirContext) {}

  void visit(Operation *op);
  /// Erases what is not needed any more; returns whether anything was raised.
  bool finish() {
    for (Operation *op : replaced)
      op->erase();
    return raised;
  }

private:
  std::optional<PositionRow> matchRow(Expr element, Expr sequence,
                                      Expr feature);
  Expr simplifyPosition(Expr position, Expr sequence);
  bool counts(Expr expr, Expr sequence);
  bool isScan(Expr expr, Expr sequence);
  static bool isSinusoidal(Value table);
  bool isCheckedByRow(Value value, const PositionRow &row);
  bool addsOperand(Value sum, Value operand);
  void visitSum(Operation *op);
  Value emitRows(Operation *point, Value like, const PositionRow &row);
  void raise(Value value, const PositionRow &row);
  void passed(Location loc, const PositionRow &row);
  void missed(Location loc, StringRef reason);

  ExpressionContext context;
  ElementExpression elements;
  OpBuilder builder;
  llvm::DenseSet<Value> done;
  SmallVector<Operation *> replaced;
  bool raised = false;
};

} // namespace

void Raiser::missed(Location loc, StringRef reason) {
  remark::missed(
      loc, remark::RemarkOpts::name("RaisePositions").category("attn-raise"))
      << remark::reason("{0}", reason.str());
}

void Raiser::passed(Location loc, const PositionRow &row) {
  raised = true;
  remark::passed(
      loc, remark::RemarkOpts::name("RaisePositions").category("attn-raise"))
      << (row.isSlice ? "learned positions, one for each token"
                      : "learned positions");
}

/// Whether the value of an integer expression moves with `sequence` by
/// counting: in arithmetic or in a cumulative sum, not only as an index of what
/// is read.
bool Raiser::counts(Expr expr, Expr sequence) {
  if (expr == sequence)
    return true;
  if (expr->is(ExprKind::Load))
    return false;
  if (expr->is(ExprKind::Reduce))
    return counts(expr->getBody(), sequence);
  return llvm::any_of(expr->getOperands(),
                      [&](Expr operand) { return counts(operand, sequence); });
}

/// Whether numbers along `sequence` come out of a loop over tensors, which is
/// how a cumulative sum is exported where it is no reduction.
bool Raiser::isScan(Expr expr, Expr sequence) {
  if (expr->is(ExprKind::Load))
    return expr->getValue().getDefiningOp<scf::ForOp>() &&
           context.occurs(sequence, expr);
  return llvm::any_of(expr->getOperands(),
                      [&](Expr operand) { return isScan(operand, sequence); });
}

/// Positions read from a constant that counts are the sum they are.
Expr Raiser::simplifyPosition(Expr position, Expr sequence) {
  if (!position->is(ExprKind::Load))
    return position;
  std::optional<ConstantElements> constant =
      ConstantElements::get(position->getValue());
  if (!constant || constant->isFloat() || constant->getNumElements() == 0)
    return position;
  std::optional<unsigned> along;
  SmallVector<int64_t> indices;
  for (auto [dimension, index] : llvm::enumerate(position->getOperands())) {
    indices.push_back(index->getConstantInt().value_or(0));
    if (index->isConstant())
      continue;
    if (along || !context.occurs(sequence, index))
      return position;
    along = dimension;
  }
  if (!along)
    return position;
  int64_t first = 0;
  for (int64_t t : llvm::seq(constant->getShape()[*along])) {
    indices[*along] = t;
    std::optional<int64_t> at = constant->getPosition(indices);
    if (!at)
      return position;
    int64_t number = constant->getInt(*at);
    if (t == 0)
      first = number;
    if (number != first + t)
      return position;
  }
  return context.getAdd(position->getOperand(*along), first);
}

std::optional<PositionRow> Raiser::matchRow(Expr element, Expr sequence,
                                            Expr feature) {
  if (!element->is(ExprKind::Load) || !sequence->is(ExprKind::Index))
    return std::nullopt;
  Value table = element->getValue();
  auto type = dyn_cast<RankedTensorType>(table.getType());
  if (!type || type.getRank() < 2 || type.getRank() > 3 ||
      (!isa<BlockArgument>(table) && !ConstantElements::get(table)))
    return std::nullopt;
  ArrayRef<Expr> indices = element->getOperands();
  if (type.getRank() == 3) {
    if (type.getDimSize(0) != 1)
      return std::nullopt;
    indices = indices.drop_front();
  }
  Expr position = simplifyPosition(indices[0], sequence);
  if (indices[1] != feature || !feature->is(ExprKind::Index) ||
      !feature->getExtent()->isConstantInt(type.getShape().back()) ||
      context.occurs(feature, position) ||
      (!counts(position, sequence) && !isScan(position, sequence)))
    return std::nullopt;
  PositionRow row{table, position, false};
  row.isSlice = context.getSub(position, sequence)->isConstant();
  return row;
}

/// Whether the first row of a constant table is that of a sinusoidal encoding:
/// zeros, of sines, and ones, of cosines. Learned numbers never are.
bool Raiser::isSinusoidal(Value table) {
  std::optional<ConstantElements> constant = ConstantElements::get(table);
  if (!constant || constant->isSplat())
    return false;
  int64_t width = constant->getShape().back();
  bool ones = false;
  for (int64_t i : llvm::seq(std::min(width, constant->getNumElements()))) {
    double number = constant->getFloat(i);
    if (number != 0 && number != 1)
      return false;
    ones |= number == 1;
  }
  return ones;
}

/// Emits a tensor like `like`, `[B, S, D]` or `[S, D]`, whose elements are the
/// rows. Null, with a remark, if that is not possible.
Value Raiser::emitRows(Operation *point, Value like, const PositionRow &row) {
  done.insert(like);
  Location loc = point->getLoc();
  if (isSinusoidal(row.table)) {
    missed(loc, "the table that is read at each position holds sines and "
                "cosines, which were not learned");
    return nullptr;
  }
  builder.setInsertionPoint(point);
  SmallVector<Expr> variables = elements.getVariables(like);
  bool hasBatch = variables.size() == 3;
  FailureOr<Value> positions =
      emitPositions(builder, loc, elements, row.position,
                    hasBatch ? variables[0] : context.getInt(0),
                    variables[hasBatch ? 1 : 0], like);
  if (failed(positions)) {
    missed(loc, "the positions cannot be had as a tensor");
    return nullptr;
  }
  Value table = row.table;
  auto tableType = cast<RankedTensorType>(table.getType());
  if (tableType.getRank() == 3)
    table = tensor::CollapseShapeOp::create(
        builder, loc, table, SmallVector<ReassociationIndices>{{0, 1}, {2}});
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, *positions);
  sizes.push_back(tensor::getMixedSizes(builder, loc, table).back());
  Value init =
      tensor::EmptyOp::create(builder, loc, sizes, tableType.getElementType());
  Value rows =
      LearnedPositionOp::create(builder, loc, TypeRange{init.getType()}, table,
                                *positions, init)
          .getResult(0);
  if (!hasBatch)
    rows = tensor::CollapseShapeOp::create(
        builder, loc, rows, SmallVector<ReassociationIndices>{{0, 1}, {2}});
  if (rows.getType() != like.getType())
    rows = tensor::CastOp::create(builder, loc, like.getType(), rows);
  return rows;
}

/// Whether all that the operation of a value checks is that positions are in
/// the table, which `attn.learned_position` checks too.
bool Raiser::isCheckedByRow(Value value, const PositionRow &row) {
  auto type = cast<RankedTensorType>(row.table.getType());
  if (type.isDynamicDim(type.getRank() - 2))
    return false;
  Expr inFront = context.getGe0(row.position);
  Expr inside = context.getLess(
      row.position, context.getInt(type.getDimSize(type.getRank() - 2)));
  return llvm::all_of(elements.getMap(value).asserted, [&](Expr condition) {
    return condition->isTrue() || condition == inFront || condition == inside;
  });
}

/// Replaces a value whose elements are the rows.
void Raiser::raise(Value value, const PositionRow &row) {
  Value rows = emitRows(value.getDefiningOp(), value, row);
  if (!rows)
    return;
  value.replaceAllUsesWith(rows);
  if (isa<linalg::GenericOp>(value.getDefiningOp()) &&
      isCheckedByRow(value, row))
    replaced.push_back(value.getDefiningOp());
  passed(value.getLoc(), row);
}

/// Whether `term` is a term of a sum.
static bool isTerm(Expr sum, Expr term) {
  if (!sum->is(ExprKind::AddF))
    return sum == term;
  return llvm::any_of(sum->getOperands(),
                      [&](Expr operand) { return isTerm(operand, term); });
}

/// Whether `value` goes into exponentials before the next contraction: scores
/// do, and what is added to them is a mask or a bias.
static bool isScore(Value value) {
  constexpr size_t maxValues = 64;
  llvm::SetVector<Value> reached;
  reached.insert(value);
  for (size_t next = 0; next < reached.size() && next < maxValues; ++next)
    for (Operation *user : reached[next].getUsers()) {
      bool found = false;
      user->walk(
          [&](Operation *op) { found |= isa<math::ExpOp, math::Exp2Op>(op); });
      if (found)
        return true;
      auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
      if (!linalgOp || !linalg::isaContractionOpInterface(linalgOp))
        reached.insert(user->result_begin(), user->result_end());
    }
  return false;
}

/// The sum adds the elements of `operand`, the same ones for every batch.
bool Raiser::addsOperand(Value sum, Value operand) {
  const ElementMap &map = elements.getMap(sum);
  ArrayRef<Expr> extents = elements.getExtents(operand);
  size_t rank = extents.size();
  if (rank != 2 && rank != 3)
    return false;
  return llvm::all_of(map.pieces, [&](const Piece &piece) {
    SmallVector<Expr> indices;
    for (auto [d, dim] : llvm::enumerate(piece.dims))
      indices.push_back(context.getAdd(
          context.getScaled(context.getIndex(d, dim.size), dim.stride),
          dim.offset));
    ArrayRef<Expr> own = ArrayRef(indices).take_back(rank);
    if (rank == 3 && extents[0]->isConstantInt(1))
      indices[0] = context.getInt(0);
    else if (rank == 3 && extents[0] != map.extents[0])
      return false;
    return piece.value->is(ExprKind::AddF) &&
           isTerm(piece.value, elements.getElement(operand, own));
  });
}

/// Positions that an addition reads, one row for each token.
void Raiser::visitSum(Operation *op) {
  Value sum = op->getResult(0);
  for (Value operand : llvm::to_vector(op->getOperands())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type || done.contains(operand) || !addsOperand(sum, operand))
      continue;
    SmallVector<Expr> variables = elements.getVariables(operand);
    size_t rank = variables.size();
    std::optional<PositionRow> row =
        matchRow(elements.getElement(operand, variables), variables[rank - 2],
                 variables[rank - 1]);
    if (!row || !row->isSlice || isScore(sum))
      continue;
    // An argument may be anything that is added.
    if (isa<BlockArgument>(row->table)) {
      done.insert(operand);
      if (!elements.getExtents(sum)[0]->isConstantInt(1))
        missed(sum.getLoc(), "rows of an argument are added in every batch, "
                             "which need not be positions");
      continue;
    }
    if (operand != row->table) {
      raise(operand, *row);
      continue;
    }
    if (Value rows = emitRows(op, operand, *row)) {
      op->replaceUsesOfWith(operand, rows);
      passed(sum.getLoc(), *row);
    }
  }
}

void Raiser::visit(Operation *op) {
  if (op->getNumResults() != 1)
    return;
  Value value = op->getResult(0);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !isa<FloatType>(type.getElementType()) || type.getRank() != 3 ||
      done.contains(value))
    return;
  const ElementMap &map = elements.getMap(value);
  if (map.leaf)
    return;
  if (map.pieces.front().value->is(ExprKind::AddF))
    return visitSum(op);
  Expr element = map.getSingle();
  if (!element)
    return;
  SmallVector<Expr> variables = elements.getVariables(value);
  std::optional<PositionRow> row =
      matchRow(element, variables[1], variables[2]);
  // What counts along the other dimension as well is a relative position.
  if (row && !row->isSlice && !counts(row->position, variables[0]))
    raise(value, *row);
}

namespace {

struct RaisePositionsPass
    : attn::impl::RaisePositionsPassBase<RaisePositionsPass> {
  void runOnOperation() override {
    Raiser raiser(&getContext());
    visitGraph(getOperation(), [&](Operation *op) { raiser.visit(op); });
    if (!raiser.finish())
      return markAllAnalysesPreserved();
    eraseDeadCode(getOperation());
  }
};

} // namespace
