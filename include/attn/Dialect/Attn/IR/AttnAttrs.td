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

def Attn_FrequenciesAttr : Attn_Attr<"Frequencies", "frequencies"> {
  let summary = "the frequencies of a rotary embedding, as a rule";
  let description = [{
    Gives the `dim / 2` angular frequencies `f[i]` (radians a position) of a
    rotation of `dim` elements. `evaluate` computes them in double precision.
    With `t[i] = base^(-2i / dim)`:

    | rule | `f[i]` | parameters beside `base` |
    |---|---|---|
    | `default` | `t[i]` | |
    | `linear` | `t[i] / factor` | `factor` |
    | `llama3` | `t[i]`, `t[i] / factor`, or between, by wavelength | `factor`, `low_freq_factor`, `high_freq_factor`, `original_length` |
    | `yarn` | `t[i] (1 - r[i]) + t[i] / factor * r[i]`, `r` a ramp over `i` | `factor`, `original_length`, `beta_fast`, `beta_slow`, `truncate` |

    YaRN's ramp: `d(beta) = dim ln(original_length / (2 pi beta)) / (2 ln base)`;
    from `lo = d(beta_fast)` to `hi = d(beta_slow)`, rounded outwards if
    `truncate` is 1, clamped to `[0, dim - 1]`; `r[i] = clamp((i - lo) / (hi - lo), 0, 1)`.
    Its attention factor is the `magnitude` of `attn.rotary_table`, not part of
    the rule. `base` may be `inf`, except for `yarn`: then `f[0] = 1` and the
    others are 0.

    Llama 3's factor, with the wavelength `w[i] = 2 pi / t[i]`: 1 if
    `w[i] < original_length / high_freq_factor`; `1 / factor` if
    `w[i] > original_length / low_freq_factor`; else `(1 - s) / factor + s`, where
    `s = (original_length / w[i] - low_freq_factor) / (high_freq_factor - low_freq_factor)`.

    Sources: `default`, Su et al. (2021), RoFormer; `linear`, Chen et al. (2023),
    Extending Context Window of Large Language Models via Positional
    Interpolation; `llama3`, the scaling of Llama 3.1 (Grattafiori et al., 2024,
    The Llama 3 Herd of Models, and its reference implementation); `yarn`, Peng
    et al. (2023), YaRN: Efficient Context Window Extension of Large Language
    Models.

    ```mlir
    func.func @frequencies() attributes {
      linear = #attn.frequencies<linear, dim = 64, base = 10000.0, factor = 4.0>,
      llama3 = #attn.frequencies<llama3, dim = 128, base = 500000.0, factor = 8.0,
        low_freq_factor = 1.0, high_freq_factor = 4.0, original_length = 8192.0>,
      yarn = #attn.frequencies<yarn, dim = 64, base = 10000.0, factor = 16.0, original_length = 4096.0,
        beta_fast = 32.0, beta_slow = 1.0, truncate = 1.0>
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
    /// The frequencies, `dim / 2` of them, in radians a position.
    ::llvm::SmallVector<double> evaluate() const;
    /// A parameter of the rule by name; the verifier made sure it is there.
    double getParameter(::llvm::StringRef name) const;
    /// The parameters that `rule` takes, `base` first.
    static ::llvm::ArrayRef<::llvm::StringRef>
    getParameterNames(::mlir::attn::FrequencyRule rule);
    /// Builds the attribute from parameter values in the order of
    /// `getParameterNames`.
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
    EnumParameter<Attn_RotaryLayout>:$layout,
    DefaultValuedParameter<"int64_t", "0">:$first,
    DefaultValuedParameter<"bool", "false">:$inverse);
  let assemblyFormat = "`<` $layout (`,` struct($first, $inverse)^)? `>`";
}

def Attn_PlanAttr : Attn_Attr<"Plan", "plan"> {
  let summary = "the blocking of an attention on the CPU";
  let description = [{
    Chosen by `attn-plan`. A work unit is one batch, one head and `query_block`
    queries, which are the lanes of the vectors; keys are walked in blocks of
    `key_block`; `rows` keys (or features) share one pass over the lanes, so
    that `rows * query_block` accumulators live in registers. All three are
    positive. A plan changes the order of additions, nothing else.

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
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNATTRS_TD
