//===- AttnEncodingOps.td - Encodings of positions ---------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNENCODINGOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNENCODINGOPS_TD

include "attn/Dialect/Attn/IR/AttnAttrs.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

/// A destination-style op: `inits` give the sizes of the results, and, after
/// bufferization, are where the results are written; they are never read. On
/// tensors the op is pure. Reification, memory effects and speculatability are
/// shared (DestinationOps.cpp), and so is tiling (Tiling.cpp).
class Attn_DestinationOp<string mnemonic, list<Trait> traits = []>
    : Attn_Op<mnemonic, traits # [
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
        DeclareOpInterfaceMethods<TilingInterface, [
          "getLoopIteratorTypes", "getIterationDomain",
          "getTiledImplementation", "getResultTilePosition",
          "generateResultTileValue"]>]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  code destinationDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
  }];
  let extraClassDeclaration = destinationDeclaration;
}

def Attn_PositionsOp : Attn_DestinationOp<"positions", [AttrSizedOperandSegments]> {
  let summary = "the position of every token";
  let description = [{
    Element `[b, t]` is `offset[b] + max(first + t - left_padding[b], 0)`; a
    missing operand is 0. `offset` is the number of tokens that precede (the
    length of a cache); `left_padding` the number of padding tokens in front of
    each row; `first` the index of the first token, when the op was tiled.

    ```mlir
    func.func @positions(%cached: index, %out: tensor<2x8xi64>) -> tensor<2x8xi64> {
      %positions = attn.positions offset(%cached : index) outs(%out : tensor<2x8xi64>)
      return %positions : tensor<2x8xi64>
    }
    ```
  }];
  let arguments = (ins
    Optional<Attn_Offset>:$offset,
    Optional<Attn_Shaped<Attn_Integer, [1]>>:$left_padding,
    Optional<Index>:$first,
    Variadic<Attn_Shaped<Attn_Integer, [2]>>:$inits);
  let assemblyFormat = [{
    (`offset` `(` $offset^ `:` type($offset) `)`)?
    (`left_padding` `(` $left_padding^ `:` type($left_padding) `)`)?
    (`first` `(` $first^ `)`)?
    `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
}

def Attn_LearnedPositionOp : Attn_DestinationOp<"learned_position"> {
  let summary = "rows of a learned position table";
  let description = [{
    `result[b, t, :] = table[positions[b, t], :]`. A position outside of the
    table is an error: at compile time where positions are constant, else at run
    time, naming the position and the size of the table; nothing is read out of
    bounds. So the op is not executed speculatively, unless its positions are
    known to be in the table.

    ```mlir
    func.func @learned(%table: tensor<32x64xf32>, %positions: tensor<1x8xi64>,
                       %out: tensor<1x8x64xf32>) -> tensor<1x8x64xf32> {
      %embedding = attn.learned_position table(%table : tensor<32x64xf32>)
        positions(%positions : tensor<1x8xi64>) outs(%out : tensor<1x8x64xf32>)
      return %embedding : tensor<1x8x64xf32>
    }
    ```
  }];
  let arguments = (ins
    Attn_Shaped<Attn_Float, [2]>:$table,
    Attn_Shaped<Attn_Integer, [2]>:$positions,
    Variadic<Attn_Shaped<Attn_Float, [3]>>:$inits);
  let assemblyFormat = [{
    `table` `(` $table `:` type($table) `)`
    `positions` `(` $positions `:` type($positions) `)`
    `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNENCODINGOPS_TD
