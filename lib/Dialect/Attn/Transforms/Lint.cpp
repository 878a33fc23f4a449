//===- Lint.cpp - Graphs that are valid and mean nothing --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Warnings about graphs that no verifier can refuse, because every op of them
/// is right, and that no model means: rotations that do not fit each other, and
/// what goes stale in a cache. Values are followed through ops that move rows
/// and keep the last dimension, which is the one that is rotated; where that
/// ends nothing is known, and nothing is said.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::attn {
#define GEN_PASS_DEF_LINTPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// The way of rows
//===----------------------------------------------------------------------===//

static int64_t getLastDimSize(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() > 0 ? type.getShape().back()
                                    : ShapedType::kDynamic;
}

static bool keepLastDimSize(Value a, Value b) {
  return ShapedType::isStatic(getLastDimSize(a)) &&
         getLastDimSize(a) == getLastDimSize(b);
}

/// The operands whose rows (elements along the last dimension) the only result
/// of `op` holds as they are, up to rounding. Empty for all other ops.
static SmallVector<Value> getRowSources(Operation *op) {
  using Values = SmallVector<Value>;
  return TypeSwitch<Operation *, Values>(op)
      .Case<tensor::CastOp, arith::ExtFOp, arith::TruncFOp>(
          [](auto cast) { return Values{cast.getOperand()}; })
      .Case([](tensor::ExtractSliceOp slice) {
        int64_t last = slice.getSourceType().getRank() - 1;
        bool keeps = last >= 0 && !slice.getDroppedDims().test(last) &&
                     keepLastDimSize(slice.getSource(), slice);
        return keeps ? Values{slice.getSource()} : Values();
      })
      .Case([](tensor::InsertSliceOp slice) {
        int64_t last = slice.getDestType().getRank() - 1;
        bool keeps = last >= 0 && !slice.getDroppedDims().test(last) &&
                     keepLastDimSize(slice.getSource(), slice);
        return keeps ? Values{slice.getSource(), slice.getDest()} : Values();
      })
      .Case([](tensor::ConcatOp concat) {
        bool keeps = static_cast<int64_t>(concat.getDim()) + 1 !=
                     concat.getResultType().getRank();
        return keeps ? Values(concat.getInputs()) : Values();
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([](auto reshape) {
        auto groups = reshape.getReassociationIndices();
        bool keeps = !groups.empty() && groups.back().size() == 1;
        return keeps ? Values{reshape.getSrc()} : Values();
      })
      .Case([](linalg::TransposeOp transpose) {
        ArrayRef<int64_t> permutation = transpose.getPermutation();
        bool keeps =
            !permutation.empty() &&
            permutation.back() == static_cast<int64_t>(permutation.size()) - 1;
        return keeps ? Values{transpose.getInput()} : Values();
      })
      .Case([](linalg::BroadcastOp broadcast) {
        auto type = cast<ShapedType>(broadcast.getInit().getType());
        bool keeps =
            !llvm::is_contained(broadcast.getDimensions(), type.getRank() - 1);
        return keeps ? Values{broadcast.getInput()} : Values();
      })
      .Case([](CacheAppendOp append) {
        return Values{append.getNewRows(), append.getInits().front()};
      })
      .Default(Values());
}

/// The nearest ops of a kind that make rows of `value`.
template <typename OpTy> static SmallVector<OpTy> findMakers(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  SmallVector<OpTy> makers;
  for (size_t next = 0; next < seen.size(); ++next) {
    Operation *op = seen[next].getDefiningOp();
    if (!op)
      continue;
    if (auto maker = dyn_cast<OpTy>(op)) {
      if (!llvm::is_contained(makers, maker))
        makers.push_back(maker);
      continue;
    }
    for (Value source : getRowSources(op))
      seen.insert(source);
  }
  return makers;
}

//===----------------------------------------------------------------------===//
// Rotations of query and key
//===----------------------------------------------------------------------===//

namespace {

/// A rotation as a later op sees it.
struct Rotation {
  RotaryLayout layout;
  int64_t first;
  /// Number of elements, or dynamic.
  int64_t size;
  bool inverse;
  /// Null for one that is folded into attention.
  RotaryOp op;
};

} // namespace

static int64_t getRotatedSize(Value cos) {
  int64_t pairs = cast<ShapedType>(cos.getType()).getDimSize(2);
  return ShapedType::isDynamic(pairs) ? pairs : 2 * pairs;
}

static Rotation getRotation(RotaryOp op) {
  return {op.getOutputLayout(), static_cast<int64_t>(op.getFirst()),
          getRotatedSize(op.getCos()), op.getInverse(), op};
}

/// A rotation and those that its input went through, each of one tensor.
static SmallVector<Rotation> getRotations(RotaryOp op) {
  SmallVector<Rotation> rotations;
  llvm::DenseSet<Operation *> seen;
  while (op && seen.insert(op).second) {
    rotations.push_back(getRotation(op));
    SmallVector<RotaryOp> inner = findMakers<RotaryOp>(op.getInput());
    op = inner.size() == 1 ? inner.front() : RotaryOp();
  }
  return rotations;
}

/// What the rows of a query or key went through, once for each way that they
/// came. `cos` is null without a folded rotation.
static SmallVector<SmallVector<Rotation>>
getAllRotations(Value value, std::optional<RotationAttr> folded, Value cos) {
  SmallVector<SmallVector<Rotation>> all;
  for (RotaryOp op : findMakers<RotaryOp>(value))
    all.push_back(getRotations(op));
  if (!folded)
    return all;
  if (all.empty())
    all.emplace_back();
  for (SmallVector<Rotation> &rotations : all)
    rotations.push_back({folded->getLayout(), folded->getFirst(),
                         getRotatedSize(cos), folded->getInverse(),
                         RotaryOp()});
  return all;
}

static bool mayHaveSameSize(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

static std::string describeRange(const Rotation &rotation) {
  if (ShapedType::isDynamic(rotation.size))
    return llvm::formatv("from {0}", rotation.first);
  return llvm::formatv("[{0}, {1})", rotation.first,
                       rotation.first + rotation.size);
}

/// What two rotations differ in, or an empty string.
static std::string describeDifference(const Rotation &query,
                                      const Rotation &key) {
  if (query.first != key.first || !mayHaveSameSize(query.size, key.size))
    return "in different ranges: " + describeRange(query) + " and " +
           describeRange(key);
  // Two elements are one pair in any layout.
  if (query.layout != key.layout && query.size != 2 && key.size != 2)
    return llvm::formatv("in different layouts: {0} and {1}",
                         stringifyRotaryLayout(query.layout),
                         stringifyRotaryLayout(key.layout));
  if (query.inverse != key.inverse)
    return llvm::formatv("in different directions: only the {0} by the inverse",
                         query.inverse ? "query" : "key");
  return "";
}

static void noteRotation(InFlightDiagnostic &warning, RotaryOp op,
                         StringRef what) {
  if (op)
    warning.attachNote(op.getLoc()) << "the " << what << " is rotated here";
}

/// Warns of the first difference of rotations of query and key. Rotations of
/// disjoint ranges have no order. Returns whether there is one.
static bool lintRotations(AttentionOp op, SmallVector<Rotation> query,
                          SmallVector<Rotation> key) {
  auto isBefore = [](const Rotation &a, const Rotation &b) {
    return a.first < b.first;
  };
  llvm::sort(query, isBefore);
  llvm::sort(key, isBefore);
  for (auto [ofQuery, ofKey] : llvm::zip(query, key)) {
    std::string difference = describeDifference(ofQuery, ofKey);
    if (difference.empty())
      continue;
    InFlightDiagnostic warning = op.emitWarning()
                                 << "query and key are rotated " << difference;
    noteRotation(warning, ofQuery.op, "query");
    noteRotation(warning, ofKey.op, "key");
    return true;
  }
  return false;
}

static void lintQueryAndKey(AttentionOp op) {
  auto queries =
      getAllRotations(op.getQuery(), op.getQueryRotation(), op.getQueryCos());
  auto keys = getAllRotations(op.getKey(), op.getKeyRotation(), op.getKeyCos());
  for (const SmallVector<Rotation> &query : queries)
    for (const SmallVector<Rotation> &key : keys)
      if (lintRotations(op, query, key))
        return;
}

//===----------------------------------------------------------------------===//
// Rotations of the value
//===----------------------------------------------------------------------===//

/// The op that made both tables, or null.
static RotaryTableOp getTable(RotaryOp op) {
  auto table = op.getCos().getDefiningOp<RotaryTableOp>();
  bool both = table && table == op.getSin().getDefiningOp<RotaryTableOp>();
  return both ? table : RotaryTableOp();
}

/// Whether two rotations may turn by the same frequencies. Positions are those
/// of keys for one and those of queries for the other.
static bool mayHaveSameFrequencies(RotaryOp a, RotaryOp b) {
  RotaryTableOp first = getTable(a), second = getTable(b);
  return !first || !second ||
         (first.getRule() == second.getRule() &&
          first.getFrequencies() == second.getFrequencies() &&
          first.getSections() == second.getSections() &&
          first.getMagnitude() == second.getMagnitude());
}

static bool undoes(RotaryOp inverse, const Rotation &rotation) {
  int64_t size = getRotatedSize(inverse.getCos());
  return inverse.getInverse() != rotation.inverse &&
         static_cast<int64_t>(inverse.getFirst()) == rotation.first &&
         mayHaveSameSize(size, rotation.size) &&
         (inverse.getLayout() == rotation.layout || size == 2) &&
         mayHaveSameFrequencies(inverse, rotation.op);
}

/// A use of what `value` holds on the way to which `rotation` is not undone, or
/// null.
static Operation *findUseWithoutInverse(Value value, const Rotation &rotation) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t next = 0; next < seen.size(); ++next)
    for (OpOperand &use : seen[next].getUses()) {
      Operation *user = use.getOwner();
      if (isa<tensor::DimOp>(user))
        continue;
      auto rotary = dyn_cast<RotaryOp>(user);
      bool rotates = rotary && use.get() == rotary.getInput();
      if (rotates && undoes(rotary, rotation))
        continue;
      // A rotation of other elements leaves these as they are.
      bool passes =
          rotates ? static_cast<int64_t>(rotary.getFirst()) != rotation.first
                  : llvm::is_contained(getRowSources(user), use.get()) ||
                        isa<MergeOp>(user);
      if (!passes || user->getNumResults() == 0)
        return user;
      seen.insert(user->getResult(0));
    }
  return nullptr;
}

static void lintValue(AttentionOp op) {
  if (op->getNumResults() == 0)
    return;
  for (RotaryOp maker : findMakers<RotaryOp>(op.getValue()))
    for (const Rotation &rotation : getRotations(maker)) {
      Operation *use = findUseWithoutInverse(op->getResult(0), rotation);
      if (!use)
        continue;
      InFlightDiagnostic warning =
          op.emitWarning() << "value is rotated, and the output is not rotated "
                              "back by the inverse";
      noteRotation(warning, rotation.op, "value");
      warning.attachNote(use->getLoc()) << "the output is used here";
      return;
    }
}

//===----------------------------------------------------------------------===//
// Rotated keys that are kept
//===----------------------------------------------------------------------===//

/// A table whose frequencies depend on the number of tokens, or null.
static RotaryTableOp getTableOfRunTime(RotaryOp op) {
  for (Value value : {op.getCos(), op.getSin()})
    for (RotaryTableOp table : findMakers<RotaryTableOp>(value))
      if (std::optional<FrequenciesAttr> rule = table.getRule();
          rule && rule->isOfRunTime())
        return table;
  return RotaryTableOp();
}

/// Whether an op puts rows that it uses beside others.
static bool addsRows(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<tensor::ConcatOp>(op))
    return op->getNumOperands() > 1;
  auto slice = dyn_cast<tensor::InsertSliceOp>(op);
  return slice && use.get() == slice.getSource() &&
         slice.getSourceType() != slice.getDestType() &&
         !slice.getDest().getDefiningOp<tensor::EmptyOp>();
}

/// The op that keeps rows of `value` for a later call, or null: one that
/// appends to a cache, or that adds rows to others which a function returns.
static Operation *findCache(Value value) {
  // With the op that added the rows, if one did.
  using Rows = std::pair<Value, Operation *>;
  llvm::SetVector<Rows> seen;
  seen.insert({value, nullptr});
  for (size_t next = 0; next < seen.size(); ++next) {
    auto [rows, cache] = seen[next];
    for (OpOperand &use : rows.getUses()) {
      Operation *user = use.getOwner();
      if (isa<CacheAppendOp>(user))
        return user;
      if (cache && user->hasTrait<OpTrait::ReturnLike>() &&
          isa<FunctionOpInterface>(user->getParentOp()))
        return cache;
      if (llvm::is_contained(getRowSources(user), rows))
        seen.insert(
            {user->getResult(0), !cache && addsRows(use) ? user : cache});
    }
  }
  return nullptr;
}

static void lintCache(RotaryOp op) {
  if (op->getNumResults() == 0)
    return;
  RotaryTableOp table = getTableOfRunTime(op);
  Operation *cache = table ? findCache(op->getResult(0)) : nullptr;
  if (!cache)
    return;
  InFlightDiagnostic warning =
      op.emitWarning()
      << "rows are kept that are rotated by frequencies of rule '"
      << stringifyFrequencyRule(table.getRule()->getRule())
      << "', which change with the number of tokens; keep them unrotated and "
         "rotate what is read";
  warning.attachNote(cache->getLoc()) << "they are kept here";
  warning.attachNote(table.getLoc()) << "the frequencies are of this table";
}

//===----------------------------------------------------------------------===//
// Causal masks
//===----------------------------------------------------------------------===//

/// A part of the mask that removes keys after the query and counts both from 0,
/// or null.
static Operation *findCausalWithoutOffset(Value mask) {
  llvm::SetVector<Value> seen;
  seen.insert(mask);
  for (size_t next = 0; next < seen.size(); ++next) {
    Operation *op = seen[next].getDefiningOp();
    if (auto causal = dyn_cast_or_null<MaskCausalOp>(op))
      if (!causal.getOffset())
        return op;
    if (auto window = dyn_cast_or_null<MaskWindowOp>(op))
      if (!window.getOffset() && window.getRight() == 0)
        return op;
    if (isa_and_nonnull<MaskAndOp>(op))
      seen.insert(op->operand_begin(), op->operand_end());
  }
  return nullptr;
}

static void lintCausal(AttentionOp op) {
  int64_t queries = cast<ShapedType>(op.getQuery().getType()).getDimSize(2);
  int64_t keys = cast<ShapedType>(op.getKey().getType()).getDimSize(2);
  if (!op.getMask() || ShapedType::isDynamic(queries) ||
      ShapedType::isDynamic(keys) || queries == keys || queries < 2)
    return;
  // The first tokens of a cache with room for more.
  if (!findMakers<CacheAppendOp>(op.getKey()).empty())
    return;
  Operation *mask = findCausalWithoutOffset(op.getMask());
  if (!mask)
    return;
  InFlightDiagnostic warning = op.emitWarning()
                               << "causal mask without an offset between "
                               << queries << " queries and " << keys
                               << " keys: the first query meets the first key";
  warning.attachNote(mask->getLoc()) << "with an offset of " << keys - queries
                                     << " the last query meets the last key";
}

namespace {

struct LintPass : attn::impl::LintPassBase<LintPass> {
  void runOnOperation() override {
    getOperation()->walk<WalkOrder::PreOrder>([](Operation *op) {
      if (auto attention = dyn_cast<AttentionOp>(op)) {
        lintQueryAndKey(attention);
        lintValue(attention);
        lintCausal(attention);
      } else if (auto rotary = dyn_cast<RotaryOp>(op)) {
        lintCache(rotary);
      }
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
