// RUN: attn-opt %s --attn-raise --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-raise-attention --split-input-file | FileCheck %s

// Masks that depend on data.

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Nothing says that a row keeps a key.
// CHECK-LABEL: func.func @padding_data(
// CHECK: %[[M:.*]] = attn.mask.tensor keep {{.*}} : tensor<2x1x1x6xi1>
// CHECK: attn.attention {{.*}}mask(%[[M]]) empty_row = nan outs
func.func @padding_data(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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

// A part that is known pays, and no tensor has the size of the scores.
// CHECK-LABEL: func.func @causal_and_padding(
// CHECK-NOT: tensor<2x1x6x6xi1>
// CHECK-DAG: %[[C:.*]] = attn.mask.causal
// CHECK-DAG: %[[M:.*]] = attn.mask.tensor keep {{.*}} : tensor<2x1x1x6xi1>
// CHECK: %[[A:.*]] = attn.mask.and %[[C]], %[[M]]
// CHECK: attn.attention {{.*}}mask(%[[A]])
func.func @causal_and_padding(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %valid: tensor<2x6xi64>) -> tensor<2x6x8xf32> {
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
    %c = arith.cmpi sle, %j, %i : index
    %d = tensor.extract %valid[%b, %j] : tensor<2x6xi64>
    %c0 = arith.constant 0 : i64
    %n = arith.cmpi ne, %d, %c0 : i64
    %keep = arith.andi %c, %n : i1
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

// CHECK-LABEL: func.func @lengths(
// CHECK: attn.mask.padding right lengths({{.*}} : tensor<2xi64>)
// CHECK: attn.attention {{.*}}empty_row = nan
func.func @lengths(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %len: tensor<2xi64>) -> tensor<2x6x8xf32> {
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
    %l = tensor.extract %len[%b] : tensor<2xi64>
    %ji = arith.index_cast %j : index to i64
    %keep = arith.cmpi slt, %ji, %l : i64
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

// CHECK-LABEL: func.func @left_padding(
// CHECK: attn.mask.padding left lengths({{.*}} : tensor<2xi64>) keys(%{{.*}})
func.func @left_padding(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %pad: tensor<2xi64>) -> tensor<2x6x8xf32> {
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
    %l = tensor.extract %pad[%b] : tensor<2xi64>
    %ji = arith.index_cast %j : index to i64
    %keep = arith.cmpi sge, %ji, %l : i64
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

// CHECK-LABEL: func.func @queries_too(
// CHECK-DAG: attn.mask.padding right
// CHECK-DAG: attn.mask.tensor keep {{.*}} : tensor<2x1x6x1xi1>
// CHECK: empty_row = nan
func.func @queries_too(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %len: tensor<2xi64>) -> tensor<2x6x8xf32> {
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
    %l = tensor.extract %len[%b] : tensor<2xi64>
    %ji = arith.index_cast %j : index to i64
    %ii = arith.index_cast %i : index to i64
    %a = arith.cmpi slt, %ji, %l : i64
    %c = arith.cmpi slt, %ii, %l : i64
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

// CHECK-LABEL: func.func @cache_length(
// CHECK: attn.mask.causal offset(%{{.*}} : tensor<2xi64>)
func.func @cache_length(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %past: tensor<2xi64>) -> tensor<2x6x8xf32> {
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
    %l = tensor.extract %past[%b] : tensor<2xi64>
    %ji = arith.index_cast %j : index to i64
    %ii = arith.index_cast %i : index to i64
    %a = arith.addi %ii, %l : i64
    %keep = arith.cmpi sle, %ji, %a : i64
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

// CHECK-LABEL: func.func @documents(
// CHECK: attn.mask.tensor keep {{.*}} : tensor<2x1x6x6xi1>
func.func @documents(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %id: tensor<2x6xi64>) -> tensor<2x6x8xf32> {
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
    %di = tensor.extract %id[%b, %i] : tensor<2x6xi64>
    %dj = tensor.extract %id[%b, %j] : tensor<2x6xi64>
    %keep = arith.cmpi eq, %di, %dj : i64
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

// CHECK-LABEL: func.func @either(
// CHECK-DAG: %[[C:.*]] = attn.mask.causal
// CHECK-DAG: %[[M:.*]] = attn.mask.tensor keep {{.*}} : tensor<2x1x1x6xi1>
// CHECK: attn.mask.or %[[C]], %[[M]]
func.func @either(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %prefix: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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
    %c = arith.cmpi sle, %j, %i : index
    %d = tensor.extract %prefix[%b, %j] : tensor<2x6xi1>
    %keep = arith.ori %c, %d : i1
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

// CHECK-LABEL: func.func @not_equal_to_blocked(
// CHECK: attn.mask.tensor keep {{.*}} : tensor<2x1x1x6xi1>
func.func @not_equal_to_blocked(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %blocked: tensor<2x6xi1>) -> tensor<2x6x8xf32> {
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
    %d = tensor.extract %blocked[%b, %j] : tensor<2x6xi1>
    %true = arith.constant true
    %keep = arith.xori %d, %true : i1
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
