//===- Passes.td - Passes that show analyses ---------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ANALYSIS_PASSES_TD
#define ATTN_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrintElementExpressionsPass : Pass<"attn-print-element-expressions"> {
  let summary = "Print what the elements of values equal";
  let description = [{
    Prints to standard output, for each function, the element maps of the
    results of operations with an `attn.print` attribute, or of all operations
    if there is none. Results of operations with an `attn.stop` attribute are
    leaves.

    Before:

    ```mlir
    func.func @f(%x: tensor<6x4xf32>) -> tensor<4x6xf32> {
      %e = tensor.empty() : tensor<4x6xf32>
      %r = linalg.transpose ins(%x : tensor<6x4xf32>)
          outs(%e : tensor<4x6xf32>) permutation = [1, 0] {attn.print}
      return %r : tensor<4x6xf32>
    }
    ```

    After `attn-opt --attn-print-element-expressions` the function is as it was,
    and in front of it stands:

    ```mlir-excerpt
    %transposed:
    [0:4, 0:6] -> %x[i1, i0]
    ```

    Preconditions: none.

    Left alone: everything; the pass prints and changes nothing.
  }];
  let options = [
    ListOption<"evaluateAt", "evaluate-at", "int64_t",
               "also print the numbers at these indices">,
    ListOption<"operandsOf", "operands-of", "std::string",
               "print the operands of operations of these names instead">
  ];
}

#endif // ATTN_ANALYSIS_PASSES_TD
