// RUN: attn-opt %s --attn-raise --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-raise-attention --split-input-file | FileCheck %s

// What looks like ALiBi but is not, or is with other slopes.

#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#lhs = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#rhs = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#out = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#pv0 = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#pv1 = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#pv2 = affine_map<(b, h, i, d, j) -> (b, h, i, d)>

// Slopes of eight heads on four.
// CHECK-LABEL: func.func @other_rule(
// CHECK: %[[S:.*]] = arith.constant dense<[5.000000e-01, 2.500000e-01, 1.250000e-01, 6.250000e-02]> : tensor<4xf32>
// CHECK: attn.bias.alibi linear slopes(%[[S]] : tensor<4xf32>)
func.func @other_rule(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %slopes = arith.constant dense<[0.5, 0.25, 0.125, 0.0625]> : tensor<4xf32>
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x6xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %slope = tensor.extract %slopes[%h] : tensor<4xf32>
    %d = arith.subi %i, %j : index
    %di = arith.index_cast %d : index to i64
    %df = arith.sitofp %di : i64 to f32
    %neg = arith.negf %slope : f32
    %bias = arith.mulf %neg, %df : f32
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// -----

#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#lhs = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#rhs = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#out = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#pv0 = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#pv1 = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#pv2 = affine_map<(b, h, i, d, j) -> (b, h, i, d)>

// One slope is off by more than a rounding.
// CHECK-LABEL: func.func @almost_rule(
// CHECK: attn.bias.alibi linear slopes(
func.func @almost_rule(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %slopes = arith.constant dense<[0.25, 0.0625, 0.01563, 0.00390625]> : tensor<4xf32>
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x6xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %slope = tensor.extract %slopes[%h] : tensor<4xf32>
    %d = arith.subi %i, %j : index
    %di = arith.index_cast %d : index to i64
    %df = arith.sitofp %di : i64 to f32
    %neg = arith.negf %slope : f32
    %bias = arith.mulf %neg, %df : f32
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// -----

#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#lhs = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#rhs = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#out = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#pv0 = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#pv1 = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#pv2 = affine_map<(b, h, i, d, j) -> (b, h, i, d)>

// A bias that favours what is far away: slopes are negative.
// CHECK-LABEL: func.func @wrong_sign(
// CHECK: %[[S:.*]] = arith.constant dense<[-2.500000e-01, -6.250000e-02, -1.562500e-02, -3.906250e-03]> : tensor<4xf32>
// CHECK: attn.bias.alibi linear slopes(%[[S]] : tensor<4xf32>)
func.func @wrong_sign(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %slopes = arith.constant dense<[0.25, 0.0625, 0.015625, 0.00390625]> : tensor<4xf32>
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x6xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %slope = tensor.extract %slopes[%h] : tensor<4xf32>
    %d = arith.subi %i, %j : index
    %di = arith.index_cast %d : index to i64
    %df = arith.sitofp %di : i64 to f32
    %bias = arith.mulf %slope, %df : f32
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// -----

#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#lhs = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#rhs = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#out = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#pv0 = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#pv1 = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#pv2 = affine_map<(b, h, i, d, j) -> (b, h, i, d)>

// The distance is one less: the offset says so.
// CHECK-LABEL: func.func @shifted(
// CHECK: %[[O:.*]] = arith.constant -1 : index
// CHECK: attn.bias.alibi linear heads 4 offset(%[[O]] : index)
func.func @shifted(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %slopes = arith.constant dense<[0.25, 0.0625, 0.015625, 0.00390625]> : tensor<4xf32>
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x6xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %slope = tensor.extract %slopes[%h] : tensor<4xf32>
    %c1 = arith.constant 1 : index
    %d0 = arith.subi %i, %j : index
    %d = arith.subi %d0, %c1 : index
    %di = arith.index_cast %d : index to i64
    %df = arith.sitofp %di : i64 to f32
    %neg = arith.negf %slope : f32
    %bias = arith.mulf %neg, %df : f32
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// -----

#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#lhs = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#rhs = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#out = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#pv0 = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#pv1 = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#pv2 = affine_map<(b, h, i, d, j) -> (b, h, i, d)>

// The distance squared is something else.
// CHECK-LABEL: func.func @squared(
// CHECK-NOT: attn.bias.alibi
// CHECK: attn.bias.tensor {{.*}} : tensor<1x4x6x6xf32>
func.func @squared(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %slopes = arith.constant dense<[0.25, 0.0625, 0.015625, 0.00390625]> : tensor<4xf32>
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x6xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %slope = tensor.extract %slopes[%h] : tensor<4xf32>
    %d = arith.subi %i, %j : index
    %di = arith.index_cast %d : index to i64
    %df = arith.sitofp %di : i64 to f32
    %neg = arith.negf %slope : f32
    %b1 = arith.mulf %neg, %df : f32
    %bias = arith.mulf %b1, %df : f32
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// -----

#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#lhs = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#rhs = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#out = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#pv0 = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#pv1 = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#pv2 = affine_map<(b, h, i, d, j) -> (b, h, i, d)>

// The sum of query and key is no distance, but a line in the key.
// CHECK-LABEL: func.func @sum_of_indices(
// CHECK-NOT: heads
// CHECK: attn.attention
func.func @sum_of_indices(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %slopes = arith.constant dense<[0.25, 0.0625, 0.015625, 0.00390625]> : tensor<4xf32>
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x6xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %slope = tensor.extract %slopes[%h] : tensor<4xf32>
    %d = arith.addi %i, %j : index
    %di = arith.index_cast %d : index to i64
    %df = arith.sitofp %di : i64 to f32
    %neg = arith.negf %slope : f32
    %bias = arith.mulf %neg, %df : f32
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// -----

#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#lhs = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#rhs = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#out = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#pv0 = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#pv1 = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#pv2 = affine_map<(b, h, i, d, j) -> (b, h, i, d)>

// Positions that are data.
// CHECK-LABEL: func.func @counted(
// CHECK-NOT: attn.bias.alibi
// CHECK: attn.bias.tensor {{.*}} : tensor<2x4x1x6xf32>
func.func @counted(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>, %positions: tensor<2x6xi64>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %slopes = arith.constant dense<[0.25, 0.0625, 0.015625, 0.00390625]> : tensor<4xf32>
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x6xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %slope = tensor.extract %slopes[%h] : tensor<4xf32>
    %d = tensor.extract %positions[%b, %j] : tensor<2x6xi64>
    %df = arith.sitofp %d : i64 to f32
    %bias = arith.mulf %slope, %df : f32
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}
