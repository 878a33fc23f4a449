// RUN: mymask-check %s | FileCheck %s
// RUN: mymask-opt --attn-cpu-pipeline=stage=planned %s | FileCheck %s --check-prefix=PLAN
// RUN: mymask-opt --attn-cpu-pipeline %s | FileCheck %s --check-prefix=LLVM

// CHECK: ok, 8192 elements
// CHECK: ok, 16384 elements

// The op meets attention like one of the dialect itself, and is gone in the end.
// PLAN:     mymask.dilated
// PLAN:     attn.attention {{.*}} mask({{.*}}) {{.*}}plan = #attn.plan
// LLVM-NOT: mymask.
// LLVM:     llvm.func @main
func.func @main(%q: tensor<1x4x64x32xf32>, %k: tensor<1x2x64x32xf32>, %v: tensor<1x2x64x32xf32>,
                %rates: tensor<4xi64>) -> (tensor<1x4x64x32xf32>, tensor<1x4x64x64xi1>) {
  %dilated = mymask.dilated %rates : tensor<4xi64>
  %out = tensor.empty() : tensor<1x4x64x32xf32>
  %attention = attn.attention query(%q : tensor<1x4x64x32xf32>) key(%k : tensor<1x2x64x32xf32>)
    value(%v : tensor<1x2x64x32xf32>) mask(%dilated) outs(%out : tensor<1x4x64x32xf32>)
  %bits = tensor.empty() : tensor<1x4x64x64xi1>
  %dense = attn.materialize %dilated : !attn.mask outs(%bits : tensor<1x4x64x64xi1>)
  return %attention, %dense : tensor<1x4x64x32xf32>, tensor<1x4x64x64xi1>
}
