//===- ProgramBuilder.h - What random programs are built with ---*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arguments with their ranges, static and dynamic sizes, and bounds of
/// values and of their rounding errors. Bounds are those of the worst case,
/// except that errors of long sums grow with the root of their length.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_GENERATE_PROGRAMBUILDER_H
#define ATTN_LIB_GENERATE_PROGRAMBUILDER_H

#include "Random.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Generate/Generator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace mlir::attn {

/// A tensor of floats or integers and what is known of it.
struct Tensor {
  Value value;
  /// What sizes will be at run time, also where they are dynamic.
  SmallVector<int64_t> sizes;
  /// No finite element is larger than `bound`, or further than `error` from
  /// what exact arithmetic gives.
  double bound = 1.0;
  double error = 0.0;

  RankedTensorType getType() const {
    return cast<RankedTensorType>(value.getType());
  }
  Type getElementType() const { return getType().getElementType(); }
};

/// A size of a type, which may be dynamic.
struct Dim {
  int64_t size;
  bool dynamic = false;
};

/// The sizes of an attention.
struct Problem {
  Dim batch, queryHeads, keyHeads, queries, keys, queryDim, valueDim;
  /// Of query, key and value.
  FloatType element;
  /// Any tensor with a dimension for each key (dimension `keysDim`).
  Value keysOf;
  int64_t keysDim = 2;
};

class ProgramBuilder {
public:
  using ElementBody =
      llvm::function_ref<Value(OpBuilder &, Location, ValueRange)>;

  ProgramBuilder(ModuleOp module, const GeneratorOptions &options);

  /// A new argument with numbers in `[low, high)`.
  Tensor input(Type element, ArrayRef<Dim> dims, double low = -1.0,
               double high = 1.0);
  /// An `index` from an argument, in `[low, high)`, or a constant.
  Value indexInput(int64_t low, int64_t high);
  /// Integers of some type, `[size]` or `[1]`.
  Tensor perBatch(const Dim &batch, int64_t low, int64_t high);

  /// A dimension of a size up to the limit; rarely zero, often one.
  Dim dim();
  /// A dimension of this size, dynamic or not.
  Dim dim(int64_t size);
  /// The dimensions of a tensor; a dynamic one stays dynamic.
  SmallVector<Dim> dimsOf(const Tensor &tensor);

  Value index(int64_t value);
  Value floating(Type type, double value);
  Value sizeOf(Value tensor, int64_t dimension);
  /// The sizes that the dynamic dimensions of `like` have at run time.
  SmallVector<Value> dynamicSizes(Value like);

  /// A destination of the type of `like`, or of another element type.
  Tensor emptyLike(const Tensor &like, Type element = {});
  /// A destination, each dimension taken from a tensor.
  Tensor empty(Type element, ArrayRef<std::pair<const Tensor *, int64_t>> dims);
  Tensor filled(const Tensor &destination, double value);

  /// A linalg.generic. Without maps, all are identities.
  Value generic(ValueRange inputs, Value destination, ElementBody body,
                ArrayRef<AffineMap> maps = {},
                ArrayRef<utils::IteratorType> iterators = {});
  /// A generic over the elements of `x`, in the type of its elements.
  Value map(const Tensor &x, ElementBody body);

  /// Rounding of one operation in `type`, relative to its result.
  static double roundingOf(Type type);
  /// The type that sums of `type` are held in.
  FloatType accumulatorOf(Type type);
  FloatType randomFloat();

  /// Whether the maker called `name` may be used, if others of its kind may.
  bool isWanted(StringRef name) const;
  /// One of `makers`, of those that are wanted.
  template <typename Maker> const Maker &chooseMaker(ArrayRef<Maker> makers) {
    SmallVector<const Maker *> wanted;
    for (const Maker &maker : makers)
      if (isWanted(maker.name))
        wanted.push_back(&maker);
    if (wanted.empty())
      return random.choose(makers);
    return *wanted[random.below(wanted.size())];
  }

  /// Returns a value from `main`.
  void result(Value value, double tolerance);
  /// Ends `main`.
  void finish(GeneratedProgram &program);

  OpBuilder b;
  Location loc;
  Random random;
  const GeneratorOptions &options;
  ModuleOp module;

private:
  func::FuncOp function;
  /// Per program, so that all sizes are dynamic in some, and none in others.
  unsigned dynamicPercent;
  std::vector<std::string> shapes, ranges;
  SmallVector<Value> results;
  std::vector<double> tolerances;
};

/// The tables that the ops of a program are drawn from. A new op is one
/// function and one line of a table.
struct MaskMaker {
  StringLiteral name;
  Value (*make)(ProgramBuilder &p, const Problem &problem);
};
struct Bias {
  Value value;
  double bound = 0.0, error = 0.0;
};
struct BiasMaker {
  StringLiteral name;
  Bias (*make)(ProgramBuilder &p, const Problem &problem);
};
/// A step takes a tensor of rank 4 and gives another, or null where it does not
/// go with this one.
struct StepMaker {
  StringLiteral name;
  Tensor (*make)(ProgramBuilder &p, const Tensor &x);
  /// How often it is drawn, compared with the others.
  unsigned weight = 1;
};

ArrayRef<MaskMaker> getMaskMakers();
ArrayRef<BiasMaker> getBiasMakers();
ArrayRef<StepMaker> getAttentionSteps();
ArrayRef<StepMaker> getDecodingSteps();
ArrayRef<StepMaker> getEncodingSteps();
ArrayRef<StepMaker> getGraphSteps();
ArrayRef<StepMaker> getShapeSteps();

/// A mask, or null for none.
Value makeMask(ProgramBuilder &p, const Problem &problem);
/// A bias; its value is null for none.
Bias makeBias(ProgramBuilder &p, const Problem &problem);
/// A cosine and a sine table `[B|1, T, pairs]`, with one bound for both.
std::pair<Tensor, Tensor> makeTables(ProgramBuilder &p, const Dim &batch,
                                     const Dim &tokens, int64_t pairs);

/// The bound of the error of a sum of `count` products.
inline double sumGrowth(int64_t count) {
  return 4.0 + 2.0 * std::sqrt(static_cast<double>(count));
}

} // namespace mlir::attn

#endif // ATTN_LIB_GENERATE_PROGRAMBUILDER_H
