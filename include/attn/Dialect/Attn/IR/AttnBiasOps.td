//===- AttnBiasOps.td - Biases -----------------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNBIASOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNBIASOPS_TD

include "attn/Dialect/Attn/IR/AttnAttrs.td"
include "attn/Dialect/Attn/IR/AttnInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Attn_BiasOp<string mnemonic, list<Trait> traits = []>
    : Attn_Op<"bias." # mnemonic, traits # [
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
        DeclareOpInterfaceMethods<Attn_BiasOpInterface>]> {
  let results = (outs Attn_BiasType:$bias);
  code resultNameDefinition = [{
    void $cppClass::getAsmResultNames(
        ::mlir::OpAsmSetValueNameFn setNameFn) {
      setNameFn(getBias(), "}] # mnemonic # [{");
    }
  }];
  let extraClassDefinition = resultNameDefinition;
}

def Attn_BiasAlibiOp
    : Attn_BiasOp<"alibi", [
        Pure, AttrSizedOperandSegments,
        DeclareOpInterfaceMethods<Attn_SymbolicOpInterface, ["getIndexedDims"]>]> {
  let summary = "attention with linear biases";
  let description = [{
    `-slope[h] * (i + offset - j)` (`linear`), or with the absolute value of the
    distance (`absolute`). Slopes follow from `heads`, the number of heads of
    the whole attention (Press et al., 2021): for a power of two
    `2^(-8a / heads)`, `a = 1 .. heads`; otherwise, with `n` the largest power of
    two below, the `n` slopes of `n`, then those of `2n` at `a = 1, 3, 5, ...`.
    `first_head` is the head that index 0 means, for sharded heads; it is below
    `heads`. Or `slopes` are given, `[H]` or `[B, H]`, and then no `first_head`.
    Exactly one of `heads` and `slopes` is given.

    ```mlir
    func.func @alibi(%slopes: tensor<6xf32>) -> (!attn.bias, !attn.bias) {
      %alibi = attn.bias.alibi linear heads 8
      %given = attn.bias.alibi absolute slopes(%slopes : tensor<6xf32>)
      return %alibi, %given : !attn.bias, !attn.bias
    }
    ```
  }];
  let arguments = (ins
    Optional<Attn_Shaped<Attn_Float, [1, 2]>>:$slopes,
    Optional<Attn_Offset>:$offset,
    Attn_AlibiDistanceAttr:$distance,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive, IntMaxValue<1048576>]>>:$heads,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$first_head);
  let assemblyFormat = [{
    `` $distance (`heads` $heads^)? (`first_head` $first_head^)?
    (`slopes` `(` $slopes^ `:` type($slopes) `)`)?
    (`offset` `(` $offset^ `:` type($offset) `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The slopes of `heads` heads, in double precision.
    static ::llvm::SmallVector<double> computeSlopes(int64_t heads);
  }];
}

def Attn_BiasTensorOp : Attn_BiasOp<"tensor", [Pure]> {
  let summary = "a bias given as data";
  let description = [{
    Element `[b, h, i, j]` of a tensor whose dimensions of static size 1 are
    broadcast. An element of -inf removes the pair exactly as a mask does.

    ```mlir
    func.func @tensor(%values: tensor<1x8x12x12xf32>) -> !attn.bias {
      %tensor = attn.bias.tensor %values : tensor<1x8x12x12xf32>
      return %tensor : !attn.bias
    }
    ```
  }];
  let arguments = (ins Attn_Shaped<Attn_Float, [4]>:$values);
  let assemblyFormat = "$values `:` type($values) attr-dict";
}

def Attn_BiasAddOp : Attn_BiasOp<"add", [Pure, Commutative]> {
  let summary = "the sum of two biases";
  let description = [{
    `add(b, h, i, j) = lhs(b, h, i, j) + rhs(b, h, i, j)`.

    ```mlir
    func.func @add(%a: !attn.bias, %b: !attn.bias) -> !attn.bias {
      %add = attn.bias.add %a, %b
      return %add : !attn.bias
    }
    ```
  }];
  let arguments = (ins Attn_BiasType:$lhs, Attn_BiasType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
  let hasFolder = 1;
}

def Attn_BiasGenerateOp
    : Attn_BiasOp<"generate", [NoMemoryEffect, RecursivelySpeculatable,
                               SingleBlock]> {
  let summary = "a bias given as a region";
  let description = [{
    The float that the region, given `(b, h, i, j)`, yields. The region must be
    free of side effects but reads; it may read values from outside,
    within their bounds for every pair, kept or not. It is executed where the
    bias is used.

    ```mlir
    func.func @distance() -> !attn.bias {
      %generate = attn.bias.generate {
      ^bb0(%b: index, %h: index, %i: index, %j: index):
        %distance = arith.subi %j, %i : index
        %integer = arith.index_cast %distance : index to i64
        %value = arith.sitofp %integer : i64 to f32
        attn.yield %value : f32
      }
      return %generate : !attn.bias
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
  let hasRegionVerifier = 1;
}

def Attn_BiasSliceOp : Attn_BiasOp<"slice", [Pure]> {
  let summary = "a bias seen from a tile";
  let description = [{
    `slice(b, h, i, j) = source(b + batch, h + head, i + query, j + key)`.
    Offsets are not negative.

    ```mlir
    func.func @slice(%bias: !attn.bias, %b: index, %h: index, %i: index, %j: index) -> !attn.bias {
      %slice = attn.bias.slice %bias[%b, %h, %i, %j]
      return %slice : !attn.bias
    }
    ```
  }];
  let arguments = (ins Attn_BiasType:$source, Index:$batch, Index:$head,
                       Index:$query, Index:$key);
  let assemblyFormat = "$source `[` $batch `,` $head `,` $query `,` $key `]` attr-dict";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNBIASOPS_TD
