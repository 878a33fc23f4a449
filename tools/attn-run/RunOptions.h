//===- RunOptions.h - The command line of attn-run --------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the command line says, and what it means once it is found to be sound.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTN_RUN_RUNOPTIONS_H
#define ATTN_TOOLS_ATTN_RUN_RUNOPTIONS_H

#include "attn/Execution/Compare.h"
#include "attn/Execution/RandomInputs.h"
#include "attn/Execution/ToolSupport.h"

namespace mlir::attn {

/// The command line. Made after the options of the LLVM library are dropped,
/// which would clash with these.
struct RunOptions {
  llvm::cl::OptionCategory graphs{"Graph and compilation"};
  llvm::cl::OptionCategory data{"Inputs and results"};
  llvm::cl::OptionCategory measuring{"Times"};

  llvm::cl::opt<std::string> graph{llvm::cl::Positional, llvm::cl::Optional,
                                   llvm::cl::desc("<graph.mlir | model.so>"),
                                   llvm::cl::cat(graphs)};
  llvm::cl::opt<std::string> entry{
      "entry", llvm::cl::init("main"), llvm::cl::value_desc("name"),
      llvm::cl::desc("Function of a graph to run (main)"),
      llvm::cl::cat(graphs)};
  llvm::cl::opt<std::string> manifest{
      "manifest", llvm::cl::value_desc("file"),
      llvm::cl::desc("Manifest of a library (beside it, .json)"),
      llvm::cl::cat(graphs)};
  llvm::cl::opt<std::string> reference{
      "reference", llvm::cl::ValueOptional, llvm::cl::value_desc("stage"),
      llvm::cl::desc("Interpret in double precision instead of compiling: the "
                     "graph as it is, or as it is after a stage"),
      llvm::cl::cat(graphs)};
  CompilerFlags compiler{graphs};

  llvm::cl::opt<std::string> inputs{
      "inputs", llvm::cl::value_desc("file"),
      llvm::cl::desc("Arrays in0, in1, ... (.npz), or in0 (.npy)"),
      llvm::cl::cat(data)};
  llvm::cl::opt<std::string> seed{
      "seed", llvm::cl::init("0"), llvm::cl::value_desc("n"),
      llvm::cl::desc("Seed of random inputs (0): floats are N(0, 1), integers "
                     "in [0, 8), bools 0 or 1"),
      llvm::cl::cat(data)};
  llvm::cl::list<std::string> shapes{
      "shapes", llvm::cl::CommaSeparated, llvm::cl::value_desc("in0=2x12,..."),
      llvm::cl::desc("Shapes of random inputs with dynamic sizes"),
      llvm::cl::cat(data)};
  llvm::cl::list<std::string> ranges{
      "random-range", llvm::cl::CommaSeparated,
      llvm::cl::value_desc("[inN=]a:b"),
      llvm::cl::desc("Random inputs in [a, b): all integer inputs, or the one "
                     "named"),
      llvm::cl::cat(data)};
  llvm::cl::opt<std::string> outputs{
      "outputs", llvm::cl::value_desc("file"),
      llvm::cl::desc("Where the results go (.npz, or .npy for a single one)"),
      llvm::cl::cat(data)};
  llvm::cl::opt<std::string> compare{"compare", llvm::cl::value_desc("file"),
                                     llvm::cl::desc("Expected results (.npz)"),
                                     llvm::cl::cat(data)};
  llvm::cl::opt<std::string> comparePrefix{
      "compare-prefix", llvm::cl::init("out"), llvm::cl::value_desc("prefix"),
      llvm::cl::desc("Names of the expected arrays: <prefix>0, ... (out)"),
      llvm::cl::cat(data)};
  llvm::cl::opt<std::string> atol{
      "atol", llvm::cl::init("1e-5"), llvm::cl::value_desc("x"),
      llvm::cl::desc("Absolute tolerance of --compare (1e-5)"),
      llvm::cl::cat(data)};
  llvm::cl::opt<std::string> rtol{
      "rtol", llvm::cl::init("1e-4"), llvm::cl::value_desc("x"),
      llvm::cl::desc("Tolerance relative to the expected value (1e-4)"),
      llvm::cl::cat(data)};

  llvm::cl::opt<std::string> benchmark{
      "benchmark", llvm::cl::ValueOptional, llvm::cl::value_desc("n"),
      llvm::cl::desc("Call the function n times (20) after warming up, print "
                     "times"),
      llvm::cl::cat(measuring)};
};

/// The options that have a form of their own, parsed.
struct RunSettings {
  bool isLibrary = false;
  bool interprets = false;
  unsigned threads = 0;
  RandomInputOptions random;
  Tolerance tolerance;
  /// 0 without --benchmark.
  unsigned numCalls = 0;
};

/// Fails on a value that is none, on options that do not go together, and on
/// outputs that would replace an input.
llvm::Expected<RunSettings> checkOptions(const RunOptions &options);

} // namespace mlir::attn

#endif // ATTN_TOOLS_ATTN_RUN_RUNOPTIONS_H
