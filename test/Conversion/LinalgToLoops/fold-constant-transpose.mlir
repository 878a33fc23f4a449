// RUN: attn-opt %s --attn-fold-constant-transpose | FileCheck %s

// CHECK-LABEL: func.func @inline
func.func @inline(%init: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  // CHECK: %[[T:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]>
  // CHECK: return %[[T]]
  %t = linalg.transpose ins(%w : tensor<2x3xf32>) outs(%init : tensor<3x2xf32>) permutation = [1, 0]
  return %t : tensor<3x2xf32>
}

// Three dimensions, to tell a permutation from its inverse.
// CHECK-LABEL: func.func @rotated
func.func @rotated(%init: tensor<2x3x1xi16>) -> tensor<2x3x1xi16> {
  %w = arith.constant dense<[[[1, 2], [3, 4], [5, 6]]]> : tensor<1x3x2xi16>
  // CHECK: arith.constant dense<{{\[\[\[}}1], [3], [5]], {{\[\[}}2], [4], [6]]]>
  %t = linalg.transpose ins(%w : tensor<1x3x2xi16>) outs(%init : tensor<2x3x1xi16>) permutation = [2, 1, 0]
  return %t : tensor<2x3x1xi16>
}

// CHECK-LABEL: func.func @resource
func.func @resource(%init: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = arith.constant dense_resource<weight> : tensor<2x2xf32>
  // CHECK: arith.constant dense_resource<weight_transposed>
  // CHECK-NOT: linalg.transpose
  %t = linalg.transpose ins(%w : tensor<2x2xf32>) outs(%init : tensor<2x2xf32>) permutation = [1, 0]
  return %t : tensor<2x2xf32>
}

// Bits are not moved one by one.
// CHECK-LABEL: func.func @bits
func.func @bits(%init: tensor<2x2xi1>) -> tensor<2x2xi1> {
  %w = arith.constant dense<[[true, false], [true, false]]> : tensor<2x2xi1>
  // CHECK: linalg.transpose
  %t = linalg.transpose ins(%w : tensor<2x2xi1>) outs(%init : tensor<2x2xi1>) permutation = [1, 0]
  return %t : tensor<2x2xi1>
}

// 1, 2, 3, 4 become 1, 3, 2, 4.
// CHECK: weight_transposed: "0x040000000000803F00004040000000400000{{8040}}"
{-#
  dialect_resources: {
    builtin: {
      weight: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
