//===- CPUTarget.cpp - The processor that code is made for ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Names are checked against LLVM's lists before a target machine is made,
/// since LLVM itself only warns about unknown names and aborts on 32-bit ones.
///
//===----------------------------------------------------------------------===//

#include "attn/Target/CPU/CPUTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace mlir;
using namespace mlir::attn;

static llvm::Triple getHostTriple() {
  return llvm::Triple(llvm::sys::getProcessTriple());
}

static llvm::Expected<const llvm::Target *> lookupHostTarget() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(getHostTriple(), message);
  if (!target)
    return llvm::createStringError("no code generator for this machine: %s",
                                   message.c_str());
  return target;
}

SmallVector<StringRef> attn::getCPUNames() {
  SmallVector<StringRef> names;
  llvm::Triple triple = getHostTriple();
  if (triple.isX86()) {
    llvm::X86::fillValidCPUArchList(names, triple.isArch64Bit());
    return names;
  }
  llvm::Expected<const llvm::Target *> target = lookupHostTarget();
  if (!target) {
    llvm::consumeError(target.takeError());
    return names;
  }
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      (*target)->createMCSubtargetInfo(triple, "", ""));
  if (info)
    for (const llvm::SubtargetSubTypeKV &entry :
         info->getAllProcessorDescriptions())
      names.push_back(entry.Key);
  return names;
}

static std::string getHostFeatures() {
  std::vector<std::string> features;
  for (const auto &entry : llvm::sys::getHostCPUFeatures())
    features.push_back((entry.second ? "+" : "-") + entry.first().str());
  llvm::sort(features);
  return llvm::join(features, ",");
}

llvm::Expected<CPUTarget> CPUTarget::get(StringRef name) {
  if (name == "native")
    return get(llvm::sys::getHostCPUName(), getHostFeatures());
  return get(name, /*features=*/"");
}

llvm::Expected<CPUTarget> CPUTarget::get(StringRef cpu, StringRef features) {
  SmallVector<StringRef> names = getCPUNames();
  bool isHostName = cpu == llvm::sys::getHostCPUName();
  if (!isHostName && !llvm::is_contained(names, cpu)) {
    // The ends of the list are the oldest and the newest processors.
    StringRef examples = getHostTriple().isX86()
                             ? "x86-64-v3, x86-64-v4, sapphirerapids, znver4"
                             : "generic";
    return llvm::createStringError(
        "unknown cpu '%s'; expects native or a name such as %s (--cpu=help "
        "lists all)",
        cpu.str().c_str(), examples.str().c_str());
  }
  return CPUTarget(cpu.str(), features.str());
}

/// What a processor implies by its name; empty where that is not known.
static SmallVector<StringRef> getImpliedFeatures(StringRef cpu) {
  SmallVector<StringRef> features;
  if (getHostTriple().isX86() &&
      llvm::X86::parseArchX86(cpu) != llvm::X86::CK_None)
    llvm::X86::getFeaturesForCPU(cpu, features);
  return features;
}

bool CPUTarget::hasFeature(StringRef feature) const {
  SmallVector<StringRef> given;
  StringRef(features).split(given, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef entry : llvm::reverse(given))
    if (entry.drop_front() == feature)
      return entry.front() == '+';
  return llvm::is_contained(getImpliedFeatures(cpu), feature);
}

unsigned CPUTarget::getVectorBits() const {
  if (hasFeature("avx512f"))
    return 512;
  return hasFeature("avx2") ? 256 : 128;
}

unsigned attn::getNumVectorRegisters(unsigned vectorBits) {
  // AVX-512 doubles the number of registers along with their width.
  return vectorBits >= 512 ? 32 : 16;
}

/// Whether compiled code may contain instructions of a feature. Others (key
/// protection, cache control, enclaves, ...) are often hidden by virtual
/// machines and do not matter.
static bool isUsedByCode(StringRef feature) {
  static constexpr StringLiteral prefixes[] = {
      "amx", "avx",  "bmi",   "cmov",    "cx",     "f16c",
      "fma", "gfni", "lzcnt", "movbe",   "popcnt", "sahf",
      "sse", "ssse", "vaes",  "vpclmul", "xop"};
  return !getHostTriple().isX86() ||
         llvm::any_of(prefixes, [&](StringRef prefix) {
           return feature.starts_with(prefix);
         });
}

llvm::Error CPUTarget::checkHost() const {
  for (const auto &entry : llvm::sys::getHostCPUFeatures())
    if (!entry.second && isUsedByCode(entry.first()) &&
        hasFeature(entry.first()))
      return llvm::createStringError(
          "this machine (%s) cannot run code for cpu '%s': it lacks %s",
          llvm::sys::getHostCPUName().str().c_str(), cpu.c_str(),
          entry.first().str().c_str());
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
CPUTarget::createTargetMachine() const {
  llvm::Expected<const llvm::Target *> target = lookupHostTarget();
  if (!target)
    return target.takeError();
  llvm::TargetOptions options;
  std::unique_ptr<llvm::TargetMachine> machine((*target)->createTargetMachine(
      getHostTriple(), cpu, features, options, llvm::Reloc::PIC_,
      /*CM=*/std::nullopt, llvm::CodeGenOptLevel::Default));
  assert(machine && "the target has no code generator");
  return machine;
}
