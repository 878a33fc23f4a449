//===- Reduction.cpp - Reduction of programs --------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// MLIR's `reduction-tree` erases ops that it goes on from where the test does
/// not want what folding leaves, and it can be guarded only from outside, where
/// all that it found is lost. So this is a reducer of its own: it makes one
/// change at a time, in a process that may crash, since the fault that a
/// program shows may be in what folds or prints it.
///
//===----------------------------------------------------------------------===//

#include "Reduction.h"
#include "AttnSimplifications.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::attn;
using llvm::createStringError;

//===----------------------------------------------------------------------===//
// Trying
//===----------------------------------------------------------------------===//

/// Makes the change and ends the process, quietly whatever happens. Writes the
/// program, or why there is none.
[[noreturn]] static void
changeAndExit(ModuleOp module, llvm::function_ref<LogicalResult()> change,
              StringRef path) {
  for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP})
    std::signal(signal, SIG_DFL);
  int sink = open("/dev/null", O_WRONLY);
  dup2(sink, STDOUT_FILENO);
  dup2(sink, STDERR_FILENO);
  std::string message;
  module.getContext()->getDiagEngine().registerHandler(
      [&](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          message = diagnostic.str();
      });
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    _exit(EXIT_FAILURE);
  bool isMade = succeeded(change()) && succeeded(verify(module));
  if (isMade)
    module.print(os);
  else
    os << message;
  os.flush();
  _exit(isMade && !os.has_error() ? EXIT_SUCCESS : EXIT_FAILURE);
}

static llvm::Expected<std::string> readText(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::errorCodeToError(buffer.getError());
  return (*buffer)->getBuffer().str();
}

llvm::Expected<std::string> Reduction::make(Change change) {
  StringRef path = file->getFilename();
  pid_t child = fork();
  if (child == 0)
    changeAndExit(module, change, path);
  int status = 0;
  if (child < 0 ||
      llvm::sys::RetryAfterSignal(-1, waitpid, child, &status, 0) != child)
    return llvm::errorCodeToError(
        std::error_code(errno, std::generic_category()));
  if (!WIFEXITED(status))
    return createStringError("the compiler crashed");
  llvm::Expected<std::string> text = readText(path);
  if (!text || WEXITSTATUS(status) == EXIT_SUCCESS)
    return text;
  return createStringError(*text);
}

llvm::Error Reduction::start() {
  SmallString<128> path;
  int descriptor;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile(
          "attn-reduce", "mlir", descriptor, path))
    return createStringError(code, "cannot make a temporary file: %s",
                             code.message().c_str());
  file = std::make_unique<llvm::ToolOutputFile>(path, descriptor);
  llvm::Expected<std::string> text = make([] { return success(); });
  if (!text)
    return text.takeError();
  size = text->size();
  llvm::Expected<bool> isWanted = test.wants(path);
  if (!isWanted)
    return isWanted.takeError();
  if (!*isWanted)
    return createStringError("nothing was reduced; test '%s' exits with 0 for "
                             "the program that it was to reduce",
                             test.script.c_str());
  return llvm::Error::success();
}

llvm::Expected<bool> Reduction::tryToShrink(Change change) {
  llvm::Expected<std::string> text = make(change);
  if (!text)
    return text.takeError();
  if (text->size() >= size || !seen.insert(llvm::xxh3_64bits(*text)).second)
    return false;
  llvm::Expected<bool> isWanted = test.wants(file->getFilename());
  if (!isWanted) {
    testFailure = llvm::toString(isWanted.takeError());
    return false;
  }
  if (!*isWanted)
    return false;
  // The text is what the test has seen. A program that does not read back is
  // none that helps.
  ScopedDiagnosticHandler silence(module->getContext(),
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> smaller =
      parseSourceString<ModuleOp>(*text, module->getContext());
  if (!smaller)
    return false;
  module->setAttrs((*smaller)->getAttrDictionary());
  module.getBodyRegion().takeBody(smaller->getBodyRegion());
  size = text->size();
  return true;
}

bool Reduction::shrink(Change change) {
  llvm::Expected<bool> isSmaller = tryToShrink(change);
  if (isSmaller)
    return *isSmaller;
  // What cannot be made only is a way that leads nowhere.
  llvm::consumeError(isSmaller.takeError());
  return false;
}

//===----------------------------------------------------------------------===//
// Erasing ops
//===----------------------------------------------------------------------===//

/// In the order of the text. Terminators go with what they end.
static SmallVector<Operation *> getOps(ModuleOp module) {
  SmallVector<Operation *> ops;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && !op->hasTrait<OpTrait::IsTerminator>())
      ops.push_back(op);
  });
  return ops;
}

/// The operands that can stand in for a result, destinations first.
static SmallVector<Value> getStandIns(OpResult result) {
  SmallVector<Value> values;
  for (Value operand : llvm::reverse(result.getOwner()->getOperands()))
    if (operand.getType() == result.getType() &&
        operand.getDefiningOp() != result.getOwner() &&
        !llvm::is_contained(values, operand))
      values.push_back(operand);
  return values;
}

/// In how many ways an op can be erased.
static size_t countWays(Operation *op) {
  size_t ways = 1;
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    size_t standIns = getStandIns(result).size();
    if (standIns == 0)
      return 0;
    ways = std::max(ways, standIns);
  }
  return ways;
}

static void eraseOp(Operation *op, size_t way) {
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    SmallVector<Value> values = getStandIns(result);
    result.replaceAllUsesWith(values[std::min(way, values.size() - 1)]);
  }
  op->erase();
}

bool Reduction::eraseRange(ArrayRef<Operation *> ops) {
  size_t ways = 0;
  for (Operation *op : ops)
    ways = std::max(ways, countWays(op));
  // Of several ops, all combinations would be too many.
  if (ops.size() > 1)
    ways = std::min<size_t>(ways, 1);
  for (size_t way = 0; way < ways; ++way)
    if (shrink([&] {
          // Users go before what they use, and inner ops before outer ones.
          for (Operation *op : llvm::reverse(ops))
            if (countWays(op) > 0)
              eraseOp(op, way);
          return success();
        }))
      return true;
  return false;
}

bool Reduction::eraseOps() {
  uint64_t before = size;
  SmallVector<Operation *> ops = getOps(module);
  for (size_t length = llvm::bit_floor(ops.size()); length > 0; length /= 2)
    for (size_t end = ops.size(); end > 0;) {
      size_t begin = end - std::min(length, end);
      if (eraseRange(ArrayRef(ops).slice(begin, end - begin)))
        ops = getOps(module);
      end = std::min(begin, ops.size());
    }
  return size < before;
}

//===----------------------------------------------------------------------===//
// Other changes
//===----------------------------------------------------------------------===//

bool Reduction::simplifyOps() {
  uint64_t before = size;
  SmallVector<Operation *> ops = getOps(module);
  for (size_t number = ops.size(); number-- > 0;)
    for (const Simplification &simplification : getAttnSimplifications()) {
      Operation *op = ops[number];
      if (simplification.applies(op) && shrink([&] {
            IRRewriter rewriter(op->getContext());
            simplification.apply(rewriter, op);
            return success();
          }))
        ops = getOps(module);
    }
  return size < before;
}

/// Whether a function is one whose arguments and results nobody relies on.
static bool canChangeSignature(func::FuncOp function, ModuleOp module) {
  return !function.isExternal() &&
         SymbolTable::symbolKnownUseEmpty(function, module.getOperation());
}

static LogicalResult eraseResult(func::FuncOp function, unsigned number) {
  llvm::BitVector erased(function.getNumResults());
  erased.set(number);
  function.walk(
      [&](func::ReturnOp returnOp) { returnOp->eraseOperands(erased); });
  return function.eraseResults(erased);
}

bool Reduction::eraseResults() {
  uint64_t before = size;
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  for (size_t i = functions.size(); i-- > 0;)
    for (unsigned number = functions[i].getNumResults(); number-- > 0;)
      if (canChangeSignature(functions[i], module) &&
          shrink([&] { return eraseResult(functions[i], number); }))
        functions = llvm::to_vector(module.getOps<func::FuncOp>());
  return size < before;
}

static LogicalResult eraseUnusedArguments(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!canChangeSignature(function, module))
      continue;
    llvm::BitVector unused(function.getNumArguments());
    for (BlockArgument argument : function.getArguments())
      unused[argument.getArgNumber()] = argument.use_empty();
    if (failed(function.eraseArguments(unused)))
      return failure();
  }
  return success();
}

llvm::Expected<bool> Reduction::runPasses(StringRef pipeline) {
  return tryToShrink([&] {
    PassManager passes(module.getContext());
    return success(succeeded(parsePassPipeline(pipeline, passes)) &&
                   succeeded(passes.run(module)));
  });
}

bool Reduction::cleanUp() {
  uint64_t before = size;
  for (StringRef pass : cleanUpPasses)
    llvm::consumeError(runPasses(pass).takeError());
  shrink([&] { return eraseUnusedArguments(module); });
  return size < before;
}
