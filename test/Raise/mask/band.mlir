// RUN: attn-opt %s --attn-raise --split-input-file | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: attn-opt %s --attn-raise-attention --split-input-file | FileCheck %s --check-prefixes=CHECK,ALONE

// Comparisons of query and key.

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func.func @causal(
// CHECK: %[[M:.*]] = attn.mask.causal{{$}}
// CHECK: attn.attention {{.*}}mask(%[[M]]) outs
func.func @causal(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %et = tensor.empty() : tensor<2x8x6xf32>
  %kt = linalg.transpose ins(%k : tensor<2x6x8xf32>) outs(%et : tensor<2x8x6xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %keep = arith.cmpi sle, %j, %i : index
    %fill = arith.constant 0xFF800000 : f32
    %y = arith.select %keep, %x, %fill : f32
    linalg.yield %y : f32
  } -> tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// The first query keeps no key: plain softmax gives NaN.
// CHECK-LABEL: func.func @strict(
// CHECK: %[[O:.*]] = arith.constant -1 : index
// CHECK: %[[M:.*]] = attn.mask.causal offset(%[[O]] : index)
// CHECK: attn.attention {{.*}}mask(%[[M]]) empty_row = nan outs
func.func @strict(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %et = tensor.empty() : tensor<2x8x6xf32>
  %kt = linalg.transpose ins(%k : tensor<2x6x8xf32>) outs(%et : tensor<2x8x6xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %keep = arith.cmpi slt, %j, %i : index
    %fill = arith.constant 0xFF800000 : f32
    %y = arith.select %keep, %x, %fill : f32
    linalg.yield %y : f32
  } -> tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func.func @ahead(
// CHECK: %[[O:.*]] = arith.constant 2 : index
// CHECK: %[[M:.*]] = attn.mask.causal offset(%[[O]] : index)
// CHECK: attn.attention {{.*}}mask(%[[M]]) outs
func.func @ahead(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %et = tensor.empty() : tensor<2x8x6xf32>
  %kt = linalg.transpose ins(%k : tensor<2x6x8xf32>) outs(%et : tensor<2x8x6xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c2 = arith.constant 2 : index
    %a = arith.addi %i, %c2 : index
    %keep = arith.cmpi sle, %j, %a : index
    %fill = arith.constant 0xFF800000 : f32
    %y = arith.select %keep, %x, %fill : f32
    linalg.yield %y : f32
  } -> tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// The other direction is a window, not a causal mask.
// CHECK-LABEL: func.func @anticausal(
// CHECK: %[[M:.*]] = attn.mask.window left 0{{$}}
// CHECK: attn.attention {{.*}}mask(%[[M]]) outs
func.func @anticausal(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %et = tensor.empty() : tensor<2x8x6xf32>
  %kt = linalg.transpose ins(%k : tensor<2x6x8xf32>) outs(%et : tensor<2x8x6xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %keep = arith.cmpi sge, %j, %i : index
    %fill = arith.constant 0xFF800000 : f32
    %y = arith.select %keep, %x, %fill : f32
    linalg.yield %y : f32
  } -> tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func.func @sliding(
// ALL: %[[M:.*]] = attn.mask.window left 2 right 0{{$}}
// ALONE: %[[C:.*]] = attn.mask.causal{{$}}
// ALONE: %[[W:.*]] = attn.mask.window left 2{{$}}
// ALONE: %[[M:.*]] = attn.mask.and %[[C]], %[[W]]
// CHECK: attn.attention {{.*}}mask(%[[M]]) outs
func.func @sliding(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %et = tensor.empty() : tensor<2x8x6xf32>
  %kt = linalg.transpose ins(%k : tensor<2x6x8xf32>) outs(%et : tensor<2x8x6xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.cmpi sle, %j, %i : index
    %c2 = arith.constant 2 : index
    %l = arith.subi %i, %c2 : index
    %w = arith.cmpi sge, %j, %l : index
    %keep = arith.andi %c0, %w : i1
    %fill = arith.constant 0xFF800000 : f32
    %y = arith.select %keep, %x, %fill : f32
    linalg.yield %y : f32
  } -> tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func.func @both_sides(
// CHECK: %[[M:.*]] = attn.mask.window left 1 right 3
// CHECK: attn.attention {{.*}}mask(%[[M]]) outs
func.func @both_sides(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %et = tensor.empty() : tensor<2x8x6xf32>
  %kt = linalg.transpose ins(%k : tensor<2x6x8xf32>) outs(%et : tensor<2x8x6xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %l = arith.subi %i, %c1 : index
    %h = arith.addi %i, %c3 : index
    %a = arith.cmpi sge, %j, %l : index
    %c = arith.cmpi sle, %j, %h : index
    %keep = arith.andi %a, %c : i1
    %fill = arith.constant 0xFF800000 : f32
    %y = arith.select %keep, %x, %fill : f32
    linalg.yield %y : f32
  } -> tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// A band without a diagonal in it.
// CHECK-LABEL: func.func @nothing_between(
// ALL: %[[F:.*]] = arith.constant false
// CHECK: attn.mask.generate
// ALONE: %[[F:.*]] = arith.constant false
// CHECK: attn.yield %[[F]]
// CHECK: empty_row = nan
func.func @nothing_between(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %et = tensor.empty() : tensor<2x8x6xf32>
  %kt = linalg.transpose ins(%k : tensor<2x6x8xf32>) outs(%et : tensor<2x8x6xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %l = arith.addi %i, %c3 : index
    %h = arith.addi %i, %c1 : index
    %a = arith.cmpi sge, %j, %l : index
    %c = arith.cmpi sle, %j, %h : index
    %keep = arith.andi %a, %c : i1
    %fill = arith.constant 0xFF800000 : f32
    %y = arith.select %keep, %x, %fill : f32
    linalg.yield %y : f32
  } -> tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// -----

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func.func @chunk(
// CHECK: attn.mask.generate
// CHECK: arith.floordivsi
// CHECK: attn.attention {{.*}}mask(
func.func @chunk(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %et = tensor.empty() : tensor<2x8x6xf32>
  %kt = linalg.transpose ins(%k : tensor<2x6x8xf32>) outs(%et : tensor<2x8x6xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c3 = arith.constant 3 : index
    %ci = arith.divui %i, %c3 : index
    %cj = arith.divui %j, %c3 : index
    %keep = arith.cmpi eq, %ci, %cj : index
    %fill = arith.constant 0xFF800000 : f32
    %y = arith.select %keep, %x, %fill : f32
    linalg.yield %y : f32
  } -> tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
