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
  let summary = "a bias linear in the distance";
  let description = [{
    Minus a slope for each head times the distance `i + offset - j` (`linear`)
    or its absolute value (`absolute`). Slopes follow from `heads`, the number
    of heads of the whole attention, of which index 0 is number `first_head`; or
    `slopes`, `[H]` or `[B, H]`, are given. `series = plain` is for models that
    have one geometric series for every number of heads.

    [The specification](../spec.md#attnbiasalibi) says exactly what it means.

    ```mlir
    func.func @alibi(%slopes: tensor<6xf32>) -> (!attn.bias, !attn.bias) {
      %alibi = attn.bias.alibi linear heads 8
      %given = attn.bias.alibi absolute slopes(%slopes : tensor<6xf32>)
      %plain = attn.bias.alibi linear heads 6 series = plain
      %sum = attn.bias.add %given, %plain
      return %alibi, %sum : !attn.bias, !attn.bias
    }
    ```
  }];
  let arguments = (ins
    // bias_alibi_c1: `slopes` are floats of rank 1 or 2.
    Optional<Attn_Shaped<Attn_Float, [1, 2]>>:$slopes,
    // bias_alibi_c2: `offset` is an index or integers.
    Optional<Attn_Offset>:$offset,
    Attn_AlibiDistanceAttr:$distance,
    // bias_alibi_c3: `heads` is positive, at most 2^20.
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive, IntMaxValue<1048576>]>>:$heads,
    // bias_alibi_c4: `first_head` is not negative.
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$first_head,
    DefaultValuedAttr<Attn_AlibiSeriesAttr, "::mlir::attn::AlibiSeries::Standard">:$series);
  let assemblyFormat = [{
    `` $distance (`heads` $heads^)? (`first_head` $first_head^)?
    (`series` `=` `` $series^)?
    (`slopes` `(` $slopes^ `:` type($slopes) `)`)?
    (`offset` `(` $offset^ `:` type($offset) `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The standard slopes of `heads` heads, in double precision.
    static ::llvm::SmallVector<double> computeSlopes(int64_t heads);
  }];
}

/// Bounds of the numbers in `attn.bias.relative`: tables and distances are
/// counted in 64 bits, and the buckets of T5 are told apart one by one.
def Attn_BucketCount : ConfinedAttr<I64Attr, [IntMinValue<2>, IntMaxValue<256>]>;
def Attn_MaxDistance
    : ConfinedAttr<I64Attr, [IntPositive, IntMaxValue<1048576>]>;
def Attn_FirstDistance
    : ConfinedAttr<I64Attr, [IntMinValue<-1152921504606846976>,
                             IntMaxValue<1152921504606846976>]>;
def Attn_WindowSize
    : ConfinedAttr<DenseI64ArrayAttr, [
        DenseArrayCount<2>, DenseArrayStrictlyPositive<DenseI64ArrayAttr>]>;

def Attn_BiasRelativeOp
    : Attn_BiasOp<"relative", [
        Pure,
        DeclareOpInterfaceMethods<Attn_SymbolicOpInterface, ["getIndexedDims"]>]> {
  let summary = "a bias looked up by distance";
  let description = [{
    An element of `table`, `[H, N]` or `[1, N]`, whose column follows from the
    distance `j - i - offset`: its bucket (`t5`), the distance itself counted
    from `first_distance` and clamped (`toeplitz`), or the distance of rows and
    columns in a window of `size = [Wh, Ww]` (`window`).

    [The specification](../spec.md#attnbiasrelative) says exactly what it means.

    ```mlir
    func.func @relative(%buckets: tensor<8x32xf32>, %distances: tensor<1x63xf32>,
                        %image: tensor<4x169xf32>, %cached: index) -> (!attn.bias, !attn.bias, !attn.bias) {
      %t5 = attn.bias.relative t5 num_buckets 32 max_distance 128 bidirectional table(%buckets : tensor<8x32xf32>)
      %toeplitz = attn.bias.relative toeplitz first_distance -31 table(%distances : tensor<1x63xf32>) offset(%cached : index)
      %window = attn.bias.relative window size [7, 7] table(%image : tensor<4x169xf32>)
      return %t5, %toeplitz, %window : !attn.bias, !attn.bias, !attn.bias
    }
    ```
  }];
  let arguments = (ins
    // bias_relative_c1: `table` are floats [H, N].
    Attn_Shaped<Attn_Float, [2]>:$table,
    // bias_relative_c2: `offset` is an index or integers.
    Optional<Attn_Offset>:$offset,
    Attn_RelativeFormAttr:$form,
    // bias_relative_c3: `num_buckets` is from 2 to 256.
    OptionalAttr<Attn_BucketCount>:$num_buckets,
    // bias_relative_c4: `max_distance` is positive, at most 2^20.
    OptionalAttr<Attn_MaxDistance>:$max_distance,
    UnitAttr:$bidirectional,
    // bias_relative_c5: `first_distance` is at most 2^60 in magnitude.
    OptionalAttr<Attn_FirstDistance>:$first_distance,
    // bias_relative_c6: `size` are two positive numbers.
    OptionalAttr<Attn_WindowSize>:$size);
  let assemblyFormat = [{
    `` $form (`num_buckets` $num_buckets^)? (`max_distance` $max_distance^)?
    (`bidirectional` $bidirectional^)? (`first_distance` $first_distance^)?
    (`size` $size^)? `table` `(` $table `:` type($table) `)`
    (`offset` `(` $offset^ `:` type($offset) `)`)? attr-dict
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The number of columns that the table has; for `toeplitz`, which takes
    /// any number, the fewest.
    int64_t getExpectedColumns();
    /// The smallest distance of each of T5's logarithmic buckets but the first:
    /// of the buckets `n / 2 + 1` to `n - 1` of `n` in one direction.
    static ::llvm::SmallVector<int64_t> computeThresholds(int64_t n,
                                                          int64_t maxDistance);
  }];
}

def Attn_BiasTensorOp : Attn_BiasOp<"tensor", [Pure]> {
  let summary = "a bias given as data";
  let description = [{
    An element of `values`, `[B, H, Sq, Sk]`, whose dimensions of static size 1
    are broadcast. -inf removes the pair as a mask does.

    [The specification](../spec.md#attnbiastensor) says exactly what it means.

    ```mlir
    func.func @tensor(%values: tensor<1x8x12x12xf32>) -> !attn.bias {
      %tensor = attn.bias.tensor %values : tensor<1x8x12x12xf32>
      return %tensor : !attn.bias
    }
    ```
  }];
  // bias_tensor_c1: floats of rank 4.
  let arguments = (ins Attn_Shaped<Attn_Float, [4]>:$values);
  let assemblyFormat = "$values `:` type($values) attr-dict";
}

def Attn_BiasAddOp : Attn_BiasOp<"add", [Pure, Commutative]> {
  let summary = "the sum of two biases";
  let description = [{
    The sum of two biases.

    [The specification](../spec.md#attnbiasadd) says exactly what it means.

    ```mlir
    func.func @add(%a: !attn.bias, %b: !attn.bias) -> !attn.bias {
      %add = attn.bias.add %a, %b
      return %add : !attn.bias
    }
    ```
  }];
  // bias_add_c1: both are biases.
  let arguments = (ins Attn_BiasType:$lhs, Attn_BiasType:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict";
  let hasFolder = 1;
}

def Attn_BiasGenerateOp
    : Attn_BiasOp<"generate", [NoMemoryEffect, RecursivelySpeculatable,
                               SingleBlock]> {
  let summary = "a bias given as a region";
  let description = [{
    The float that the region, given batch, head, query and key, yields. The
    region may read, within bounds for every pair, but has no other side
    effects.

    [The specification](../spec.md#attnbiasgenerate) says exactly what it means.

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
  // bias_generate_c1: one block.
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
  let hasRegionVerifier = 1;
}

def Attn_BiasSliceOp : Attn_BiasOp<"slice", [Pure]> {
  let summary = "a bias seen from a tile";
  let description = [{
    The bias of a tile that starts at the given batch, head, query and key;
    tiling makes it.

    [The specification](../spec.md#attnbiasslice) says exactly what it means.

    ```mlir
    func.func @slice(%bias: !attn.bias, %b: index, %h: index, %i: index, %j: index) -> !attn.bias {
      %slice = attn.bias.slice %bias[%b, %h, %i, %j]
      return %slice : !attn.bias
    }
    ```
  }];
  let arguments = (ins
    // bias_slice_c1: a bias.
    Attn_BiasType:$source,
    // bias_slice_c2: indices.
    Index:$batch, Index:$head, Index:$query, Index:$key);
  let assemblyFormat = "$source `[` $batch `,` $head `,` $query `,` $key `]` attr-dict";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNBIASOPS_TD
