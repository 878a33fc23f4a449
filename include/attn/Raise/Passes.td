//===- Passes.td - Raising passes --------------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_RAISE_PASSES_TD
#define ATTN_RAISE_PASSES_TD

include "mlir/Pass/PassBase.td"

def RaiseAttentionPass : Pass<"attn-raise-attention"> {
  let summary = "Recover attention with its mask and bias from linalg";
  let description = [{
    Finds contractions whose left operand is a softmax over the summed variable
    of scores that are a contraction of two tensors, and replaces their results
    by `attn.attention`. Masks, biases, scale, softcap and grouped heads are
    read off the expression that an element of the probabilities equals, so the
    spelling does not matter. Other users of intermediate values keep their own
    computation.

    Before:

    ```mlir
    func.func @f(%q: tensor<4x6x8xf32>, %k: tensor<4x6x8xf32>, %v: tensor<4x6x8xf32>)
        -> tensor<4x6x8xf32> {
      %zero = arith.constant 0.0 : f32
      %s = tensor.empty() : tensor<4x6x6xf32>
      %o = tensor.empty() : tensor<4x6x8xf32>
      %s0 = linalg.fill ins(%zero : f32) outs(%s : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
      %o0 = linalg.fill ins(%zero : f32) outs(%o : tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
      %t = tensor.empty() : tensor<4x8x6xf32>
      %kt = linalg.transpose ins(%k : tensor<4x6x8xf32>)
          outs(%t : tensor<4x8x6xf32>) permutation = [0, 2, 1]
      %scores = linalg.batch_matmul ins(%q, %kt : tensor<4x6x8xf32>, tensor<4x8x6xf32>)
          outs(%s0 : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
      %p = linalg.softmax dimension(2) ins(%scores : tensor<4x6x6xf32>)
          outs(%s : tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
      %r = linalg.batch_matmul ins(%p, %v : tensor<4x6x6xf32>, tensor<4x6x8xf32>)
          outs(%o0 : tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
      return %r : tensor<4x6x8xf32>
    }
    ```

    After `attn-opt --attn-raise-attention`, with a dimension of size 1 for the
    heads:

    ```mlir-excerpt
    %query = tensor.expand_shape %q [[0, 1], [2], [3]] ... into tensor<4x1x6x8xf32>
    %key = tensor.expand_shape %k [[0, 1], [2], [3]] ... into tensor<4x1x6x8xf32>
    %value = tensor.expand_shape %v [[0, 1], [2], [3]] ... into tensor<4x1x6x8xf32>
    %out = tensor.empty() : tensor<4x1x6x8xf32>
    %attention = attn.attention query(%query : ...) key(%key : ...) value(%value : ...) outs(%out : ...) {scale = 1.000000e+00 : f64}
    ```

    Masks that write or add a finite number become masks if no logit of usual
    size can tell the difference: kept logits stay above -9900 where the number
    takes the place of a logit, and the logits of a row without keys lie between
    -16 and 16 where -65504 is added in f16. Sinks that are data are above -9900
    where a row may keep no key, whatever is written there, -inf included. With
    `exact-masks` the graph is left as it is there, or the mask stays a number
    that is added; what is a mask then is one for all logits below 1e20. Scores
    are rounded on the way as they are without masks: next to -1e6 little is
    left of their digits, here and in the graph, and not the same.

    Preconditions: none.

    Left alone: what is not recognised. A remark of the category `attn-raise`
    says why.
  }];
  let options = [Option<
      "exactMasks", "exact-masks", "bool", /*default=*/"false",
      "Take a finite number for a mask only where no logit tells the difference">];
  let dependentDialects = [
    "::mlir::attn::AttnDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def RaiseRotaryPass : Pass<"attn-raise-rotary"> {
  let summary = "Recover rotary embeddings and their tables from linalg";
  let description = [{
    Replaces values that are rotations of another value by `attn.rotary`: two
    pieces of the last dimension, halves or even and odd elements, that equal
    `a * c - b * s` and `b * c + a * s`, while the rest passes through. Where `c`
    and `s` are cosine and sine of positions times frequencies, or rows of
    constant tables of such, `attn.rotary_table` makes them, by the frequency
    rule that the constants are within rounding, else by explicit frequencies.
    Other factors are read from tensors. Graphs that compute the angle in f32
    get `angles = f32`, which rounds as they do. Cosines and sines that the graph
    rounds to 16 bits get a table of that type. Products that the graph rounds
    to 16 bits are kept in f32.

    Before:

    ```mlir
    func.func @f(%x: tensor<2x4x6x8xf32>, %cos: tensor<6x4xf32>, %sin: tensor<6x4xf32>)
        -> tensor<2x4x6x8xf32> {
      %low = tensor.extract_slice %x[0, 0, 0, 0] [2, 4, 6, 4] [1, 1, 1, 1]
          : tensor<2x4x6x8xf32> to tensor<2x4x6x4xf32>
      %high = tensor.extract_slice %x[0, 0, 0, 4] [2, 4, 6, 4] [1, 1, 1, 1]
          : tensor<2x4x6x8xf32> to tensor<2x4x6x4xf32>
      %e = tensor.empty() : tensor<2x4x6x4xf32>
      %c = linalg.broadcast ins(%cos : tensor<6x4xf32>)
          outs(%e : tensor<2x4x6x4xf32>) dimensions = [0, 1]
      %s = linalg.broadcast ins(%sin : tensor<6x4xf32>)
          outs(%e : tensor<2x4x6x4xf32>) dimensions = [0, 1]
      %ac = linalg.mul ins(%low, %c : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>)
          outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
      %bs = linalg.mul ins(%high, %s : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>)
          outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
      %bc = linalg.mul ins(%high, %c : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>)
          outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
      %as = linalg.mul ins(%low, %s : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>)
          outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
      %first = linalg.sub ins(%ac, %bs : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>)
          outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
      %second = linalg.add ins(%bc, %as : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>)
          outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
      %r = tensor.concat dim(3) %first, %second : (tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>)
          -> tensor<2x4x6x8xf32>
      return %r : tensor<2x4x6x8xf32>
    }
    ```

    After `attn-opt --attn-raise-rotary`:

    ```mlir
    func.func @f(%x: tensor<2x4x6x8xf32>, %c: tensor<6x4xf32>, %s: tensor<6x4xf32>)
        -> tensor<2x4x6x8xf32> {
      %cos = tensor.expand_shape %c [[0, 1], [2]] output_shape [1, 6, 4]
        : tensor<6x4xf32> into tensor<1x6x4xf32>
      %sin = tensor.expand_shape %s [[0, 1], [2]] output_shape [1, 6, 4]
        : tensor<6x4xf32> into tensor<1x6x4xf32>
      %out = tensor.empty() : tensor<2x4x6x8xf32>
      %rotated = attn.rotary split_half %x, %cos, %sin
        : tensor<2x4x6x8xf32>, tensor<1x6x4xf32>, tensor<1x6x4xf32> outs(%out : tensor<2x4x6x8xf32>)
      return %rotated : tensor<2x4x6x8xf32>
    }
    ```

    Preconditions: none.

    Left alone: a value that only looks like a rotation. A remark of the category
    `attn-raise` says why.
  }];
  let dependentDialects = [
    "::mlir::attn::AttnDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def RaisePositionsPass : Pass<"attn-raise-positions"> {
  let summary = "Recover learned positions from linalg";
  let description = [{
    Replaces rows of a table (a constant or an argument) that are read at the
    position of each token by `attn.learned_position`. A position counts along
    the sequence: an iota, an iota with an offset, a cumulative sum of a mask.

    Before:

    ```mlir
    #token = affine_map<(b, t, d) -> (b, t, d)>
    #row = affine_map<(b, t, d) -> (t, d)>
    func.func @f(%x: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
      %table = arith.constant dense<[
        [0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9], [1.0, 1.1, 1.2],
        [1.3, 1.4, 1.5], [1.6, 1.7, 1.8]]> : tensor<6x3xf32>
      %rows = tensor.extract_slice %table[0, 0] [4, 3] [1, 1]
          : tensor<6x3xf32> to tensor<4x3xf32>
      %e = tensor.empty() : tensor<2x4x3xf32>
      %r = linalg.generic {indexing_maps = [#token, #row, #token],
                           iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%x, %rows : tensor<2x4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<2x4x3xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      } -> tensor<2x4x3xf32>
      return %r : tensor<2x4x3xf32>
    }
    ```

    After `attn-opt --attn-raise-positions`:

    ```mlir-excerpt
    %table = arith.constant ... : tensor<6x3xf32>
    %p = tensor.empty() : tensor<1x4xi64>
    %positions = attn.positions outs(%p : tensor<1x4xi64>)
    %e = tensor.empty() : tensor<1x4x3xf32>
    %rows = attn.learned_position table(%table : ...) positions(%positions : ...) outs(%e : ...)
    ```

    Preconditions: none.

    Left alone: a row that is read at a number from data, which is the embedding
    of a token; a slice of a table that is not added to something with a batch,
    or that holds sines and cosines. Remarks of the category `attn-raise` say
    why.
  }];
  let dependentDialects = [
    "::mlir::attn::AttnDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // ATTN_RAISE_PASSES_TD
