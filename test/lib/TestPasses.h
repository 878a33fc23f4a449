//===- TestPasses.h - Passes that only tests use ----------------*- C++ -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_LIB_TESTPASSES_H
#define ATTN_TEST_LIB_TESTPASSES_H

namespace mlir::attn::test {

void registerTestFrequencies();
void registerTestPairs();

} // namespace mlir::attn::test

#endif // ATTN_TEST_LIB_TESTPASSES_H
