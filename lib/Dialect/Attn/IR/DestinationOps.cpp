//===- DestinationOps.cpp - Shared by destination-style ops -----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks, memory effects, reification and assembly that the destination-style
/// ops share.
///
//===----------------------------------------------------------------------===//

#include "DestinationOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/RegionKindInterface.h"
#include <limits>

using namespace mlir;
using namespace mlir::attn;

FloatType attn::getAccumulatorType(Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  if (type.isF64())
    return cast<FloatType>(type);
  return Float32Type::get(value.getContext());
}

bool attn::isVerifiedBefore(Operation *defining, Operation *user) {
  Block *block = defining->getBlock();
  Region *region = defining->getParentRegion();
  if (!region || mayBeGraphRegion(*region))
    return false;
  if (Operation *ancestor = block->findAncestorOpInBlock(*user))
    return defining->isBeforeInBlock(ancestor);
  // Other blocks of the region come after the first one.
  return block->isEntryBlock() && region->isAncestor(user->getParentRegion());
}

DenseIntElementsAttr attn::getConstantIntegers(Operation *user, Value value) {
  Operation *defining = value.getDefiningOp();
  DenseIntElementsAttr elements;
  if (defining && isVerifiedBefore(defining, user))
    matchPattern(value, m_Constant(&elements));
  return elements;
}

std::optional<IntegerRange> attn::getConstantRange(Operation *user,
                                                   Value value) {
  Operation *defining = value.getDefiningOp();
  if (!defining || !isVerifiedBefore(defining, user))
    return std::nullopt;
  APInt single(64, 0);
  if (matchPattern(value, m_ConstantInt(&single)))
    return IntegerRange(single.getSExtValue(), single.getSExtValue());
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || elements.empty())
    return std::nullopt;
  IntegerRange range(std::numeric_limits<int64_t>::max(),
                     std::numeric_limits<int64_t>::min());
  for (const APInt &element : elements.getValues<APInt>())
    range = {std::min(range.first, element.getSExtValue()),
             std::max(range.second, element.getSExtValue())};
  return range;
}

LogicalResult attn::verifySameDim(Operation *op, StringRef what,
                                  NamedDim actual, NamedDim expected,
                                  bool allowOne) {
  int64_t size = actual.size();
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(expected.size()) ||
      size == expected.size() || (allowOne && size == 1))
    return success();
  InFlightDiagnostic diag = op->emitOpError("expects ")
                            << what << " of '" << actual.operand << "' ("
                            << size << ") to equal that of '"
                            << expected.operand << "' (" << expected.size()
                            << ")";
  if (allowOne)
    diag << " or 1";
  return diag;
}

LogicalResult attn::verifyLse(Operation *op, StringRef name, Value lse,
                              FloatType accumulator, StringRef rowsName,
                              Value rows) {
  // attention_c12, merge_c9
  Type element = getElementTypeOrSelf(lse.getType());
  if (element != accumulator)
    return op->emitOpError("expects element type of '")
           << name << "' to be the accumulator type (" << accumulator
           << "), got " << element;
  // attention_c13, merge_c10
  static constexpr StringRef names[] = {"batch", "number of heads", "length"};
  for (auto [dimension, what] : llvm::enumerate(names)) {
    int64_t d = dimension;
    if (failed(verifySameDim(op, what, {name, lse, d}, {rowsName, rows, d})))
      return failure();
  }
  return success();
}

LogicalResult attn::verifySameElementType(Operation *op, StringRef actualName,
                                          Value actual, StringRef expectedName,
                                          Value expected) {
  Type actualType = getElementTypeOrSelf(actual.getType());
  Type expectedType = getElementTypeOrSelf(expected.getType());
  if (actualType == expectedType)
    return success();
  return op->emitOpError("expects element type of '")
         << actualName << "' (" << actualType << ") to equal that of '"
         << expectedName << "' (" << expectedType << ")";
}

LogicalResult attn::verifyDestinations(DestinationStyleOpInterface op,
                                       unsigned minInits, unsigned maxInits) {
  OperandRange inits = op.getDpsInits();
  if (inits.size() < minInits || inits.size() > maxInits) {
    InFlightDiagnostic diag = op->emitOpError("expects ") << minInits;
    if (minInits != maxInits)
      diag << " or " << maxInits;
    return diag << (maxInits == 1 ? " destination" : " destinations")
                << ", got " << inits.size();
  }
  bool onTensors = isa<TensorType>(inits.front().getType());
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType();
    if (isa<ShapedType>(type) && isa<TensorType>(type) != onTensors)
      return op->emitOpError("expects all shaped operands to be tensors, or "
                             "all to be memrefs, got ")
             << type << " as operand #" << operand.getOperandNumber();
  }
  unsigned expectedResults = onTensors ? inits.size() : 0;
  if (op->getNumResults() != expectedResults)
    return op->emitOpError("expects ")
           << expectedResults << (expectedResults == 1 ? " result" : " results")
           << ", got " << op->getNumResults();
  for (auto [result, init] : llvm::zip(op->getResultTypes(), inits))
    if (result != init.getType())
      return op->emitOpError("expects the type of a result (")
             << result << ") to be that of its destination (" << init.getType()
             << ")";
  return success();
}

Operation *attn::cloneWithOperands(OpBuilder &builder, Operation *op,
                                   TypeRange resultTypes, ValueRange operands) {
  OperationState state(op->getLoc(), op->getName(), operands, resultTypes,
                       op->getAttrs());
  for (Region &region : op->getRegions()) {
    Region *cloned = state.addRegion();
    if (!region.empty())
      builder.cloneRegionBefore(region, *cloned, cloned->begin());
  }
  return builder.create(state);
}

void attn::getDestinationEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isInit = op.isDpsInit(&operand);
    if (!isInit || op->hasTrait<ReadsDestinations>())
      effects.emplace_back(MemoryEffects::Read::get(), &operand,
                           SideEffects::DefaultResource::get());
    if (isInit)
      effects.emplace_back(MemoryEffects::Write::get(), &operand,
                           SideEffects::DefaultResource::get());
  }
  // Masks and biases hold memrefs that are read when the op uses them.
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MaskType, BiasType>(operand.get().getType()) &&
        op->getNumResults() == 0)
      effects.emplace_back(MemoryEffects::Read::get(),
                           SideEffects::DefaultResource::get());
}

Speculation::Speculatability
attn::getDestinationSpeculatability(DestinationStyleOpInterface op) {
  if (!op.hasPureTensorSemantics())
    return Speculation::NotSpeculatable;
  return op->getNumRegions() ? Speculation::RecursivelySpeculatable
                             : Speculation::Speculatable;
}

LogicalResult
attn::reifyDestinations(DestinationStyleOpInterface op, OpBuilder &builder,
                        ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  for (Value init : op.getDpsInits())
    if (isa<RankedTensorType>(init.getType()))
      reifiedReturnShapes.push_back(
          tensor::getMixedSizes(builder, op->getLoc(), init));
  return success();
}

ParseResult attn::parseDestinations(
    OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &inits,
    SmallVectorImpl<Type> &initTypes, SmallVectorImpl<Type> &resultTypes) {
  if (parser.parseLParen() || parser.parseOperandList(inits) ||
      parser.parseColonTypeList(initTypes) || parser.parseRParen())
    return failure();
  for (Type type : initTypes)
    if (isa<TensorType>(type))
      resultTypes.push_back(type);
  return success();
}

void attn::printDestinations(OpAsmPrinter &printer, Operation *,
                             OperandRange inits, TypeRange initTypes,
                             TypeRange) {
  printer << "(" << inits << " : " << initTypes << ")";
}
