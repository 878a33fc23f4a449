// What a test looks for may be unused, and loses what used it: slices, arguments
// and results go. Nothing is said of what was tried.

// RUN: attn-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/is-interesting.sh test-arg=%attn_obj/bin/attn-opt' \
// RUN:   2>&1 | FileCheck %s --implicit-check-not=error --implicit-check-not=warning
// RUN: sed 's/return %o :/return %a :/' %s > %t.mlir
// RUN: attn-reduce %t.mlir --reduction-tree='traversal-mode=0 test=%S/Inputs/is-interesting.sh test-arg=%attn_obj/bin/attn-opt' \
// RUN:   2>&1 | FileCheck %s --implicit-check-not=error --implicit-check-not=warning

// CHECK: func.func @main(%[[Q:[^,]*]]: tensor<1x1x4x8xf32>, %[[VALID:[^,]*]]: tensor<1x1x1x4xi1>, %[[O:[^,]*]]: tensor<1x1x4x8xf32>) {
// CHECK-NEXT: %[[MASK:.*]] = attn.mask.tensor keep %[[VALID]]
// CHECK-NEXT: attn.attention {{.*}} mask(%[[MASK]])
// CHECK-NEXT: return{{$}}
func.func @main(%q: tensor<1x1x4x8xf32>, %bias: tensor<1x1x4x8xf32>, %valid: tensor<1x1x1x4xi1>,
                %o: tensor<1x1x4x8xf32>, %n: index) -> tensor<1x1x4x8xf32> {
  %slice = tensor.extract_slice %bias[0, 0, 0, 0] [1, 1, 4, 4] [1, 1, 1, 1] : tensor<1x1x4x8xf32> to tensor<1x1x4x4xf32>
  %b = attn.bias.tensor %slice : tensor<1x1x4x4xf32>
  %m = attn.mask.tensor keep %valid : tensor<1x1x1x4xi1>
  %a = attn.attention query(%q : tensor<1x1x4x8xf32>) key(%q : tensor<1x1x4x8xf32>) value(%q : tensor<1x1x4x8xf32>)
    bias(%b) mask(%m) outs(%o : tensor<1x1x4x8xf32>) {softcap = 50.0 : f64}
  return %o : tensor<1x1x4x8xf32>
}
