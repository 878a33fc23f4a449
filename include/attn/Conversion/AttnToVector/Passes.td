//===- Passes.td - Attention to vector code ----------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_ATTNTOVECTOR_PASSES_TD
#define ATTN_CONVERSION_ATTNTOVECTOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerAttentionToVectorPass : Pass<"attn-lower-attention-to-vector"> {
  let summary = "Lower attention on memrefs to blocked vector code";
  let description = [{
    Lowers each `attn.attention` on memrefs to one work unit for each batch,
    head and `query_block` queries of its plan (by default that of `attn-plan`).
    Inside another parallel loop, where tiling has put it, units follow each
    other; elsewhere they are iterations of an `scf.parallel`.

    A work unit keeps queries in the lanes of its vectors and walks the keys in
    blocks with a running maximum and sum, so that no memory depends on the
    product of queries and keys. The mask gives the keys to visit and those that
    need no predicate; only the keys between them are masked. A rotation of the
    query is applied while the queries are packed; one of the key is applied once
    per key/value head, into a copy of the keys.

    Before:

    ```mlir
    func.func @f(%q: memref<1x8x128x64xf32>, %k: memref<1x2x128x64xf32>,
                 %v: memref<1x2x128x64xf32>, %o: memref<1x8x128x64xf32>) {
      %causal = attn.mask.causal
      attn.attention query(%q : memref<1x8x128x64xf32>)
        key(%k : memref<1x2x128x64xf32>) value(%v : memref<1x2x128x64xf32>)
        mask(%causal) outs(%o : memref<1x8x128x64xf32>)
        {plan = #attn.plan<query_block = 32, key_block = 128, rows = 8>}
      return
    }
    ```

    After `attn-opt --attn-lower-attention-to-vector`:

    ```mlir-excerpt
    scf.parallel (%h, %i) = (%c0, %c0) to (%c8, %c128) step (%c1, %c32) {
    ...
    %queries = memref.subview %q[0, %h, %i, 0] [1, 1, 32, 64] ...
    ...
    %running:2 = scf.for %block = ... iter_args(%max = ..., %sum = ...) -> (vector<32xf32>, vector<32xf32>) {
    ...
    %scores = vector.outerproduct ...
    ```

    Preconditions: all shaped operands are memrefs, and mask and bias are made by
    ops that can emit them (no function argument); otherwise the pass fails.

    Left alone: nothing; every attention is lowered.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"512",
           "Width of a vector register in bits, for attention without a plan">,
    Option<"registers", "vector-registers", "unsigned", /*default=*/"32",
           "Number of vector registers, for attention without a plan">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

#endif // ATTN_CONVERSION_ATTNTOVECTOR_PASSES_TD
