

#include "attn/Execution/Bytecode.h"
#include "attn/Execution/OutputFile.h"
#include "attn/Execution/ToolSupport.h"
#include "attn/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::attn;

static constexpr StringLiteral tool = "attn-opt";

static constexpr StringLiteral overview =
    R"(runs passes: those of mlir-opt, and those of attn-mlir (--attn-...)

Pipelines:
  --attn-raise         recovers attention, masks, biases and position encodings
  --attn-cpu-pipeline  takes a graph to the LLVM dialect, recovery included;
                       its option stage stops earlier

Examples:
  attn-opt graph.mlir --attn-raise -o raised.mlir
  attn-opt graph.mlir --attn-raise --remarks-filter=attn-raise -o /dev/null
  attn-opt graph.mlir --attn-cpu-pipeline=stage=planned
  attn-opt graph.mlir --pass-pipeline='builtin.module(attn-raise,attn-fuse)'

Exit codes:
  0  success
  1  wrong usage or input, or a pass failed; no output is written
)";

/// What mlir-opt does with its files, except that the output is complete or
/// absent, and never the input.
static llvm::Error run(StringRef input, StringRef output,
                       DialectRegistry &registry,
                       const MlirOptMainConfig &config) {
  if (llvm::Error error = checkOverwrite(output, input))
    return error;
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> graph = openInputFile(input, &message);
  if (!graph)
    return llvm::createStringError(message);
  if (llvm::Error error = checkBytecode(input, *graph, registry))
    return error;
  return writeOutputFile(output, [&](raw_ostream &os) -> llvm::Error {
    LogicalResult result = failure();
    if (llvm::Error error = runOnUncheckedInput(input, [&] {
          result = MlirOptMain(os, std::move(graph), registry, config);
        }))
      reportError(tool, std::move(error));
    if (succeeded(result))
      return llvm::Error::success();
    return llvm::make_error<DiagnosedError>("a diagnostic says why");
  });
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  ignoreWriteSignals();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllPasses();
  registerAllAttnDialects(registry);
  registerAllAttnPasses();
  setVersionPrinter(tool);
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv, overview, registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  if (llvm::Error error = run(input, output, registry, config))
    return reportError(tool, std::move(error));
  return exitSuccess;
}
