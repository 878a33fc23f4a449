//===- GraphSteps.cpp - Arithmetic around attention -------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

static Tensor withRounding(const Tensor &x, Value value, double bound,
                           double error, double operations = 2.0) {
  double rounding = ProgramBuilder::roundingOf(
      cast<ShapedType>(value.getType()).getElementType());
  return {value, x.sizes, bound, error + operations * bound * rounding};
}

/// A function of one element that is 1-Lipschitz.
static Tensor makeUnary(ProgramBuilder &p, const Tensor &x) {
  unsigned kind = p.random.below(6);
  Value value =
      p.map(x, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value a = args[0];
        auto constant = [&](double number) -> Value {
          return arith::ConstantOp::create(b, loc,
                                           b.getFloatAttr(a.getType(), number));
        };
        switch (kind) {
        case 0:
          return arith::NegFOp::create(b, loc, a);
        case 1:
          return math::AbsFOp::create(b, loc, a);
        case 2:
          return math::TanhOp::create(b, loc, a);
        case 3:
          return arith::MaximumFOp::create(b, loc, a, constant(0.0));
        case 4: {
          // 1 / (1 + e^-a)
          Value e =
              math::ExpOp::create(b, loc, arith::NegFOp::create(b, loc, a));
          Value sum = arith::AddFOp::create(b, loc, e, constant(1.0));
          return arith::DivFOp::create(b, loc, constant(1.0), sum);
        }
        default: {
          Value square = arith::MulFOp::create(b, loc, a, a);
          Value sum = arith::AddFOp::create(b, loc, square, constant(1.0));
          return math::SqrtOp::create(b, loc, sum);
        }
        }
      });
  return withRounding(x, value, x.bound + 1.0, x.error, 16.0);
}

/// An op on whole tensors, without a region.
static Tensor makeTensorArith(ProgramBuilder &p, const Tensor &x) {
  Tensor other = p.input(x.getElementType(), p.dimsOf(x));
  // Both operands need one type.
  if (other.getType() != x.getType())
    return {};
  Value value;
  double bound = x.bound + 1.0;
  switch (p.random.below(4)) {
  case 0:
    value = arith::AddFOp::create(p.b, p.loc, x.value, other.value);
    break;
  case 1:
    value = arith::SubFOp::create(p.b, p.loc, other.value, x.value);
    break;
  case 2:
    value = arith::MulFOp::create(p.b, p.loc, x.value, other.value);
    break;
  default:
    value = arith::MinimumFOp::create(p.b, p.loc, x.value, other.value);
    break;
  }
  return withRounding(x, value, bound, x.error);
}

/// Parity of an index, or data, decides between the tensor and a constant.
static Tensor makeSelect(ProgramBuilder &p, const Tensor &x) {
  int64_t dimension = p.random.between(0, 3);
  auto select = [&](OpBuilder &b, Location loc, Value condition,
                    Value a) -> Value {
    Value half =
        arith::ConstantOp::create(b, loc, b.getFloatAttr(a.getType(), 0.5));
    return arith::SelectOp::create(b, loc, condition, a, half);
  };
  Value value;
  if (p.random.chance(50)) {
    value = p.map(x, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
      Value at = linalg::IndexOp::create(b, loc, dimension);
      Value two = arith::ConstantIndexOp::create(b, loc, 2);
      Value rest = arith::RemUIOp::create(b, loc, at, two);
      Value zero = arith::ConstantIndexOp::create(b, loc, 0);
      return select(
          b, loc,
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest, zero),
          args[0]);
    });
  } else {
    Tensor condition = p.input(p.b.getI1Type(), p.dimsOf(x));
    value =
        p.generic({condition.value, x.value}, p.emptyLike(x).value,
                  [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                    return select(b, loc, args[0], args[1]);
                  });
  }
  return withRounding(x, value, x.bound + 0.5, x.error);
}

static Tensor makeCast(ProgramBuilder &p, const Tensor &x) {
  FloatType from = cast<FloatType>(x.getElementType());
  FloatType to = p.randomFloat();
  if (from.getWidth() == to.getWidth())
    return {};
  Value value =
      p.generic(x.value, p.emptyLike(x, to).value,
                [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                  if (from.getWidth() < to.getWidth())
                    return arith::ExtFOp::create(b, loc, to, args[0]);
                  return arith::TruncFOp::create(b, loc, to, args[0]);
                });
  return withRounding(x, value, x.bound, x.error);
}

/// The product of the last dimension and a weight, as linalg.matmul on two
/// dimensions. The weight is small, so that the bound stays.
static Tensor makeProject(ProgramBuilder &p, const Tensor &x) {
  Type element = x.getElementType();
  if (!element.isF32() && !element.isF64())
    return {};
  int64_t features = x.sizes[3];
  double largest = 1.0 / std::max<int64_t>(features, 1);
  Dim outputs = p.dim();
  Tensor weight =
      p.input(element, {p.dimsOf(x)[3], outputs}, -largest, largest);
  SmallVector<ReassociationIndices> groups = {{0, 1, 2}, {3}};
  Value rows = tensor::CollapseShapeOp::create(p.b, p.loc, x.value, groups);
  int64_t numRows = x.sizes[0] * x.sizes[1] * x.sizes[2];
  Tensor flat{rows, {numRows, features}};
  Tensor out = p.filled(p.empty(element, {{&flat, 0}, {&weight, 1}}), 0.0);
  Value product = linalg::MatmulOp::create(p.b, p.loc, TypeRange(out.getType()),
                                           ValueRange{rows, weight.value},
                                           ValueRange(out.value))
                      ->getResult(0);
  Tensor shape = p.empty(element, {{&x, 0}, {&x, 1}, {&x, 2}, {&weight, 1}});
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(p.b, p.loc, shape.value);
  Value value = tensor::ExpandShapeOp::create(p.b, p.loc, shape.getType(),
                                              product, groups, sizes);
  Tensor result{value, shape.sizes, x.bound};
  result.error = x.error + x.bound * sumGrowth(features) *
                               ProgramBuilder::roundingOf(element);
  return result;
}

/// The mean square of the last dimension, and the tensor divided by its root.
static Tensor makeNorm(ProgramBuilder &p, const Tensor &x) {
  FloatType element = cast<FloatType>(x.getElementType());
  if (!element.isF32() && !element.isF64())
    return {};
  Tensor sums = p.empty(element, {{&x, 0}, {&x, 1}, {&x, 2}});
  AffineMap identity = p.b.getMultiDimIdentityMap(4);
  auto rows = AffineMap::getMultiDimMapWithTargets(
      4, ArrayRef<unsigned>{0, 1, 2}, p.b.getContext());
  SmallVector<utils::IteratorType> reduction(4, utils::IteratorType::parallel);
  reduction.back() = utils::IteratorType::reduction;
  Value squares = p.generic(
      x.value, p.filled(sums, 0.0).value,
      [](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value square = arith::MulFOp::create(b, loc, args[0], args[0]);
        return arith::AddFOp::create(b, loc, args[1], square);
      },
      {identity, rows}, reduction);
  // At least 1, so that errors do not grow.
  Value value = p.generic(
      {x.value, squares}, p.emptyLike(x).value,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value one =
            arith::ConstantOp::create(b, loc, b.getFloatAttr(element, 1.0));
        Value sum = arith::AddFOp::create(b, loc, args[1], one);
        Value factor = math::RsqrtOp::create(b, loc, sum);
        return arith::MulFOp::create(b, loc, args[0], factor);
      },
      {identity, rows, identity},
      SmallVector<utils::IteratorType>(4, utils::IteratorType::parallel));
  double count = std::max<int64_t>(x.sizes[3], 1);
  return withRounding(x, value, 1.0, x.error * (1.0 + std::sqrt(count)),
                      8.0 + sumGrowth(x.sizes[3]));
}

/// The same in a loop, or in one branch of a condition.
static Tensor makeLoop(ProgramBuilder &p, const Tensor &x) {
  int64_t turns = p.random.between(0, 3);
  auto loop = scf::ForOp::create(
      p.b, p.loc, p.index(0), p.index(turns), p.index(1), ValueRange(x.value),
      [&](OpBuilder &, Location, Value, ValueRange carried) {
        OpBuilder::InsertionGuard guard(p.b);
        p.b.setInsertionPointToEnd(carried[0].getParentBlock());
        Tensor inner = x;
        inner.value = carried[0];
        Value next = makeUnary(p, inner).value;
        scf::YieldOp::create(p.b, p.loc, next);
      });
  return withRounding(x, loop.getResult(0), x.bound + turns, x.error,
                      16.0 * (turns + 1));
}

static Tensor makeCondition(ProgramBuilder &p, const Tensor &x) {
  Value size = p.sizeOf(x.value, 2);
  Value condition =
      arith::CmpIOp::create(p.b, p.loc, arith::CmpIPredicate::ugt, size,
                            p.index(p.random.between(0, 20)));
  auto op = scf::IfOp::create(p.b, p.loc, TypeRange(x.getType()), condition,
                              /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(p.b);
    p.b.setInsertionPointToStart(op.thenBlock());
    Value changed = makeUnary(p, x).value;
    scf::YieldOp::create(p.b, p.loc, changed);
    p.b.setInsertionPointToStart(op.elseBlock());
    scf::YieldOp::create(p.b, p.loc, x.value);
  }
  return withRounding(x, op.getResult(0), x.bound + 1.0, x.error, 16.0);
}

/// A call of a function of its own.
static Tensor makeCall(ProgramBuilder &p, const Tensor &x) {
  func::FuncOp callee;
  Tensor result;
  {
    OpBuilder::InsertionGuard guard(p.b);
    p.b.setInsertionPointToEnd(p.module.getBody());
    std::string name =
        "part_" + std::to_string(p.module.getBody()->getOperations().size());
    callee = func::FuncOp::create(
        p.b, p.loc, name, p.b.getFunctionType(x.getType(), x.getType()));
    callee.setPrivate();
    p.b.setInsertionPointToStart(callee.addEntryBlock());
    Tensor inner = x;
    inner.value = callee.getArgument(0);
    result = makeUnary(p, inner);
    func::ReturnOp::create(p.b, p.loc, result.value);
  }
  result.value = func::CallOp::create(p.b, p.loc, callee, ValueRange(x.value))
                     .getResult(0);
  return result;
}

static constexpr StepMaker steps[] = {
    {"step.unary", makeUnary, 2},     {"step.tensor_arith", makeTensorArith},
    {"step.select", makeSelect},      {"step.cast", makeCast},
    {"step.project", makeProject, 2}, {"step.norm", makeNorm},
    {"step.loop", makeLoop},          {"step.condition", makeCondition},
    {"step.call", makeCall},
};

ArrayRef<StepMaker> attn::getGraphSteps() { return steps; }
