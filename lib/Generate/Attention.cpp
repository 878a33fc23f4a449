//===- Attention.cpp - Random attention -------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

namespace {
/// An attention while it is put together.
class AttentionMaker {
public:
  AttentionMaker(ProgramBuilder &p, const Tensor &query);
  Tensor make();

private:
  void makeKeyAndValue();
  void setRotation(AttentionOp op, bool ofQuery);
  void setScore(AttentionOp op);
  void setPlan(AttentionOp op);
  void setSinks(AttentionOp op);
  /// Sets the types that scores and weights are rounded to. Returns the error
  /// of the weights.
  double setRounding(AttentionOp op);
  /// The error of a score, from what is rotated, scaled and added.
  double getScoreError(const Bias &bias) const;

  ProgramBuilder &p;
  Tensor query, key, value;
  Problem problem;
  double scale = 1.0;
  /// What the scores are before the bias, at most.
  double scoreBound = 0.0;
  /// The rounding of scores to a type that is asked for.
  double roundedScores = 0.0;
};
} // namespace

AttentionMaker::AttentionMaker(ProgramBuilder &p, const Tensor &query)
    : p(p), query(query) {
  SmallVector<Dim> dims = p.dimsOf(query);
  problem.batch = dims[0];
  problem.queryHeads = dims[1];
  problem.queries = dims[2];
  problem.queryDim = dims[3];
  problem.element = cast<FloatType>(query.getElementType());
  makeKeyAndValue();
  problem.keysOf = key.value;
}

void AttentionMaker::makeKeyAndValue() {
  int64_t heads = query.sizes[1];
  if (p.random.chance(20)) {
    // Attention of a tensor to itself.
    key = value = query;
    problem.keyHeads = problem.queryHeads;
    problem.keys = problem.queries;
    problem.valueDim = problem.queryDim;
    return;
  }
  SmallVector<int64_t> divisors;
  for (int64_t n = 1; n <= std::max<int64_t>(heads, 1); ++n)
    if (heads % n == 0)
      divisors.push_back(n);
  problem.keyHeads = p.dim(p.random.choose(ArrayRef<int64_t>(divisors)));
  problem.keys = p.random.chance(50) ? problem.queries : p.dim();
  problem.valueDim = p.random.chance(50) ? problem.queryDim : p.dim();
  key = p.input(problem.element, {problem.batch, problem.keyHeads, problem.keys,
                                  problem.queryDim});
  value = p.random.chance(10) && problem.valueDim.size == problem.queryDim.size
              ? key
              : p.input(problem.element, {problem.batch, problem.keyHeads,
                                          problem.keys, problem.valueDim});
}

void AttentionMaker::setRotation(AttentionOp op, bool ofQuery) {
  if (!p.random.chance(30))
    return;
  int64_t features = query.sizes[3];
  int64_t pairs =
      p.random.chance(60) ? features / 2 : p.random.between(0, features / 2);
  int64_t first = p.random.between(0, features - 2 * pairs);
  OpBuilder::InsertionGuard guard(p.b);
  p.b.setInsertionPoint(op);
  auto [cos, sin] = makeTables(p, p.random.chance(40) ? Dim{1} : problem.batch,
                               ofQuery ? problem.queries : problem.keys, pairs);
  // Draws are statements: the order of arguments is up to the compiler.
  RotaryLayout layout =
      p.random.chance(50) ? RotaryLayout::Interleaved : RotaryLayout::SplitHalf;
  bool inverse = p.random.chance(30);
  auto rotation = RotationAttr::get(p.b.getContext(), layout, first, inverse);
  Tensor &x = ofQuery ? query : key;
  // Rotated numbers may be rounded to their type.
  x.error = 2.0 * (x.error + x.bound * cos.error) +
            8.0 * x.bound * ProgramBuilder::roundingOf(problem.element);
  x.bound *= 2.0;
  if (ofQuery) {
    op.getQueryCosMutable().assign(cos.value);
    op.getQuerySinMutable().assign(sin.value);
    op.setQueryRotationAttr(rotation);
    return;
  }
  op.getKeyCosMutable().assign(cos.value);
  op.getKeySinMutable().assign(sin.value);
  op.setKeyRotationAttr(rotation);
}

/// A region that is 1-Lipschitz in the score: half the score and a small number
/// of the distance, or scores of some pairs negated.
void AttentionMaker::setScore(AttentionOp op) {
  if (!p.random.chance(25))
    return;
  OpBuilder::InsertionGuard guard(p.b);
  FloatType wide = p.accumulatorOf(problem.element);
  SmallVector<Type> types(5, p.b.getIndexType());
  types[0] = wide;
  SmallVector<Location> locations(5, p.loc);
  Region &body = op->getRegion(0);
  ValueRange args =
      p.b.createBlock(&body, body.end(), types, locations)->getArguments();
  Value score = args[0];
  if (p.random.chance(50)) {
    Value distance = arith::SubIOp::create(p.b, p.loc, args[4], args[2]);
    distance =
        arith::IndexCastOp::create(p.b, p.loc, p.b.getI64Type(), distance);
    Value number = arith::SIToFPOp::create(p.b, p.loc, wide, distance);
    number =
        arith::MulFOp::create(p.b, p.loc, number, p.floating(wide, 0.0078125));
    Value half =
        arith::MulFOp::create(p.b, p.loc, score, p.floating(wide, 0.5));
    score = arith::AddFOp::create(p.b, p.loc, half, number);
  } else {
    Value same = arith::CmpIOp::create(p.b, p.loc, arith::CmpIPredicate::eq,
                                       args[3], args[4]);
    Value negated = arith::NegFOp::create(p.b, p.loc, score);
    score = arith::SelectOp::create(p.b, p.loc, same, negated, score);
  }
  YieldOp::create(p.b, p.loc, score);
  scoreBound += 8.0;
}

void AttentionMaker::setPlan(AttentionOp op) {
  if (!p.random.chance(20))
    return;
  auto queryBlock = p.random.choose<int64_t>({1, 4, 16, 24, 32, 64});
  auto keyBlock = p.random.choose<int64_t>({1, 7, 16, 32, 128});
  auto rows = p.random.choose<int64_t>({1, 3, 4, 8});
  op.setPlanAttr(PlanAttr::get(p.b.getContext(), queryBlock, keyBlock, rows));
}

void AttentionMaker::setSinks(AttentionOp op) {
  if (!p.random.chance(20))
    return;
  OpBuilder::InsertionGuard guard(p.b);
  p.b.setInsertionPoint(op);
  Type type = p.random.chance(60) ? Type(problem.element) : p.randomFloat();
  Tensor sinks = p.input(type, {problem.queryHeads});
  op.getSinksMutable().assign(sinks.value);
}

double AttentionMaker::setRounding(AttentionOp op) {
  FloatType wide = p.accumulatorOf(problem.element);
  auto narrow = [&] {
    return p.random.chance(50) ? FloatType(p.b.getBF16Type())
                               : FloatType(p.b.getF16Type());
  };
  if (p.random.chance(10)) {
    FloatType type = p.random.chance(30) ? wide : narrow();
    op.setSoftmaxType(type);
    // Each side rounds scores that may stand on two sides of a step.
    roundedScores = 2.0 * ProgramBuilder::roundingOf(type);
  }
  if (!p.random.chance(15))
    return 0.0;
  FloatType type = p.random.chance(30) ? wide : narrow();
  op.setProbType(type);
  // Small weights of f16 are subnormal.
  return 2.0 * ProgramBuilder::roundingOf(type) + 1e-7 * key.sizes[2];
}

double AttentionMaker::getScoreError(const Bias &bias) const {
  int64_t features = query.sizes[3];
  double rounding =
      ProgramBuilder::roundingOf(p.accumulatorOf(problem.element));
  double products =
      features * (query.bound * key.error + key.bound * query.error +
                  query.error * key.error);
  double sum = features * query.bound * key.bound;
  return std::abs(scale) * (products + sum * sumGrowth(features) * rounding) +
         bias.error * std::max(std::abs(scale), 1.0) +
         roundedScores * (scoreBound + bias.bound) +
         16.0 * (scoreBound + bias.bound + 1.0) * rounding;
}

Tensor AttentionMaker::make() {
  Value mask = makeMask(p, problem);
  Bias bias = makeBias(p, problem);
  std::optional<double> givenScale, softcap;
  if (p.random.chance(50))
    givenScale = p.random.choose({0.3, -0.7, 0.0, 1.0, 0.125});
  if (p.random.chance(20))
    softcap = p.random.choose({4.0, 30.0});
  scale = givenScale.value_or(1.0 /
                              std::sqrt(std::max<int64_t>(query.sizes[3], 1)));

  SmallVector<Value> inits = {
      p.empty(problem.element,
              {{&query, 0}, {&query, 1}, {&query, 2}, {&value, 3}})
          .value};
  FloatType wide = p.accumulatorOf(problem.element);
  bool hasLse = p.random.chance(30);
  if (hasLse)
    inits.push_back(
        p.empty(wide, {{&query, 0}, {&query, 1}, {&query, 2}}).value);
  auto op = AttentionOp::create(
      p.b, p.loc, query.value, key.value, value.value, bias.value, mask, inits,
      givenScale, softcap,
      p.random.choose({EmptyRow::Zero, EmptyRow::Nan, EmptyRow::Mean}));
  setRotation(op, /*ofQuery=*/true);
  setRotation(op, /*ofQuery=*/false);
  scoreBound = std::abs(scale) * query.sizes[3] * query.bound * key.bound;
  setScore(op);
  setPlan(op);
  setSinks(op);
  double weightError = setRounding(op);
  if (bias.value && p.random.chance(20))
    op.setBiasBeforeScale(true);
  if (hasLse && p.random.chance(30))
    op.setLseBase(LseBase::Two);

  double scoreError = getScoreError(bias);
  double narrow = ProgramBuilder::roundingOf(problem.element);
  double rounding = ProgramBuilder::roundingOf(wide);
  Tensor result{
      op->getResult(0),
      {query.sizes[0], query.sizes[1], query.sizes[2], value.sizes[3]},
      value.bound};
  // A softmax changes by at most e^2d - 1 in sum where scores change by d.
  result.error = value.bound * std::expm1(2.0 * scoreError) + value.error +
                 value.bound * (4.0 * narrow + weightError +
                                sumGrowth(key.sizes[2]) * rounding);
  if (hasLse)
    p.result(op->getResult(1),
             scoreError + 8.0 * rounding * (scoreBound + bias.bound + 8.0));
  return result;
}

static Tensor makeAttention(ProgramBuilder &p, const Tensor &x) {
  return AttentionMaker(p, x).make();
}

/// A mask or a bias as a result; the tensor stays as it is.
static Tensor makeMaterialized(ProgramBuilder &p, const Tensor &x) {
  SmallVector<Dim> dims = p.dimsOf(x);
  Problem problem;
  problem.batch = dims[0];
  problem.queryHeads = dims[1];
  problem.queries = dims[2];
  problem.keys = dims[3];
  problem.element = cast<FloatType>(x.getElementType());
  problem.keysOf = x.value;
  problem.keysDim = 3;
  Value source = makeMask(p, problem);
  double error = 0.0;
  Type element = p.b.getI1Type();
  if (!source || p.random.chance(50)) {
    Bias bias = makeBias(p, problem);
    if (!bias.value)
      return {};
    source = bias.value;
    element = x.getElementType();
    error = bias.error + 4.0 * bias.bound * ProgramBuilder::roundingOf(element);
  }
  Tensor out = p.emptyLike(x, element);
  p.result(MaterializeOp::create(p.b, p.loc, TypeRange(out.getType()), source,
                                 ValueRange(out.value))
               ->getResult(0),
           error);
  return x;
}

//===----------------------------------------------------------------------===//
// Attention as graphs spell it out
//===----------------------------------------------------------------------===//

static AffineMap makeMap(ProgramBuilder &p, unsigned dims,
                         ArrayRef<unsigned> targets) {
  return AffineMap::getMultiDimMapWithTargets(dims, targets, p.b.getContext());
}

/// Sums of products over the last iterator; all others are parallel.
static Value contract(ProgramBuilder &p, const Tensor &lhs, const Tensor &rhs,
                      const Tensor &out, ArrayRef<unsigned> lhsDims,
                      ArrayRef<unsigned> rhsDims) {
  SmallVector<utils::IteratorType> iterators(5, utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  return p.generic(
      {lhs.value, rhs.value}, p.filled(out, 0.0).value,
      [](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value x = args[0], y = args[1];
        Type wide = args[2].getType();
        if (x.getType() != wide) {
          x = arith::ExtFOp::create(b, loc, wide, x);
          y = arith::ExtFOp::create(b, loc, wide, y);
        }
        return arith::AddFOp::create(b, loc, args[2],
                                     arith::MulFOp::create(b, loc, x, y));
      },
      {makeMap(p, 5, lhsDims), makeMap(p, 5, rhsDims),
       makeMap(p, 5, {0, 1, 2, 3})},
      iterators);
}

/// A reduction of the last of four dimensions.
static Value reduceRows(ProgramBuilder &p, const Tensor &x, double start,
                        bool isMaximum) {
  Tensor out = p.empty(x.getElementType(), {{&x, 0}, {&x, 1}, {&x, 2}});
  SmallVector<utils::IteratorType> iterators(4, utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  return p.generic(
      x.value, p.filled(out, start).value,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        if (isMaximum)
          return arith::MaximumFOp::create(b, loc, args[0], args[1]);
        return arith::AddFOp::create(b, loc, args[0], args[1]);
      },
      {p.b.getMultiDimIdentityMap(4), makeMap(p, 4, {0, 1, 2})}, iterators);
}

static Value combineRows(ProgramBuilder &p, const Tensor &x, Value rows,
                         ProgramBuilder::ElementBody body) {
  AffineMap identity = p.b.getMultiDimIdentityMap(4);
  return p.generic(
      {x.value, rows}, p.emptyLike(x).value, body,
      {identity, makeMap(p, 4, {0, 1, 2}), identity},
      SmallVector<utils::IteratorType>(4, utils::IteratorType::parallel));
}

/// Scores times a number, and -inf behind the query where `isCausal`.
static Value scaleAndMask(ProgramBuilder &p, const Tensor &scores, double scale,
                          bool isCausal) {
  auto type = cast<FloatType>(scores.getElementType());
  return p.map(
      scores, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value factor =
            arith::ConstantOp::create(b, loc, b.getFloatAttr(type, scale));
        Value scaled = arith::MulFOp::create(b, loc, args[0], factor);
        if (!isCausal)
          return scaled;
        Value i = linalg::IndexOp::create(b, loc, 2);
        Value j = linalg::IndexOp::create(b, loc, 3);
        Value keep =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, j, i);
        Value lowest = arith::ConstantOp::create(
            b, loc,
            b.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics(),
                                                 /*Negative=*/true)));
        return arith::SelectOp::create(b, loc, keep, scaled, lowest);
      });
}

/// A softmax over the last of four dimensions.
static Value softmaxRows(ProgramBuilder &p, Tensor scores) {
  Value largest = reduceRows(p, scores, -INFINITY, /*isMaximum=*/true);
  scores.value =
      combineRows(p, scores, largest,
                  [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                    Value difference =
                        arith::SubFOp::create(b, loc, args[0], args[1]);
                    return math::ExpOp::create(b, loc, difference);
                  });
  Value sums = reduceRows(p, scores, 0.0, /*isMaximum=*/false);
  return combineRows(p, scores, sums,
                     [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                       return arith::DivFOp::create(b, loc, args[0], args[1]);
                     });
}

/// The elements in another type, if it is another.
static Value convert(ProgramBuilder &p, const Tensor &x, FloatType to) {
  auto from = cast<FloatType>(x.getElementType());
  if (from == to)
    return x.value;
  return p.generic(x.value, p.emptyLike(x, to).value,
                   [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                     if (from.getWidth() < to.getWidth())
                       return arith::ExtFOp::create(b, loc, to, args[0]);
                     return arith::TruncFOp::create(b, loc, to, args[0]);
                   });
}

/// Scores, scaled and masked by index or not, a softmax, and the product with
/// values, in linalg: what raising recovers.
static Tensor makeSpelledAttention(ProgramBuilder &p, const Tensor &x) {
  SmallVector<Dim> dims = p.dimsOf(x);
  // A row without keys is 0 / 0, and its maximum differs between frameworks.
  Dim keys = p.dim(std::max<int64_t>(p.dim().size, 1));
  FloatType element = cast<FloatType>(x.getElementType());
  FloatType wide = p.accumulatorOf(element);
  Tensor key = p.input(element, {dims[0], dims[1], keys, dims[3]});
  Tensor value = p.input(element, {dims[0], dims[1], keys, dims[3]});
  double scale = 1.0 / std::sqrt(std::max<int64_t>(x.sizes[3], 1));
  bool isCausal = p.random.chance(50);

  Tensor scores = p.empty(wide, {{&x, 0}, {&x, 1}, {&x, 2}, {&key, 2}});
  scores.value = contract(p, x, key, scores, {0, 1, 2, 4}, {0, 1, 3, 4});
  scores.value = scaleAndMask(p, scores, scale, isCausal);
  scores.value = softmaxRows(p, scores);
  Tensor wideValue = value;
  wideValue.value = convert(p, value, wide);
  Tensor out = p.empty(wide, {{&x, 0}, {&x, 1}, {&x, 2}, {&value, 3}});
  out.value = contract(p, scores, wideValue, out, {0, 1, 2, 4}, {0, 1, 4, 3});
  out.value = convert(p, out, element);

  double rounding = ProgramBuilder::roundingOf(wide);
  double largestScore = scale * x.sizes[3] * x.bound;
  double scoreError = scale * x.sizes[3] * x.error +
                      largestScore * (sumGrowth(x.sizes[3]) + 16.0) * rounding;
  out.error = std::expm1(2.0 * scoreError) +
              4.0 * ProgramBuilder::roundingOf(element) +
              (sumGrowth(key.sizes[2]) + 8.0) * rounding;
  return out;
}

static constexpr StepMaker steps[] = {
    {"step.attention", makeAttention, 6},
    {"step.materialize", makeMaterialized},
    {"step.spelled_attention", makeSpelledAttention},
};

ArrayRef<StepMaker> attn::getAttentionSteps() { return steps; }
