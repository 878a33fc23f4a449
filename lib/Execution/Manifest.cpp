//===- Manifest.cpp - What a compiled library is ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The checksum of a manifest is that of its members in sorted order without
/// white space, so that a manifest may be formatted anew.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/Manifest.h"

#include "attn/Target/CPU/Emit.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;
using llvm::createStringError;

static constexpr StringLiteral formatName = "attn-manifest";
/// Raised by whatever breaks a reader.
static constexpr int64_t formatVersion = 2;

/// An attribute as text; weights and bookkeeping are left out.
static std::optional<std::string> printAttribute(NamedAttribute named) {
  Attribute attribute = named.getValue();
  if (named.getName() == "operandSegmentSizes" ||
      isa<DenseResourceElementsAttr>(attribute))
    return std::nullopt;
  if (auto elements = dyn_cast<ElementsAttr>(attribute);
      elements && elements.size() > 64)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

static llvm::json::Array printTypes(TypeRange types) {
  llvm::json::Array result;
  for (Type type : types) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    result.push_back(text);
  }
  return result;
}

llvm::json::Array attn::describeAttnOps(ModuleOp module) {
  llvm::json::Array result;
  module.walk([&](Operation *op) {
    if (op->getName().getDialectNamespace() != "attn")
      return;
    llvm::json::Object attributes;
    for (NamedAttribute attribute : op->getAttrDictionary()) {
      if (std::optional<std::string> text = printAttribute(attribute))
        attributes[attribute.getName().getValue()] = *text;
    }
    llvm::json::Array operands = printTypes(op->getOperandTypes());
    llvm::json::Array types = printTypes(op->getResultTypes());
    result.push_back(llvm::json::Object{{"op", op->getName().getStringRef()},
                                        {"operands", std::move(operands)},
                                        {"results", std::move(types)},
                                        {"attributes", std::move(attributes)}});
  });
  return result;
}

llvm::json::Object attn::makeManifest(ManifestInfo info) {
  return llvm::json::Object{
      {"format", formatName},
      {"version", formatVersion},
      {"entry", info.entry},
      {"symbol", getCInterfaceName(info.entry)},
      {"call", getPackedName(info.entry)},
      {"inputs", info.signature.inputsToJSON()},
      {"outputs", info.signature.outputsToJSON()},
      {"cpu", info.target.getCPU()},
      {"features", info.target.getFeatures()},
      {"openmp", info.usesOpenMP},
      {"threads", info.threads},
      {"recovered", std::move(info.recoveredOps)},
      {"planned", std::move(info.plannedOps)},
  };
}

/// CRC-32, as in zip files, in hexadecimal digits.
static std::string getChecksum(StringRef contents) {
  uint32_t checksum = llvm::crc32(llvm::arrayRefFromStringRef(contents));
  return llvm::formatv("{0:x-8}", checksum).str();
}

static std::string getChecksum(llvm::json::Object manifest) {
  manifest.erase("checksum");
  return getChecksum(
      llvm::formatv("{0}", llvm::json::Value(std::move(manifest))).str());
}

void attn::sealManifest(llvm::json::Object &manifest, StringRef library) {
  manifest["library"] =
      llvm::json::Object{{"bytes", static_cast<int64_t>(library.size())},
                         {"checksum", getChecksum(library)}};
  manifest["checksum"] = getChecksum(manifest);
}

static llvm::Error checkLibrary(const llvm::json::Object &object,
                                StringRef path, StringRef library) {
  std::optional<int64_t> numBytes = object.getInteger("bytes");
  std::optional<StringRef> checksum = object.getString("checksum");
  if (!numBytes || !checksum)
    return createStringError("manifest, 'library': expects 'bytes' and "
                             "'checksum'");
  if (*numBytes != static_cast<int64_t>(library.size()))
    return createStringError("expects a library of %lld bytes, but '%s' has "
                             "%zu",
                             static_cast<long long>(*numBytes),
                             path.str().c_str(), library.size());
  std::string actual = getChecksum(library);
  if (*checksum != actual)
    return createStringError("expects a library with checksum %s, but '%s' has "
                             "%s",
                             checksum->str().c_str(), path.str().c_str(),
                             actual.c_str());
  return llvm::Error::success();
}

static llvm::Expected<Manifest>
parseManifest(StringRef text, StringRef libraryPath, StringRef library) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return createStringError("not a manifest of attn-compile: %s",
                             llvm::toString(value.takeError()).c_str());
  const llvm::json::Object *object = value->getAsObject();
  if (!object || object->getString("format") != formatName)
    return createStringError("not a manifest of attn-compile");
  std::optional<int64_t> version = object->getInteger("version");
  if (version != formatVersion)
    return createStringError("expects version %lld of manifests, got %s",
                             static_cast<long long>(formatVersion),
                             version ? std::to_string(*version).c_str()
                                     : "none");
  const llvm::json::Object *libraryObject = object->getObject("library");
  if (!libraryObject)
    return createStringError("manifest belongs to no library; expects the one "
                             "that attn-compile wrote beside '%s'",
                             libraryPath.str().c_str());
  if (object->getString("checksum") != getChecksum(*object))
    return createStringError("manifest was changed since attn-compile wrote "
                             "it");
  if (llvm::Error error = checkLibrary(*libraryObject, libraryPath, library))
    return std::move(error);

  std::optional<StringRef> entry = object->getString("entry");
  std::optional<StringRef> cpu = object->getString("cpu");
  std::optional<StringRef> features = object->getString("features");
  std::optional<int64_t> threads = object->getInteger("threads");
  if (!entry || !cpu || !features || !threads)
    return createStringError(
        "manifest lacks 'entry', 'cpu', 'features' or 'threads'");
  llvm::Expected<CPUTarget> target = CPUTarget::get(*cpu, *features);
  if (!target)
    return target.takeError();
  llvm::Expected<Signature> signature = Signature::fromJSON(*object);
  if (!signature)
    return signature.takeError();
  return Manifest{entry->str(), std::move(*target),
                  static_cast<unsigned>(*threads), std::move(*signature)};
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(StringRef what, StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError("cannot read the %s '%s': %s", what.str().c_str(),
                             path.str().c_str(),
                             buffer.getError().message().c_str());
  return std::move(*buffer);
}

llvm::Expected<Manifest> attn::readManifest(StringRef path,
                                            StringRef libraryPath) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> library =
      readFile("library", libraryPath);
  if (!library)
    return library.takeError();
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> text =
      readFile("manifest", path);
  if (!text)
    return text.takeError();
  llvm::Expected<Manifest> manifest =
      parseManifest((*text)->getBuffer(), libraryPath, (*library)->getBuffer());
  if (!manifest)
    return createStringError("'%s': %s", path.str().c_str(),
                             llvm::toString(manifest.takeError()).c_str());
  return manifest;
}
