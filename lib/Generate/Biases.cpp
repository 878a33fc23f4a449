//===- Biases.cpp - Random biases -------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::attn;

/// The error of a bias that is computed with a few operations.
static Bias withRounding(ProgramBuilder &p, const Problem &problem, Value value,
                         double bound) {
  Type wide = p.accumulatorOf(problem.element);
  return {value, bound, 16.0 * bound * ProgramBuilder::roundingOf(wide)};
}

static Bias makeTensor(ProgramBuilder &p, const Problem &problem) {
  SmallVector<Dim> dims = {problem.batch, problem.queryHeads, problem.queries,
                           problem.keys};
  for (Dim &dim : dims)
    if (p.random.chance(30))
      dim = {1};
  Type element = p.random.chance(70) ? problem.element : p.randomFloat();
  Tensor values = p.input(element, dims);
  return withRounding(p, problem,
                      BiasTensorOp::create(p.b, p.loc, values.value), 1.0);
}

/// A tensor with elements of -inf, which remove their pairs.
static Bias makeRemoving(ProgramBuilder &p, const Problem &problem) {
  FloatType element = problem.element;
  Tensor values =
      p.input(element, {problem.batch, Dim{1}, Dim{1}, problem.keys});
  Value removing = p.generic(
      values.value, p.emptyLike(values).value,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        auto constant = [&](const APFloat &value) {
          return arith::ConstantOp::create(b, loc,
                                           b.getFloatAttr(element, value));
        };
        APFloat limit(-0.4);
        bool losesInfo;
        limit.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                      &losesInfo);
        Value hit = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT,
                                          args[0], constant(limit));
        return arith::SelectOp::create(
            b, loc, hit,
            constant(APFloat::getInf(element.getFloatSemantics(),
                                     /*Negative=*/true)),
            args[0]);
      });
  return withRounding(p, problem, BiasTensorOp::create(p.b, p.loc, removing),
                      1.0);
}

static Bias makeAlibi(ProgramBuilder &p, const Problem &problem) {
  AlibiDistance distance =
      p.random.chance(50) ? AlibiDistance::Linear : AlibiDistance::Absolute;
  int64_t heads = problem.queryHeads.size;
  Value slopes, offset;
  IntegerAttr allHeads;
  int64_t firstHead = 0;
  if (p.random.chance(50)) {
    firstHead = p.random.chance(50) ? p.random.between(0, 3) : 0;
    allHeads = p.b.getI64IntegerAttr(std::max<int64_t>(heads, 1) + firstHead +
                                     p.random.between(0, 3));
  } else {
    SmallVector<Dim> dims = {problem.queryHeads};
    if (p.random.chance(40))
      dims.insert(dims.begin(), p.random.chance(30) ? Dim{1} : problem.batch);
    slopes = p.input(p.random.chance(50) ? p.randomFloat() : problem.element,
                     dims, 0.0, 0.25)
                 .value;
  }
  if (p.random.chance(60))
    offset = p.random.chance(50) ? p.indexInput(-3, 9)
                                 : p.perBatch(problem.batch, -3, 9).value;
  AlibiSeries series = allHeads && p.random.chance(30) ? AlibiSeries::Plain
                                                       : AlibiSeries::Standard;
  Value value = BiasAlibiOp::create(p.b, p.loc, slopes, offset, distance,
                                    allHeads, firstHead, series);
  return withRounding(p, problem, value,
                      problem.queries.size + problem.keys.size + 9.0);
}

static Bias makeRelative(ProgramBuilder &p, const Problem &problem) {
  IntegerAttr buckets, maxDistance, firstDistance;
  DenseI64ArrayAttr size;
  UnitAttr bidirectional;
  int64_t columns = p.random.between(1, 40);
  RelativeForm form = p.random.choose(
      {RelativeForm::T5, RelativeForm::Toeplitz, RelativeForm::Window});
  if (form == RelativeForm::T5) {
    columns = p.random.choose<int64_t>({4, 8, 32});
    buckets = p.b.getI64IntegerAttr(columns);
    maxDistance =
        p.b.getI64IntegerAttr(p.random.choose<int64_t>({20, 50, 128}));
    if (p.random.chance(50))
      bidirectional = p.b.getUnitAttr();
  } else if (form == RelativeForm::Toeplitz) {
    firstDistance = p.b.getI64IntegerAttr(p.random.between(-columns, 3));
  } else {
    int64_t height = p.random.between(1, 5), width = p.random.between(1, 5);
    size = p.b.getDenseI64ArrayAttr({height, width});
    columns = (2 * height - 1) * (2 * width - 1);
  }
  Value offset;
  if (p.random.chance(50))
    offset = p.random.chance(50) ? p.indexInput(-3, 9)
                                 : p.perBatch(problem.batch, -3, 9).value;
  Tensor table = p.input(
      p.random.chance(50) ? p.randomFloat() : problem.element,
      {p.random.chance(30) ? Dim{1} : problem.queryHeads, p.dim(columns)});
  Value value = BiasRelativeOp::create(
      p.b, p.loc, table.value, offset,
      RelativeFormAttr::get(p.b.getContext(), form), buckets, maxDistance,
      bidirectional, firstDistance, size);
  return withRounding(p, problem, value, 1.0);
}

/// -sqrt(|i - j|), or a number that depends on all indices.
static Bias makeGenerate(ProgramBuilder &p, const Problem &problem) {
  auto op = BiasGenerateOp::create(p.b, p.loc);
  OpBuilder::InsertionGuard guard(p.b);
  SmallVector<Type> types(4, p.b.getIndexType());
  SmallVector<Location> locations(4, p.loc);
  Region &body = op->getRegion(0);
  ValueRange pair =
      p.b.createBlock(&body, body.end(), types, locations)->getArguments();
  FloatType wide = p.accumulatorOf(problem.element);
  bool ofDistance = p.random.chance(50);
  Value number =
      ofDistance ? Value(arith::SubIOp::create(p.b, p.loc, pair[2], pair[3]))
                 : Value(arith::AddIOp::create(
                       p.b, p.loc, pair[3],
                       arith::MulIOp::create(p.b, p.loc, pair[1], pair[0])));
  number = arith::IndexCastOp::create(p.b, p.loc, p.b.getI64Type(), number);
  Value value = arith::SIToFPOp::create(p.b, p.loc, wide, number);
  value = math::AbsFOp::create(p.b, p.loc, value);
  value = math::SqrtOp::create(p.b, p.loc, value);
  value = arith::NegFOp::create(p.b, p.loc, value);
  YieldOp::create(p.b, p.loc, value);
  double largest = 20.0 + problem.queries.size + problem.keys.size;
  return withRounding(p, problem, op.getBias(), std::sqrt(largest));
}

static Bias makeSlice(ProgramBuilder &p, const Problem &problem) {
  Bias source = makeGenerate(p, problem);
  Value zero = p.index(0);
  source.value = BiasSliceOp::create(p.b, p.loc, source.value, zero, zero,
                                     p.index(p.random.between(0, 9)),
                                     p.index(p.random.between(0, 9)));
  source.bound += 5.0;
  return source;
}

static Bias makeAdd(ProgramBuilder &p, const Problem &problem) {
  ArrayRef<BiasMaker> leaves = getBiasMakers().drop_back();
  Bias lhs = p.chooseMaker(leaves).make(p, problem);
  Bias rhs = p.chooseMaker(leaves).make(p, problem);
  Value sum = BiasAddOp::create(p.b, p.loc, lhs.value, rhs.value);
  Bias result = withRounding(p, problem, sum, lhs.bound + rhs.bound);
  result.error += lhs.error + rhs.error;
  return result;
}

static constexpr BiasMaker makers[] = {
    {"bias.tensor", makeTensor},     {"bias.removing", makeRemoving},
    {"bias.alibi", makeAlibi},       {"bias.relative", makeRelative},
    {"bias.generate", makeGenerate}, {"bias.slice", makeSlice},
    {"bias.add", makeAdd},
};

ArrayRef<BiasMaker> attn::getBiasMakers() { return makers; }

Bias attn::makeBias(ProgramBuilder &p, const Problem &problem) {
  if (p.random.chance(40))
    return {};
  return p.chooseMaker(getBiasMakers()).make(p, problem);
}
