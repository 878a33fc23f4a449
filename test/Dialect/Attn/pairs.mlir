// Executes what masks and biases emit on a grid of 2 batches, 2 heads, 5
// queries and up to 6 keys. The pass itself compares key intervals and vectors
// of pairs with the predicate of each pair, for all ranges of queries and all
// numbers of keys. The remarks show that the grid is not trivial: how many of
// the 120 pairs are kept, and the keys in `may` and in `sure`, summed over the
// 16 blocks of 2 queries (of 96).

// RUN: attn-test-opt %s -test-attn-pairs -verify-diagnostics -o /dev/null

func.func @causal() {
  // expected-remark@+1 {{kept 60, may 56, sure 40}}
  %0 = attn.mask.causal
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{kept 96, may 84, sure 72}}
  %1 = attn.mask.causal offset(%c2 : index)
  // Rows without keys.
  %cm3 = arith.constant -3 : index
  // expected-remark@+1 {{kept 12, may 12, sure 4}}
  %2 = attn.mask.causal offset(%cm3 : index)
  // One offset per batch.
  %o = arith.constant dense<[-7, 3]> : tensor<2xi32>
  // expected-remark@+1 {{kept 54, may 46, sure 42}}
  %3 = attn.mask.causal offset(%o : tensor<2xi32>)
  // One offset for all batches, because its size is 1.
  %one = arith.constant dense<1> : tensor<1xi64>
  // expected-remark@+1 {{kept 80, may 72, sure 56}}
  %4 = attn.mask.causal offset(%one : tensor<1xi64>)
  return
}

func.func @window() {
  // expected-remark@+1 {{kept 120, may 96, sure 96}}
  %0 = attn.mask.window
  // expected-remark@+1 {{kept 36, may 44, sure 16}}
  %1 = attn.mask.window left 1 right 0
  // expected-remark@+1 {{kept 20, may 32, sure 0}}
  %2 = attn.mask.window left 0 right 0
  // expected-remark@+1 {{kept 96, may 84, sure 72}}
  %3 = attn.mask.window left 1
  // expected-remark@+1 {{kept 80, may 72, sure 56}}
  %4 = attn.mask.window right 1
  // Positions plus the largest side do not wrap.
  // expected-remark@+1 {{kept 120, may 96, sure 96}}
  %5 = attn.mask.window left 1152921504606846976 right 1152921504606846976
  %o = arith.constant dense<[-4, 20]> : tensor<2xindex>
  // expected-remark@+1 {{kept 6, may 6, sure 2}}
  %6 = attn.mask.window left 2 right 1 offset(%o : tensor<2xindex>)
  return
}

func.func @padding() {
  // Beyond the keys, and negative.
  %beyond = arith.constant dense<[9, -2]> : tensor<2xi64>
  %some = arith.constant dense<[4, 0]> : tensor<2xindex>
  %keys = arith.constant 6 : index
  // expected-remark@+1 {{kept 60, may 48, sure 48}}
  %0 = attn.mask.padding right lengths(%beyond : tensor<2xi64>)
  // expected-remark@+1 {{kept 40, may 32, sure 32}}
  %1 = attn.mask.padding right lengths(%some : tensor<2xindex>)
  // expected-remark@+1 {{kept 60, may 48, sure 48}}
  %2 = attn.mask.padding left lengths(%beyond : tensor<2xi64>) keys(%keys)
  // expected-remark@+1 {{kept 40, may 32, sure 32}}
  %3 = attn.mask.padding left lengths(%some : tensor<2xindex>) keys(%keys)
  return
}

func.func @chunk() {
  // expected-remark@+1 {{kept 60, may 60, sure 36}}
  %0 = attn.mask.chunk size 3
  %cm4 = arith.constant -4 : index
  // Queries -4 to 0: one of them is in the first chunk.
  // expected-remark@+1 {{kept 12, may 12, sure 0}}
  %1 = attn.mask.chunk size 3 offset(%cm4 : index)
  // Chunks that start at -1 and at 2.
  %start = arith.constant dense<[-4, 2]> : tensor<2xi32>
  // expected-remark@+1 {{kept 52, may 52, sure 32}}
  %2 = attn.mask.chunk size 3 start(%start : tensor<2xi32>)
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{kept 20, may 24, sure 8}}
  %3 = attn.mask.chunk size 2 offset(%start : tensor<2xi32>) start(%c2 : index)
  // Nothing wraps.
  // expected-remark@+1 {{kept 120, may 96, sure 96}}
  %4 = attn.mask.chunk size 1152921504606846976
  %least = arith.constant -9223372036854775808 : index
  %most = arith.constant 9223372036854775807 : index
  // expected-remark@+1 {{kept 0, may 0, sure 0}}
  %5 = attn.mask.chunk size 1152921504606846976 offset(%least : index) start(%most : index)
  // expected-remark@+1 {{kept 0, may 0, sure 0}}
  %6 = attn.mask.chunk size 1152921504606846976 offset(%most : index) start(%least : index)
  // 2^63 - 1 is 1 modulo 3, and -2^63 is 1 as well.
  // expected-remark@+1 {{kept 48, may 60, sure 24}}
  %7 = attn.mask.chunk size 3 start(%most : index)
  // expected-remark@+1 {{kept 48, may 60, sure 24}}
  %8 = attn.mask.chunk size 3 start(%least : index)
  return
}

func.func @document() {
  // Packed, with padding at the end; one row of queries for both batches.
  %queries = arith.constant dense<[[0, 0, 1, 1, -1]]> : tensor<1x5xi32>
  %keys = arith.constant dense<[[0, 0, 1, 1, 2, -1], [0, 0, 0, 1, 1, 1]]> : tensor<2x6xi64>
  // expected-remark@+1 {{kept 40, may 60, sure 20}}
  %0 = attn.mask.document query(%queries : tensor<1x5xi32>) key(%keys : tensor<2x6xi64>)
  // In no order, and keys of one document with a hole between.
  %mixed = arith.constant dense<[[3, -2, 3, 7, 7, 9223372036854775807]]> : tensor<1x6xi64>
  %some = arith.constant dense<[[7, 3, 3, -1, 9223372036854775807], [5, 7, 7, -2, -2]]> : tensor<2x5xi64>
  // expected-remark@+1 {{kept 22, may 52, sure 4}}
  %1 = attn.mask.document query(%some : tensor<2x5xi64>) key(%mixed : tensor<1x6xi64>)
  // Padding only.
  %padding = arith.constant dense<-1> : tensor<2x6xi32>
  // expected-remark@+1 {{kept 0, may 0, sure 0}}
  %2 = attn.mask.document query(%padding : tensor<2x6xi32>) key(%padding : tensor<2x6xi32>)
  return
}

func.func @prefix() {
  %lengths = arith.constant dense<[4, -1]> : tensor<2xi64>
  // expected-remark@+1 {{kept 40, may 32, sure 32}}
  %0 = attn.mask.prefix length(%lengths : tensor<2xi64>)
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{kept 40, may 32, sure 32}}
  %1 = attn.mask.prefix length(%c2 : index)
  %most = arith.constant 9223372036854775807 : index
  // expected-remark@+1 {{kept 120, may 96, sure 96}}
  %2 = attn.mask.prefix length(%most : index)
  return
}

func.func @tensor() {
  // A hole in the first batch, a run in the second one.
  %rows = arith.constant dense<[[[[true, false, true, true, false, false, false, false]]],
                                [[[false, true, true, true, false, false, false, false]]]]> : tensor<2x1x1x8xi1>
  // expected-remark@+1 {{kept 60, may 56, sure 24}}
  %0 = attn.mask.tensor keep %rows : tensor<2x1x1x8xi1>
  // expected-remark@+1 {{kept 60, may 88, sure 0}}
  %1 = attn.mask.tensor block %rows : tensor<2x1x1x8xi1>
  // A row without keys, and one for each head.
  %heads = arith.constant dense<[[[[false, false, false, false, false, false, false, false]],
                                  [[false, false, false, false, false, true, true, true]]]]> : tensor<1x2x1x8xi1>
  // expected-remark@+1 {{kept 10, may 8, sure 8}}
  %2 = attn.mask.tensor keep %heads : tensor<1x2x1x8xi1>
  // Queries differ: nothing is known without reading all of them.
  %queries = arith.constant dense<[[[[true], [false], [true], [true], [true], [true], [true], [true]]]]> : tensor<1x1x8x1xi1>
  // expected-remark@+1 {{kept 96, may 96, sure 0}}
  %3 = attn.mask.tensor keep %queries : tensor<1x1x8x1xi1>
  return
}

func.func @algebra() {
  %c2 = arith.constant 2 : index
  %cm9 = arith.constant -9 : index
  // expected-remark@+1 {{kept 60, may 56, sure 40}}
  %causal = attn.mask.causal
  // expected-remark@+1 {{kept 0, may 0, sure 0}}
  %none = attn.mask.causal offset(%cm9 : index)
  // expected-remark@+1 {{kept 120, may 96, sure 96}}
  %all = attn.mask.window
  // expected-remark@+1 {{kept 96, may 84, sure 72}}
  %recent = attn.mask.window left 1
  %lengths = arith.constant dense<[2, 1]> : tensor<2xi64>
  // expected-remark@+1 {{kept 30, may 24, sure 24}}
  %prefix = attn.mask.padding right lengths(%lengths : tensor<2xi64>)
  // A prefix of a row, a suffix, and both ends of a row with a hole between.
  // expected-remark@+1 {{kept 36, may 44, sure 16}}
  %and = attn.mask.and %causal, %recent
  // expected-remark@+1 {{kept 62, may 56, sure 42}}
  %or = attn.mask.or %causal, %prefix
  // expected-remark@+1 {{kept 120, may 96, sure 76}}
  %union = attn.mask.or %recent, %causal
  // expected-remark@+1 {{kept 112, may 96, sure 72}}
  %sinks = attn.mask.or %recent, %prefix
  // expected-remark@+1 {{kept 0, may 0, sure 0}}
  %and_none = attn.mask.and %none, %causal
  // expected-remark@+1 {{kept 60, may 56, sure 40}}
  %or_none = attn.mask.or %none, %causal
  // expected-remark@+1 {{kept 60, may 56, sure 40}}
  %not_causal = attn.mask.not %causal
  // expected-remark@+1 {{kept 24, may 24, sure 12}}
  %not_recent = attn.mask.not %recent
  // expected-remark@+1 {{kept 84, may 92, sure 44}}
  %not_and = attn.mask.not %and
  // expected-remark@+1 {{kept 120, may 96, sure 96}}
  %not_none = attn.mask.not %none
  // expected-remark@+1 {{kept 0, may 0, sure 0}}
  %not_all = attn.mask.not %all
  // expected-remark@+1 {{kept 60, may 56, sure 40}}
  %or_not_all = attn.mask.or %not_all, %causal
  // expected-remark@+1 {{kept 58, may 54, sure 40}}
  %not_or = attn.mask.not %or
  return
}

func.func @generate() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %table = arith.constant dense<[true, false, true, true, false, true]> : tensor<6xi1>
  // Elementwise, with a captured value.
  // expected-remark@+1 {{kept 60, may 96, sure 0}}
  %0 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %sum = arith.addi %i, %j : index
    %bit = arith.andi %sum, %c1 : index
    %even = arith.cmpi eq, %bit, %c0 : index
    attn.yield %even : i1
  }
  // Not elementwise: once per lane.
  // expected-remark@+1 {{kept 80, may 96, sure 0}}
  %1 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %element = tensor.extract %table[%j] : tensor<6xi1>
    attn.yield %element : i1
  }
  // Independent of the indices.
  // expected-remark@+1 {{kept 120, may 96, sure 0}}
  %2 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %true = arith.constant true
    attn.yield %true : i1
  }
  // An unused elementwise op on a captured vector, which has no vector form.
  %vector = arith.constant dense<[1, 2]> : vector<2xindex>
  // expected-remark@+1 {{kept 60, may 96, sure 0}}
  %3 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %unused = arith.addi %vector, %vector : vector<2xindex>
    %less = arith.cmpi sle, %j, %i : index
    attn.yield %less : i1
  }
  return
}

func.func @slice() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{kept 60, may 56, sure 40}}
  %causal = attn.mask.causal
  // expected-remark@+1 {{kept 96, may 84, sure 72}}
  %later = attn.mask.slice %causal[%c0, %c0, %c2, %c0]
  // expected-remark@+1 {{kept 24, may 24, sure 12}}
  %ahead = attn.mask.slice %causal[%c0, %c0, %c0, %c2]
  %rows = arith.constant dense<[[[[true, false, true, true, true, false, false, false]]],
                                [[[false, true, true, true, false, false, false, false]]],
                                [[[false, true, true, true, true, true, true, true]]]]> : tensor<3x1x1x8xi1>
  // expected-remark@+1 {{kept 70, may 64, sure 24}}
  %tensor = attn.mask.tensor keep %rows : tensor<3x1x1x8xi1>
  // expected-remark@+1 {{kept 80, may 64, sure 64}}
  %tile = attn.mask.slice %tensor[%c1, %c1, %c0, %c2]
  // expected-remark@+1 {{kept 40, may 32, sure 32}}
  %not = attn.mask.not %tile
  return
}

func.func @biases() {
  // Slopes 1/16 and 1/256; the distances are 1 and -2.
  // expected-remark@+1 {{query 2 with keys 1 and 4: -0.0625 0.125 -0.00390625 0.0078125 -0.0625 0.125 -0.00390625 0.0078125}}
  %0 = attn.bias.alibi linear heads 2
  // expected-remark@+1 {{query 2 with keys 1 and 4: -0.0625 -0.125 -0.00390625 -0.0078125 -0.0625 -0.125 -0.00390625 -0.0078125}}
  %1 = attn.bias.alibi absolute heads 2
  // Of three heads the last one is the first of four: 1/4.
  // expected-remark@+1 {{query 2 with keys 1 and 4: -0.00390625 0.0078125 -0.25 0.5 -0.00390625 0.0078125 -0.25 0.5}}
  %2 = attn.bias.alibi linear heads 3 first_head 1
  // One offset and one row of slopes per batch.
  %offset = arith.constant dense<[0, 10]> : tensor<2xi64>
  %slopes = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // expected-remark@+1 {{query 2 with keys 1 and 4: -1 2 -2 4 -33 -24 -44 -32}}
  %3 = attn.bias.alibi linear slopes(%slopes : tensor<2x2xf32>) offset(%offset : tensor<2xi64>)
  // 2^(-8/3) and 2^(-16/3) of the plain series of three.
  // expected-remark@+1 {{query 2 with keys 1 and 4: -0.15749 0.31498 -0.0248031 0.0496063}}
  %plain = attn.bias.alibi linear heads 3 series = plain
  %row = arith.constant dense<[[[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]]]> : tensor<1x1x1x8xf16>
  // expected-remark@+1 {{query 2 with keys 1 and 4: 1 4 1 4 1 4 1 4}}
  %4 = attn.bias.tensor %row : tensor<1x1x1x8xf16>
  // expected-remark@+1 {{query 2 with keys 1 and 4: 0.9375 4.125 0.996094 4.00781 0.9375 4.125 0.996094 4.00781}}
  %5 = attn.bias.add %0, %4
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  // expected-remark@+1 {{query 2 with keys 1 and 4: 3 6 3 6 3 6 3 6}}
  %6 = attn.bias.slice %4[%c1, %c1, %c0, %c2]
  // expected-remark@+1 {{query 2 with keys 1 and 4: 1 -2 1 -2 1 -2 1 -2}}
  %7 = attn.bias.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %distance = arith.subi %i, %j : index
    %integer = arith.index_cast %distance : index to i64
    %value = arith.sitofp %integer : i64 to bf16
    attn.yield %value : bf16
  }
  return
}
