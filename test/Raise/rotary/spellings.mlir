// RUN: attn-opt %s -inline -attn-raise-rotary | FileCheck %s

#col = affine_map<(d0, d1) -> (d1)>
#table = affine_map<(d0, d1) -> (d0, d1)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#row1 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>

// Every spelling of a rotation becomes one op, and all share one table.

// Tables [12, 4] of cosines and sines: positions times frequencies.
func.func private @angles(%freq: tensor<4xf32>, %first: index) -> tensor<12x4xf32> {
  %e = tensor.empty() : tensor<12x4xf32>
  %r = linalg.generic {indexing_maps = [#col, #table], iterator_types = ["parallel", "parallel"]}
      ins(%freq : tensor<4xf32>) outs(%e : tensor<12x4xf32>) {
  ^bb0(%f: f32, %out: f32):
    %s = linalg.index 0 : index
    %p = arith.addi %s, %first : index
    %i = arith.index_cast %p : index to i64
    %a = arith.sitofp %i : i64 to f32
    %m = arith.mulf %a, %f : f32
    linalg.yield %m : f32
  } -> tensor<12x4xf32>
  return %r : tensor<12x4xf32>
}
func.func private @tables() -> (tensor<12x4xf32>, tensor<12x4xf32>) {
  %freq = arith.constant dense<[1.0, 0.1, 0.01, 0.001]> : tensor<4xf32>
  %zero = arith.constant 0 : index
  %a = call @angles(%freq, %zero) : (tensor<4xf32>, index) -> tensor<12x4xf32>
  %c = math.cos %a : tensor<12x4xf32>
  %s = math.sin %a : tensor<12x4xf32>
  return %c, %s : tensor<12x4xf32>, tensor<12x4xf32>
}

// The pair (a cos - b sin, b cos + a sin), over [B, H, S, R/2].
func.func private @rotate(%a: tensor<2x3x12x4xf32>, %b: tensor<2x3x12x4xf32>, %c: tensor<12x4xf32>, %s: tensor<12x4xf32>)
    -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) {
  %e = tensor.empty() : tensor<2x3x12x4xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #row, #row, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b, %c, %s : tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>)
      outs(%e, %e : tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) {
  ^bb0(%x: f32, %y: f32, %u: f32, %v: f32, %o0: f32, %o1: f32):
    %xu = arith.mulf %x, %u : f32
    %yv = arith.mulf %y, %v : f32
    %yu = arith.mulf %y, %u : f32
    %xv = arith.mulf %x, %v : f32
    %p = arith.subf %xu, %yv : f32
    %q = arith.addf %yu, %xv : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  return %r#0, %r#1 : tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>
}
func.func private @halves(%x: tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 12, 4] [1, 1, 1, 1] : tensor<2x3x12x8xf32> to tensor<2x3x12x4xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 4] [2, 3, 12, 4] [1, 1, 1, 1] : tensor<2x3x12x8xf32> to tensor<2x3x12x4xf32>
  return %a, %b : tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>
}
func.func private @pairs(%x: tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 12, 4] [1, 1, 1, 2] : tensor<2x3x12x8xf32> to tensor<2x3x12x4xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 1] [2, 3, 12, 4] [1, 1, 1, 2] : tensor<2x3x12x8xf32> to tensor<2x3x12x4xf32>
  return %a, %b : tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>
}

// CHECK-LABEL: func.func @split_halves
// CHECK: %[[P:.*]] = attn.positions outs({{.*}} : tensor<1x12xi64>)
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table positions(%[[P]] : tensor<1x12xi64>) rule(<default, dim = 8, base = 1.000000e+04>) angles = f32
// CHECK: %[[R:.*]] = attn.rotary split_half %arg0, %[[C]], %[[S]]
// CHECK: return %[[R]]
func.func @split_halves(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %p, %q = call @rotate(%a, %b, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// As most models spell it: x * cos + concat(-x[h:], x[:h]) * sin.
// CHECK-LABEL: func.func @rotate_half
// CHECK: %[[P:.*]] = attn.positions outs({{.*}} : tensor<1x12xi64>)
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table positions(%[[P]] : tensor<1x12xi64>) rule(<default, dim = 8, base = 1.000000e+04>) angles = f32
// CHECK: %[[R:.*]] = attn.rotary split_half %arg0, %[[C]], %[[S]]
// CHECK: return %[[R]]
func.func @rotate_half(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %cc = tensor.concat dim(1) %c, %c : (tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<12x8xf32>
  %ss = tensor.concat dim(1) %s, %s : (tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<12x8xf32>
  %n = arith.negf %b : tensor<2x3x12x4xf32>
  %t = tensor.concat dim(3) %n, %a : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  %e = tensor.empty() : tensor<2x3x12x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #row, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %t, %cc, %ss : tensor<2x3x12x8xf32>, tensor<2x3x12x8xf32>, tensor<12x8xf32>, tensor<12x8xf32>) outs(%e : tensor<2x3x12x8xf32>) {
  ^bb0(%u: f32, %v: f32, %k: f32, %l: f32, %o: f32):
    %uk = arith.mulf %u, %k : f32
    %vl = arith.mulf %v, %l : f32
    %w = arith.addf %uk, %vl : f32
    linalg.yield %w : f32
  } -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// Strided slices, put together by a stack of pairs.
// CHECK-LABEL: func.func @stacked_pairs
// CHECK: %[[P:.*]] = attn.positions outs({{.*}} : tensor<1x12xi64>)
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table positions(%[[P]] : tensor<1x12xi64>) rule(<default, dim = 8, base = 1.000000e+04>) angles = f32
// CHECK: %[[R:.*]] = attn.rotary interleaved %arg0, %[[C]], %[[S]]
// CHECK: return %[[R]]
func.func @stacked_pairs(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @pairs(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %p, %q = call @rotate(%a, %b, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %p1 = tensor.expand_shape %p [[0], [1], [2], [3, 4]] output_shape [2, 3, 12, 4, 1] : tensor<2x3x12x4xf32> into tensor<2x3x12x4x1xf32>
  %q1 = tensor.expand_shape %q [[0], [1], [2], [3, 4]] output_shape [2, 3, 12, 4, 1] : tensor<2x3x12x4xf32> into tensor<2x3x12x4x1xf32>
  %pq = tensor.concat dim(4) %p1, %q1 : (tensor<2x3x12x4x1xf32>, tensor<2x3x12x4x1xf32>) -> tensor<2x3x12x4x2xf32>
  %r = tensor.collapse_shape %pq [[0], [1], [2], [3, 4]] : tensor<2x3x12x4x2xf32> into tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// Reads pairs, writes halves.
// CHECK-LABEL: func.func @layouts
// CHECK: attn.rotary interleaved to split_half %arg0
func.func @layouts(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @pairs(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %p, %q = call @rotate(%a, %b, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// The rotation by the negative angle.
// CHECK-LABEL: func.func @inverse
// CHECK: attn.rotary split_half inverse %arg0
func.func @inverse(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %m = arith.negf %s : tensor<12x4xf32>
  %p, %q = call @rotate(%a, %b, %c, %m) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// A rotation of the middle; the rest passes through.
// CHECK-LABEL: func.func @partial
// CHECK: %[[R:.*]] = attn.rotary split_half from 2 %arg0, {{.*}} : tensor<2x3x12x14xf32>
// CHECK: return %[[R]]
func.func @partial(%y: tensor<2x3x12x14xf32>) -> tensor<2x3x12x14xf32> {
  %x = tensor.extract_slice %y[0, 0, 0, 2] [2, 3, 12, 8] [1, 1, 1, 1] : tensor<2x3x12x14xf32> to tensor<2x3x12x8xf32>
  %l = tensor.extract_slice %y[0, 0, 0, 0] [2, 3, 12, 2] [1, 1, 1, 1] : tensor<2x3x12x14xf32> to tensor<2x3x12x2xf32>
  %h = tensor.extract_slice %y[0, 0, 0, 10] [2, 3, 12, 4] [1, 1, 1, 1] : tensor<2x3x12x14xf32> to tensor<2x3x12x4xf32>
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %p, %q = call @rotate(%a, %b, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %t = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  %r = tensor.concat dim(3) %l, %t, %h : (tensor<2x3x12x2xf32>, tensor<2x3x12x8xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x14xf32>
  return %r : tensor<2x3x12x14xf32>
}

// Both cosine and sine times one number, which is the magnitude.
// CHECK-LABEL: func.func @magnitude
// CHECK: attn.rotary_table {{.*}} {magnitude = 1.500000e+00 : f64}
// CHECK: attn.rotary split_half
func.func @magnitude(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %m = arith.constant dense<1.5> : tensor<12x4xf32>
  %cm = arith.mulf %c, %m : tensor<12x4xf32>
  %sm = arith.mulf %s, %m : tensor<12x4xf32>
  %p, %q = call @rotate(%a, %b, %cm, %sm) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// Products of complex numbers.
// CHECK-LABEL: func.func @complex
// CHECK: %[[P:.*]] = attn.positions outs({{.*}} : tensor<1x12xi64>)
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table positions(%[[P]] : tensor<1x12xi64>) rule(<default, dim = 8, base = 1.000000e+04>) angles = f32
// CHECK: %[[R:.*]] = attn.rotary interleaved %arg0, %[[C]], %[[S]]
// CHECK: return %[[R]]
func.func @complex(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @pairs(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %e = tensor.empty() : tensor<2x3x12x4xf32>
  %pq:2 = linalg.generic {indexing_maps = [#id, #id, #row, #row, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b, %c, %s : tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) outs(%e, %e : tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) {
  ^bb0(%u: f32, %v: f32, %k: f32, %l: f32, %o0: f32, %o1: f32):
    %z = complex.create %u, %v : complex<f32>
    %w = complex.create %k, %l : complex<f32>
    %m = complex.mul %z, %w : complex<f32>
    %re = complex.re %m : complex<f32>
    %im = complex.im %m : complex<f32>
    linalg.yield %re, %im : f32, f32
  } -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %p1 = tensor.expand_shape %pq#0 [[0], [1], [2], [3, 4]] output_shape [2, 3, 12, 4, 1] : tensor<2x3x12x4xf32> into tensor<2x3x12x4x1xf32>
  %q1 = tensor.expand_shape %pq#1 [[0], [1], [2], [3, 4]] output_shape [2, 3, 12, 4, 1] : tensor<2x3x12x4xf32> into tensor<2x3x12x4x1xf32>
  %z5 = tensor.concat dim(4) %p1, %q1 : (tensor<2x3x12x4x1xf32>, tensor<2x3x12x4x1xf32>) -> tensor<2x3x12x4x2xf32>
  %r = tensor.collapse_shape %z5 [[0], [1], [2], [3, 4]] : tensor<2x3x12x4x2xf32> into tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// Two rotations, one table; the cosines and sines that the graph computed are
// dead.
// CHECK-LABEL: func.func @shared
// CHECK: attn.rotary_table
// CHECK-NOT: attn.rotary_table
// CHECK: attn.rotary split_half %arg0
// CHECK-NOT: attn.rotary_table
// CHECK: attn.rotary split_half %arg1
// CHECK-NOT: math.cos
// CHECK: return
func.func @shared(%x: tensor<2x3x12x8xf32>, %y: tensor<2x3x12x8xf32>) -> (tensor<2x3x12x8xf32>, tensor<2x3x12x8xf32>) {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %p, %q = call @rotate(%a, %b, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  %a2, %b2 = call @halves(%y) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %p2, %q2 = call @rotate(%a2, %b2, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r2 = tensor.concat dim(3) %p2, %q2 : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r, %r2 : tensor<2x3x12x8xf32>, tensor<2x3x12x8xf32>
}
