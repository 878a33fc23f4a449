//===- ShapeSteps.cpp - Steps that move elements ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

using namespace mlir;
using namespace mlir::attn;

/// Swaps two dimensions, which then mean something else.
static Tensor makeTranspose(ProgramBuilder &p, const Tensor &x) {
  SmallVector<int64_t> permutation = {0, 1, 2, 3};
  // Not the batch: the attention of many small ones takes long.
  int64_t first = p.random.between(1, 2);
  std::swap(permutation[first], permutation[p.random.between(first + 1, 3)]);
  SmallVector<std::pair<const Tensor *, int64_t>> dims;
  for (int64_t from : permutation)
    dims.push_back({&x, from});
  Tensor out = p.empty(x.getElementType(), dims);
  Tensor result = x;
  result.sizes = out.sizes;
  result.value =
      linalg::TransposeOp::create(p.b, p.loc, x.value, out.value, permutation)
          ->getResult(0);
  return result;
}

/// Whether slices have a valid offset in each dimension: upstream has none in a
/// dimension of size 0.
static bool hasElements(const Tensor &x) {
  return !llvm::is_contained(x.sizes, 0);
}

/// Part of a dimension, every element of it or every other one.
static Tensor makeSlice(ProgramBuilder &p, const Tensor &x) {
  int64_t d = p.random.between(1, 3), size = x.sizes[d];
  int64_t stride = p.random.between(1, 2);
  int64_t taken = p.random.between(0, (size + stride - 1) / stride);
  if (!hasElements(x) || (taken == 0 && !p.options.zeroSizes))
    return {};
  int64_t span = taken == 0 ? 0 : (taken - 1) * stride + 1;
  // An empty slice starts within the dimension as well.
  int64_t offset = p.random.between(0, std::min(size - span, size - 1));
  SmallVector<OpFoldResult> offsets(4, p.b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(4, p.b.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(p.b, p.loc, x.value);
  offsets[d] = p.b.getIndexAttr(offset);
  strides[d] = p.b.getIndexAttr(stride);
  sizes[d] = p.b.getIndexAttr(taken);
  if (p.options.dynamicSizes && p.random.chance(40))
    offsets[d] = p.indexInput(offset, offset + 1);
  Tensor result = x;
  result.sizes[d] = taken;
  result.value = tensor::ExtractSliceOp::create(p.b, p.loc, x.value, offsets,
                                                sizes, strides);
  return result;
}

/// The tensor written into a larger one, which is constant elsewhere.
static Tensor makeInsert(ProgramBuilder &p, const Tensor &x) {
  int64_t d = p.random.between(1, 3);
  int64_t offset = p.random.between(0, 3), more = p.random.between(0, 3);
  if (!hasElements(x) || x.sizes[d] + offset + more > p.options.maxSize)
    return {};
  bool isOpen = x.getType().isDynamicDim(d);
  Dim larger{x.sizes[d] + offset + more, isOpen};
  SmallVector<Dim> dims = p.dimsOf(x);
  dims[d] = larger;
  Tensor whole = p.input(x.getElementType(), dims);
  SmallVector<OpFoldResult> offsets(4, p.b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(4, p.b.getIndexAttr(1));
  offsets[d] = p.b.getIndexAttr(offset);
  Tensor result = whole;
  result.value = tensor::InsertSliceOp::create(
      p.b, p.loc, x.value, whole.value, offsets,
      tensor::getMixedSizes(p.b, p.loc, x.value), strides);
  result.bound = std::max(x.bound, 1.0);
  result.error = x.error;
  return result;
}

static Tensor makePad(ProgramBuilder &p, const Tensor &x) {
  int64_t d = p.random.between(1, 3);
  int64_t low = p.random.between(0, 3), high = p.random.between(0, 3);
  if (x.sizes[d] + low + high > p.options.maxSize)
    return {};
  SmallVector<OpFoldResult> lows(4, p.b.getIndexAttr(0)), highs(lows);
  lows[d] = p.b.getIndexAttr(low);
  highs[d] = p.b.getIndexAttr(high);
  Tensor result = x;
  result.sizes[d] += low + high;
  result.value = tensor::PadOp::create(
      p.b, p.loc, /*resultType=*/Type(), x.value, lows, highs,
      p.floating(x.getElementType(), 0.25), /*nofold=*/p.random.chance(20));
  result.bound = std::max(x.bound, 0.25);
  return result;
}

static Tensor makeConcat(ProgramBuilder &p, const Tensor &x) {
  int64_t d = p.random.between(1, 3);
  SmallVector<Dim> dims = p.dimsOf(x);
  dims[d] = p.dim(p.random.between(p.options.zeroSizes ? 0 : 1, 5));
  if (x.sizes[d] + dims[d].size > p.options.maxSize)
    return {};
  Tensor other = p.input(x.getElementType(), dims);
  Tensor result = x;
  result.sizes[d] += dims[d].size;
  result.bound = std::max(x.bound, 1.0);
  result.value =
      tensor::ConcatOp::create(p.b, p.loc, d, ValueRange{x.value, other.value});
  return result;
}

/// Makes static sizes dynamic, or states dynamic ones.
static Tensor makeCastShape(ProgramBuilder &p, const Tensor &x) {
  if (!p.options.dynamicSizes)
    return {};
  SmallVector<int64_t> shape;
  for (int64_t size : x.sizes)
    shape.push_back(p.random.chance(50) ? ShapedType::kDynamic : size);
  Tensor result = x;
  result.value = tensor::CastOp::create(
      p.b, p.loc, RankedTensorType::get(shape, x.getElementType()), x.value);
  return result;
}

static constexpr StepMaker steps[] = {
    {"step.transpose", makeTranspose}, {"step.slice", makeSlice},
    {"step.insert", makeInsert},       {"step.pad", makePad},
    {"step.concat", makeConcat},       {"step.cast_shape", makeCastShape},
};

ArrayRef<StepMaker> attn::getShapeSteps() { return steps; }
