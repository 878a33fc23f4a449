//===- ToolSupport.cpp - Command lines and messages of tools ----*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Brings LLVM's messages about command lines and MLIR's diagnostics into one
/// form.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/ToolSupport.h"

#include "attn/Execution/Compiler.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;

/// `attn-run: Unknown argument 'x'.` becomes `unknown argument 'x'`.
static std::string normalize(StringRef line, StringRef tool) {
  line.consume_front(tool);
  line.consume_front(": ");
  std::string text = line.rtrim(".! ").str();
  if (!text.empty())
    text[0] = llvm::toLower(text[0]);
  return text;
}

bool attn::parseCommandLine(int argc, char **argv, StringRef tool,
                            StringRef overview,
                            llvm::cl::OptionCategory &category) {
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::SetVersionPrinter([&](raw_ostream &os) {
    os << tool << " (attn-mlir) " << ATTN_VERSION << ", LLVM "
       << LLVM_VERSION_STRING << "\n";
  });
  std::string messages;
  llvm::raw_string_ostream os(messages);
  if (llvm::cl::ParseCommandLineOptions(argc, argv, overview, &os))
    return true;
  SmallVector<StringRef> lines;
  StringRef(messages).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  SmallVector<std::string> parts;
  for (StringRef line : lines)
    parts.push_back(normalize(line, tool));
  // Some messages of LLVM go straight to the standard error.
  if (!parts.empty())
    llvm::errs() << tool << ": error: " << llvm::join(parts, "; ") << "\n";
  return false;
}

CompilerFlags::CompilerFlags(llvm::cl::OptionCategory &category)
    : cpu("cpu", llvm::cl::init("native"), llvm::cl::value_desc("name"),
          llvm::cl::desc(
              "Processor to compile for (native); help lists the names"),
          llvm::cl::cat(category)),
      threads(
          "threads", llvm::cl::init("0"), llvm::cl::value_desc("n"),
          llvm::cl::desc("Threads of parallel code; 0 leaves it to OpenMP (0)"),
          llvm::cl::cat(category)),
      noRaise("no-raise",
              llvm::cl::desc("Do not recover attention from the graph"),
              llvm::cl::cat(category)),
      printStages("print-stages",
                  llvm::cl::desc("Print each stage and its time"),
                  llvm::cl::cat(category)) {}

bool CompilerFlags::listCPUs() const {
  if (cpu != "help")
    return false;
  for (StringRef name : getCPUNames())
    llvm::outs() << name << "\n";
  return true;
}

llvm::Expected<unsigned> CompilerFlags::getThreads() const {
  unsigned number = 0;
  if (StringRef(threads).getAsInteger(10, number))
    return llvm::createStringError("--threads: expects a number, got '%s'",
                                   threads.c_str());
  return number;
}

int attn::reportError(StringRef tool, llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error), [](const DiagnosedError &) {},
      [&](const llvm::ErrorInfoBase &info) {
        llvm::errs() << tool << ": error: " << info.message() << "\n";
      });
  return exitFailure;
}

void attn::printStage(StringRef stage, double seconds) {
  llvm::errs() << llvm::left_justify(stage, 14)
               << llvm::format("%8.1f ms\n", seconds * 1e3);
}

ToolDiagnosticHandler::ToolDiagnosticHandler(StringRef tool,
                                             MLIRContext *context)
    : ScopedDiagnosticHandler(context), tool(tool) {
  setHandler([this](Diagnostic &diagnostic) { print(diagnostic); });
}

static void printLocation(Location location, raw_ostream &os) {
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn() << ": ";
}

void ToolDiagnosticHandler::print(Diagnostic &diagnostic) {
  DiagnosticSeverity severity = diagnostic.getSeverity();
  if (severity == DiagnosticSeverity::Remark ||
      severity == DiagnosticSeverity::Note)
    return;
  bool isError = severity == DiagnosticSeverity::Error;
  raw_ostream &os = llvm::errs();
  os << tool << (isError ? ": error: " : ": warning: ");
  printLocation(diagnostic.getLocation(), os);
  os << diagnostic << "\n";
  for (Diagnostic &note : diagnostic.getNotes()) {
    os << tool << ": note: ";
    printLocation(note.getLocation(), os);
    os << note << "\n";
  }
}
