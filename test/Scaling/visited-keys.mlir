// Keys that a mask removes for all queries of a block are not visited: the loop
// over blocks of keys runs from the first to the last key that the mask may keep
// for one of the 32 queries, not over all 4096.

// RUN: attn-opt %s -attn-lower-attention-to-vector -canonicalize -cse | FileCheck %s

// Queries i .. i + 31 keep keys below i + 32.
// CHECK-LABEL: func.func @causal
// CHECK:         scf.parallel (%[[I:.*]]) = (%c0) to (%c128) step (%c32)
// CHECK:           %[[AFTER:.*]] = arith.addi %[[I]], %c32 : index
// CHECK:           %[[END:.*]] = arith.minsi %[[AFTER]], %c4096 : index
// CHECK:           scf.for %{{.*}} = %c0 to %[[END]] step %c64
func.func @causal(%x: memref<1x1x128x8xf32>, %k: memref<1x1x4096x8xf32>, %o: memref<1x1x128x8xf32>) {
  %mask = attn.mask.causal
  attn.attention query(%x : memref<1x1x128x8xf32>) key(%k : memref<1x1x4096x8xf32>)
    value(%k : memref<1x1x4096x8xf32>) mask(%mask) outs(%o : memref<1x1x128x8xf32>)
    {plan = #attn.plan<query_block = 32, key_block = 64, rows = 8>}
  return
}

// Keys from i - 100 to i + 31 + 20.
// CHECK-LABEL: func.func @window
// CHECK:         scf.parallel (%[[I:.*]]) = (%c0) to (%c128) step (%c32)
// CHECK-DAG:       %[[FIRST:.*]] = arith.subi %[[I]], %c100 : index
// CHECK-DAG:       %[[AFTER:.*]] = arith.addi %[[I]], %c52 : index
// CHECK-DAG:       %[[BEGIN:.*]] = arith.maxsi %[[FIRST]], %c0 : index
// CHECK-DAG:       %[[END:.*]] = arith.minsi %[[AFTER]], %c4096 : index
// CHECK:           scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %c64
func.func @window(%x: memref<1x1x128x8xf32>, %k: memref<1x1x4096x8xf32>, %o: memref<1x1x128x8xf32>) {
  %mask = attn.mask.window left 100 right 20
  attn.attention query(%x : memref<1x1x128x8xf32>) key(%k : memref<1x1x4096x8xf32>)
    value(%k : memref<1x1x4096x8xf32>) mask(%mask) outs(%o : memref<1x1x128x8xf32>)
    {plan = #attn.plan<query_block = 32, key_block = 64, rows = 8>}
  return
}

// CHECK-LABEL: func.func @padding
// CHECK:         %[[LENGTH:.*]] = memref.load %{{.*}} : memref<2xi64>
// CHECK:         %[[GIVEN:.*]] = arith.index_cast %[[LENGTH]] : i64 to index
// CHECK:         %[[BELOW:.*]] = arith.minsi %[[GIVEN]], %c4611686018427387904 : index
// CHECK:         %[[AFTER:.*]] = arith.maxsi %[[BELOW]], %c0 : index
// CHECK:         %[[END:.*]] = arith.minsi %[[AFTER]], %c4096 : index
// CHECK:         scf.for %{{.*}} = %c0 to %[[END]] step %c64
func.func @padding(%x: memref<2x1x128x8xf32>, %k: memref<2x1x4096x8xf32>, %o: memref<2x1x128x8xf32>,
                   %lengths: memref<2xi64>) {
  %mask = attn.mask.padding right lengths(%lengths : memref<2xi64>)
  attn.attention query(%x : memref<2x1x128x8xf32>) key(%k : memref<2x1x4096x8xf32>)
    value(%k : memref<2x1x4096x8xf32>) mask(%mask) outs(%o : memref<2x1x128x8xf32>)
    {plan = #attn.plan<query_block = 32, key_block = 64, rows = 8>}
  return
}

// CHECK-LABEL: func.func @left_padding
// CHECK:         %[[LENGTH:.*]] = memref.load %{{.*}} : memref<2xi64>
// CHECK:         %[[GIVEN:.*]] = arith.index_cast %[[LENGTH]] : i64 to index
// CHECK:         %[[BELOW:.*]] = arith.minsi %[[GIVEN]], %c4611686018427387904 : index
// CHECK:         %[[PLACES:.*]] = arith.maxsi %[[BELOW]], %c0 : index
// CHECK:         %[[FIRST:.*]] = arith.subi %{{.*}}, %[[PLACES]] : index
// CHECK:         %[[BEGIN:.*]] = arith.maxsi %[[FIRST]], %c0 : index
// CHECK:         scf.for %{{.*}} = %[[BEGIN]] to %c4096 step %c64
func.func @left_padding(%x: memref<2x1x128x8xf32>, %k: memref<2x1x4096x8xf32>, %o: memref<2x1x128x8xf32>,
                        %lengths: memref<2xi64>, %keys: index) {
  %mask = attn.mask.padding left lengths(%lengths : memref<2xi64>) keys(%keys)
  attn.attention query(%x : memref<2x1x128x8xf32>) key(%k : memref<2x1x4096x8xf32>)
    value(%k : memref<2x1x4096x8xf32>) mask(%mask) outs(%o : memref<2x1x128x8xf32>)
    {plan = #attn.plan<query_block = 32, key_block = 64, rows = 8>}
  return
}
