//===- Passes.td - Conversion passes -----------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The passes between levels of the pipeline, grouped by folder of
/// lib/Conversion.
///
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_PASSES
#define ATTN_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// LinalgToLoops
//===----------------------------------------------------------------------===//

def CheckProgramPass : Pass<"attn-check-program", "ModuleOp"> {
  let summary = "Reject programs that cannot be compiled";
  let description = [{
    Fails with an error that says what the rest of the pipeline cannot do:

    * a function that calls itself, directly or through others;
    * a call of a function without a body, or by a value instead of a name;
    * arguments and results of functions that are integers with a sign (`ui8`),
      or tensors with an encoding;
    * tensors whose static sizes give 2^63 bytes or more.

    Example:

    ```mlir
    func.func @f(%n: index) -> index {
      return %n : index
    }
    ```

    passes unchanged.
  }];
}

def CheckSizesPass : Pass<"attn-check-sizes", "func::FuncOp"> {
  let summary = "Check at run time the sizes that ops expect";
  let description = [{
    Adds `cf.assert` for what ops on tensors take for granted and dynamic types
    do not show: dimensions that share a loop of a linalg op are equal, slices
    are within their tensor, reshapes keep the number of elements, operands of
    attn ops fit each other. Compiled code relies on that, and would else read
    out of bounds.

    Sizes are traced back to those of the arguments. What follows from them, or
    from checks before, is not checked again; in most graphs only a few checks of
    arguments are left. To be run before ops are raised, since that removes the
    ops that imply the checks, and again after it, since raised ops expect of
    sizes what the loops before did at each access. Ops on memrefs are not
    checked.

    Example:

    ```mlir
    func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
      %sum = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>)
                        outs(%a : tensor<?xf32>) -> tensor<?xf32>
      return %sum : tensor<?xf32>
    }
    ```

    gets `cf.assert %equal, "expects dimension 0 of argument 1 to equal dimension
    0 of argument 0"`.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "cf::ControlFlowDialect", "tensor::TensorDialect"];
}

def FoldConstantTransposePass : Pass<"attn-fold-constant-transpose"> {
  let summary = "Transpose constant weights at compile time";
  let description = [{
    Evaluates `linalg.transpose` of a constant, inline or `dense_resource`, so
    that weights lie in memory as the contractions read them. Elements of less
    than a byte (`i1`) are left alone, as are resources whose data are not at
    hand.

    Example:

    ```mlir
    func.func @f(%init: tensor<3x2xf32>) -> tensor<3x2xf32> {
      %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
      %t = linalg.transpose ins(%w : tensor<2x3xf32>) outs(%init : tensor<3x2xf32>)
           permutation = [1, 0]
      return %t : tensor<3x2xf32>
    }
    ```

    `%t` is the constant `[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]`.
  }];
  let dependentDialects = ["arith::ArithDialect"];
}

def FuseLinalgPass : Pass<"attn-fuse-linalg"> {
  let summary = "Fuse elementwise chains, and copies into contractions";
  let description = [{
    Makes named linalg ops generic, but for contractions, convolutions and fills,
    and fuses:

    * elementwise producers into their only consumer, unless the consumer would
      evaluate an expensive body several times for an element, or gets more than
      8 inputs;
    * transposes and broadcasts into the indexing maps of a contraction, which
      packs its operand in any layout.

    Contractions take no other producer. Results that nothing uses are dropped,
    `linalg.softmax` becomes reductions and elementwise ops, `tensor.concat`
    becomes insertions, and `math.fpowi` with a small constant
    exponent becomes products.

    Example:

    ```mlir
    func.func @f(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>, %t: tensor<8x16xf32>,
                 %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
      %bt = linalg.transpose ins(%b : tensor<16x8xf32>) outs(%t : tensor<8x16xf32>)
            permutation = [1, 0]
      %r = linalg.matmul ins(%a, %bt : tensor<4x8xf32>, tensor<8x16xf32>)
           outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
      return %r : tensor<4x16xf32>
    }
    ```

    The transpose disappears into the map `(m, n, k) -> (n, k)`.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "math::MathDialect",
                           "tensor::TensorDialect"];
}

def CloneFillsPass : Pass<"attn-clone-fills"> {
  let summary = "Give each op that overwrites a filled tensor a fill of its own";
  let description = [{
    Undoes what common subexpression elimination does to tensors that start from
    the same constant. Bufferization would keep the one filled tensor and copy
    it for every op that has it as destination. Fills with one use, and fills of
    anything else than a `tensor.empty`, stay.

    Example:

    ```mlir
    func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<8x4xf32>)
        -> (tensor<4x4xf32>, tensor<4x4xf32>) {
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<4x4xf32>
      %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>)
              -> tensor<4x4xf32>
      %ab = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>)
            outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
      %ac = linalg.matmul ins(%a, %c : tensor<4x8xf32>, tensor<8x4xf32>)
            outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %ab, %ac : tensor<4x4xf32>, tensor<4x4xf32>
    }
    ```

    Each product has a `linalg.fill` right in front of it.
  }];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect"];
}

def LowerContractionPass
    : Pass<"attn-lower-contraction", "func::FuncOp"> {
  let summary = "Lower contractions on memrefs to vector micro-kernels";
  let description = [{
    Lowers `linalg.matmul`, `linalg.batch_matmul` and every other contraction of
    floating-point memrefs to loops around a micro-kernel whose accumulators stay
    in vector registers. Lanes are columns of the result, the last dimension of
    its map. f16 and bf16 are accumulated in f32.

    * With 12 rows or more, a panel of the right operand is packed: this also
      transposes it where its columns are not contiguous, converts it to the
      accumulation type, and pads it to whole vectors. With fewer rows the
      operand is read in place.
    * Big contractions run on several threads (`scf.parallel` over outer
      dimensions, blocks of rows, and panels), unless the op already stands in a
      parallel loop.
    * A fill with zero that only this op reads is dropped.

    Left alone, with no effect: maps that are not projected permutations, a
    result whose last dimension is a batch dimension or not contiguous, and
    products of fewer than 4 rows with a transposed right operand (dot products).
    A remark of the category `attn-lower-contraction` says which it was.

    Example:

    ```mlir
    func.func @f(%a: memref<8x64xf32>, %b: memref<64x32xf32>, %c: memref<8x32xf32>) {
      linalg.matmul ins(%a, %b : memref<8x64xf32>, memref<64x32xf32>)
                    outs(%c : memref<8x32xf32>)
      return
    }
    ```

    becomes loops whose innermost one, over the 64 products of an element, holds
    a tile of `%c` in vectors and adds to it by `vector.fma`.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"512",
           "Width of a vector register in bits">,
    Option<"registers", "vector-registers", "unsigned", /*default=*/"32",
           "Number of vector registers">,
    Option<"parallel", "parallel", "bool", /*default=*/"true",
           "Run big contractions on several threads">
  ];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect",
                           "memref::MemRefDialect", "scf::SCFDialect",
                           "vector::VectorDialect"];
}

def LowerLinalgToLoopsPass
    : Pass<"attn-lower-linalg-to-loops", "func::FuncOp"> {
  let summary = "Lower linalg ops on memrefs to loops that LLVM vectorises";
  let description = [{
    Lowers every linalg op on memrefs to `scf.for` in the form that LLVM's loop
    vectoriser takes:

    * Neighbouring loops over contiguous memory become one.
    * The loop with the cheapest memory accesses goes innermost.
    * Reductions are carried in values, not in memory. Sums and products may be
      reassociated; those of f16 and bf16 are carried in f32.
    * An operand is loaded in the outermost loop that its indices allow.

    Leading loops of big ops become `scf.parallel`, in pieces that are worth a
    work item, unless the op already stands in a parallel loop. Ops on tensors
    stay.

    Example:

    ```mlir
    func.func @f(%x: memref<8x64xf32>, %sum: memref<8xf32>) {
      linalg.reduce { arith.addf } ins(%x : memref<8x64xf32>)
                    outs(%sum : memref<8xf32>) dimensions = [1]
      return
    }
    ```

    becomes a loop over rows around one over columns that carries the sum and is
    marked for reassociation.
  }];
  let options = [
    Option<"parallel", "parallel", "bool", /*default=*/"true",
           "Run big ops on several threads">
  ];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "memref::MemRefDialect", "scf::SCFDialect"];
}

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

def CheckDivisionPass : Pass<"attn-check-division"> {
  let summary = "Check at run time that integer divisions are defined";
  let description = [{
    A division by zero, and the least number divided by -1, end a process with a
    signal. Adds `cf.assert` before each integer division and remainder of arith
    and index that may be one of them; a constant divisor needs no check.

    Example:

    ```mlir
    func.func @f(%a: index, %b: index) -> index {
      %quotient = arith.divui %a, %b : index
      return %quotient : index
    }
    ```

    gets `cf.assert %differs, "integer division by zero"`.
  }];
  let dependentDialects = ["arith::ArithDialect", "cf::ControlFlowDialect",
                           "vector::VectorDialect"];
}

def CheckAllocationPass : Pass<"attn-check-allocation", "ModuleOp"> {
  let summary = "Check at run time that allocations succeed";
  let description = [{
    Adds to each `memref.alloc` calls of the runtime that end the program where
    the number of bytes exceeds 63 bits, and where the allocation is refused.
    Static sizes need no check of their number of bytes; a `memref.alloca` gets
    no check.

    Example:

    ```mlir
    func.func @f(%n: index) -> memref<?xf32> {
      %buffer = memref.alloc(%n) : memref<?xf32>
      return %buffer : memref<?xf32>
    }
    ```

    gets an `scf.if` with a call of `attn_rt_assert_fail` in front of the
    allocation, and one with a call of `attn_rt_assert_fail_values`, which says
    the number of bytes, after it.
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
    that the caller can free each result exactly once. Results that surely are
    allocations of their own, and private functions, stay.

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

def ExpandMathPass : Pass<"attn-expand-math"> {
  let summary = "Expand f32 math functions to vectorisable arithmetic";
  let description = [{
    Replaces `math.exp`, `math.tanh`, `math.erf`, `math.log`, `math.sin` and
    `math.cos` on f32 scalars and vectors by arithmetic; f16 and bf16 operands
    are computed in f32. A call of the C library would keep the loop around it
    scalar. NaN stays NaN, `exp(-inf)` is exactly 0.

    Example:

    ```mlir
    func.func @f(%x: vector<16xf32>) -> vector<16xf32> {
      %y = math.exp %x : vector<16xf32>
      return %y : vector<16xf32>
    }
    ```

    becomes a polynomial by `math.fma`, and integer arithmetic on the exponent.
    Functions of f64 operands are left to the C library. Of arith, only what
    LLVM has no form for on every target is expanded: divisions that round up or
    down, and conversions from and to bf16. In contrast to the upstream
    expansion, `arith.maximumf` stays one op, which LLVM takes for a reduction.
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

    Example:

    ```mlir
    func.func @f(%x: f32, %low: f32, %high: f32) -> (f32, f32, i1) {
      %clamped = math.clampf %x to [%low, %high] : f32
      %y = math.expm1 %clamped : f32
      %infinite = math.isinf %y : f32
      return %clamped, %y, %infinite : f32, f32, i1
    }
    ```
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
    least 4)`; such a message goes to `attn_rt_assert_fail_values(const char
    *format, long long, long long)`.

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

def LowerReshapePass : Pass<"attn-lower-reshape", "func::FuncOp"> {
  let summary = "Turn expansions into several open sizes into casts";
  let description = [{
    `expand-strided-metadata` computes the sizes and strides of an expanded
    dimension of which at most one size is open, and crashes on others. This
    pass makes those a `memref.reinterpret_cast` of the base buffer first, with
    the sizes of the op and the strides that follow from them.

    Example:

    ```mlir
    func.func @f(%x: memref<?x8xf32>, %a: index, %b: index) -> memref<?x?x8xf32> {
      %expanded = memref.expand_shape %x [[0, 1], [2]] output_shape [%a, %b, 8]
        : memref<?x8xf32> into memref<?x?x8xf32>
      return %expanded : memref<?x?x8xf32>
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "memref::MemRefDialect"];
}

def SetOmpSchedulePass : Pass<"attn-set-omp-schedule"> {
  let summary = "Give OpenMP work-sharing loops a dynamic schedule";
  let description = [{
    Work items are coarse and uneven (a causal query block costs more the later
    it comes), so they are handed out one by one. Loops that already have a
    schedule keep it.

    Example:

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

    The loop becomes `omp.wsloop schedule(dynamic)`.
  }];
  let dependentDialects = ["omp::OpenMPDialect"];
}

#endif // ATTN_CONVERSION_PASSES
