//===- AttnDestinationOps.td - Ops with destinations -------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_ATTNDESTINATIONOPS_TD
#define ATTN_DIALECT_ATTN_IR_ATTNDESTINATIONOPS_TD

include "attn/Dialect/Attn/IR/AttnAttrs.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

/// Destinations are read as well: parts of them stay as they are.
def Attn_ReadsDestinations : NativeOpTrait<"ReadsDestinations"> {
  let cppNamespace = "::mlir::attn";
}

/// A destination-style op: `inits` give the sizes of the results, and, after
/// bufferization, are where the results are written. They are overwritten as a
/// whole without being read, unless the op has Attn_ReadsDestinations. On
/// tensors the op is pure. Memory effects, reification and speculatability are
/// shared (DestinationOps.cpp), and so is how tiles are cut (Tiling.cpp); which
/// loop cuts which dimension is with each op (*Tiling.cpp).
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
  /// Of an op whose destinations are an output and, if wanted, a log-sum-exp.
  code lseDeclaration = [{
    /// Where the output is written.
    ::mlir::Value getOutputInit() { return getInits()[0]; }
    /// Where the log-sum-exp is written, or null.
    ::mlir::Value getLseInit() {
      return getInits().size() > 1 ? ::mlir::Value(getInits()[1])
                                   : ::mlir::Value();
    }
  }];
  let extraClassDeclaration = destinationDeclaration;
}

#endif // ATTN_DIALECT_ATTN_IR_ATTNDESTINATIONOPS_TD
