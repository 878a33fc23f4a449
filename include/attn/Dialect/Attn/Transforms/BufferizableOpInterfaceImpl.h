//===- BufferizableOpInterfaceImpl.h - Bufferization ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define ATTN_DIALECT_ATTN_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class Dialect;
class DialectRegistry;
} // namespace mlir

namespace mlir::attn {

/// Lets one-shot bufferization turn every attn op on tensors into the same op
/// on memrefs. Masks and biases must sit next to their uses (attn-sink-masks).
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

/// Lets one-shot bufferization do the same with every op of `dialect` that
/// makes a mask or a bias. Another dialect calls it in an extension of its own.
void attachSymbolicBufferizationModels(Dialect *dialect);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
