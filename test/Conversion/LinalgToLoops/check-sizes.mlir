// RUN: attn-opt %s --attn-check-sizes | FileCheck %s

// Sizes that an op expects to be equal, and that are known at run time only,
// are compared before it; what the types say already is not.

// CHECK-LABEL: func @add(
// CHECK-SAME: %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x4xf32>
// CHECK-DAG: %[[SIZE_A:.*]] = tensor.dim %[[A]]
// CHECK-DAG: %[[SIZE_B:.*]] = tensor.dim %[[B]]
// CHECK: %[[EQUAL:.*]] = arith.cmpi eq, %[[SIZE_B]], %[[SIZE_A]]
// CHECK: cf.assert %[[EQUAL]], "expects dimension 0 of argument 1 to equal dimension 0 of argument 0"
// CHECK-NOT: cf.assert
// CHECK: linalg.add
func.func @add(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %sum = linalg.add ins(%a, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%a : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %sum : tensor<?x4xf32>
}

// CHECK-LABEL: func @static(
// CHECK-NOT: cf.assert
// CHECK: return
func.func @static(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %sum = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}
