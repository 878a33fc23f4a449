// The op that a test looks for stays, and only that: what used it goes, though
// folding would take the op with it, what only fed it goes where something can
// stand in, and so do other functions.

// RUN: attn-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/contains.sh test-arg=attn.mask.and' \
// RUN:   | FileCheck %s --check-prefix=AND
// AND:      module {
// AND-NEXT:   func.func @masked() {
// AND-NEXT:     %[[A:.*]] = attn.mask.causal
// AND-NEXT:     %[[B:.*]] = attn.mask.causal
// AND-NEXT:     attn.mask.and %[[A]], %[[B]]
// AND-NEXT:     return
// AND-NEXT:   }
// AND-NEXT: }

// RUN: attn-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/contains.sh test-arg=math.exp' \
// RUN:   | FileCheck %s --check-prefix=EXP
// EXP:      module {
// EXP-NEXT:   func.func private @called(%[[X:.*]]: tensor<4xf32>) {
// EXP-NEXT:     %{{.*}} = math.exp %[[X]] : tensor<4xf32>
// EXP-NEXT:     return
// EXP-NEXT:   }
// EXP-NEXT: }

// A function stays while it is called.
// RUN: attn-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/contains.sh test-arg="call @called"' \
// RUN:   | FileCheck %s --check-prefix=CALL --implicit-check-not=attn.
// CALL:      func.func private @called
// CALL-NEXT:   return
// CALL:      func.func @caller()
// CALL-NEXT:   call @called
func.func @masked(%q: tensor<1x1x4x8xf32>, %m: tensor<1x1x4x4xi1>) -> tensor<1x1x4x8xf32> {
  %c = attn.mask.causal
  %t = attn.mask.tensor keep %m : tensor<1x1x4x4xi1>
  %a = attn.mask.and %c, %t
  %o = tensor.empty() : tensor<1x1x4x8xf32>
  %c1 = arith.constant 1 : index
  %x = attn.attention query(%q : tensor<1x1x4x8xf32>) key(%q : tensor<1x1x4x8xf32>) value(%q : tensor<1x1x4x8xf32>)
    mask(%a) outs(%o : tensor<1x1x4x8xf32>)
  return %x : tensor<1x1x4x8xf32>
}
func.func private @called(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.exp %x : tensor<4xf32>
  %z = arith.addf %y, %x : tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = call @called(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %x : tensor<4xf32>, tensor<4xf32>
}
