// RUN: attn-opt %s --attn-simplify | FileCheck %s

// A rotation and its inverse over one table are the identity.
// CHECK-LABEL: func @cancel(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x1x8x64xf32>
// CHECK-NOT: attn.rotary split_half
// CHECK: return %[[X]]
func.func @cancel(%x: tensor<1x1x8x64xf32>, %p: tensor<1x8xi64>, %c: tensor<1x8x32xf32>) -> tensor<1x1x8x64xf32> {
  %t:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 64, base = 10000.0>)
    outs(%c, %c : tensor<1x8x32xf32>, tensor<1x8x32xf32>)
  %a = attn.rotary split_half %x, %t#0, %t#1 : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%x : tensor<1x1x8x64xf32>)
  %b = attn.rotary split_half inverse %a, %t#0, %t#1 : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%x : tensor<1x1x8x64xf32>)
  return %b : tensor<1x1x8x64xf32>
}

// A magnitude scales by its square.
// CHECK-LABEL: func @magnitude(
// CHECK-COUNT-2: attn.rotary split_half
func.func @magnitude(%x: tensor<1x1x8x64xf32>, %p: tensor<1x8xi64>, %c: tensor<1x8x32xf32>) -> tensor<1x1x8x64xf32> {
  %t:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 64, base = 10000.0>)
    outs(%c, %c : tensor<1x8x32xf32>, tensor<1x8x32xf32>) {magnitude = 1.25 : f64}
  %a = attn.rotary split_half %x, %t#0, %t#1 : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%x : tensor<1x1x8x64xf32>)
  %b = attn.rotary split_half inverse %a, %t#0, %t#1 : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%x : tensor<1x1x8x64xf32>)
  return %b : tensor<1x1x8x64xf32>
}

// Arguments may be any numbers, not only cosines and sines of one angle.
// CHECK-LABEL: func @unknown_table(
// CHECK-COUNT-2: attn.rotary split_half
func.func @unknown_table(%x: tensor<1x1x8x64xf32>, %cos: tensor<1x8x32xf32>, %sin: tensor<1x8x32xf32>) -> tensor<1x1x8x64xf32> {
  %a = attn.rotary split_half %x, %cos, %sin : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%x : tensor<1x1x8x64xf32>)
  %b = attn.rotary split_half inverse %a, %cos, %sin : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%x : tensor<1x1x8x64xf32>)
  return %b : tensor<1x1x8x64xf32>
}

// Rotating twice the same way, and ending in another layout, undo nothing.
// CHECK-LABEL: func @twice(
// CHECK: attn.rotary split_half %
// CHECK: attn.rotary split_half %
// CHECK: attn.rotary split_half to interleaved inverse
func.func @twice(%x: tensor<1x1x8x64xf32>, %p: tensor<1x8xi64>, %c: tensor<1x8x32xf32>) -> tensor<1x1x8x64xf32> {
  %t:2 = attn.rotary_table positions(%p : tensor<1x8xi64>) rule(#attn.frequencies<default, dim = 64, base = 10000.0>)
    outs(%c, %c : tensor<1x8x32xf32>, tensor<1x8x32xf32>)
  %a = attn.rotary split_half %x, %t#0, %t#1 : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%x : tensor<1x1x8x64xf32>)
  %b = attn.rotary split_half %a, %t#0, %t#1 : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%x : tensor<1x1x8x64xf32>)
  %d = attn.rotary split_half to interleaved inverse %b, %t#0, %t#1 : tensor<1x1x8x64xf32>, tensor<1x8x32xf32>, tensor<1x8x32xf32> outs(%x : tensor<1x1x8x64xf32>)
  return %d : tensor<1x1x8x64xf32>
}

// Without a mask, or under a causal one, every row keeps a key.
// CHECK-LABEL: func @no_empty_row(
// CHECK-NOT: empty_row
// CHECK: return
func.func @no_empty_row(%q: tensor<1x1x8x64xf32>) -> (tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>) {
  %causal = attn.mask.causal
  %a = attn.attention query(%q : tensor<1x1x8x64xf32>) key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
    mask(%causal) empty_row = mean outs(%q : tensor<1x1x8x64xf32>)
  %b = attn.attention query(%q : tensor<1x1x8x64xf32>) key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
    empty_row = nan outs(%q : tensor<1x1x8x64xf32>)
  return %a, %b : tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>
}

// An offset, and a number of keys that may be zero, can leave rows empty.
// CHECK-LABEL: func @maybe_empty_row(
// CHECK-COUNT-2: empty_row = mean
func.func @maybe_empty_row(%q: tensor<1x1x8x64xf32>, %k: tensor<1x1x?x64xf32>, %o: index)
    -> (tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>) {
  %causal = attn.mask.causal offset(%o : index)
  %a = attn.attention query(%q : tensor<1x1x8x64xf32>) key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
    mask(%causal) empty_row = mean outs(%q : tensor<1x1x8x64xf32>)
  %b = attn.attention query(%q : tensor<1x1x8x64xf32>) key(%k : tensor<1x1x?x64xf32>) value(%k : tensor<1x1x?x64xf32>)
    empty_row = mean outs(%q : tensor<1x1x8x64xf32>)
  return %a, %b : tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>
}

// -----

// Beside a sink no row is empty.

// CHECK-LABEL: func @sinks(
// CHECK: attn.attention
// CHECK-NOT: empty_row
// CHECK: return
func.func @sinks(%q: tensor<1x1x8x64xf32>, %s: tensor<1xf32>, %m: !attn.mask) -> tensor<1x1x8x64xf32> {
  %0 = attn.attention query(%q : tensor<1x1x8x64xf32>) key(%q : tensor<1x1x8x64xf32>) value(%q : tensor<1x1x8x64xf32>)
    mask(%m) sinks(%s : tensor<1xf32>) empty_row = mean outs(%q : tensor<1x1x8x64xf32>)
  return %0 : tensor<1x1x8x64xf32>
}
