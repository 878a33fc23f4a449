//===- AttnAttentionOps.td - Attention and materialization -*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOPS_TD

include "attn/Dialect/Attn/IR/AttnDestinationOps.td"

def Attn_AttentionOp
    : Attn_DestinationOp<"attention", [AttrSizedOperandSegments,
                                       RecursiveMemoryEffects]> {
  let summary = "masked attention";
  let description = [{
    For each batch `b`, query head `h`, query `i` and key `j`, accumulated in at
    least f32:

    0. If `query_rotation` (`key_rotation`) is given, query (key) is rotated as
       `attn.rotary` does it, in at least f32; the result may be rounded to the
       element type, as that of a separate `attn.rotary` is.
    1. `s = scale * sum_d q[i, d] * k[j, d]`; the default scale is `1 / sqrt(Dk)`.
       With `bias_before_scale`, `s = scale * (sum_d q[i, d] * k[j, d] + bias)`.
    2. `s = softcap * tanh(s / softcap)` if `softcap` is given.
    3. `s = s + bias(b, h, i, j)`, unless it is in there already.
    4. `s = score(s, b, h, i, j)` if there is a score region.
    5. Pairs that the mask does not keep are removed; so are those whose bias is
       -inf. Then `s` is rounded to `softmax_type`, if that is given.
    6. `m = max s`, `p = exp(s - m)`, `l = sum p` over the kept `j`. With `sinks`,
       `sinks[h]` takes part in `m`, and `exp(sinks[h] - m)` in `l`.
    7. `out = (sum_j p v[j]) / l`, in which `p` (not `l`) is rounded to
       `prob_type`, if that is given.
    8. `lse = m + ln(l)`, the optional second result, divided by `ln 2` if
       `lse_base = two`.

    This is scaled dot-product attention (Vaswani et al., 2017, Attention Is All
    You Need), with query heads in groups as in Ainslie et al. (2023), GQA, and
    with the capping of scores of Gemma 2 (Gemma Team, 2024). A sink is the extra
    logit of gpt-oss (OpenAI, 2025); 0 gives the softmax plus one of Miller
    (2023). `bias_before_scale` is what Falcon (Almazrouei et al., 2023) does.

    A row that keeps no key gives 0 (`empty_row = zero`, the default), NaN
    (`nan`), or the mean of all values (`mean`), which without keys is NaN; its
    `lse` is -inf. A removed key or value influences nothing, NaN included. With
    `sinks` no row is empty, whatever `empty_row` says: one that keeps no key is
    0, and its `lse` that of the sink.

    A score of -inf that no bias made (the score region did, or infinite
    inputs) does not remove its pair: it has weight 0 beside any other score. A
    row whose kept scores are all -inf is not empty: it is 0 / 0, NaN, and its
    `lse` the logarithm of 0, -inf.

    Shapes, with those of the dialect: `out` is `[B, Hq, Sq, Dv]`, `lse`
    `[B, Hq, Sq]`, each pair of rotary tables `[B|1, S, R/2]` with `S` the length
    of what it rotates. Query, key, value and `out` have one element type; both
    tables of a pair have one, which may be another; `lse` has the type of the
    accumulators, f64 if the query is f64 and f32 otherwise. `sinks` is `[Hq]`,
    of any float type. `prob_type` and `softmax_type` are not wider than the
    accumulators. The `p` that is rounded may be relative to the maximum of the
    keys so far: it has the precision of `prob_type`, not always the same bits.

    The score region has one block with 5 arguments: the score, of the type of
    the accumulators, and the indices `b`, `h`, `i` and `j`, of type `index`.
    `attn.yield` ends it with a score of the same type. It must be free of side
    effects but reads; it may read values from outside, within their bounds for
    every pair, kept or not.

    `scale` is finite, `softcap` finite and positive. `Hq` is a multiple of
    `Hk`. Without features (`Dk = 0`) the default scale is 1, and every score is
    0 before the bias. `query_rotation`, `query_cos` and `query_sin` are given
    together or not at all, and so are those of the key. `plan` is the blocking
    on the CPU (see `attn-plan`); it changes the order of additions, no more.

    ```mlir
    func.func @attention(%q: tensor<1x8x128x64xf32>, %k: tensor<1x2x128x64xf32>,
                         %v: tensor<1x2x128x64xf32>, %out: tensor<1x8x128x64xf32>)
        -> tensor<1x8x128x64xf32> {
      %causal = attn.mask.causal
      %attention = attn.attention query(%q : tensor<1x8x128x64xf32>)
        key(%k : tensor<1x2x128x64xf32>) value(%v : tensor<1x2x128x64xf32>)
        mask(%causal) outs(%out : tensor<1x8x128x64xf32>)
      return %attention : tensor<1x8x128x64xf32>
    }

    // With the log-sum-exp, and scores that double for the key of the query.
    func.func @score(%q: tensor<1x8x128x64xbf16>, %k: tensor<1x2x128x64xbf16>, %v: tensor<1x2x128x64xbf16>,
                     %out: tensor<1x8x128x64xbf16>, %sums: tensor<1x8x128xf32>)
        -> (tensor<1x8x128x64xbf16>, tensor<1x8x128xf32>) {
      %attention, %lse = attn.attention query(%q : tensor<1x8x128x64xbf16>)
        key(%k : tensor<1x2x128x64xbf16>) value(%v : tensor<1x2x128x64xbf16>)
        outs(%out, %sums : tensor<1x8x128x64xbf16>, tensor<1x8x128xf32>)
        {scale = 0.25 : f64, softcap = 50.0 : f64} score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
        %twice = arith.addf %s, %s : f32
        %same = arith.cmpi eq, %i, %j : index
        %result = arith.select %same, %twice, %s : f32
        attn.yield %result : f32
      }
      return %attention, %lse : tensor<1x8x128x64xbf16>, tensor<1x8x128xf32>
    }

    // With a sink for each head, and weights rounded as frameworks round them.
    func.func @sinks(%q: tensor<1x8x128x64xbf16>, %k: tensor<1x2x128x64xbf16>, %v: tensor<1x2x128x64xbf16>,
                     %sinks: tensor<8xbf16>, %out: tensor<1x8x128x64xbf16>) -> tensor<1x8x128x64xbf16> {
      %causal = attn.mask.causal
      %attention = attn.attention query(%q : tensor<1x8x128x64xbf16>) key(%k : tensor<1x2x128x64xbf16>)
        value(%v : tensor<1x2x128x64xbf16>) mask(%causal) sinks(%sinks : tensor<8xbf16>)
        outs(%out : tensor<1x8x128x64xbf16>) {prob_type = bf16, softmax_type = bf16}
      return %attention : tensor<1x8x128x64xbf16>
    }
    ```
  }];
  let arguments = (ins
    // attention_c1
    Attn_Shaped<Attn_Float, [4]>:$query,
    Attn_Shaped<Attn_Float, [4]>:$key,
    Attn_Shaped<Attn_Float, [4]>:$value,
    Optional<Attn_BiasType>:$bias,
    Optional<Attn_MaskType>:$mask,
    Optional<Attn_Shaped<Attn_Float, [3]>>:$query_cos,
    Optional<Attn_Shaped<Attn_Float, [3]>>:$query_sin,
    Optional<Attn_Shaped<Attn_Float, [3]>>:$key_cos,
    Optional<Attn_Shaped<Attn_Float, [3]>>:$key_sin,
    // attention_c23
    Optional<Attn_Shaped<Attn_Float, [1]>>:$sinks,
    Variadic<Attn_Shaped<Attn_Float, [3, 4]>>:$inits,
    OptionalAttr<F64Attr>:$scale,
    OptionalAttr<F64Attr>:$softcap,
    DefaultValuedAttr<Attn_EmptyRowAttr, "::mlir::attn::EmptyRow::Zero">:$empty_row,
    DefaultValuedAttr<Attn_LseBaseAttr, "::mlir::attn::LseBase::Natural">:$lse_base,
    UnitAttr:$bias_before_scale,
    // attention_c25
    OptionalAttr<TypeAttrOf<Attn_Float>>:$prob_type,
    OptionalAttr<TypeAttrOf<Attn_Float>>:$softmax_type,
    OptionalAttr<Attn_RotationAttr>:$query_rotation,
    OptionalAttr<Attn_RotationAttr>:$key_rotation,
    OptionalAttr<Attn_PlanAttr>:$plan);
  let regions = (region MaxSizedRegion<1>:$score);
  let assemblyFormat = [{
    `query` `(` $query `:` type($query) `)` `key` `(` $key `:` type($key) `)`
    `value` `(` $value `:` type($value) `)`
    (`bias` `(` $bias^ `)`)? (`mask` `(` $mask^ `)`)?
    (`rotate_query` `(` $query_cos^ `,` $query_sin `:` type($query_cos) `,` type($query_sin) `)`)?
    (`rotate_key` `(` $key_cos^ `,` $key_sin `:` type($key_cos) `,` type($key_sin) `)`)?
    (`sinks` `(` $sinks^ `:` type($sinks) `)`)?
    (`empty_row` `=` `` $empty_row^)? (`lse_base` `=` `` $lse_base^)?
    `outs` `` custom<Destinations>($inits, type($inits), type($results))
    attr-dict (`score` $score^)?
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = destinationDeclaration # lseDeclaration # [{
    /// The factor of the scores: `scale`, or its default, which needs a static
    /// head dimension; std::nullopt if that is dynamic.
    std::optional<double> getConstantScale();
    /// The type of scores, sums and the log-sum-exp: f32, or f64 for f64.
    ::mlir::FloatType getAccumulatorType() {
      return ::mlir::attn::getAccumulatorType(getQuery());
    }
    /// The query heads per key/value head, if both are static.
    std::optional<int64_t> getStaticGroupSize();
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$query, "::mlir::Value":$key,
      "::mlir::Value":$value, "::mlir::Value":$bias, "::mlir::Value":$mask,
      "::mlir::ValueRange":$inits, "std::optional<double>":$scale,
      "std::optional<double>":$softcap,
      CArg<"::mlir::attn::EmptyRow", "::mlir::attn::EmptyRow::Zero">:$emptyRow)>];
}

def Attn_MaterializeOp : Attn_DestinationOp<"materialize"> {
  let summary = "a mask or bias as a tensor";
  let description = [{
    Element `[b, h, i, j]` of the result is the mask (as `i1`) or the bias (as a
    float) of that pair. The destination gives the sizes.

    ```mlir
    func.func @dense(%out: tensor<1x1x8x8xi1>) -> tensor<1x1x8x8xi1> {
      %causal = attn.mask.causal
      %dense = attn.materialize %causal : !attn.mask outs(%out : tensor<1x1x8x8xi1>)
      return %dense : tensor<1x1x8x8xi1>
    }
    ```
  }];
  // materialize_c1: the types of source and destination.
  let arguments = (ins
    AnyTypeOf<[Attn_MaskType, Attn_BiasType]>:$source,
    Variadic<Attn_Shaped<AnyTypeOf<[I1, Attn_Float]>, [4]>>:$inits);
  let assemblyFormat = [{
    $source `:` type($source)
    `outs` `` custom<Destinations>($inits, type($inits), type($results)) attr-dict
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNATTENTIONOPS_TD
