//===- Attn.h - The attn dialect --------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The dialect, its types, attributes, interfaces and ops. The meaning of each
/// op is in its description in the .td files.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTN_H
#define ATTN_DIALECT_ATTN_IR_ATTN_H

#include "attn/Dialect/Attn/IR/PairBuilder.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "attn/Dialect/Attn/IR/AttnDialect.h.inc"
#include "attn/Dialect/Attn/IR/AttnEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/Attn/IR/AttnTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "attn/Dialect/Attn/IR/AttnAttrs.h.inc"

#include "attn/Dialect/Attn/IR/AttnInterfaces.h.inc"

namespace mlir::attn {
/// Of a destination-style op: its destinations are read, not only overwritten.
template <typename ConcreteOp>
class ReadsDestinations
    : public OpTrait::TraitBase<ConcreteOp, ReadsDestinations> {};

/// The type of the accumulators of an op on `value`, a float or a tensor or
/// memref of floats: f64 for f64, else f32.
FloatType getAccumulatorType(Value value);
} // namespace mlir::attn

#define GET_OP_CLASSES
#include "attn/Dialect/Attn/IR/AttnOps.h.inc"

namespace mlir::attn {

/// Whether a mask or bias, and all that it is made of, come from ops that
/// implement MaskOpInterface or BiasOpInterface, so that IR can be emitted for
/// it. False for block arguments, for results of other ops, and for what would
/// be emitted as thousands of ops (a tree that deep, or operands shared at
/// every level).
bool isKnownMaskOrBias(Value value);

/// Fails unless `value`, the operand of `op` called `name` in messages, is null
/// or a known mask or bias. The error has a note at what is not known.
LogicalResult verifyKnownMaskOrBias(Operation *op, StringRef name, Value value);

/// Assembly of the destinations of an op: `(%a, %b : type, type)`. Results
/// follow from them: one per tensor.
ParseResult parseDestinations(
    OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &inits,
    SmallVectorImpl<Type> &initTypes, SmallVectorImpl<Type> &resultTypes);
void printDestinations(OpAsmPrinter &printer, Operation *op, OperandRange inits,
                       TypeRange initTypes, TypeRange resultTypes);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_ATTN_H
