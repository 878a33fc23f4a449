//===- RotaryOps.cpp - Rotary embedding -------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Verification of rotary tables and rotations.
///
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// RotaryTableOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(RotaryTableOp)

namespace {
/// For a known number of tokens, dynamic NTK is the default rule or one with a
/// larger base.
struct FoldKnownLength : OpRewritePattern<RotaryTableOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RotaryTableOp op,
                                PatternRewriter &rewriter) const override {
    APInt length(64, 0);
    if (!op.getLength() ||
        !matchPattern(op.getLength(), m_ConstantInt(&length)))
      return rewriter.notifyMatchFailure(op,
                                         "the number of tokens is not known");
    FrequenciesAttr rule = *op.getRule();
    if (rule.getRule() != FrequencyRule::DynamicNtk)
      return rewriter.notifyMatchFailure(op, "no other rule means the same");
    double base = rule.getParameter("base");
    double growth = rule.getGrowth(static_cast<double>(length.getSExtValue()));
    if (!std::isfinite(growth))
      return rewriter.notifyMatchFailure(op, "the base grows without bounds");
    auto known =
        growth == 1 ? FrequenciesAttr::get(getContext(), FrequencyRule::Default,
                                           rule.getDim(), {base})
                    : FrequenciesAttr::get(getContext(), FrequencyRule::Ntk,
                                           rule.getDim(), {base, growth});
    rewriter.modifyOpInPlace(op, [&] {
      op.getLengthMutable().clear();
      op.setRuleAttr(known);
    });
    return success();
  }
};
} // namespace

void RotaryTableOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<FoldEmptyResults<RotaryTableOp>, FoldKnownLength>(context);
}

void RotaryTableOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (!getNumResults())
    return;
  setNameFn(getResult(0), "cos");
  setNameFn(getResult(1), "sin");
}

/// The parts that fit together or not, whatever the sizes.
static LogicalResult verifyTableParts(RotaryTableOp op) {
  // rotary_table_c5
  if (static_cast<bool>(op.getFrequencies()) == op.getRule().has_value())
    return op.emitOpError("expects either 'frequencies' or 'rule', got ")
           << (op.getFrequencies() ? "both" : "none");
  int64_t rank = cast<ShapedType>(op.getPositions().getType()).getRank();
  // rotary_table_c6
  if (rank != op.getBatchDim() + 2)
    return op.emitOpError("expects 'positions' of rank ")
           << op.getBatchDim() + 2 << (op.getSections() ? " with" : " without")
           << " 'sections', got rank " << rank;
  bool needsLength = op.getRule() && op.getRule()->isOfRunTime();
  // rotary_table_c7
  if (needsLength != static_cast<bool>(op.getLength())) {
    if (needsLength)
      return op.emitOpError("expects 'length' for frequency rule '")
             << stringifyFrequencyRule(op.getRule()->getRule()) << "'";
    return op.emitOpError("expects no 'length' where the frequencies do not "
                          "depend on it");
  }
  // rotary_table_c12
  if (!op.getMagnitude().isFinite())
    return op.emitOpError("expects a finite 'magnitude', got ")
           << op.getMagnitude().convertToDouble();
  return success();
}

/// Axial sections start the frequencies of a rule anew in each axis.
static LogicalResult verifyAxialRule(RotaryTableOp op) {
  // rotary_table_c17
  if (!op.getRule())
    return op.emitOpError("expects a 'rule' with axial 'sections', which "
                          "restart its frequencies");
  // rotary_table_c18: their parameters are for the pairs of the whole rotation.
  FrequencyRule rule = op.getRule()->getRule();
  if (rule == FrequencyRule::LongRope || rule == FrequencyRule::Proportional)
    return op.emitOpError("expects neither 'longrope' nor 'proportional' as "
                          "'rule' with axial 'sections', got '")
           << stringifyFrequencyRule(rule) << "'";
  return success();
}

/// The axes of the positions and the pairs that they turn.
static LogicalResult verifySections(RotaryTableOp op) {
  std::optional<SectionsAttr> sections = op.getSections();
  if (!sections)
    return success();
  // rotary_table_c15
  int64_t axes = getDim(op.getPositions(), 0);
  if (!ShapedType::isDynamic(axes) && axes != sections->getNumAxes())
    return op.emitOpError("expects number of axes of 'positions' (")
           << axes << ") to equal that of 'sections' ("
           << sections->getNumAxes() << ")";
  // rotary_table_c16
  int64_t pairs = getDim(op.getInits()[0], 2);
  if (op.getRule())
    pairs = op.getRule()->getDim() / 2;
  if (!ShapedType::isDynamic(pairs) && pairs != sections->getNumPairs())
    return op.emitOpError("expects the sum of 'sections' (")
           << sections->getNumPairs() << ") to be the number of pairs ("
           << pairs << ")";
  if (sections->getOrder() == SectionOrder::Axial)
    return verifyAxialRule(op);
  return success();
}

LogicalResult RotaryTableOp::verify() {
  // rotary_table_c4
  if (failed(verifyDestinations(*this, 2, 2)) ||
      failed(verifyTableParts(*this)))
    return failure();
  Value cos = getInits()[0], sin = getInits()[1];
  int64_t batchDim = getBatchDim();
  // rotary_table_c8
  if (failed(verifySameElementType(*this, "sin", sin, "cos", cos)) ||
      // rotary_table_c9
      failed(verifySameDim(*this, "batch", {"cos", cos, 0},
                           {"positions", getPositions(), batchDim})) ||
      // rotary_table_c10
      failed(verifySameDim(*this, "length", {"cos", cos, 1},
                           {"positions", getPositions(), batchDim + 1})))
    return failure();
  static constexpr StringRef names[] = {"batch", "length", "number of pairs"};
  for (auto [dimension, name] : llvm::enumerate(names)) {
    int64_t d = dimension;
    // rotary_table_c11
    if (failed(verifySameDim(*this, name, {"sin", sin, d}, {"cos", cos, d})))
      return failure();
  }
  if (failed(verifySections(*this)))
    return failure();
  // rotary_table_c13
  if (getFrequencies())
    return verifySameDim(*this, "number of pairs", {"cos", cos, 2},
                         {"frequencies", getFrequencies(), 0});
  // rotary_table_c14
  int64_t pairs = getDim(cos, 2);
  if (!ShapedType::isDynamic(pairs) && pairs != getRule()->getDim() / 2)
    return emitOpError("expects 'dim' of 'rule' (")
           << getRule()->getDim() << ") to be twice the number of pairs of "
           << "'cos' (" << pairs << ")";
  return success();
}

//===----------------------------------------------------------------------===//
// RotaryOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(RotaryOp)
ATTN_DEFINE_DESTINATION_PATTERNS(RotaryOp)

void RotaryOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults())
    setNameFn(getResult(0), "rotated");
}

LogicalResult RotaryOp::verify() {
  // rotary_c4
  if (failed(verifyDestinations(*this, 1, 1)))
    return failure();
  Value init = getInits()[0];
  // rotary_c5
  if (failed(verifySameElementType(*this, "outs", init, "input", getInput())))
    return failure();
  static constexpr StringRef names[] = {"batch", "number of heads", "length",
                                        "head dimension"};
  for (auto [dimension, name] : llvm::enumerate(names)) {
    int64_t d = dimension;
    // rotary_c6
    if (failed(verifySameDim(*this, name, {"outs", init, d},
                             {"input", getInput(), d})))
      return failure();
  }
  return verifyRotation(*this, "input", getInput(), "cos", getCos(), "sin",
                        getSin(), getFirst());
}

LogicalResult attn::verifyRotation(Operation *op, StringRef inputName,
                                   Value input, StringRef cosName, Value cos,
                                   StringRef sinName, Value sin,
                                   int64_t first) {
  // rotary_c7
  if (failed(verifySameElementType(op, sinName, sin, cosName, cos)) ||
      // rotary_c8
      failed(verifySameDim(op, "batch", {cosName, cos, 0},
                           {inputName, input, 0}, /*allowOne=*/true)) ||
      // rotary_c9
      failed(verifySameDim(op, "length", {cosName, cos, 1},
                           {inputName, input, 2})))
    return failure();
  static constexpr StringRef names[] = {"batch", "length", "number of pairs"};
  for (auto [dimension, name] : llvm::enumerate(names)) {
    int64_t d = dimension;
    // rotary_c10
    if (failed(verifySameDim(op, name, {sinName, sin, d}, {cosName, cos, d})))
      return failure();
  }
  // rotary_c11
  if (first < 0)
    return op->emitOpError("expects a non-negative 'first', got ") << first;
  // rotary_c12: compared without sums, which could overflow.
  int64_t pairs = getDim(cos, 2), headDim = getDim(input, 3);
  if (!ShapedType::isDynamic(pairs) && !ShapedType::isDynamic(headDim) &&
      (pairs > headDim / 2 || first > headDim - 2 * pairs))
    return op->emitOpError("expects ")
           << pairs << " rotated pairs from element " << first
           << " to be within the head dimension of '" << inputName << "' ("
           << headDim << ")";
  return success();
}
