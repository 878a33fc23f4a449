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

class Attn_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::attn";
  let genSpecializedAttr = 0;
}

def Attn_RotaryLayout
    : Attn_Enum<"RotaryLayout", "which elements a rotation pairs", [
        I32EnumAttrCase<"Interleaved", 0, "interleaved">,
        I32EnumAttrCase<"SplitHalf", 1, "split_half">]>;
def Attn_RotaryLayoutAttr
    : EnumAttr<Attn_Dialect, Attn_RotaryLayout, "layout">;

def Attn_FrequencyRule
    : Attn_Enum<"FrequencyRule", "how rotary frequencies follow from a base", [
        I32EnumAttrCase<"Default", 0, "default">,
        I32EnumAttrCase<"Linear", 1, "linear">,
        I32EnumAttrCase<"Llama3", 2, "llama3">,
        I32EnumAttrCase<"Yarn", 3, "yarn">]>;

def Attn_AngleType
    : Attn_Enum<"AngleType", "the precision of rotary angles", [
        I32EnumAttrCase<"Exact", 0, "exact">,
        I32EnumAttrCase<"F32", 1, "f32">]>;
def Attn_AngleTypeAttr : EnumAttr<Attn_Dialect, Attn_AngleType, "angles">;

def Attn_PaddingSide
    : Attn_Enum<"PaddingSide", "the side that is padded", [
        I32EnumAttrCase<"Right", 0, "right">,
        I32EnumAttrCase<"Left", 1, "left">]>;
def Attn_PaddingSideAttr
    : EnumAttr<Attn_Dialect, Attn_PaddingSide, "side">;

def Attn_MaskPolarity
    : Attn_Enum<"MaskPolarity", "what a true element of a mask tensor means", [
        I32EnumAttrCase<"Keep", 0, "keep">,
        I32EnumAttrCase<"Block", 1, "block">]>;
def Attn_MaskPolarityAttr
    : EnumAttr<Attn_Dialect, Attn_MaskPolarity, "polarity">;

def Attn_AlibiDistance
    : Attn_Enum<"AlibiDistance", "the distance that ALiBi punishes", [
        I32EnumAttrCase<"Linear", 0, "linear">,
        I32EnumAttrCase<"Absolute", 1, "absolute">]>;
def Attn_AlibiDistanceAttr
    : EnumAttr<Attn_Dialect, Attn_AlibiDistance, "distance">;

def Attn_EmptyRow
    : Attn_Enum<"EmptyRow", "the result of a row that keeps no key", [
        I32EnumAttrCase<"Zero", 0, "zero">,
        I32EnumAttrCase<"Nan", 1, "nan">,
        I32EnumAttrCase<"Mean", 2, "mean">]>;
def Attn_EmptyRowAttr : EnumAttr<Attn_Dialect, Attn_EmptyRow, "empty_row">;

#endif // ATTN_DIALECT_ATTN_IR_ATTNENUMS_TD
