//===- LowerLinalgToLoops.cpp - Loops for the vectoriser --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lowers linalg ops on memrefs to loops that LLVM's loop vectoriser takes. The
/// vectoriser wants a contiguous innermost loop, reductions in values rather
/// than in memory, permission to reassociate them, and as few loads as possible
/// in the innermost loop. Big ops run on several threads.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/ParallelLoops.h"
#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::attn {
#define GEN_PASS_DEF_LOWERLINALGTOLOOPSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// What a dynamic size is taken for where a guess is needed.
static constexpr int64_t kAssumedSize = 64;
/// Work (see `bodyCost`) that pays for starting threads.
static constexpr int64_t kMinParallelWork = 1 << 17;
/// Work that pays for fetching a work item.
static constexpr int64_t kMinItemWork = 1 << 14;
/// Work items after which no further loop is made parallel.
static constexpr int64_t kEnoughItems = 64;

static int64_t assumedSize(int64_t size) {
  return ShapedType::isDynamic(size) ? kAssumedSize : size;
}

/// A rough count of operations of one iteration.
static int64_t bodyCost(linalg::LinalgOp op) {
  int64_t cost = 1;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<math::MathDialect>(inner.getDialect()))
      cost += 16;
    else
      cost += isa<arith::DivFOp, arith::DivSIOp, arith::RemSIOp>(inner) ? 6 : 1;
  }
  return cost;
}

/// How much the memory accesses of one iteration cost when `dim` is the
/// innermost loop, in sixteenths of a scalar access.
static int64_t accessCost(linalg::LinalgOp op, unsigned dim) {
  int64_t cost = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!map.isFunctionOfDim(dim))
      continue;
    bool contiguous = map.getResults().back().isFunctionOfDim(dim);
    for (AffineExpr expr : map.getResults().drop_back())
      contiguous &= !expr.isFunctionOfDim(dim);
    int64_t accesses = op.isDpsInit(&operand) ? 2 : 1;
    cost += accesses * (contiguous ? 1 : 16);
  }
  // A short loop is not worth vectorising.
  if (op.getStaticLoopRanges()[dim] < 4 &&
      !ShapedType::isDynamic(op.getStaticLoopRanges()[dim]))
    cost += 8;
  return cost;
}

/// Orders the loops: the cheapest innermost, the others as they stand, with
/// reductions inside.
static SmallVector<unsigned> orderLoops(linalg::LinalgOp op) {
  unsigned innermost = 0;
  int64_t best = std::numeric_limits<int64_t>::max();
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    int64_t cost = accessCost(op, dim);
    if (cost <= best) {
      best = cost;
      innermost = dim;
    }
  }
  SmallVector<unsigned> order;
  for (bool parallel : {true, false})
    for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      if (linalg::isParallelIterator(kind) == parallel && dim != innermost)
        order.push_back(dim);
  if (op.getNumLoops() > 0)
    order.push_back(innermost);
  return order;
}

namespace {

/// Emits the loops of one op.
class LoopEmitter {
public:
  LoopEmitter(linalg::LinalgOp op, bool parallel)
      : op(op), b(op), loc(op->getLoc()), order(orderLoops(op)),
        parallel(parallel), ivs(op.getNumLoops()),
        inputs(op.getNumDpsInputs()) {}

  void emit();

private:
  bool isParallelDim(unsigned dim) const {
    return linalg::isParallelIterator(kinds[dim]);
  }
  /// True if results depend on a loop. A loop that is called a reduction may
  /// do so, too: nothing is reduced, but its order may matter.
  bool indexesResult(unsigned dim) {
    return llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
      return op.getMatchingIndexingMap(&init).isFunctionOfDim(dim);
    });
  }
  bool isReady(AffineMap map) const {
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (map.isFunctionOfDim(dim) && !ivs[dim])
        return false;
    return true;
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  SmallVector<Value> indices(AffineMap map);
  void loadReadyInputs();
  unsigned emitParallelLoops();
  void emitNest(unsigned depth);
  void emitReduction(unsigned depth);
  SmallVector<Value> emitReductionLoops(unsigned depth,
                                        ArrayRef<Value> carried);
  SmallVector<Value> emitBody(ArrayRef<Value> outs);
  Operation *findCombiner(unsigned result);
  Type accumulatorType(unsigned result);
  Value cloneCombiner(Operation *combiner, Value acc, IRMapping &mapping);
  Value convert(Value value, Type type);
  Value loadOut(unsigned result);
  void storeOut(unsigned result, Value value);

  linalg::LinalgOp op;
  OpBuilder b;
  Location loc;
  SmallVector<unsigned> order;
  bool parallel;
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<Value> sizes;
  SmallVector<Value> ivs;
  /// Values of the inputs, loaded as far outside as their indices allow.
  SmallVector<Value> inputs;
};

} // namespace

SmallVector<Value> LoopEmitter::indices(AffineMap map) {
  SmallVector<Value> result;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      result.push_back(ivs[dim.getPosition()]);
      continue;
    }
    // Unset loop variables are not used by the expression.
    SmallVector<OpFoldResult> operands;
    for (Value iv : ivs)
      operands.push_back(iv ? OpFoldResult(iv) : b.getIndexAttr(0));
    AffineMap single = AffineMap::get(map.getNumDims(), 0, expr);
    OpFoldResult index =
        affine::makeComposedFoldedAffineApply(b, loc, single, operands);
    result.push_back(getValueOrCreateConstantIndexOp(b, loc, index));
  }
  return result;
}

void LoopEmitter::loadReadyInputs() {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value &value = inputs[operand->getOperandNumber()];
    if (value || !op.payloadUsesValueFromOperand(operand))
      continue;
    if (!isa<MemRefType>(operand->get().getType())) {
      value = operand->get();
      continue;
    }
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (isReady(map))
      value = memref::LoadOp::create(b, loc, operand->get(), indices(map));
  }
}

/// Makes leading loops parallel until there are enough work items. Returns how
/// many loops were made.
unsigned LoopEmitter::emitParallelLoops() {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t work = bodyCost(op);
  for (int64_t range : ranges)
    work *= assumedSize(range);
  if (!parallel || work < kMinParallelWork)
    return 0;

  int64_t items = 1;
  unsigned count = 0;
  while (count < order.size() && items < kEnoughItems) {
    unsigned dim = order[count];
    bool inAllResults =
        llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
          return op.getMatchingIndexingMap(&init).isFunctionOfDim(dim);
        });
    // The innermost loop is split only if there is no other.
    if (!isParallelDim(dim) || !inAllResults ||
        (count > 0 && count + 1 == order.size()))
      break;
    items *= assumedSize(ranges[dim]);
    ++count;
  }
  if (count == 0)
    return 0;

  SmallVector<Value> zeros(count, constant(0)), uppers, steps;
  for (unsigned i = 0; i < count; ++i) {
    uppers.push_back(sizes[order[i]]);
    steps.push_back(constant(1));
  }
  int64_t itemWork = std::max<int64_t>(1, work / std::max<int64_t>(1, items));
  int64_t chunk = llvm::divideCeil(kMinItemWork, itemWork);
  steps.back() = constant(chunk);
  auto loop = scf::ParallelOp::create(b, loc, zeros, uppers, steps);
  b.setInsertionPointToStart(loop.getBody());
  for (auto [i, iv] : llvm::enumerate(loop.getInductionVars()))
    ivs[order[i]] = iv;
  if (chunk == 1)
    return count;
  Value begin = loop.getInductionVars().back();
  Value end = arith::AddIOp::create(b, loc, begin, steps.back());
  end = arith::MinSIOp::create(b, loc, end, uppers.back());
  auto inner = scf::ForOp::create(b, loc, begin, end, constant(1));
  b.setInsertionPointToStart(inner.getBody());
  ivs[order[count - 1]] = inner.getInductionVar();
  return count;
}

/// The op that combines a result with its old value, if the old value has no
/// other use and the op is a sum or a product.
Operation *LoopEmitter::findCombiner(unsigned result) {
  Block *block = op.getBlock();
  Value yielded = block->getTerminator()->getOperand(result);
  Operation *combiner = yielded.getDefiningOp();
  auto arg = block->getArgument(op.getNumDpsInputs() + result);
  if (!isa_and_nonnull<arith::AddFOp, arith::MulFOp>(combiner) ||
      !combiner->hasOneUse() || !arg.hasOneUse() ||
      !llvm::is_contained(combiner->getOperands(), arg))
    return nullptr;
  return combiner;
}

/// Sums of f16 and bf16 are carried in f32.
Type LoopEmitter::accumulatorType(unsigned result) {
  Type type = getElementTypeOrSelf(op.getDpsInits()[result].getType());
  if ((type.isF16() || type.isBF16()) && findCombiner(result))
    return Float32Type::get(type.getContext());
  return type;
}

Value LoopEmitter::convert(Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (type.getIntOrFloatBitWidth() > value.getType().getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::TruncFOp::create(b, loc, type, value);
}

Value LoopEmitter::loadOut(unsigned result) {
  OpOperand *init = op.getDpsInitOperand(result);
  return memref::LoadOp::create(b, loc, init->get(),
                                indices(op.getMatchingIndexingMap(init)));
}

void LoopEmitter::storeOut(unsigned result, Value value) {
  OpOperand *init = op.getDpsInitOperand(result);
  Type type = getElementTypeOrSelf(init->get().getType());
  memref::StoreOp::create(b, loc, convert(value, type), init->get(),
                          indices(op.getMatchingIndexingMap(init)));
}

/// The combiner on accumulators, free to be evaluated in any order.
Value LoopEmitter::cloneCombiner(Operation *combiner, Value acc,
                                 IRMapping &mapping) {
  SmallVector<Value> operands;
  for (Value operand : combiner->getOperands()) {
    Value mapped = mapping.lookupOrDefault(operand);
    operands.push_back(convert(mapped, acc.getType()));
  }
  auto flags = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;
  if (isa<arith::AddFOp>(combiner))
    return arith::AddFOp::create(b, loc, operands[0], operands[1], flags);
  return arith::MulFOp::create(b, loc, operands[0], operands[1], flags);
}

/// Clones the body; `outs` are the old values of the results. Returns the new
/// ones.
SmallVector<Value> LoopEmitter::emitBody(ArrayRef<Value> outs) {
  Block *block = op.getBlock();
  IRMapping mapping;
  DenseMap<Operation *, Value> combined;
  for (auto [i, value] : llvm::enumerate(inputs))
    if (value)
      mapping.map(block->getArgument(i), value);
  for (auto [i, value] : llvm::enumerate(outs)) {
    mapping.map(block->getArgument(inputs.size() + i), value);
    if (Operation *combiner = findCombiner(i))
      combined[combiner] = value;
  }
  for (Operation &inner : block->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), ivs[index.getDim()]);
      continue;
    }
    auto found = combined.find(&inner);
    if (found != combined.end() && found->second)
      mapping.map(inner.getResult(0),
                  cloneCombiner(&inner, found->second, mapping));
    else
      b.clone(inner, mapping);
  }
  return llvm::map_to_vector(
      block->getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// Loops over reductions that carry the results in values.
SmallVector<Value> LoopEmitter::emitReductionLoops(unsigned depth,
                                                   ArrayRef<Value> carried) {
  loadReadyInputs();
  if (depth == order.size())
    return emitBody(carried);
  OpBuilder::InsertionGuard guard(b);
  unsigned dim = order[depth];
  auto loop =
      scf::ForOp::create(b, loc, constant(0), sizes[dim], constant(1), carried);
  b.setInsertionPointToStart(loop.getBody());
  ivs[dim] = loop.getInductionVar();
  SmallVector<Value> next = emitReductionLoops(
      depth + 1, llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
  scf::YieldOp::create(b, loc, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

void LoopEmitter::emitReduction(unsigned depth) {
  SmallVector<Value> carried;
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i)
    carried.push_back(convert(loadOut(i), accumulatorType(i)));
  SmallVector<Value> results = emitReductionLoops(depth, carried);
  for (auto [i, value] : llvm::enumerate(results))
    storeOut(i, value);
}

void LoopEmitter::emitNest(unsigned depth) {
  loadReadyInputs();
  if (depth == order.size()) {
    SmallVector<Value> outs;
    for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
      bool used = op.payloadUsesValueFromOperand(op.getDpsInitOperand(i));
      outs.push_back(used ? convert(loadOut(i), accumulatorType(i)) : Value());
    }
    for (auto [i, value] : llvm::enumerate(emitBody(outs)))
      storeOut(i, value);
    return;
  }
  auto rest = ArrayRef(order).drop_front(depth);
  bool onlyReductions = llvm::none_of(rest, [&](unsigned dim) {
    return isParallelDim(dim) || indexesResult(dim);
  });
  if (onlyReductions)
    return emitReduction(depth);
  unsigned dim = order[depth];
  auto loop = scf::ForOp::create(b, loc, constant(0), sizes[dim], constant(1));
  b.setInsertionPointToStart(loop.getBody());
  ivs[dim] = loop.getInductionVar();
  emitNest(depth + 1);
}

void LoopEmitter::emit() {
  for (Range range : op.createLoopRanges(b, loc))
    sizes.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
  loadReadyInputs();
  emitNest(emitParallelLoops());
}

/// Merges neighbouring loops over memory that is contiguous in every operand,
/// so that the innermost loop is long.
static linalg::LinalgOp collapseLoops(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || generic.hasIndexSemantics())
    return op;
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  SmallVector<utils::IteratorType> kinds = generic.getIteratorTypesArray();
  bool plain = llvm::all_of(maps, [](AffineMap map) {
    return map.isProjectedPermutation(/*allowZeroInResults=*/false);
  });
  if (!plain)
    return op;
  auto canMerge = [&](int64_t first, int64_t second) {
    if (kinds[first] != kinds[second])
      return false;
    for (auto [operand, map] : llvm::zip_equal(op->getOperands(), maps)) {
      if (!linalg::isDimSequencePreserved(map, {first, second}))
        return false;
      auto type = dyn_cast<MemRefType>(operand.getType());
      if (type && !type.getLayout().isIdentity())
        return false;
    }
    return true;
  };
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < generic.getNumLoops(); ++dim) {
    if (dim > 0 && canMerge(dim - 1, dim))
      groups.back().push_back(dim);
    else
      groups.push_back({dim});
  }
  if (groups.size() == generic.getNumLoops())
    return op;
  IRRewriter rewriter(op);
  FailureOr<linalg::CollapseResult> collapsed =
      linalg::collapseOpIterationDims(op, groups, rewriter);
  if (failed(collapsed))
    return op;
  rewriter.eraseOp(op);
  return collapsed->collapsedOp;
}

namespace {
struct LowerLinalgToLoopsPass
    : attn::impl::LowerLinalgToLoopsPassBase<LowerLinalgToLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      op = collapseLoops(op);
      LoopEmitter(op, parallel && !attn::isInParallelLoop(op)).emit();
      op.erase();
    }
  }
};
} // namespace
