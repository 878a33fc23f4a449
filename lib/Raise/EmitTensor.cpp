//===- EmitTensor.cpp - Tensors out of element expressions ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tensors that are read at the loop indices become operands of the operation
/// that computes a tensor: indexing maps vectorise and fuse, gathers do not.
///
//===----------------------------------------------------------------------===//

#include "attn/Raise/EmitExpression.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// A load that reads a tensor at the loop indices.
struct MappedLoad {
  /// The number of the variable that each index is, -1 for an index 0 of a
  /// dimension of size one; several where the dimension has to be expanded.
  SmallVector<SmallVector<int64_t, 2>> dimensions;

  bool isExpanded() const {
    return llvm::any_of(
        dimensions, [](ArrayRef<int64_t> parts) { return parts.size() > 1; });
  }
};

class LoadMapper {
public:
  LoadMapper(ArrayRef<Expr> variables, ElementExpression *elements)
      : variables(variables), elements(elements) {}

  std::optional<MappedLoad> map(Expr load) const;

private:
  int64_t getNumber(Expr variable) const {
    const auto *it = llvm::find(variables, variable);
    return variable->is(ExprKind::Index) && it != variables.end()
               ? it - variables.begin()
               : -1;
  }
  bool hasSize(Value tensor, unsigned dimension, Expr extent) const;
  bool mapRadix(Expr index, int64_t size,
                SmallVectorImpl<int64_t> &parts) const;

  ArrayRef<Expr> variables;
  ElementExpression *elements;
};

class TensorEmitter {
public:
  TensorEmitter(OpBuilder &builder, Location loc, ArrayRef<Expr> variables,
                ElementExpression *elements, std::string *reason)
      : builder(builder), loc(loc), variables(variables),
        mapper(variables, elements), reason(reason) {}

  FailureOr<Value> emit(Expr element);

private:
  Value expand(Value source, const MappedLoad &load);
  Value permute(Expr load, const MappedLoad &mapped);
  FailureOr<Value> compute(Expr element, Type elementType);

  OpBuilder &builder;
  Location loc;
  ArrayRef<Expr> variables;
  LoadMapper mapper;
  std::string *reason;
  SmallVector<OpFoldResult> sizes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Loads at loop indices
//===----------------------------------------------------------------------===//

bool LoadMapper::hasSize(Value tensor, unsigned dimension, Expr extent) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dimension))
    return extent->isConstantInt(type.getDimSize(dimension));
  if (extent->is(ExprKind::Dim) && extent->getValue() == tensor &&
      extent->getDimension() == dimension)
    return true;
  return elements && elements->getExtents(tensor)[dimension] == extent;
}

/// Takes `index` apart as digits, the slowest first, that cover `size`.
bool LoadMapper::mapRadix(Expr index, int64_t size,
                          SmallVectorImpl<int64_t> &parts) const {
  if (!index->is(ExprKind::Sum) || index->getConstantTerm() != 0)
    return false;
  SmallVector<std::pair<int64_t, Expr>> digits;
  for (auto [digit, weight] :
       llvm::zip_equal(index->getOperands(), index->getCoefficients()))
    digits.push_back({weight, digit});
  llvm::sort(digits, llvm::less_first());
  int64_t expected = 1;
  for (auto [weight, digit] : digits) {
    int64_t number = getNumber(digit);
    if (number < 0 || weight != expected)
      return false;
    auto extent = digit->getExtent()->getConstantInt();
    if (!extent || *extent <= 0 || *extent > size / expected)
      return false;
    expected *= *extent;
    parts.push_back(number);
  }
  std::reverse(parts.begin(), parts.end());
  return expected == size;
}

std::optional<MappedLoad> LoadMapper::map(Expr load) const {
  Value source = load->getValue();
  auto type = dyn_cast<RankedTensorType>(source.getType());
  if (!type)
    return std::nullopt;
  MappedLoad mapped;
  for (auto [dimension, index] : llvm::enumerate(load->getOperands())) {
    SmallVector<int64_t, 2> parts;
    if (index->isConstantInt(0)) {
      if (type.getDimSize(dimension) != 1)
        return std::nullopt;
      parts.push_back(-1);
    } else if (int64_t number = getNumber(index); number >= 0) {
      if (!hasSize(source, dimension, index->getExtent()))
        return std::nullopt;
      parts.push_back(number);
    } else if (type.isDynamicDim(dimension) ||
               !mapRadix(index, type.getDimSize(dimension), parts)) {
      return std::nullopt;
    }
    mapped.dimensions.push_back(std::move(parts));
  }
  return mapped;
}

/// The outermost loads in `element` that read at the loop indices. Whether all
/// loads are within such is the result.
static bool collectLoads(Expr element, const LoadMapper &mapper,
                         llvm::SetVector<Expr> &loads, unsigned &operations) {
  bool all = true;
  llvm::SetVector<Expr> worklist;
  worklist.insert(element);
  for (unsigned i = 0; i < worklist.size(); ++i) {
    Expr next = worklist[i];
    if (next->is(ExprKind::Load)) {
      if (mapper.map(next)) {
        loads.insert(next);
        continue;
      }
      all &= !isa<RankedTensorType>(next->getValue().getType());
    }
    operations += next->isFloat() && next->getNumOperands() != 0;
    for (Expr operand : next->getOperands())
      worklist.insert(operand);
  }
  return all;
}

bool attn::isElementwise(Expr element, ArrayRef<Expr> variables,
                         unsigned maxOperations, ElementExpression *elements) {
  llvm::SetVector<Expr> loads;
  unsigned operations = 0;
  return collectLoads(element, LoadMapper(variables, elements), loads,
                      operations) &&
         operations <= maxOperations;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<OpFoldResult>> attn::emitSizes(OpBuilder &builder,
                                                     Location loc,
                                                     ArrayRef<Expr> variables,
                                                     std::string *reason) {
  ExpressionEmitter emitter(builder, loc, reason);
  SmallVector<OpFoldResult> sizes;
  for (Expr variable : variables) {
    if (!variable->is(ExprKind::Index)) {
      sizes.push_back(builder.getIndexAttr(1));
      continue;
    }
    if (auto size = variable->getExtent()->getConstantInt()) {
      sizes.push_back(builder.getIndexAttr(*size));
      continue;
    }
    FailureOr<Value> size = emitter.emit(variable->getExtent());
    if (failed(size))
      return failure();
    sizes.push_back(*size);
  }
  return sizes;
}

/// Gives every digit of an index a dimension of its own.
Value TensorEmitter::expand(Value source, const MappedLoad &load) {
  if (!load.isExpanded())
    return source;
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  for (auto [dimension, parts] : llvm::enumerate(load.dimensions)) {
    ReassociationIndices group;
    for (int64_t number : parts) {
      group.push_back(shape.size());
      shape.push_back(parts.size() == 1
                          ? type.getDimSize(dimension)
                          : *variables[number]->getExtent()->getConstantInt());
    }
    groups.push_back(std::move(group));
  }
  return tensor::ExpandShapeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), source,
      groups);
}

/// The source of a load with its dimensions in the order of the variables; null
/// if it has not as many.
Value TensorEmitter::permute(Expr load, const MappedLoad &mapped) {
  SmallVector<int64_t> permutation(variables.size(), -1), units;
  int64_t rank = 0;
  for (ArrayRef<int64_t> parts : mapped.dimensions)
    for (int64_t number : parts) {
      if (number < 0)
        units.push_back(rank);
      else if (permutation[number] >= 0)
        return Value();
      else
        permutation[number] = rank;
      ++rank;
    }
  if (rank != static_cast<int64_t>(variables.size()))
    return Value();
  // Dimensions of size one go where they are left.
  std::reverse(units.begin(), units.end());
  for (auto [variable, dimension] : llvm::zip_equal(variables, permutation)) {
    if (dimension >= 0)
      continue;
    if (variable->is(ExprKind::Index) || units.empty())
      return Value();
    dimension = units.pop_back_val();
  }
  Value source = expand(load->getValue(), mapped);
  if (llvm::is_sorted(permutation))
    return source;
  Value empty = tensor::EmptyOp::create(builder, loc, sizes,
                                        getElementTypeOrSelf(source.getType()));
  return linalg::TransposeOp::create(builder, loc, source, empty, permutation)
      ->getResult(0);
}

FailureOr<Value> TensorEmitter::compute(Expr element, Type elementType) {
  auto rank = static_cast<int64_t>(variables.size());
  llvm::SetVector<Expr> loads;
  unsigned operations = 0;
  collectLoads(element, mapper, loads, operations);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (Expr load : loads) {
    MappedLoad mapped = *mapper.map(load);
    inputs.push_back(expand(load->getValue(), mapped));
    SmallVector<AffineExpr> results;
    for (ArrayRef<int64_t> parts : mapped.dimensions)
      for (int64_t number : parts)
        results.push_back(number < 0 ? builder.getAffineConstantExpr(0)
                                     : builder.getAffineDimExpr(number));
    maps.push_back(AffineMap::get(rank, 0, results, builder.getContext()));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));

  Value empty = tensor::EmptyOp::create(builder, loc, sizes, elementType);
  bool emitted = true;
  auto generic = linalg::GenericOp::create(
      builder, loc, TypeRange{empty.getType()}, inputs, ValueRange{empty}, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &bodyBuilder, Location bodyLoc, ValueRange args) {
        ExpressionEmitter emitter(bodyBuilder, bodyLoc, reason);
        SmallVector<Operation *> indices;
        for (auto [dimension, variable] : llvm::enumerate(variables))
          if (variable->is(ExprKind::Index)) {
            indices.push_back(
                linalg::IndexOp::create(bodyBuilder, bodyLoc, dimension));
            emitter.define(variable, indices.back()->getResult(0));
          }
        for (auto [load, argument] : llvm::zip(loads, args)) {
          Value number = argument;
          if (load->isInteger() && !number.getType().isIndex())
            number = arith::IndexCastOp::create(
                bodyBuilder, bodyLoc, bodyBuilder.getIndexType(), number);
          emitter.define(load, number);
        }
        FailureOr<Value> value = emitter.emit(element);
        emitted = succeeded(value);
        Value result = emitted ? *value : args.back();
        if (result.getType().isIndex())
          result = arith::IndexCastOp::create(bodyBuilder, bodyLoc,
                                              bodyBuilder.getI64Type(), result);
        linalg::YieldOp::create(bodyBuilder, bodyLoc, result);
        for (Operation *index : indices)
          if (index->use_empty())
            index->erase();
      });
  if (!emitted) {
    generic.erase();
    return failure();
  }
  return generic->getResult(0);
}

FailureOr<Value> TensorEmitter::emit(Expr element) {
  auto emitted = emitSizes(builder, loc, variables, reason);
  if (failed(emitted))
    return failure();
  sizes = std::move(*emitted);
  Type elementType =
      element->isInteger() ? builder.getI64Type() : element->getType();
  if (element->is(ExprKind::Load) &&
      getElementTypeOrSelf(element->getValue().getType()) == elementType)
    if (auto mapped = mapper.map(element))
      if (Value permuted = permute(element, *mapped))
        return permuted;
  return compute(element, elementType);
}

FailureOr<Value> attn::emitTensor(OpBuilder &builder, Location loc,
                                  Expr element, ArrayRef<Expr> variables,
                                  ElementExpression *elements,
                                  std::string *reason) {
  return TensorEmitter(builder, loc, variables, elements, reason).emit(element);
}
