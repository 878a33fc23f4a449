// The index into the table of each form of attn.bias.relative.

// RUN: attn-opt %s --attn-lower-to-linalg --canonicalize --split-input-file | FileCheck %s

// Four buckets for each direction: distances 0 and 1, and those from 2 and from 7
// on, since (7 / 2)^2 is the first that is at least 20 / 2.
// CHECK-LABEL: func @t5(
// CHECK-SAME:    %[[TABLE:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK:         %[[H:.*]] = linalg.index 1
// CHECK:         %[[I:.*]] = linalg.index 2
// CHECK:         %[[J:.*]] = linalg.index 3
// CHECK:         %[[D:.*]] = arith.subi %[[J]], %[[I]]
// CHECK:         %[[NEGATED:.*]] = arith.subi %c0, %[[D]]
// CHECK:         %[[LATER:.*]] = arith.cmpi sgt, %[[D]], %c0
// CHECK:         %[[SIDE:.*]] = arith.select %[[LATER]], %c4, %c0
// CHECK:         %[[A:.*]] = arith.maxsi %[[D]], %[[NEGATED]]
// CHECK:         %[[EXACT:.*]] = arith.minsi %[[A]], %c2
// CHECK:         %[[FAR:.*]] = arith.cmpi sge, %[[A]], %c7
// CHECK:         %[[ONE:.*]] = arith.select %[[FAR]], %c1, %c0
// CHECK:         %[[BUCKET:.*]] = arith.addi %[[EXACT]], %[[ONE]]
// CHECK-NOT:     arith.cmpi
// CHECK:         %[[INDEX:.*]] = arith.addi %[[BUCKET]], %[[SIDE]]
// CHECK:         tensor.extract %[[TABLE]][%[[H]], %[[INDEX]]]
func.func @t5(%table: tensor<4x8xf32>, %out: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %relative = attn.bias.relative t5 num_buckets 8 max_distance 20 bidirectional table(%table : tensor<4x8xf32>)
  %dense = attn.materialize %relative : !attn.bias outs(%out : tensor<1x4x6x6xf32>)
  return %dense : tensor<1x4x6x6xf32>
}

// -----

// The distances at which the buckets 17 to 31 of one direction start.
// CHECK-LABEL: func @thresholds(
// CHECK:         arith.minsi %{{.*}}, %c16
// CHECK:         arith.cmpi sge, %[[A:.*]], %c19
// CHECK:         arith.cmpi sge, %[[A]], %c21
// CHECK:         arith.cmpi sge, %[[A]], %c24
// CHECK:         arith.cmpi sge, %[[A]], %c27
// CHECK:         arith.cmpi sge, %[[A]], %c31
// CHECK:         arith.cmpi sge, %[[A]], %c35
// CHECK:         arith.cmpi sge, %[[A]], %c40
// CHECK:         arith.cmpi sge, %[[A]], %c46
// CHECK:         arith.cmpi sge, %[[A]], %c52
// CHECK:         arith.cmpi sge, %[[A]], %c59
// CHECK:         arith.cmpi sge, %[[A]], %c67
// CHECK:         arith.cmpi sge, %[[A]], %c77
// CHECK:         arith.cmpi sge, %[[A]], %c87
// CHECK:         arith.cmpi sge, %[[A]], %c99
// CHECK:         arith.cmpi sge, %[[A]], %c113
// CHECK-NOT:     arith.cmpi
// CHECK:         tensor.extract %{{.*}}[%c0, %{{.*}}]
func.func @thresholds(%table: tensor<1x32xbf16>, %out: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %relative = attn.bias.relative t5 num_buckets 32 max_distance 128 table(%table : tensor<1x32xbf16>)
  %dense = attn.materialize %relative : !attn.bias outs(%out : tensor<1x4x6x6xf32>)
  return %dense : tensor<1x4x6x6xf32>
}

// -----

// The index is below the number of columns, whatever that is.
// CHECK-LABEL: func @toeplitz(
// CHECK-SAME:    %[[TABLE:[a-z0-9]+]]: tensor<1x?xf32>
// CHECK:         %[[SHIFTED:.*]] = arith.subi %{{.*}}, %c-3
// CHECK:         %[[COLUMNS:.*]] = tensor.dim %[[TABLE]], %c1
// CHECK:         %[[LAST:.*]] = arith.subi %[[COLUMNS]], %c1
// CHECK:         %[[BELOW:.*]] = arith.minsi %[[SHIFTED]], %[[LAST]]
// CHECK:         %[[INDEX:.*]] = arith.maxsi %[[BELOW]], %c0
// CHECK:         tensor.extract %[[TABLE]][%c0, %[[INDEX]]]
func.func @toeplitz(%table: tensor<1x?xf32>, %out: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %relative = attn.bias.relative toeplitz first_distance -3 table(%table : tensor<1x?xf32>)
  %dense = attn.materialize %relative : !attn.bias outs(%out : tensor<1x4x6x6xf32>)
  return %dense : tensor<1x4x6x6xf32>
}

// -----

// Query and key are in the window of 3 rows of 5 before they are divided.
// CHECK-LABEL: func @window(
// CHECK-COUNT-2: arith.{{(min|max)}}si %{{.*}}, %c{{14|0}}
// CHECK:         arith.floordivsi %{{.*}}, %c5
// CHECK-COUNT-2: arith.{{(min|max)}}si %{{.*}}, %c{{14|0}}
// CHECK:         arith.floordivsi %{{.*}}, %c5
// CHECK-NOT:     arith.floordivsi
// CHECK:         arith.muli %{{.*}}, %c9
func.func @window(%table: tensor<4x45xf32>, %offset: index, %out: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %relative = attn.bias.relative window size [3, 5] table(%table : tensor<4x45xf32>) offset(%offset : index)
  %dense = attn.materialize %relative : !attn.bias outs(%out : tensor<1x4x6x6xf32>)
  return %dense : tensor<1x4x6x6xf32>
}
