//===- Encodings.cpp - Random encodings of positions ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::attn;

/// Positions `[batch, tokens]`: data, or counted.
static Tensor makePositions(ProgramBuilder &p, const Dim &batch,
                            const Dim &tokens) {
  Type integer = p.random.choose<Type>({p.b.getI64Type(), p.b.getI32Type()});
  Tensor data = p.input(integer, {batch, tokens}, 0,
                        p.random.choose({64.0, 4096.0, 16777216.0}));
  if (p.random.chance(40))
    return data;
  Value offset, leftPadding, segments, first;
  if (p.random.chance(50))
    offset = p.random.chance(50) ? p.indexInput(0, 40)
                                 : p.perBatch(batch, 0, 40).value;
  if (p.random.chance(40))
    leftPadding = p.perBatch(batch, 0, 9).value;
  else if (p.random.chance(50))
    segments =
        p.input(integer, {p.random.chance(40) ? Dim{1} : batch, tokens}, -1, 2)
            .value;
  if (!segments && p.random.chance(30))
    first = p.indexInput(0, 9);
  Tensor out = p.emptyLike(data);
  Value value =
      PositionsOp::create(p.b, p.loc, TypeRange(out.getType()), offset,
                          leftPadding, segments, first, ValueRange(out.value))
          ->getResult(0);
  return {value, data.sizes, 60.0 + tokens.size, 0.0};
}

/// A factor for each pair, for short and for long texts.
static FrequenciesAttr makeLongRope(ProgramBuilder &p, int64_t dim,
                                    double base) {
  SmallVector<NamedAttribute> parameters = {
      p.b.getNamedAttr("base", p.b.getF64FloatAttr(base)),
      p.b.getNamedAttr("original_length", p.b.getF64FloatAttr(64.0))};
  for (StringRef name : {"short", "long"}) {
    SmallVector<double> factors;
    for (int64_t pair = 0; pair < dim / 2; ++pair)
      factors.push_back(p.random.choose({1.0, 1.25, 4.0, 0.5}));
    parameters.push_back(
        p.b.getNamedAttr(name, p.b.getDenseF64ArrayAttr(factors)));
  }
  return FrequenciesAttr::get(p.b.getContext(), FrequencyRule::LongRope, dim,
                              p.b.getDictionaryAttr(parameters));
}

/// A rule of compile time, or one that needs the number of tokens.
static FrequenciesAttr makeRule(ProgramBuilder &p, int64_t dim) {
  double base = p.random.choose({10000.0, 500000.0, 2.0});
  MLIRContext *context = p.b.getContext();
  auto make = [&](FrequencyRule rule, ArrayRef<double> values) {
    return FrequenciesAttr::get(context, rule, dim, values);
  };
  switch (p.random.below(12)) {
  case 0:
    return make(FrequencyRule::Linear, {base, 4.0});
  case 1:
    return make(FrequencyRule::Llama3, {base, 8.0, 1.0, 4.0, 64.0});
  case 2:
    return make(FrequencyRule::Yarn,
                {base, 16.0, 128.0, 32.0, 1.0, p.random.choose({0.0, 1.0})});
  case 3:
    return make(FrequencyRule::Ntk, {base, 4.0});
  case 4:
    return make(FrequencyRule::NtkTwoStep, {base, 4.0});
  case 5:
    return make(FrequencyRule::NtkMixed, {base, 4.0, 0.625});
  case 6:
    return make(FrequencyRule::Proportional,
                {base, 1.0, static_cast<double>(p.random.between(0, dim / 2))});
  case 7:
    return make(FrequencyRule::DynamicNtk, {base, 2.0, 64.0});
  case 8:
    return makeLongRope(p, dim, base);
  default:
    return make(FrequencyRule::Default, {base});
  }
}

static SectionsAttr makeSections(ProgramBuilder &p, int64_t pairs) {
  SmallVector<int64_t> sizes;
  int64_t rest = pairs;
  for (int64_t axes = p.random.between(1, 3); axes > 1; --axes) {
    sizes.push_back(p.random.between(0, rest));
    rest -= sizes.back();
  }
  sizes.push_back(rest);
  SectionOrder order = p.random.choose(
      {SectionOrder::Chunked, SectionOrder::Interleaved, SectionOrder::Axial});
  // Pair i is of axis i mod A, so that no axis but the first may be long.
  auto isTooLong = [&](int64_t axis) {
    int64_t count = sizes[axis], axes = sizes.size();
    return count > 0 && axis + axes * (count - 1) >= pairs;
  };
  if (order == SectionOrder::Interleaved &&
      llvm::any_of(llvm::seq<int64_t>(1, sizes.size()), isTooLong))
    order = SectionOrder::Chunked;
  return SectionsAttr::get(p.b.getContext(), order, sizes);
}

std::pair<Tensor, Tensor> attn::makeTables(ProgramBuilder &p, const Dim &batch,
                                           const Dim &tokens, int64_t pairs) {
  Type element = p.random.chance(60) ? Type(p.b.getF32Type()) : p.randomFloat();
  if (pairs == 0 || p.random.chance(30)) {
    Tensor cos = p.input(element, {batch, tokens, p.dim(pairs)});
    Tensor sin = p.input(element, {batch, tokens, p.dim(pairs)});
    return {cos, sin};
  }
  Value frequencies, length;
  FrequenciesAttr rule;
  SectionsAttr sections;
  if (p.random.chance(30)) {
    frequencies = p.input(p.b.getF32Type(), {Dim{pairs}}, 0.0, 1.0).value;
  } else {
    rule = makeRule(p, 2 * pairs);
    if (rule.isOfRunTime())
      length = p.indexInput(1, 200);
    if (p.random.chance(25))
      sections = makeSections(p, pairs);
  }
  Tensor shaped = sections ? p.input(p.b.getI32Type(), {batch, tokens}, 0, 64)
                           : makePositions(p, batch, tokens);
  Tensor positions = shaped;
  if (sections)
    positions = p.input(p.b.getI64Type(),
                        {Dim{sections.getNumAxes()}, batch, tokens}, 0, 4096);
  SmallVector<int64_t> shape(shaped.getType().getShape());
  shape.push_back(pairs);
  SmallVector<Value> sizes = p.dynamicSizes(shaped.value);
  SmallVector<Value> outs;
  for (int i = 0; i < 2; ++i)
    outs.push_back(tensor::EmptyOp::create(p.b, p.loc, shape, element, sizes));
  double magnitude = p.random.choose({1.0, 0.75});
  Operation *op = RotaryTableOp::create(
      p.b, p.loc, TypeRange(ValueRange(outs)), positions.value, frequencies,
      length, outs, rule, sections,
      p.random.chance(60) ? AngleType::Exact : AngleType::F32,
      APFloat(magnitude));
  SmallVector<int64_t> runtimeSizes(shaped.sizes);
  runtimeSizes.push_back(pairs);
  double error = 2e-6 + ProgramBuilder::roundingOf(element);
  return {{op->getResult(0), runtimeSizes, 1.0, error},
          {op->getResult(1), runtimeSizes, 1.0, error}};
}

/// Rotates part of the last dimension, layouts and directions mixed.
static Tensor makeRotary(ProgramBuilder &p, const Tensor &x) {
  int64_t features = x.sizes[3];
  int64_t pairs = p.random.between(0, features / 2);
  if (p.random.chance(50))
    pairs = features / 2;
  int64_t first = p.random.between(0, features - 2 * pairs);
  SmallVector<Dim> dims = p.dimsOf(x);
  auto [cos, sin] =
      makeTables(p, p.random.chance(40) ? Dim{1} : dims[0], dims[2], pairs);
  auto layout = [&] {
    return p.random.chance(50) ? RotaryLayout::Interleaved
                               : RotaryLayout::SplitHalf;
  };
  RotaryLayoutAttr layoutOut;
  RotaryLayout layoutIn = layout();
  if (p.random.chance(30))
    layoutOut = RotaryLayoutAttr::get(p.b.getContext(), layout());
  bool inverse = p.random.chance(30);
  Tensor out = p.emptyLike(x);
  Value value = RotaryOp::create(p.b, p.loc, TypeRange(out.getType()), x.value,
                                 cos.value, sin.value, ValueRange(out.value),
                                 layoutIn, layoutOut, first, inverse)
                    ->getResult(0);
  Tensor result{value, x.sizes, 2.0 * x.bound};
  result.error =
      2.0 * (x.error + x.bound * cos.error) +
      4.0 * result.bound * ProgramBuilder::roundingOf(x.getElementType());
  return result;
}

/// Adds rows of a table to every head.
static Tensor makeLearned(ProgramBuilder &p, const Tensor &x) {
  SmallVector<Dim> dims = p.dimsOf(x);
  int64_t rows = p.random.between(1, 19);
  OutOfRange outOfRange =
      p.random.chance(70) ? OutOfRange::Trap : OutOfRange::Clamp;
  int64_t beyond = outOfRange == OutOfRange::Clamp ? 5 : 0;
  Tensor table = p.input(x.getElementType(), {p.dim(rows), dims[3]});
  Type integer = p.random.choose<Type>({p.b.getI64Type(), p.b.getI32Type()});
  Tensor positions =
      p.input(integer, {dims[0], dims[2]}, -beyond, rows + beyond);
  Tensor out = p.empty(x.getElementType(),
                       {{&positions, 0}, {&positions, 1}, {&table, 1}});
  Value embedding = LearnedPositionOp::create(
                        p.b, p.loc, TypeRange(out.getType()), table.value,
                        positions.value, ValueRange(out.value), outOfRange)
                        ->getResult(0);
  p.result(embedding, 0.0);
  MLIRContext *context = p.b.getContext();
  auto broadcast = AffineMap::getMultiDimMapWithTargets(
      4, ArrayRef<unsigned>{0, 2, 3}, context);
  AffineMap identity = p.b.getMultiDimIdentityMap(4);
  Value sum = p.generic(
      {x.value, embedding}, p.emptyLike(x).value,
      [](OpBuilder &b, Location loc, ValueRange args) -> Value {
        return arith::AddFOp::create(b, loc, args[0], args[1]);
      },
      {identity, broadcast, identity},
      SmallVector<utils::IteratorType>(4, utils::IteratorType::parallel));
  Tensor result{sum, x.sizes, x.bound + 1.0, x.error};
  result.error += result.bound * ProgramBuilder::roundingOf(x.getElementType());
  return result;
}

/// A sinusoidal encoding as a result; the tensor stays as it is.
static Tensor makeSinusoidal(ProgramBuilder &p, const Tensor &x) {
  SmallVector<Dim> dims = p.dimsOf(x);
  Type number = p.random.choose<Type>(
      {p.b.getI64Type(), p.b.getI32Type(), p.b.getF32Type(), p.b.getF64Type()});
  Tensor positions = p.input(number, {dims[0], dims[2]}, 0,
                             p.random.choose({64.0, 4096.0, 16777216.0}));
  Dim width = {p.random.between(0, 40)};
  Tensor shape = p.input(p.randomFloat(), {dims[0], dims[2], width});
  Tensor out = p.emptyLike(shape);
  bool cosineFirst = p.random.chance(30);
  Value value =
      SinusoidalOp::create(p.b, p.loc, TypeRange(out.getType()),
                           positions.value, ValueRange(out.value),
                           p.random.choose({SinusoidLayout::Interleaved,
                                            SinusoidLayout::Concatenated}),
                           p.random.choose({SinusoidDenominator::Full,
                                            SinusoidDenominator::MinusTwo}),
                           cosineFirst,
                           p.random.choose({AngleType::Exact, AngleType::F32}),
                           APFloat(p.random.choose({10000.0, 100.0})),
                           APFloat(p.random.choose({1.0, 0.5})))
          ->getResult(0);
  p.result(value, 2e-6 + ProgramBuilder::roundingOf(out.getElementType()));
  return x;
}

/// Returns the positions, and leaves the tensor as it is.
static Tensor makePositionsResult(ProgramBuilder &p, const Tensor &x) {
  SmallVector<Dim> dims = p.dimsOf(x);
  p.result(makePositions(p, dims[0], dims[2]).value, 0.0);
  return x;
}

static constexpr StepMaker steps[] = {
    {"step.rotary", makeRotary, 2},
    {"step.learned_position", makeLearned},
    {"step.positions", makePositionsResult},
    {"step.sinusoidal", makeSinusoidal},
};

ArrayRef<StepMaker> attn::getEncodingSteps() { return steps; }
