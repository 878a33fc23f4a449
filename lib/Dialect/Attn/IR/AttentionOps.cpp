//===- AttentionOps.cpp - Attention and materialization ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Verification and canonicalization of attention and of materialized masks and
/// biases.
///
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"
#include "SymbolicOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(AttentionOp)

void AttentionOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults() > 0)
    setNameFn(getResult(0), "attention");
  if (getNumResults() > 1)
    setNameFn(getResult(1), "lse");
}

void AttentionOp::build(OpBuilder &builder, OperationState &state, Value query,
                        Value key, Value value, Value bias, Value mask,
                        ValueRange inits, std::optional<double> scale,
                        std::optional<double> softcap, EmptyRow emptyRow) {
  SmallVector<Type> results;
  for (Type type : inits.getTypes())
    if (isa<TensorType>(type))
      results.push_back(type);
  auto number = [&](std::optional<double> n) {
    return n ? builder.getF64FloatAttr(*n) : FloatAttr();
  };
  build(builder, state, results, query, key, value, bias, mask,
        /*query_cos=*/Value(), /*query_sin=*/Value(), /*key_cos=*/Value(),
        /*key_sin=*/Value(), /*sinks=*/Value(), inits, number(scale),
        number(softcap), EmptyRowAttr::get(builder.getContext(), emptyRow),
        LseBaseAttr::get(builder.getContext(), LseBase::Natural),
        /*bias_before_scale=*/UnitAttr(), /*prob_type=*/TypeAttr(),
        /*softmax_type=*/TypeAttr(),
        /*query_rotation=*/RotationAttr(), /*key_rotation=*/RotationAttr(),
        /*plan=*/PlanAttr());
}

std::optional<double> AttentionOp::getConstantScale() {
  if (std::optional<APFloat> scale = getScale())
    return scale->convertToDouble();
  int64_t headDim = getDim(getQuery(), 3);
  if (ShapedType::isDynamic(headDim))
    return std::nullopt;
  return headDim == 0 ? 1.0 : 1.0 / std::sqrt(static_cast<double>(headDim));
}

std::optional<int64_t> AttentionOp::getStaticGroupSize() {
  int64_t queryHeads = getDim(getQuery(), 1), keyHeads = getDim(getKey(), 1);
  if (ShapedType::isDynamic(queryHeads) || ShapedType::isDynamic(keyHeads) ||
      keyHeads == 0)
    return std::nullopt;
  return queryHeads / keyHeads;
}

/// Checks the rotation of the query or the key: attribute and tables together,
/// and the tables against the operand.
static LogicalResult
verifyOperandRotation(AttentionOp op, StringRef name, Value input, Value cos,
                      Value sin, std::optional<RotationAttr> rotation) {
  SmallVector<StringRef> given;
  if (rotation)
    given.push_back("rotation");
  if (cos)
    given.push_back("cos");
  if (sin)
    given.push_back("sin");
  // attention_c16
  if (given.size() == 1 || given.size() == 2) {
    InFlightDiagnostic diag = op.emitOpError("expects '")
                              << name << "_rotation', '" << name
                              << "_cos' and '" << name
                              << "_sin' together, got only ";
    llvm::interleave(
        given, diag,
        [&](StringRef part) { diag << "'" << name << "_" << part << "'"; },
        " and ");
    return diag;
  }
  if (given.empty())
    return success();
  // attention_c17
  std::string cosName = (name + "_cos").str(), sinName = (name + "_sin").str();
  return verifyRotation(op, name, input, cosName, cos, sinName, sin,
                        rotation->getFirst());
}

/// Checks a bias and a mask, each of which may be null.
static LogicalResult verifySymbolicOperands(DestinationStyleOpInterface op,
                                            Value bias, Value mask,
                                            ArrayRef<int64_t> sizes) {
  // attention_c18, attention_c19, attention_c26
  bool onTensors = op.hasPureTensorSemantics();
  if (bias && failed(verifySymbolicOperand(op, "bias", bias, sizes, onTensors)))
    return failure();
  if (mask && failed(verifySymbolicOperand(op, "mask", mask, sizes, onTensors)))
    return failure();
  return success();
}

/// Checks the destination of the log-sum-exp, if there is one.
static LogicalResult verifyLseInit(AttentionOp op) {
  Value lse = op.getLseInit();
  if (!lse)
    return success();
  // attention_c11
  if (cast<ShapedType>(lse.getType()).getRank() != 3)
    return op.emitOpError("expects 'lse' to have rank 3, got ")
           << lse.getType();
  return verifyLse(op, "lse", lse, op.getAccumulatorType(), "query",
                   op.getQuery());
}

/// Checks the numbers that the scores are scaled and capped by.
static LogicalResult verifyScaling(AttentionOp op) {
  std::optional<APFloat> scale = op.getScale(), softcap = op.getSoftcap();
  // attention_c14
  if (scale && !scale->isFinite())
    return op.emitOpError("expects a finite 'scale', got ")
           << scale->convertToDouble();
  // attention_c15
  if (softcap &&
      (!softcap->isFinite() || softcap->isNegative() || softcap->isZero()))
    return op.emitOpError("expects a positive finite 'softcap', got ")
           << softcap->convertToDouble();
  return success();
}

/// Checks the sinks, one for each query head.
static LogicalResult verifySinks(AttentionOp op) {
  // attention_c24
  if (!op.getSinks())
    return success();
  return verifySameDim(op, "number of heads", {"sinks", op.getSinks(), 0},
                       {"query", op.getQuery(), 1});
}

/// Checks a type that scores or weights are rounded to.
static LogicalResult verifyRounding(AttentionOp op, StringRef name,
                                    std::optional<Type> type) {
  // attention_c25
  FloatType accumulator = op.getAccumulatorType();
  if (!type || type->getIntOrFloatBitWidth() <= accumulator.getWidth())
    return success();
  return op.emitOpError("expects '") << name
                                     << "' not to be wider than the "
                                        "accumulators ("
                                     << accumulator << "), got " << *type;
}

/// Checks the shapes and types of query, key, value and output.
static LogicalResult verifyMainOperands(AttentionOp op) {
  Value output = op.getOutputInit();
  Value query = op.getQuery(), key = op.getKey(), value = op.getValue();
  // attention_c5
  if (cast<ShapedType>(output.getType()).getRank() != 4)
    return op.emitOpError("expects 'outs' to have rank 4, got ")
           << output.getType();
  struct SameDim {
    StringRef what;
    NamedDim actual, expected;
  };
  SameDim pairs[] = {
      // attention_c7
      {"batch", {"key", key, 0}, {"query", query, 0}},
      {"batch", {"value", value, 0}, {"query", query, 0}},
      {"batch", {"outs", output, 0}, {"query", query, 0}},
      // attention_c8
      {"head dimension", {"query", query, 3}, {"key", key, 3}},
      {"number of heads", {"value", value, 1}, {"key", key, 1}},
      {"length", {"value", value, 2}, {"key", key, 2}},
      // attention_c9
      {"number of heads", {"outs", output, 1}, {"query", query, 1}},
      {"length", {"outs", output, 2}, {"query", query, 2}},
      {"head dimension", {"outs", output, 3}, {"value", value, 3}}};
  // attention_c6
  if (failed(verifySameElementType(op, "key", key, "query", query)) ||
      failed(verifySameElementType(op, "value", value, "query", query)) ||
      failed(verifySameElementType(op, "outs", output, "query", query)))
    return failure();
  for (const SameDim &pair : pairs)
    if (failed(verifySameDim(op, pair.what, pair.actual, pair.expected)))
      return failure();
  // attention_c10
  int64_t queryHeads = getDim(query, 1), keyHeads = getDim(key, 1);
  if (!ShapedType::isDynamic(queryHeads) && !ShapedType::isDynamic(keyHeads) &&
      (keyHeads == 0 ? queryHeads != 0 : queryHeads % keyHeads != 0))
    return op.emitOpError("expects number of heads of 'query' (")
           << queryHeads << ") to be a multiple of that of 'key' (" << keyHeads
           << ")";
  return success();
}

LogicalResult AttentionOp::verify() {
  // attention_c2, attention_c3, attention_c4
  if (failed(verifyDestinations(*this, 1, 2)))
    return failure();
  Value query = getQuery(), key = getKey();
  if (failed(verifyMainOperands(*this)) || failed(verifyLseInit(*this)) ||
      failed(verifyScaling(*this)) || failed(verifySinks(*this)) ||
      failed(verifyRounding(*this, "prob_type", getProbType())) ||
      failed(verifyRounding(*this, "softmax_type", getSoftmaxType())))
    return failure();
  if (failed(verifyOperandRotation(*this, "query", query, getQueryCos(),
                                   getQuerySin(), getQueryRotation())) ||
      failed(verifyOperandRotation(*this, "key", key, getKeyCos(), getKeySin(),
                                   getKeyRotation())))
    return failure();
  int64_t sizes[] = {getDim(query, 0), getDim(query, 1), getDim(query, 2),
                     getDim(key, 2)};
  return verifySymbolicOperands(*this, getBias(), getMask(), sizes);
}

LogicalResult AttentionOp::verifyRegions() {
  if (getScore().empty())
    return success();
  Block &block = getScore().front();
  TypeRange types = block.getArgumentTypes();
  FloatType accumulator = getAccumulatorType();
  // attention_c20
  if (types.size() != 5 || types.front() != accumulator ||
      !llvm::all_of(types.drop_front(),
                    [](Type type) { return type.isIndex(); }))
    return emitOpError("expects 5 arguments of the score region: the score (")
           << accumulator << "), then batch, head, query and key (index), got ("
           << types << ")";
  // attention_c21, attention_c22
  std::string expected = llvm::formatv("'{0}'", accumulator);
  return verifyYield(*this, block, "score region", expected,
                     [=](Type type) { return type == accumulator; });
}

namespace {
/// A mask that keeps everything is no mask.
struct DropFullMask : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    auto mask = op.getMask() ? op.getMask().getDefiningOp<MaskOpInterface>()
                             : MaskOpInterface();
    if (!mask || mask.getConstantKeep() != true)
      return rewriter.notifyMatchFailure(
          op, "the mask is absent, or not known to keep everything");
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    return success();
  }
};

/// A bias of zeros is no bias.
struct DropZeroBias : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getBias() || !isZeroBias(op.getBias()))
      return rewriter.notifyMatchFailure(
          op, "the bias is absent, or not a tensor of zeros");
    rewriter.modifyOpInPlace(op, [&] { op.getBiasMutable().clear(); });
    return success();
  }
};

/// Folds `tensor.cast` into operands and destinations. The tensor dialect does
/// so for every destination-style op, but by `mlir::clone`, which crashes on an
/// empty score region; the benefit makes this pattern the first.
struct FoldTensorCasts : OpRewritePattern<AttentionOp> {
  FoldTensorCasts(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!tensor::hasFoldableTensorCastOperand(op))
      return rewriter.notifyMatchFailure(op, "no operand is a cast that folds");
    SmallVector<Type> resultTypes(op->getResultTypes());
    SmallVector<Value> operands =
        tensor::getUpdatedOperandsAfterCastOpFolding(op, resultTypes);
    Operation *folded = cloneWithOperands(rewriter, op, resultTypes, operands);
    SmallVector<Value> replacements;
    for (auto [oldResult, newResult] :
         llvm::zip_equal(op->getResults(), folded->getResults())) {
      Value replacement = newResult;
      if (newResult.getType() != oldResult.getType())
        replacement = tensor::CastOp::create(rewriter, op.getLoc(),
                                             oldResult.getType(), newResult);
      replacements.push_back(replacement);
    }
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

/// Attributes that change nothing: rounding to the type of the accumulators,
/// the place of a bias that is absent, the base of a log-sum-exp that is.
struct DropIdleAttributes : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    Type accumulator = op.getAccumulatorType();
    bool dropProb = op.getProbType() == accumulator;
    bool dropSoftmax = op.getSoftmaxType() == accumulator;
    bool dropPlace = op.getBiasBeforeScale() && !op.getBias();
    bool dropBase = op.getLseBase() != LseBase::Natural && !op.getLseInit();
    if (!dropProb && !dropSoftmax && !dropPlace && !dropBase)
      return rewriter.notifyMatchFailure(op, "no attribute is without effect");
    rewriter.modifyOpInPlace(op, [&] {
      if (dropProb)
        op.removeProbTypeAttr();
      if (dropSoftmax)
        op.removeSoftmaxTypeAttr();
      if (dropPlace)
        op.setBiasBeforeScale(false);
      if (dropBase)
        op.setLseBase(LseBase::Natural);
    });
    return success();
  }
};
} // namespace

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<DropFullMask, DropIdleAttributes, DropUnusedLse<AttentionOp>,
               DropZeroBias, FoldEmptyResults<AttentionOp>, FoldTensorCasts>(
      context);
}

//===----------------------------------------------------------------------===//
// MaterializeOp
//===----------------------------------------------------------------------===//

ATTN_DEFINE_DESTINATION_OP(MaterializeOp)

void MaterializeOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (getNumResults())
    setNameFn(getResult(0), "dense");
}

LogicalResult MaterializeOp::verify() {
  // materialize_c2: one destination, a tensor or a memref.
  if (failed(verifyDestinations(*this, 1, 1)))
    return failure();
  // materialize_c3: its element type follows from the source.
  Type element = getElementTypeOrSelf(getInits()[0].getType());
  bool isMask = isa<MaskType>(getSource().getType());
  if (isMask != element.isInteger(1))
    return emitOpError("expects element type of 'outs' to be ")
           << (isMask ? "i1 for a mask" : "a float for a bias") << ", got "
           << element;
  // materialize_c4: data are where the destination is; materialize_c5: they are
  // large enough; materialize_c6: rules of the source have enough heads.
  auto type = cast<ShapedType>(getInits()[0].getType());
  return verifySymbolicOperand(*this, "source", getSource(), type.getShape(),
                               isa<TensorType>(type));
}

namespace {
/// A mask that is the same everywhere is a splat, and so is a zero bias.
struct MaterializeConstant : OpRewritePattern<MaterializeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaterializeOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "the result is no tensor");
    auto mask = op.getSource().getDefiningOp<MaskOpInterface>();
    std::optional<bool> keep = mask ? mask.getConstantKeep() : std::nullopt;
    bool isZero = isZeroBias(op.getSource());
    if (!keep && !isZero)
      return rewriter.notifyMatchFailure(
          op, "the source is not known to be the same everywhere");
    Location loc = op.getLoc();
    Type element = getElementTypeOrSelf(op.getResult(0).getType());
    TypedAttr attribute = rewriter.getZeroAttr(element);
    if (keep)
      attribute = rewriter.getBoolAttr(*keep);
    Value scalar = arith::ConstantOp::create(rewriter, loc, attribute);
    SmallVector<Value> dynamicSizes;
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.isDynamicDim(d))
        dynamicSizes.push_back(
            tensor::DimOp::create(rewriter, loc, op.getInits()[0], d));
    rewriter.replaceOpWithNewOp<tensor::SplatOp>(op, scalar, type,
                                                 dynamicSizes);
    return success();
  }
};
} // namespace

void MaterializeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add<FoldEmptyResults<MaterializeOp>, MaterializeConstant>(context);
}

#define GET_OP_CLASSES
#include "attn/Dialect/Attn/IR/AttnOps.cpp.inc"
