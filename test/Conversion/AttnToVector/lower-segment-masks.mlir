// Masks of segments in the kernel, whose lanes are queries.

// RUN: attn-opt %s -attn-lower-attention-to-vector -canonicalize -cse \
// RUN:   -loop-invariant-code-motion | FileCheck %s

// A chunk starts where its queries say: the loops over keys only compare, and
// keys that all queries keep not even that.

// CHECK-LABEL: func.func @chunk
// CHECK:         scf.parallel
// CHECK:           arith.floordivsi {{.*}} : index
// CHECK:           arith.floordivsi {{.*}} : vector<16xindex>
// CHECK:           scf.for {{.*}} step %c16 iter_args
// CHECK-NOT:         arith.floordivsi {{.*}} : index
// CHECK:             scf.for {{.*}} step %c4 iter_args
// CHECK-NOT:           arith.floordivsi
// CHECK:               arith.cmpi sge, {{.*}} : vector<16xindex>
// CHECK:               arith.cmpi slt, {{.*}} : vector<16xindex>
// CHECK:             scf.for {{.*}} step %c4 iter_args
// CHECK-NOT:           arith.cmpi
// CHECK:             scf.for {{.*}} step %c4 iter_args
// CHECK-NOT:           arith.floordivsi
// CHECK:               arith.cmpi sge, {{.*}} : vector<16xindex>
func.func @chunk(%q: memref<1x1x32x8xf32>, %k: memref<1x1x64x8xf32>, %out: memref<1x1x32x8xf32>) {
  %chunk = attn.mask.chunk size 12
  attn.attention query(%q : memref<1x1x32x8xf32>) key(%k : memref<1x1x64x8xf32>) value(%k : memref<1x1x64x8xf32>)
    mask(%chunk) outs(%out : memref<1x1x32x8xf32>) {plan = #attn.plan<query_block = 16, key_block = 16, rows = 4>}
  return
}

// The ids of the block's queries, then those of the keys: the blocks of keys start
// at the first and end at the last one of the documents of the queries.

// CHECK-LABEL: func.func @document
// CHECK-SAME:    %[[QUERIES:[a-z0-9]+]]: memref<1x32xi64>, %[[KEYS:[a-z0-9]+]]: memref<1x64xi32>
// CHECK:         scf.parallel
// CHECK:           %[[ENDS:.*]]:2 = scf.for
// CHECK:             memref.load %[[QUERIES]]
// CHECK:           %[[FOUND:.*]]:3 = scf.for %{{.*}} = %c0 to %c64 step %c1 iter_args
// CHECK:             memref.load %[[KEYS]]
// CHECK:           %[[LATEST:.*]] = arith.minsi %[[FOUND]]#1
// CHECK:           scf.for {{.*}} step %c16 iter_args
func.func @document(%q: memref<1x1x32x8xf32>, %k: memref<1x1x64x8xf32>, %queries: memref<1x32xi64>,
                    %keys: memref<1x64xi32>, %out: memref<1x1x32x8xf32>) {
  %document = attn.mask.document query(%queries : memref<1x32xi64>) key(%keys : memref<1x64xi32>)
  attn.attention query(%q : memref<1x1x32x8xf32>) key(%k : memref<1x1x64x8xf32>) value(%k : memref<1x1x64x8xf32>)
    mask(%document) outs(%out : memref<1x1x32x8xf32>) {plan = #attn.plan<query_block = 16, key_block = 16, rows = 4>}
  return
}
