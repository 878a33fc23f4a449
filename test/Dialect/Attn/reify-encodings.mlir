// The sizes of encodings are those of their destinations.

// RUN: attn-opt %s -resolve-ranked-shaped-type-result-dims -canonicalize | FileCheck %s

// CHECK-LABEL: func @encodings(
// CHECK-SAME: %[[E:[a-z0-9]*]]: tensor<?x?x?xf32>, %[[P:[a-z0-9]*]]: tensor<?x?xi64>, %[[C:[a-z0-9]*]]: tensor<?x?x4xf32>
// CHECK-DAG: %[[ED:.*]] = tensor.dim %[[E]], %c2
// CHECK-DAG: %[[PD:.*]] = tensor.dim %[[P]], %c1
// CHECK-DAG: %[[CD:.*]] = tensor.dim %[[C]], %c1
// CHECK: return %[[ED]], %[[PD]], %[[CD]]
func.func @encodings(%e: tensor<?x?x?xf32>, %p: tensor<?x?xi64>, %c: tensor<?x?x4xf32>, %t: tensor<?x?xf32>,
                     %ids: tensor<1x?xi32>, %axes: tensor<3x?x?xi64>, %length: index) -> (index, index, index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = attn.sinusoidal interleaved positions(%t : tensor<?x?xf32>) outs(%e : tensor<?x?x?xf32>)
  %1 = attn.positions segments(%ids : tensor<1x?xi32>) outs(%p : tensor<?x?xi64>)
  %2:2 = attn.rotary_table positions(%axes : tensor<3x?x?xi64>)
    rule(#attn.frequencies<dynamic_ntk, dim = 8, base = 10000.0, factor = 2.0, original_length = 64.0>)
    sections(#attn.sections<chunked, [1, 1, 2]>) length(%length) outs(%c, %c : tensor<?x?x4xf32>, tensor<?x?x4xf32>)
  %d0 = tensor.dim %0, %c2 : tensor<?x?x?xf32>
  %d1 = tensor.dim %1, %c1 : tensor<?x?xi64>
  %d2 = tensor.dim %2#1, %c1 : tensor<?x?x4xf32>
  return %d0, %d1, %d2 : index, index, index
}
