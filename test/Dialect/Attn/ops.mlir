// Every op in every form prints as it was read, also through the generic form
// and through bytecode. The names of results are those that the ops suggest.

// RUN: attn-opt %s | FileCheck %s
// RUN: attn-opt %s | attn-opt | FileCheck %s
// RUN: attn-opt %s --mlir-print-op-generic | attn-opt | FileCheck %s
// RUN: attn-opt %s --emit-bytecode | attn-opt | FileCheck %s

// Words are one blank apart.
// RUN: attn-opt %s | not grep -E '[^ ]  '

// CHECK-LABEL: func @masks(
// CHECK-SAME: %[[O:.*]]: index, %[[OB:.*]]: tensor<2xi64>, %[[M:.*]]: memref<2xi32>, %[[L:.*]]: tensor<2xindex>, %[[V:.*]]: tensor<2x1x1x12xi1>
func.func @masks(%o: index, %ob: tensor<2xi64>, %m: memref<2xi32>, %l: tensor<2xindex>, %v: tensor<2x1x1x12xi1>,
                 %queries: tensor<1x8xi64>, %keys: tensor<2x?xi32>) {
  // CHECK-NEXT: %causal = attn.mask.causal
  %0 = attn.mask.causal
  // CHECK-NEXT: %causal_0 = attn.mask.causal offset(%[[O]] : index)
  %1 = attn.mask.causal offset(%o : index)
  // CHECK-NEXT: attn.mask.causal offset(%[[OB]] : tensor<2xi64>)
  %2 = attn.mask.causal offset(%ob : tensor<2xi64>)
  // CHECK-NEXT: attn.mask.causal offset(%[[M]] : memref<2xi32>) {note = "kept"}
  %3 = attn.mask.causal offset(%m : memref<2xi32>) {note = "kept"}
  // CHECK-NEXT: %window = attn.mask.window
  %4 = attn.mask.window
  // CHECK-NEXT: attn.mask.window left 3
  %5 = attn.mask.window left 3
  // CHECK-NEXT: attn.mask.window right 0 offset(%[[O]] : index)
  %6 = attn.mask.window right 0 offset(%o : index)
  // CHECK-NEXT: attn.mask.window left 1152921504606846976 right 2
  %7 = attn.mask.window left 1152921504606846976 right 2
  // CHECK-NEXT: %padding = attn.mask.padding right lengths(%[[L]] : tensor<2xindex>)
  %8 = attn.mask.padding right lengths(%l : tensor<2xindex>)
  // CHECK-NEXT: attn.mask.padding left lengths(%[[M]] : memref<2xi32>) keys(%[[O]])
  %9 = attn.mask.padding left lengths(%m : memref<2xi32>) keys(%o)
  // CHECK-NEXT: %chunk = attn.mask.chunk size 4
  %chunk = attn.mask.chunk size 4
  // CHECK-NEXT: attn.mask.chunk size 8192 offset(%[[O]] : index) start(%[[OB]] : tensor<2xi64>) {note = "kept"}
  %chunk_start = attn.mask.chunk size 8192 offset(%o : index) start(%ob : tensor<2xi64>) {note = "kept"}
  // CHECK-NEXT: attn.mask.chunk size 4 start(%[[M]] : memref<2xi32>)
  %chunk_memref = attn.mask.chunk size 4 start(%m : memref<2xi32>)
  // CHECK-NEXT: %document = attn.mask.document query(%{{.*}} : tensor<1x8xi64>) key(%{{.*}} : tensor<2x?xi32>)
  %document = attn.mask.document query(%queries : tensor<1x8xi64>) key(%keys : tensor<2x?xi32>)
  // CHECK-NEXT: %prefix = attn.mask.prefix length(%[[O]] : index)
  %prefix = attn.mask.prefix length(%o : index)
  // CHECK-NEXT: attn.mask.prefix length(%[[OB]] : tensor<2xi64>)
  %prefix_batch = attn.mask.prefix length(%ob : tensor<2xi64>)
  // CHECK-NEXT: %tensor = attn.mask.tensor keep %[[V]] : tensor<2x1x1x12xi1>
  %10 = attn.mask.tensor keep %v : tensor<2x1x1x12xi1>
  // CHECK-NEXT: %[[BLOCK:.*]] = attn.mask.tensor block %[[V]] : tensor<2x1x1x12xi1>
  %11 = attn.mask.tensor block %v : tensor<2x1x1x12xi1>
  // CHECK-NEXT: %and = attn.mask.and %causal, %[[BLOCK]]
  %12 = attn.mask.and %0, %11
  // CHECK-NEXT: %or = attn.mask.or %and, %causal
  %13 = attn.mask.or %12, %0
  // CHECK-NEXT: %not = attn.mask.not %or
  %14 = attn.mask.not %13
  // CHECK-NEXT: %slice = attn.mask.slice %not[%[[O]], %[[O]], %[[O]], %[[O]]]
  %15 = attn.mask.slice %14[%o, %o, %o, %o]
  // CHECK-NEXT: %generate = attn.mask.generate {
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %[[QUERY:.*]]: index, %[[KEY:.*]]: index):
  // CHECK-NEXT:   %[[LESS:.*]] = arith.cmpi slt, %[[QUERY]], %[[KEY]] : index
  // CHECK-NEXT:   attn.yield %[[LESS]] : i1
  // CHECK-NEXT: }
  %16 = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %less = arith.cmpi slt, %i, %j : index
    attn.yield %less : i1
  }
  return
}

// CHECK-LABEL: func @biases(
// CHECK-SAME: %[[S:.*]]: tensor<6xf32>, %[[S2:.*]]: memref<2x6xbf16>, %[[V:.*]]: tensor<1x8x?x?xf16>, %[[O:.*]]: index
func.func @biases(%s: tensor<6xf32>, %s2: memref<2x6xbf16>, %v: tensor<1x8x?x?xf16>, %o: index,
                  %t: tensor<8x32xf32>, %d: memref<1x?xbf16>, %w: tensor<1x15xf64>, %ob: tensor<2xi32>) {
  // CHECK-NEXT: %alibi = attn.bias.alibi linear heads 8
  %0 = attn.bias.alibi linear heads 8
  // CHECK-NEXT: attn.bias.alibi absolute heads 12 first_head 4 offset(%[[O]] : index)
  %1 = attn.bias.alibi absolute heads 12 first_head 4 offset(%o : index)
  // CHECK-NEXT: attn.bias.alibi linear slopes(%[[S]] : tensor<6xf32>)
  %2 = attn.bias.alibi linear slopes(%s : tensor<6xf32>)
  // CHECK-NEXT: attn.bias.alibi linear slopes(%[[S2]] : memref<2x6xbf16>)
  %3 = attn.bias.alibi linear slopes(%s2 : memref<2x6xbf16>)
  // CHECK-NEXT: attn.bias.alibi linear heads 12 first_head 3 series = plain offset(%[[O]] : index)
  %plain = attn.bias.alibi linear heads 12 first_head 3 series = plain offset(%o : index)
  // CHECK-NEXT: attn.bias.alibi linear heads 6{{$}}
  %standard = attn.bias.alibi linear heads 6 series = standard
  // CHECK-NEXT: %relative = attn.bias.relative t5 num_buckets 32 max_distance 128 bidirectional table(%{{.*}} : tensor<8x32xf32>)
  %relative = attn.bias.relative t5 num_buckets 32 max_distance 128 bidirectional table(%t : tensor<8x32xf32>)
  // CHECK-NEXT: attn.bias.relative t5 num_buckets 32 max_distance 128 table(%{{.*}} : tensor<8x32xf32>) offset(%{{.*}} : tensor<2xi32>) {note = "kept"}
  %t5 = attn.bias.relative t5 num_buckets 32 max_distance 128 table(%t : tensor<8x32xf32>) offset(%ob : tensor<2xi32>) {note = "kept"}
  // CHECK-NEXT: attn.bias.relative toeplitz first_distance -7 table(%{{.*}} : memref<1x?xbf16>) offset(%[[O]] : index)
  %toeplitz = attn.bias.relative toeplitz first_distance -7 table(%d : memref<1x?xbf16>) offset(%o : index)
  // CHECK-NEXT: attn.bias.relative window size [3, 2] table(%{{.*}} : tensor<1x15xf64>)
  %window = attn.bias.relative window size [3, 2] table(%w : tensor<1x15xf64>)
  // CHECK-NEXT: %tensor = attn.bias.tensor %[[V]] : tensor<1x8x?x?xf16>
  %4 = attn.bias.tensor %v : tensor<1x8x?x?xf16>
  // CHECK-NEXT: %add = attn.bias.add %alibi, %tensor
  %5 = attn.bias.add %0, %4
  // CHECK-NEXT: %slice = attn.bias.slice %add[%[[O]], %[[O]], %[[O]], %[[O]]]
  %6 = attn.bias.slice %5[%o, %o, %o, %o]
  // CHECK-NEXT: %generate = attn.bias.generate {
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT:   %[[VALUE:.*]] = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT:   attn.yield %[[VALUE]] : f32
  // CHECK-NEXT: }
  %7 = attn.bias.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %value = arith.constant 1.0 : f32
    attn.yield %value : f32
  }
  return
}

// CHECK-LABEL: func @encodings(
func.func @encodings(%o: index, %ob: tensor<2xi64>, %p: tensor<2x8xi64>, %table: tensor<32x64xf32>,
                     %e: tensor<2x8x64xf32>, %f: tensor<16xf64>, %c: tensor<2x8x16xf32>) {
  // CHECK-NEXT: %positions = attn.positions outs(%{{.*}} : tensor<2x8xi64>)
  %0 = attn.positions outs(%p : tensor<2x8xi64>)
  // CHECK-NEXT: %positions_0 = attn.positions offset(%{{.*}} : tensor<2xi64>) left_padding(%{{.*}} : tensor<2xi64>) first(%{{.*}}) outs(%{{.*}} : tensor<2x8xi64>)
  %1 = attn.positions offset(%ob : tensor<2xi64>) left_padding(%ob : tensor<2xi64>) first(%o) outs(%p : tensor<2x8xi64>)
  // CHECK-NEXT: %embedding = attn.learned_position table(%{{.*}} : tensor<32x64xf32>) positions(%positions_0 : tensor<2x8xi64>) outs(%{{.*}} : tensor<2x8x64xf32>)
  %2 = attn.learned_position table(%table : tensor<32x64xf32>) positions(%1 : tensor<2x8xi64>) outs(%e : tensor<2x8x64xf32>)
  // CHECK-NEXT: %cos, %sin = attn.rotary_table positions(%positions : tensor<2x8xi64>) frequencies(%{{.*}} : tensor<16xf64>) outs(%{{.*}}, %{{.*}} : tensor<2x8x16xf32>, tensor<2x8x16xf32>)
  %3:2 = attn.rotary_table positions(%0 : tensor<2x8xi64>) frequencies(%f : tensor<16xf64>) outs(%c, %c : tensor<2x8x16xf32>, tensor<2x8x16xf32>)
  // CHECK-NEXT: attn.rotary_table positions(%{{.*}} : tensor<2x8xi64>) rule(<default, dim = 32, base = 1.000000e+04>) angles = f32 outs(%{{.*}}, %{{.*}} : tensor<2x8x16xf32>, tensor<2x8x16xf32>) {magnitude = 1.250000e+00 : f64}
  %4:2 = attn.rotary_table positions(%0 : tensor<2x8xi64>) rule(#attn.frequencies<default, dim = 32, base = 10000.0>) angles = f32
    outs(%c, %c : tensor<2x8x16xf32>, tensor<2x8x16xf32>) {magnitude = 1.25 : f64}
  return
}

// CHECK-LABEL: func @rotary(
func.func @rotary(%x: tensor<2x4x8x64xbf16>, %cos: tensor<1x8x32xf32>, %half: tensor<1x8x16xf32>) {
  // CHECK-NEXT: %rotated = attn.rotary split_half %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x4x8x64xbf16>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%{{.*}} : tensor<2x4x8x64xbf16>)
  %0 = attn.rotary split_half %x, %cos, %cos : tensor<2x4x8x64xbf16>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%x : tensor<2x4x8x64xbf16>)
  // CHECK-NEXT: attn.rotary interleaved to split_half inverse from 32 %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x4x8x64xbf16>, tensor<1x8x16xf32>, tensor<1x8x16xf32> outs(%{{.*}} : tensor<2x4x8x64xbf16>)
  %1 = attn.rotary interleaved to split_half inverse from 32 %x, %half, %half
    : tensor<2x4x8x64xbf16>, tensor<1x8x16xf32>, tensor<1x8x16xf32> outs(%x : tensor<2x4x8x64xbf16>)
  return
}

// CHECK-LABEL: func @frequencies()
// CHECK-SAME: default = #attn.frequencies<default, dim = 8, base = inf>
// CHECK-SAME: exact = #attn.frequencies<default, dim = 8, base = 0x4170000010000000>
// CHECK-SAME: linear = #attn.frequencies<linear, dim = 8, base = 5.000000e+05, factor = 4.000000e+00>
// CHECK-SAME: llama3 = #attn.frequencies<llama3, dim = 8, base = 5.000000e+05, factor = 8.000000e+00, low_freq_factor = 1.000000e+00, high_freq_factor = 4.000000e+00, original_length = 8.192000e+03>
// CHECK-SAME: yarn = #attn.frequencies<yarn, dim = 8, base = 1.000000e+04, factor = 1.600000e+01, original_length = 4.096000e+03, beta_fast = 3.200000e+01, beta_slow = 1.000000e+00, truncate = 0.000000e+00>
func.func @frequencies() attributes {
  default = #attn.frequencies<default, dim = 8, base = inf>,
  exact = #attn.frequencies<default, dim = 8, base = 16777217.0>,
  linear = #attn.frequencies<linear, dim = 8, factor = 4.0, base = 500000.0>,
  llama3 = #attn.frequencies<llama3, dim = 8, base = 500000.0, factor = 8.0, low_freq_factor = 1.0, high_freq_factor = 4.0, original_length = 8192.0>,
  yarn = #attn.frequencies<yarn, dim = 8, base = 10000.0, factor = 16.0, original_length = 4096.0, beta_fast = 32.0, beta_slow = 1.0, truncate = 0.0>
} {
  return
}

// CHECK-LABEL: func @attention(
func.func @attention(%q: tensor<1x8x16x64xf16>, %k: tensor<1x2x24x64xf16>, %v: tensor<1x2x24x32xf16>,
                     %out: tensor<1x8x16x32xf16>, %lse: tensor<1x8x16xf32>, %bias: !attn.bias, %mask: !attn.mask,
                     %qc: tensor<1x16x32xf32>, %kc: tensor<1x24x32xf32>) {
  // CHECK-NEXT: %attention = attn.attention query(%{{.*}} : tensor<1x8x16x64xf16>) key(%{{.*}} : tensor<1x2x24x64xf16>) value(%{{.*}} : tensor<1x2x24x32xf16>) outs(%{{.*}} : tensor<1x8x16x32xf16>)
  %0 = attn.attention query(%q : tensor<1x8x16x64xf16>) key(%k : tensor<1x2x24x64xf16>) value(%v : tensor<1x2x24x32xf16>)
    outs(%out : tensor<1x8x16x32xf16>)
  // CHECK-NEXT: %attention_0, %lse = attn.attention query(
  // CHECK-SAME: bias(%{{.*}}) mask(%{{.*}}) rotate_query(%{{.*}}, %{{.*}} : tensor<1x16x32xf32>, tensor<1x16x32xf32>) rotate_key(%{{.*}}, %{{.*}} : tensor<1x24x32xf32>, tensor<1x24x32xf32>) empty_row = nan
  // CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<1x8x16x32xf16>, tensor<1x8x16xf32>)
  // CHECK-SAME: {key_rotation = #attn.rotation<interleaved, inverse = true>, plan = #attn.plan<query_block = 16, key_block = 64, rows = 6>, query_rotation = #attn.rotation<split_half>, scale = -1.250000e-01 : f64, softcap = 5.000000e+01 : f64} score {
  // CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %{{.*}}: index):
  // CHECK-NEXT:   attn.yield %[[S]] : f32
  // CHECK-NEXT: }
  %1:2 = attn.attention query(%q : tensor<1x8x16x64xf16>) key(%k : tensor<1x2x24x64xf16>) value(%v : tensor<1x2x24x32xf16>)
    bias(%bias) mask(%mask) rotate_query(%qc, %qc : tensor<1x16x32xf32>, tensor<1x16x32xf32>)
    rotate_key(%kc, %kc : tensor<1x24x32xf32>, tensor<1x24x32xf32>) empty_row = nan
    outs(%out, %lse : tensor<1x8x16x32xf16>, tensor<1x8x16xf32>)
    {key_rotation = #attn.rotation<interleaved, inverse = true>, query_rotation = #attn.rotation<split_half>,
     plan = #attn.plan<query_block = 16, key_block = 64, rows = 6>, scale = -0.125 : f64, softcap = 50.0 : f64} score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      attn.yield %s : f32
    }
  return
}

// On memrefs there are no results.

// CHECK-LABEL: func @memrefs(
func.func @memrefs(%x: memref<1x8x16x64xf64, strided<[?, ?, ?, 1], offset: ?>>, %lse: memref<1x8x16xf64>, %c: memref<1x16x32xf64>,
                   %p: memref<1x16xi32>, %e: memref<1x16x64xf64>, %t: memref<32x64xf64>, %dense: memref<1x8x16x16xi1>) {
  // CHECK-NEXT: %[[M:.*]] = attn.mask.causal
  %mask = attn.mask.causal
  // CHECK-NEXT: attn.attention query({{.*}} mask(%[[M]]) empty_row = mean outs(%{{.*}}, %{{.*}} : memref<1x8x16x64xf64, strided<[?, ?, ?, 1], offset: ?>>, memref<1x8x16xf64>)
  attn.attention query(%x : memref<1x8x16x64xf64, strided<[?, ?, ?, 1], offset: ?>>) key(%x : memref<1x8x16x64xf64, strided<[?, ?, ?, 1], offset: ?>>)
    value(%x : memref<1x8x16x64xf64, strided<[?, ?, ?, 1], offset: ?>>) mask(%mask) empty_row = mean
    outs(%x, %lse : memref<1x8x16x64xf64, strided<[?, ?, ?, 1], offset: ?>>, memref<1x8x16xf64>)
  // CHECK-NEXT: attn.positions outs(%{{.*}} : memref<1x16xi32>)
  attn.positions outs(%p : memref<1x16xi32>)
  // CHECK-NEXT: attn.learned_position table(%{{.*}} : memref<32x64xf64>) positions(%{{.*}} : memref<1x16xi32>) outs(%{{.*}} : memref<1x16x64xf64>)
  attn.learned_position table(%t : memref<32x64xf64>) positions(%p : memref<1x16xi32>) outs(%e : memref<1x16x64xf64>)
  // CHECK-NEXT: attn.rotary_table positions(%{{.*}} : memref<1x16xi32>) rule(<default, dim = 64, base = 1.000000e+04>) outs(%{{.*}}, %{{.*}} : memref<1x16x32xf64>, memref<1x16x32xf64>)
  attn.rotary_table positions(%p : memref<1x16xi32>) rule(#attn.frequencies<default, dim = 64, base = 10000.0>) outs(%c, %c : memref<1x16x32xf64>, memref<1x16x32xf64>)
  // CHECK-NEXT: attn.rotary interleaved
  attn.rotary interleaved %x, %c, %c : memref<1x8x16x64xf64, strided<[?, ?, ?, 1], offset: ?>>, memref<1x16x32xf64>, memref<1x16x32xf64>
    outs(%x : memref<1x8x16x64xf64, strided<[?, ?, ?, 1], offset: ?>>)
  // CHECK-NEXT: attn.materialize %[[M]] : !attn.mask outs(%{{.*}} : memref<1x8x16x16xi1>)
  attn.materialize %mask : !attn.mask outs(%dense : memref<1x8x16x16xi1>)
  return
}

// CHECK-LABEL: func @materialize(
func.func @materialize(%bias: !attn.bias, %mask: !attn.mask, %a: tensor<?x?x?x?xf64>, %b: tensor<0x1x2x3xi1>) {
  // CHECK-NEXT: %dense = attn.materialize %{{.*}} : !attn.bias outs(%{{.*}} : tensor<?x?x?x?xf64>)
  %0 = attn.materialize %bias : !attn.bias outs(%a : tensor<?x?x?x?xf64>)
  // CHECK-NEXT: %dense_0 = attn.materialize %{{.*}} : !attn.mask outs(%{{.*}} : tensor<0x1x2x3xi1>)
  %1 = attn.materialize %mask : !attn.mask outs(%b : tensor<0x1x2x3xi1>)
  return
}

// Dimensions of size zero are legal, and so is a mask of unknown origin.

// CHECK-LABEL: func @empty(
func.func @empty(%q: tensor<1x0x0x0xf32>, %k: tensor<1x0x0x0xf32>, %mask: !attn.mask) -> tensor<1x0x0x0xf32> {
  // CHECK-NEXT: attn.attention
  %0 = attn.attention query(%q : tensor<1x0x0x0xf32>) key(%k : tensor<1x0x0x0xf32>) value(%k : tensor<1x0x0x0xf32>)
    mask(%mask) outs(%q : tensor<1x0x0x0xf32>)
  return %0 : tensor<1x0x0x0xf32>
}
