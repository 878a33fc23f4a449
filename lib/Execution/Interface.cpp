//===- Interface.cpp - The C header of a compiled function ------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// C99 and C++ compilers accept the header without warnings.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/Interface.h"

#include "attn/Target/CPU/Emit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace mlir;
using namespace mlir::attn;

llvm::Error attn::checkEntryName(StringRef entry) {
  bool valid = !entry.empty() && llvm::all_of(entry, [](char c) {
    return llvm::isAlnum(c) || c == '_';
  });
  if (valid)
    return llvm::Error::success();
  return llvm::createStringError(
      "entry '%s' cannot be part of a C identifier (letters, digits and _)",
      entry.str().c_str());
}

/// The C type of a scalar.
static StringRef getCType(DType type) {
  switch (type) {
  case DType::Bool:
    return "bool";
  case DType::I8:
    return "int8_t";
  case DType::I16:
    return "int16_t";
  case DType::I32:
    return "int32_t";
  case DType::I64:
    return "int64_t";
  case DType::U8:
    return "uint8_t";
  // Not all compilers have types for these; see `exportInterface`.
  case DType::BF16:
  case DType::F16:
    return "uint16_t";
  case DType::F32:
    return "float";
  case DType::F64:
    return "double";
  case DType::C64:
  case DType::C128:
    break;
  }
  llvm_unreachable("signatures have no scalars of this type");
}

static std::string getCType(const ValueSpec &spec) {
  if (!spec.isTensor)
    return getCType(spec.type).str();
  return "struct attn_memref_" + std::to_string(spec.shape.size());
}

static void printDescriptorStruct(size_t rank, raw_ostream &os) {
  os << "#ifndef ATTN_MEMREF_" << rank << "\n#define ATTN_MEMREF_" << rank
     << "\nstruct attn_memref_" << rank << " {\n"
     << "  void *allocated; /* what free() takes */\n"
     << "  void *aligned;   /* element [0, ...] is at offset from here */\n"
     << "  int64_t offset;  /* in elements */\n";
  // C has no arrays without elements.
  if (rank > 0)
    os << "  int64_t sizes[" << rank << "];\n"
       << "  int64_t strides[" << rank << "]; /* in elements */\n";
  os << "};\n#endif\n\n";
}

static void printValues(StringRef title, ArrayRef<ValueSpec> specs,
                        raw_ostream &os) {
  os << " * " << title << "\n";
  for (const ValueSpec &spec : specs)
    os << " *   " << spec.name << ": " << spec.format() << "\n";
  if (specs.empty())
    os << " *   none\n";
}

void attn::printHeader(StringRef entry, const Signature &signature,
                       raw_ostream &os) {
  std::string guard = "ATTN_PROGRAM_" + entry.upper() + "_H";
  os << "/* C interface of the function '" << entry
     << "', made by attn-compile.\n *\n";
  printValues("Inputs (? is a size that the caller chooses):", signature.inputs,
              os);
  printValues("Outputs:", signature.outputs, os);
  os << " *\n"
     << " * Tensors are passed as descriptors. Inputs must be row-major "
        "without\n"
     << " * gaps (offset 0, the last stride 1); they are only read. Each "
        "output\n"
     << " * tensor is allocated by the call, and the caller frees it with\n"
     << " * free(output.allocated). Elements of type i1 are bytes, 0 or 1;\n"
     << " * numbers of type f16 and bf16 are given by their bits.\n"
     << " * A run-time check that fails ends the process; see\n"
     << " * attn_rt_set_assert_handler.\n"
     << " */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include <stdbool.h>\n#include <stdint.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";

  std::set<size_t> ranks;
  for (const auto *specs : {&signature.inputs, &signature.outputs})
    for (const ValueSpec &spec : *specs)
      if (spec.isTensor)
        ranks.insert(spec.shape.size());
  for (size_t rank : ranks)
    printDescriptorStruct(rank, os);

  // A single scalar comes back by value, everything else through a pointer.
  ArrayRef<ValueSpec> outputs = signature.outputs;
  bool byValue = outputs.size() == 1 && !outputs.front().isTensor;
  SmallVector<std::string> parameters;
  if (!outputs.empty() && !byValue) {
    os << "struct attn_" << entry << "_results {\n";
    for (const ValueSpec &spec : outputs)
      os << "  " << getCType(spec) << " " << spec.name << ";\n";
    os << "};\n\n";
    parameters.push_back("struct attn_" + entry.str() + "_results *results");
  }
  for (const ValueSpec &spec : signature.inputs)
    parameters.push_back(spec.isTensor
                             ? "const " + getCType(spec) + " *" + spec.name
                             : getCType(spec) + " " + spec.name);
  if (parameters.empty())
    parameters.push_back("void");
  os << (byValue ? getCType(outputs.front()) : "void") << " "
     << getCInterfaceName(entry) << "(";
  llvm::interleave(parameters, os, ",\n    ");
  os << ");\n\n"
     << "/* The same function for callers that build the arguments at run "
        "time:\n"
     << " * args holds a pointer to the results (if there are any), to each\n"
     << " * descriptor and to each scalar. */\n"
     << "void " << getPackedName(entry) << "(void **args);\n\n"
     << "/* Replaces what happens when a run-time check fails (a message, "
        "then\n"
     << " * exit status 3). The handler must end the process. */\n"
     << "void attn_rt_set_assert_handler(void (*handler)(const char "
        "*message));\n"
     << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
}
