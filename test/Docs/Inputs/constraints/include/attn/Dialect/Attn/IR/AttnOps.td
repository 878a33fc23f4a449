include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/Interfaces.td"
include "mlir/IR/OpBase.td"

def Attn_Dialect : Dialect {
  let name = "attn";
}

def Attn_PlanAttr : AttrDef<Attn_Dialect, "Plan"> {
  let mnemonic = "plan";
}

def Attn_GoodOp : Op<Attn_Dialect, "mask.good"> {
  let arguments = (ins I64Attr:$size, // mask_good_c1
                       I64Attr:$offset);
}

def Attn_LostOp : Op<Attn_Dialect, "lost">;

def Attn_MixedOp : Op<Attn_Dialect, "mixed"> { let summary = "it"; let description = "It."; }

def Attn_AskOpInterface : OpInterface<"AskOpInterface"> {
  let methods = [InterfaceMethod<"", "bool", "isAsked">,
                 InterfaceMethod<"", "bool", "isAnswered">];
}
def Attn_LostOpInterface : OpInterface<"LostOpInterface">;
