//===- LossTiling.cpp - Tiling of losses ------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A loss, a single number, is not cut at all.
///
//===----------------------------------------------------------------------===//

#include "TilingSpec.h"

using namespace mlir;
using namespace mlir::attn;

static TilingSpec getSpec(CrossEntropyOp op) {
  TilingSpec spec(0);
  spec.add(op.getInitsMutable(), {});
  return spec;
}

ATTN_DEFINE_TILING(CrossEntropyOp)

FailureOr<TilingResult>
CrossEntropyOp::getTiledImplementation(OpBuilder &builder,
                                       ArrayRef<OpFoldResult> offsets,
                                       ArrayRef<OpFoldResult> sizes) {
  return tile(*this, getSpec(*this), builder, offsets, sizes);
}
