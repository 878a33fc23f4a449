//===- SetOmpSchedule.cpp - Dynamic OpenMP schedules ------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The conversion from scf.parallel leaves the schedule of the work-sharing
/// loop open, which means static; this pass makes it dynamic.
///
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

namespace mlir::attn {
#define GEN_PASS_DEF_SETOMPSCHEDULEPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

namespace {
struct SetOmpSchedulePass
    : attn::impl::SetOmpSchedulePassBase<SetOmpSchedulePass> {
  void runOnOperation() override {
    getOperation()->walk([](omp::WsloopOp loop) {
      if (!loop.getScheduleKind())
        loop.setScheduleKind(omp::ClauseScheduleKind::Dynamic);
    });
  }
};
} // namespace
