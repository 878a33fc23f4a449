//===- Generator.cpp - Random valid programs --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Generate/Generator.h"

#include "ProgramBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <cmath>

using namespace mlir;
using namespace mlir::attn;

void attn::loadGeneratedDialects(MLIRContext *context) {
  context->loadDialect<AttnDialect, arith::ArithDialect, func::FuncDialect,
                       linalg::LinalgDialect, math::MathDialect,
                       scf::SCFDialect, tensor::TensorDialect>();
}

static SmallVector<StepMaker> getSteps() {
  SmallVector<StepMaker> steps;
  for (ArrayRef<StepMaker> table :
       {getAttentionSteps(), getDecodingSteps(), getEncodingSteps(),
        getGraphSteps(), getShapeSteps()})
    llvm::append_range(steps, table);
  return steps;
}

std::vector<std::string> attn::getMakerNames() {
  std::vector<std::string> names;
  for (const MaskMaker &maker : getMaskMakers())
    names.push_back(maker.name.str());
  for (const BiasMaker &maker : getBiasMakers())
    names.push_back(maker.name.str());
  for (const StepMaker &maker : getSteps())
    names.push_back(maker.name.str());
  return names;
}

/// The tensor that the first step starts from, `[B, H, S, D]`.
static Tensor makeFirst(ProgramBuilder &p) {
  Dim batch =
      p.dim(p.options.zeroSizes && p.random.chance(2)
                ? 0
                : p.random.between(1, std::min<int64_t>(3, p.options.maxSize)));
  Dim heads =
      p.dim(p.options.zeroSizes && p.random.chance(2)
                ? 0
                : p.random.between(1, std::min<int64_t>(6, p.options.maxSize)));
  FloatType element = p.randomFloat();
  Dim length = p.dim();
  Dim width = p.dim();
  return p.input(element, {batch, heads, length, width});
}

/// Numbers that a 16-bit float overflows at, or whose error says nothing, end a
/// chain.
static bool isUseful(const Tensor &x) { return x.bound < 1e3 && x.error < 0.1; }

GeneratedProgram attn::generateProgram(MLIRContext *context,
                                       const GeneratorOptions &options) {
  loadGeneratedDialects(context);
  GeneratedProgram program;
  program.module = ModuleOp::create(UnknownLoc::get(context));
  ProgramBuilder p(*program.module, options);
  SmallVector<StepMaker> weighted;
  for (const StepMaker &step : getSteps())
    weighted.append(step.weight, step);

  Tensor x = makeFirst(p);
  for (unsigned i = 0; i < options.steps; ++i) {
    const StepMaker &step = p.chooseMaker(ArrayRef<StepMaker>(weighted));
    Tensor next = step.make(p, x);
    if (!next.value)
      continue;
    if (next.value != x.value && p.random.chance(30))
      p.result(next.value, next.error);
    x = isUseful(next) ? next : makeFirst(p);
  }
  p.result(x.value, x.error);
  p.finish(program);
  return program;
}
