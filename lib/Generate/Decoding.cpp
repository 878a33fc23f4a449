//===- Decoding.cpp - Random caches, merges and losses ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// Appends the tensor to a cache, which may be used afterwards as well.
static Tensor makeCacheAppend(ProgramBuilder &p, const Tensor &x) {
  SmallVector<Dim> dims = p.dimsOf(x);
  int64_t rows = x.sizes[2], more = p.random.between(0, 9);
  bool isRing = p.random.chance(40);
  // Without capacity there is no row for the modulus.
  int64_t capacity = std::max<int64_t>(rows + more, 1);
  dims[2] = p.dim(capacity);
  Tensor cache = p.input(x.getElementType(), dims);
  int64_t high = isRing ? 3 * capacity : capacity - rows + 1;
  Value start = p.random.chance(50) ? p.indexInput(0, high)
                                    : p.perBatch(p.dimsOf(x)[0], 0, high).value;
  Value value =
      CacheAppendOp::create(p.b, p.loc, TypeRange(cache.getType()), x.value,
                            start, isRing, ValueRange(cache.value))
          ->getResult(0);
  if (p.random.chance(30))
    p.result(cache.value, 0.0);
  return {value, cache.sizes, std::max(x.bound, cache.bound), x.error};
}

/// Attention over parts of the keys, merged. Some parts keep nothing.
static Tensor makeMerge(ProgramBuilder &p, const Tensor &x) {
  SmallVector<Dim> dims = p.dimsOf(x);
  FloatType element = cast<FloatType>(x.getElementType());
  FloatType wide = p.accumulatorOf(element);
  LseBase base = p.random.choose({LseBase::Natural, LseBase::Two});
  EmptyRow emptyRow = p.random.choose({EmptyRow::Zero, EmptyRow::Nan});
  auto emptyOutput = [&] {
    return p.empty(element, {{&x, 0}, {&x, 1}, {&x, 2}, {&x, 3}}).value;
  };
  auto emptyLse = [&] {
    return p.empty(wide, {{&x, 0}, {&x, 1}, {&x, 2}}).value;
  };
  SmallVector<Value> partials, lses;
  double narrow = ProgramBuilder::roundingOf(element);
  double rounding = ProgramBuilder::roundingOf(wide);
  double scoreBound = std::sqrt(static_cast<double>(x.sizes[3])) * x.bound;
  double lseError = std::sqrt(static_cast<double>(x.sizes[3])) * x.error +
                    64.0 * (scoreBound + 8.0) * rounding;
  for (int64_t parts = p.random.between(1, 3); parts > 0; --parts) {
    Problem problem;
    problem.batch = dims[0];
    problem.queryHeads = problem.keyHeads = dims[1];
    problem.queries = dims[2];
    problem.keys = p.dim();
    problem.queryDim = problem.valueDim = dims[3];
    problem.element = element;
    Tensor key = p.input(element, {dims[0], dims[1], problem.keys, dims[3]});
    Tensor value = p.input(element, {dims[0], dims[1], problem.keys, dims[3]});
    problem.keysOf = key.value;
    Value mask = makeMask(p, problem);
    auto op = AttentionOp::create(p.b, p.loc, x.value, key.value, value.value,
                                  Value(), mask, {emptyOutput(), emptyLse()},
                                  std::nullopt, std::nullopt, emptyRow);
    op.setLseBase(base);
    partials.push_back(op->getResult(0));
    lses.push_back(op->getResult(1));
  }
  SmallVector<Value> inits = {emptyOutput()};
  if (p.random.chance(50))
    inits.push_back(emptyLse());
  Operation *op = MergeOp::create(p.b, p.loc, TypeRange(ValueRange(inits)),
                                  partials, lses, inits, emptyRow, base);
  if (inits.size() > 1)
    p.result(op->getResult(1), 4.0 * lseError);
  Tensor result{op->getResult(0), x.sizes, 1.0};
  result.error = 2.0 * std::expm1(4.0 * lseError) + 8.0 * narrow;
  return result;
}

/// The loss of the last dimension as logits; the tensor stays as it is.
static Tensor makeCrossEntropy(ProgramBuilder &p, const Tensor &x) {
  int64_t classes = x.sizes[3];
  if (classes == 0)
    return {};
  SmallVector<ReassociationIndices> groups = {{0, 1, 2}, {3}};
  Value logits = tensor::CollapseShapeOp::create(p.b, p.loc, x.value, groups);
  int64_t rows = x.sizes[0] * x.sizes[1] * x.sizes[2];
  Dim dim{rows, cast<RankedTensorType>(logits.getType()).isDynamicDim(0)};
  Type integer = p.random.choose<Type>({p.b.getI64Type(), p.b.getI32Type()});
  Value targets = p.input(integer, {dim}, 0, classes).value;
  FloatType wide = p.accumulatorOf(x.getElementType());
  Value out = tensor::EmptyOp::create(p.b, p.loc, ArrayRef<int64_t>(), wide);
  // Some targets are ignored, or none.
  int64_t ignored = p.random.choose<int64_t>({-100, 0, 1});
  Operation *op = CrossEntropyOp::create(
      p.b, p.loc, TypeRange(out.getType()), logits, targets, ValueRange(out),
      ignored, p.random.choose({AllIgnored::Nan, AllIgnored::Zero}));
  double rounding = ProgramBuilder::roundingOf(wide);
  p.result(op->getResult(0),
           2.0 * x.error + (x.bound + 8.0) * rounding *
                               (16.0 + sumGrowth(rows) + sumGrowth(classes)));
  return x;
}

static constexpr StepMaker steps[] = {
    {"step.cache_append", makeCacheAppend},
    {"step.merge", makeMerge, 2},
    {"step.cross_entropy", makeCrossEntropy},
};

ArrayRef<StepMaker> attn::getDecodingSteps() { return steps; }
