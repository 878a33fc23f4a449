// RUN: attn-opt %s --attn-sink-masks | FileCheck %s

// All ops of the mask and the bias go in front of their user, operands first;
// what has another user is copied for each.
// CHECK-LABEL: func @sink(
// CHECK-NOT: attn.mask.
// CHECK: %[[X:.*]] = tensor.empty() : tensor<1x1x8x64xf32>
// CHECK-NEXT: %[[BIAS:.*]] = attn.bias.tensor
// CHECK-DAG: %[[CAUSAL:.*]] = attn.mask.causal
// CHECK-DAG: %[[WINDOW:.*]] = attn.mask.window
// CHECK: %[[AND:.*]] = attn.mask.and %[[CAUSAL]], %[[WINDOW]]
// CHECK-NEXT: %{{.*}} = attn.attention {{.*}} bias(%[[BIAS]]) mask(%[[AND]])
// CHECK: tensor.empty() : tensor<1x1x8x8xi1>
// CHECK-NEXT: %[[OTHER:.*]] = attn.mask.causal
// CHECK-NEXT: %{{.*}} = attn.materialize %[[OTHER]]
// CHECK-NOT: attn.mask.
// CHECK: return
func.func @sink(%q: tensor<1x1x8x64xf32>, %b: tensor<1x1x8x8xf32>) -> (tensor<1x1x8x64xf32>, tensor<1x1x8x8xi1>) {
  %causal = attn.mask.causal
  %window = attn.mask.window left 4
  %and = attn.mask.and %causal, %window
  %bias = attn.bias.tensor %b : tensor<1x1x8x8xf32>
  %x = tensor.empty() : tensor<1x1x8x64xf32>
  %a = attn.attention query(%q : tensor<1x1x8x64xf32>) key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
    bias(%bias) mask(%and) outs(%x : tensor<1x1x8x64xf32>)
  %d = tensor.empty() : tensor<1x1x8x8xi1>
  %m = attn.materialize %causal : !attn.mask outs(%d : tensor<1x1x8x8xi1>)
  return %a, %m : tensor<1x1x8x64xf32>, tensor<1x1x8x8xi1>
}

// A mask that comes from outside stays where it is.
// CHECK-LABEL: func @argument(
// CHECK-SAME: %[[MASK:[a-z0-9]+]]: !attn.mask
// CHECK: attn.attention {{.*}} mask(%[[MASK]])
func.func @argument(%q: tensor<1x1x8x64xf32>, %mask: !attn.mask) -> tensor<1x1x8x64xf32> {
  %a = attn.attention query(%q : tensor<1x1x8x64xf32>) key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
    mask(%mask) outs(%q : tensor<1x1x8x64xf32>)
  return %a : tensor<1x1x8x64xf32>
}
