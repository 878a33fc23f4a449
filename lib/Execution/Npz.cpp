//===- Npz.cpp - The .npz format --------------------------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An .npz file is a zip archive of .npy files. The central directory at the
/// end of the archive is what counts; local headers are used only to find where
/// the data of a member starts.
///
//===----------------------------------------------------------------------===//

#include "attn/Execution/NpyIO.h"

#include "attn/Execution/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <zlib.h>

using namespace mlir;
using namespace mlir::attn;
using llvm::createStringError;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;

static constexpr uint32_t localSignature = 0x04034b50;
static constexpr uint32_t centralSignature = 0x02014b50;
static constexpr uint32_t endSignature = 0x06054b50;
static constexpr size_t localHeaderSize = 30;
static constexpr size_t centralHeaderSize = 46;
static constexpr size_t endRecordSize = 22;
static constexpr uint32_t zip64Marker = 0xffffffff;

namespace {
/// One entry of the central directory.
struct Member {
  StringRef name;
  uint16_t flags;
  uint16_t method;
  uint32_t crc;
  uint32_t compressedSize;
  uint32_t size;
  uint32_t localOffset;
};
} // namespace

/// The record at the end of the archive, which a comment may follow.
static std::optional<size_t> findEndRecord(StringRef contents) {
  if (contents.size() < endRecordSize)
    return std::nullopt;
  size_t last = contents.size() - endRecordSize;
  size_t first = last > 0xffff ? last - 0xffff : 0;
  for (size_t pos = last + 1; pos-- > first;) {
    const char *record = contents.data() + pos;
    if (read32le(record) == endSignature &&
        pos + endRecordSize + read16le(record + 20) == contents.size())
      return pos;
  }
  return std::nullopt;
}

static llvm::Expected<SmallVector<Member, 0>>
readDirectory(StringRef contents) {
  std::optional<size_t> end = findEndRecord(contents);
  if (!end)
    return createStringError("not a zip archive, or a truncated one");
  const char *record = contents.data() + *end;
  unsigned numMembers = read16le(record + 10);
  uint64_t directorySize = read32le(record + 12);
  uint64_t directoryOffset = read32le(record + 16);
  if (numMembers == 0xffff || directoryOffset == zip64Marker)
    return createStringError("zip64 archives are not supported");
  if (directoryOffset + directorySize > *end)
    return createStringError("zip directory lies outside the file");

  SmallVector<Member, 0> members;
  StringRef directory = contents.substr(directoryOffset, directorySize);
  for (unsigned i = 0; i < numMembers; ++i) {
    if (directory.size() < centralHeaderSize ||
        read32le(directory.data()) != centralSignature)
      return createStringError("zip directory is damaged at entry %u", i);
    const char *entry = directory.data();
    size_t nameSize = read16le(entry + 28);
    size_t entrySize = centralHeaderSize + nameSize + read16le(entry + 30) +
                       read16le(entry + 32);
    if (entrySize > directory.size())
      return createStringError("zip directory is damaged at entry %u", i);
    members.push_back({directory.substr(centralHeaderSize, nameSize),
                       read16le(entry + 8), read16le(entry + 10),
                       read32le(entry + 16), read32le(entry + 20),
                       read32le(entry + 24), read32le(entry + 42)});
    directory = directory.drop_front(entrySize);
  }
  return members;
}

/// The stored bytes of a member.
static llvm::Expected<StringRef> findData(StringRef contents,
                                          const Member &member) {
  if (member.compressedSize == zip64Marker || member.size == zip64Marker ||
      member.localOffset == zip64Marker)
    return createStringError("zip64 members are not supported");
  if (member.flags & 1)
    return createStringError("encrypted members are not supported");
  StringRef local = contents.drop_front(
      std::min<size_t>(member.localOffset, contents.size()));
  if (local.size() < localHeaderSize ||
      read32le(local.data()) != localSignature)
    return createStringError("local header is damaged");
  size_t skip = localHeaderSize + read16le(local.data() + 26) +
                read16le(local.data() + 28);
  if (skip > local.size() || member.compressedSize > local.size() - skip)
    return createStringError("data is truncated");
  return local.substr(skip, member.compressedSize);
}

static llvm::Error inflateInto(StringRef data, MutableArrayRef<char> result) {
  z_stream stream = {};
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef *>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  // Negative: raw deflate data, without the header of zlib.
  bool complete = inflateInit2(&stream, -MAX_WBITS) == Z_OK &&
                  inflate(&stream, Z_FINISH) == Z_STREAM_END &&
                  stream.avail_out == 0;
  inflateEnd(&stream);
  if (!complete)
    return createStringError("deflated data is damaged");
  return llvm::Error::success();
}

static llvm::Expected<NdArray> readMember(StringRef contents,
                                          const Member &member) {
  llvm::Expected<StringRef> stored = findData(contents, member);
  if (!stored)
    return stored.takeError();
  StringRef bytes = *stored;
  std::unique_ptr<llvm::WritableMemoryBuffer> inflated;
  if (member.method == 8) {
    // Deflate cannot shrink data by more than a factor of about 1032, so a
    // larger claim is false; checked before the memory is taken.
    if (member.size > static_cast<uint64_t>(bytes.size()) * 1040 + 1024)
      return createStringError("claims %u bytes from %zu deflated ones",
                               member.size, bytes.size());
    inflated = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(member.size);
    if (!inflated)
      return createStringError("out of memory for %u bytes", member.size);
    if (llvm::Error error = inflateInto(bytes, inflated->getBuffer()))
      return std::move(error);
    bytes = StringRef(inflated->getBufferStart(), inflated->getBufferSize());
  } else if (member.method != 0) {
    return createStringError("zip compression method %u is not supported",
                             unsigned(member.method));
  }
  if (bytes.size() != member.size)
    return createStringError("data is truncated");
  if (llvm::crc32(llvm::arrayRefFromStringRef(bytes)) != member.crc)
    return createStringError("checksum does not match");
  return parseNpy(bytes);
}

llvm::Expected<SmallVector<NamedArray, 0>> attn::parseNpz(StringRef contents) {
  llvm::Expected<SmallVector<Member, 0>> members = readDirectory(contents);
  if (!members)
    return members.takeError();
  SmallVector<NamedArray, 0> arrays;
  llvm::StringSet<> names;
  for (const Member &member : *members) {
    StringRef name = member.name;
    if (!name.consume_back(".npy"))
      continue;
    if (!names.insert(name).second)
      return createStringError("member '%s' appears twice", name.str().c_str());
    llvm::Expected<NdArray> array = readMember(contents, member);
    if (!array)
      return createStringError("member '%s': %s", name.str().c_str(),
                               llvm::toString(array.takeError()).c_str());
    arrays.push_back({name.str(), std::move(*array)});
  }
  return arrays;
}

/// Little-endian fields of zip records.
static void write16(raw_ostream &os, uint16_t value) {
  char bytes[2];
  llvm::support::endian::write16le(bytes, value);
  os.write(bytes, 2);
}
static void write32(raw_ostream &os, uint32_t value) {
  char bytes[4];
  llvm::support::endian::write32le(bytes, value);
  os.write(bytes, 4);
}

/// The fields that local and central headers share.
static void writeCommonFields(raw_ostream &os, StringRef name, uint32_t crc,
                              uint32_t size) {
  write16(os, 20); // version needed: 2.0
  write16(os, 0);  // flags
  write16(os, 0);  // method: stored
  write16(os, 0);  // time: fixed, so that equal arrays give equal files
  write16(os, 0x21);
  write32(os, crc);
  write32(os, size);
  write32(os, size);
  write16(os, name.size());
  write16(os, 0); // extra field
}

llvm::Error attn::printNpz(ArrayRef<NamedArray> arrays, raw_ostream &os) {
  std::string directory;
  llvm::raw_string_ostream directoryOS(directory);
  uint64_t offset = 0;
  for (const NamedArray &entry : arrays) {
    std::string bytes;
    llvm::raw_string_ostream bytesOS(bytes);
    printNpy(entry.array, bytesOS);
    std::string name = entry.name + ".npy";
    uint64_t end = offset + localHeaderSize + name.size() + bytes.size();
    if (end >= zip64Marker || arrays.size() >= 0xffff)
      return createStringError(
          "results pass the 4 GiB that an npz file can hold");
    uint32_t crc = llvm::crc32(llvm::arrayRefFromStringRef(bytes));

    write32(os, localSignature);
    writeCommonFields(os, name, crc, bytes.size());
    os << name << bytes;

    write32(directoryOS, centralSignature);
    write16(directoryOS, 20); // version made by
    writeCommonFields(directoryOS, name, crc, bytes.size());
    write16(directoryOS, 0); // comment
    write16(directoryOS, 0); // disk
    write16(directoryOS, 0); // internal attributes
    write32(directoryOS, 0); // external attributes
    write32(directoryOS, offset);
    directoryOS << name;
    offset = end;
  }
  os << directory;
  write32(os, endSignature);
  write16(os, 0); // this disk
  write16(os, 0); // disk of the directory
  write16(os, arrays.size());
  write16(os, arrays.size());
  write32(os, directory.size());
  write32(os, offset);
  write16(os, 0); // comment
  return llvm::Error::success();
}

llvm::Expected<SmallVector<NamedArray, 0>> attn::readArrays(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError("cannot read '%s': %s", path.str().c_str(),
                             buffer.getError().message().c_str());
  StringRef contents = (*buffer)->getBuffer();
  auto addPath = [&](llvm::Error error) {
    return createStringError("'%s': %s", path.str().c_str(),
                             llvm::toString(std::move(error)).c_str());
  };
  if (!contents.starts_with("\x93NUMPY")) {
    llvm::Expected<SmallVector<NamedArray, 0>> arrays = parseNpz(contents);
    if (!arrays)
      return addPath(arrays.takeError());
    return arrays;
  }
  llvm::Expected<NdArray> array = parseNpy(contents);
  if (!array)
    return addPath(array.takeError());
  SmallVector<NamedArray, 0> arrays;
  arrays.push_back({"in0", std::move(*array)});
  return arrays;
}

llvm::Error attn::checkArrayPath(StringRef path) {
  if (path.ends_with(".npz") || path.ends_with(".npy") || path == "-" ||
      isSpecialFile(path))
    return llvm::Error::success();
  return createStringError(
      "expects a file name that ends in .npz or .npy, got '%s'",
      path.str().c_str());
}

static bool isSingleArray(StringRef path) { return path.ends_with(".npy"); }

llvm::Error attn::checkNumArrays(StringRef path, size_t numArrays) {
  if (!isSingleArray(path) || numArrays == 1)
    return llvm::Error::success();
  return createStringError(
      "'%s' can hold one result, but there are %zu; write an .npz file",
      path.str().c_str(), numArrays);
}

llvm::Error attn::writeArrays(StringRef path, ArrayRef<NamedArray> arrays) {
  if (llvm::Error error = checkNumArrays(path, arrays.size()))
    return error;
  return writeOutputFile(path, [&](raw_ostream &os) -> llvm::Error {
    if (!isSingleArray(path))
      return printNpz(arrays, os);
    printNpy(arrays.front().array, os);
    return llvm::Error::success();
  });
}
