// RUN: attn-opt %s -inline -attn-raise-rotary -remarks-filter=attn-raise 2>&1 | FileCheck %s

// What only looks like a rotation stays as it is, and is explained.
// CHECK-NOT: attn.rotary

#col = affine_map<(d0, d1) -> (d1)>
#table = affine_map<(d0, d1) -> (d0, d1)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#row1 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>

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

// CHECK: Reason="the two halves are not a*c - b*s and b*c + a*s of the same a, b, c and s"
func.func @wrong_sign(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %p, %q = call @rotate(%a, %b, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %p0, %q0 = call @rotate(%b, %a, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %q, %q0 : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// CHECK: Reason="cosine and sine are swapped"
func.func @swapped(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %p, %q = call @rotate(%a, %b, %s, %c) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// The sine is that of the next position.
// CHECK: Reason="cosine and sine are of different angles"
func.func @positions(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %freq = arith.constant dense<[1.0, 0.1, 0.01, 0.001]> : tensor<4xf32>
  %first = arith.constant 1 : index
  %a2 = call @angles(%freq, %first) : (tensor<4xf32>, index) -> tensor<12x4xf32>
  %s2 = math.sin %a2 : tensor<12x4xf32>
  %p, %q = call @rotate(%a, %b, %c, %s2) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// The sine is that of another base.
// CHECK: Reason="cosine and sine are of different angles"
func.func @bases(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %freq = arith.constant dense<[1.0, 0.2, 0.04, 0.008]> : tensor<4xf32>
  %first = arith.constant 0 : index
  %a2 = call @angles(%freq, %first) : (tensor<4xf32>, index) -> tensor<12x4xf32>
  %s2 = math.sin %a2 : tensor<12x4xf32>
  %p, %q = call @rotate(%a, %b, %c, %s2) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// One half is rotated by one angle, the other by another.
// CHECK: Reason="the two halves are not a*c - b*s and b*c + a*s of the same a, b, c and s"
func.func @angles_of_halves(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %p, %q = call @rotate(%a, %b, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %freq = arith.constant dense<[1.0, 0.1, 0.01, 0.001]> : tensor<4xf32>
  %first = arith.constant 1 : index
  %a2 = call @angles(%freq, %first) : (tensor<4xf32>, index) -> tensor<12x4xf32>
  %c2 = math.cos %a2 : tensor<12x4xf32>
  %s2 = math.sin %a2 : tensor<12x4xf32>
  %p2, %q2 = call @rotate(%a, %b, %c2, %s2) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q2 : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// CHECK: Reason="no value of the graph holds the elements that are rotated"
func.func @two_inputs(%x: tensor<2x3x12x8xf32>, %y: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %a2, %b2 = call @halves(%y) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %p, %q = call @rotate(%a, %b2, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// CHECK: Reason="the cosine is multiplied by 1.50 and the sine by 1.00"
func.func @magnitude_of_cosine(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %m = arith.constant dense<1.5> : tensor<12x4xf32>
  %cm = arith.mulf %c, %m : tensor<12x4xf32>
  %p, %q = call @rotate(%a, %b, %cm, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// Pairs (i, i + 3) are no layout.
// CHECK: Reason="no value of the graph holds the elements that are rotated"
func.func @off_by_one(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 12, 4] [1, 1, 1, 1] : tensor<2x3x12x8xf32> to tensor<2x3x12x4xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 3] [2, 3, 12, 4] [1, 1, 1, 1] : tensor<2x3x12x8xf32> to tensor<2x3x12x4xf32>
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %p, %q = call @rotate(%a, %b, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %r = tensor.concat dim(3) %p, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}

// The difference of the halves is taken the other way round.
// CHECK: Reason="no value of the graph holds the elements that are rotated"
func.func @reversed(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %a, %b = call @halves(%x) : (tensor<2x3x12x8xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %p, %q = call @rotate(%a, %b, %c, %s) : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %n = arith.negf %p : tensor<2x3x12x4xf32>
  %r = tensor.concat dim(3) %n, %q : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %r : tensor<2x3x12x8xf32>
}
// CHECK-NOT: attn.rotary
