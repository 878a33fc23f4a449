//===- attn-gen.cpp - Random programs for tests -----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints a random valid program of attn ops, or damages one.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/OutputFile.h"
#include "attn/Execution/ToolSupport.h"
#include "attn/Generate/Generator.h"
#include "attn/Generate/Mutator.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;
using llvm::createStringError;
namespace cl = llvm::cl;

static constexpr StringLiteral tool = "attn-gen";

static constexpr StringLiteral overview = R"(makes random programs for tests

  A program is a function main on tensors: attn ops with random masks, biases,
  rotations, types and sizes, and linalg, tensor, arith and scf ops around them.
  It is valid, and the same for the same seed and options on every machine. Its
  first lines are comments: the options that attn-run needs for its inputs, and
  for each result how far rounding may take it from the exact one.

  With --mutate, a program that exists is damaged instead; the result is most
  likely invalid.

Kinds of --emit:
  mlir         text (the default)
  bytecode     bytecode
  flags        the options of attn-run alone, one a line
  tolerances   the largest difference from the exact result, one a line

Examples:
  attn-gen --seed=7 -o -
  attn-gen --seed=7 --steps=2 --element=bf16 --max-size=9 -o program.mlir
  attn-gen --seed=7 --only=step.attention,mask.window,mask.and -o -
  attn-gen --list
  attn-run program.mlir --reference $(attn-gen --seed=7 --emit=flags -o -)
  attn-gen --mutate=program.mlir --seed=3 -o - | attn-opt

Exit codes:
  0  success
  1  wrong usage, or a program that does not verify, which is an error of
     attn-gen
)";

namespace {
struct GenOptions {
  cl::OptionCategory programs{"Programs"};
  cl::OptionCategory files{"Files"};

  cl::opt<std::string> seed{"seed", cl::init("0"), cl::value_desc("n"),
                            cl::desc("What program or damage it is (0)"),
                            cl::cat(programs)};
  cl::opt<std::string> steps{"steps", cl::init("4"), cl::value_desc("n"),
                             cl::desc("Steps that are chained (4)"),
                             cl::cat(programs)};
  cl::opt<std::string> maxSize{"max-size", cl::init("40"), cl::value_desc("n"),
                               cl::desc("Largest size of a dimension (40)"),
                               cl::cat(programs)};
  cl::opt<std::string> element{
      "element", cl::value_desc("type"),
      cl::desc("f64, f32, f16 or bf16 for all floats (any)"),
      cl::cat(programs)};
  cl::list<std::string> only{
      "only", cl::CommaSeparated, cl::value_desc("name,..."),
      cl::desc("Masks, biases and steps to choose from, see --list (all)"),
      cl::cat(programs)};
  cl::opt<bool> dynamicSizes{"dynamic-sizes", cl::init(true),
                             cl::desc("Whether sizes may be dynamic (true)"),
                             cl::cat(programs)};
  cl::opt<bool> zeroSizes{"zero-sizes", cl::init(true),
                          cl::desc("Whether sizes may be zero (true)"),
                          cl::cat(programs)};
  cl::opt<bool> list{"list", cl::ValueDisallowed,
                     cl::desc("Print the names that --only takes"),
                     cl::cat(programs)};
  cl::opt<std::string> emit{"emit", cl::init("mlir"), cl::value_desc("kind"),
                            cl::desc("What is made of it (mlir)"),
                            cl::cat(files)};
  cl::opt<std::string> mutate{"mutate", cl::value_desc("file"),
                              cl::desc("Damage this program, text or bytecode"),
                              cl::cat(files)};
  cl::opt<std::string> output{"o", cl::init("-"), cl::value_desc("file"),
                              cl::desc("Output; - is the standard output (-)"),
                              cl::cat(files)};
};
} // namespace

static llvm::Expected<GeneratorOptions> makeOptions(const GenOptions &options) {
  GeneratorOptions result;
  llvm::Expected<uint64_t> seed =
      parseNumber("seed", options.seed, /*low=*/0, UINT64_MAX);
  if (!seed)
    return seed.takeError();
  llvm::Expected<uint64_t> steps =
      parseNumber("steps", options.steps, /*low=*/1, /*high=*/1000);
  if (!steps)
    return steps.takeError();
  llvm::Expected<uint64_t> maxSize =
      parseNumber("max-size", options.maxSize, /*low=*/1, /*high=*/4096);
  if (!maxSize)
    return maxSize.takeError();
  std::vector<std::string> known = getMakerNames();
  for (const std::string &name : options.only)
    if (!llvm::is_contained(known, name))
      return createStringError("--only: unknown name '%s'; --list prints all",
                               name.c_str());
  if (!llvm::is_contained({"", "f64", "f32", "f16", "bf16"},
                          options.element.getValue()))
    return createStringError(
        "--element: expects f64, f32, f16 or bf16, got '%s'",
        options.element.c_str());
  result.seed = *seed;
  result.steps = static_cast<unsigned>(*steps);
  result.maxSize = static_cast<int64_t>(*maxSize);
  result.dynamicSizes = options.dynamicSizes;
  result.zeroSizes = options.zeroSizes;
  result.element = options.element;
  result.only.assign(options.only.begin(), options.only.end());
  return result;
}

static void printFlags(const GeneratedProgram &program, StringRef prefix,
                       raw_ostream &os) {
  if (!program.shapes.empty())
    os << prefix << "--shapes=" << llvm::join(program.shapes, ",") << "\n";
  if (!program.ranges.empty())
    os << prefix << "--random-range=" << llvm::join(program.ranges, ",")
       << "\n";
}

static void printTolerances(const GeneratedProgram &program, StringRef prefix,
                            raw_ostream &os) {
  for (double tolerance : program.tolerances)
    os << prefix << llvm::format("%.3g", tolerance) << "\n";
}

static llvm::Error generate(const GenOptions &options, StringRef kind) {
  llvm::Expected<GeneratorOptions> generator = makeOptions(options);
  if (!generator)
    return generator.takeError();
  MLIRContext context;
  ToolDiagnosticHandler diagnostics(tool, &context);
  GeneratedProgram program = generateProgram(&context, *generator);
  if (failed(verify(*program.module)))
    return llvm::make_error<DiagnosedError>("the program does not verify");
  return writeOutputFile(options.output, [&](raw_ostream &os) {
    if (kind == "flags") {
      printFlags(program, "", os);
    } else if (kind == "tolerances") {
      printTolerances(program, "", os);
    } else if (kind == "bytecode") {
      // Fails only where an older version of the format is asked for.
      (void)writeBytecodeToFile(*program.module, os);
    } else {
      printFlags(program, "// ", os);
      printTolerances(program, "// tolerance ", os);
      program.module->print(os);
    }
    return llvm::Error::success();
  });
}

static llvm::Error mutate(const GenOptions &options) {
  if (llvm::Error error =
          rejectOptions({&options.steps, &options.maxSize, &options.element,
                         std::addressof(options.only), &options.dynamicSizes,
                         &options.zeroSizes, &options.emit},
                        "does not go with --mutate"))
    return error;
  llvm::Expected<uint64_t> seed =
      parseNumber("seed", options.seed, /*low=*/0, UINT64_MAX);
  if (!seed)
    return seed.takeError();
  if (llvm::Error error = checkOverwrite(options.output, options.mutate))
    return error;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFileOrSTDIN(options.mutate);
  if (!file)
    return createStringError("cannot read '%s': %s", options.mutate.c_str(),
                             file.getError().message().c_str());
  return writeOutputFile(options.output, [&](raw_ostream &os) {
    os << mutateProgram((*file)->getBuffer(), *seed);
    return llvm::Error::success();
  });
}

static llvm::Error run(const GenOptions &options) {
  if (options.mutate.getNumOccurrences() > 0)
    return mutate(options);
  StringRef kind = options.emit;
  if (!llvm::is_contained({"mlir", "bytecode", "flags", "tolerances"}, kind))
    return createStringError("unknown kind '%s' of --emit; expects mlir, "
                             "bytecode, flags or tolerances",
                             kind.str().c_str());
  return generate(options, kind);
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  ignoreWriteSignals();
  cl::ResetCommandLineParser();
  GenOptions options;
  if (!parseCommandLine(argc, argv, tool, overview,
                        {&options.programs, &options.files}))
    return exitFailure;
  if (options.list) {
    for (const std::string &name : getMakerNames())
      llvm::outs() << name << "\n";
    return finishOutput(tool, exitSuccess);
  }
  if (llvm::Error error = run(options))
    return reportError(tool, std::move(error));
  return finishOutput(tool, exitSuccess);
}
