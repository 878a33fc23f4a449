//===- RotateKeys.h - Rotated copy of the keys ------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rotation of the keys of one key/value head.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOVECTOR_ROTATEKEYS_H
#define ATTN_LIB_CONVERSION_ATTNTOVECTOR_ROTATEKEYS_H

#include "attn/Conversion/AttnToVector/AttentionKernel.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// Writes the rotated rows of `keys` `[Sk, Dk]` to `target`, of the accumulator
/// type. `rotation` has tables `[Sk, R/2]`.
void emitRotateKeys(ImplicitLocOpBuilder &b, Value keys,
                    const AttentionKernel::Rotation &rotation, Value target);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOVECTOR_ROTATEKEYS_H
