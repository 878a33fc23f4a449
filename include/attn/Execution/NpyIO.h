//===- NpyIO.h - Reading and writing .npy and .npz files --------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The file formats of numpy, without numpy. Files are untrusted: every length
/// is checked against the bytes that are there before anything is allocated.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_EXECUTION_NPYIO_H
#define ATTN_EXECUTION_NPYIO_H

#include "attn/Execution/NdArray.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::attn {

/// Parses the contents of an .npy file (format versions 1 to 3, little
/// endian). Arrays in Fortran order are transposed into row-major order.
llvm::Expected<NdArray> parseNpy(StringRef contents);

/// Writes format version 1, or 2 where the header is too long for it. The
/// array must not hold bf16.
void printNpy(const NdArray &array, raw_ostream &os);

/// Parses the contents of an .npz file: a zip archive with stored or deflated
/// members that end in `.npy`, in their order.
llvm::Expected<SmallVector<NamedArray, 0>> parseNpz(StringRef contents);

/// Writes a zip archive with stored members. The same arrays give the same
/// bytes. Fails where the archive would pass the limits of plain zip.
llvm::Error printNpz(ArrayRef<NamedArray> arrays, raw_ostream &os);

/// Reads `path`. An .npz file gives its members; an .npy file gives one array
/// named `in0`.
llvm::Expected<SmallVector<NamedArray, 0>> readArrays(StringRef path);

/// Fails unless `writeArrays` can tell the format from the name. Devices and
/// the standard output (`-`) get .npz.
llvm::Error checkArrayPath(StringRef path);

/// Fails if the file at `path` cannot hold that many arrays.
llvm::Error checkNumArrays(StringRef path, size_t numArrays);

/// Writes an .npz file, or an .npy file if `path` ends so, under a temporary
/// name that becomes `path` only once complete. `-` is the standard output.
llvm::Error writeArrays(StringRef path, ArrayRef<NamedArray> arrays);

} // namespace mlir::attn

#endif // ATTN_EXECUTION_NPYIO_H
