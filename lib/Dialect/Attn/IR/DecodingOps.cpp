//===- DecodingOps.cpp - Caches and partial attention -----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Verification and canonicalization of the ops that decoding needs beside
/// attention.
///
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// CacheAppendOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_EFFECTS(CacheAppendOp)
ATTN_DEFINE_DESTINATION_PATTERNS(CacheAppendOp)

void CacheAppendOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults())
    setNameFn(getResult(0), "cache");
}

Speculation::Speculatability CacheAppendOp::getSpeculatability() {
  // A start that does not fit is an error at run time, which must not be raised
  // where the program does not come. The verifier has looked at constants.
  if (ShapedType::isDynamic(getDim(getInits()[0], 2)) ||
      ShapedType::isDynamic(getDim(getNewRows(), 2)) ||
      !getConstantRange(*this, getStart()))
    return Speculation::NotSpeculatable;
  return getDestinationSpeculatability(*this);
}

/// Checks constant starts against static lengths.
static LogicalResult verifyConstantStarts(CacheAppendOp op) {
  std::optional<IntegerRange> starts = getConstantRange(op, op.getStart());
  if (!starts)
    return success();
  // cache_append_c9
  auto [low, high] = *starts;
  if (low < 0)
    return op.emitOpError("expects a non-negative 'start', got ") << low;
  // cache_append_c10
  int64_t rows = getDim(op.getNewRows(), 2),
          capacity = getDim(op.getInits()[0], 2);
  if (op.getRing() || ShapedType::isDynamic(rows) ||
      ShapedType::isDynamic(capacity) || high <= capacity - rows)
    return success();
  return op.emitOpError("expects a 'start' of at most ")
         << capacity - rows << ", for " << rows << " rows in a cache of "
         << capacity << ", got " << high;
}

LogicalResult CacheAppendOp::verify() {
  // cache_append_c3, cache_append_c4, cache_append_c5
  if (failed(verifyDestinations(*this, 1, 1)))
    return failure();
  Value rows = getNewRows(), cache = getInits()[0];
  // cache_append_c6
  if (failed(verifySameElementType(*this, "new", rows, "outs", cache)) ||
      // cache_append_c7
      failed(verifySameDim(*this, "batch", {"new", rows, 0},
                           {"outs", cache, 0})) ||
      failed(verifySameDim(*this, "number of heads", {"new", rows, 1},
                           {"outs", cache, 1})) ||
      failed(verifySameDim(*this, "head dimension", {"new", rows, 3},
                           {"outs", cache, 3})))
    return failure();
  if (isa<ShapedType>(getStart().getType()) &&
      failed(verifySameDim(*this, "size", {"start", getStart(), 0},
                           {"outs", cache, 0}, /*allowOne=*/true)))
    return failure();
  // cache_append_c8
  int64_t length = getDim(rows, 2), capacity = getDim(cache, 2);
  if (!ShapedType::isDynamic(length) && !ShapedType::isDynamic(capacity) &&
      length > capacity)
    return emitOpError("expects length of 'new' (")
           << length << ") to be at most that of 'outs' (" << capacity << ")";
  return verifyConstantStarts(*this);
}

//===----------------------------------------------------------------------===//
// MergeOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(MergeOp)

void MergeOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults() > 0)
    setNameFn(getResult(0), "merged");
  if (getNumResults() > 1)
    setNameFn(getResult(1), "merged_lse");
}

/// Checks a log-sum-exp, an operand or a destination.
static LogicalResult verifyMergedLse(MergeOp op, StringRef name, Value lse) {
  return verifyLse(op, name, lse, op.getAccumulatorType(), "outs",
                   op.getOutputInit());
}

/// Checks partial output number `number` and its log-sum-exp.
static LogicalResult verifyPart(MergeOp op, size_t number) {
  static constexpr StringRef names[] = {"batch", "number of heads", "length",
                                        "head dimension"};
  Value partial = op.getPartials()[number];
  std::string name = "partial " + std::to_string(number);
  // merge_c7
  if (number > 0 && failed(verifySameElementType(op, name, partial, "partial 0",
                                                 op.getPartials()[0])))
    return failure();
  // merge_c8
  for (auto [dimension, what] : llvm::enumerate(names)) {
    int64_t d = dimension;
    if (failed(verifySameDim(op, what, {name, partial, d},
                             {"outs", op.getOutputInit(), d})))
      return failure();
  }
  return verifyMergedLse(op, "lse " + std::to_string(number),
                         op.getLses()[number]);
}

LogicalResult MergeOp::verify() {
  // merge_c2
  if (getPartials().empty() || getPartials().size() != getLses().size())
    return emitOpError("expects at least one partial output, and a log-sum-exp "
                       "for each, got ")
           << getPartials().size() << " and " << getLses().size();
  // merge_c3, merge_c4, merge_c5
  if (failed(verifyDestinations(*this, 1, 2)))
    return failure();
  // merge_c6
  auto verifyRank = [&](StringRef name, Value init, int64_t rank) {
    auto type = cast<ShapedType>(init.getType());
    if (type.getRank() == rank)
      return success();
    return LogicalResult(emitOpError("expects '") << name << "' to have rank "
                                                  << rank << ", got " << type);
  };
  if (failed(verifyRank("outs", getOutputInit(), 4)) ||
      (getLseInit() && failed(verifyRank("lse", getLseInit(), 3))))
    return failure();
  for (size_t number = 0; number < getPartials().size(); ++number)
    if (failed(verifyPart(*this, number)))
      return failure();
  if (getLseInit() && failed(verifyMergedLse(*this, "lse", getLseInit())))
    return failure();
  // merge_c11
  if (getEmptyRow() == EmptyRow::Mean)
    return emitOpError("expects 'empty_row' to be zero or nan, got mean");
  return success();
}

namespace {
/// A part that keeps no key, as its constant log-sum-exp says, is no part.
struct DropEmptyParts : OpRewritePattern<MergeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MergeOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> partials, lses;
    for (auto [partial, lse] :
         llvm::zip_equal(op.getPartials(), op.getLses())) {
      DenseFPElementsAttr constant;
      if (matchPattern(lse, m_Constant(&constant)) && constant.isSplat() &&
          constant.getSplatValue<APFloat>().isInfinity() &&
          constant.getSplatValue<APFloat>().isNegative())
        continue;
      partials.push_back(partial);
      lses.push_back(lse);
    }
    if (partials.empty() || partials.size() == op.getPartials().size())
      return rewriter.notifyMatchFailure(
          op, "no part is known to keep no key, or all are");
    rewriter.modifyOpInPlace(op, [&] {
      op.getLsesMutable().assign(lses);
      op.getPartialsMutable().assign(partials);
    });
    return success();
  }
};
} // namespace

void MergeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns
      .add<DropEmptyParts, DropUnusedLse<MergeOp>, FoldEmptyResults<MergeOp>>(
          context);
}
