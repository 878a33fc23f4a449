// RUN: attn-opt %s --attn-raise --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-raise-attention --split-input-file | FileCheck %s

// Spellings of softmax.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#q = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#k = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#s = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#p = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#v = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>

// CHECK-LABEL: func.func @plain(
// CHECK: attn.attention query(%arg0 : tensor<2x4x6x8xf32>) key(%arg1 : tensor<2x4x6x8xf32>) value(%arg2 : tensor<2x4x6x8xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @plain(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
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
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
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

// The index of the maximum is a second result that nobody reads.
// CHECK-LABEL: func.func @arg_max(
// CHECK: attn.attention query(%arg0 : tensor<2x4x6x8xf32>) key(%arg1 : tensor<2x4x6x8xf32>) value(%arg2 : tensor<2x4x6x8xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @arg_max(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %m = arith.mulf %x, %h : f32
    %y = arith.addf %m, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er0 = tensor.empty() : tensor<2x4x6xf32>
  %low = linalg.fill ins(%inf : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %nil = linalg.fill ins(%zero : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %ei = tensor.empty() : tensor<2x4x6xi64>
  %c0 = arith.constant 0 : i64
  %zi = linalg.fill ins(%c0 : i64) outs(%ei : tensor<2x4x6xi64>) -> tensor<2x4x6xi64>
  %max:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%low, %zi : tensor<2x4x6xf32>, tensor<2x4x6xi64>) {
  ^bb0(%x: f32, %o: f32, %oi: i64):
    %j = linalg.index 3 : index
    %ji = arith.index_cast %j : index to i64
    %y = arith.maximumf %x, %o : f32
    %g = arith.cmpf ogt, %x, %o : f32
    %yi = arith.select %g, %ji, %oi : i64
    linalg.yield %y, %yi : f32, i64
  } -> (tensor<2x4x6xf32>, tensor<2x4x6xi64>)
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s, %max#0 : tensor<2x4x6x6xf32>, tensor<2x4x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
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
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
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

// Rows without keys are replaced by zeros, as the op does by itself.
// CHECK-LABEL: func.func @guarded(
// CHECK: attn.mask.causal offset
// CHECK: attn.attention query(%arg0 : tensor<2x4x6x8xf32>) key(%arg1 : tensor<2x4x6x8xf32>) value(%arg2 : tensor<2x4x6x8xf32>) mask(%{{.*}}) outs
func.func @guarded(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %m = arith.mulf %x, %h : f32
    %y = arith.addf %m, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %s2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi slt, %j, %i : index
    %y = arith.select %c, %x, %inf : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er0 = tensor.empty() : tensor<2x4x6xf32>
  %low = linalg.fill ins(%inf : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %nil = linalg.fill ins(%zero : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%s2 : tensor<2x4x6x6xf32>) outs(%low : tensor<2x4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s2, %max : tensor<2x4x6x6xf32>, tensor<2x4x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
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
  %true = arith.constant true
  %eb = tensor.empty() : tensor<2x4x6xi1>
  %tb = linalg.fill ins(%true : i1) outs(%eb : tensor<2x4x6xi1>) -> tensor<2x4x6xi1>
  %all = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%s2 : tensor<2x4x6x6xf32>) outs(%tb : tensor<2x4x6xi1>) {
  ^bb0(%x: f32, %o: i1):
    %w = arith.extf %x : f32 to f64
    %winf = arith.constant 0xFFF0000000000000 : f64
    %c = arith.cmpf oeq, %w, %winf : f64
    %y = arith.andi %c, %o : i1
    linalg.yield %y : i1
  } -> tensor<2x4x6xi1>
  %pg = linalg.generic {indexing_maps = [#row, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%all, %p : tensor<2x4x6xi1>, tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%c: i1, %x: f32, %o: f32):
    %y = arith.select %c, %zero, %x : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#p, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%pg, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
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

// CHECK-LABEL: func.func @unguarded(
// CHECK: attn.mask.causal offset
// CHECK: attn.attention query(%arg0 : tensor<2x4x6x8xf32>) key(%arg1 : tensor<2x4x6x8xf32>) value(%arg2 : tensor<2x4x6x8xf32>) mask(%{{.*}}) empty_row = nan outs
func.func @unguarded(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %m = arith.mulf %x, %h : f32
    %y = arith.addf %m, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %s2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi slt, %j, %i : index
    %y = arith.select %c, %x, %inf : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er0 = tensor.empty() : tensor<2x4x6xf32>
  %low = linalg.fill ins(%inf : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %nil = linalg.fill ins(%zero : f32) outs(%er0 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%s2 : tensor<2x4x6x6xf32>) outs(%low : tensor<2x4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6xf32>
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s2, %max : tensor<2x4x6x6xf32>, tensor<2x4x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
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
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
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

// Another user of the probabilities keeps its own computation.
// CHECK-LABEL: func.func @weights_returned(
// CHECK: arith.divf
// CHECK: %[[R:.*]] = attn.attention
// CHECK: return %[[R]], %{{.*}} : tensor<2x4x6x8xf32>, tensor<2x4x6x6xf32>
func.func @weights_returned(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> (tensor<2x4x6x8xf32>, tensor<2x4x6x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %inf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x4x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%z : tensor<2x4x6x6xf32>) {
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
    ins(%p, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %m = arith.mulf %x, %h : f32
    %y = arith.addf %m, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x8xf32>
  return %r, %p : tensor<2x4x6x8xf32>, tensor<2x4x6x6xf32>
}
