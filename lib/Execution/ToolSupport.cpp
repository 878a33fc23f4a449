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

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

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

/// Finds what LLVM would report straight to the standard error, in a form of
/// its own: a value that is missing or that a flag cannot have.
static llvm::Error checkValues(ArrayRef<char *> arguments) {
  auto &known = llvm::cl::getRegisteredOptions();
  for (size_t i = 1; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (argument == "--")
      break;
    auto [name, value] = argument.ltrim('-').split('=');
    auto it = known.find(name);
    if (it == known.end() || !argument.starts_with("-"))
      continue;
    bool hasValue = argument.contains('=');
    llvm::cl::ValueExpected expected = it->second->getValueExpectedFlag();
    if (expected == llvm::cl::ValueDisallowed && hasValue)
      return llvm::createStringError("option '%s' takes no value",
                                     argument.str().c_str());
    // The value may also be the next argument.
    if (expected == llvm::cl::ValueRequired && !hasValue &&
        ++i == arguments.size())
      return llvm::createStringError("option '%s' expects a value",
                                     argument.str().c_str());
  }
  return llvm::Error::success();
}

/// Of an option that is given twice, one value would be ignored.
static llvm::Error
checkRepetition(ArrayRef<const llvm::cl::OptionCategory *> categories) {
  SmallVector<StringRef> repeated;
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (option->getNumOccurrences() > 1 &&
        option->getNumOccurrencesFlag() != llvm::cl::ZeroOrMore &&
        llvm::is_contained(categories, option->Categories.front()))
      repeated.push_back(name);
  if (repeated.empty())
    return llvm::Error::success();
  llvm::sort(repeated);
  return llvm::createStringError("option '%s%s' is given more than once",
                                 repeated.front().size() > 1 ? "--" : "-",
                                 repeated.front().str().c_str());
}

void attn::ignoreWriteSignals() {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

int attn::finishOutput(StringRef tool, int exitCode) {
  llvm::raw_fd_ostream &os = llvm::outs();
  os.flush();
  if (!os.has_error())
    return exitCode;
  std::string message = os.error().message();
  // A stream with an error ends the process when it is destroyed.
  os.clear_error();
  return reportError(
      tool, llvm::createStringError("cannot write the standard output: %s",
                                    message.c_str()));
}

void attn::setVersionPrinter(StringRef tool) {
  llvm::cl::SetVersionPrinter([tool](raw_ostream &os) {
    os << tool << " (attn-mlir) " << ATTN_VERSION << ", LLVM "
       << LLVM_VERSION_STRING << "\n";
  });
}

bool attn::parseCommandLine(
    int argc, char **argv, StringRef tool, StringRef overview,
    ArrayRef<const llvm::cl::OptionCategory *> categories) {
  llvm::cl::HideUnrelatedOptions(categories);
  setVersionPrinter(tool);
  if (llvm::Error error = checkValues(ArrayRef(argv, argc))) {
    reportError(tool, std::move(error));
    return false;
  }
  std::string messages;
  llvm::raw_string_ostream os(messages);
  if (llvm::cl::ParseCommandLineOptions(argc, argv, overview, &os)) {
    llvm::Error error = checkRepetition(categories);
    if (!error)
      return true;
    reportError(tool, std::move(error));
    return false;
  }
  SmallVector<StringRef> lines;
  StringRef(messages).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  SmallVector<std::string> parts;
  for (StringRef line : lines)
    parts.push_back(normalize(line, tool));
  llvm::errs() << tool << ": error: " << llvm::join(parts, "; ") << "\n";
  return false;
}

llvm::Expected<uint64_t> attn::parseNumber(StringRef option, StringRef text,
                                           uint64_t low, uint64_t high) {
  uint64_t number;
  if (!text.getAsInteger(10, number) && number >= low && number <= high)
    return number;
  return llvm::createStringError(
      llvm::formatv("--{0}: expects a number from {1} to {2}, got '{3}'",
                    option, low, high, text)
          .str());
}

llvm::Error
attn::rejectOptions(std::initializer_list<const llvm::cl::Option *> options,
                    const Twine &reason) {
  for (const llvm::cl::Option *option : options)
    if (option->getNumOccurrences() > 0)
      return llvm::createStringError("--" + option->ArgStr + " " + reason);
  return llvm::Error::success();
}

/// More threads than any machine of today has; OpenMP ends the process where it
/// cannot start as many as it was told.
static constexpr unsigned maxThreads = 1024;

CompilerFlags::CompilerFlags(llvm::cl::OptionCategory &category)
    : cpu("cpu", llvm::cl::init("native"), llvm::cl::value_desc("name"),
          llvm::cl::desc("Processor to compile for (native); help lists the "
                         "names"),
          llvm::cl::cat(category)),
      threads("threads", llvm::cl::init("0"), llvm::cl::value_desc("n"),
              llvm::cl::desc("Threads of parallel code, up to 1024; 0 leaves "
                             "it to OpenMP (0)"),
              llvm::cl::cat(category)),
      noRaise("no-raise", llvm::cl::ValueDisallowed,
              llvm::cl::desc("Do not recover attention from the graph"),
              llvm::cl::cat(category)),
      exactMasks("exact-masks", llvm::cl::ValueDisallowed,
                 llvm::cl::desc("Take a finite number for a mask only where no "
                                "logit tells the difference"),
                 llvm::cl::cat(category)),
      noVectorize("no-vectorize", llvm::cl::ValueDisallowed,
                  llvm::cl::desc("Compile to plain scalar loops"),
                  llvm::cl::cat(category)),
      printStages("print-stages", llvm::cl::ValueDisallowed,
                  llvm::cl::desc("Print each stage and its time to the "
                                 "standard error"),
                  llvm::cl::cat(category)) {}

bool CompilerFlags::listCPUs() const {
  if (cpu != "help")
    return false;
  for (StringRef name : getCPUNames())
    llvm::outs() << name << "\n";
  return true;
}

llvm::Expected<unsigned> CompilerFlags::getThreads() const {
  llvm::Expected<uint64_t> number =
      parseNumber("threads", threads, /*low=*/0, maxThreads);
  if (!number)
    return number.takeError();
  return static_cast<unsigned>(*number);
}

llvm::Expected<CompilerOptions> CompilerFlags::makeOptions() const {
  llvm::Expected<unsigned> numThreads = getThreads();
  if (!numThreads)
    return numThreads.takeError();
  if (noRaise)
    if (llvm::Error error =
            rejectOptions({&exactMasks}, "does not go with --no-raise"))
      return error;
  llvm::Expected<CPUTarget> target = CPUTarget::get(cpu);
  if (!target)
    return target.takeError();
  CompilerOptions options{std::move(*target)};
  options.raise = !noRaise;
  options.exactMasks = exactMasks;
  options.vectorize = !noVectorize;
  options.threads = *numThreads;
  return options;
}

int attn::reportError(StringRef tool, llvm::Error error) {
  int exitCode = exitFailure;
  llvm::handleAllErrors(
      std::move(error),
      [&](const DiagnosedError &info) { exitCode = info.getExitCode(); },
      [&](const llvm::ErrorInfoBase &info) {
        llvm::errs() << tool << ": error: " << info.message() << "\n";
      });
  return exitCode;
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
