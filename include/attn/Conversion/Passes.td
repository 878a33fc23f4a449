//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//
//
// The passes between levels of the pipeline, grouped by folder of
// lib/Conversion.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_PASSES
#define ATTN_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// LoopsToLLVM
//===----------------------------------------------------------------------===//

def EntryAbiPass : Pass<"attn-entry-abi", "ModuleOp"> {
  let summary = "Prepare public functions for callers outside MLIR";
  let description = [{
    Runs on tensors, before bufferization. Every public function with a body
    gets `llvm.emit_c_interface`, and its tensor arguments become read-only
    (`bufferization.writable = false`) unless they already carry that attribute:
    a caller's inputs are never overwritten, an update is made in a copy.

    Example:

    ```mlir
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      return %a : tensor<4xf32>
    }
    ```
  }];
}

def SeparateResultsPass : Pass<"attn-separate-results", "ModuleOp"> {
  let summary = "Give each result of a public function its own allocation";
  let description = [{
    Runs on bufferized functions, before the ownership-based deallocation. That
    one makes every returned buffer owned by the caller (what aliases an argument
    or a constant is cloned), but lets two results share an allocation. Where two
    results of a public function may do so, this pass clones the later one, so
    that the caller can free each result exactly once.

    Example:

    ```mlir
    func.func @main() -> (memref<4x4xf32>, memref<16xf32>) {
      %a = memref.alloc() : memref<4x4xf32>
      %b = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
      return %a, %b : memref<4x4xf32>, memref<16xf32>
    }
    ```

    Here `%b` is returned as `bufferization.clone %b`.
  }];
  let dependentDialects = ["bufferization::BufferizationDialect"];
}

def LowerAssertPass : Pass<"attn-lower-assert", "ModuleOp"> {
  let summary = "Report a failed cf.assert through the runtime";
  let description = [{
    Replaces `cf.assert` by an `scf.if` that calls
    `attn_rt_assert_fail(const char *message)`. Upstream lowers the op to a
    block that calls `abort`, which ends the process and, being a branch, cannot
    stand inside structured loops. The call works inside OpenMP regions.

    Example:

    ```mlir
    func.func @f(%c: i1) {
      cf.assert %c, "index out of range"
      return
    }
    ```

    becomes

    ```mlir
    llvm.mlir.global private constant @attn_assert_message_0("index out of range\00")
    llvm.func @attn_rt_assert_fail(!llvm.ptr)
    func.func @f(%c: i1) {
      %true = arith.constant true
      %failed = arith.xori %c, %true : i1
      scf.if %failed {
        %m = llvm.mlir.addressof @attn_assert_message_0 : !llvm.ptr
        llvm.call @attn_rt_assert_fail(%m) : (!llvm.ptr) -> ()
      }
      return
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect",
                           "scf::SCFDialect"];
}

def LowerCopyPass : Pass<"attn-lower-copy", "func::FuncOp"> {
  let summary = "Turn strided memref.copy into linalg loops";
  let description = [{
    A `memref.copy` of contiguous buffers becomes a memcpy later. Any other one
    would call the function `memrefCopy` of the upstream runner library element
    by element; this pass makes it a `linalg.generic` copy, which is parallelised
    and vectorised like every other op.

    Example:

    ```mlir
    func.func @f(%a: memref<4x2xf32>, %b: memref<4x2xf32, strided<[8, 1]>>) {
      memref.copy %a, %b : memref<4x2xf32> to memref<4x2xf32, strided<[8, 1]>>
      return
    }
    ```
  }];
  let dependentDialects = ["linalg::LinalgDialect"];
}

#endif // ATTN_CONVERSION_PASSES
