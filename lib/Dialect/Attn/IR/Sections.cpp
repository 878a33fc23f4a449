//===- Sections.cpp - Axes of rotary pairs ----------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which axis of a position turns which pair of a rotation, and what a folded
/// rotation must obey.
///
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"

using namespace mlir;
using namespace mlir::attn;

LogicalResult SectionsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   SectionOrder order,
                                   ArrayRef<int64_t> sizes) {
  int64_t axes = sizes.size();
  // sections_c2
  if (axes < 1 || axes > maxAxes)
    return emitError() << "expects 1 to " << maxAxes << " sections, got "
                       << axes;
  constexpr int64_t maxPairs = 1 << 19;
  int64_t pairs = 0;
  for (int64_t size : sizes) {
    // sections_c3
    if (size < 0 || size > maxPairs)
      return emitError() << "expects the size of a section to be from 0 to "
                         << maxPairs << ", got " << size;
    pairs += size;
  }
  if (order != SectionOrder::Interleaved)
    return success();
  // sections_c4: dealt out in turn, the pairs of an axis must not run past the
  // last one.
  for (int64_t axis = 1; axis < axes; ++axis)
    if (int64_t last = axis + axes * (sizes[axis] - 1);
        sizes[axis] > 0 && last >= pairs)
      return emitError() << "expects the last pair of section " << axis << " ("
                         << last
                         << ") to be less than the sum of all sections ("
                         << pairs << ")";
  return success();
}

int64_t SectionsAttr::getNumPairs() const {
  int64_t pairs = 0;
  for (int64_t size : getSizes())
    pairs += size;
  return pairs;
}

SmallVector<int64_t> SectionsAttr::getAxes() const {
  SmallVector<int64_t> axes;
  if (getOrder() != SectionOrder::Interleaved) {
    for (auto [axis, size] : llvm::enumerate(getSizes()))
      axes.append(size, axis);
    return axes;
  }
  for (int64_t pair = 0, e = getNumPairs(); pair < e; ++pair) {
    int64_t axis = pair % getNumAxes();
    bool isDealt = pair < getNumAxes() * getSizes()[axis];
    axes.push_back(isDealt ? axis : 0);
  }
  return axes;
}

LogicalResult RotationAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   RotaryLayout, int64_t first, bool) {
  // rotation_c2
  if (first < 0)
    return emitError() << "expects a non-negative 'first', got " << first;
  return success();
}
