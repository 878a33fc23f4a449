//===- LowerLoss.cpp - The cross entropy to linalg --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The maximum and the sum of exponentials of each row are reductions, which
/// vectorise; a loop over the rows then picks the logits of the targets.
///
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;

namespace {
/// Lowers one attn.cross_entropy.
class CrossEntropyLowering {
public:
  CrossEntropyLowering(CrossEntropyOp op, OpBuilder &b)
      : op(op), b(b), builder(b, op.getLoc()), type(op.getAccumulatorType()),
        wide(b.getF64Type()), logits(op.getLogits()) {}

  /// The result.
  Value emit();

private:
  using Combine = llvm::function_ref<Value(PairBuilder &body, ValueRange args)>;

  /// A reduction of each row, over `inputs` beside the logits, one number a
  /// row.
  Value emitReduction(double first, ValueRange inputs, Combine combine);
  Value emitRowLoss(PairBuilder &body, Value row, Value target, Value maximum,
                    Value sum);

  CrossEntropyOp op;
  OpBuilder &b;
  PairBuilder builder;
  FloatType type;
  /// The losses of the rows are summed in this type, one addition a row.
  FloatType wide;
  Value logits;
};
} // namespace

Value CrossEntropyLowering::emitReduction(double first, ValueRange inputs,
                                          Combine combine) {
  Location loc = op.getLoc();
  OpFoldResult rows = tensor::getMixedSize(b, loc, logits, 0);
  Value init = tensor::EmptyOp::create(b, loc, rows, type);
  init = linalg::FillOp::create(b, loc, builder.floating(type, first), init)
             .getResult(0);
  SmallVector<Value> operands = {logits};
  llvm::append_range(operands, inputs);
  AffineMap all = b.getMultiDimIdentityMap(2), row = all.dropResult(1);
  SmallVector<AffineMap> maps(operands.size() + 1, row);
  maps.front() = all;
  utils::IteratorType iterators[] = {utils::IteratorType::parallel,
                                     utils::IteratorType::reduction};
  return linalg::GenericOp::create(
             b, loc, init.getType(), operands, init, maps, iterators,
             [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
               PairBuilder body(nested, nestedLoc);
               SmallVector<Value> numbers(args);
               numbers.front() = body.castFloat(args.front(), type);
               linalg::YieldOp::create(nested, nestedLoc,
                                       combine(body, numbers));
             })
      .getResult(0);
}

/// The loss of a row, in the wide type. No logit is read for a target that is
/// no class.
Value CrossEntropyLowering::emitRowLoss(PairBuilder &body, Value row,
                                        Value target, Value maximum,
                                        Value sum) {
  int64_t classes = cast<ShapedType>(logits.getType()).getDimSize(1);
  std::string message = "expects 'targets' within the classes";
  if (!ShapedType::isDynamic(classes))
    message =
        "expects 'targets' within the " + std::to_string(classes) + " classes";
  // A negative target is a great unsigned number.
  Value isClass =
      body.compare(arith::CmpIPredicate::ult, target, body.dim(logits, 1));
  emitAssert(body, op, isClass, message);
  auto branch = scf::IfOp::create(
      body.getBuilder(), body.getLoc(), isClass,
      [&](OpBuilder &nested, Location loc) {
        PairBuilder inside(nested, loc);
        Value logit =
            inside.castFloat(inside.load(logits, {row, target}), type);
        Value distance = arith::SubFOp::create(nested, loc, logit, maximum);
        Value loss = arith::SubFOp::create(
            nested, loc, math::LogOp::create(nested, loc, sum), distance);
        scf::YieldOp::create(nested, loc, inside.castFloat(loss, wide));
      },
      [&](OpBuilder &nested, Location loc) {
        scf::YieldOp::create(nested, loc,
                             PairBuilder(nested, loc).floating(wide, 0));
      });
  return branch.getResult(0);
}

Value CrossEntropyLowering::emit() {
  Location loc = op.getLoc();
  emitSameDimAssert(builder, op, "size", {"targets", op.getTargets(), 0},
                    {"logits", logits, 0});
  double lowest = -std::numeric_limits<double>::infinity();
  Value maxima = emitReduction(
      lowest, {}, [&](PairBuilder &body, ValueRange args) -> Value {
        return arith::MaximumFOp::create(body.getBuilder(), body.getLoc(),
                                         args[1], args[0]);
      });
  Value sums = emitReduction(
      0, maxima, [&](PairBuilder &body, ValueRange args) -> Value {
        Value shifted = arith::SubFOp::create(body.getBuilder(), body.getLoc(),
                                              args[0], args[1]);
        return body.addFloat(
            args[2],
            math::ExpOp::create(body.getBuilder(), body.getLoc(), shifted));
      });

  Value ignored = builder.index(op.getIgnoreIndex());
  SmallVector<Value> none = {builder.floating(wide, 0), builder.index(0)};
  auto loop = scf::ForOp::create(
      b, loc, builder.index(0), builder.dim(logits, 0), builder.index(1), none,
      [&](OpBuilder &nested, Location nestedLoc, Value row, ValueRange state) {
        PairBuilder body(nested, nestedLoc);
        Value target = body.toIndex(body.load(op.getTargets(), row));
        Value counts = body.compare(arith::CmpIPredicate::ne, target, ignored);
        auto branch = scf::IfOp::create(
            nested, nestedLoc, counts,
            [&](OpBuilder &then, Location thenLoc) {
              PairBuilder kept(then, thenLoc);
              Value loss =
                  emitRowLoss(kept, row, target, kept.load(maxima, row),
                              kept.load(sums, row));
              scf::YieldOp::create(
                  then, thenLoc,
                  ValueRange{kept.addFloat(state[0], loss),
                             kept.add(state[1], kept.index(1))});
            },
            [&](OpBuilder &otherwise, Location otherLoc) {
              scf::YieldOp::create(otherwise, otherLoc, state);
            });
        scf::YieldOp::create(nested, nestedLoc, branch.getResults());
      });

  // 0 / 0 is NaN.
  Value count = builder.toFloat(loop.getResult(1), wide);
  Value mean = arith::DivFOp::create(b, loc, loop.getResult(0), count);
  if (op.getAllIgnored() == AllIgnored::Zero)
    mean = builder.select(builder.compare(arith::CmpIPredicate::eq,
                                          loop.getResult(1), builder.index(0)),
                          builder.floating(wide, 0), mean);
  return tensor::InsertOp::create(b, loc, builder.castFloat(mean, type),
                                  op.getInits()[0], ValueRange());
}

namespace {
struct LowerCrossEntropy : OpRewritePattern<CrossEntropyOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CrossEntropyOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "not on tensors");
    rewriter.replaceOp(op, CrossEntropyLowering(op, rewriter).emit());
    return success();
  }
};
} // namespace

void attn::populateLowerLossPatterns(RewritePatternSet &patterns) {
  patterns.add<LowerCrossEntropy>(patterns.getContext());
}
