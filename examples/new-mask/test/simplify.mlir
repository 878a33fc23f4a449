// RUN: mymask-opt --mymask-simplify %s | FileCheck %s

// CHECK-LABEL: @ones
// CHECK:       attn.mask.causal
func.func @ones() -> !attn.mask {
  %rates = arith.constant dense<1> : tensor<4xi64>
  %mask = mymask.dilated %rates : tensor<4xi64>
  return %mask : !attn.mask
}

// CHECK-LABEL: @other
// CHECK:       mymask.dilated
func.func @other() -> !attn.mask {
  %rates = arith.constant dense<[1, 1, 2, 1]> : tensor<4xi64>
  %mask = mymask.dilated %rates : tensor<4xi64>
  return %mask : !attn.mask
}
