// RUN: attn-opt %s --attn-raise --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-raise-attention --split-input-file | FileCheck %s

// Biases that are a slope times a distance.

#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#lhs = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#rhs = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#out = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#pv0 = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#pv1 = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#pv2 = affine_map<(b, h, i, d, j) -> (b, h, i, d)>

// Slopes that are stored.
// CHECK-LABEL: func.func @linear(
// CHECK: %[[B:.*]] = attn.bias.alibi linear heads 4{{$}}
// CHECK: attn.attention {{.*}}bias(%[[B]]) outs
func.func @linear(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
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

// Both directions, with slopes of a number of heads that is no power of two.
// CHECK-LABEL: func.func @absolute(
// CHECK: attn.bias.alibi absolute heads 3{{$}}
func.func @absolute(%q: tensor<2x3x6x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf32>) -> tensor<2x3x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %slopes = arith.constant dense<[0.0625, 0.00390625, 0.25]> : tensor<3xf32>
  %e = tensor.empty() : tensor<2x3x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32>) outs(%z : tensor<2x3x6x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x3x6x6xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x3x6x6xf32>) outs(%e : tensor<2x3x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %slope = tensor.extract %slopes[%h] : tensor<3xf32>
    %d = arith.subi %i, %j : index
    %di = arith.index_cast %d : index to i64
    %da = math.absi %di : i64
    %df = arith.sitofp %da : i64 to f32
    %neg = arith.negf %slope : f32
    %bias = arith.mulf %neg, %df : f32
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x3x6x6xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x3x6x6xf32>) outs(%e : tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32>
  %er = tensor.empty() : tensor<2x3x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x3x6x8xf32>) -> tensor<2x3x6x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x3x6x6xf32>, tensor<2x3x6x8xf32>) outs(%zr : tensor<2x3x6x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x3x6x8xf32>
  return %r : tensor<2x3x6x8xf32>
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

// Slopes that the graph computes in f64.
// CHECK-LABEL: func.func @computed(
// CHECK: attn.bias.alibi linear heads 4{{$}}
func.func @computed(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f64
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
    %h64 = arith.index_cast %h : index to i64
    %hf = arith.sitofp %h64 : i64 to f64
    %two = arith.constant 2.0 : f64
    %step = arith.constant -2.0 : f64
    %a1 = arith.addf %hf, %one : f64
    %exponent = arith.mulf %a1, %step : f64
    %power = math.powf %two, %exponent : f64
    %slope = arith.truncf %power : f64 to f32
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

// Queries at the end of the keys.
// CHECK-LABEL: func.func @last_queries(
// CHECK: %[[O:.*]] = arith.constant 3 : index
// CHECK: attn.bias.alibi linear heads 4 offset(%[[O]] : index)
func.func @last_queries(%q: tensor<2x4x3x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %slopes = arith.constant dense<[0.25, 0.0625, 0.015625, 0.00390625]> : tensor<4xf32>
  %e = tensor.empty() : tensor<2x4x3x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x3x6xf32>) -> tensor<2x4x3x6xf32>
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x3x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x3x6xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x3x6xf32>
  %biased = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x4x3x6xf32>) outs(%e : tensor<2x4x3x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %slope = tensor.extract %slopes[%h] : tensor<4xf32>
    %three = arith.constant 3 : index
    %at = arith.addi %i, %three : index
    %d = arith.subi %at, %j : index
    %di = arith.index_cast %d : index to i64
    %df = arith.sitofp %di : i64 to f32
    %neg = arith.negf %slope : f32
    %bias = arith.mulf %neg, %df : f32
    %y = arith.addf %x, %bias : f32
    linalg.yield %y : f32
  } -> tensor<2x4x3x6xf32>
  %p = linalg.softmax dimension(3) ins(%biased : tensor<2x4x3x6xf32>) outs(%e : tensor<2x4x3x6xf32>) -> tensor<2x4x3x6xf32>
  %er = tensor.empty() : tensor<2x4x3x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  %r = linalg.generic {indexing_maps = [#pv0, #pv1, #pv2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x4x3x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x3x8xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.mulf %a, %c : f32
    %n = arith.addf %m, %o : f32
    linalg.yield %n : f32
  } -> tensor<2x4x3x8xf32>
  return %r : tensor<2x4x3x8xf32>
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

// A number for every row is free: the distance from any query will do.
// CHECK-LABEL: func.func @key_only(
// CHECK-NOT: attn.bias.tensor
// CHECK: attn.bias.alibi linear heads 4{{$}}
func.func @key_only(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
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
    %c5 = arith.constant 5 : index
    %d = arith.subi %j, %c5 : index
    %di = arith.index_cast %d : index to i64
    %df = arith.sitofp %di : i64 to f32
    %bias = arith.mulf %df, %slope : f32
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

// Slopes that are data.
// CHECK-LABEL: func.func @operand(
// CHECK-SAME: %[[S:[^:]*]]: tensor<4xf32>)
// CHECK: %[[N:.*]] = linalg.generic
// CHECK: attn.bias.alibi linear slopes(%[[N]] : tensor<4xf32>)
func.func @operand(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>, %slopes: tensor<4xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
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
    %bias = arith.mulf %df, %slope : f32
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
