//===- CheckSizes.cpp - Check the sizes that ops expect ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Adds a run-time check of every relation of sizes that an op takes for
/// granted and that does not follow from its types or from checks before it.
/// Compiled code relies on them: without the check, sizes that differ are a
/// read or write out of bounds.
///
//===----------------------------------------------------------------------===//

#include "SizeChecker.h"
#include "attn/Conversion/Passes.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CHECKSIZESPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// True if a map's result grows with the loops, so that its greatest value is
/// that of the last iteration.
static bool isMonotone(AffineExpr expression) {
  if (isa<AffineDimExpr, AffineConstantExpr>(expression))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary || !isMonotone(binary.getLHS()))
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return isMonotone(binary.getRHS());
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return constant && constant.getValue() >= 0 &&
         (binary.getKind() == AffineExprKind::Mul ||
          (binary.getKind() == AffineExprKind::FloorDiv &&
           constant.getValue() > 0));
}

static std::string nameOperand(unsigned number) {
  return "operand " + std::to_string(number);
}

namespace {
/// Checks one linalg op: dimensions that share a loop are equal, and others are
/// big enough.
class LinalgCheck {
public:
  LinalgCheck(SizeChecker &checker, linalg::LinalgOp op)
      : checker(checker), op(op), givers(op.getNumLoops()) {}

  void run() {
    // A static size is the one that others must equal.
    forEachAccess([&](const OperandDim &dim, AffineExpr access) {
      auto loop = dyn_cast<AffineDimExpr>(access);
      if (loop && (!getGiver(loop).tensor ||
                   (isDynamic(getGiver(loop)) && !isDynamic(dim))))
        getGiver(loop) = dim;
    });
    forEachAccess([&](const OperandDim &dim, AffineExpr access) {
      if (auto loop = dyn_cast<AffineDimExpr>(access))
        checker.requireEqual(op, dim, getGiver(loop));
    });
    forEachAccess([&](const OperandDim &dim, AffineExpr access) {
      if (!isa<AffineDimExpr>(access))
        checkBound(dim, access);
    });
    checkElements();
  }

private:
  OperandDim &getGiver(AffineDimExpr loop) {
    return givers[loop.getPosition()];
  }

  static bool isDynamic(const OperandDim &dim) {
    return cast<ShapedType>(dim.tensor.getType()).isDynamicDim(dim.dimension);
  }

  void forEachAccess(
      llvm::function_ref<void(const OperandDim &, AffineExpr)> callback) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [dimension, access] : llvm::enumerate(map.getResults()))
        callback({nameOperand(operand.getOperandNumber()), operand.get(),
                  static_cast<int64_t>(dimension)},
                 access);
    }
  }

  AffineExpr getExtent(unsigned loop) {
    OperandDim &giver = givers[loop];
    return giver.tensor
               ? checker.getSizes().getSize(giver.tensor, giver.dimension)
               : AffineExpr();
  }

  /// Checks the elements that the body reads by index.
  void checkElements() {
    SmallVector<AffineExpr> extents;
    for (unsigned loop = 0; loop < givers.size(); ++loop)
      if (AffineExpr extent = getExtent(loop))
        extents.push_back(extent);
    ElementExpression &elements = checker.getElements();
    SmallVector<LoopIndex> loops;
    for (auto [number, giver] : llvm::enumerate(givers))
      loops.push_back(
          {{},
           giver.tensor
               ? elements.getContext().getIndex(
                     number, elements.getExtents(giver.tensor)[giver.dimension])
               : nullptr});
    Region &body = op->getRegion(0);
    body.walk([&](linalg::IndexOp index) {
      loops[index.getDim()].indices.push_back(index);
    });
    body.walk([&](tensor::ExtractOp extract) {
      checkAccess(checker, op, extract, extract.getTensor(),
                  extract.getIndices(), loops, extents);
    });
  }

  /// Checks that the greatest index is within `dim`.
  void checkBound(const OperandDim &dim, AffineExpr access) {
    bool isKnown = isMonotone(access);
    bool isVerified = !isDynamic(dim);
    SizeExpressions &sizes = checker.getSizes();
    SmallVector<AffineExpr> extents, last;
    for (auto [loop, giver] : llvm::enumerate(givers)) {
      AffineExpr extent = getExtent(loop);
      if (!extent) {
        isKnown &= !access.isFunctionOfDim(loop);
        extent = sizes.getConstant(1);
      } else if (access.isFunctionOfDim(loop)) {
        isVerified &= !isDynamic(giver);
      }
      extents.push_back(extent);
      last.push_back(extent - 1);
    }
    if (!isKnown || isVerified)
      return;
    AffineExpr greatest = access.replaceDims(last);
    AffineExpr size = sizes.getSize(dim.tensor, dim.dimension);
    checker.requireNonNegativeUnlessEmpty(
        op, size - 1 - greatest, extents,
        "expects the accesses of " + op->getName().getStringRef() +
            " to be within dimension " + Twine(dim.dimension) + " of " +
            dim.operand);
  }

  SizeChecker &checker;
  linalg::LinalgOp op;
  /// For each loop the dimension that gives its extent.
  SmallVector<OperandDim> givers;
};
} // namespace

/// The dynamic stride of a slice, brought into [-whole, whole]: beyond that it
/// is out of bounds all the same, but products with it might overflow.
static AffineExpr getStep(SizeChecker &checker,
                          OffsetSizeAndStrideOpInterface slice, int64_t dim,
                          AffineExpr whole) {
  SizeExpressions &sizes = checker.getSizes();
  OpBuilder builder(slice);
  Location loc = slice.getLoc();
  Value most = sizes.materialize(builder, loc, whole);
  Value least = sizes.materialize(builder, loc, whole * -1);
  Value step = cast<Value>(slice.getMixedStrides()[dim]);
  step = arith::MinSIOp::create(builder, loc, step, most);
  step = arith::MaxSIOp::create(builder, loc, step, least);
  return sizes.getIndex(step);
}

/// Checks that a slice of `tensor` is within it.
static void checkSlice(SizeChecker &checker,
                       OffsetSizeAndStrideOpInterface slice, Value tensor) {
  SizeExpressions &sizes = checker.getSizes();
  auto type = cast<RankedTensorType>(tensor.getType());
  Operation *op = slice;
  StringRef name = op->getName().getStringRef();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    AffineExpr offset = sizes.getIndex(slice.getMixedOffsets()[dim]);
    AffineExpr size = sizes.getIndex(slice.getMixedSizes()[dim]);
    std::optional<int64_t> stride =
        getConstantIntValue(slice.getMixedStrides()[dim]);
    AffineExpr whole = sizes.getSize(tensor, dim);
    checker.requireNonNegative(op, offset,
                               "expects the offset in dimension " + Twine(dim) +
                                   " of " + name + " not to be negative");
    checker.requireNonNegative(op, size,
                               "expects the size of dimension " + Twine(dim) +
                                   " of " + name + " not to be negative");
    std::string message = ("expects the slice of " + name +
                           " to be within dimension " + Twine(dim))
                              .str();
    // The last element; an empty slice has none.
    AffineExpr step = stride ? sizes.getConstant(*stride)
                             : getStep(checker, slice, dim, whole);
    AffineExpr last = offset + sizes.multiply(size - 1, step);
    if (stride == 1) {
      checker.requireNonNegative(op, whole - 1 - last, message);
      continue;
    }
    if (!stride || *stride >= 0)
      checker.requireNonNegativeUnlessEmpty(op, whole - 1 - last, size,
                                            message);
    if (stride && *stride >= 0)
      continue;
    // Backwards, the first element is the greatest.
    checker.requireNonNegativeUnlessEmpty(op, whole - 1 - offset, size,
                                          message);
    checker.requireNonNegativeUnlessEmpty(op, last, size, message);
  }
}

/// Checks that two tensors have as many elements.
static void checkSameCount(SizeChecker &checker, Operation *op, Value source,
                           ArrayRef<int64_t> sourceDims, Value result,
                           ArrayRef<int64_t> resultDims) {
  SizeExpressions &sizes = checker.getSizes();
  auto count = [&](Value tensor, ArrayRef<int64_t> dims) {
    AffineExpr product = sizes.getConstant(1);
    for (int64_t dim : dims)
      product = sizes.multiply(product, sizes.getSize(tensor, dim));
    return product;
  };
  AffineExpr difference = count(source, sourceDims) - count(result, resultDims);
  checker.requireZero(op, difference,
                      "expects the shapes of " + op->getName().getStringRef() +
                          " to have as many elements");
}

static void checkInsertSlice(SizeChecker &checker, tensor::InsertSliceOp op) {
  checkSlice(checker, op, op.getDest());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SizeExpressions &sizes = checker.getSizes();
  int64_t sourceDim = 0;
  for (auto [dim, size] : llvm::enumerate(op.getMixedSizes())) {
    if (dropped.test(dim))
      continue;
    checker.requireZero(
        op, sizes.getSize(op.getSource(), sourceDim) - sizes.getIndex(size),
        "expects dimension " + Twine(sourceDim) +
            " of the source of tensor.insert_slice to be the "
            "size of the slice");
    ++sourceDim;
  }
}

/// Checks a read or write of one element outside of linalg ops.
static void checkElementAccess(SizeChecker &checker, Operation *access,
                               Value tensor, ValueRange indices) {
  SizeExpressions &sizes = checker.getSizes();
  ElementExpression &elements = checker.getElements();
  SmallVector<LoopIndex> loops;
  auto addLoop = [&](Value index, Expr extent) {
    loops.push_back(
        {{index}, elements.getContext().getIndex(loops.size(), extent)});
  };
  for (Operation *parent = access->getParentOp(); !isa<func::FuncOp>(parent);
       parent = parent->getParentOp()) {
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (sizes.isNonNegative(sizes.getIndex(loop.getLowerBound())))
        addLoop(loop.getInductionVar(),
                elements.getScalar(loop.getUpperBound()));
    } else if (auto generate = dyn_cast<tensor::GenerateOp>(parent)) {
      for (auto [index, extent] : llvm::zip(generate.getBody().getArguments(),
                                            elements.getExtents(generate)))
        addLoop(index, extent);
    }
  }
  checkAccess(checker, access, access, tensor, indices, loops, {});
}

static void checkCast(SizeChecker &checker, tensor::CastOp op) {
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto result = dyn_cast<RankedTensorType>(op.getType());
  for (int64_t dim = 0; source && result && dim < result.getRank(); ++dim)
    if (source.isDynamicDim(dim) && !result.isDynamicDim(dim))
      checker.requireZero(op,
                          checker.getSizes().getSize(op.getSource(), dim) -
                              result.getDimSize(dim),
                          "expects dimension " + Twine(dim) +
                              " of the operand of tensor.cast to be " +
                              Twine(result.getDimSize(dim)));
}

static void checkPad(SizeChecker &checker, tensor::PadOp op) {
  auto check = [&](StringRef side, ArrayRef<OpFoldResult> widths) {
    for (auto [dim, width] : llvm::enumerate(widths))
      checker.requireNonNegative(op, checker.getSizes().getIndex(width),
                                 "expects the " + side +
                                     " padding of dimension " + Twine(dim) +
                                     " of tensor.pad not to be negative");
  };
  check("low", op.getMixedLowPad());
  check("high", op.getMixedHighPad());
}

static void checkConcat(SizeChecker &checker, tensor::ConcatOp op) {
  Value first = op.getInputs().front();
  int64_t rank = op.getRank();
  for (auto [number, input] : llvm::enumerate(op.getInputs()))
    for (int64_t dim = 0; dim < rank; ++dim)
      if (dim != static_cast<int64_t>(op.getDim()))
        checker.requireEqual(op, {nameOperand(number), input, dim},
                             {nameOperand(0), first, dim});
}

static void checkTensorOp(SizeChecker &checker, Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tensor::EmptyOp op) {
        for (auto [dim, size] : llvm::enumerate(op.getMixedSizes()))
          checker.requireNonNegative(op, checker.getSizes().getIndex(size),
                                     "expects dimension " + Twine(dim) +
                                         " of tensor.empty not to be negative");
      })
      .Case([&](linalg::SoftmaxOp op) {
        if (!op.hasPureTensorSemantics())
          return;
        for (int64_t dim = 0; dim < op.getInputOperandRank(); ++dim)
          checker.requireEqual(op, {nameOperand(1), op.getOutput(), dim},
                               {nameOperand(0), op.getInput(), dim});
      })
      .Case([&](tensor::CastOp op) { checkCast(checker, op); })
      .Case([&](tensor::PadOp op) { checkPad(checker, op); })
      .Case([&](tensor::ExtractOp op) {
        checkElementAccess(checker, op, op.getTensor(), op.getIndices());
      })
      .Case([&](tensor::InsertOp op) {
        checkElementAccess(checker, op, op.getDest(), op.getIndices());
      })
      .Case([&](tensor::ReshapeOp op) {
        auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
        auto result = dyn_cast<RankedTensorType>(op.getType());
        if (source && result &&
            op.getShape().getDefiningOp<tensor::FromElementsOp>())
          checkSameCount(checker, op, op.getSource(),
                         llvm::to_vector(llvm::seq(source.getRank())),
                         op.getResult(),
                         llvm::to_vector(llvm::seq(result.getRank())));
      })
      .Case([&](tensor::ExtractSliceOp op) {
        checkSlice(checker, op, op.getSource());
      })
      .Case([&](tensor::InsertSliceOp op) { checkInsertSlice(checker, op); })
      .Case([&](tensor::ConcatOp op) { checkConcat(checker, op); })
      .Case([&](tensor::ExpandShapeOp op) {
        for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices()))
          checkSameCount(checker, op, op.getSrc(), static_cast<int64_t>(dim),
                         op.getResult(), group);
      })
      .Case([&](tensor::CollapseShapeOp op) {
        for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices()))
          if (!op.getResultType().isDynamicDim(dim))
            checkSameCount(checker, op, op.getSrc(), group, op.getResult(),
                           static_cast<int64_t>(dim));
      });
}

namespace {
struct CheckSizesPass : attn::impl::CheckSizesPassBase<CheckSizesPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    SizeChecker checker(function);
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
        if (linalgOp.hasPureTensorSemantics())
          LinalgCheck(checker, linalgOp).run();
        return WalkResult::skip();
      }
      if (isa<AttnDialect>(op->getDialect())) {
        checkAttnOp(checker, op);
        return WalkResult::skip();
      }
      if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
        checker.learn(assertion);
        return WalkResult::skip();
      }
      checker.simplify(op);
      checkTensorOp(checker, op);
      return WalkResult::advance();
    });
  }
};
} // namespace
