//===- CheckAttnSizes.cpp - Check what attn ops expect ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the verifiers of attn ops demand of static sizes, demanded of dynamic
/// ones at run time.
///
//===----------------------------------------------------------------------===//

#include "SizeChecker.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;

/// Checks the tables of a rotation against the tensor that it rotates.
static void checkRotation(SizeChecker &checker, Operation *op, StringRef name,
                          Value input, StringRef cosName, Value cos,
                          StringRef sinName, Value sin, int64_t first) {
  for (int64_t dim : {0, 1, 2})
    checker.requireEqual(op, getDim(sinName, sin, dim),
                         getDim(cosName, cos, dim));
  SizeExpressions &sizes = checker.getSizes();
  if (sizes.getSize(cos, 0) != sizes.getConstant(1))
    checker.requireEqual(op, getDim(cosName, cos, 0), getDim(name, input, 0));
  checker.requireEqual(op, getDim(cosName, cos, 1), getDim(name, input, 2));
  checker.requireNonNegative(
      op, sizes.getSize(input, 3) - first - sizes.getSize(cos, 2) * 2,
      "expects the rotated pairs of " + op->getName().getStringRef() +
          " to be within dimension 3 of '" + name + "'");
}

/// Checks the data of a mask or bias op. A dimension of static size 1 is
/// broadcast; others are at least as big as the attention.
static void checkMaskData(SizeChecker &checker, Operation *user, StringRef name,
                          Value data, ArrayRef<AffineExpr> expected) {
  auto type = dyn_cast<RankedTensorType>(data.getType());
  if (!type)
    return;
  SizeExpressions &sizes = checker.getSizes();
  for (auto [dim, size] : llvm::enumerate(expected))
    if (type.getDimSize(dim) != 1)
      checker.requireNonNegative(user, sizes.getSize(data, dim) - size,
                                 "expects dimension " + Twine(dim) +
                                     " of the data of '" + name + "' of " +
                                     user->getName().getStringRef() +
                                     " not to be smaller than the attention");
}

namespace {
/// The pairs of an op: batches, heads, queries and keys.
struct PairExtents {
  /// Adds the numbers of a tensor's dimension.
  void add(SizeChecker &checker, Value tensor, int64_t dimension) {
    ElementExpression &elements = checker.getElements();
    sizes.push_back(checker.getSizes().getSize(tensor, dimension));
    variables.push_back(elements.getContext().getIndex(
        variables.size(), elements.getExtents(tensor)[dimension]));
  }

  SmallVector<AffineExpr, 4> sizes;
  SmallVector<Expr, 4> variables;
};
} // namespace

/// Checks the elements that a region of pairs reads. It may be executed for
/// pairs that are removed as well.
static void checkPairRegion(SizeChecker &checker, Operation *user,
                            StringRef name, Region &region,
                            const PairExtents &pairs) {
  SizeExpressions &sizes = checker.getSizes();
  ArrayRef<AffineExpr> expected = pairs.sizes;
  // The first argument of a score region is the score.
  ArrayRef<BlockArgument> indices =
      region.getArguments().take_back(expected.size());
  SmallVector<LoopIndex> loops;
  for (auto [index, variable] : llvm::zip_equal(indices, pairs.variables))
    loops.push_back({{index}, variable});
  region.walk([&](tensor::ExtractOp extract) {
    Value tensor = extract.getTensor();
    for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
      size_t number = llvm::find(indices, index) - indices.begin();
      if (number == indices.size())
        checkIndex(checker, region.getParentOp(), extract, tensor, dim, index,
                   loops, expected, /*place=*/user);
      else
        checker.requireNonNegative(
            user, sizes.getSize(tensor, dim) - expected[number],
            "expects dimension " + Twine(dim) + " of the data of '" + name +
                "' of " + user->getName().getStringRef() +
                " not to be smaller than the attention");
    }
  });
}

/// Checks the columns of a table, which no index of a pair runs over.
static void checkRelativeTable(SizeChecker &checker, Operation *user,
                               BiasRelativeOp op) {
  if (!isa<RankedTensorType>(op.getTable().getType()))
    return;
  int64_t columns = op.getExpectedColumns();
  AffineExpr rest = checker.getSizes().getSize(op.getTable(), 1) - columns;
  if (op.getForm() == RelativeForm::Toeplitz)
    checker.requireNonNegative(user, rest,
                               "expects 'table' of attn.bias.relative not to "
                               "be empty");
  else
    checker.requireZero(user, rest,
                        "expects dimension 1 of 'table' of attn.bias.relative "
                        "to be " +
                            Twine(columns));
}

/// Checks that the slopes of all heads of an attention are defined.
static void checkAlibiHeads(SizeChecker &checker, Operation *user,
                            StringRef name, BiasAlibiOp op, AffineExpr heads) {
  if (!op.getHeads())
    return;
  int64_t rest = static_cast<int64_t>(*op.getHeads()) -
                 static_cast<int64_t>(op.getFirstHead());
  checker.requireNonNegative(
      user, checker.getSizes().getConstant(rest) - heads,
      "expects number of heads of " + user->getName().getStringRef() +
          " to be at most 'heads' less 'first_head' of '" + name + "'");
}

/// Checks the data of all ops that make up a mask or bias.
static void checkSymbolic(SizeChecker &checker, Operation *user, StringRef name,
                          Value symbolic, const PairExtents &pairs) {
  ArrayRef<AffineExpr> expected = pairs.sizes;
  SmallVector<Value> worklist;
  if (symbolic)
    worklist.push_back(symbolic);
  llvm::SmallDenseSet<Value> visited;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    auto op = value.getDefiningOp<SymbolicOpInterface>();
    // Slices are made by tiling, behind the checks.
    if (!op || !visited.insert(value).second ||
        isa<MaskSliceOp, BiasSliceOp>(op.getOperation()))
      continue;
    if (isa<MaskGenerateOp, BiasGenerateOp>(op.getOperation()))
      checkPairRegion(checker, user, name, op->getRegion(0), pairs);
    if (auto relative = dyn_cast<BiasRelativeOp>(op.getOperation()))
      checkRelativeTable(checker, user, relative);
    if (auto alibi = dyn_cast<BiasAlibiOp>(op.getOperation()))
      checkAlibiHeads(checker, user, name, alibi, expected[1]);
    for (OpOperand &operand : op->getOpOperands()) {
      if (isa<MaskType, BiasType>(operand.get().getType()))
        worklist.push_back(operand.get());
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      SmallVector<AffineExpr> sizes;
      for (unsigned dim : op.getIndexedDims(operand))
        sizes.push_back(expected[dim]);
      if (!sizes.empty())
        checkMaskData(checker, user, name, operand.get(), sizes);
    }
  }
}

static void checkAttention(SizeChecker &checker, AttentionOp op) {
  Value query = op.getQuery(), key = op.getKey(), value = op.getValue();
  Value output = op.getOutputInit();
  auto equal = [&](StringRef name, Value tensor, int64_t dim,
                   StringRef otherName, Value other, int64_t otherDim) {
    checker.requireEqual(op, getDim(name, tensor, dim),
                         getDim(otherName, other, otherDim));
  };
  equal("key", key, 0, "query", query, 0);
  equal("value", value, 0, "query", query, 0);
  equal("key", key, 3, "query", query, 3);
  equal("value", value, 1, "key", key, 1);
  equal("value", value, 2, "key", key, 2);
  for (int64_t dim : {0, 1, 2})
    equal("outs", output, dim, "query", query, dim);
  equal("outs", output, 3, "value", value, 3);
  if (Value lse = op.getLseInit())
    for (int64_t dim : {0, 1, 2})
      equal("lse", lse, dim, "query", query, dim);
  if (op.getSinks())
    equal("sinks", op.getSinks(), 0, "query", query, 1);
  SizeExpressions &sizes = checker.getSizes();
  checker.requireMultiple(op, sizes.getSize(query, 1), sizes.getSize(key, 1),
                          "expects number of heads of 'query' of "
                          "attn.attention to be a multiple of that of 'key'");
  if (op.getQueryRotation())
    checkRotation(checker, op, "query", query, "query_cos", op.getQueryCos(),
                  "query_sin", op.getQuerySin(),
                  op.getQueryRotation()->getFirst());
  if (op.getKeyRotation())
    checkRotation(checker, op, "key", key, "key_cos", op.getKeyCos(), "key_sin",
                  op.getKeySin(), op.getKeyRotation()->getFirst());
  PairExtents pairs;
  for (int64_t dim : {0, 1, 2})
    pairs.add(checker, query, dim);
  pairs.add(checker, key, 2);
  checkSymbolic(checker, op, "mask", op.getMask(), pairs);
  checkSymbolic(checker, op, "bias", op.getBias(), pairs);
  if (!op.getScore().empty())
    checkPairRegion(checker, op, "score", op.getScore(), pairs);
}

static void checkRotaryTable(SizeChecker &checker, RotaryTableOp op) {
  Value cos = op.getInits()[0], sin = op.getInits()[1];
  SizeExpressions &sizes = checker.getSizes();
  for (int64_t dim : {0, 1})
    checker.requireEqual(
        op, getDim("cos", cos, dim),
        getDim("positions", op.getPositions(), op.getBatchDim() + dim));
  for (int64_t dim : {0, 1, 2})
    checker.requireEqual(op, getDim("sin", sin, dim), getDim("cos", cos, dim));
  if (op.getFrequencies())
    checker.requireEqual(op, getDim("cos", cos, 2),
                         getDim("frequencies", op.getFrequencies(), 0));
  else
    checker.requireZero(op, sizes.getSize(cos, 2) - op.getRule()->getDim() / 2,
                        "expects number of pairs of 'cos' of "
                        "attn.rotary_table to be half of 'dim' of 'rule'");
  SectionsAttr sections = op.getSectionsAttr();
  if (!sections)
    return;
  checker.requireZero(
      op, sizes.getSize(op.getPositions(), 0) - sections.getNumAxes(),
      "expects number of axes of 'positions' of attn.rotary_table to equal "
      "that of 'sections'");
  checker.requireZero(op, sizes.getSize(cos, 2) - sections.getNumPairs(),
                      "expects the sum of 'sections' of attn.rotary_table to "
                      "be the number of pairs of 'cos'");
}

/// Checks that there is a segment for each token of a row, or of a tile of one.
static void checkSegments(SizeChecker &checker, PositionsOp op) {
  Value segments = op.getSegments(), init = op.getInits()[0];
  if (cast<RankedTensorType>(segments.getType()).getDimSize(0) != 1)
    checker.requireEqual(op, getDim("segments", segments, 0),
                         getDim("outs", init, 0));
  if (!op.getFirst())
    return checker.requireEqual(op, getDim("segments", segments, 1),
                                getDim("outs", init, 1));
  SizeExpressions &sizes = checker.getSizes();
  AffineExpr first = sizes.getIndex(op.getFirst());
  checker.requireNonNegative(
      op, first, "expects a non-negative 'first' of attn.positions");
  checker.requireNonNegative(
      op, sizes.getSize(segments, 1) - sizes.getSize(init, 1) - first,
      "expects the tokens from 'first' of attn.positions on to have "
      "'segments'");
}

static void checkPositions(SizeChecker &checker, PositionsOp op) {
  OperandDim batch = getDim("outs", op.getInits()[0], 0);
  // One number, by its type, stands for every batch.
  auto isPerBatch = [](Value operand) {
    auto type = operand ? dyn_cast<RankedTensorType>(operand.getType())
                        : RankedTensorType();
    return type && type.getDimSize(0) != 1;
  };
  if (isPerBatch(op.getOffset()))
    checker.requireEqual(op, getDim("offset", op.getOffset(), 0), batch);
  if (isPerBatch(op.getLeftPadding()))
    checker.requireEqual(op, getDim("left_padding", op.getLeftPadding(), 0),
                         batch);
  if (op.getSegments())
    checkSegments(checker, op);
}

void attn::checkAttnOp(SizeChecker &checker, Operation *op) {
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  if (!destination || !destination.hasPureTensorSemantics())
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](AttentionOp op) { checkAttention(checker, op); })
      .Case([&](RotaryOp op) {
        for (int64_t dim : {0, 1, 2, 3})
          checker.requireEqual(op, getDim("outs", op.getInits()[0], dim),
                               getDim("input", op.getInput(), dim));
        checkRotation(checker, op, "input", op.getInput(), "cos", op.getCos(),
                      "sin", op.getSin(), op.getFirst());
      })
      .Case([&](RotaryTableOp op) { checkRotaryTable(checker, op); })
      .Case([&](PositionsOp op) { checkPositions(checker, op); })
      .Case([&](SinusoidalOp op) {
        for (int64_t dim : {0, 1})
          checker.requireEqual(op, getDim("outs", op.getInits()[0], dim),
                               getDim("positions", op.getPositions(), dim));
      })
      .Case([&](LearnedPositionOp op) {
        for (int64_t dim : {0, 1})
          checker.requireEqual(op, getDim("outs", op.getInits()[0], dim),
                               getDim("positions", op.getPositions(), dim));
        checker.requireEqual(op, getDim("outs", op.getInits()[0], 2),
                             getDim("table", op.getTable(), 1));
      })
      .Case([&](CacheAppendOp op) { checkCacheAppend(checker, op); })
      .Case([&](MergeOp op) { checkMerge(checker, op); })
      .Case([&](CrossEntropyOp op) {
        checker.requireEqual(op, getDim("targets", op.getTargets(), 0),
                             getDim("logits", op.getLogits(), 0));
      })
      .Case([&](MaterializeOp op) {
        PairExtents pairs;
        for (int64_t dim : {0, 1, 2, 3})
          pairs.add(checker, op.getInits()[0], dim);
        checkSymbolic(checker, op, "source", op.getSource(), pairs);
      });
}
