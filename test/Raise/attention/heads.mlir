// RUN: attn-opt %s --attn-raise --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-raise-attention --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-raise --split-input-file -o /dev/null --remarks-filter=attn-raise --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: Remark="attention of {{[24]}} query heads per key head"

// Heads that share keys and values, and tensors without heads.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#q = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#k = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#s = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#p = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#v = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>

// CHECK-LABEL: func.func @grouped(
// CHECK: attn.attention query(%arg0 : tensor<2x4x6x8xf32>) key(%arg1 : tensor<2x2x6x8xf32>) value(%arg2 : tensor<2x2x6x8xf32>)
func.func @grouped(%q: tensor<2x4x6x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %ek = tensor.empty() : tensor<2x2x2x6x8xf32>
  %k5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
    ins(%k : tensor<2x2x6x8xf32>) outs(%ek : tensor<2x2x2x6x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x2x2x6x8xf32>
  %kr = tensor.collapse_shape %k5 [[0], [1, 2], [3], [4]] : tensor<2x2x2x6x8xf32> into tensor<2x4x6x8xf32>
  %ev = tensor.empty() : tensor<2x2x2x6x8xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
    ins(%v : tensor<2x2x6x8xf32>) outs(%ev : tensor<2x2x2x6x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x2x2x6x8xf32>
  %vr = tensor.collapse_shape %v5 [[0], [1, 2], [3], [4]] : tensor<2x2x2x6x8xf32> into tensor<2x4x6x8xf32>
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %kr : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %m = arith.mulf %x, %h : f32
    %y = arith.addf %m, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er0 = tensor.empty() : tensor<2x4x6xf32>
  %low = linalg.fill ins(%inf : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %nil = linalg.fill ins(%zero : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%low : tensor<2x4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s, %max : tensor<2x4x6x6xf32>, tensor<2x4x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %d = arith.subf %x, %h : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%exp : tensor<2x4x6x6xf32>) outs(%nil : tensor<2x4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%exp, %sum : tensor<2x4x6x6xf32>, tensor<2x4x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %y = arith.divf %x, %h : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#p, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %vr : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %m = arith.mulf %x, %h : f32
    %y = arith.addf %m, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#q = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#k = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#s = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#p = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#v = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>

// Head h reads key head h mod 2: these are no groups.
// CHECK-LABEL: func.func @tiled(
// CHECK: attn.attention query(%arg0 : tensor<2x4x6x8xf32>) key(%{{.*}} : tensor<2x4x6x8xf32>) value(%{{.*}} : tensor<2x4x6x8xf32>)
func.func @tiled(%q: tensor<2x4x6x8xf32>, %k: tensor<2x2x6x8xf32>, %v: tensor<2x2x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %ek = tensor.empty() : tensor<2x2x2x6x8xf32>
  %k5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
    ins(%k : tensor<2x2x6x8xf32>) outs(%ek : tensor<2x2x2x6x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x2x2x6x8xf32>
  %kr = tensor.collapse_shape %k5 [[0], [1, 2], [3], [4]] : tensor<2x2x2x6x8xf32> into tensor<2x4x6x8xf32>
  %ev = tensor.empty() : tensor<2x2x2x6x8xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
    ins(%v : tensor<2x2x6x8xf32>) outs(%ev : tensor<2x2x2x6x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<2x2x2x6x8xf32>
  %vr = tensor.collapse_shape %v5 [[0], [1, 2], [3], [4]] : tensor<2x2x2x6x8xf32> into tensor<2x4x6x8xf32>
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %kr : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %m = arith.mulf %x, %h : f32
    %y = arith.addf %m, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er0 = tensor.empty() : tensor<2x4x6xf32>
  %low = linalg.fill ins(%inf : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %nil = linalg.fill ins(%zero : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%low : tensor<2x4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s, %max : tensor<2x4x6x6xf32>, tensor<2x4x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %d = arith.subf %x, %h : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%exp : tensor<2x4x6x6xf32>) outs(%nil : tensor<2x4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%exp, %sum : tensor<2x4x6x6xf32>, tensor<2x4x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %y = arith.divf %x, %h : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#p, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %vr : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %m = arith.mulf %x, %h : f32
    %y = arith.addf %m, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#q = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#k = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
#s = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#p = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#v = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>

// CHECK-LABEL: func.func @single_key_head(
// CHECK: attn.attention query(%arg0 : tensor<2x4x6x8xf32>) key(%{{.*}} : tensor<2x1x6x8xf32>) value(%{{.*}} : tensor<2x1x6x8xf32>)
func.func @single_key_head(%q: tensor<2x4x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %m = arith.mulf %x, %h : f32
    %y = arith.addf %m, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er0 = tensor.empty() : tensor<2x4x6xf32>
  %low = linalg.fill ins(%inf : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %nil = linalg.fill ins(%zero : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%low : tensor<2x4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s, %max : tensor<2x4x6x6xf32>, tensor<2x4x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %d = arith.subf %x, %h : f32
    %y = math.exp %d : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%exp : tensor<2x4x6x6xf32>) outs(%nil : tensor<2x4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%exp, %sum : tensor<2x4x6x6xf32>, tensor<2x4x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %y = arith.divf %x, %h : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#p, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %m = arith.mulf %x, %h : f32
    %y = arith.addf %m, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// -----

// CHECK-LABEL: func.func @no_heads(
// CHECK: %[[Q:.*]] = tensor.expand_shape %arg0 {{.*}} : tensor<5x16xf32> into tensor<1x1x5x16xf32>
// CHECK: %[[A:.*]] = attn.attention query(%[[Q]] : tensor<1x1x5x16xf32>) key({{.*}} : tensor<1x1x7x16xf32>) value({{.*}} : tensor<1x1x7x4xf32>)
// CHECK: %[[R:.*]] = tensor.collapse_shape %[[A]] {{.*}} : tensor<1x1x5x4xf32> into tensor<5x4xf32>
// CHECK: return %[[R]]
func.func @no_heads(%q: tensor<5x16xf32>, %k: tensor<7x16xf32>, %v: tensor<7x4xf32>) -> tensor<5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<16x7xf32>
  %kt = linalg.transpose ins(%k : tensor<7x16xf32>) outs(%et : tensor<16x7xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<5x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %s = linalg.matmul ins(%q, %kt : tensor<5x16xf32>, tensor<16x7xf32>) outs(%z : tensor<5x7xf32>) -> tensor<5x7xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<5x7xf32>) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %er = tensor.empty() : tensor<5x4xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<5x4xf32>) -> tensor<5x4xf32>
  %r = linalg.matmul ins(%p, %v : tensor<5x7xf32>, tensor<7x4xf32>) outs(%zr : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

// -----

// A head of one element: nothing is summed.
// CHECK-LABEL: func.func @one_element(
// CHECK: attn.attention query(%{{.*}} : tensor<2x1x6x1xf32>) key(%{{.*}} : tensor<2x1x6x1xf32>) value(%{{.*}} : tensor<2x1x6x8xf32>)
func.func @one_element(%q: tensor<2x6x1xf32>, %k: tensor<2x6x1xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %et = tensor.empty() : tensor<2x1x6xf32>
  %kt = linalg.transpose ins(%k : tensor<2x6x1xf32>) outs(%et : tensor<2x1x6xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x6x1xf32>, tensor<2x1x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
