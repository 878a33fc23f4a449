//===- Passes.td - Loops to LLVM ---------------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_LOOPSTOLLVM_PASSES_TD
#define ATTN_CONVERSION_LOOPSTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def EntryAbiPass : Pass<"attn-entry-abi", "ModuleOp"> {
  let summary = "Prepare public functions for callers outside MLIR";
  let description = [{
    Runs on tensors, before bufferization. Every public function with a body
    gets `llvm.emit_c_interface`, and its tensor arguments become read-only
    (`bufferization.writable = false`): a caller's inputs are never overwritten,
    an update is made in a copy.

    Before:

    ```mlir
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      return %a : tensor<4xf32>
    }
    ```

    After `attn-opt --attn-entry-abi`:

    ```mlir
    func.func @main(%a: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32>
        attributes {llvm.emit_c_interface} {
      return %a : tensor<4xf32>
    }
    ```

    Preconditions: none.

    Left alone: private functions, declarations, and arguments that carry
    `bufferization.writable` already.
  }];
}

def CheckDivisionPass : Pass<"attn-check-division"> {
  let summary = "Check at run time that integer divisions are defined";
  let description = [{
    A division by zero, and the least number divided by -1, end a process with a
    signal. Adds `cf.assert` before each integer division and remainder of arith
    and index that may be one of them.

    Before:

    ```mlir
    func.func @f(%a: index, %b: index) -> index {
      %quotient = arith.divui %a, %b : index
      return %quotient : index
    }
    ```

    After `attn-opt --attn-check-division`:

    ```mlir
    func.func @f(%a: index, %b: index) -> index {
      %zero = arith.constant 0 : index
      %differs = arith.cmpi ne, %b, %zero : index
      cf.assert %differs, "integer division by zero"
      %quotient = arith.divui %a, %b : index
      return %quotient : index
    }
    ```

    Preconditions: none.

    Left alone: divisions by a constant that cannot fail.
  }];
  let dependentDialects = ["arith::ArithDialect", "cf::ControlFlowDialect",
                           "vector::VectorDialect"];
}

def CheckAllocationPass : Pass<"attn-check-allocation", "ModuleOp"> {
  let summary = "Check at run time that allocations succeed";
  let description = [{
    Adds to each `memref.alloc` calls of the runtime that end the program where
    the number of bytes exceeds 63 bits, and where the allocation is refused; the
    latter says the number of bytes.

    Before:

    ```mlir
    func.func @f(%n: index) -> memref<?xf32> {
      %buffer = memref.alloc(%n) : memref<?xf32>
      return %buffer : memref<?xf32>
    }
    ```

    After `attn-opt --attn-check-allocation`:

    ```mlir-excerpt
    scf.if %too_big {
      %m0 = llvm.mlir.addressof @attn_assert_message : !llvm.ptr
      llvm.call @attn_rt_assert_fail(%m0) : (!llvm.ptr) -> ()
    }
    %buffer = memref.alloc(%n) : memref<?xf32>
    %address = memref.extract_aligned_pointer_as_index %buffer : memref<?xf32> -> index
    ...
    scf.if %refused {
      %m1 = llvm.mlir.addressof @attn_assert_message_0 : !llvm.ptr
      ...
      llvm.call @attn_rt_assert_fail_values(%m1, %bytes, ...) : (!llvm.ptr, i64, i64) -> ()
    }
    ```

    Preconditions: none.

    Left alone: `memref.alloca`. Static sizes get no check of their number of
    bytes.
  }];
  let dependentDialects = ["arith::ArithDialect", "LLVM::LLVMDialect",
                           "memref::MemRefDialect", "scf::SCFDialect"];
}

def SeparateResultsPass : Pass<"attn-separate-results", "ModuleOp"> {
  let summary = "Give each result of a public function its own allocation";
  let description = [{
    Runs on bufferized functions, before the ownership-based deallocation. That
    one makes every returned buffer owned by the caller (what aliases an argument
    or a constant is cloned), but lets two results share an allocation. Where two
    results of a public function may do so, this pass clones the later one, so
    that the caller can free each result exactly once.

    Before:

    ```mlir
    func.func @main() -> (memref<4x4xf32>, memref<16xf32>) {
      %a = memref.alloc() : memref<4x4xf32>
      %b = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
      return %a, %b : memref<4x4xf32>, memref<16xf32>
    }
    ```

    After `attn-opt --attn-separate-results`:

    ```mlir
    func.func @main() -> (memref<4x4xf32>, memref<16xf32>) {
      %a = memref.alloc() : memref<4x4xf32>
      %b = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
      %own = bufferization.clone %b : memref<16xf32> to memref<16xf32>
      return %a, %own : memref<4x4xf32>, memref<16xf32>
    }
    ```

    Preconditions: none.

    Left alone: results that surely are allocations of their own, and private
    functions.
  }];
  let dependentDialects = ["bufferization::BufferizationDialect"];
}

def ExpandMathPass : Pass<"attn-expand-math"> {
  let summary = "Expand f32 math functions to vectorisable arithmetic";
  let description = [{
    Replaces `math.exp`, `math.tanh`, `math.erf`, `math.log`, `math.sin` and
    `math.cos` on f32 scalars and vectors by polynomials and integer arithmetic
    on the exponent; f16 and bf16 operands are computed in f32. A call of the C
    library would keep the loop around it scalar. NaN stays NaN, `exp(-inf)` is
    exactly 0.

    Of arith, only what LLVM has no form for on every target is expanded:
    divisions that round up or down, and conversions from and to bf16. In
    contrast to the upstream expansion, `arith.maximumf` stays one op, which LLVM
    takes for a reduction.

    Before:

    ```mlir
    func.func @f(%x: vector<16xf32>) -> vector<16xf32> {
      %y = math.exp %x : vector<16xf32>
      return %y : vector<16xf32>
    }
    ```

    After `attn-opt --attn-expand-math`:

    ```mlir-excerpt
    %shifted = math.fma %bounded, %log2e, %round : vector<16xf32>
    %power = arith.subf %shifted, %round : vector<16xf32>
    ...
    %polynomial = math.fma ... : vector<16xf32>
    ...
    %bits = arith.bitcast %shifted : vector<16xf32> to vector<16xi32>
    ```

    Preconditions: none.

    Left alone: functions of f64 operands, which the C library computes.
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect",
                           "vector::VectorDialect"];
}

def LegalizeMathPass : Pass<"attn-legalize-math"> {
  let summary = "Rewrite math functions that have no good lowering";
  let description = [{
    Replaces `math.clampf`, `math.isinf`, `math.isnormal`, `math.expm1` and
    `math.log1p` on numbers and vectors. The conversions from math have no form
    for some of them; they compute `expm1` as `exp(x) - 1` and `log1p` as
    `log(1 + x)`, which leaves no correct digit of a small x, and 16-bit types
    without going through f32.

    Casts of f64 to f16 and bf16, and of integers to bf16, go through f32 as well,
    which a function of the runtime library or two roundings would do otherwise.
    The first rounding is to odd, so that the result is the one of a single
    rounding to nearest. All functions of bf16 that round are computed in f32.

    Before:

    ```mlir
    func.func @f(%x: f32, %low: f32, %high: f32) -> (f32, i1) {
      %clamped = math.clampf %x to [%low, %high] : f32
      %infinite = math.isinf %clamped : f32
      return %clamped, %infinite : f32, i1
    }
    ```

    After `attn-opt --attn-legalize-math`:

    ```mlir
    func.func @f(%x: f32, %low: f32, %high: f32) -> (f32, i1) {
      %inf = arith.constant 0x7F800000 : f32
      %raised = arith.maximumf %x, %low : f32
      %clamped = arith.minimumf %raised, %high : f32
      %magnitude = math.absf %clamped : f32
      %infinite = arith.cmpf oeq, %magnitude, %inf : f32
      return %clamped, %infinite : f32, i1
    }
    ```

    Preconditions: none.

    Left alone: all other functions (see `attn-expand-math`).
  }];
  let dependentDialects = ["arith::ArithDialect", "math::MathDialect"];
}

def LowerAssertPass : Pass<"attn-lower-assert", "ModuleOp"> {
  let summary = "Report a failed cf.assert through the runtime";
  let description = [{
    Replaces `cf.assert` by an `scf.if` that calls
    `attn_rt_assert_fail(const char *message)`. Upstream lowers the op to a
    block that calls `abort`, which ends the process and, being a branch, cannot
    stand inside structured loops. The call works inside OpenMP regions.

    The message starts with the place of the op in its source file. Where the
    condition compares integers, their values end it, as `(got 3, expected at
    least 4)`, `(got -1, expected 0 to 3)` if without a sign, or `(got 7, expected
    a multiple of 2)` if they are a quotient times its divisor and its dividend;
    such a message goes to
    `attn_rt_assert_fail_values(const char *format, long long, long long)`.

    Before:

    ```mlir
    func.func @f(%c: i1) {
      cf.assert %c, "index out of range"
      return
    }
    ```

    After `attn-opt --attn-lower-assert`:

    ```mlir-excerpt
    llvm.mlir.global private constant @attn_assert_message("...: index out of range\00") ...
    llvm.func @attn_rt_assert_fail(!llvm.ptr)
    func.func @f(%c: i1) {
      %true = arith.constant true
      %failed = arith.xori %c, %true : i1
      scf.if %failed {
        %m = llvm.mlir.addressof @attn_assert_message : !llvm.ptr
        llvm.call @attn_rt_assert_fail(%m) : (!llvm.ptr) -> ()
      }
      return
    }
    ```

    Preconditions: none.

    Left alone: nothing; every `cf.assert` is lowered.
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

    Before:

    ```mlir
    func.func @f(%a: memref<4x2xf32>, %b: memref<4x2xf32, strided<[8, 1]>>) {
      memref.copy %a, %b : memref<4x2xf32> to memref<4x2xf32, strided<[8, 1]>>
      return
    }
    ```

    After `attn-opt --attn-lower-copy`:

    ```mlir
    #identity = affine_map<(i, j) -> (i, j)>
    func.func @f(%a: memref<4x2xf32>, %b: memref<4x2xf32, strided<[8, 1]>>) {
      linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel", "parallel"]}
          ins(%a : memref<4x2xf32>) outs(%b : memref<4x2xf32, strided<[8, 1]>>) {
      ^bb0(%element: f32, %old: f32):
        linalg.yield %element : f32
      }
      return
    }
    ```

    Preconditions: none.

    Left alone: copies of contiguous buffers.
  }];
  let dependentDialects = ["linalg::LinalgDialect"];
}

def LowerExpandShapePass : Pass<"attn-lower-expand-shape", "func::FuncOp"> {
  let summary = "Turn expansions to several dynamic sizes into casts";
  let description = [{
    `expand-strided-metadata` computes the sizes and strides of an expanded
    dimension of which at most one size is dynamic, and crashes on others. This
    pass makes those a `memref.reinterpret_cast` of the base buffer first, with
    the sizes of the op and the strides that follow from them.

    Before:

    ```mlir
    func.func @f(%x: memref<?x8xf32>, %a: index, %b: index) -> memref<?x?x8xf32> {
      %expanded = memref.expand_shape %x [[0, 1], [2]] output_shape [%a, %b, 8]
        : memref<?x8xf32> into memref<?x?x8xf32>
      return %expanded : memref<?x?x8xf32>
    }
    ```

    After `attn-opt --attn-lower-expand-shape`:

    ```mlir-excerpt
    ...
      %cast = memref.reinterpret_cast ...
      return %cast : memref<?x?x8xf32>
    }
    ```

    Preconditions: none.

    Left alone: expansions of which at most one size is dynamic.
  }];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect"];
}

def SetOmpSchedulePass : Pass<"attn-set-omp-schedule"> {
  let summary = "Give OpenMP work-sharing loops a dynamic schedule";
  let description = [{
    Work items are coarse and uneven (a causal query block costs more the later
    it comes), so they are handed out one by one.

    Before:

    ```mlir
    func.func @f(%m: memref<8xf32>, %v: f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      omp.parallel {
        omp.wsloop {
          omp.loop_nest (%i) : index = (%c0) to (%c8) step (%c1) {
            memref.store %v, %m[%i] : memref<8xf32>
            omp.yield
          }
        }
        omp.terminator
      }
      return
    }
    ```

    After `attn-opt --attn-set-omp-schedule`:

    ```mlir-excerpt
    omp.wsloop schedule(dynamic) {
      omp.loop_nest (%i) : index = (%c0) to (%c8) step (%c1) {
        memref.store %v, %m[%i] : memref<8xf32>
    ```

    Preconditions: none.

    Left alone: loops that already have a schedule.
  }];
  let dependentDialects = ["omp::OpenMPDialect"];
}

#endif // ATTN_CONVERSION_LOOPSTOLLVM_PASSES_TD
