//===- AttnTransformOps.h - Transform dialect extension ---------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Ops of the transform dialect for the transformations of attn ops, so that a
/// schedule can say which attention is planned and tiled, and how.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMOPS_ATTNTRANSFORMOPS_H
#define ATTN_DIALECT_ATTN_TRANSFORMOPS_ATTNTRANSFORMOPS_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "attn/Dialect/Attn/TransformOps/AttnTransformOps.h.inc"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::attn {

/// Registers `transform.attn.*` and `transform.apply_patterns.attn.*`.
void registerTransformDialectExtension(DialectRegistry &registry);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMOPS_ATTNTRANSFORMOPS_H
