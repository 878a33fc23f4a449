// The sizes of results are those of destinations.

// RUN: attn-opt %s -resolve-ranked-shaped-type-result-dims -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func @sizes(
// CHECK-SAME: %{{.*}}: tensor<?x?x?x?xf32>, %[[C:.*]]: tensor<?x?x?x?xf32>, %{{.*}}: tensor<?x?x?xf32>, %[[L:.*]]: tensor<?x?x?xf32>
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[CD:.*]] = tensor.dim %[[C]], %[[TWO]]
// CHECK-DAG: %[[LD:.*]] = tensor.dim %[[L]], %[[TWO]]
// CHECK: return %[[CD]], %[[CD]], %[[LD]]
func.func @sizes(%n: tensor<?x?x?x?xf32>, %c: tensor<?x?x?x?xf32>, %l: tensor<?x?x?xf32>, %lse: tensor<?x?x?xf32>, %i: index)
    -> (index, index, index) {
  %c2 = arith.constant 2 : index
  %0 = attn.cache_append new(%n : tensor<?x?x?x?xf32>) start(%i : index) outs(%c : tensor<?x?x?x?xf32>)
  %1:2 = attn.merge partials(%n : tensor<?x?x?x?xf32>) lses(%l : tensor<?x?x?xf32>) outs(%c, %lse : tensor<?x?x?x?xf32>, tensor<?x?x?xf32>)
  %2 = tensor.dim %0, %c2 : tensor<?x?x?x?xf32>
  %3 = tensor.dim %1#0, %c2 : tensor<?x?x?x?xf32>
  %4 = tensor.dim %1#1, %c2 : tensor<?x?x?xf32>
  return %2, %3, %4 : index, index, index
}
