//===- BufferizableOpInterfaceImpl.cpp - Bufferization ----------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Destinations are bufferized as upstream does it for other ops of that kind.
/// Data of masks and biases count as read where the mask or bias is made.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/BufferizableOpInterfaceImpl.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::bufferization;

/// Recreates `op` in front of it with buffers instead of tensors, without its
/// tensor results. Its regions move to the new op.
static FailureOr<Operation *>
recreateOnBuffers(Operation *op, RewriterBase &rewriter,
                  const BufferizationOptions &options,
                  BufferizationState &state) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (!isa<TensorType>(operand.getType())) {
      operands.push_back(operand);
      continue;
    }
    FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
    if (failed(buffer))
      return failure();
    operands.push_back(*buffer);
  }
  rewriter.setInsertionPoint(op);
  OperationState newState(op->getLoc(), op->getName());
  newState.addOperands(operands);
  newState.addAttributes(op->getDiscardableAttrDictionary().getValue());
  newState.propertiesAttr = op->getPropertiesAsAttribute();
  for (Type type : op->getResultTypes())
    if (!isa<TensorType>(type))
      newState.addTypes(type);
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    newState.addRegion();
  Operation *newOp = rewriter.create(newState);
  for (auto [from, to] : llvm::zip(op->getRegions(), newOp->getRegions()))
    rewriter.inlineRegionBefore(from, to, to.end());
  return newOp;
}

namespace {

/// Ops that write destinations.
template <typename Op>
struct DestinationModel
    : DstBufferizableOpInterfaceExternalModel<DestinationModel<Op>, Op> {
  /// Destinations are overwritten, not read, unless the op says so.
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return op->hasTrait<ReadsDestinations>() ||
           !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<Operation *> newOp =
        recreateOnBuffers(op, rewriter, options, state);
    if (failed(newOp))
      return failure();
    SmallVector<Value> buffers(
        cast<DestinationStyleOpInterface>(*newOp).getDpsInits());
    replaceOpWithBufferizedValues(rewriter, op, buffers);
    return success();
  }
};

/// Ops that make a mask or a bias and may hold tensors.
struct SymbolicModel
    : BufferizableOpInterface::ExternalModel<SymbolicModel,
                                             SymbolicOpInterface> {
  /// The op only holds its data: what uses the mask reads them. But the mask is
  /// no tensor, so the analysis does not follow it to its uses; were this no
  /// read, it would let the data be overwritten. `attn-sink-masks` makes the
  /// read here and the read of the user one place.
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    FailureOr<Operation *> newOp =
        recreateOnBuffers(op, rewriter, options, state);
    if (failed(newOp))
      return failure();
    rewriter.replaceOp(op, *newOp);
    return success();
  }
};

template <template <typename> class Model, typename... Ops>
void attachModels(MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

/// Attaches the model of masks and biases to every op of the dialect that makes
/// one, so that a new op needs no entry here.
void attachSymbolicModels(MLIRContext *context) {
  // All ops are looked at: the query by dialect misses ops of some dialects.
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (isa<AttnDialect>(name.getDialect()) &&
        name.hasInterface<SymbolicOpInterface>())
      name.attachInterface<SymbolicModel>();
}

} // namespace

void attn::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, AttnDialect *) {
    attachModels<DestinationModel, AttentionOp, CacheAppendOp, CrossEntropyOp,
                 LearnedPositionOp, MaterializeOp, MergeOp, PositionsOp,
                 RotaryOp, RotaryTableOp>(context);
    attachSymbolicModels(context);
  });
}
