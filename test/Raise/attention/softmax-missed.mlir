// RUN: attn-opt %s --attn-raise --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-raise-attention --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-raise --split-input-file --remarks-filter=attn-raise --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// What is close to a softmax over the keys but is none, with the reason.

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#q = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#k = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#s = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#p = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#v = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>

// REMARK: Reason="probabilities are masked after the softmax"
// CHECK-LABEL: func.func @mask_after_softmax(
// CHECK-NOT: attn.attention
func.func @mask_after_softmax(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
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
  %pm = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%p : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi sle, %j, %i : index
    %y = arith.select %c, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#p, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%pm, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
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

// REMARK: Reason="probabilities are multiplied after the softmax"
// CHECK-LABEL: func.func @multiplied_after_softmax(
// CHECK-NOT: attn.attention
func.func @multiplied_after_softmax(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
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
  %pm = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%p : tensor<2x4x6x6xf32>) outs(%e : tensor<2x4x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %two = arith.constant 2.0 : f32
    %y = arith.mulf %x, %two : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x6xf32>
  %er = tensor.empty() : tensor<2x4x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.generic {indexing_maps = [#p, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%pm, %v : tensor<2x4x6x6xf32>, tensor<2x4x6x8xf32>) outs(%zr : tensor<2x4x6x8xf32>) {
  ^bb0(%x: f32, %h: f32, %o: f32):
    %m = arith.mulf %x, %h : f32
    %y = arith.addf %m, %o : f32
    linalg.yield %y : f32
  } -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// -----

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#q = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#k = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#s = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#p = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#v = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>

// REMARK: Reason="the maximum does not run over the keys"
// CHECK-LABEL: func.func @over_queries(
// CHECK-NOT: attn.attention
func.func @over_queries(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
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
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
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
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
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

// REMARK: Reason="the exponent is not shifted by its maximum"
// CHECK-LABEL: func.func @not_shifted(
// CHECK-NOT: attn.attention
func.func @not_shifted(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
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
    %y = math.exp %x : f32
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

// REMARK: Reason="the maximum is not that of the scores over the keys"
// CHECK-LABEL: func.func @scaled_after_maximum(
// CHECK-NOT: attn.attention
func.func @scaled_after_maximum(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
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
    %half = arith.constant 0.5 : f32
    %a = arith.mulf %x, %half : f32
    %d = arith.subf %a, %h : f32
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

// CHECK-LABEL: func.func @sum_of_squares(
// CHECK-NOT: attn.attention
func.func @sum_of_squares(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x6x8xf32>, %v: tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32> {
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
    %sq = arith.mulf %x, %x : f32
    %y = arith.addf %sq, %o : f32
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
