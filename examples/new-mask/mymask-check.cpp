// Compiles the function @main of a graph, calls it with random inputs, and
// compares each result with that of the reference interpreter.
#include "MyMask.h"
#include "attn/Execution/Compare.h"
#include "attn/Execution/Compiler.h"
#include "attn/Execution/Program.h"
#include "attn/Execution/RandomInputs.h"
#include "attn/Execution/ReferenceRun.h"

using namespace mlir;
using namespace mlir::attn;

int main(int argc, char **argv) {
  llvm::ExitOnError check("mymask-check: error: ");
  if (argc != 2)
    check(llvm::createStringError("usage: mymask-check graph.mlir"));
  DialectRegistry registry;
  registerCompilerDialects(registry);
  mymask::registerMyMask(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> graph = check(parseGraph(argv[1], &context));
  Signature signature = check(prepareEntry(*graph, "main"));
  SmallVector<NdArray, 0> inputs;
  for (NamedArray &input : check(makeRandomInputs(signature, {})))
    inputs.push_back(std::move(input.array));

  reference::InterpreterOptions meanings;
  meanings.symbolicOps["mymask.dilated"] = mymask::evaluateDilated;
  auto expected = check(runReference(*graph, "main", inputs, meanings));

  CompilerOptions options{check(CPUTarget::get("native"))};
  auto ignore = [](const CPUStage &, double) { return llvm::Error::success(); };
  check(runStages(*graph, options, ignore));
  Program program =
      check(Program::compile(*graph, "main", signature, options.target));
  ProgramResult result = check(program.run(inputs));

  bool passed = true;
  for (auto [got, truth] : llvm::zip_equal(result.outputs, expected)) {
    Comparison comparison = check(compareArrays(got, truth, Tolerance()));
    printComparison(comparison, got, truth, llvm::outs());
    llvm::outs() << "\n";
    passed &= comparison.passed();
  }
  return passed ? 0 : 2;
}
