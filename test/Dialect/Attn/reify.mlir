// The sizes of results are those of destinations.

// RUN: attn-opt %s -resolve-ranked-shaped-type-result-dims -canonicalize | FileCheck %s

// CHECK-LABEL: func @attention(
// CHECK-SAME: %[[OUT:[a-z0-9]*]]: tensor<1x?x?x?xf16>, %[[LSE:[a-z0-9]*]]: tensor<1x?x?xf32>
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[D:.*]] = tensor.dim %[[OUT]], %[[C3]]
// CHECK-DAG: %[[S:.*]] = tensor.dim %[[LSE]], %[[C2]]
// CHECK: return %[[D]], %[[S]]
func.func @attention(%out: tensor<1x?x?x?xf16>, %lse: tensor<1x?x?xf32>, %q: tensor<1x?x?x?xf16>) -> (index, index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0:2 = attn.attention query(%q : tensor<1x?x?x?xf16>) key(%q : tensor<1x?x?x?xf16>) value(%q : tensor<1x?x?x?xf16>)
    outs(%out, %lse : tensor<1x?x?x?xf16>, tensor<1x?x?xf32>)
  %1 = tensor.dim %0#0, %c3 : tensor<1x?x?x?xf16>
  %2 = tensor.dim %0#1, %c2 : tensor<1x?x?xf32>
  return %1, %2 : index, index
}

// CHECK-LABEL: func @encodings(
// CHECK-SAME: %[[P:[a-z0-9]*]]: tensor<?x?xi64>, %[[C:[a-z0-9]*]]: tensor<?x?x4xf32>, %[[S:[a-z0-9]*]]: tensor<?x?x4xf32>, %[[X:[a-z0-9]*]]: tensor<?x?x?x8xf32>, %[[M:[a-z0-9]*]]: tensor<?x?x?x?xi1>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[PD:.*]] = tensor.dim %[[P]], %[[C0]]
// CHECK-DAG: %[[SD:.*]] = tensor.dim %[[S]], %[[C0]]
// CHECK-DAG: %[[CD:.*]] = tensor.dim %[[C]], %[[C0]]
// CHECK-DAG: %[[XD:.*]] = tensor.dim %[[X]], %[[C0]]
// CHECK-DAG: %[[MD:.*]] = tensor.dim %[[M]], %[[C0]]
// CHECK: return %[[PD]], %[[SD]], %[[CD]], %[[XD]], %[[MD]]
func.func @encodings(%p: tensor<?x?xi64>, %c: tensor<?x?x4xf32>, %s: tensor<?x?x4xf32>, %x: tensor<?x?x?x8xf32>, %m: tensor<?x?x?x?xi1>,
                     %f: tensor<4xf64>, %t: tensor<9x4xf32>, %ids: tensor<?x?xi64>, %tables: tensor<?x?x4xf32>, %y: tensor<?x?x?x8xf32>, %mask: !attn.mask)
    -> (index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %0 = attn.positions outs(%p : tensor<?x?xi64>)
  %1:2 = attn.rotary_table positions(%ids : tensor<?x?xi64>) frequencies(%f : tensor<4xf64>) outs(%c, %s : tensor<?x?x4xf32>, tensor<?x?x4xf32>)
  %2 = attn.learned_position table(%t : tensor<9x4xf32>) positions(%ids : tensor<?x?xi64>) outs(%c : tensor<?x?x4xf32>)
  %3 = attn.rotary split_half %y, %tables, %tables : tensor<?x?x?x8xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32> outs(%x : tensor<?x?x?x8xf32>)
  %4 = attn.materialize %mask : !attn.mask outs(%m : tensor<?x?x?x?xi1>)
  %d0 = tensor.dim %0, %c0 : tensor<?x?xi64>
  %d1 = tensor.dim %1#1, %c0 : tensor<?x?x4xf32>
  %d2 = tensor.dim %2, %c0 : tensor<?x?x4xf32>
  %d3 = tensor.dim %3, %c0 : tensor<?x?x?x8xf32>
  %d4 = tensor.dim %4, %c0 : tensor<?x?x?x?xi1>
  return %d0, %d1, %d2, %d3, %d4 : index, index, index, index, index
}
