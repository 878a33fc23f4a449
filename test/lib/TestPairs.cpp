//===- TestPairs.cpp - Checks what masks and biases emit --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes what masks and biases emit for a grid of constant indices. Key
/// intervals are compared with the predicate of each pair for every range of
/// queries, empty ones included, and every number of keys (on a larger grid,
/// for tiles and numbers of keys around powers of two); vectors of pairs with
/// pairs one by one. The remark at a mask says how much of the grid it keeps
/// and how tight its intervals are, that at a bias gives values.
///
//===----------------------------------------------------------------------===//

#include "ConstantEvaluator.h"
#include "TestPasses.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// Batch, head, query and key.
using Pair = std::array<int64_t, 4>;

/// Normalised key intervals.
struct Intervals {
  int64_t mayBegin, mayEnd, sureBegin, sureEnd;
};

struct TestPairs : PassWrapper<TestPairs, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPairs)

  TestPairs() = default;
  TestPairs(const TestPairs &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-attn-pairs"; }
  StringRef getDescription() const final {
    return "compare intervals and vectors of masks and biases with their pairs";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<AttnDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    for (Operation &op : getOperation().getBody().front())
      if (isa<MaskOpInterface, BiasOpInterface>(op) &&
          isKnownMaskOrBias(op.getResult(0)))
        ops.push_back(&op);
    for (Operation *op : ops) {
      auto mask = dyn_cast<MaskOpInterface>(op);
      if (failed(mask ? checkMask(mask) : checkBias(cast<BiasOpInterface>(op))))
        return signalPassFailure();
    }
  }

  /// A grid index in one number.
  int64_t linearize(const Pair &p) const {
    return ((p[0] * extent(1) + p[1]) * extent(2) + p[2]) * extent(3) + p[3];
  }
  int64_t extent(unsigned dimension) const {
    return std::array<int64_t, 4>{2, heads, queries, keys}[dimension];
  }
  bool isLarge() const { return queries * keys > 64; }
  /// The ranges of queries whose intervals are compared.
  SmallVector<std::pair<int64_t, int64_t>> getRanges() const;
  SmallVector<int64_t> getKeyCounts() const;
  /// Calls `visit` for every pair of the grid until it fails.
  LogicalResult forEachPair(function_ref<LogicalResult(Pair)> visit) const;

  LogicalResult checkMask(MaskOpInterface op);
  /// Compares the intervals of a batch, a head and queries [begin, end) with
  /// the pairs.
  FailureOr<Intervals> checkIntervals(MaskOpInterface op,
                                      std::array<int64_t, 4> range,
                                      int64_t keys);
  LogicalResult checkBias(BiasOpInterface op);

  /// Emits IR in front of the terminator, executes it and erases it.
  FailureOr<SmallVector<Attribute>>
  execute(Operation *op, function_ref<SmallVector<Value>(PairBuilder &)> emit);
  /// The value of one pair, with index `lane` (if any) turned into a vector of
  /// all its values; fails unless it is that of the pairs one by one.
  FailureOr<Attribute> executePair(Operation *op, Pair pair,
                                   std::optional<unsigned> lane = std::nullopt);
  LogicalResult checkVectors(Operation *op);

  DenseMap<std::pair<Operation *, int64_t>, Attribute> pairs;

  Option<int64_t> heads{*this, "heads", llvm::cl::desc("heads of the grid"),
                        llvm::cl::init(2)};
  Option<int64_t> queries{*this, "queries",
                          llvm::cl::desc("queries of the grid"),
                          llvm::cl::init(5)};
  Option<int64_t> keys{*this, "keys", llvm::cl::desc("keys of the grid"),
                       llvm::cl::init(6)};
};

SmallVector<std::pair<int64_t, int64_t>> TestPairs::getRanges() const {
  SmallVector<std::pair<int64_t, int64_t>> ranges;
  if (!isLarge()) {
    for (int64_t begin = 0; begin <= queries; ++begin)
      for (int64_t end = begin; end <= queries; ++end)
        ranges.push_back({begin, end});
    return ranges;
  }
  for (int64_t tile : {1, 4, 7, 16, 64})
    for (int64_t begin = 0; begin < queries; begin += tile)
      ranges.push_back({begin, std::min<int64_t>(begin + tile, queries)});
  return ranges;
}

SmallVector<int64_t> TestPairs::getKeyCounts() const {
  if (!isLarge())
    return llvm::to_vector(llvm::seq<int64_t>(0, keys + 1));
  SmallVector<int64_t> counts = {keys};
  for (int64_t count = 1; count + 1 < keys; count *= 2)
    counts.append({count, count + 1});
  return counts;
}

LogicalResult
TestPairs::forEachPair(function_ref<LogicalResult(Pair)> visit) const {
  for (int64_t b = 0; b < extent(0); ++b)
    for (int64_t h = 0; h < extent(1); ++h)
      for (int64_t i = 0; i < extent(2); ++i)
        for (int64_t j = 0; j < extent(3); ++j)
          if (failed(visit({b, h, i, j})))
            return failure();
  return success();
}

FailureOr<SmallVector<Attribute>>
TestPairs::execute(Operation *op,
                   function_ref<SmallVector<Value>(PairBuilder &)> emit) {
  Block &block = *op->getBlock();
  Operation *last = block.getTerminator()->getPrevNode();
  OpBuilder builder(block.getTerminator());
  PairBuilder pairBuilder(builder, op->getLoc());
  test::ConstantEvaluator evaluator;
  SmallVector<Attribute> results =
      llvm::map_to_vector(emit(pairBuilder), [&](Value value) {
        return evaluator.evaluate(value);
      });
  while (block.getTerminator()->getPrevNode() != last)
    block.getTerminator()->getPrevNode()->erase();
  if (llvm::is_contained(results, Attribute()))
    return failure();
  return results;
}

FailureOr<Attribute> TestPairs::executePair(Operation *op, Pair pair,
                                            std::optional<unsigned> lane) {
  bool isVector = false;
  auto results = execute(op, [&](PairBuilder &builder) -> SmallVector<Value> {
    SmallVector<Value> indices = llvm::map_to_vector(
        pair, [&](int64_t index) { return builder.index(index); });
    if (lane) {
      SmallVector<int64_t> lanes =
          llvm::to_vector(llvm::seq<int64_t>(0, extent(*lane)));
      indices[*lane] = arith::ConstantOp::create(
          builder.getBuilder(), op->getLoc(),
          builder.getBuilder().getIndexVectorAttr(lanes));
    }
    PairIndices pairIndices = {indices[0], indices[1], indices[2], indices[3]};
    Value value;
    if (auto mask = dyn_cast<MaskOpInterface>(op))
      value = mask.emitKeep(builder, pairIndices);
    else
      value = cast<BiasOpInterface>(op).emitBias(
          builder, pairIndices, builder.getBuilder().getF64Type());
    isVector = isa<VectorType>(value.getType());
    return {value};
  });
  if (failed(results))
    return failure();
  if (isVector != lane.has_value())
    return op->emitError("emits a scalar for a vector, or the reverse");
  return results->front();
}

/// Every index in turn is a vector of all its values.
LogicalResult TestPairs::checkVectors(Operation *op) {
  return forEachPair([&](Pair pair) -> LogicalResult {
    for (unsigned lane = 0; lane < 4; ++lane) {
      if (pair[lane] != 0)
        continue;
      FailureOr<Attribute> vector = executePair(op, pair, lane);
      if (failed(vector))
        return failure();
      auto elements = cast<DenseElementsAttr>(*vector);
      for (int64_t index = 0; index < extent(lane); ++index) {
        Pair scalar = pair;
        scalar[lane] = index;
        if (elements.getValues<Attribute>()[index] !=
            pairs[{op, linearize(scalar)}])
          return op->emitError("lane ")
                 << index << " of dimension " << lane << " differs";
      }
    }
    return success();
  });
}

FailureOr<Intervals> TestPairs::checkIntervals(MaskOpInterface op,
                                               std::array<int64_t, 4> range,
                                               int64_t keys) {
  auto [batch, head, begin, end] = range;
  auto bounds = execute(op, [&](PairBuilder &builder) {
    QueryRange queries = {builder.index(batch), builder.index(head),
                          builder.index(begin), builder.index(end),
                          builder.index(keys)};
    KeyIntervals intervals = op.emitKeyIntervals(builder, queries)
                                 .normalize(builder, queries.keyCount);
    return SmallVector<Value>{intervals.mayBegin, intervals.mayEnd,
                              intervals.sureBegin, intervals.sureEnd};
  });
  if (failed(bounds))
    return failure();
  auto number = [&](unsigned i) {
    return cast<IntegerAttr>((*bounds)[i]).getInt();
  };
  Intervals result = {number(0), number(1), number(2), number(3)};
  if (!llvm::is_sorted(std::array<int64_t, 6>{0, result.mayBegin,
                                              result.sureBegin, result.sureEnd,
                                              result.mayEnd, keys}))
    return op->emitError("bounds are not ordered");
  for (int64_t i = begin; i < end; ++i)
    for (int64_t j = 0; j < keys; ++j) {
      bool inMay = result.mayBegin <= j && j < result.mayEnd;
      bool inSure = result.sureBegin <= j && j < result.sureEnd;
      auto keep = cast<BoolAttr>(pairs[{op, linearize({batch, head, i, j})}]);
      if (keep.getValue() ? !inMay : inSure)
        return op->emitError("interval of queries [")
               << begin << ", " << end << ") and " << keys
               << " keys is wrong at batch " << batch << ", head " << head
               << ", query " << i << ", key " << j;
    }
  return result;
}

LogicalResult TestPairs::checkMask(MaskOpInterface op) {
  int64_t kept = 0, may = 0, sure = 0;
  LogicalResult executed = forEachPair([&](Pair pair) -> LogicalResult {
    FailureOr<Attribute> keep = executePair(op, pair);
    if (failed(keep))
      return failure();
    pairs[{op, linearize(pair)}] = *keep;
    kept += cast<BoolAttr>(*keep).getValue();
    return success();
  });
  if (failed(executed) || failed(checkVectors(op)))
    return failure();

  int64_t measured = isLarge() ? 4 : 2;
  for (int64_t b = 0; b < extent(0); ++b)
    for (int64_t h = 0; h < extent(1); ++h)
      for (auto [begin, end] : getRanges())
        for (int64_t count : getKeyCounts()) {
          FailureOr<Intervals> intervals =
              checkIntervals(op, {b, h, begin, end}, count);
          if (failed(intervals))
            return failure();
          // Blocks of two queries (or four) measure how tight they are.
          if (count != keys || end != begin + measured)
            continue;
          may += intervals->mayEnd - intervals->mayBegin;
          sure += intervals->sureEnd - intervals->sureBegin;
        }
  op->emitRemark() << "kept " << kept << ", may " << may << ", sure " << sure;
  return success();
}

LogicalResult TestPairs::checkBias(BiasOpInterface op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  LogicalResult executed = forEachPair([&](Pair pair) -> LogicalResult {
    FailureOr<Attribute> value = executePair(op, pair);
    if (failed(value))
      return failure();
    pairs[{op, linearize(pair)}] = *value;
    if (pair[2] == 2 && (pair[3] == 1 || pair[3] == 4))
      stream << " "
             << llvm::format("%g", cast<FloatAttr>(*value).getValueAsDouble());
    return success();
  });
  if (failed(executed) || failed(checkVectors(op)))
    return failure();
  op->emitRemark() << "query 2 with keys 1 and 4:" << text;
  return success();
}

} // namespace

void attn::test::registerTestPairs() { PassRegistration<TestPairs>(); }
