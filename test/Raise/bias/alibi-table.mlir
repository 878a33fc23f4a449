// RUN: attn-opt %s --attn-raise --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-raise-attention --split-input-file | FileCheck %s

// Constant biases are classified by their values.

#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#lhs = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#rhs = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#out = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#pv0 = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#pv1 = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#pv2 = affine_map<(b, h, i, d, j) -> (b, h, i, d)>

// Tables are known by their values.
// CHECK-LABEL: func.func @table_linear(
// CHECK: %[[O:.*]] = arith.constant 1 : index
// CHECK: attn.bias.alibi linear heads 2 offset(%[[O]] : index)
func.func @table_linear(%q: tensor<2x2x3x8xf32>, %k: tensor<2x2x4x8xf32>, %v: tensor<2x2x4x8xf32>) -> tensor<2x2x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %table = arith.constant dense<[[[-0.0625, -0.0, 0.0625, 0.125], [-0.125, -0.0625, -0.0, 0.0625], [-0.1875, -0.125, -0.0625, -0.0]], [[-0.00390625, -0.0, 0.00390625, 0.0078125], [-0.0078125, -0.00390625, -0.0, 0.00390625], [-0.01171875, -0.0078125, -0.00390625, -0.0]]]> : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x2x3x8xf32>, tensor<2x2x4x8xf32>) outs(%z : tensor<2x2x3x4xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x4xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %bias = tensor.extract %table[%h, %i, %j] : tensor<2x3x4xf32>
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x2x3x4xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %er = tensor.empty() : tensor<2x2x3x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x2x3x8xf32>) -> tensor<2x2x3x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x2x3x4xf32>, tensor<2x2x4x8xf32>) outs(%zr : tensor<2x2x3x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x8xf32>
  return %r : tensor<2x2x3x8xf32>
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

// The kink says where the query is.
// CHECK-LABEL: func.func @table_absolute(
// CHECK: %[[O:.*]] = arith.constant 1 : index
// CHECK: attn.bias.alibi absolute heads 2 offset(%[[O]] : index)
func.func @table_absolute(%q: tensor<2x2x3x8xf32>, %k: tensor<2x2x4x8xf32>, %v: tensor<2x2x4x8xf32>) -> tensor<2x2x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %table = arith.constant dense<[[[-0.0625, -0.0, -0.0625, -0.125], [-0.125, -0.0625, -0.0, -0.0625], [-0.1875, -0.125, -0.0625, -0.0]], [[-0.00390625, -0.0, -0.00390625, -0.0078125], [-0.0078125, -0.00390625, -0.0, -0.00390625], [-0.01171875, -0.0078125, -0.00390625, -0.0]]]> : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x2x3x8xf32>, tensor<2x2x4x8xf32>) outs(%z : tensor<2x2x3x4xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x4xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %bias = tensor.extract %table[%h, %i, %j] : tensor<2x3x4xf32>
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x2x3x4xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %er = tensor.empty() : tensor<2x2x3x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x2x3x8xf32>) -> tensor<2x2x3x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x2x3x4xf32>, tensor<2x2x4x8xf32>) outs(%zr : tensor<2x2x3x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x8xf32>
  return %r : tensor<2x2x3x8xf32>
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

// Lines that differ from the form by a number for each row.
// CHECK-LABEL: func.func @table_rows(
// CHECK: attn.bias.alibi linear heads 2 offset(
func.func @table_rows(%q: tensor<2x2x3x8xf32>, %k: tensor<2x2x4x8xf32>, %v: tensor<2x2x4x8xf32>) -> tensor<2x2x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %table = arith.constant dense<[[[0.5, 0.5625, 0.625, 0.6875], [-1.0, -0.9375, -0.875, -0.8125], [3.0, 3.0625, 3.125, 3.1875]], [[0.5, 0.50390625, 0.5078125, 0.51171875], [-1.0, -0.99609375, -0.9921875, -0.98828125], [3.0, 3.00390625, 3.0078125, 3.01171875]]]> : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x2x3x8xf32>, tensor<2x2x4x8xf32>) outs(%z : tensor<2x2x3x4xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x4xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %bias = tensor.extract %table[%h, %i, %j] : tensor<2x3x4xf32>
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x2x3x4xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %er = tensor.empty() : tensor<2x2x3x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x2x3x8xf32>) -> tensor<2x2x3x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x2x3x4xf32>, tensor<2x2x4x8xf32>) outs(%zr : tensor<2x2x3x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x8xf32>
  return %r : tensor<2x2x3x8xf32>
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

// Slopes of no rule are kept.
// CHECK-LABEL: func.func @table_slopes(
// CHECK: %[[S:.*]] = arith.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
// CHECK: attn.bias.alibi linear slopes(%[[S]] : tensor<2xf32>)
func.func @table_slopes(%q: tensor<2x2x3x8xf32>, %k: tensor<2x2x4x8xf32>, %v: tensor<2x2x4x8xf32>) -> tensor<2x2x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %table = arith.constant dense<[[[-0.0, 0.5, 1.0, 1.5], [-0.5, -0.0, 0.5, 1.0], [-1.0, -0.5, -0.0, 0.5]], [[-0.0, 0.25, 0.5, 0.75], [-0.25, -0.0, 0.25, 0.5], [-0.5, -0.25, -0.0, 0.25]]]> : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x2x3x8xf32>, tensor<2x2x4x8xf32>) outs(%z : tensor<2x2x3x4xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x4xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %bias = tensor.extract %table[%h, %i, %j] : tensor<2x3x4xf32>
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x2x3x4xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %er = tensor.empty() : tensor<2x2x3x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x2x3x8xf32>) -> tensor<2x2x3x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x2x3x4xf32>, tensor<2x2x4x8xf32>) outs(%zr : tensor<2x2x3x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x8xf32>
  return %r : tensor<2x2x3x8xf32>
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

// One element that is off.
// CHECK-LABEL: func.func @table_one_off(
// CHECK-NOT: attn.bias.alibi
// CHECK: attn.bias.tensor {{.*}} : tensor<1x2x3x4xf32>
func.func @table_one_off(%q: tensor<2x2x3x8xf32>, %k: tensor<2x2x4x8xf32>, %v: tensor<2x2x4x8xf32>) -> tensor<2x2x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %table = arith.constant dense<[[[0.0, 0.0625, 0.125, 0.1875], [-0.0625, 0.0, 0.0625, 0.125], [-0.125, -0.0625, 0.0, 0.0625]], [[0.0, 0.00390625, 0.0078125, 0.01171875], [-0.00390625, 0.0, 0.00390625, 0.0078125], [-0.0078125, -0.0029062500689178705, 0.0, 0.00390625]]]> : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x2x3x8xf32>, tensor<2x2x4x8xf32>) outs(%z : tensor<2x2x3x4xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x4xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %bias = tensor.extract %table[%h, %i, %j] : tensor<2x3x4xf32>
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x2x3x4xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %er = tensor.empty() : tensor<2x2x3x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x2x3x8xf32>) -> tensor<2x2x3x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x2x3x4xf32>, tensor<2x2x4x8xf32>) outs(%zr : tensor<2x2x3x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x8xf32>
  return %r : tensor<2x2x3x8xf32>
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

// A slope that depends on the query.
// CHECK-LABEL: func.func @table_slope_by_row(
// CHECK-NOT: attn.bias.alibi
// CHECK: attn.bias.tensor
func.func @table_slope_by_row(%q: tensor<2x2x3x8xf32>, %k: tensor<2x2x4x8xf32>, %v: tensor<2x2x4x8xf32>) -> tensor<2x2x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %table = arith.constant dense<[[[0.0, 0.0625, 0.125, 0.1875], [0.0, 0.125, 0.25, 0.375], [0.0, 0.1875, 0.375, 0.5625]], [[0.0, 0.00390625, 0.0078125, 0.01171875], [0.0, 0.0078125, 0.015625, 0.0234375], [0.0, 0.01171875, 0.0234375, 0.03515625]]]> : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x2x3x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x2x3x8xf32>, tensor<2x2x4x8xf32>) outs(%z : tensor<2x2x3x4xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x4xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %bias = tensor.extract %table[%h, %i, %j] : tensor<2x3x4xf32>
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x2x3x4xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x2x3x4xf32>) outs(%e : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  %er = tensor.empty() : tensor<2x2x3x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x2x3x8xf32>) -> tensor<2x2x3x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x2x3x4xf32>, tensor<2x2x4x8xf32>) outs(%zr : tensor<2x2x3x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x2x3x8xf32>
  return %r : tensor<2x2x3x8xf32>
}
