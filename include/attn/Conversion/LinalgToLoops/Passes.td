//===- Passes.td - Linalg to loops -------------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_LINALGTOLOOPS_PASSES_TD
#define ATTN_CONVERSION_LINALGTOLOOPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckProgramPass : Pass<"attn-check-program", "ModuleOp"> {
  let summary = "Reject programs that cannot be compiled";
  let description = [{
    Fails with an error that says what the rest of the pipeline cannot do:

    * a function that calls itself, directly or through others;
    * a call of a function without a body, or by a value instead of a name;
    * arguments and results of functions that are integers with a sign (`ui8`),
      or tensors with an encoding;
    * tensors whose static sizes give 2^63 bytes or more.

    Before:

    ```mlir
    func.func @f(%n: index) -> index {
      return %n : index
    }
    ```

    After `attn-opt --attn-check-program`, which finds nothing wrong here:

    ```mlir
    func.func @f(%n: index) -> index {
      return %n : index
    }
    ```

    Preconditions: none.

    Left alone: everything; the pass changes nothing.
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
    sizes what the loops before did at each access.

    Before:

    ```mlir
    func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
      %sum = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>)
                        outs(%a : tensor<?xf32>) -> tensor<?xf32>
      return %sum : tensor<?xf32>
    }
    ```

    After `attn-opt --attn-check-sizes`:

    ```mlir-excerpt
    %first = tensor.dim %a, ... : tensor<?xf32>
    ...
    %second = tensor.dim %b, ... : tensor<?xf32>
    %equal = arith.cmpi eq, %second, %first : index
    cf.assert %equal, "expects dimension 0 of argument 1 to equal dimension 0 of argument 0"
    %sum = linalg.add ins(%a, %b : ...
    ```

    Preconditions: none.

    Left alone: ops on memrefs, and sizes that are known to fit.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "cf::ControlFlowDialect", "tensor::TensorDialect"];
}

def FoldConstantTransposePass : Pass<"attn-fold-constant-transpose"> {
  let summary = "Transpose constant weights at compile time";
  let description = [{
    Evaluates `linalg.transpose` of a constant, inline or `dense_resource`, so
    that weights lie in memory as the contractions read them.

    Before:

    ```mlir
    func.func @f(%init: tensor<3x2xf32>) -> tensor<3x2xf32> {
      %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
      %t = linalg.transpose ins(%w : tensor<2x3xf32>) outs(%init : tensor<3x2xf32>)
           permutation = [1, 0]
      return %t : tensor<3x2xf32>
    }
    ```

    After `attn-opt --attn-fold-constant-transpose`:

    ```mlir
    func.func @f(%init: tensor<3x2xf32>) -> tensor<3x2xf32> {
      %t = arith.constant dense<[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]> : tensor<3x2xf32>
      return %t : tensor<3x2xf32>
    }
    ```

    Preconditions: none.

    Left alone: elements of less than a byte (`i1`), and resources whose data are
    not at hand.
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

    Results that nothing uses are dropped, `linalg.softmax` becomes reductions
    and elementwise ops, `tensor.concat` becomes insertions, a
    `tensor.pad` of no elements becomes `tensor.generate`, and `math.fpowi` with a
    small constant exponent becomes products.

    Before:

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

    After `attn-opt --attn-fuse-linalg`, with the transpose in a map:

    ```mlir
    #left = affine_map<(m, n, k) -> (m, k)>
    #right = affine_map<(m, n, k) -> (n, k)>
    #result = affine_map<(m, n, k) -> (m, n)>
    func.func @f(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>, %t: tensor<8x16xf32>,
                 %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
      %r = linalg.generic {indexing_maps = [#left, #right, #result],
                           iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) outs(%c : tensor<4x16xf32>) {
      ^bb0(%x: f32, %y: f32, %sum: f32):
        %product = arith.mulf %x, %y : f32
        %next = arith.addf %sum, %product : f32
        linalg.yield %next : f32
      } -> tensor<4x16xf32>
      return %r : tensor<4x16xf32>
    }
    ```

    Preconditions: none.

    Left alone: producers of contractions other than transposes and broadcasts,
    and ops on memrefs.
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
    it for every op that has it as destination.

    Before:

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

    After `attn-opt --attn-clone-fills`:

    ```mlir
    func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<8x4xf32>)
        -> (tensor<4x4xf32>, tensor<4x4xf32>) {
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<4x4xf32>
      %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>)
              -> tensor<4x4xf32>
      %ab = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>)
            outs(%fill : tensor<4x4xf32>) -> tensor<4x4xf32>
      %other_empty = tensor.empty() : tensor<4x4xf32>
      %other_fill = linalg.fill ins(%zero : f32) outs(%other_empty : tensor<4x4xf32>)
              -> tensor<4x4xf32>
      %ac = linalg.matmul ins(%a, %c : tensor<4x8xf32>, tensor<8x4xf32>)
            outs(%other_fill : tensor<4x4xf32>) -> tensor<4x4xf32>
      return %ab, %ac : tensor<4x4xf32>, tensor<4x4xf32>
    }
    ```

    Preconditions: none.

    Left alone: fills with one use, and fills of anything else than a
    `tensor.empty`.
  }];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect"];
}

def EliminateEmptyTensorsPass
    : Pass<"attn-eliminate-empty-tensors", "ModuleOp"> {
  let summary = "Compute in place what is inserted into another tensor";
  let description = [{
    Does what `eliminate-empty-tensors` does: a `tensor.empty` whose contents end
    up in a slice of another tensor becomes that slice, so that bufferization
    needs neither a buffer nor a copy. But what computes the contents then writes
    to the slice, in front of the run-time check of its bounds, and out of bounds
    where the check would fail.

    Before:

    ```mlir
    func.func @f(%x: tensor<4xf32>, %y: tensor<16xf32>, %start: index)
        -> tensor<16xf32> {
      %empty = tensor.empty() : tensor<4xf32>
      %sum = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>)
             outs(%empty : tensor<4xf32>) -> tensor<4xf32>
      %all = tensor.insert_slice %sum into %y[%start] [4] [1]
             : tensor<4xf32> into tensor<16xf32>
      return %all : tensor<16xf32>
    }
    ```

    After `attn-opt --attn-eliminate-empty-tensors`:

    ```mlir
    func.func @f(%x: tensor<4xf32>, %y: tensor<16xf32>, %start: index)
        -> tensor<16xf32> {
      %slice = tensor.extract_slice %y[%start] [4] [1]
               : tensor<16xf32> to tensor<4xf32>
      %empty = tensor.empty() : tensor<4xf32>
      %sum = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>)
             outs(%slice : tensor<4xf32>) -> tensor<4xf32>
      %all = tensor.insert_slice %sum into %y[%start] [4] [1]
             : tensor<4xf32> into tensor<16xf32>
      return %all : tensor<16xf32>
    }
    ```

    Preconditions: none. What is not used any more is left to canonicalisation.

    Left alone: slices that are not within their tensor by its type, where a
    `cf.assert` stands between what computes the contents and the insertion, or
    the insertion is nested deeper and may not be executed.
  }];
  let dependentDialects = ["bufferization::BufferizationDialect",
                           "tensor::TensorDialect"];
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

    Before:

    ```mlir
    func.func @f(%a: memref<1x64xf32>, %b: memref<64x32xf32>, %c: memref<1x32xf32>) {
      linalg.matmul ins(%a, %b : memref<1x64xf32>, memref<64x32xf32>)
                    outs(%c : memref<1x32xf32>)
      return
    }
    ```

    After `attn-opt --attn-lower-contraction`:

    ```mlir-excerpt
    %before = vector.load %c[%i, %j] : memref<1x32xf32>, vector<32xf32>
    ...
    %sums = scf.for %k = ... iter_args(%sum = %before) -> (vector<32xf32>) {
      %row = vector.load %b[%k, %j] : memref<64x32xf32>, vector<32xf32>
      %element = memref.load %a[%i, %k] : memref<1x64xf32>
      %all = vector.broadcast %element : f32 to vector<32xf32>
      %next = vector.fma %all, %row, %sum : vector<32xf32>
      scf.yield %next : vector<32xf32>
    }
    vector.store %sums, %c[%i, %j] : memref<1x32xf32>, vector<32xf32>
    ```

    Preconditions: none.

    Left alone: maps that are not projected permutations, a result whose last
    dimension is a batch dimension or not contiguous, and products of fewer than
    4 rows with a transposed right operand (dot products). A remark of the
    category `attn-lower-contraction` says which it was.
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
    work item, unless the op already stands in a parallel loop.

    Before:

    ```mlir
    func.func @f(%x: memref<8x64xf32>, %sum: memref<8xf32>) {
      linalg.reduce { arith.addf } ins(%x : memref<8x64xf32>)
                    outs(%sum : memref<8xf32>) dimensions = [1]
      return
    }
    ```

    After `attn-opt --attn-lower-linalg-to-loops`:

    ```mlir-excerpt
    scf.for %i = %c0 to %c8 step %c1 {
      %before = memref.load %sum[%i] : memref<8xf32>
      ...
      %row = scf.for %j = %zero to %c64 step %one iter_args(%carried = %before) -> (f32) {
        %element = memref.load %x[%i, %j] : memref<8x64xf32>
        %next = arith.addf %carried, %element fastmath<reassoc,contract> : f32
        scf.yield %next : f32
      }
      memref.store %row, %sum[%i] : memref<8xf32>
    }
    ```

    Preconditions: none.

    Left alone: ops on tensors.
  }];
  let options = [
    Option<"parallel", "parallel", "bool", /*default=*/"true",
           "Run big ops on several threads">
  ];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "memref::MemRefDialect", "scf::SCFDialect"];
}

#endif // ATTN_CONVERSION_LINALGTOLOOPS_PASSES_TD
