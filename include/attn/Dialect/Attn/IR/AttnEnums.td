//===- AttnEnums.td - Enumerations of the attn dialect -----*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNENUMS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNENUMS_TD

include "attn/Dialect/Attn/IR/AttnBase.td"
include "mlir/IR/EnumAttr.td"

/// An enumeration whose cases `meaning` describes.
class Attn_Enum<string name, string summary, string meaning,
                list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let description = meaning;
  let cppNamespace = "::mlir::attn";
  let genSpecializedAttr = 0;
}

def Attn_RotaryLayout
    : Attn_Enum<"RotaryLayout", "which elements a rotation pairs", [{
    `interleaved` pairs neighbours, `(2i, 2i + 1)`; `split_half` pairs the two
    halves of the rotated range, `(i, i + R/2)`.
    }], [
        I32EnumAttrCase<"Interleaved", 0, "interleaved">,
        I32EnumAttrCase<"SplitHalf", 1, "split_half">]>;
def Attn_RotaryLayoutAttr
    : EnumAttr<Attn_Dialect, Attn_RotaryLayout, "rotary_layout">;

def Attn_FrequencyRule
    : Attn_Enum<"FrequencyRule", "how rotary frequencies follow from a base", [{
    `default` takes the powers of the base as they are; `linear` divides all of
    them by a factor; `llama3` divides those of long wavelengths; `yarn` those
    behind a ramp over the pairs, and in part those on it. `ntk` enlarges the
    base; `ntk_two_step` and `ntk_mixed` spread a factor over the pairs.
    `proportional` turns the first pairs only. `dynamic_ntk` and `longrope`
    depend on the current number of tokens. The formulas are with
    `#attn.frequencies`.
    }], [
        I32EnumAttrCase<"Default", 0, "default">,
        I32EnumAttrCase<"Linear", 1, "linear">,
        I32EnumAttrCase<"Llama3", 2, "llama3">,
        I32EnumAttrCase<"Yarn", 3, "yarn">,
        I32EnumAttrCase<"Ntk", 4, "ntk">,
        I32EnumAttrCase<"NtkTwoStep", 5, "ntk_two_step">,
        I32EnumAttrCase<"NtkMixed", 6, "ntk_mixed">,
        I32EnumAttrCase<"DynamicNtk", 7, "dynamic_ntk">,
        I32EnumAttrCase<"LongRope", 8, "longrope">,
        I32EnumAttrCase<"Proportional", 9, "proportional">]>;

def Attn_SectionOrder
    : Attn_Enum<"SectionOrder", "how pairs are shared out between axes", [{
    `chunked` gives each axis consecutive pairs, whose frequencies go on;
    `interleaved` deals the pairs out in turn; `axial` gives each axis
    consecutive pairs and starts its frequencies anew. The formulas are with
    `#attn.sections`.
    }], [
        I32EnumAttrCase<"Chunked", 0, "chunked">,
        I32EnumAttrCase<"Interleaved", 1, "interleaved">,
        I32EnumAttrCase<"Axial", 2, "axial">]>;

def Attn_SinusoidLayout
    : Attn_Enum<"SinusoidLayout", "where sines and cosines stand", [{
    `interleaved` lets sines and cosines alternate; `concatenated` puts all
    sines before all cosines.
    }], [
        I32EnumAttrCase<"Interleaved", 0, "interleaved">,
        I32EnumAttrCase<"Concatenated", 1, "concatenated">]>;
def Attn_SinusoidLayoutAttr
    : EnumAttr<Attn_Dialect, Attn_SinusoidLayout, "sinusoid_layout">;

def Attn_SinusoidDenominator
    : Attn_Enum<"SinusoidDenominator", "what divides the exponent of a frequency", [{
    `full` is the width `D` of the encoding, `minus_two` is `D - 2`, by which the
    last frequency is the inverse of the base.
    }], [
        I32EnumAttrCase<"Full", 0, "full">,
        I32EnumAttrCase<"MinusTwo", 1, "minus_two">]>;
def Attn_SinusoidDenominatorAttr
    : EnumAttr<Attn_Dialect, Attn_SinusoidDenominator, "denominator">;

def Attn_OutOfRange
    : Attn_Enum<"OutOfRange", "what a position outside of a table means", [{
    `trap` is an error; `clamp` stands for the nearest row.
    }], [
        I32EnumAttrCase<"Trap", 0, "trap">,
        I32EnumAttrCase<"Clamp", 1, "clamp">]>;
def Attn_OutOfRangeAttr
    : EnumAttr<Attn_Dialect, Attn_OutOfRange, "out_of_range">;

def Attn_AngleType
    : Attn_Enum<"AngleType", "the precision of angles", [{
    `exact` gives the cosine and sine of the exact product of position and
    frequency; `f32` rounds the frequency and the product to f32 first, as
    frameworks do.
    }], [
        I32EnumAttrCase<"Exact", 0, "exact">,
        I32EnumAttrCase<"F32", 1, "f32">]>;
def Attn_AngleTypeAttr : EnumAttr<Attn_Dialect, Attn_AngleType, "angles">;

def Attn_PaddingSide
    : Attn_Enum<"PaddingSide", "the side that is padded", [{
    `right` padding follows the tokens of a row, `left` padding precedes them.
    }], [
        I32EnumAttrCase<"Right", 0, "right">,
        I32EnumAttrCase<"Left", 1, "left">]>;
def Attn_PaddingSideAttr
    : EnumAttr<Attn_Dialect, Attn_PaddingSide, "side">;

def Attn_MaskPolarity
    : Attn_Enum<"MaskPolarity", "what a true element of a mask tensor means", [{
    A true element lets its pair attend (`keep`), or keeps it from attending
    (`block`).
    }], [
        I32EnumAttrCase<"Keep", 0, "keep">,
        I32EnumAttrCase<"Block", 1, "block">]>;
def Attn_MaskPolarityAttr
    : EnumAttr<Attn_Dialect, Attn_MaskPolarity, "polarity">;

def Attn_AlibiDistance
    : Attn_Enum<"AlibiDistance", "the distance that ALiBi punishes", [{
    `linear` is the signed distance from the key to the query, so later keys get
    a positive bias; `absolute` is its magnitude, for attention to both sides.
    }], [
        I32EnumAttrCase<"Linear", 0, "linear">,
        I32EnumAttrCase<"Absolute", 1, "absolute">]>;
def Attn_AlibiDistanceAttr
    : EnumAttr<Attn_Dialect, Attn_AlibiDistance, "distance">;

def Attn_AlibiSeries
    : Attn_Enum<"AlibiSeries", "how ALiBi's slopes follow from a head count", [{
    `standard` continues a head count that is no power of two with slopes of the
    next one; `plain` takes one geometric series of that many slopes.
    }], [
        I32EnumAttrCase<"Standard", 0, "standard">,
        I32EnumAttrCase<"Plain", 1, "plain">]>;
def Attn_AlibiSeriesAttr : EnumAttr<Attn_Dialect, Attn_AlibiSeries, "series">;

def Attn_RelativeForm
    : Attn_Enum<"RelativeForm", "how a distance picks an element of a table", [{
    `t5` has an element for each of its logarithmic buckets, `toeplitz` one for
    each distance, and `window` one for each pair of vertical and horizontal
    distances in a window of an image.
    }], [
        I32EnumAttrCase<"T5", 0, "t5">,
        I32EnumAttrCase<"Toeplitz", 1, "toeplitz">,
        I32EnumAttrCase<"Window", 2, "window">]>;
def Attn_RelativeFormAttr : EnumAttr<Attn_Dialect, Attn_RelativeForm, "form">;

def Attn_EmptyRow
    : Attn_Enum<"EmptyRow", "the result of a row that keeps no key", [{
    `zero` gives zeros, `nan` what a softmax of nothing but -inf gives, and
    `mean` the mean of all values, what a softmax of equal scores gives (masks
    that add the lowest finite number).
    }], [
        I32EnumAttrCase<"Zero", 0, "zero">,
        I32EnumAttrCase<"Nan", 1, "nan">,
        I32EnumAttrCase<"Mean", 2, "mean">]>;
def Attn_EmptyRowAttr : EnumAttr<Attn_Dialect, Attn_EmptyRow, "empty_row">;

def Attn_LseBase
    : Attn_Enum<"LseBase", "the base of the logarithm of a log-sum-exp", [{
    `natural` is `ln sum e^s`; `two` is `log2 sum e^s`, what kernels that compute
    powers of two keep.
    }], [
        I32EnumAttrCase<"Natural", 0, "natural">,
        I32EnumAttrCase<"Two", 1, "two">]>;
def Attn_LseBaseAttr : EnumAttr<Attn_Dialect, Attn_LseBase, "lse_base">;

def Attn_AllIgnored
    : Attn_Enum<"AllIgnored", "the loss if every target is ignored", [{
    `nan` is 0 / 0, the mean of nothing; `zero` leaves a sum of losses as it is.
    }], [
        I32EnumAttrCase<"Nan", 0, "nan">,
        I32EnumAttrCase<"Zero", 1, "zero">]>;
def Attn_AllIgnoredAttr
    : EnumAttr<Attn_Dialect, Attn_AllIgnored, "all_ignored">;

#endif // ATTN_DIALECT_ATTN_IR_ATTNENUMS_TD
