//===- ContractionEmitter.cpp - The loops of a contraction ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowers contractions on memrefs to loops around a micro-kernel that keeps a
/// block of the result in vector registers. Lanes are columns of the result; a
/// row of the block is one broadcast scalar of the left operand times a vector
/// of the right one. With enough rows to pay for it, a panel of the right
/// operand is packed first: packed columns are contiguous whatever the layout
/// of the operand (a transposed weight needs no transpose), are converted to
/// the accumulation type once, and are padded, so that the kernel has no tail.
///
//===----------------------------------------------------------------------===//

#include "ContractionEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;

/// Below this many rows packing a panel costs more than it saves.
static constexpr int64_t kMinPackedRows = 12;
/// Rows of one parallel work item, about.
static constexpr int64_t kBlockRows = 120;
/// Multiply-adds that pay for starting threads.
static constexpr int64_t kMinParallelWork = 1 << 18;

Value ContractionEmitter::size(unsigned dim) {
  if (!ShapedType::isDynamic(staticSize(dim)))
    return constant(staticSize(dim));
  for (auto [operand, map] :
       {std::pair(c.out, c.outMap), std::pair(c.lhs, c.lhsMap),
        std::pair(c.rhs, c.rhsMap)})
    for (auto [position, expr] : llvm::enumerate(map.getResults()))
      if (cast<AffineDimExpr>(expr).getPosition() == dim)
        return b.createOrFold<memref::DimOp>(loc, operand, position);
  llvm_unreachable("every loop of a contraction is used by an operand");
}

/// Rows share the column vectors and columns share the broadcast scalars, so a
/// block of r x c vectors needs r + c loads for r * c multiply-adds. One vector
/// register is left for the broadcast, `c` for the columns.
RegisterBlock ContractionEmitter::chooseBlock(bool packed) const {
  int64_t m = c.m ? staticSize(*c.m) : 1;
  int64_t n = staticSize(c.n);
  int64_t vectors = 2;
  int64_t maxRows = (registers - 1) / vectors - 1;
  if (registers == 32)
    maxRows = 12;
  if (!ShapedType::isDynamic(m) && !packed && m < 8)
    // Few rows: more columns hide the latency of the multiply-add.
    vectors = std::min<int64_t>(8, (registers - 2) / (m + 1));
  if (!ShapedType::isDynamic(n))
    vectors = std::min<int64_t>(vectors, llvm::divideCeil(n, lanes));
  int64_t rows = maxRows;
  if (!ShapedType::isDynamic(m))
    rows = llvm::divideCeil(m, llvm::divideCeil(m, maxRows));
  return {rows, vectors * lanes};
}

/// Rows of a parallel work item, a multiple of the register block: many, so
/// that a packed panel is used often, but with work left for every thread.
int64_t ContractionEmitter::chooseBlockRows(RegisterBlock block) const {
  int64_t items = 1;
  for (unsigned dim : c.outer)
    items *= ShapedType::isDynamic(staticSize(dim)) ? 8 : staticSize(dim);
  int64_t n = staticSize(c.n);
  items *= ShapedType::isDynamic(n) ? 8 : llvm::divideCeil(n, block.columns);
  int64_t target = items >= 8 ? kBlockRows : kBlockRows / 2;
  int64_t blocked = llvm::divideCeil(target, block.rows) * block.rows;
  int64_t m = c.m ? staticSize(*c.m) : 1;
  if (!ShapedType::isDynamic(m) && m < 2 * blocked)
    return m;
  return blocked;
}

scf::ForOp ContractionEmitter::startLoop(Value lower, Value upper, Value step) {
  auto loop = scf::ForOp::create(b, loc, lower, upper, step);
  b.setInsertionPointToStart(loop.getBody());
  return loop;
}

/// Starts a nest of independent loops, on several threads if that is wanted.
SmallVector<Value> ContractionEmitter::startLoops(ArrayRef<Value> sizes,
                                                  ArrayRef<Value> steps) {
  SmallVector<Value> zeros(sizes.size(), constant(0));
  if (parallel) {
    auto loop = scf::ParallelOp::create(b, loc, zeros, sizes, steps);
    b.setInsertionPointToStart(loop.getBody());
    return llvm::to_vector(loop.getInductionVars());
  }
  Ivs ivs;
  for (auto [zero, size, step] : llvm::zip_equal(zeros, sizes, steps))
    ivs.push_back(startLoop(zero, size, step).getInductionVar());
  return ivs;
}

Value ContractionEmitter::toAccType(Value value) {
  Type type = c.accType;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = vector.clone(c.accType);
  if (value.getType() == type)
    return value;
  return arith::ExtFOp::create(b, loc, type, value);
}

Value ContractionEmitter::columnMask(const Ivs &ivs, RegisterBlock block) {
  if (!needsMask(block))
    return {};
  Value left = arith::SubIOp::create(b, loc, size(c.n), ivs[c.n]);
  return vector::CreateMaskOp::create(
      b, loc, VectorType::get(block.columns, b.getI1Type()), left);
}

/// Loads a vector along the last dimension; lanes that the mask excludes are
/// zero.
Value ContractionEmitter::loadColumns(Value buffer, ValueRange position,
                                      VectorType accVector, Value mask) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  auto type = cast<VectorType>(accVector.clone(element));
  if (!mask)
    return toAccType(vector::LoadOp::create(b, loc, type, buffer, position));
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  return toAccType(
      vector::MaskedLoadOp::create(b, loc, type, buffer, position, mask, zero));
}

void ContractionEmitter::storeColumns(Value value, ValueRange position,
                                      Value mask) {
  auto type = cast<VectorType>(value.getType());
  Type element = cast<MemRefType>(c.out.getType()).getElementType();
  if (element != type.getElementType())
    value = arith::TruncFOp::create(b, loc, type.clone(element), value);
  if (mask)
    vector::MaskedStoreOp::create(b, loc, c.out, position, mask, value);
  else
    vector::StoreOp::create(b, loc, value, c.out, position);
}

/// Accumulates a block of `rows` x `block.columns` over `depth` steps of the
/// reduction that begin at the value of its loop in `ivs`.
void ContractionEmitter::emitKernel(Ivs ivs, int64_t rows, Value depth,
                                    Value panel, RegisterBlock block) {
  OpBuilder::InsertionGuard guard(b);
  auto accVector = VectorType::get(block.columns, c.accType);
  Value mask = columnMask(ivs, block);
  SmallVector<Ivs> rowIvs(rows, ivs);
  SmallVector<Value> accs;
  for (int64_t r = 0; r < rows; ++r) {
    if (c.m)
      rowIvs[r][*c.m] = add(ivs[*c.m], constant(r));
    if (c.startsAtZero)
      accs.push_back(
          arith::ConstantOp::create(b, loc, b.getZeroAttr(accVector)));
    else
      accs.push_back(
          loadColumns(c.out, indices(c.outMap, rowIvs[r]), accVector, mask));
  }

  auto body = [&](OpBuilder &, Location, Value step, ValueRange carried) {
    OpBuilder::InsertionGuard bodyGuard(b);
    b.setInsertionPointToStart(step.getParentBlock());
    Ivs at = ivs;
    at[c.k] = add(ivs[c.k], step);
    Value columns;
    if (panel)
      columns = vector::LoadOp::create(b, loc, accVector, panel,
                                       ValueRange{step, constant(0)});
    else
      columns = loadColumns(c.rhs, indices(c.rhsMap, at), accVector, mask);
    SmallVector<Value> next;
    for (int64_t r = 0; r < rows; ++r) {
      Ivs row = rowIvs[r];
      row[c.k] = at[c.k];
      Value scalar = toAccType(
          memref::LoadOp::create(b, loc, c.lhs, indices(c.lhsMap, row)));
      Value splat = vector::BroadcastOp::create(b, loc, accVector, scalar);
      next.push_back(vector::FMAOp::create(b, loc, splat, columns, carried[r]));
    }
    scf::YieldOp::create(b, loc, next);
  };
  auto loop =
      scf::ForOp::create(b, loc, constant(0), depth, constant(1), accs, body);
  for (int64_t r = 0; r < rows; ++r)
    storeColumns(loop.getResult(r), indices(c.outMap, rowIvs[r]), mask);
}

/// Runs kernels of `rows` rows from `rowBegin` up to `rowEnd`.
void ContractionEmitter::emitRows(Ivs ivs, Value rowBegin, Value rowEnd,
                                  int64_t rows, Value depth, Value panel,
                                  RegisterBlock block) {
  OpBuilder::InsertionGuard guard(b);
  ivs[*c.m] = startLoop(rowBegin, rowEnd, constant(rows)).getInductionVar();
  emitKernel(ivs, rows, depth, panel, block);
}

/// All rows of a work item against one panel: blocks of the chosen height, then
/// what is left over.
void ContractionEmitter::emitRowBlock(Ivs ivs, Value rowEnd, Value panel,
                                      RegisterBlock block) {
  OpBuilder::InsertionGuard guard(b);
  // Panels are at most kPanelDepth deep.
  Value depth = size(c.k);
  int64_t k = staticSize(c.k);
  if (panel && (ShapedType::isDynamic(k) || k > kPanelDepth)) {
    Value limit = constant(kPanelDepth);
    Value begin = startLoop(constant(0), depth, limit).getInductionVar();
    Value left = arith::SubIOp::create(b, loc, depth, begin);
    depth = arith::MinSIOp::create(b, loc, limit, left);
    ivs[c.k] = begin;
  }
  if (panel)
    packPanel(ivs, depth, panel, block);
  if (!c.m)
    return emitKernel(ivs, 1, depth, panel, block);

  Value begin = ivs[*c.m];
  auto endOfWhole = [&](Value from, int64_t height) {
    Value left = arith::SubIOp::create(b, loc, rowEnd, from);
    Value rest = arith::RemUIOp::create(b, loc, left, constant(height));
    return b.createOrFold<arith::SubIOp>(loc, rowEnd, rest);
  };
  Value whole = endOfWhole(begin, block.rows);
  emitRows(ivs, begin, whole, block.rows, depth, panel, block);
  if (hasStaticRows()) {
    if (int64_t rest = staticSize(*c.m) % block.rows)
      emitRows(ivs, whole, rowEnd, rest, depth, panel, block);
    return;
  }
  Value wholeFours = endOfWhole(whole, 4);
  emitRows(ivs, whole, wholeFours, 4, depth, panel, block);
  emitRows(ivs, wholeFours, rowEnd, 1, depth, panel, block);
}

/// panel[k][column] = rhs[k][column], zero where there is no column.
void ContractionEmitter::packPanel(const Ivs &ivs, Value depth, Value panel,
                                   RegisterBlock block) {
  if (!c.rhsContiguous)
    return packTransposed(ivs, depth, panel, block);
  OpBuilder::InsertionGuard guard(b);
  Value mask = columnMask(ivs, block);
  Value zero = constant(0);
  Value step = startLoop(zero, depth, constant(1)).getInductionVar();
  Ivs at = ivs;
  at[c.k] = add(ivs[c.k], step);
  auto accVector = VectorType::get(block.columns, c.accType);
  Value columns = loadColumns(c.rhs, indices(c.rhsMap, at), accVector, mask);
  vector::StoreOp::create(b, loc, columns, panel, ValueRange{step, zero});
}

void ContractionEmitter::zeroPanel(Value depth, Value panel,
                                   RegisterBlock block) {
  OpBuilder::InsertionGuard guard(b);
  auto type = VectorType::get(block.columns, c.accType);
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  Value zero = constant(0);
  Value step = startLoop(zero, depth, constant(1)).getInductionVar();
  vector::StoreOp::create(b, loc, zeros, panel, ValueRange{step, zero});
}

/// The same where columns are not contiguous: walk along the reduction.
void ContractionEmitter::packTransposed(const Ivs &ivs, Value depth,
                                        Value panel, RegisterBlock block) {
  OpBuilder::InsertionGuard guard(b);
  if (needsMask(block))
    zeroPanel(depth, panel, block);
  Value zero = constant(0), one = constant(1);
  Value columns = constant(block.columns);
  if (needsMask(block)) {
    Value left = arith::SubIOp::create(b, loc, size(c.n), ivs[c.n]);
    columns = arith::MinSIOp::create(b, loc, columns, left);
  }
  Value column = startLoop(zero, columns, one).getInductionVar();
  Value step = startLoop(zero, depth, one).getInductionVar();
  Ivs at = ivs;
  at[c.n] = add(ivs[c.n], column);
  at[c.k] = add(ivs[c.k], step);
  Value value =
      toAccType(memref::LoadOp::create(b, loc, c.rhs, indices(c.rhsMap, at)));
  memref::StoreOp::create(b, loc, value, panel, ValueRange{step, column});
}

/// The loops over outer dimensions, row blocks and panels.
void ContractionEmitter::emitVariant(bool packed) {
  OpBuilder::InsertionGuard guard(b);
  RegisterBlock block = chooseBlock(packed);
  SmallVector<Value> sizes, steps;
  SmallVector<unsigned> dims = llvm::to_vector(c.outer);
  for (unsigned dim : dims) {
    sizes.push_back(size(dim));
    steps.push_back(constant(1));
  }
  int64_t blockRows = chooseBlockRows(block);
  if (c.m) {
    dims.push_back(*c.m);
    sizes.push_back(size(*c.m));
    steps.push_back(constant(blockRows));
  }
  dims.push_back(c.n);
  sizes.push_back(size(c.n));
  steps.push_back(constant(block.columns));

  Ivs ivs(c.staticSizes.size(), constant(0));
  for (auto [dim, iv] : llvm::zip_equal(dims, startLoops(sizes, steps)))
    ivs[dim] = iv;

  Value panel;
  if (packed) {
    int64_t k = staticSize(c.k);
    int64_t depth =
        ShapedType::isDynamic(k) ? kPanelDepth : std::min(k, kPanelDepth);
    panel = memref::AllocOp::create(
        b, loc, MemRefType::get({depth, block.columns}, c.accType),
        b.getI64IntegerAttr(64));
  }
  Value rowEnd;
  if (c.m) {
    rowEnd = size(*c.m);
    if (!hasStaticRows() || staticSize(*c.m) > blockRows) {
      Value end = add(ivs[*c.m], constant(blockRows));
      rowEnd = arith::MinSIOp::create(b, loc, rowEnd, end);
    }
  }
  if (panel)
    b.setInsertionPoint(memref::DeallocOp::create(b, loc, panel));
  for (unsigned dim : c.outerK)
    ivs[dim] = startLoop(constant(0), size(dim), constant(1)).getInductionVar();
  emitRowBlock(ivs, rowEnd, panel, block);
}

void ContractionEmitter::emit() {
  if (parallel) {
    int64_t work = 1;
    for (int64_t size : c.staticSizes)
      work *= ShapedType::isDynamic(size) ? 64 : size;
    parallel = work >= kMinParallelWork;
  }
  if (hasStaticRows()) {
    int64_t rows = c.m ? staticSize(*c.m) : 1;
    return emitVariant(rows >= kMinPackedRows || !c.rhsContiguous);
  }
  if (!c.rhsContiguous)
    return emitVariant(/*packed=*/true);
  Value many = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                     size(*c.m), constant(kMinPackedRows));
  auto branch = scf::IfOp::create(b, loc, many, /*withElseRegion=*/true);
  b.setInsertionPoint(branch.thenYield());
  emitVariant(/*packed=*/true);
  b.setInsertionPoint(branch.elseYield());
  emitVariant(/*packed=*/false);
}
