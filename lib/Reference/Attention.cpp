//===- Attention.cpp - Attention and materialization ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Attention row by row, stage by stage. A pair that is removed is never looked
/// at again: its key and value are not even read.
///
//===----------------------------------------------------------------------===//

#include "PairFunctions.h"
#include "Rotation.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::reference;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
/// One execution of an attention.
class Attention {
public:
  Attention(Evaluation &eval, AttentionOp op) : eval(eval), op(op) {}

  LogicalResult run();

private:
  /// A key that a row keeps, with its score.
  struct KeptKey {
    int64_t key;
    double score;
  };

  LogicalResult readOperands();
  FailureOr<Tensor> readRotated(Value operand, Value cos, Value sin,
                                std::optional<RotationAttr> rotation);
  LogicalResult checkDim(StringRef what, StringRef name, int64_t actual,
                         StringRef otherName, int64_t expected);
  LogicalResult checkShapes();
  FailureOr<std::optional<double>> computeScore(const PairIndex &pair);
  LogicalResult computeRow(int64_t batch, int64_t head, int64_t row);
  void writeRow(int64_t batch, int64_t head, int64_t row,
                ArrayRef<KeptKey> kept);
  void writeEmptyRow(MutableArrayRef<double> out, ArrayRef<double> values);

  Evaluation &eval;
  AttentionOp op;
  Tensor query, key, value, output, lse;
  std::optional<Tensor> sinks;
  double scale = 1.0;
  std::optional<double> softcap;
  std::optional<RuntimeValue> bias, mask;
  std::unique_ptr<PairRegion> scoreRegion;
};
} // namespace

FailureOr<Tensor> Attention::readRotated(Value operand, Value cos, Value sin,
                                         std::optional<RotationAttr> rotation) {
  const Tensor &tensor = eval.getValue(operand).getTensor();
  if (!rotation)
    return tensor;
  Rotation parameters;
  parameters.layoutIn = parameters.layoutOut = rotation->getLayout();
  parameters.first = rotation->getFirst();
  parameters.inverse = rotation->getInverse();
  return rotate(op, tensor, eval.getValue(cos).getTensor(),
                eval.getValue(sin).getTensor(), parameters);
}

LogicalResult Attention::readOperands() {
  FailureOr<Tensor> rotatedQuery = readRotated(
      op.getQuery(), op.getQueryCos(), op.getQuerySin(), op.getQueryRotation());
  FailureOr<Tensor> rotatedKey = readRotated(
      op.getKey(), op.getKeyCos(), op.getKeySin(), op.getKeyRotation());
  if (failed(rotatedQuery) || failed(rotatedKey))
    return failure();
  query = *rotatedQuery;
  key = *rotatedKey;
  value = eval.getValue(op.getValue()).getTensor();
  output = eval.getValue(op.getInits()[0]).getTensor();
  if (op.getInits().size() > 1)
    lse = eval.getValue(op.getInits()[1]).getTensor();

  // Without features every product is zero, and any scale will do.
  if (op.getScale())
    scale = op.getScale()->convertToDouble();
  else if (query.getDimSize(3) != 0)
    scale = 1.0 / std::sqrt(static_cast<double>(query.getDimSize(3)));
  if (op.getSoftcap())
    softcap = op.getSoftcap()->convertToDouble();
  if (op.getSinks())
    sinks = eval.getValue(op.getSinks()).getTensor();
  if (op.getBias())
    bias = eval.getValue(op.getBias());
  if (op.getMask())
    mask = eval.getValue(op.getMask());
  if (!op.getScore().empty())
    scoreRegion = std::make_unique<PairRegion>(eval, op.getScore());
  return success();
}

LogicalResult Attention::checkDim(StringRef what, StringRef name,
                                  int64_t actual, StringRef otherName,
                                  int64_t expected) {
  if (actual == expected)
    return success();
  return op.emitError() << "expects " << what << " of '" << name << "' ("
                        << actual << ") to equal that of '" << otherName
                        << "' (" << expected << ")";
}

/// What the verifier cannot see where sizes are dynamic.
LogicalResult Attention::checkShapes() {
  ArrayRef<int64_t> q = query.getShape();
  ArrayRef<int64_t> k = key.getShape();
  ArrayRef<int64_t> v = value.getShape();
  ArrayRef<int64_t> out = output.getShape();
  if (failed(checkDim("batch", "key", k[0], "query", q[0])) ||
      failed(checkDim("batch", "value", v[0], "query", q[0])) ||
      failed(checkDim("batch", "outs", out[0], "query", q[0])) ||
      failed(checkDim("head dimension", "query", q[3], "key", k[3])) ||
      failed(checkDim("number of heads", "value", v[1], "key", k[1])) ||
      failed(checkDim("length", "value", v[2], "key", k[2])) ||
      failed(checkDim("number of heads", "outs", out[1], "query", q[1])) ||
      failed(checkDim("length", "outs", out[2], "query", q[2])) ||
      failed(checkDim("head dimension", "outs", out[3], "value", v[3])))
    return failure();
  if (k[1] == 0 ? q[1] != 0 : q[1] % k[1] != 0)
    return op.emitError() << "expects number of heads of 'query' (" << q[1]
                          << ") to be a multiple of that of 'key' (" << k[1]
                          << ")";
  if (sinks && failed(checkDim("number of heads", "sinks", sinks->getDimSize(0),
                               "query", q[1])))
    return failure();
  if (op.getInits().size() > 1 && lse.getShape() != q.drop_back())
    return op.emitError() << "expects a destination of shape "
                          << formatShape(q.drop_back())
                          << " for the log-sum-exp, got "
                          << formatShape(lse.getShape());
  return success();
}

/// The innermost dimension of a tensor of rank 4.
static ArrayRef<double> getRow(const Tensor &tensor, int64_t batch,
                               int64_t head, int64_t row) {
  ArrayRef<int64_t> shape = tensor.getShape();
  int64_t number = (batch * shape[1] + head) * shape[2] + row;
  return tensor.getFloats().slice(number * shape[3], shape[3]);
}

/// Stages 1 to 5 for one pair: the score, or nothing where the pair is removed.
FailureOr<std::optional<double>>
Attention::computeScore(const PairIndex &pair) {
  std::optional<double> removed;
  if (mask) {
    FailureOr<Scalar> keep = mask->getPairFunction()(pair);
    if (failed(keep))
      return failure();
    if (!keep->getInteger())
      return removed;
  }
  double biasValue = 0.0;
  if (bias) {
    FailureOr<Scalar> number = bias->getPairFunction()(pair);
    if (failed(number))
      return failure();
    biasValue = number->getFloat();
    if (biasValue == -infinity)
      return removed;
  }

  int64_t features = query.getDimSize(3);
  int64_t group = query.getDimSize(1) / key.getDimSize(1);
  ArrayRef<double> q = getRow(query, pair.batch, pair.head, pair.query);
  ArrayRef<double> k = getRow(key, pair.batch, pair.head / group, pair.key);
  double product = 0.0;
  for (int64_t d = 0; d < features; ++d)
    product += q[d] * k[d];
  bool early = op.getBiasBeforeScale();
  if (bias && early)
    product += biasValue;
  double score = scale * product;
  if (softcap)
    score = *softcap * std::tanh(score / *softcap);
  if (bias && !early)
    score += biasValue;
  if (scoreRegion) {
    FailureOr<Scalar> result = scoreRegion->evaluate(pair, Scalar(score));
    if (failed(result))
      return failure();
    score = result->getFloat();
  }
  return std::optional<double>(
      roundTo(score, op.getSoftmaxType().value_or(Type())));
}

void Attention::writeEmptyRow(MutableArrayRef<double> out,
                              ArrayRef<double> values) {
  switch (op.getEmptyRow()) {
  case EmptyRow::Zero:
    llvm::fill(out, 0.0);
    return;
  case EmptyRow::Nan:
    llvm::fill(out, std::numeric_limits<double>::quiet_NaN());
    return;
  case EmptyRow::Mean:
    for (size_t d = 0; d < out.size(); ++d) {
      double sum = 0.0;
      for (size_t place = d; place < values.size(); place += out.size())
        sum += values[place];
      out[d] = sum / value.getDimSize(2);
    }
    return;
  }
}

/// Stages 6 to 8.
void Attention::writeRow(int64_t batch, int64_t head, int64_t row,
                         ArrayRef<KeptKey> kept) {
  int64_t features = value.getDimSize(3);
  int64_t keys = value.getDimSize(2);
  int64_t group = query.getDimSize(1) / key.getDimSize(1);
  int64_t rowNumber =
      (batch * query.getDimSize(1) + head) * query.getDimSize(2) + row;
  int64_t valueHead = batch * value.getDimSize(1) + head / group;
  ArrayRef<double> values =
      value.getFloats().slice(valueHead * keys * features, keys * features);
  MutableArrayRef<double> out =
      output.getMutableFloats().slice(rowNumber * features, features);
  bool hasLse = op.getInits().size() > 1;

  // A sink of -inf adds nothing, but makes the row a row.
  std::optional<double> sink;
  if (sinks)
    sink = sinks->getFloats()[head];
  if (kept.empty() && (!sink || *sink == -infinity)) {
    if (sink)
      llvm::fill(out, 0.0);
    else
      writeEmptyRow(out, values);
    if (hasLse)
      lse.setElement(rowNumber, -infinity);
    return;
  }
  double maximum = sink.value_or(-infinity);
  for (const KeptKey &pair : kept)
    maximum = std::fmax(maximum, pair.score);
  // Scores that are all -inf sum to zero, and the row to 0 / 0.
  if (maximum == -infinity)
    maximum = 0.0;
  double sum = sink ? std::exp(*sink - maximum) : 0.0;
  llvm::fill(out, 0.0);
  for (const KeptKey &pair : kept) {
    double weight = std::exp(pair.score - maximum);
    sum += weight;
    weight = roundTo(weight, op.getProbType().value_or(Type()));
    for (int64_t d = 0; d < features; ++d)
      out[d] += weight * values[pair.key * features + d];
  }
  for (double &element : out)
    element /= sum;
  if (!hasLse)
    return;
  double logarithm = maximum + std::log(sum);
  if (op.getLseBase() == LseBase::Two)
    logarithm /= std::log(2.0);
  lse.setElement(rowNumber, logarithm);
}

LogicalResult Attention::computeRow(int64_t batch, int64_t head, int64_t row) {
  SmallVector<KeptKey> kept;
  for (int64_t j = 0, e = key.getDimSize(2); j < e; ++j) {
    FailureOr<std::optional<double>> score =
        computeScore({batch, head, row, j, op.getAccumulatorType()});
    if (failed(score))
      return failure();
    if (*score)
      kept.push_back({j, **score});
  }
  writeRow(batch, head, row, kept);
  return success();
}

LogicalResult Attention::run() {
  if (failed(readOperands()) || failed(checkShapes()))
    return failure();
  for (int64_t b = 0; b < query.getDimSize(0); ++b)
    for (int64_t h = 0; h < query.getDimSize(1); ++h)
      for (int64_t i = 0; i < query.getDimSize(2); ++i)
        if (failed(computeRow(b, h, i)))
          return failure();
  eval.setResult(0, output);
  if (op.getInits().size() > 1)
    eval.setResult(1, lse);
  return success();
}

static LogicalResult evaluateAttention(Evaluation &eval) {
  return Attention(eval, eval.getOp<AttentionOp>()).run();
}

static LogicalResult evaluateMaterialize(Evaluation &eval) {
  auto op = eval.getOp<MaterializeOp>();
  const RuntimeValue &source = eval.getValue(op.getSource());
  Tensor result = eval.getValue(op.getInits().front()).getTensor();
  Type accumulator;
  if (isa<BiasType>(op.getSource().getType()))
    accumulator = result.getElementType().isF64()
                      ? Type(Float64Type::get(op.getContext()))
                      : Type(Float32Type::get(op.getContext()));
  auto write = [&](ArrayRef<int64_t> indices) -> LogicalResult {
    FailureOr<Scalar> value = source.getPairFunction()(
        {indices[0], indices[1], indices[2], indices[3], accumulator});
    if (failed(value))
      return failure();
    result.setElement(indices, *value);
    return success();
  };
  if (failed(forEachIndex(result.getShape(), write)))
    return failure();
  eval.setResult(0, result);
  return success();
}

void reference::registerAttentionHandlers(HandlerRegistry &registry) {
  registry.addHandler<AttentionOp>(evaluateAttention);
  registry.addHandler<MaterializeOp>(evaluateMaterialize);
}
