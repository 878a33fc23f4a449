// RUN: attn-opt %s -canonicalize -split-input-file | FileCheck %s

// Constant masks: a window without sides keeps everything, and so do data that
// are all true.

// CHECK-LABEL: func @constant_masks(
// CHECK-SAME: %[[M:.*]]: !attn.mask
// CHECK-DAG: %[[ALL:.*]] = attn.mask.window{{ *$}}
// CHECK-DAG: %[[NONE:.*]] = attn.mask.not %[[ALL]]
// CHECK: return %[[M]], %[[NONE]], %[[ALL]], %[[M]], %[[ALL]], %[[ALL]], %[[NONE]]
func.func @constant_masks(%m: !attn.mask, %i: index)
    -> (!attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask) {
  %true = arith.constant dense<true> : tensor<1x1x4x4xi1>
  %all = attn.mask.window offset(%i : index)
  %data = attn.mask.tensor keep %true : tensor<1x1x4x4xi1>
  %none = attn.mask.not %all
  %0 = attn.mask.and %data, %m
  %1 = attn.mask.and %m, %none
  %2 = attn.mask.or %m, %all
  %3 = attn.mask.or %none, %m
  %4 = attn.mask.slice %all[%i, %i, %i, %i]
  %5 = attn.mask.not %none
  %6 = attn.mask.slice %none[%i, %i, %i, %i]
  return %0, %1, %2, %3, %4, %5, %6 : !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask
}

// -----

// Data that block where they are false everywhere, and data that keep nothing.

// CHECK-LABEL: func @constant_data(
// CHECK-SAME: %[[M:.*]]: !attn.mask
// CHECK: %[[NONE:.*]] = attn.mask.tensor keep
// CHECK: return %[[M]], %[[NONE]]
func.func @constant_data(%m: !attn.mask) -> (!attn.mask, !attn.mask) {
  %false = arith.constant dense<false> : tensor<1x1x1x4xi1>
  %all = attn.mask.tensor block %false : tensor<1x1x1x4xi1>
  %none = attn.mask.tensor keep %false : tensor<1x1x1x4xi1>
  %0 = attn.mask.and %all, %m
  %1 = attn.mask.and %none, %m
  return %0, %1 : !attn.mask, !attn.mask
}

// -----

// Chunks start at a multiple of their size as well, chunks of one token are the
// diagonal, and what is within another mask stands for both.

// CHECK-LABEL: func @chunks(
// CHECK-SAME: %[[O:.*]]: index, %[[S:.*]]: tensor<2xi64>
// CHECK-DAG: %[[DIAGONAL:.*]] = attn.mask.window left 0 right 0 offset(%[[O]] : index)
// CHECK-DAG: %[[FOUR:.*]] = attn.mask.chunk size 4{{ *$}}
// CHECK-DAG: %[[EIGHT:.*]] = attn.mask.chunk size 8 offset(%[[O]] : index) start(%[[S]] : tensor<2xi64>)
// CHECK-DAG: %[[WIDE:.*]] = attn.mask.window left 3 right 4{{ *$}}
// CHECK: return %[[DIAGONAL]], %[[FOUR]], %[[EIGHT]], %[[FOUR]], %[[WIDE]]
func.func @chunks(%o: index, %s: tensor<2xi64>) -> (!attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask) {
  %0 = attn.mask.chunk size 1 offset(%o : index) start(%s : tensor<2xi64>)
  %zero = arith.constant 0 : index
  %starts = arith.constant dense<-12> : tensor<2xi32>
  %four = attn.mask.chunk size 4 offset(%zero : index) start(%starts : tensor<2xi32>)
  %eight = attn.mask.chunk size 8 offset(%o : index) start(%s : tensor<2xi64>)
  %sixteen = attn.mask.chunk size 16 offset(%o : index) start(%s : tensor<2xi64>)
  %wide = attn.mask.window left 3 right 4
  %1 = attn.mask.and %sixteen, %eight
  %2 = attn.mask.and %wide, %four
  %3 = attn.mask.or %four, %wide
  return %0, %four, %1, %2, %3 : !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask
}

// CHECK-LABEL: func @other_chunks(
// CHECK: attn.mask.chunk size 4 start
// CHECK-COUNT-5: attn.mask.and
func.func @other_chunks(%o: index) -> (!attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask) {
  %two = arith.constant 2 : index
  %starts = arith.constant dense<[4, 8]> : tensor<2xi64>
  %start = attn.mask.chunk size 4 start(%two : index)
  %batches = attn.mask.chunk size 4 start(%starts : tensor<2xi64>)
  %four = attn.mask.chunk size 4
  %six = attn.mask.chunk size 6
  %later = attn.mask.chunk size 8 offset(%o : index)
  %narrow = attn.mask.window left 2 right 3
  %0 = attn.mask.and %start, %four
  %1 = attn.mask.and %four, %six
  %2 = attn.mask.and %four, %later
  %3 = attn.mask.and %four, %narrow
  %4 = attn.mask.and %batches, %four
  return %0, %1, %2, %3, %4 : !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask
}

// -----

// CHECK-LABEL: func @prefixes(
// CHECK-SAME: %[[M:.*]]: !attn.mask, %[[I:.*]]: index
// CHECK-DAG: %[[THREE:.*]] = attn.mask.prefix length(%c3 : index)
// CHECK-DAG: %[[FIVE:.*]] = attn.mask.prefix length(%{{.*}} : tensor<2xi64>)
// CHECK-DAG: %[[NONE:.*]] = attn.mask.prefix length(%c0 : index)
// CHECK: return %[[THREE]], %[[FIVE]], %[[M]], %[[NONE]]
func.func @prefixes(%m: !attn.mask, %i: index) -> (!attn.mask, !attn.mask, !attn.mask, !attn.mask) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %fives = arith.constant dense<5> : tensor<2xi64>
  %none = attn.mask.prefix length(%c0 : index)
  %three = attn.mask.prefix length(%c3 : index)
  %five = attn.mask.prefix length(%fives : tensor<2xi64>)
  %0 = attn.mask.and %five, %three
  %1 = attn.mask.or %three, %five
  %2 = attn.mask.or %m, %none
  %3 = attn.mask.slice %none[%i, %i, %i, %i]
  return %0, %1, %2, %3 : !attn.mask, !attn.mask, !attn.mask, !attn.mask
}

// -----

// CHECK-LABEL: func @documents(
// CHECK-SAME: %[[M:.*]]: !attn.mask, %[[IDS:.*]]: tensor<2x8xi64>
// CHECK-DAG: %[[OTHER:.*]] = attn.mask.document query(%[[ONES:.*]] : tensor<1x8xi32>) key(%[[TWOS:.*]] : tensor<1x8xi64>)
// CHECK-DAG: %[[PADDED:.*]] = attn.mask.document query(%[[IDS]] : tensor<2x8xi64>)
// CHECK-DAG: %[[UNKNOWN:.*]] = attn.mask.and %[[M]],
// CHECK: return %[[M]], %[[OTHER]], %[[PADDED]], %[[UNKNOWN]]
func.func @documents(%m: !attn.mask, %ids: tensor<2x8xi64>) -> (!attn.mask, !attn.mask, !attn.mask, !attn.mask) {
  %ones = arith.constant dense<1> : tensor<1x8xi32>
  %twos = arith.constant dense<2> : tensor<1x8xi64>
  %padding = arith.constant dense<-1> : tensor<1x8xi64>
  %same = attn.mask.document query(%ones : tensor<1x8xi32>) key(%ones : tensor<1x8xi32>)
  %other = attn.mask.document query(%ones : tensor<1x8xi32>) key(%twos : tensor<1x8xi64>)
  %padded = attn.mask.document query(%ids : tensor<2x8xi64>) key(%padding : tensor<1x8xi64>)
  %given = attn.mask.document query(%ids : tensor<2x8xi64>) key(%ids : tensor<2x8xi64>)
  %0 = attn.mask.and %m, %same
  %1 = attn.mask.and %m, %other
  %2 = attn.mask.and %m, %padded
  %3 = attn.mask.and %m, %given
  return %0, %1, %2, %3 : !attn.mask, !attn.mask, !attn.mask, !attn.mask
}

// -----

// CHECK-LABEL: func @relative_biases(
// CHECK-SAME: %[[B:.*]]: !attn.bias, %[[T:.*]]: tensor<1x8xf32>
// CHECK-NEXT: %[[R:.*]] = attn.bias.relative toeplitz first_distance -3 table(%[[T]] : tensor<1x8xf32>){{ *$}}
// CHECK-NEXT: return %[[B]], %[[R]]
func.func @relative_biases(%b: !attn.bias, %t: tensor<1x8xf32>) -> (!attn.bias, !attn.bias) {
  %zeros = arith.constant dense<0.0> : tensor<4x8xbf16>
  %c0 = arith.constant 0 : index
  %zero = attn.bias.relative t5 num_buckets 8 max_distance 20 table(%zeros : tensor<4x8xbf16>)
  %0 = attn.bias.add %b, %zero
  %1 = attn.bias.relative toeplitz first_distance -3 table(%t : tensor<1x8xf32>) offset(%c0 : index)
  return %0, %1 : !attn.bias, !attn.bias
}

// -----

// CHECK-LABEL: func @not(
// CHECK-SAME: %[[M:.*]]: !attn.mask, %[[V:.*]]: tensor<1x1x1x8xi1>
// CHECK-DAG: %[[BLOCK:.*]] = attn.mask.tensor block %[[V]]
// CHECK-DAG: %[[KEEP:.*]] = attn.mask.tensor keep %[[V]]
// CHECK: return %[[M]], %[[BLOCK]], %[[KEEP]]
func.func @not(%m: !attn.mask, %v: tensor<1x1x1x8xi1>) -> (!attn.mask, !attn.mask, !attn.mask) {
  %0 = attn.mask.not %m
  %1 = attn.mask.not %0
  %2 = attn.mask.tensor keep %v : tensor<1x1x1x8xi1>
  %3 = attn.mask.not %2
  %4 = attn.mask.tensor block %v : tensor<1x1x1x8xi1>
  %5 = attn.mask.not %4
  return %1, %3, %5 : !attn.mask, !attn.mask, !attn.mask
}

// -----

// Bands around one diagonal.

// CHECK-LABEL: func @bands(
// CHECK-SAME: %[[O:.*]]: index, %[[P:.*]]: index
func.func @bands(%o: index, %p: index) -> (!attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask) {
  %causal = attn.mask.causal offset(%o : index)
  %left = attn.mask.window left 3 offset(%o : index)
  %narrow = attn.mask.window left 1 right 2 offset(%o : index)
  %wide = attn.mask.window left 5 right 7 offset(%o : index)
  %right = attn.mask.window right 0 offset(%o : index)
  %other = attn.mask.window left 3 offset(%p : index)
  // CHECK-DAG: %[[SLIDING:.*]] = attn.mask.window left 3 right 0 offset(%[[O]] : index)
  %0 = attn.mask.and %causal, %left
  // CHECK-DAG: %[[NARROW:.*]] = attn.mask.window left 1 right 2 offset(%[[O]] : index)
  %1 = attn.mask.and %wide, %narrow
  // CHECK-DAG: %[[BOTH:.*]] = attn.mask.window left 3 right 7 offset(%[[O]] : index)
  %2 = attn.mask.and %left, %wide
  // CHECK-DAG: %[[WIDE:.*]] = attn.mask.window left 5 right 7 offset(%[[O]] : index)
  %3 = attn.mask.or %wide, %narrow
  // CHECK-DAG: %[[ALL:.*]] = attn.mask.window{{ *$}}
  %4 = attn.mask.or %left, %causal
  // CHECK-DAG: %[[CAUSAL:.*]] = attn.mask.causal offset(%[[O]] : index)
  %5 = attn.mask.or %right, %causal
  // CHECK-DAG: %[[OTHER:.*]] = attn.mask.window left 3 offset(%[[P]] : index)
  // CHECK-DAG: %[[AND:.*]] = attn.mask.and %{{.*}}, %[[OTHER]]
  %6 = attn.mask.and %causal, %other
  // CHECK: return %[[SLIDING]], %[[NARROW]], %[[BOTH]], %[[WIDE]], %[[ALL]], %{{.*}}, %[[AND]]
  return %0, %1, %2, %3, %4, %5, %6 : !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask
}

// -----

// CHECK-LABEL: func @zero_offsets(
// CHECK-SAME: %[[S:.*]]: tensor<8xf32>
// CHECK-DAG: %[[CAUSAL:.*]] = attn.mask.causal{{ *$}}
// CHECK-DAG: %[[WINDOW:.*]] = attn.mask.window left 2{{ *$}}
// CHECK-DAG: %[[ALIBI:.*]] = attn.bias.alibi linear slopes(%[[S]] : tensor<8xf32>){{ *$}}
// CHECK: return %[[CAUSAL]], %[[WINDOW]], %[[ALIBI]]
func.func @zero_offsets(%s: tensor<8xf32>) -> (!attn.mask, !attn.mask, !attn.bias) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0> : tensor<2xi64>
  %0 = attn.mask.causal offset(%c0 : index)
  %1 = attn.mask.window left 2 offset(%zeros : tensor<2xi64>)
  %2 = attn.bias.alibi linear slopes(%s : tensor<8xf32>) offset(%c0 : index)
  return %0, %1, %2 : !attn.mask, !attn.mask, !attn.bias
}

// -----

// CHECK-LABEL: func @slices(
// CHECK-SAME: %[[M:.*]]: !attn.mask, %[[B:.*]]: !attn.bias, %[[I:.*]]: index
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[I1:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK-DAG: %[[MS:.*]] = attn.mask.slice %[[M]][%[[I]], %[[C0]], %[[I1]], %[[C3]]]
// CHECK-DAG: %[[BS:.*]] = attn.bias.slice %[[B]][%[[I]], %[[C0]], %{{.*}}, %[[C3]]]
// CHECK: return %[[M]], %[[MS]], %[[B]], %[[BS]]
func.func @slices(%m: !attn.mask, %b: !attn.bias, %i: index) -> (!attn.mask, !attn.mask, !attn.bias, !attn.bias) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = attn.mask.slice %m[%c0, %c0, %c0, %c0]
  %1 = attn.mask.slice %m[%i, %c0, %i, %c1]
  %2 = attn.mask.slice %1[%c0, %c0, %c1, %c2]
  %3 = attn.bias.slice %b[%c0, %c0, %c0, %c0]
  %4 = attn.bias.slice %b[%i, %c0, %i, %c1]
  %5 = attn.bias.slice %4[%c0, %c0, %c1, %c2]
  return %0, %2, %3, %5 : !attn.mask, !attn.mask, !attn.bias, !attn.bias
}

// -----

// CHECK-LABEL: func @zero_bias(
// CHECK-SAME: %[[Q:.*]]: tensor<1x2x4x8xf32>, %[[B:.*]]: !attn.bias
// CHECK-NOT: attn.bias
// CHECK: attn.attention query({{.*}}) key({{.*}}) value({{.*}}) bias(%[[B]]) outs
// CHECK: attn.attention query({{.*}}) key({{.*}}) value({{.*}} : tensor<1x2x4x8xf32>) outs
func.func @zero_bias(%q: tensor<1x2x4x8xf32>, %b: !attn.bias, %i: index) -> (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<1x1x4x4xf32>
  %zero = attn.bias.tensor %zeros : tensor<1x1x4x4xf32>
  %sum = attn.bias.add %zero, %b
  %slice = attn.bias.slice %zero[%i, %i, %i, %i]
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
    bias(%sum) outs(%q : tensor<1x2x4x8xf32>)
  %1 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
    bias(%slice) outs(%q : tensor<1x2x4x8xf32>)
  return %0, %1 : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>
}

// -----

// A mask that keeps everything is dropped, whatever it is made of.

// CHECK-LABEL: func @full_mask(
// CHECK-NOT: mask
// CHECK: attn.attention query({{.*}}) key({{.*}}) value({{.*}} : tensor<1x2x4x8xf32>) outs
func.func @full_mask(%q: tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32> {
  %causal = attn.mask.causal
  %all = attn.mask.window
  %mask = attn.mask.or %causal, %all
  %0 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
    mask(%mask) outs(%q : tensor<1x2x4x8xf32>)
  return %0 : tensor<1x2x4x8xf32>
}

// -----

// An unused log-sum-exp goes, everything else stays; a used one stays.

// CHECK-LABEL: func @unused_lse(
// CHECK-SAME: %[[Q:.*]]: tensor<1x2x4x8xf32>, %[[L:.*]]: tensor<1x2x4xf32>, %[[M:.*]]: !attn.mask
// CHECK-NEXT: %[[A:.*]] = attn.attention query({{.*}} mask(%[[M]]) rotate_key(%{{.*}}, %{{.*}}) empty_row = mean outs(%[[Q]] : tensor<1x2x4x8xf32>)
// CHECK-SAME: {key_rotation = #attn.rotation<split_half>, note = "kept", plan = #attn.plan<query_block = 4, key_block = 4, rows = 1>, scale = 5.000000e-01 : f64, softcap = 3.000000e+01 : f64} score {
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   attn.yield
// CHECK-NEXT: }
// CHECK-NEXT: %[[B:.*]], %[[LSE:.*]] = attn.attention
// CHECK-NEXT: return %[[A]], %[[B]], %[[LSE]]
func.func @unused_lse(%q: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>, %m: !attn.mask, %c: tensor<1x4x4xf32>)
    -> (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4xf32>) {
  %0:2 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
    mask(%m) rotate_key(%c, %c : tensor<1x4x4xf32>, tensor<1x4x4xf32>) empty_row = mean
    outs(%q, %l : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>)
    {key_rotation = #attn.rotation<split_half>, plan = #attn.plan<query_block = 4, key_block = 4, rows = 1>, scale = 0.5 : f64, softcap = 30.0 : f64, note = "kept"} score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      attn.yield %s : f32
    }
  %1:2 = attn.attention query(%q : tensor<1x2x4x8xf32>) key(%q : tensor<1x2x4x8xf32>) value(%q : tensor<1x2x4x8xf32>)
    outs(%q, %l : tensor<1x2x4x8xf32>, tensor<1x2x4xf32>)
  return %0#0, %1#0, %1#1 : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4xf32>
}

// -----

// CHECK-LABEL: func @materialize_constant(
// CHECK-SAME: %[[OUT:.*]]: tensor<1x1x?x4xi1>
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK-DAG: %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : tensor<1x2x4x4xf16>
// CHECK-DAG: %[[DIM:.*]] = tensor.dim %[[OUT]]
// CHECK-DAG: %[[SPLAT:.*]] = tensor.splat %[[TRUE]][%[[DIM]]] : tensor<1x1x?x4xi1>
// CHECK: return %[[SPLAT]], %[[ZEROS]]
func.func @materialize_constant(%out: tensor<1x1x?x4xi1>, %dense: tensor<1x2x4x4xf16>) -> (tensor<1x1x?x4xi1>, tensor<1x2x4x4xf16>) {
  %all = attn.mask.window
  %0 = attn.materialize %all : !attn.mask outs(%out : tensor<1x1x?x4xi1>)
  %zeros = arith.constant dense<0.0> : tensor<1x1x1x4xf64>
  %zero = attn.bias.tensor %zeros : tensor<1x1x1x4xf64>
  %1 = attn.materialize %zero : !attn.bias outs(%dense : tensor<1x2x4x4xf16>)
  return %0, %1 : tensor<1x1x?x4xi1>, tensor<1x2x4x4xf16>
}

// -----

// Casts of operands fold into the ops, of one table without the other too.

// CHECK-LABEL: func @casts(
// CHECK: attn.rotary_table positions(%{{.*}} : tensor<1x8xi64>) rule({{.*}}) outs(%{{.*}}, %{{.*}} : tensor<1x8x4xf32>, tensor<?x8x4xf32>)
func.func @casts(%p: tensor<1x8xi64>, %c: tensor<1x8x4xf32>, %s: tensor<?x8x4xf32>) -> (tensor<?x8x4xf32>, tensor<?x8x4xf32>) {
  %cast = tensor.cast %c : tensor<1x8x4xf32> to tensor<?x8x4xf32>
  %0:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 8, base = 10000.0>)
    outs(%cast, %s : tensor<?x8x4xf32>, tensor<?x8x4xf32>)
  return %0#0, %0#1 : tensor<?x8x4xf32>, tensor<?x8x4xf32>
}

// -----

// An attention without a score region has a region without blocks, which other
// patterns that fold casts do not expect.

// CHECK-LABEL: func @attention_casts(
// CHECK: %[[A:.*]] = attn.attention query(%{{.*}} : tensor<1x2x4x8xf32>) key(%{{.*}} : tensor<1x2x4x8xf32>) value(%{{.*}} : tensor<1x2x4x8xf32>) outs(%{{.*}} : tensor<1x2x4x8xf32>)
// CHECK: %[[CAST:.*]] = tensor.cast %[[A]]
// CHECK: return %[[CAST]]
func.func @attention_casts(%q: tensor<1x2x4x8xf32>) -> tensor<?x2x4x8xf32> {
  %cast = tensor.cast %q : tensor<1x2x4x8xf32> to tensor<?x2x4x8xf32>
  %0 = attn.attention query(%cast : tensor<?x2x4x8xf32>) key(%cast : tensor<?x2x4x8xf32>) value(%cast : tensor<?x2x4x8xf32>)
    outs(%cast : tensor<?x2x4x8xf32>)
  return %0 : tensor<?x2x4x8xf32>
}

// -----

// A result without elements is its destination.

// CHECK-LABEL: func @empty_results(
// CHECK-SAME: %[[Q:.*]]: tensor<1x0x4x8xf32>, %[[P:.*]]: tensor<0x4xi64>
// CHECK-NEXT: return %[[Q]], %[[P]]
func.func @empty_results(%q: tensor<1x0x4x8xf32>, %p: tensor<0x4xi64>) -> (tensor<1x0x4x8xf32>, tensor<0x4xi64>) {
  %0 = attn.attention query(%q : tensor<1x0x4x8xf32>) key(%q : tensor<1x0x4x8xf32>) value(%q : tensor<1x0x4x8xf32>) outs(%q : tensor<1x0x4x8xf32>)
  %1 = attn.positions outs(%p : tensor<0x4xi64>)
  return %0, %1 : tensor<1x0x4x8xf32>, tensor<0x4xi64>
}

// -----

// Regions that yield a constant are no region: a mask that keeps everything and
// a bias of zeros are dropped.

// CHECK-LABEL: func @constant_regions(
// CHECK-NOT: attn.mask
// CHECK-NOT: attn.bias
// CHECK: attn.attention
// CHECK-NOT: mask(
// CHECK-NOT: bias(
func.func @constant_regions(%q: tensor<1x1x4x8xf32>, %o: tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32> {
  %mask = attn.mask.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %true = arith.constant true
    attn.yield %true : i1
  }
  %bias = attn.bias.generate {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %zero = arith.constant 0.0 : f32
    attn.yield %zero : f32
  }
  %0 = attn.attention query(%q : tensor<1x1x4x8xf32>) key(%q : tensor<1x1x4x8xf32>) value(%q : tensor<1x1x4x8xf32>)
    bias(%bias) mask(%mask) outs(%o : tensor<1x1x4x8xf32>)
  return %0 : tensor<1x1x4x8xf32>
}
