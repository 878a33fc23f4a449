// RUN: attn-opt %s -attn-lower-attention-to-vector -canonicalize -cse \
// RUN:   | FileCheck %s

// Heads and query blocks are one parallel loop. Query heads share key heads in
// groups of four. Scratch memory is two matrices of lanes for queries and
// output, one for the scores of a block of keys, and one row: nothing grows
// with the keys. Only the scores after the surely kept keys are masked.

// CHECK-LABEL: func.func @causal
// CHECK:         scf.parallel (%[[H:.*]], %[[I:.*]]) = (%{{.*}}, %{{.*}}) to (%c8, %c128)
// CHECK:           %[[KH:.*]] = arith.divui %[[H]], %c4
// CHECK:           memref.subview %{{.*}}[0, %[[H]], %[[I]], 0] [1, 1, 32, 64]
// CHECK:           memref.subview %{{.*}}[0, %[[KH]], 0, 0] [1, 1, 128, 64]
// CHECK-COUNT-2:   memref.alloc() {alignment = 64 : i64} : memref<64x32xf32>
// CHECK:           memref.alloc() {alignment = 64 : i64} : memref<48x32xf32>
// CHECK:           memref.alloc() {alignment = 64 : i64} : memref<32xf32>
// CHECK-NOT:       memref.alloc
// The blocks of keys, carrying maximum and sum.
// CHECK:           scf.for {{.*}} step %c48 iter_args({{.*}}) -> (vector<32xf32>, vector<32xf32>)
// The surely kept keys: no mask.
// CHECK:             scf.for {{.*}} step %c8 iter_args
// CHECK:               scf.for {{.*}} -> (vector<8x32xf32>)
// CHECK:                 vector.outerproduct {{.*}} : vector<8xf32>, vector<32xf32>
// CHECK-NOT:             arith.cmpi
// CHECK:             scf.for {{.*}} step %c8 iter_args
// CHECK:               vector.outerproduct {{.*}} : vector<8xf32>, vector<32xf32>
// CHECK:               arith.cmpi sle, {{.*}} : vector<32xindex>
// CHECK:               arith.select {{.*}} : vector<32xi1>, vector<32xf32>
// Keys that do not fill a group of eight.
// CHECK:             scf.for {{.*}} step %c1 iter_args
// CHECK:               vector.outerproduct {{.*}} : vector<1xf32>, vector<32xf32>
// The values: the guarded product only where some value is not finite.
// CHECK:             arith.cmpf ord
// CHECK:             scf.if
// CHECK:               vector.outerproduct {{.*}} : vector<8xf32>, vector<32xf32>
// CHECK:             else
// CHECK-NOT:           vector.outerproduct
// CHECK:               vector.fma
// CHECK:           memref.dealloc
func.func @causal(%q: memref<1x8x128x64xf32>, %k: memref<1x2x128x64xf32>,
                  %v: memref<1x2x128x64xf32>, %o: memref<1x8x128x64xf32>) {
  %causal = attn.mask.causal
  attn.attention query(%q : memref<1x8x128x64xf32>)
    key(%k : memref<1x2x128x64xf32>) value(%v : memref<1x2x128x64xf32>)
    mask(%causal) outs(%o : memref<1x8x128x64xf32>)
    {plan = #attn.plan<query_block = 32, key_block = 48, rows = 8>}
  return
}

// A window has masked keys on both sides of the surely kept ones.

// CHECK-LABEL: func.func @window
// CHECK:         scf.for {{.*}} step %c8 iter_args
// CHECK:           arith.andi {{.*}} : vector<32xi1>
// CHECK:         scf.for {{.*}} step %c8 iter_args
// CHECK-NOT:       arith.cmpi
// CHECK:         scf.for {{.*}} step %c8 iter_args
// CHECK:           arith.andi {{.*}} : vector<32xi1>
func.func @window(%x: memref<1x1x128x64xf32>, %o: memref<1x1x128x64xf32>) {
  %window = attn.mask.window left 15 right 15
  attn.attention query(%x : memref<1x1x128x64xf32>)
    key(%x : memref<1x1x128x64xf32>) value(%x : memref<1x1x128x64xf32>)
    mask(%window) outs(%o : memref<1x1x128x64xf32>)
    {plan = #attn.plan<query_block = 32, key_block = 64, rows = 8>}
  return
}

// Without a mask there is one score loop, one for the keys left over, and no
// guard of the values.

// CHECK-LABEL: func.func @plain
// CHECK:         vector.outerproduct {{.*}} : vector<8xf64>, vector<16xf64>
// CHECK:         vector.outerproduct {{.*}} : vector<1xf64>, vector<16xf64>
// CHECK-NOT:     arith.cmpf ord
// CHECK:         vector.outerproduct {{.*}} : vector<8xf64>, vector<16xf64>
// CHECK-NOT:     vector.outerproduct
func.func @plain(%q: memref<1x1x64x64xf64>, %x: memref<1x1x60x64xf64>,
                 %o: memref<1x1x64x64xf64>) {
  attn.attention query(%q : memref<1x1x64x64xf64>)
    key(%x : memref<1x1x60x64xf64>) value(%x : memref<1x1x60x64xf64>)
    outs(%o : memref<1x1x64x64xf64>)
    {plan = #attn.plan<query_block = 16, key_block = 64, rows = 8>}
  return
}

// Inside a parallel loop, blocks of queries follow each other.

// CHECK-LABEL: func.func @nested
// CHECK:         scf.forall
// CHECK-NOT:     scf.parallel
// CHECK:         scf.for {{.*}} step %c16
// CHECK:           vector.outerproduct
func.func @nested(%x: memref<4x1x64x64xf32>, %o: memref<4x1x64x64xf32>) {
  scf.forall (%b) in (4) {
    %xb = memref.subview %x[%b, 0, 0, 0] [1, 1, 64, 64] [1, 1, 1, 1]
      : memref<4x1x64x64xf32> to memref<1x1x64x64xf32, strided<[4096, 4096, 64, 1], offset: ?>>
    %ob = memref.subview %o[%b, 0, 0, 0] [1, 1, 64, 64] [1, 1, 1, 1]
      : memref<4x1x64x64xf32> to memref<1x1x64x64xf32, strided<[4096, 4096, 64, 1], offset: ?>>
    attn.attention query(%xb : memref<1x1x64x64xf32, strided<[4096, 4096, 64, 1], offset: ?>>)
      key(%xb : memref<1x1x64x64xf32, strided<[4096, 4096, 64, 1], offset: ?>>)
      value(%xb : memref<1x1x64x64xf32, strided<[4096, 4096, 64, 1], offset: ?>>)
      outs(%ob : memref<1x1x64x64xf32, strided<[4096, 4096, 64, 1], offset: ?>>)
      {plan = #attn.plan<query_block = 16, key_block = 64, rows = 8>}
  }
  return
}

// 16-bit keys and values are widened through scratch memory, and a rotation of
// the keys makes one copy of them, in f32, before the units.

// CHECK-LABEL: func.func @rotated_bf16
// CHECK:         %[[KEYS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x2x96x64xf32>
// CHECK:         scf.parallel
// CHECK:           vector.store {{.*}}, vector<16xf32>
// CHECK:         scf.parallel
// CHECK:           memref.subview %[[KEYS]]
// CHECK:           memref.alloc() {{.*}} : memref<64x64xf32>
// CHECK:           vector.outerproduct
// CHECK:           arith.extf {{.*}} : vector<16xbf16> to vector<16xf32>
// CHECK:           arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK:         memref.dealloc %[[KEYS]]
func.func @rotated_bf16(%q: memref<1x4x96x64xbf16>, %k: memref<1x2x96x64xbf16>,
                        %c: memref<1x96x32xf32>, %s: memref<1x96x32xf32>,
                        %o: memref<1x4x96x64xbf16>) {
  attn.attention query(%q : memref<1x4x96x64xbf16>)
    key(%k : memref<1x2x96x64xbf16>) value(%k : memref<1x2x96x64xbf16>)
    rotate_query(%c, %s : memref<1x96x32xf32>, memref<1x96x32xf32>)
    rotate_key(%c, %s : memref<1x96x32xf32>, memref<1x96x32xf32>)
    outs(%o : memref<1x4x96x64xbf16>)
    {plan = #attn.plan<query_block = 32, key_block = 64, rows = 8>,
     query_rotation = #attn.rotation<split_half>, key_rotation = #attn.rotation<interleaved>}
  return
}

// Nothing to write, nothing emitted; the mask goes too.

// CHECK-LABEL: func.func @no_query
// CHECK-NEXT:    return
func.func @no_query(%q: memref<1x4x0x64xf32>, %k: memref<1x4x8x64xf32>) {
  %causal = attn.mask.causal
  attn.attention query(%q : memref<1x4x0x64xf32>) key(%k : memref<1x4x8x64xf32>)
    value(%k : memref<1x4x8x64xf32>) mask(%causal) outs(%q : memref<1x4x0x64xf32>)
  return
}

// Slopes that are data may be infinite: a bias of -inf removes its pair, and
// no key is surely kept. Slopes that follow from the heads are finite.

// CHECK-LABEL: func.func @given_slopes
// CHECK:         %[[LOWEST:.*]] = arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK:         %[[PRESENT:.*]] = arith.cmpf une, %{{.*}}, %[[LOWEST]] : vector<16xf32>
// CHECK:         arith.select %[[PRESENT]], %{{.*}}, %[[LOWEST]]
func.func @given_slopes(%x: memref<1x4x16x8xf32>, %slopes: memref<4xf32>,
                        %o: memref<1x4x16x8xf32>) {
  %alibi = attn.bias.alibi linear slopes(%slopes : memref<4xf32>)
  attn.attention query(%x : memref<1x4x16x8xf32>)
    key(%x : memref<1x4x16x8xf32>) value(%x : memref<1x4x16x8xf32>)
    bias(%alibi) outs(%o : memref<1x4x16x8xf32>)
    {plan = #attn.plan<query_block = 16, key_block = 16, rows = 8>}
  return
}

// CHECK-LABEL: func.func @slopes_of_heads
// CHECK-NOT:     arith.cmpf une
func.func @slopes_of_heads(%x: memref<1x4x16x8xf32>, %o: memref<1x4x16x8xf32>) {
  %alibi = attn.bias.alibi linear heads 4
  attn.attention query(%x : memref<1x4x16x8xf32>)
    key(%x : memref<1x4x16x8xf32>) value(%x : memref<1x4x16x8xf32>)
    bias(%alibi) outs(%o : memref<1x4x16x8xf32>)
    {plan = #attn.plan<query_block = 16, key_block = 16, rows = 8>}
  return
}
