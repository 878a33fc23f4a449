//===- CheckDecodingSizes.cpp - Sizes of caches and merges ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What attn.cache_append and attn.merge expect of the sizes of their operands.
///
//===----------------------------------------------------------------------===//

#include "SizeChecker.h"
#include "attn/Dialect/Attn/IR/Attn.h"

using namespace mlir;
using namespace mlir::attn;

void attn::checkCacheAppend(SizeChecker &checker, CacheAppendOp op) {
  Value rows = op.getNewRows(), cache = op.getInits()[0];
  for (int64_t dim : {0, 1, 3})
    checker.requireEqual(op, getDim("new", rows, dim),
                         getDim("outs", cache, dim));
  auto start = dyn_cast<RankedTensorType>(op.getStart().getType());
  if (start && start.getDimSize(0) != 1)
    checker.requireEqual(op, getDim("start", op.getStart(), 0),
                         getDim("outs", cache, 0));
  SizeExpressions &sizes = checker.getSizes();
  checker.requireNonNegative(
      op, sizes.getSize(cache, 2) - sizes.getSize(rows, 2),
      "expects length of 'new' of attn.cache_append to be at most that of "
      "'outs'");
}

void attn::checkMerge(SizeChecker &checker, MergeOp op) {
  Value output = op.getOutputInit();
  auto require = [&](const Twine &name, Value value, int64_t rank) {
    for (int64_t dim = 0; dim < rank; ++dim)
      checker.requireEqual(op, getDim(name, value, dim),
                           getDim("outs", output, dim));
  };
  for (auto [number, partial] : llvm::enumerate(op.getPartials()))
    require("partial " + Twine(number), partial, 4);
  for (auto [number, lse] : llvm::enumerate(op.getLses()))
    require("lse " + Twine(number), lse, 3);
  if (Value lse = op.getLseInit())
    require("lse", lse, 3);
}
