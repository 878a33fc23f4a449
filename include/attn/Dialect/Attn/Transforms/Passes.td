//===- Passes.td - Passes on attn ops ----------------------*- tablegen -*-===//
//
// Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_TD
#define ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SimplifyPass : Pass<"attn-simplify"> {
  let summary = "Simplify rotations and empty-row policies by algebra";
  let description = [{
    Rewrites that need a proof rather than a fold:

    * A rotation followed by its inverse is the identity (up to rounding) if
      both rotate the same range with the same tables, the second one undoes the
      change of layout of the first, if any, and the tables are the cosines and
      the sines of one `attn.rotary_table` whose magnitude is 1. Other tables are
      not known to be orthogonal.
    * The policy for empty rows is dropped where no row can be empty: beside
      sinks, whatever else removes pairs, as a sink counts as one more key; and
      where every row provably keeps a key, that is, where the number of keys is
      static and not 0, there is neither a bias nor a score region, and there is
      no mask, or a causal one without an offset. Later passes then emit no code
      for the policy.

    Before:

    ```mlir
    func.func @f(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
      %causal = attn.mask.causal
      %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
        key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
        mask(%causal) empty_row = mean outs(%o : tensor<1x1x8x64xf32>)
      return %attention : tensor<1x1x8x64xf32>
    }
    ```

    After `attn-opt --attn-simplify`:

    ```mlir
    func.func @f(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
      %causal = attn.mask.causal
      %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
        key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
        mask(%causal) outs(%o : tensor<1x1x8x64xf32>)
      return %attention : tensor<1x1x8x64xf32>
    }
    ```

    Preconditions: none.

    Left alone: a policy without sinks where a row may be empty, such as under a
    padding mask, or where there is a bias, which may remove pairs by -inf, or a
    score region, neither of which is looked into; rotations by tables that are
    not known to be of one `attn.rotary_table`.
  }];
}

def FusePass : Pass<"attn-fuse"> {
  let summary = "Fold rotations of query and key into attention";
  let description = [{
    An `attn.rotary` whose only use is the query or the key of an
    `attn.attention` becomes part of the attention, which then rotates while it
    packs the query, and rotates the keys once per key/value head.

    Before:

    ```mlir
    func.func @f(%q: tensor<1x1x8x64xf32>, %k: tensor<1x1x8x64xf32>, %cos: tensor<1x8x32xf32>,
                 %sin: tensor<1x8x32xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
      %rotated = attn.rotary split_half %q, %cos, %sin
        : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%o : tensor<1x1x8x64xf32>)
      %attention = attn.attention query(%rotated : tensor<1x1x8x64xf32>)
        key(%k : tensor<1x1x8x64xf32>) value(%k : tensor<1x1x8x64xf32>) outs(%o : tensor<1x1x8x64xf32>)
      return %attention : tensor<1x1x8x64xf32>
    }
    ```

    After `attn-opt --attn-fuse`:

    ```mlir
    func.func @f(%q: tensor<1x1x8x64xf32>, %k: tensor<1x1x8x64xf32>, %cos: tensor<1x8x32xf32>,
                 %sin: tensor<1x8x32xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
      %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
        key(%k : tensor<1x1x8x64xf32>) value(%k : tensor<1x1x8x64xf32>)
        rotate_query(%cos, %sin : tensor<1x8x32xf32>, tensor<1x8x32xf32>)
        outs(%o : tensor<1x1x8x64xf32>) {query_rotation = #attn.rotation<split_half>}
      return %attention : tensor<1x1x8x64xf32>
    }
    ```

    Preconditions: none.

    Left alone: a rotation with other users, since folding it would compute it
    twice; one that writes another layout than it reads, unless query and key do
    so alike (that permutes the head dimension of both, and changes no score);
    one of an operand that attention rotates already. Each case is reported as a
    remark (category `attn-fuse`).
  }];
}

def LintPass : Pass<"attn-lint"> {
  let summary = "Warn of graphs that are valid and that no model means";
  let description = [{
    Changes nothing. Each warning has notes at the other ops it is about:

    * Query and key of an attention are rotated in different layouts, ranges or
      directions, by `attn.rotary` or as folded rotations. Their products then
      do not depend on the distance of the two tokens.
    * The value of an attention is rotated, and a use of the output is not
      reached through the inverse in the same range and layout. Tables that are
      known to be of other frequencies undo nothing.
    * Rows that are rotated by frequencies of a rule of run time (`dynamic_ntk`,
      `longrope`) are kept: `attn.cache_append` takes them, or `tensor.concat` or
      `tensor.insert_slice` puts them beside others in what a function returns.
      The frequencies change with the number of tokens, the kept rows do not.
    * A causal mask without an offset, or a window that ends at the query, is
      between more than one query and another number of keys. It counts both
      from 0, which decoders of several tokens do not mean.

    Rows are followed through casts, slices, reshapes, transposes and
    concatenations that keep the last dimension whole.

    Before:

    ```mlir
    func.func @f(%q: tensor<1x1x8x64xf32>, %k: tensor<1x1x8x64xf32>, %cos: tensor<1x8x32xf32>,
                 %sin: tensor<1x8x32xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
      %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
        key(%k : tensor<1x1x8x64xf32>) value(%k : tensor<1x1x8x64xf32>)
        rotate_query(%cos, %sin : tensor<1x8x32xf32>, tensor<1x8x32xf32>)
        rotate_key(%cos, %sin : tensor<1x8x32xf32>, tensor<1x8x32xf32>)
        outs(%o : tensor<1x1x8x64xf32>)
        {query_rotation = #attn.rotation<split_half>, key_rotation = #attn.rotation<interleaved>}
      return %attention : tensor<1x1x8x64xf32>
    }
    ```

    After `attn-opt --attn-lint`, beside `warning: query and key are rotated in
    different layouts: split_half and interleaved`:

    ```mlir
    func.func @f(%q: tensor<1x1x8x64xf32>, %k: tensor<1x1x8x64xf32>, %cos: tensor<1x8x32xf32>,
                 %sin: tensor<1x8x32xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
      %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
        key(%k : tensor<1x1x8x64xf32>) value(%k : tensor<1x1x8x64xf32>)
        rotate_query(%cos, %sin : tensor<1x8x32xf32>, tensor<1x8x32xf32>)
        rotate_key(%cos, %sin : tensor<1x8x32xf32>, tensor<1x8x32xf32>)
        outs(%o : tensor<1x1x8x64xf32>)
        {query_rotation = #attn.rotation<split_half>, key_rotation = #attn.rotation<interleaved>}
      return %attention : tensor<1x1x8x64xf32>
    }
    ```

    Preconditions: none. It sees more before ops are on memrefs: there only
    folded rotations and masks are known.

    Left alone: a query or key that is rotated alone, since the other may have
    been rotated before it came; a rotation of two elements, whose layouts are
    the same; positions, which data decide; the first tokens of a cache
    (`attn.cache_append`) under a causal mask; rows that go through loops, calls
    or ops of other kinds.
  }];
}

def PlanPass : Pass<"attn-plan"> {
  let summary = "Choose the blocking of each attention";
  let description = [{
    Attaches a `#attn.plan` to each `attn.attention` that has none, from the
    vector width of the target and the type of the accumulators: two vector
    registers of queries when there are enough queries, and as many rows as
    leave the accumulators in registers.

    Before:

    ```mlir
    func.func @f(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
      %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
        key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>) outs(%o : tensor<1x1x8x64xf32>)
      return %attention : tensor<1x1x8x64xf32>
    }
    ```

    After `attn-opt --attn-plan="vector-bits=512"`:

    ```mlir
    func.func @f(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
      %attention = attn.attention query(%q : tensor<1x1x8x64xf32>)
        key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>) outs(%o : tensor<1x1x8x64xf32>)
        {plan = #attn.plan<query_block = 16, key_block = 128, rows = 4>}
      return %attention : tensor<1x1x8x64xf32>
    }
    ```

    Preconditions: none.

    Left alone: an attention that has a plan.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", /*default=*/"512",
           "Width of a vector register in bits">,
    Option<"registers", "vector-registers", "unsigned", /*default=*/"32",
           "Number of vector registers">];
}

def TileAttentionPass : Pass<"attn-tile-attention"> {
  let summary = "Split attention into work units";
  let description = [{
    Tiles each `attn.attention` on tensors with `scf.forall` over batches, query
    heads and blocks of `query_block` queries of its plan (`attn-plan`). A folded
    rotation of the key becomes an `attn.rotary` in front of the loop: keys are
    rotated once, not once per block of queries. Masks and biases are cloned
    into the loop (see `attn-sink-masks`).

    Before:

    ```mlir
    func.func @f(%q: tensor<1x8x128x64xf32>, %k: tensor<1x8x128x64xf32>,
                 %o: tensor<1x8x128x64xf32>) -> tensor<1x8x128x64xf32> {
      %attention = attn.attention query(%q : tensor<1x8x128x64xf32>)
        key(%k : tensor<1x8x128x64xf32>) value(%k : tensor<1x8x128x64xf32>)
        outs(%o : tensor<1x8x128x64xf32>)
        {plan = #attn.plan<query_block = 32, key_block = 128, rows = 8>}
      return %attention : tensor<1x8x128x64xf32>
    }
    ```

    After `attn-opt --attn-tile-attention`:

    ```mlir-excerpt
    %r = scf.forall (%b, %h, %i) = (0, 0, 0) to (1, 8, 128) step (1, 1, 32) shared_outs(%part = %o) -> (tensor<1x8x128x64xf32>) {
      ...
      %query = tensor.extract_slice %q[0, %h, %i, 0] [1, 1, 32, 64] ... to tensor<1x1x32x64xf32>
      %key = tensor.extract_slice %k[0, %h, 0, 0] [1, 1, 128, 64] ... to tensor<1x1x128x64xf32>
      %value = tensor.extract_slice %k[0, %h, 0, 0] [1, 1, 128, 64] ... to tensor<1x1x128x64xf32>
      %out = tensor.extract_slice %part[0, %h, %i, 0] [1, 1, 32, 64] ... to tensor<1x1x32x64xf32>
      %tile = attn.attention query(%query : ...) key(%key : ...) value(%value : ...) outs(%out : ...)...
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %tile into %part[0, %h, %i, 0] [1, 1, 32, 64] ...
      }
    }
    ```

    Preconditions: none.

    Left alone: an attention without a plan, or on memrefs.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SinkMasksPass : Pass<"attn-sink-masks"> {
  let summary = "Move masks and biases next to their uses";
  let description = [{
    Clones the ops that make a mask or bias in front of each attention (or
    `attn.materialize`) that uses it. Bufferization needs this: the data of a
    mask count as read where the mask is made, but are read where it is used, so
    both places must be one.

    Before:

    ```mlir
    func.func @f(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
      %causal = attn.mask.causal
      %twice = arith.addf %q, %q : tensor<1x1x8x64xf32>
      %attention = attn.attention query(%twice : tensor<1x1x8x64xf32>)
        key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
        mask(%causal) outs(%o : tensor<1x1x8x64xf32>)
      return %attention : tensor<1x1x8x64xf32>
    }
    ```

    After `attn-opt --attn-sink-masks`:

    ```mlir
    func.func @f(%q: tensor<1x1x8x64xf32>, %o: tensor<1x1x8x64xf32>) -> tensor<1x1x8x64xf32> {
      %twice = arith.addf %q, %q : tensor<1x1x8x64xf32>
      %causal = attn.mask.causal
      %attention = attn.attention query(%twice : tensor<1x1x8x64xf32>)
        key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
        mask(%causal) outs(%o : tensor<1x1x8x64xf32>)
      return %attention : tensor<1x1x8x64xf32>
    }
    ```

    Preconditions: none.

    Left alone: a mask that is a block argument, and one that depends on itself,
    which regions without dominance allow; no lowering accepts either.
  }];
}

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_PASSES_TD
