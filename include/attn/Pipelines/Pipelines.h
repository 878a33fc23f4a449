//===- Pipelines.h - Pass pipelines -----------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pipelines of the project as options structs and build functions.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_PIPELINES_PIPELINES_H
#define ATTN_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::attn {

/// The parts of `buildCPUPipeline`, by what they make.
enum class CPUStageKind {
  /// Run-time checks of what the graph expects.
  Checked,
  /// Attn ops.
  Raised,
  /// Attn ops, fused and with a plan.
  Planned,
  /// Fused linalg ops on tensors.
  Linalg,
  /// Linalg ops and attention on memrefs.
  Bufferized,
  /// The LLVM dialect.
  LLVM,
};

/// Options of the road from linalg on tensors to the LLVM dialect.
struct CPUPipelineOptions : PassPipelineOptions<CPUPipelineOptions> {
  PassOptions::Option<unsigned> threads{
      *this, "threads",
      llvm::cl::desc("Number of threads; 0 leaves it to the OpenMP runtime"),
      llvm::cl::init(0)};
  PassOptions::Option<unsigned> vectorBits{
      *this, "vector-bits",
      llvm::cl::desc("Width of a vector register in bits; 0 takes the widest "
                     "of this machine"),
      llvm::cl::init(0)};
  PassOptions::Option<bool> raise{*this, "raise",
                                  llvm::cl::desc("Recover attn ops first"),
                                  llvm::cl::init(true)};
  PassOptions::Option<bool> exactMasks{
      *this, "exact-masks",
      llvm::cl::desc("Take a finite number for a mask only where no logit "
                     "tells the difference"),
      llvm::cl::init(false)};
  PassOptions::Option<bool> vectorize{*this, "vectorize",
                                      llvm::cl::desc("Vectorise the loops"),
                                      llvm::cl::init(true)};
  PassOptions::Option<bool> parallel{
      *this, "parallel",
      llvm::cl::desc("Run big loops on several threads (OpenMP)"),
      llvm::cl::init(true)};
  PassOptions::Option<CPUStageKind> stage{
      *this, "stage", llvm::cl::desc("Stop after this stage"),
      llvm::cl::init(CPUStageKind::LLVM),
      llvm::cl::values(
          clEnumValN(CPUStageKind::Checked, "checked", "run-time checks added"),
          clEnumValN(CPUStageKind::Raised, "raised", "attn ops recovered"),
          clEnumValN(CPUStageKind::Planned, "planned",
                     "attn ops, fused and with a plan"),
          clEnumValN(CPUStageKind::Linalg, "linalg",
                     "fused linalg ops on tensors"),
          clEnumValN(CPUStageKind::Bufferized, "bufferized",
                     "linalg ops and attention on memrefs"),
          clEnumValN(CPUStageKind::LLVM, "llvm", "the LLVM dialect"))};
};

/// Options of the recovery of attn ops from linalg on tensors.
struct RaiseOptions : PassPipelineOptions<RaiseOptions> {
  PassOptions::Option<bool> positions{
      *this, "positions", llvm::cl::desc("Recover learned position tables"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> rotary{
      *this, "rotary",
      llvm::cl::desc("Recover rotary embedding and its tables"),
      llvm::cl::init(true)};
  PassOptions::Option<bool> attention{*this, "attention",
                                      llvm::cl::desc("Recover attention"),
                                      llvm::cl::init(true)};
  PassOptions::Option<bool> exactMasks{
      *this, "exact-masks",
      llvm::cl::desc("Take a finite number for a mask only where no logit "
                     "tells the difference"),
      llvm::cl::init(false)};
};

/// A part of `buildCPUPipeline`. The IR after it is readable and verifies.
struct CPUStage {
  CPUStageKind kind;
  StringRef name;
  StringRef description;
  void (*build)(OpPassManager &pm, const CPUPipelineOptions &options);
};

/// The stages in order. The last one gives the LLVM dialect.
ArrayRef<CPUStage> getCPUStages();

/// The stage called `name`, or null.
const CPUStage *findCPUStage(StringRef name);

/// Whether the options leave out `stage`.
inline bool isSkipped(const CPUStage &stage,
                      const CPUPipelineOptions &options) {
  return stage.kind == CPUStageKind::Raised && !options.raise;
}

/// Adds run-time checks of what the graph expects of sizes, calls and types.
/// Raising removes ops that imply checks, and adds ops that need some: it has
/// to stand before and after `buildRaisePipeline`.
void buildCheckPipeline(OpPassManager &pm);

/// Recovers attn ops from linalg on tensors.
void buildRaisePipeline(OpPassManager &pm, const RaiseOptions &options);

/// Simplifies and fuses linalg ops on tensors: decomposes tensor ops, fuses
/// elementwise chains, folds transposed and broadcast weights.
void buildLinalgOptimizationPipeline(OpPassManager &pm,
                                     const CPUPipelineOptions &options);

/// Takes functions on tensors to functions on memrefs. Results of public
/// functions are buffers that the caller owns and frees.
void buildBufferizationPipeline(OpPassManager &pm,
                                const CPUPipelineOptions &options);

/// Takes linalg, vector and loops on memrefs to the LLVM dialect.
void buildLowerToLLVMPipeline(OpPassManager &pm,
                              const CPUPipelineOptions &options);

/// Simplifies attn ops, folds rotations into attention, and chooses the
/// blocking of each attention.
void buildPlanPipeline(OpPassManager &pm, const CPUPipelineOptions &options);

/// Takes planned attn ops on tensors to tiles of attention and linalg ops;
/// without vectorisation, to plain loops. Part of
/// `buildLinalgOptimizationPipeline`.
void buildAttentionTilingPipeline(OpPassManager &pm,
                                  const CPUPipelineOptions &options);

/// Takes attention on memrefs to vector code, and `scf.forall` to loops. Part
/// of `buildLowerToLLVMPipeline`.
void buildAttentionKernelPipeline(OpPassManager &pm,
                                  const CPUPipelineOptions &options);

/// The width of a vector register in bits: as asked, or the widest of this
/// machine.
unsigned getVectorBits(const CPUPipelineOptions &options);

/// The stages in order, up to `options.stage`.
/// Public functions can be called through their C interface, see
/// `attn-entry-abi`.
void buildCPUPipeline(OpPassManager &pm, const CPUPipelineOptions &options);

/// Registers `attn-cpu-pipeline` and `attn-raise`.
void registerAttnPipelines();

} // namespace mlir::attn

#endif // ATTN_PIPELINES_PIPELINES_H
