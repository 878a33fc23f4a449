// Where no dominance holds, ops may come before their operands and depend on
// themselves. Verification and canonicalization end, whatever they do.

// RUN: attn-opt %s -allow-unregistered-dialect -canonicalize | FileCheck %s

// CHECK-LABEL: module @cycles
module @cycles {
  // CHECK: attn.materialize
  %0 = attn.mask.not %1
  %1 = attn.mask.and %0, %2
  %2 = attn.mask.or %1, %3
  %3 = attn.mask.slice %2[%c1, %c1, %c1, %c1]
  %4 = attn.mask.and %4, %4
  %5 = attn.mask.or %5, %5
  %6 = attn.mask.not %7
  %7 = attn.mask.not %6
  %8 = attn.mask.slice %8[%c0, %c0, %c0, %c0]
  %9 = attn.mask.slice %10[%c1, %c1, %c1, %c1]
  %10 = attn.mask.slice %9[%c1, %c1, %c1, %c1]
  %11 = attn.bias.slice %11[%c0, %c0, %c0, %c0]
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  "unregistered.use"(%4, %5, %6, %8, %9, %11) : (!attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.mask, !attn.bias) -> ()
  %out = tensor.empty() : tensor<1x1x4x4xi1>
  %dense = attn.materialize %0 : !attn.mask outs(%out : tensor<1x1x4x4xi1>)
  "unregistered.use"(%dense) : (tensor<1x1x4x4xi1>) -> ()
}

// CHECK-LABEL: module @late_positions
module @late_positions {
  // CHECK: attn.learned_position
  %0 = attn.learned_position table(%table : tensor<4x8xf32>) positions(%positions : tensor<1x8xi64>) outs(%out : tensor<1x8x8xf32>)
  %positions = attn.positions outs(%ids : tensor<1x8xi64>)
  %ids = tensor.empty() : tensor<1x8xi64>
  %table = tensor.empty() : tensor<4x8xf32>
  %out = tensor.empty() : tensor<1x8x8xf32>
  "unregistered.use"(%0) : (tensor<1x8x8xf32>) -> ()
}
