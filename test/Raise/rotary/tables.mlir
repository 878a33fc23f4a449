// RUN: attn-opt %s -attn-raise-rotary | FileCheck %s

// Tables of cosines and sines that are stored, computed in other ways, or given.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#seq1 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#seq2 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#batch2 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>

// Rows of stored tables, cut to the sequence; sequence before heads.
// CHECK-LABEL: func.func @stored
// CHECK: %[[P:.*]] = attn.positions outs({{.*}} : tensor<1x4xi64>)
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table positions(%[[P]] : tensor<1x4xi64>) rule(<default, dim = 4, base = 1.000000e+04>)
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg0 : tensor<2x4x3x4xf32>) {{.*}} permutation = [0, 2, 1, 3]
// CHECK: %[[R:.*]] = attn.rotary split_half %[[T]], %[[C]], %[[S]]
// CHECK: %[[B:.*]] = linalg.transpose ins(%[[R]] : tensor<2x3x4x4xf32>) {{.*}} permutation = [0, 2, 1, 3]
// CHECK: return %[[B]]
func.func @stored(%x: tensor<2x4x3x4xf32>) -> tensor<2x4x3x4xf32> {
  %cs = arith.constant dense<[[1.0, 1.0], [0.540302306, 0.99995], [-0.416146837, 0.999800007], [-0.989992497, 0.999550034], [-0.653643621, 0.999200107], [0.283662185, 0.99875026]]> : tensor<6x2xf32>
  %sn = arith.constant dense<[[0.0, 0.0], [0.841470985, 0.00999983333], [0.909297427, 0.0199986667], [0.141120008, 0.0299955002], [-0.756802495, 0.0399893342], [-0.958924275, 0.0499791693]]> : tensor<6x2xf32>
  %c = tensor.extract_slice %cs[0, 0] [4, 2] [1, 1] : tensor<6x2xf32> to tensor<4x2xf32>
  %s = tensor.extract_slice %sn[0, 0] [4, 2] [1, 1] : tensor<6x2xf32> to tensor<4x2xf32>
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 4, 3, 2] [1, 1, 1, 1] : tensor<2x4x3x4xf32> to tensor<2x4x3x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [2, 4, 3, 2] [1, 1, 1, 1] : tensor<2x4x3x4xf32> to tensor<2x4x3x2xf32>
  %e = tensor.empty() : tensor<2x4x3x2xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #seq1, #seq1, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b, %c, %s : tensor<2x4x3x2xf32>, tensor<2x4x3x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) outs(%e, %e : tensor<2x4x3x2xf32>, tensor<2x4x3x2xf32>) {
  ^bb0(%x0: f32, %y0: f32, %u: f32, %v: f32, %o0: f32, %o1: f32):
    %xu = arith.mulf %x0, %u : f32
    %yv = arith.mulf %y0, %v : f32
    %yu = arith.mulf %y0, %u : f32
    %xv = arith.mulf %x0, %v : f32
    %p = arith.subf %xu, %yv : f32
    %q = arith.addf %yu, %xv : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<2x4x3x2xf32>, tensor<2x4x3x2xf32>)
  %y = tensor.concat dim(3) %r#0, %r#1 : (tensor<2x4x3x2xf32>, tensor<2x4x3x2xf32>) -> tensor<2x4x3x4xf32>
  return %y : tensor<2x4x3x4xf32>
}

// The sines are of another base: no rotation by one angle.
// CHECK-LABEL: func.func @stored_two_bases
// CHECK-NOT: attn.rotary
func.func @stored_two_bases(%x: tensor<2x4x3x4xf32>) -> tensor<2x4x3x4xf32> {
  %cs = arith.constant dense<[[1.0, 1.0], [0.540302306, 0.99995], [-0.416146837, 0.999800007], [-0.989992497, 0.999550034], [-0.653643621, 0.999200107], [0.283662185, 0.99875026]]> : tensor<6x2xf32>
  %sn = arith.constant dense<[[0.0, 0.0], [0.841470985, 0.0998334166], [0.909297427, 0.198669331], [0.141120008, 0.295520207], [-0.756802495, 0.389418342], [-0.958924275, 0.479425539]]> : tensor<6x2xf32>
  %c = tensor.extract_slice %cs[0, 0] [4, 2] [1, 1] : tensor<6x2xf32> to tensor<4x2xf32>
  %s = tensor.extract_slice %sn[0, 0] [4, 2] [1, 1] : tensor<6x2xf32> to tensor<4x2xf32>
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 4, 3, 2] [1, 1, 1, 1] : tensor<2x4x3x4xf32> to tensor<2x4x3x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [2, 4, 3, 2] [1, 1, 1, 1] : tensor<2x4x3x4xf32> to tensor<2x4x3x2xf32>
  %e = tensor.empty() : tensor<2x4x3x2xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #seq1, #seq1, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b, %c, %s : tensor<2x4x3x2xf32>, tensor<2x4x3x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) outs(%e, %e : tensor<2x4x3x2xf32>, tensor<2x4x3x2xf32>) {
  ^bb0(%x0: f32, %y0: f32, %u: f32, %v: f32, %o0: f32, %o1: f32):
    %xu = arith.mulf %x0, %u : f32
    %yv = arith.mulf %y0, %v : f32
    %yu = arith.mulf %y0, %u : f32
    %xv = arith.mulf %x0, %v : f32
    %p = arith.subf %xu, %yv : f32
    %q = arith.addf %yu, %xv : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<2x4x3x2xf32>, tensor<2x4x3x2xf32>)
  %y = tensor.concat dim(3) %r#0, %r#1 : (tensor<2x4x3x2xf32>, tensor<2x4x3x2xf32>) -> tensor<2x4x3x4xf32>
  return %y : tensor<2x4x3x4xf32>
}

// Rows read at positions from data: the checks of the graph stay.
// CHECK-LABEL: func.func @gathered
// CHECK: cf.assert {{.*}}, "position in table"
// CHECK: attn.rotary_table positions(%arg1 : tensor<2x4xi64>) rule(<default, dim = 4, base = 1.000000e+04>)
// CHECK: attn.rotary split_half %arg0
func.func @gathered(%x: tensor<2x3x4x4xf32>, %positions: tensor<2x4xi64>) -> tensor<2x3x4x4xf32> {
  %cs = arith.constant dense<[[1.0, 1.0], [0.540302306, 0.99995], [-0.416146837, 0.999800007], [-0.989992497, 0.999550034], [-0.653643621, 0.999200107], [0.283662185, 0.99875026]]> : tensor<6x2xf32>
  %sn = arith.constant dense<[[0.0, 0.0], [0.841470985, 0.00999983333], [0.909297427, 0.0199986667], [0.141120008, 0.0299955002], [-0.756802495, 0.0399893342], [-0.958924275, 0.0499791693]]> : tensor<6x2xf32>
  %six = arith.constant 6 : i64
  %t = tensor.empty() : tensor<2x4x2xf32>
  %c, %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%positions : tensor<2x4xi64>) outs(%t, %t : tensor<2x4x2xf32>, tensor<2x4x2xf32>) {
  ^bb0(%p: i64, %o0: f32, %o1: f32):
    %ok = arith.cmpi ult, %p, %six : i64
    cf.assert %ok, "position in table"
    %i = arith.index_cast %p : i64 to index
    %d = linalg.index 2 : index
    %cv = tensor.extract %cs[%i, %d] : tensor<6x2xf32>
    %sv = tensor.extract %sn[%i, %d] : tensor<6x2xf32>
    linalg.yield %cv, %sv : f32, f32
  } -> (tensor<2x4x2xf32>, tensor<2x4x2xf32>)
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 4, 2] [1, 1, 1, 1] : tensor<2x3x4x4xf32> to tensor<2x3x4x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [2, 3, 4, 2] [1, 1, 1, 1] : tensor<2x3x4x4xf32> to tensor<2x3x4x2xf32>
  %e = tensor.empty() : tensor<2x3x4x2xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #batch2, #batch2, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b, %c, %s : tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>, tensor<2x4x2xf32>, tensor<2x4x2xf32>) outs(%e, %e : tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>) {
  ^bb0(%x0: f32, %y0: f32, %u: f32, %v: f32, %o0: f32, %o1: f32):
    %xu = arith.mulf %x0, %u : f32
    %yv = arith.mulf %y0, %v : f32
    %yu = arith.mulf %y0, %u : f32
    %xv = arith.mulf %x0, %v : f32
    %p = arith.subf %xu, %yv : f32
    %q = arith.addf %yu, %xv : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>)
  %y = tensor.concat dim(3) %r#0, %r#1 : (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}

// Cosines and sines are arguments: nothing is known of their angles.
// CHECK-LABEL: func.func @given
// CHECK: %[[C:.*]] = tensor.expand_shape %arg1
// CHECK: %[[S:.*]] = tensor.expand_shape %arg2
// CHECK: attn.rotary split_half %arg0, %[[C]], %[[S]] : tensor<2x3x4x4xf32>, tensor<1x4x2xf32>, tensor<1x4x2xf32>
func.func @given(%x: tensor<2x3x4x4xf32>, %c: tensor<4x2xf32>, %s: tensor<4x2xf32>) -> tensor<2x3x4x4xf32> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 4, 2] [1, 1, 1, 1] : tensor<2x3x4x4xf32> to tensor<2x3x4x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [2, 3, 4, 2] [1, 1, 1, 1] : tensor<2x3x4x4xf32> to tensor<2x3x4x2xf32>
  %e = tensor.empty() : tensor<2x3x4x2xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #seq2, #seq2, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b, %c, %s : tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) outs(%e, %e : tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>) {
  ^bb0(%x0: f32, %y0: f32, %u: f32, %v: f32, %o0: f32, %o1: f32):
    %xu = arith.mulf %x0, %u : f32
    %yv = arith.mulf %y0, %v : f32
    %yu = arith.mulf %y0, %u : f32
    %xv = arith.mulf %x0, %v : f32
    %p = arith.subf %xu, %yv : f32
    %q = arith.addf %yu, %xv : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>)
  %y = tensor.concat dim(3) %r#0, %r#1 : (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}

// One head, and factors that could as well be what is rotated.
// CHECK-LABEL: func.func @undecided
// CHECK-NOT: attn.rotary
func.func @undecided(%x: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %b = tensor.extract_slice %x[0, 2] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %c = tensor.extract_slice %z[0, 0] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %s = tensor.extract_slice %z[0, 2] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %ac = arith.mulf %a, %c : tensor<4x2xf32>
  %bs = arith.mulf %b, %s : tensor<4x2xf32>
  %bc = arith.mulf %b, %c : tensor<4x2xf32>
  %as = arith.mulf %a, %s : tensor<4x2xf32>
  %p = arith.subf %ac, %bs : tensor<4x2xf32>
  %q = arith.addf %bc, %as : tensor<4x2xf32>
  %y = tensor.concat dim(1) %p, %q : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// Sizes that are not known, positions past a cache, and frequencies by no rule.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[X:.*]]: tensor<?x3x?x4xf32>, %[[K:.*]]: tensor<1x?xf32>
// CHECK: %[[P:.*]] = attn.positions offset(%{{.*}} : index) outs({{.*}} : tensor<1x?xi64>)
// CHECK: attn.rotary_table positions(%[[P]] : tensor<1x?xi64>) frequencies(%{{.*}} : tensor<2xf32>) angles = f32
// CHECK: attn.rotary split_half %[[X]], {{.*}} : tensor<?x3x?x4xf32>, tensor<1x?x2xf32>
func.func @dynamic(%x: tensor<?x3x?x4xf32>, %cache: tensor<1x?xf32>) -> tensor<?x3x?x4xf32> {
  %f = arith.constant dense<[0.7, 0.123]> : tensor<2xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n0 = tensor.dim %x, %zero : tensor<?x3x?x4xf32>
  %n2 = tensor.dim %x, %two : tensor<?x3x?x4xf32>
  %past = tensor.dim %cache, %one : tensor<1x?xf32>
  %t = tensor.empty(%n2) : tensor<?x2xf32>
  %c, %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%f : tensor<2xf32>) outs(%t, %t : tensor<?x2xf32>, tensor<?x2xf32>) {
  ^bb0(%w: f32, %o0: f32, %o1: f32):
    %i = linalg.index 0 : index
    %p = arith.addi %i, %past : index
    %p64 = arith.index_cast %p : index to i64
    %pf = arith.sitofp %p64 : i64 to f32
    %angle = arith.mulf %pf, %w : f32
    %cv = math.cos %angle : f32
    %sv = math.sin %angle : f32
    linalg.yield %cv, %sv : f32, f32
  } -> (tensor<?x2xf32>, tensor<?x2xf32>)
  %a = tensor.extract_slice %x[0, 0, 0, 0] [%n0, 3, %n2, 2] [1, 1, 1, 1] : tensor<?x3x?x4xf32> to tensor<?x3x?x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [%n0, 3, %n2, 2] [1, 1, 1, 1] : tensor<?x3x?x4xf32> to tensor<?x3x?x2xf32>
  %e = tensor.empty(%n0, %n2) : tensor<?x3x?x2xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #seq2, #seq2, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b, %c, %s : tensor<?x3x?x2xf32>, tensor<?x3x?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) outs(%e, %e : tensor<?x3x?x2xf32>, tensor<?x3x?x2xf32>) {
  ^bb0(%x0: f32, %y0: f32, %u: f32, %v: f32, %o0: f32, %o1: f32):
    %xu = arith.mulf %x0, %u : f32
    %yv = arith.mulf %y0, %v : f32
    %yu = arith.mulf %y0, %u : f32
    %xv = arith.mulf %x0, %v : f32
    %p = arith.subf %xu, %yv : f32
    %q = arith.addf %yu, %xv : f32
    linalg.yield %p, %q : f32, f32
  } -> (tensor<?x3x?x2xf32>, tensor<?x3x?x2xf32>)
  %y = tensor.concat dim(3) %r#0, %r#1 : (tensor<?x3x?x2xf32>, tensor<?x3x?x2xf32>) -> tensor<?x3x?x4xf32>
  return %y : tensor<?x3x?x4xf32>
}
