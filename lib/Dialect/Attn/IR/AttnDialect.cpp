//===- AttnDialect.cpp - The attn dialect -----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Registration of the dialect, and its small attributes.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn;

#include "attn/Dialect/Attn/IR/AttnDialect.cpp.inc"
#include "attn/Dialect/Attn/IR/AttnEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/Attn/IR/AttnTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "attn/Dialect/Attn/IR/AttnAttrs.cpp.inc"

#include "attn/Dialect/Attn/IR/AttnInterfaces.cpp.inc"

void AttnDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "attn/Dialect/Attn/IR/AttnTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "attn/Dialect/Attn/IR/AttnAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "attn/Dialect/Attn/IR/AttnOps.cpp.inc"
      >();
}

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t queryBlock, int64_t keyBlock,
                               int64_t rows) {
  // plan_c1
  if (queryBlock <= 0 || keyBlock <= 0 || rows <= 0)
    return emitError() << "expects positive sizes in the plan, got query_block "
                       << queryBlock << ", key_block " << keyBlock << ", rows "
                       << rows;
  // plan_c2
  if (queryBlock > maxAccumulators || rows > maxAccumulators / queryBlock)
    return emitError() << "expects at most " << maxAccumulators
                       << " accumulators in the plan, got query_block "
                       << queryBlock << " times rows " << rows;
  // plan_c3
  if (keyBlock > maxKeyBlock)
    return emitError() << "expects 'key_block' of the plan to be at most "
                       << maxKeyBlock << ", got " << keyBlock;
  return success();
}
