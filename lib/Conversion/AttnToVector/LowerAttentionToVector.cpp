//===- LowerAttentionToVector.cpp - Attention to vector code ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Splits an attention on memrefs into work units and describes each to the
/// kernel emitter: its tiles, what its mask says of the keys, and how to emit
/// mask, bias and score region for a vector of queries.
///
//===----------------------------------------------------------------------===//

#include "EmissionHelpers.h"
#include "RotateKeys.h"
#include "VectorMath.h"
#include "attn/Conversion/AttnToVector/AttentionKernel.h"
#include "attn/Conversion/AttnToVector/Passes.h"
#include "attn/Conversion/ParallelLoops.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::attn {
#define GEN_PASS_DEF_LOWERATTENTIONTOVECTORPASS
#include "attn/Conversion/AttnToVector/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Whether `bias` may be -inf, which removes the pair: unless it is computed
/// from indices alone, as slopes that are data may be infinite, or too large.
static bool mayRemovePairs(Value bias) {
  Operation *op = bias.getDefiningOp();
  if (auto alibi = dyn_cast<BiasAlibiOp>(op))
    return static_cast<bool>(alibi.getSlopes());
  if (auto add = dyn_cast<BiasAddOp>(op))
    return mayRemovePairs(add.getLhs()) || mayRemovePairs(add.getRhs());
  if (auto slice = dyn_cast<BiasSliceOp>(op))
    return mayRemovePairs(slice.getSource());
  return true;
}

namespace {

class AttentionLowering {
public:
  AttentionLowering(AttentionOp op, PlanAttr plan)
      : op(op), plan(plan), b(op.getLoc(), op) {}

  void lower();

private:
  /// One dimension of the space of work units.
  struct Dimension {
    Value size;
    int64_t step;
  };

  void emitLoops(ArrayRef<Dimension> dimensions,
                 llvm::function_ref<void(ValueRange)> body);
  Value tile(Value source, ArrayRef<Value> leading, Value row,
             OpFoldResult rows);
  Value batchOf(Value table, Value batch);
  std::optional<AttentionKernel::Rotation>
  rotationOf(std::optional<RotationAttr> attr, Value cos, Value sin,
             Value batch, Value row, OpFoldResult rows);
  Value keyHeadOf(Value head);
  Value scale();
  FloatType roundingType(std::optional<Type> type);
  void rotateKeys();
  void emitUnit(Value batch, Value head, Value firstQuery);
  void setMaskAndBias(AttentionKernel &kernel, Value batch, Value head,
                      Value firstQuery, Value queries);

  AttentionOp op;
  PlanAttr plan;
  ImplicitLocOpBuilder b;
  /// The keys, or their rotated copy.
  Value key;
  /// Buffers of empty tiles, freed at the end of the work unit.
  SmallVector<Value> emptyTiles;
};

} // namespace

/// Emits loops over `dimensions`; one with a single step is index 0.
void AttentionLowering::emitLoops(ArrayRef<Dimension> dimensions,
                                  llvm::function_ref<void(ValueRange)> body) {
  Value zero = indexConstant(b, 0);
  SmallVector<Value> indices(dimensions.size(), zero), uppers, steps;
  SmallVector<size_t> looped;
  for (auto [i, dimension] : llvm::enumerate(dimensions)) {
    std::optional<int64_t> size = getConstantIntValue(dimension.size);
    if (size && *size > 0 && *size <= dimension.step)
      continue;
    looped.push_back(i);
    uppers.push_back(dimension.size);
    steps.push_back(indexConstant(b, dimension.step));
  }
  OpBuilder::InsertionGuard guard(b);
  auto enter = [&](Block *block, ValueRange ivs) {
    b.setInsertionPointToStart(block);
    for (auto [at, iv] : llvm::zip_equal(looped, ivs))
      indices[at] = iv;
  };
  SmallVector<Value> lowers(looped.size(), zero);
  if (!looped.empty() && isInParallelLoop(op)) {
    scf::LoopNest nest =
        scf::buildLoopNest(b, b.getLoc(), lowers, uppers, steps);
    SmallVector<Value> ivs;
    for (scf::ForOp loop : nest.loops)
      ivs.push_back(loop.getInductionVar());
    enter(nest.loops.back().getBody(), ivs);
  } else if (!looped.empty()) {
    auto loop = scf::ParallelOp::create(b, lowers, uppers, steps);
    enter(loop.getBody(), loop.getInductionVars());
  }
  body(indices);
}

/// The tile of `source` at the given leading indices, of `rows` rows from `row`
/// on and everything of the dimension after it, if there is one.
Value AttentionLowering::tile(Value source, ArrayRef<Value> leading, Value row,
                              OpFoldResult rows) {
  auto type = cast<MemRefType>(source.getType());
  Location loc = b.getLoc();
  SmallVector<OpFoldResult> offsets = getAsOpFoldResult(leading);
  offsets.push_back(getAsOpFoldResult(row));
  SmallVector<OpFoldResult> sizes(leading.size(), b.getIndexAttr(1));
  sizes.push_back(rows);
  for (int64_t d = offsets.size(); d < type.getRank(); ++d) {
    offsets.push_back(b.getIndexAttr(0));
    sizes.push_back(memref::getMixedSize(b, loc, source, d));
  }
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  SmallVector<int64_t> shape;
  for (OpFoldResult size : ArrayRef(sizes).drop_front(leading.size()))
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));

  // A subview may not start at the end of a dimension, as an empty one does.
  if (llvm::is_contained(shape, 0)) {
    SmallVector<Value> dynamicSizes;
    for (OpFoldResult size : ArrayRef(sizes).drop_front(leading.size()))
      if (auto value = dyn_cast<Value>(size))
        if (!getConstantIntValue(size))
          dynamicSizes.push_back(value);
    emptyTiles.push_back(memref::AllocOp::create(
        b, MemRefType::get(shape, type.getElementType()), dynamicSizes));
    return emptyTiles.back();
  }
  auto tileType = memref::SubViewOp::inferRankReducedResultType(
      shape, type, offsets, sizes, strides);
  return memref::SubViewOp::create(b, cast<MemRefType>(tileType), source,
                                   offsets, sizes, strides);
}

/// The batch index into a table that may have one batch for all.
Value AttentionLowering::batchOf(Value table, Value batch) {
  return minIndex(b, batch, addIndex(b, sizeOf(b, table, 0), -1));
}

std::optional<AttentionKernel::Rotation>
AttentionLowering::rotationOf(std::optional<RotationAttr> attr, Value cos,
                              Value sin, Value batch, Value row,
                              OpFoldResult rows) {
  if (!attr)
    return std::nullopt;
  AttentionKernel::Rotation rotation;
  rotation.cos = tile(cos, batchOf(cos, batch), row, rows);
  rotation.sin = tile(sin, batchOf(sin, batch), row, rows);
  rotation.interleaved = attr->getLayout() == RotaryLayout::Interleaved;
  rotation.first = attr->getFirst();
  rotation.inverse = attr->getInverse();
  return rotation;
}

/// Consecutive query heads share a key/value head.
Value AttentionLowering::keyHeadOf(Value head) {
  Value queryHeads = sizeOf(b, op.getQuery(), 1);
  Value keyHeads = sizeOf(b, op.getKey(), 1);
  Value group = b.createOrFold<arith::DivUIOp>(queryHeads, keyHeads);
  return b.createOrFold<arith::DivUIOp>(head, group);
}

Value AttentionLowering::scale() {
  FloatType type = op.getAccumulatorType();
  if (std::optional<double> scale = op.getConstantScale())
    return floatConstant(b, type, *scale);
  Value size = arith::IndexCastOp::create(b, b.getI64Type(),
                                          sizeOf(b, op.getQuery(), 3));
  Value root = math::SqrtOp::create(
      b, arith::SIToFPOp::create(b, type, size).getResult());
  return arith::DivFOp::create(b, floatConstant(b, type, 1.0), root);
}

/// `type`, unless rounding to it does nothing.
FloatType AttentionLowering::roundingType(std::optional<Type> type) {
  return type && *type != op.getAccumulatorType() ? cast<FloatType>(*type)
                                                  : FloatType();
}

/// Makes `key` a rotated copy of the keys, in the accumulator type so that the
/// rotation is not rounded.
void AttentionLowering::rotateKeys() {
  Location loc = b.getLoc();
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  for (int64_t d = 0; d < 4; ++d) {
    OpFoldResult size = memref::getMixedSize(b, loc, op.getKey(), d);
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
    if (shape.back() == ShapedType::kDynamic)
      sizes.push_back(cast<Value>(size));
  }
  key = memref::AllocOp::create(b,
                                MemRefType::get(shape, op.getAccumulatorType()),
                                sizes, b.getI64IntegerAttr(64));
  if (llvm::is_contained(shape, 0))
    return;
  emitLoops({{sizeOf(b, key, 0), 1}, {sizeOf(b, key, 1), 1}},
            [&](ValueRange at) {
              Value zero = indexConstant(b, 0);
              OpFoldResult rows = memref::getMixedSize(b, loc, key, 2);
              SmallVector<Value> leading(at);
              emitRotateKeys(b, tile(op.getKey(), leading, zero, rows),
                             *rotationOf(op.getKeyRotation(), op.getKeyCos(),
                                         op.getKeySin(), at[0], zero, rows),
                             tile(key, leading, zero, rows));
            });
}

void AttentionLowering::setMaskAndBias(AttentionKernel &kernel, Value batch,
                                       Value head, Value firstQuery,
                                       Value queries) {
  if (Value mask = op.getMask()) {
    auto maskOp = cast<MaskOpInterface>(mask.getDefiningOp());
    PairBuilder pairs(b, b.getLoc());
    QueryRange range = {batch, head, firstQuery,
                        addIndex(b, firstQuery, queries),
                        sizeOf(b, kernel.key, 0)};
    KeyIntervals intervals = maskOp.emitKeyIntervals(pairs, range);
    kernel.mayBegin = intervals.mayBegin;
    kernel.mayEnd = intervals.mayEnd;
    kernel.sureBegin = intervals.sureBegin;
    kernel.sureEnd = intervals.sureEnd;
    kernel.keep = [=](OpBuilder &builder, Location loc, Value lanes,
                      Value at) mutable {
      PairBuilder pairs(builder, loc);
      Value keep = maskOp.emitKeep(pairs, {batch, head, lanes, at});
      return pairs.broadcastLike(keep, lanes);
    };
  }
  if (Value bias = op.getBias()) {
    auto biasOp = cast<BiasOpInterface>(bias.getDefiningOp());
    FloatType type = op.getAccumulatorType();
    kernel.biasMayRemove = mayRemovePairs(bias);
    kernel.bias = [=](OpBuilder &builder, Location loc, Value lanes,
                      Value at) mutable {
      PairBuilder pairs(builder, loc);
      Value value = biasOp.emitBias(pairs, {batch, head, lanes, at}, type);
      return pairs.broadcastLike(value, lanes);
    };
  }
  if (op.getScore().empty())
    return;
  Region *region = &op.getScore();
  kernel.score = [=](OpBuilder &builder, Location loc, Value scores,
                     Value lanes, Value at) {
    PairBuilder pairs(builder, loc);
    Value value = pairs.inlineRegion(*region, {scores, batch, head, lanes, at});
    return pairs.broadcastLike(value, lanes);
  };
}

void AttentionLowering::emitUnit(Value batch, Value head, Value firstQuery) {
  Location loc = b.getLoc();
  int64_t block = plan.getQueryBlock();
  Value length = sizeOf(b, op.getQuery(), 2);
  Value queries =
      minIndex(b, indexConstant(b, block), subIndex(b, length, firstQuery));
  std::optional<int64_t> known = getConstantIntValue(length);
  if (known && *known % block == 0)
    queries = indexConstant(b, block);
  OpFoldResult rows = getAsOpFoldResult(queries);
  Value zero = indexConstant(b, 0);
  Value keyHead = keyHeadOf(head);
  OpFoldResult keys = memref::getMixedSize(b, loc, key, 2);

  AttentionKernel kernel;
  kernel.query = tile(op.getQuery(), {batch, head}, firstQuery, rows);
  kernel.key = tile(key, {batch, keyHead}, zero, keys);
  kernel.value = tile(op.getValue(), {batch, keyHead}, zero, keys);
  kernel.output = tile(op.getOutputInit(), {batch, head}, firstQuery, rows);
  if (Value lse = op.getLseInit())
    kernel.lse = tile(lse, {batch, head}, firstQuery, rows);
  kernel.rotation = rotationOf(op.getQueryRotation(), op.getQueryCos(),
                               op.getQuerySin(), batch, firstQuery, rows);
  kernel.scale = scale();
  if (std::optional<APFloat> softcap = op.getSoftcap())
    kernel.softcap = softcap->convertToDouble();
  kernel.emptyRow = op.getEmptyRow();
  kernel.lseBase = op.getLseBase();
  kernel.softmaxType = roundingType(op.getSoftmaxType());
  kernel.probType = roundingType(op.getProbType());
  kernel.biasBeforeScale = op.getBiasBeforeScale();
  if (Value sinks = op.getSinks())
    kernel.sink =
        convertFloat(b, memref::LoadOp::create(b, sinks, head).getResult(),
                     op.getAccumulatorType());
  kernel.queryBegin = firstQuery;
  setMaskAndBias(kernel, batch, head, firstQuery, queries);
  kernel.plan = plan;
  emitAttentionKernel(b, loc, kernel);
  for (Value tile : emptyTiles)
    memref::DeallocOp::create(b, tile);
  emptyTiles.clear();
}

void AttentionLowering::lower() {
  ArrayRef<int64_t> queryShape =
      cast<MemRefType>(op.getQuery().getType()).getShape();
  // Without a row there is nothing to write, and no tile to take.
  if (!llvm::is_contained(queryShape.drop_back(), 0)) {
    key = op.getKey();
    if (op.getKeyRotation())
      rotateKeys();
    Value query = op.getQuery();
    emitLoops({{sizeOf(b, query, 0), 1},
               {sizeOf(b, query, 1), 1},
               {sizeOf(b, query, 2), plan.getQueryBlock()}},
              [&](ValueRange at) { emitUnit(at[0], at[1], at[2]); });
    if (op.getKeyRotation())
      memref::DeallocOp::create(b, key);
  }
  op.erase();
}

/// What the lowering needs of `op`, with an error for what is missing.
static LogicalResult checkPreconditions(AttentionOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    if (isa<ShapedType>(type) && !isa<MemRefType>(type))
      return op.emitOpError("expects memrefs, got operand ")
             << operand.getOperandNumber() << " of type " << type
             << "; bufferize first";
  }
  return success(succeeded(verifyKnownMaskOrBias(op, "mask", op.getMask())) &&
                 succeeded(verifyKnownMaskOrBias(op, "bias", op.getBias())));
}

namespace {
struct LowerAttentionToVectorPass
    : attn::impl::LowerAttentionToVectorPassBase<LowerAttentionToVectorPass> {
  using LowerAttentionToVectorPassBase::LowerAttentionToVectorPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return verifyVectorOptions(UnknownLoc::get(context), vectorBits, registers);
  }

  void runOnOperation() override {
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) { ops.push_back(op); });
    for (AttentionOp op : ops) {
      if (failed(checkPreconditions(op)))
        return signalPassFailure();
      int64_t queries = cast<ShapedType>(op.getQuery().getType()).getDimSize(2);
      PlanAttr plan = op.getPlan()
                          ? *op.getPlan()
                          : choosePlan(&getContext(), queries,
                                       op.getAccumulatorType().getWidth(),
                                       vectorBits, registers);
      AttentionLowering(op, plan).lower();
    }
    // Users come after what they use, so backwards everything dead goes.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>(
        [](Operation *op) {
          if (isa<MaskOpInterface, BiasOpInterface>(op) &&
              isOpTriviallyDead(op))
            op->erase();
        });
  }
};
} // namespace
