//===- LowerDecoding.cpp - Caches and merges to linalg ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Appending to a cache is a loop that copies rows into the destination, behind
/// all its checks; merging is two elementwise loops, one over rows and one over
/// features.
///
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;

using arith::CmpFPredicate;
using arith::CmpIPredicate;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// `2 rows of 'new'`, or `the rows of 'new'` if their number is not static.
static std::string describeRows(CacheAppendOp op) {
  int64_t rows = cast<ShapedType>(op.getNewRows().getType()).getDimSize(2);
  if (rows == 1)
    return "1 row of 'new'";
  return (ShapedType::isDynamic(rows) ? "the" : std::to_string(rows)) +
         " rows of 'new'";
}

namespace {
/// Lowers one attn.cache_append.
class CacheAppendLowering {
public:
  CacheAppendLowering(CacheAppendOp op, OpBuilder &b)
      : op(op), b(b), builder(b, op.getLoc()), cache(op.getInits()[0]),
        rows(builder.dim(op.getNewRows(), 2)), capacity(builder.dim(cache, 2)) {
  }

  void emitChecks();
  Value emitCopy();

private:
  /// Whether each batch has a start of its own.
  bool isPerBatch() {
    auto type = dyn_cast<ShapedType>(op.getStart().getType());
    return type && type.getDimSize(0) != 1;
  }
  Value loadStart(PairBuilder &at, Value batch) {
    if (!isa<ShapedType>(op.getStart().getType()))
      return op.getStart();
    return at.toIndex(at.load(op.getStart(), batch));
  }
  void checkStart(PairBuilder &at, Value batch);
  Value copyRow(PairBuilder &body, ValueRange at, Value target, Value start);

  CacheAppendOp op;
  OpBuilder &b;
  PairBuilder builder;
  Value cache, rows, capacity;
};
} // namespace

void CacheAppendLowering::checkStart(PairBuilder &at, Value batch) {
  Value start = loadStart(at, batch);
  emitAssert(at, op, at.compare(CmpIPredicate::sge, start, at.index(0)),
             "expects a non-negative 'start'");
  if (op.getRing())
    return;
  Value last = at.sub(capacity, rows);
  int64_t size = cast<ShapedType>(cache.getType()).getDimSize(2);
  std::string where = ShapedType::isDynamic(size)
                          ? "in the cache"
                          : "in a cache of " + std::to_string(size);
  emitAssert(at, op, at.compare(CmpIPredicate::sle, start, last),
             "expects a 'start' that leaves room for " + describeRows(op) +
                 " " + where);
}

void CacheAppendLowering::emitChecks() {
  Value newRows = op.getNewRows();
  static constexpr StringRef names[] = {"batch", "number of heads", "length",
                                        "head dimension"};
  for (int64_t d : {0, 1, 3})
    emitSameDimAssert(builder, op, names[d], {"new", newRows, d},
                      {"outs", cache, d});
  emitAssert(builder, op, builder.compare(CmpIPredicate::sle, rows, capacity),
             "expects length of 'new' to be at most that of 'outs'");
  if (!isPerBatch()) {
    checkStart(builder, builder.index(0));
    return;
  }
  emitSameDimAssert(builder, op, "size", {"start", op.getStart(), 0},
                    {"outs", cache, 0});
  scf::ForOp::create(
      b, op.getLoc(), builder.index(0), builder.dim(cache, 0), builder.index(1),
      ValueRange(),
      [&](OpBuilder &nested, Location loc, Value batch, ValueRange) {
        PairBuilder body(nested, loc);
        checkStart(body, batch);
        scf::YieldOp::create(nested, loc);
      });
}

/// Copies row by row. A single `tensor.insert_slice` would be less, but then
/// bufferization may let what computes the new rows write them into the cache,
/// in front of the checks. The loop is not parallel: it is bound by memory, and
/// a step of decoding has a handful of rows.
Value CacheAppendLowering::emitCopy() {
  if (isStaticallyEmpty(op.getNewRows()))
    return cache;
  Location loc = op.getLoc();
  SmallVector<Value> zeros(3, builder.index(0)), ones(3, builder.index(1));
  SmallVector<Value> extents;
  for (int64_t d = 0; d < 3; ++d)
    extents.push_back(builder.dim(op.getNewRows(), d));
  // Out of the loops, where all starts are one.
  Value start = isPerBatch() ? Value() : loadStart(builder, zeros[0]);
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, zeros, extents, ones, cache,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange at,
          ValueRange target) -> scf::ValueVector {
        PairBuilder body(nested, nestedLoc);
        return {copyRow(body, at, target[0],
                        start ? start : loadStart(body, at[0]))};
      });
  return nest.results.front();
}

/// Writes the new row `at` (batch, head, token) to `target`.
Value CacheAppendLowering::copyRow(PairBuilder &body, ValueRange at,
                                   Value target, Value start) {
  OpBuilder &nested = body.getBuilder();
  Location loc = body.getLoc();
  Value row;
  if (op.getRing()) {
    // Reduced first, so that the sum does not overflow.
    auto modulo = [&](Value x) {
      return arith::RemSIOp::create(nested, loc, x, capacity).getResult();
    };
    row = modulo(body.add(modulo(start), at[2]));
  } else {
    row = body.add(start, at[2]);
  }
  OpFoldResult zero = nested.getIndexAttr(0), one = nested.getIndexAttr(1);
  OpFoldResult features = tensor::getMixedSize(nested, loc, op.getNewRows(), 3);
  SmallVector<OpFoldResult> sizes = {one, one, one, features};
  SmallVector<OpFoldResult> strides(4, one);
  auto offsetsOf = [&](Value token) {
    return SmallVector<OpFoldResult>{at[0], at[1], token, zero};
  };
  auto type = cast<RankedTensorType>(op.getNewRows().getType());
  auto rowType =
      RankedTensorType::get(type.getShape().take_back(), type.getElementType());
  Value source = tensor::ExtractSliceOp::create(
      nested, loc, rowType, op.getNewRows(), offsetsOf(at[2]), sizes, strides);
  return tensor::InsertSliceOp::create(nested, loc, source, target,
                                       offsetsOf(row), sizes, strides);
}

namespace {
struct LowerCacheAppend : OpRewritePattern<CacheAppendOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CacheAppendOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "not on tensors");
    CacheAppendLowering lowering(op, rewriter);
    lowering.emitChecks();
    rewriter.replaceOp(op, lowering.emitCopy());
    return success();
  }
};

/// Lowers one attn.merge.
class MergeLowering {
public:
  MergeLowering(MergeOp op, OpBuilder &b)
      : op(op), b(b), builder(b, op.getLoc()), type(op.getAccumulatorType()),
        isBaseTwo(op.getLseBase() == LseBase::Two) {}

  void emitChecks();
  /// The results.
  SmallVector<Value> emit();

private:
  /// The weights of the parts, and the log-sum-exp if it is a result.
  SmallVector<Value> emitWeights();
  Value emitOutput(ArrayRef<Value> weights);
  /// Whether a log-sum-exp is that of no key.
  static Value isLowest(PairBuilder &body, Value lse, FloatType type) {
    return arith::CmpFOp::create(body.getBuilder(), body.getLoc(),
                                 CmpFPredicate::OEQ, lse,
                                 body.floating(type, -infinity));
  }
  Value power(PairBuilder &body, Value x) const {
    if (isBaseTwo)
      return math::Exp2Op::create(body.getBuilder(), body.getLoc(), x);
    return math::ExpOp::create(body.getBuilder(), body.getLoc(), x);
  }
  Value logarithm(PairBuilder &body, Value x) const {
    if (isBaseTwo)
      return math::Log2Op::create(body.getBuilder(), body.getLoc(), x);
    return math::LogOp::create(body.getBuilder(), body.getLoc(), x);
  }

  MergeOp op;
  OpBuilder &b;
  PairBuilder builder;
  FloatType type;
  bool isBaseTwo;
};
} // namespace

void MergeLowering::emitChecks() {
  Value output = op.getOutputInit();
  static constexpr StringRef names[] = {"batch", "number of heads", "length",
                                        "head dimension"};
  for (auto [number, part] :
       llvm::enumerate(llvm::zip(op.getPartials(), op.getLses()))) {
    auto [partial, lse] = part;
    std::string partialName = "partial " + std::to_string(number);
    std::string lseName = "lse " + std::to_string(number);
    for (int64_t d = 0; d < 4; ++d)
      emitSameDimAssert(builder, op, names[d], {partialName, partial, d},
                        {"outs", output, d});
    for (int64_t d = 0; d < 3; ++d)
      emitSameDimAssert(builder, op, names[d], {lseName, lse, d},
                        {"outs", output, d});
  }
  if (Value lse = op.getLseInit())
    for (int64_t d = 0; d < 3; ++d)
      emitSameDimAssert(builder, op, names[d], {"lse", lse, d},
                        {"outs", output, d});
}

SmallVector<Value> MergeLowering::emitWeights() {
  Location loc = op.getLoc();
  SmallVector<Value> inits;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, loc, op.getOutputInit());
  sizes.pop_back();
  for (size_t number = 0; number < op.getPartials().size(); ++number)
    inits.push_back(tensor::EmptyOp::create(b, loc, sizes, type));
  bool hasLse = static_cast<bool>(op.getLseInit());
  if (hasLse)
    inits.push_back(op.getLseInit());
  SmallVector<AffineMap> maps(op.getLses().size(), b.getMultiDimIdentityMap(3));
  auto generic = createParallelGeneric(
      b, loc, op.getLses(), maps, inits,
      [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
        ValueRange lses = args.take_front(op.getLses().size());
        Value maximum = lses.front();
        for (Value lse : lses.drop_front())
          maximum = arith::MaximumFOp::create(body.getBuilder(), body.getLoc(),
                                              maximum, lse);
        maximum = body.select(isLowest(body, maximum, type),
                              body.floating(type, 0), maximum);
        SmallVector<Value> results;
        Value sum;
        for (Value lse : lses) {
          results.push_back(
              power(body, arith::SubFOp::create(body.getBuilder(),
                                                body.getLoc(), lse, maximum)));
          sum = sum ? body.addFloat(sum, results.back()) : results.back();
        }
        for (Value &weight : results)
          weight = arith::DivFOp::create(body.getBuilder(), body.getLoc(),
                                         weight, sum);
        if (hasLse)
          results.push_back(body.addFloat(maximum, logarithm(body, sum)));
        return results;
      });
  return SmallVector<Value>(generic.getResults());
}

Value MergeLowering::emitOutput(ArrayRef<Value> weights) {
  size_t parts = op.getPartials().size();
  SmallVector<Value> inputs(op.getPartials());
  llvm::append_range(inputs, op.getLses());
  llvm::append_range(inputs, weights);
  SmallVector<AffineMap> maps(parts, b.getMultiDimIdentityMap(4));
  maps.append(2 * parts, b.getMultiDimIdentityMap(4).dropResult(3));
  Value init = op.getOutputInit();
  auto elementType = cast<FloatType>(getElementTypeOrSelf(init.getType()));
  return createParallelGeneric(
             b, op.getLoc(), inputs, maps, init,
             [&](PairBuilder &body, ValueRange args) -> SmallVector<Value> {
               Value none = body.floating(type, 0);
               Value sum = none, isEmpty = body.boolean(true);
               for (size_t number = 0; number < parts; ++number) {
                 Value absent = isLowest(body, args[parts + number], type);
                 Value element =
                     body.mulFloat(body.castFloat(args[number], type),
                                   args[2 * parts + number]);
                 sum = body.addFloat(sum, body.select(absent, none, element));
                 isEmpty = body.logicalAnd(isEmpty, absent);
               }
               if (op.getEmptyRow() == EmptyRow::Nan)
                 sum = body.select(
                     isEmpty,
                     body.floating(type,
                                   std::numeric_limits<double>::quiet_NaN()),
                     sum);
               return {body.castFloat(sum, elementType)};
             })
      .getResult(0);
}

SmallVector<Value> MergeLowering::emit() {
  if (llvm::all_of(op.getInits(), isStaticallyEmpty))
    return SmallVector<Value>(op.getInits());
  SmallVector<Value> weights = emitWeights();
  SmallVector<Value> results;
  Value lse;
  if (op.getLseInit())
    lse = weights.pop_back_val();
  results.push_back(isStaticallyEmpty(op.getOutputInit())
                        ? op.getOutputInit()
                        : emitOutput(weights));
  if (lse)
    results.push_back(lse);
  return results;
}

namespace {
struct LowerMerge : OpRewritePattern<MergeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MergeOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "not on tensors");
    MergeLowering lowering(op, rewriter);
    lowering.emitChecks();
    rewriter.replaceOp(op, lowering.emit());
    return success();
  }
};
} // namespace

void attn::populateLowerDecodingPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerCacheAppend, LowerMerge>(patterns.getContext());
}
