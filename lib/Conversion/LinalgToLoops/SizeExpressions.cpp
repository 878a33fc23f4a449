//===- SizeExpressions.cpp - Sizes of tensors as expressions ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads the size of each tensor off the op that makes it. Upstream resolves
/// `tensor.dim` by rewriting one step at a time, which makes thousands of ops
/// in a model graph; here nothing is made but what a check needs in the end.
///
//===----------------------------------------------------------------------===//

#include "SizeExpressions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;

AffineExpr SizeExpressions::getConstant(int64_t value) const {
  return getAffineConstantExpr(value, context);
}

AffineExpr SizeExpressions::simplify(AffineExpr expression) const {
  if (isa<AffineSymbolExpr, AffineConstantExpr>(expression))
    return expression;
  return simplifyAffineExpr(expression, /*numDims=*/0, symbols.size());
}

/// Collects the factors of a product.
static void collectFactors(AffineExpr product,
                           SmallVectorImpl<AffineExpr> &factors) {
  if (product.getKind() != AffineExprKind::Mul) {
    factors.push_back(product);
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(product);
  collectFactors(binary.getLHS(), factors);
  collectFactors(binary.getRHS(), factors);
}

AffineExpr SizeExpressions::multiply(AffineExpr lhs, AffineExpr rhs) const {
  if (isa<AffineConstantExpr>(lhs) || isa<AffineConstantExpr>(rhs))
    return simplify(lhs * rhs);
  // A product of sizes is not affine and is not simplified: give its symbols a
  // fixed order, so that equal products are one expression.
  SmallVector<AffineExpr> factors;
  collectFactors(lhs, factors);
  collectFactors(rhs, factors);
  auto getPosition = [](AffineExpr factor) -> unsigned {
    auto symbol = dyn_cast<AffineSymbolExpr>(factor);
    return symbol ? symbol.getPosition() : ~0u;
  };
  llvm::sort(factors, [&](AffineExpr a, AffineExpr b) {
    return getPosition(a) < getPosition(b);
  });
  AffineExpr product = factors.front();
  for (AffineExpr factor : llvm::drop_begin(factors))
    product = product * factor;
  return product;
}

AffineExpr SizeExpressions::getSymbol(Value value, int64_t dimension) {
  auto [place, isNew] =
      positions.try_emplace({value, dimension}, symbols.size());
  if (isNew)
    symbols.push_back({value, dimension, Value()});
  return getAffineSymbolExpr(place->second, context);
}

AffineExpr SizeExpressions::resolve(AffineExpr expression) const {
  if (assumed.empty() || isa<AffineConstantExpr>(expression))
    return expression;
  // What a symbol stands for may have been replaced itself later on; symbols
  // are only ever replaced by others that are not, so this ends.
  while (true) {
    AffineExpr next = expression.replace(assumed);
    if (next == expression)
      return expression;
    expression = simplify(next);
  }
}

AffineExpr SizeExpressions::getSize(Value tensor, int64_t dimension) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dimension))
    return getConstant(type.getDimSize(dimension));
  auto place = known.find({tensor, dimension});
  if (place != known.end())
    return resolve(place->second);
  AffineExpr size = computeSize(tensor, dimension);
  if (!size)
    size = getSymbol(tensor, dimension);
  known[{tensor, dimension}] = size;
  return resolve(size);
}

/// The dimension of the full slice that becomes `dimension` of the result.
static int64_t getSliceDim(tensor::ExtractSliceOp op, int64_t dimension) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (int64_t full = 0, rank = dropped.size(); full < rank; ++full)
    if (!dropped.test(full) && dimension-- == 0)
      return full;
  return -1;
}

AffineExpr SizeExpressions::computeLoopSize(Value carried, int64_t dimension) {
  scf::ForOp loop;
  Value init, argument, yielded;
  if (auto blockArgument = dyn_cast<BlockArgument>(carried)) {
    loop =
        dyn_cast_or_null<scf::ForOp>(blockArgument.getOwner()->getParentOp());
    if (!loop || blockArgument.getArgNumber() == 0)
      return {};
    unsigned number = blockArgument.getArgNumber() - 1;
    init = loop.getInitArgs()[number];
    argument = carried;
    yielded = loop.getYieldedValues()[number];
  } else {
    auto result = cast<OpResult>(carried);
    loop = cast<scf::ForOp>(result.getOwner());
    init = loop.getInitArgs()[result.getResultNumber()];
    argument = loop.getRegionIterArg(result.getResultNumber());
    yielded = loop.getYieldedValues()[result.getResultNumber()];
  }
  // The size stays what it is at first if each iteration leaves it alone.
  AffineExpr own = getSymbol(argument, dimension), symbol = own;
  auto place = known.try_emplace({argument, dimension}, symbol);
  if (!place.second)
    symbol = place.first->second;
  if (resolve(symbol) != getSize(yielded, dimension))
    return {};
  AffineExpr size = getSize(init, dimension);
  if (!isa<AffineSymbolExpr>(symbol) || symbol == size)
    return size;
  // The argument is not known outside of the loop: its symbol goes, even where
  // it is the older one.
  if (symbol == own && resolve(own) == own &&
      !size.isFunctionOfSymbol(cast<AffineSymbolExpr>(own).getPosition()))
    assumed[own] = size;
  else
    assumeEqual(symbol, size);
  return size;
}

AffineExpr SizeExpressions::computeSize(Value tensor, int64_t dimension) {
  if (isa<BlockArgument>(tensor))
    return computeLoopSize(tensor, dimension);
  Operation *op = tensor.getDefiningOp();
  auto getProduct = [&](Value source, ArrayRef<int64_t> dims) {
    AffineExpr product = getConstant(1);
    for (int64_t dim : dims)
      product = multiply(product, getSize(source, dim));
    return product;
  };
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op)) {
    OpOperand *init = destination.getTiedOpOperand(cast<OpResult>(tensor));
    return init && isa<RankedTensorType>(init->get().getType())
               ? getSize(init->get(), dimension)
               : AffineExpr();
  }
  return TypeSwitch<Operation *, AffineExpr>(op)
      .Case([&](tensor::EmptyOp op) {
        return getIndex(op.getMixedSizes()[dimension]);
      })
      .Case([&](tensor::CastOp op) {
        return isa<RankedTensorType>(op.getSource().getType())
                   ? getSize(op.getSource(), dimension)
                   : AffineExpr();
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return getIndex(op.getMixedSizes()[getSliceDim(op, dimension)]);
      })
      .Case([&](tensor::ExpandShapeOp op) {
        return getIndex(op.getMixedOutputShape()[dimension]);
      })
      .Case([&](tensor::CollapseShapeOp op) {
        return getProduct(op.getSrc(), op.getReassociationIndices()[dimension]);
      })
      .Case([&](tensor::ConcatOp op) {
        if (static_cast<int64_t>(op.getDim()) != dimension)
          return getSize(op.getInputs().front(), dimension);
        AffineExpr sum = getConstant(0);
        for (Value input : op.getInputs())
          sum = sum + getSize(input, dimension);
        return simplify(sum);
      })
      .Case([&](tensor::PadOp op) {
        return simplify(getSize(op.getSource(), dimension) +
                        getIndex(op.getMixedLowPad()[dimension]) +
                        getIndex(op.getMixedHighPad()[dimension]));
      })
      .Case(
          [&](tensor::InsertOp op) { return getSize(op.getDest(), dimension); })
      .Case([&](tensor::ReshapeOp op) {
        auto shape = op.getShape().getDefiningOp<tensor::FromElementsOp>();
        return shape ? getIndex(shape.getElements()[dimension]) : AffineExpr();
      })
      .Case([&](scf::ForOp) { return computeLoopSize(tensor, dimension); })
      .Default([](Operation *) { return AffineExpr(); });
}

AffineExpr SizeExpressions::getIndex(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return getConstant(*constant);
  auto value = cast<Value>(index);
  auto place = known.find({value, -1});
  if (place != known.end())
    return resolve(place->second);
  AffineExpr expression = computeIndex(value);
  if (!expression)
    expression = getSymbol(value, -1);
  known[{value, -1}] = expression;
  return resolve(expression);
}

AffineExpr SizeExpressions::computeIndex(Value index) {
  Operation *op = index.getDefiningOp();
  if (!op)
    return {};
  // Narrow integers wrap around where indices do not.
  auto isWide = [](Type type) { return type.isIndex() || type.isInteger(64); };
  if (!isWide(index.getType()))
    return {};
  return TypeSwitch<Operation *, AffineExpr>(op)
      .Case([&](arith::IndexCastOp op) {
        return isWide(op.getIn().getType()) ? getIndex(op.getIn())
                                            : AffineExpr();
      })
      .Case([&](arith::AddIOp op) {
        return simplify(getIndex(op.getLhs()) + getIndex(op.getRhs()));
      })
      .Case([&](arith::SubIOp op) {
        return simplify(getIndex(op.getLhs()) - getIndex(op.getRhs()));
      })
      .Case([&](arith::MulIOp op) {
        return multiply(getIndex(op.getLhs()), getIndex(op.getRhs()));
      })
      .Case([&](affine::AffineApplyOp op) {
        SmallVector<AffineExpr> operands = llvm::map_to_vector(
            op.getMapOperands(), [&](Value v) { return getIndex(v); });
        ArrayRef<AffineExpr> all = operands;
        unsigned numDims = op.getAffineMap().getNumDims();
        return simplify(op.getAffineMap().getResult(0).replaceDimsAndSymbols(
            all.take_front(numDims), all.drop_front(numDims)));
      })
      .Case([&](arith::DivSIOp op) {
        return divide(getIndex(op.getLhs()), getIndex(op.getRhs()));
      })
      .Case([&](arith::SelectOp op) {
        if (std::optional<bool> condition = getCondition(op.getCondition()))
          return getIndex(*condition ? op.getTrueValue() : op.getFalseValue());
        AffineExpr taken = getIndex(op.getTrueValue());
        return taken == getIndex(op.getFalseValue()) ? taken : AffineExpr();
      })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto op) {
        return getGreater(getIndex(op.getLhs()), getIndex(op.getRhs()));
      })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto op) {
        AffineExpr lhs = getIndex(op.getLhs()), rhs = getIndex(op.getRhs());
        AffineExpr greater = getGreater(lhs, rhs);
        return !greater ? greater : greater == lhs ? rhs : lhs;
      })
      .Case([&](arith::ExtUIOp op) {
        std::optional<bool> bit = op.getIn().getType().isInteger(1)
                                      ? getCondition(op.getIn())
                                      : std::nullopt;
        return bit ? getConstant(*bit) : AffineExpr();
      })
      .Case([&](tensor::DimOp op) {
        auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
        std::optional<int64_t> dimension = op.getConstantIndex();
        bool isKnown =
            type && dimension && *dimension >= 0 && *dimension < type.getRank();
        return isKnown ? getSize(op.getSource(), *dimension) : AffineExpr();
      })
      .Default([](Operation *) { return AffineExpr(); });
}

/// The quotient, if the division is known to be exact.
AffineExpr SizeExpressions::divide(AffineExpr dividend,
                                   AffineExpr divisor) const {
  auto constant = dyn_cast<AffineConstantExpr>(divisor);
  if (!constant || constant.getValue() <= 0 ||
      dividend.getLargestKnownDivisor() % constant.getValue() != 0)
    return {};
  return simplify(dividend.floorDiv(constant.getValue()));
}

/// The greater one of two numbers that are not negative, if it is known.
AffineExpr SizeExpressions::getGreater(AffineExpr lhs, AffineExpr rhs) const {
  if (!isNonNegative(lhs) || !isNonNegative(rhs))
    return {};
  AffineExpr difference = simplify(lhs - rhs);
  if (isNonNegative(difference))
    return lhs;
  return isNonNegative(simplify(rhs - lhs)) ? rhs : AffineExpr();
}

std::optional<bool> SizeExpressions::getCondition(Value condition) {
  if (std::optional<int64_t> constant = getConstantIntValue(condition))
    return *constant != 0;
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || (!compare.getLhs().getType().isIndex() &&
                   !compare.getLhs().getType().isInteger(64)))
    return std::nullopt;
  AffineExpr lhs = getIndex(compare.getLhs()), rhs = getIndex(compare.getRhs());
  auto isAtMost = [&](AffineExpr low, AffineExpr high) -> std::optional<bool> {
    if (isNonNegative(simplify(high - low)))
      return true;
    if (isNonNegative(simplify(low - high - 1)))
      return false;
    return std::nullopt;
  };
  auto negate = [](std::optional<bool> known) {
    return known ? std::optional(!*known) : std::nullopt;
  };
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::sle:
    return isAtMost(lhs, rhs);
  case arith::CmpIPredicate::sge:
    return isAtMost(rhs, lhs);
  case arith::CmpIPredicate::slt:
    return negate(isAtMost(rhs, lhs));
  case arith::CmpIPredicate::sgt:
    return negate(isAtMost(lhs, rhs));
  case arith::CmpIPredicate::eq:
  case arith::CmpIPredicate::ne: {
    auto difference = dyn_cast<AffineConstantExpr>(simplify(lhs - rhs));
    if (!difference)
      return std::nullopt;
    return (difference.getValue() == 0) ==
           (compare.getPredicate() == arith::CmpIPredicate::eq);
  }
  default:
    return std::nullopt;
  }
}

bool SizeExpressions::isNonNegative(AffineExpr expression) const {
  if (assumedNonNegative.contains(expression))
    return true;
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue() >= 0;
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()].dimension >= 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  return binary &&
         (binary.getKind() == AffineExprKind::Add ||
          binary.getKind() == AffineExprKind::Mul) &&
         isNonNegative(binary.getLHS()) && isNonNegative(binary.getRHS());
}

std::optional<std::pair<unsigned, int64_t>>
SizeExpressions::getArgumentDim(AffineExpr expression, Block &entry) const {
  auto symbol = dyn_cast<AffineSymbolExpr>(expression);
  if (!symbol)
    return std::nullopt;
  const Symbol &found = symbols[symbol.getPosition()];
  auto argument = dyn_cast<BlockArgument>(found.value);
  if (!argument || argument.getOwner() != &entry || found.dimension < 0)
    return std::nullopt;
  return std::pair(argument.getArgNumber(), found.dimension);
}

void SizeExpressions::assumeNonNegative(AffineExpr expression) {
  assumedNonNegative.insert(resolve(expression));
}

void SizeExpressions::assumeEqual(AffineExpr lhs, AffineExpr rhs) {
  lhs = resolve(lhs);
  rhs = resolve(rhs);
  if (lhs == rhs)
    return;
  auto isReplaceable = [](AffineExpr from, AffineExpr to) {
    auto symbol = dyn_cast<AffineSymbolExpr>(from);
    return symbol && !to.isFunctionOfSymbol(symbol.getPosition());
  };
  // Of two symbols the later one goes.
  auto left = dyn_cast<AffineSymbolExpr>(lhs);
  auto right = dyn_cast<AffineSymbolExpr>(rhs);
  if (left && right && left.getPosition() < right.getPosition())
    std::swap(lhs, rhs);
  if (isReplaceable(lhs, rhs))
    assumed[lhs] = rhs;
  else if (isReplaceable(rhs, lhs))
    assumed[rhs] = lhs;
}

bool SizeExpressions::isAvailableAt(AffineExpr expression,
                                    Operation *op) const {
  for (auto [position, symbol] : llvm::enumerate(symbols)) {
    Value value = symbol.value;
    if (expression.isFunctionOfSymbol(position) &&
        op->isAncestor(value.getParentBlock()->getParentOp()))
      return false;
  }
  return true;
}

Value SizeExpressions::getNumber(OpBuilder &builder, unsigned position) {
  Symbol &symbol = symbols[position];
  if (symbol.number)
    return symbol.number;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(symbol.value);
  Location loc = symbol.value.getLoc();
  if (symbol.dimension >= 0)
    symbol.number =
        tensor::DimOp::create(builder, loc, symbol.value, symbol.dimension);
  else if (symbol.value.getType().isIndex())
    symbol.number = symbol.value;
  else
    symbol.number = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(), symbol.value);
  return symbol.number;
}

Value SizeExpressions::materialize(OpBuilder &builder, Location loc,
                                   AffineExpr expression) {
  SmallVector<Value> numbers(symbols.size());
  for (unsigned position = 0; position < symbols.size(); ++position)
    if (expression.isFunctionOfSymbol(position))
      numbers[position] = getNumber(builder, position);
  return affine::expandAffineExpr(builder, loc, expression, ValueRange(),
                                  numbers);
}
