//===- AttnOps.td - All ops of the attn dialect ------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNOPS_TD

include "attn/Dialect/Attn/IR/AttnAttentionOps.td"
include "attn/Dialect/Attn/IR/AttnBiasOps.td"
include "attn/Dialect/Attn/IR/AttnDecodingOps.td"
include "attn/Dialect/Attn/IR/AttnEncodingOps.td"
include "attn/Dialect/Attn/IR/AttnLossOps.td"
include "attn/Dialect/Attn/IR/AttnMaskOps.td"
include "attn/Dialect/Attn/IR/AttnRotaryOps.td"

#endif // ATTN_DIALECT_ATTN_IR_ATTNOPS_TD
