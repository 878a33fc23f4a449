//===- AttnAttrs.td - Attributes of the attn dialect -------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNATTRS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNATTRS_TD

include "attn/Dialect/Attn/IR/AttnEnums.td"

class Attn_Attr<string name, string attrMnemonic>
    : AttrDef<Attn_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Attn_SectionsAttr : Attn_Attr<"Sections", "sections"> {
  let summary = "how rotary pairs are shared out between axes of a position";
  let description = [{
    A position with `A` axes (time, height and width of a video, say) has `A`
    numbers, and each pair of a rotation turns by one of them. `sizes` says how
    many pairs each axis has; their sum is the number of pairs. Pair `i` takes

    | order | axis | frequency |
    |---|---|---|
    | `chunked` | the one whose consecutive range holds `i` | `f[i]` |
    | `interleaved` | `a = i mod A` if `a > 0` and `i < A sizes[a]`, else 0 | `f[i]` |
    | `axial` | as `chunked` | number `i - start` of the rule with `dim = 2 sizes[a]`, `start` the first pair of the axis |

    Sources: `chunked`, Wang et al. (2024), Qwen2-VL (M-RoPE); `interleaved`, its
    successor Qwen3-VL; `axial`, the two-dimensional rotation of vision models
    (Heo et al., 2024, Rotary Position Embedding for Vision Transformer).

    ```mlir
    func.func @sections() attributes {
      qwen2 = #attn.sections<chunked, [16, 24, 24]>,
      qwen3 = #attn.sections<interleaved, [24, 20, 20]>,
      image = #attn.sections<axial, [16, 16]>
    } {
      return
    }
    ```
  }];
  let parameters = (ins
    // sections_c1
    EnumParameter<Attn_SectionOrder>:$order,
    ArrayRefParameter<"int64_t">:$sizes);
  let assemblyFormat = "`<` $order `,` `[` $sizes `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The most axes that a position has.
    static constexpr int64_t maxAxes = 16;
    int64_t getNumAxes() const { return getSizes().size(); }
    /// The sum of all sizes.
    int64_t getNumPairs() const;
    /// The axis of each pair.
    ::llvm::SmallVector<int64_t> getAxes() const;
  }];
}

def Attn_FrequenciesAttr : Attn_Attr<"Frequencies", "frequencies"> {
  let summary = "the frequencies of a rotary embedding, as a rule";
  let description = [{
    Gives the `dim / 2` angular frequencies `f[i]` (radians a position) of a
    rotation of `dim` elements. `evaluate` computes them in double precision.
    With `t[i] = base^(-2i / dim)` and `s = factor`:

    | rule | `f[i]` | parameters beside `base` |
    |---|---|---|
    | `default` | `t[i]` | |
    | `linear` | `t[i] / s` | `factor` |
    | `llama3` | `t[i]`, `t[i] / s`, or between, by wavelength | `factor`, `low_freq_factor`, `high_freq_factor`, `original_length` |
    | `yarn` | `t[i] (1 - r[i]) + t[i] / s * r[i]`, `r` a ramp over `i` | `factor`, `original_length`, `beta_fast`, `beta_slow`, `truncate` |
    | `ntk` | `t[i] * alpha^(-2i / (dim - 2))` | `alpha` |
    | `ntk_two_step` | `(base s)^(-2i / dim) * s^(-2 / dim)` | `factor` |
    | `ntk_mixed` | `t[i] * exp(-a (i + 1)^exponent)`, `a = ln s / (dim / 2)^exponent` | `factor`, `exponent` |
    | `proportional` | `t[i] / s` for `i < pairs`, else 0 | `factor`, `pairs` |
    | `dynamic_ntk` | `t[i] * g^(-2i / (dim - 2))` | `factor`, `original_length` |
    | `longrope` | `t[i] / short[i]` up to `original_length` tokens, then `t[i] / long[i]` | `original_length`, `short`, `long` |

    The last two are rules of run time: they take the current number `L` of
    tokens, the operand `length` of `attn.rotary_table`. `g` is 1 for
    `L <= original_length`, else `s L / original_length - (s - 1)`.

    `ntk` and `dynamic_ntk` are the default rule with the base
    `base * alpha^(dim / (dim - 2))`, or `g` for `alpha`; `f[0]` is 1.
    `proportional` divides by the whole head dimension, which `dim` is, and not
    by the part that turns. `pairs` is an integer from 0 to `dim / 2`; `short`
    and `long` are lists of `dim / 2` numbers.

    YaRN's ramp: `d(beta) = dim ln(original_length / (2 pi beta)) / (2 ln base)`;
    from `lo = d(beta_fast)` to `hi = d(beta_slow)`, rounded outwards if
    `truncate` is 1, clamped to `[0, dim - 1]`; `r[i] = clamp((i - lo) / (hi - lo), 0, 1)`.
    The attention factors of YaRN and of LongRoPE (`sqrt(1 + ln s / ln original_length)`)
    are the `magnitude` of `attn.rotary_table`, not part of the rule. `base` may
    be `inf`, except for `yarn`: then `t[0] = 1` and the others are 0.

    Llama 3's factor, with the wavelength `w[i] = 2 pi / t[i]`: 1 if
    `w[i] < original_length / high_freq_factor`; `1 / factor` if
    `w[i] > original_length / low_freq_factor`; else `(1 - s) / factor + s`, where
    `s = (original_length / w[i] - low_freq_factor) / (high_freq_factor - low_freq_factor)`.

    Sources: `default`, Su et al. (2021), RoFormer; `linear`, Chen et al. (2023),
    Extending Context Window of Large Language Models via Positional
    Interpolation; `llama3`, the scaling of Llama 3.1 (Grattafiori et al., 2024,
    The Llama 3 Herd of Models, and its reference implementation); `yarn`, Peng
    et al. (2023), YaRN: Efficient Context Window Extension of Large Language
    Models, which also describes `ntk` and `dynamic_ntk`; `ntk_two_step` and
    `ntk_mixed`, Su (2023), Transformer upgrade path 11, HFWYY and mixed bases;
    `longrope`, Ding et al. (2024), LongRoPE; `proportional`, Barbero et al.
    (2024), Round and Round We Go! What Makes Rotary Positional Encodings Useful?

    ```mlir
    func.func @frequencies() attributes {
      linear = #attn.frequencies<linear, dim = 64, base = 10000.0, factor = 4.0>,
      llama3 = #attn.frequencies<llama3, dim = 128, base = 500000.0, factor = 8.0,
        low_freq_factor = 1.0, high_freq_factor = 4.0, original_length = 8192.0>,
      yarn = #attn.frequencies<yarn, dim = 64, base = 10000.0, factor = 16.0, original_length = 4096.0,
        beta_fast = 32.0, beta_slow = 1.0, truncate = 1.0>,
      proportional = #attn.frequencies<proportional, dim = 256, base = 10000.0, factor = 1.0, pairs = 32>,
      longrope = #attn.frequencies<longrope, dim = 4, base = 10000.0, original_length = 4096.0,
        short = [1.0, 1.5], long = [2.0, 8.0]>
    } {
      return
    }
    ```
  }];
  let parameters = (ins
    EnumParameter<Attn_FrequencyRule>:$rule,
    "int64_t":$dim,
    "::mlir::DictionaryAttr":$parameters);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The frequencies in radians a position: `dim / 2` of them, or those of
    /// `sections`. `length` is the current number of tokens, which only rules
    /// of run time look at.
    ::llvm::SmallVector<double> evaluate(SectionsAttr sections = {},
                                         double length = 0) const;
    /// For `dynamic_ntk`: `g`, by which `length` tokens enlarge the base, and
    /// the powers of `g` that multiply the default frequencies, pair by pair.
    double getGrowth(double length) const;
    ::llvm::SmallVector<double> getGrowthExponents(SectionsAttr sections) const;
    /// Whether the frequencies depend on the current number of tokens.
    bool isOfRunTime() const;
    /// A parameter of the rule by name; the verifier made sure it is there.
    double getParameter(::llvm::StringRef name) const;
    /// A parameter that is a list, one number a pair.
    ::llvm::ArrayRef<double> getList(::llvm::StringRef name) const;
    /// The parameters that `rule` takes, `base` first.
    static ::llvm::ArrayRef<::llvm::StringRef>
    getParameterNames(::mlir::attn::FrequencyRule rule);
    /// Builds the attribute from parameter values in the order of
    /// `getParameterNames`, for rules that take plain numbers only.
    static FrequenciesAttr get(::mlir::MLIRContext *context,
                               ::mlir::attn::FrequencyRule rule, int64_t dim,
                               ::llvm::ArrayRef<double> values);
  }];
}

def Attn_RotationAttr : Attn_Attr<"Rotation", "rotation"> {
  let summary = "how attention rotates its query or key";
  let description = [{
    The part of an `attn.rotary` that is not an operand, for a rotation that was
    folded into `attn.attention`: the range `[first, first + R)` of the head
    dimension is rotated, `R` being twice the last dimension of the tables;
    `inverse` rotates back.

    ```mlir
    func.func @rotations() attributes {
      whole = #attn.rotation<split_half>,
      partial = #attn.rotation<interleaved, first = 32, inverse = true>
    } {
      return
    }
    ```
  }];
  let parameters = (ins
    // rotation_c1
    EnumParameter<Attn_RotaryLayout>:$layout,
    DefaultValuedParameter<"int64_t", "0">:$first,
    DefaultValuedParameter<"bool", "false">:$inverse);
  let assemblyFormat = "`<` $layout (`,` struct($first, $inverse)^)? `>`";
  let genVerifyDecl = 1;
}

def Attn_PlanAttr : Attn_Attr<"Plan", "plan"> {
  let summary = "the blocking of an attention on the CPU";
  let description = [{
    Chosen by `attn-plan`. A work unit is one batch, one head and `query_block`
    queries, which are the lanes of the vectors; keys are walked in blocks of
    `key_block`; `rows` keys (or features) share one pass over the lanes, so
    that `rows * query_block` accumulators live in registers. All three are
    positive, the accumulators are at most 1024, and `key_block` is at most
    65536: the kernel is unrolled by them. A plan changes the order of additions, nothing else.

    ```mlir
    func.func @plan() attributes {plan = #attn.plan<query_block = 32, key_block = 128, rows = 8>} {
      return
    }
    ```
  }];
  let parameters = (ins "int64_t":$query_block, "int64_t":$key_block,
                        "int64_t":$rows);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The most that `query_block` times `rows`, and `key_block`, may be.
    static constexpr int64_t maxAccumulators = 1024, maxKeyBlock = 65536;
  }];
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNATTRS_TD
