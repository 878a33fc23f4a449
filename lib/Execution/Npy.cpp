//===- Npy.cpp - The .npy format --------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An .npy file is a magic string, a version, a header length, a Python
/// dictionary as text, and the elements. The dictionary always has exactly
/// three known keys, so a small tokenizer reads it.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/NpyIO.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn;
using llvm::createStringError;

static constexpr StringLiteral npyMagic = "\x93NUMPY";

/// numpy's own limit on dimensions is 64 since version 2.
static constexpr size_t maxRank = 64;

namespace {
struct DescrEntry {
  const char *descr;
  DType type;
};

struct NpyHeader {
  std::optional<DType> type;
  std::optional<bool> fortranOrder;
  std::optional<SmallVector<int64_t>> shape;
};

/// Reads the dictionary of a header.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : text(text) {}

  llvm::Expected<NpyHeader> parse();

private:
  bool consume(StringRef token) {
    text = text.ltrim();
    return text.consume_front(token);
  }
  std::optional<StringRef> parseString();
  llvm::Error parseEntry(NpyHeader &header);
  llvm::Error parseDescr(NpyHeader &header);
  llvm::Error parseShape(NpyHeader &header);

  StringRef text;
};
} // namespace

static constexpr DescrEntry descrTable[] = {
    {"|b1", DType::Bool}, {"|i1", DType::I8},   {"|u1", DType::U8},
    {"<i2", DType::I16},  {"<i4", DType::I32},  {"<i8", DType::I64},
    {"<f2", DType::F16},  {"<f4", DType::F32},  {"<f8", DType::F64},
    {"<c8", DType::C64},  {"<c16", DType::C128}};

std::optional<StringRef> HeaderParser::parseString() {
  text = text.ltrim();
  if (text.empty() || (text.front() != '\'' && text.front() != '"'))
    return std::nullopt;
  size_t end = text.find(text.front(), 1);
  if (end == StringRef::npos)
    return std::nullopt;
  StringRef value = text.slice(1, end);
  text = text.drop_front(end + 1);
  return value;
}

llvm::Error HeaderParser::parseDescr(NpyHeader &header) {
  std::optional<StringRef> descr = parseString();
  if (!descr)
    return createStringError(
        "npy header: structured element types are not supported");
  // Single bytes have no order; numpy writes '|', some writers '<'.
  StringRef name = *descr;
  for (const DescrEntry &entry : descrTable) {
    StringRef known = entry.descr;
    bool sameOrder = known.front() == name.take_front().data()[0];
    bool byteSized =
        known.front() == '|' && !name.empty() &&
        (name.front() == '<' || name.front() == '>' || name.front() == '=');
    if (!name.empty() && (sameOrder || byteSized) &&
        known.drop_front() == name.drop_front()) {
      header.type = entry.type;
      return llvm::Error::success();
    }
  }
  if (name.starts_with(">"))
    return createStringError("npy header: big-endian element type '%s' is not "
                             "supported",
                             name.str().c_str());
  return createStringError("npy header: element type '%s' is not supported",
                           name.str().c_str());
}

llvm::Error HeaderParser::parseShape(NpyHeader &header) {
  if (!consume("("))
    return createStringError("npy header: expects a tuple for 'shape'");
  SmallVector<int64_t> shape;
  while (!consume(")")) {
    int64_t size;
    text = text.ltrim();
    if (text.consumeInteger(10, size) || size < 0)
      return createStringError(
          "npy header: 'shape' holds something that is not a "
          "size");
    text.consume_front("L"); // Python 2 wrote long integers so.
    shape.push_back(size);
    if (shape.size() > maxRank)
      return createStringError(
          "npy header: 'shape' has more than %zu dimensions", maxRank);
    if (consume(","))
      continue;
    if (!consume(")"))
      return createStringError("npy header: 'shape' is not closed");
    break;
  }
  header.shape = std::move(shape);
  return llvm::Error::success();
}

llvm::Error HeaderParser::parseEntry(NpyHeader &header) {
  std::optional<StringRef> key = parseString();
  if (!key || !consume(":"))
    return createStringError("npy header is not a dictionary");
  if (*key == "descr")
    return parseDescr(header);
  if (*key == "shape")
    return parseShape(header);
  if (*key != "fortran_order")
    return createStringError("npy header: unknown key '%s'",
                             key->str().c_str());
  if (consume("True"))
    header.fortranOrder = true;
  else if (consume("False"))
    header.fortranOrder = false;
  else
    return createStringError(
        "npy header: expects True or False for 'fortran_order'");
  return llvm::Error::success();
}

llvm::Expected<NpyHeader> HeaderParser::parse() {
  NpyHeader header;
  if (!consume("{"))
    return createStringError("npy header is not a dictionary");
  while (!consume("}")) {
    if (llvm::Error error = parseEntry(header))
      return std::move(error);
    if (consume(","))
      continue;
    if (!consume("}"))
      return createStringError("npy header is not a dictionary");
    break;
  }
  if (!header.type || !header.shape || !header.fortranOrder)
    return createStringError(
        "npy header lacks 'descr', 'fortran_order' or 'shape'");
  return header;
}

/// Strides of an array whose first or last dimension varies fastest.
static SmallVector<int64_t> getStrides(ArrayRef<int64_t> shape,
                                       bool fortranOrder) {
  SmallVector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    size_t dim = fortranOrder ? i : shape.size() - 1 - i;
    strides[dim] = stride;
    stride *= shape[dim];
  }
  return strides;
}

llvm::Expected<NdArray> attn::parseNpy(StringRef contents) {
  if (!contents.consume_front(npyMagic))
    return createStringError("not an npy file");
  if (contents.size() < 4)
    return createStringError("npy file is truncated in its header");
  unsigned major = static_cast<unsigned char>(contents[0]);
  if (major < 1 || major > 3)
    return createStringError("npy format version %u is not supported", major);
  const char *lengthField = contents.data() + 2;
  size_t lengthSize = major == 1 ? 2 : 4;
  if (contents.size() < 2 + lengthSize)
    return createStringError("npy file is truncated in its header");
  uint64_t length = major == 1 ? llvm::support::endian::read16le(lengthField)
                               : llvm::support::endian::read32le(lengthField);
  contents = contents.drop_front(2 + lengthSize);
  if (length > contents.size())
    return createStringError("npy file is truncated in its header");

  llvm::Expected<NpyHeader> header =
      HeaderParser(contents.take_front(length)).parse();
  if (!header)
    return header.takeError();
  StringRef payload = contents.drop_front(length);
  ArrayRef<int64_t> shape = *header->shape;
  std::optional<uint64_t> expected =
      attn::getNumBytes(shape, getByteWidth(*header->type));
  if (!expected || *expected > payload.size())
    return createStringError(
        "npy file is truncated: shape %s of %s does not fit in "
        "%zu bytes",
        formatShape(shape).c_str(), getNumpyName(*header->type).str().c_str(),
        payload.size());
  if (*expected < payload.size())
    return createStringError("npy file has %zu bytes after its data",
                             payload.size() - static_cast<size_t>(*expected));

  llvm::Expected<NdArray> array = NdArray::create(*header->type, shape);
  if (!array)
    return array.takeError();
  if (!payload.empty())
    array->copyFrom(payload.data(), getStrides(shape, *header->fortranOrder));
  // Generated code takes a bool for a byte that is 0 or 1.
  if (array->getType() == DType::Bool)
    for (size_t i = 0; i < payload.size(); ++i)
      array->getData()[i] = array->getData()[i] != 0;
  return array;
}

void attn::printNpy(const NdArray &array, raw_ostream &os) {
  const DescrEntry *entry =
      llvm::find_if(descrTable, [&](const DescrEntry &candidate) {
        return candidate.type == array.getType();
      });
  assert(entry != std::end(descrTable) && "type has no form in npy files");
  std::string header;
  llvm::raw_string_ostream headerOS(header);
  headerOS << "{'descr': '" << entry->descr
           << "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.getShape())
    headerOS << size << ", ";
  headerOS << "), }";

  // The format wants the elements at a multiple of 64 bytes, and a newline at
  // the end of the header.
  bool isLong = header.size() > 65000;
  size_t prefix = npyMagic.size() + 2 + (isLong ? 4 : 2);
  size_t padded = llvm::alignTo(prefix + header.size() + 1, 64) - prefix;
  header.append(padded - 1 - header.size(), ' ');
  header.push_back('\n');

  os << npyMagic << (isLong ? '\2' : '\1') << '\0';
  char lengthField[4];
  llvm::support::endian::write32le(lengthField, header.size());
  os.write(lengthField, isLong ? 4 : 2);
  os << header;
  os.write(array.getData(), array.getNumBytes());
}
