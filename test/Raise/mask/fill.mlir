// RUN: attn-opt %s --attn-raise --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-raise-attention --split-input-file | FileCheck %s

// What a row without keys gives depends on the value that removes a pair.

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func.func @added_infinity(
// CHECK: attn.attention {{.*}}mask(%{{.*}}) empty_row = nan outs
func.func @added_infinity(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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
    %keep = tensor.extract %valid[%b, %j] : tensor<2x6xi1>
    %fill = arith.constant 0xFF800000 : f32
    %t = arith.select %keep, %zero, %fill : f32
    %y = arith.addf %x, %t : f32
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

// The lowest number swallows the score, so such a row is uniform.
// CHECK-LABEL: func.func @added_lowest(
// CHECK: attn.attention {{.*}}mask(%{{.*}}) empty_row = mean outs
func.func @added_lowest(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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
    %keep = tensor.extract %valid[%b, %j] : tensor<2x6xi1>
    %fill = arith.constant 0xFF7FFFFF : f32
    %t = arith.select %keep, %zero, %fill : f32
    %y = arith.addf %x, %t : f32
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

// CHECK-LABEL: func.func @replaced_billion(
// CHECK: attn.attention {{.*}}mask(%{{.*}}) empty_row = mean outs
func.func @replaced_billion(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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
    %keep = tensor.extract %valid[%b, %j] : tensor<2x6xi1>
    %fill = arith.constant -1.0e+9 : f32
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

// Scores survive in the sum, and order the keys of a row without any.
// CHECK-LABEL: func.func @added_billion(
// CHECK-NOT: attn.mask
// CHECK: attn.bias.tensor {{.*}} : tensor<2x1x1x6xf32>
// CHECK-NOT: empty_row
func.func @added_billion(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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
    %keep = tensor.extract %valid[%b, %j] : tensor<2x6xi1>
    %fill = arith.constant -1.0e+9 : f32
    %t = arith.select %keep, %zero, %fill : f32
    %y = arith.addf %x, %t : f32
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

// CHECK-LABEL: func.func @added_ten_thousand(
// CHECK-NOT: attn.mask
// CHECK: attn.bias.tensor
func.func @added_ten_thousand(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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
    %keep = tensor.extract %valid[%b, %j] : tensor<2x6xi1>
    %fill = arith.constant -1.0e+4 : f32
    %t = arith.select %keep, %zero, %fill : f32
    %y = arith.addf %x, %t : f32
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

// Such a pair may take part.
// CHECK-LABEL: func.func @replaced_hundred(
// CHECK-NOT: attn.attention
func.func @replaced_hundred(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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
    %keep = tensor.extract %valid[%b, %j] : tensor<2x6xi1>
    %fill = arith.constant -1.0e+2 : f32
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

// CHECK-LABEL: func.func @never_empty(
// CHECK: attn.mask.causal
// CHECK-NOT: empty_row
// CHECK: return
func.func @never_empty(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
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
    %fill = arith.constant 0xFF7FFFFF : f32
    %t = arith.select %keep, %zero, %fill : f32
    %y = arith.addf %x, %t : f32
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

// Twice the lowest number is -inf: a row is not uniform over all keys then.
// CHECK-LABEL: func.func @two_lowest(
// CHECK-NOT: attn.mask
// CHECK-DAG: attn.bias.tensor {{.*}} : tensor<2x1x1x6xf32>
// CHECK-DAG: attn.bias.tensor {{.*}} : tensor<1x1x6x6xf32>
// CHECK: attn.bias.add
func.func @two_lowest(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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
    %k1 = tensor.extract %valid[%b, %j] : tensor<2x6xi1>
    %k2 = arith.cmpi sle, %j, %i : index
    %fill = arith.constant 0xFF7FFFFF : f32
    %t1 = arith.select %k1, %zero, %fill : f32
    %t2 = arith.select %k2, %zero, %fill : f32
    %y1 = arith.addf %x, %t1 : f32
    %y = arith.addf %y1, %t2 : f32
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

// CHECK-LABEL: func.func @infinity_and_lowest(
// CHECK-DAG: attn.mask.causal
// CHECK-DAG: attn.bias.tensor {{.*}} : tensor<2x1x1x6xf32>
// CHECK: empty_row = nan
func.func @infinity_and_lowest(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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
    %k1 = tensor.extract %valid[%b, %j] : tensor<2x6xi1>
    %k2 = arith.cmpi sle, %j, %i : index
    %fill = arith.constant 0xFF7FFFFF : f32
    %t1 = arith.select %k1, %zero, %fill : f32
    %inf = arith.constant 0xFF800000 : f32
    %t2 = arith.select %k2, %zero, %inf : f32
    %y1 = arith.addf %x, %t1 : f32
    %y = arith.addf %y1, %t2 : f32
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

// CHECK-LABEL: func.func @different_fills(
// CHECK-NOT: attn.attention
func.func @different_fills(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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
    %k1 = tensor.extract %valid[%b, %j] : tensor<2x6xi1>
    %k2 = arith.cmpi sle, %j, %i : index
    %f1 = arith.constant -1.0e+9 : f32
    %f2 = arith.constant -2.0e+9 : f32
    %y1 = arith.select %k1, %x, %f1 : f32
    %y = arith.select %k2, %y1, %f2 : f32
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

// With -inf in the bias a row is not uniform over all keys.
// CHECK-LABEL: func.func @bias_may_remove(
// CHECK-DAG: %[[A:.*]] = attn.bias.tensor {{.*}} : tensor<2x1x6x6xf32>
// CHECK-DAG: %[[B:.*]] = attn.bias.tensor {{.*}} : tensor<2x1x1x6xf32>
// CHECK: attn.bias.add
// CHECK: empty_row = nan
func.func @bias_may_remove(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi1>, %bias: tensor<2x6x6xf32>) -> tensor<2x6x8xf32> {
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
    %k1 = tensor.extract %valid[%b, %j] : tensor<2x6xi1>
    %fill = arith.constant 0xFF7FFFFF : f32
    %t1 = arith.select %k1, %zero, %fill : f32
    %t2 = tensor.extract %bias[%b, %i, %j] : tensor<2x6x6xf32>
    %y1 = arith.addf %x, %t2 : f32
    %y = arith.addf %y1, %t1 : f32
    linalg.yield %y : f32
  } -> tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
