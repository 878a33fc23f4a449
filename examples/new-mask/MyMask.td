include "attn/Dialect/Attn/IR/AttnBase.td"
include "attn/Dialect/Attn/IR/AttnInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def MyMask_Dialect : Dialect {
  let name = "mymask";
  let cppNamespace = "::mymask";
  let dependentDialects = ["::mlir::attn::AttnDialect"];
}

def MyMask_DilatedOp : Op<MyMask_Dialect, "dilated", [
    Pure,
    DeclareOpInterfaceMethods<Attn_MaskOpInterface, ["emitKeyIntervals"]>,
    DeclareOpInterfaceMethods<Attn_SymbolicOpInterface, ["getIndexedDims"]>]> {
  let summary = "keeps every n-th key before the query";
  let description = [{
    Keeps `j <= i` where `i - j` is a multiple of `max(rates[h], 1)`. `rates` is
    `[H]`, or `[1]` for all heads.
  }];
  let arguments = (ins Attn_Shaped<Attn_Integer, [1]>:$rates);
  let results = (outs Attn_MaskType:$mask);
  let assemblyFormat = "$rates `:` type($rates) attr-dict";
}
