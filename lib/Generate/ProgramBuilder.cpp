//===- ProgramBuilder.cpp - What random programs are built with -*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

static std::string formatRange(StringRef name, double low, double high) {
  std::string text;
  llvm::raw_string_ostream(text)
      << name << "=" << llvm::format("%.17g:%.17g", low, high);
  return text;
}

ProgramBuilder::ProgramBuilder(ModuleOp module, const GeneratorOptions &options)
    : b(module.getContext()), loc(b.getUnknownLoc()), random(options.seed),
      options(options), module(module) {
  b.setInsertionPointToEnd(module.getBody());
  function = func::FuncOp::create(b, loc, "main", b.getFunctionType({}, {}));
  b.setInsertionPointToStart(function.addEntryBlock());
  dynamicPercent =
      options.dynamicSizes ? random.choose({0u, 0u, 15u, 50u, 100u}) : 0;
}

Tensor ProgramBuilder::input(Type element, ArrayRef<Dim> dims, double low,
                             double high) {
  SmallVector<int64_t> shape, sizes;
  for (const Dim &dim : dims) {
    sizes.push_back(dim.size);
    shape.push_back(dim.dynamic ? ShapedType::kDynamic : dim.size);
  }
  std::string name =
      llvm::formatv("in{0}", function.getBody().getNumArguments());
  auto type = RankedTensorType::get(shape, element);
  Value value = function.getBody().front().addArgument(type, loc);
  if (!type.hasStaticShape()) {
    auto digits =
        llvm::map_range(sizes, [](int64_t n) { return std::to_string(n); });
    shapes.push_back(name + "=" + llvm::join(digits, "x"));
  }
  // Bools are any, whatever is said.
  if (!element.isInteger(1))
    ranges.push_back(formatRange(name, low, high));
  return {value, sizes, std::max(std::abs(low), std::abs(high)), 0.0};
}

Value ProgramBuilder::indexInput(int64_t low, int64_t high) {
  if (random.chance(40))
    return index(random.between(low, high - 1));
  Type type = random.choose<Type>({b.getI64Type(), b.getI32Type()});
  std::string name =
      llvm::formatv("in{0}", function.getBody().getNumArguments());
  Value value = function.getBody().front().addArgument(type, loc);
  ranges.push_back(formatRange(name, low, high));
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), value);
}

Tensor ProgramBuilder::perBatch(const Dim &batch, int64_t low, int64_t high) {
  Type type = random.choose<Type>({b.getI64Type(), b.getI32Type()});
  Dim size = random.chance(30) ? Dim{1} : batch;
  return input(type, {size}, low, high);
}

Dim ProgramBuilder::dim() {
  if (options.zeroSizes && random.chance(2))
    return dim(0);
  if (random.chance(15))
    return dim(1);
  int64_t size = random.chance(50)
                     ? random.between(1, 9)
                     : random.choose<int64_t>(
                           {8, 16, 17, 20, 31, 33, 40, 64, 65, 96, 130});
  return dim(std::min(size, options.maxSize));
}

Dim ProgramBuilder::dim(int64_t size) {
  return {size, random.chance(dynamicPercent)};
}

SmallVector<Dim> ProgramBuilder::dimsOf(const Tensor &tensor) {
  SmallVector<Dim> dims;
  for (auto [d, size] : llvm::enumerate(tensor.sizes))
    dims.push_back({size, tensor.getType().isDynamicDim(d)});
  return dims;
}

Value ProgramBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value ProgramBuilder::floating(Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

Value ProgramBuilder::sizeOf(Value tensor, int64_t dimension) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dimension))
    return index(type.getDimSize(dimension));
  return tensor::DimOp::create(b, loc, tensor, dimension);
}

SmallVector<Value> ProgramBuilder::dynamicSizes(Value like) {
  SmallVector<Value> sizes;
  auto type = cast<RankedTensorType>(like.getType());
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      sizes.push_back(tensor::DimOp::create(b, loc, like, d));
  return sizes;
}

Tensor ProgramBuilder::emptyLike(const Tensor &like, Type element) {
  RankedTensorType type = like.getType();
  Value value = tensor::EmptyOp::create(
      b, loc, type.getShape(), element ? element : type.getElementType(),
      dynamicSizes(like.value));
  return {value, like.sizes};
}

Tensor
ProgramBuilder::empty(Type element,
                      ArrayRef<std::pair<const Tensor *, int64_t>> dims) {
  SmallVector<int64_t> shape, sizes;
  SmallVector<Value> dynamic;
  for (auto [tensor, d] : dims) {
    shape.push_back(tensor->getType().getDimSize(d));
    sizes.push_back(tensor->sizes[d]);
    if (ShapedType::isDynamic(shape.back()))
      dynamic.push_back(tensor::DimOp::create(b, loc, tensor->value, d));
  }
  return {tensor::EmptyOp::create(b, loc, shape, element, dynamic), sizes};
}

Tensor ProgramBuilder::filled(const Tensor &destination, double value) {
  Value number = floating(destination.getElementType(), value);
  Tensor result = destination;
  result.value =
      linalg::FillOp::create(b, loc, number, destination.value).getResult(0);
  result.bound = std::abs(value);
  return result;
}

Value ProgramBuilder::generic(ValueRange inputs, Value destination,
                              ElementBody body, ArrayRef<AffineMap> maps,
                              ArrayRef<utils::IteratorType> iterators) {
  int64_t rank = cast<ShapedType>(destination.getType()).getRank();
  SmallVector<AffineMap> identities(inputs.size() + 1,
                                    b.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, destination.getType(), inputs, destination,
             maps.empty() ? ArrayRef<AffineMap>(identities) : maps,
             iterators.empty() ? ArrayRef<utils::IteratorType>(parallel)
                               : iterators,
             [&](OpBuilder &nested, Location l, ValueRange args) {
               linalg::YieldOp::create(nested, l, body(nested, l, args));
             })
      .getResult(0);
}

Value ProgramBuilder::map(const Tensor &x, ElementBody body) {
  return generic(x.value, emptyLike(x).value, body);
}

double ProgramBuilder::roundingOf(Type type) {
  if (type.isF64())
    return 0x1p-53;
  if (type.isF32())
    return 0x1p-24;
  return type.isF16() ? 0x1p-11 : 0x1p-8;
}

FloatType ProgramBuilder::accumulatorOf(Type type) {
  return type.isF64() ? FloatType(b.getF64Type()) : FloatType(b.getF32Type());
}

FloatType ProgramBuilder::randomFloat() {
  FloatType types[] = {b.getF32Type(), b.getF64Type(), b.getBF16Type(),
                       b.getF16Type()};
  for (FloatType type : types) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    if (name == options.element)
      return type;
  }
  return types[random.chance(30) ? 0 : random.below(4)];
}

bool ProgramBuilder::isWanted(StringRef name) const {
  return options.only.empty() || llvm::is_contained(options.only, name.str());
}

void ProgramBuilder::result(Value value, double tolerance) {
  results.push_back(value);
  tolerances.push_back(tolerance);
}

void ProgramBuilder::finish(GeneratedProgram &program) {
  func::ReturnOp::create(b, loc, results);
  function.setFunctionType(b.getFunctionType(
      function.getBody().getArgumentTypes(), TypeRange(ValueRange(results))));
  program.shapes = std::move(shapes);
  program.ranges = std::move(ranges);
  program.tolerances = std::move(tolerances);
}
