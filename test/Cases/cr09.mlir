// One attention has many spellings, and matchers knew one. Those that mean it become
// `attn.attention`; those that come close keep their numbers.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t --also=--no-raise --also=--reference=raised
// RUN: attn-opt %s -inline -attn-raise | FileCheck %s

#pair = affine_map<(b, i, j) -> (b, i, j)>
#key = affine_map<(b, i, j) -> (b, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#batch = affine_map<(b, i, j) -> (b)>

// 1. The scale on the scores.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [2.6088594, 3.6088594, 1.2140836, 2.2140836]
// CHECK-LABEL: func.func @scale_on_scores(
// CHECK: attn.attention
func.func @scale_on_scores(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %ek = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf32>) outs(%ek : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %x = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %scale = arith.constant dense<0.70710678118654752> : tensor<1x2x2xf32>
  %s = arith.mulf %x, %scale : tensor<1x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// 2. Its root on query and key.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [2.6088594, 3.6088594, 1.2140836, 2.2140836]
// CHECK-LABEL: func.func @root_on_both(
// CHECK: attn.attention
func.func @root_on_both(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %rq = arith.constant dense<0.840896415253714543> : tensor<1x2x2xf32>
  %qs = arith.mulf %q, %rq : tensor<1x2x2xf32>
  %rk = arith.constant dense<0.840896415253714543> : tensor<1x2x2xf32>
  %ks = arith.mulf %k, %rk : tensor<1x2x2xf32>
  %ek = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%ks : tensor<1x2x2xf32>) outs(%ek : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%qs, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// 3. On the query, in front of a reshape.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [2.6088594, 3.6088594, 1.2140836, 2.2140836]
// CHECK-LABEL: func.func @before_transpose(
// CHECK: attn.attention
func.func @before_transpose(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>)
    -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %flat = tensor.collapse_shape %q [[0, 1], [2]] : tensor<1x2x2xf32> into tensor<2x2xf32>
  %scale = arith.constant dense<0.70710678118654752> : tensor<2x2xf32>
  %scaled = arith.mulf %flat, %scale : tensor<2x2xf32>
  %qs = tensor.expand_shape %scaled [[0, 1], [2]] output_shape [1, 2, 2] : tensor<2x2xf32> into tensor<1x2x2xf32>
  %ek = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf32>) outs(%ek : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%qs, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// 4. Keys removed by -inf, and rows without keys put to zero after the softmax.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// %keep = 1
// -> [2.6088594, 3.6088594, 1.2140836, 2.2140836]
// again
// %keep = [1, 0]
// -> [1, 2, 1, 2]
// again
// %keep = 0
// -> 0
// CHECK-LABEL: func.func @rows_put_to_zero(
// CHECK: attn.attention {{.*}} mask(%{{.*}}) outs(
func.func @rows_put_to_zero(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>,
    %keep: tensor<1x2xi1>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %ek = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf32>) outs(%ek : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %x = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %s = linalg.generic {indexing_maps = [#pair, #key, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %keep : tensor<1x2x2xf32>, tensor<1x2xi1>) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%a: f32, %real: i1, %o: f32):
    %scale = arith.constant 0.70710678118654752 : f32
    %b = arith.mulf %a, %scale : f32
    %low = arith.constant 0xFF800000 : f32
    %none = arith.constant 0.0 : f32
    %fill = arith.select %real, %none, %low : f32
    %c = arith.addf %b, %fill : f32
    linalg.yield %c : f32
  } -> tensor<1x2x2xf32>
  %x0 = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %false = arith.constant dense<false> : tensor<1xi1>
  %any = linalg.reduce {arith.ori} ins(%keep : tensor<1x2xi1>) outs(%false : tensor<1xi1>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#pair, #batch, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x0, %any : tensor<1x2x2xf32>, tensor<1xi1>) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%a: f32, %some: i1, %o: f32):
    %none = arith.constant 0.0 : f32
    %c = arith.select %some, %a, %none : f32
    linalg.yield %c : f32
  } -> tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// 5. A column of a sink beside the scores, cut off after the softmax.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// %logit = 1
// -> [2.0670408, 2.8593567, 0.76351688, 1.3924002]
// CHECK-LABEL: func.func @sink_column(
// CHECK: attn.attention {{.*}} sinks(%{{.*}} : tensor<1xf32>)
func.func @sink_column(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>,
    %logit: tensor<1xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %ek = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf32>) outs(%ek : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %x = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %scale = arith.constant dense<0.70710678118654752> : tensor<1x2x2xf32>
  %y = arith.mulf %x, %scale : tensor<1x2x2xf32>
  %sink = tensor.expand_shape %logit [[0, 1, 2]] output_shape [1, 1, 1] : tensor<1xf32> into tensor<1x1x1xf32>
  %both = tensor.concat dim(1) %sink, %sink : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x2x1xf32>
  %s = tensor.concat dim(2) %y, %both : (tensor<1x2x2xf32>, tensor<1x2x1xf32>) -> tensor<1x2x3xf32>
  %e3 = tensor.empty() : tensor<1x2x3xf32>
  %all = linalg.softmax dimension(2) ins(%s : tensor<1x2x3xf32>) outs(%e3 : tensor<1x2x3xf32>) -> tensor<1x2x3xf32>
  %p = tensor.extract_slice %all[0, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<1x2x3xf32> to tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// The op that it means.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// %logit = 1
// -> [2.0670408, 2.8593567, 0.76351688, 1.3924002]
// CHECK-LABEL: func.func @sink(
func.func @sink(%q: tensor<1x1x2x2xf32>, %k: tensor<1x1x2x2xf32>, %v: tensor<1x1x2x2xf32>, %logit: tensor<1xf32>)
    -> tensor<1x1x2x2xf32> {
  %out = tensor.empty() : tensor<1x1x2x2xf32>
  %rows = attn.attention query(%q : tensor<1x1x2x2xf32>) key(%k : tensor<1x1x2x2xf32>)
    value(%v : tensor<1x1x2x2xf32>) sinks(%logit : tensor<1xf32>) outs(%out : tensor<1x1x2x2xf32>)
  return %rows : tensor<1x1x2x2xf32>
}

// 6. Keys and values repeated for the heads of a group.
// %q = [1, 0, 0, 1] * 4
// %k = [1, 2, 3, -1, 1, 2, 3, -1]
// %v = [1, 2, 3, 4, 11, 12, 13, 14]
// -> [2.6088594, 3.6088594, 1.2140836, 2.2140836] * 2 + [12.6088594, 13.6088594, 11.2140836, 12.2140836] * 2
// CHECK-LABEL: func.func @repeated_heads(
// CHECK: attn.attention query({{.*}} : tensor<2x2x2x2xf32>) key({{.*}} : tensor<2x1x2x2xf32>)
func.func @repeated_heads(%q: tensor<4x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>) -> tensor<4x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %ek = tensor.empty() : tensor<2x2x2x2xf32>
  %bk = linalg.broadcast ins(%k : tensor<2x2x2xf32>) outs(%ek : tensor<2x2x2x2xf32>) dimensions = [1]
  %k4 = tensor.collapse_shape %bk [[0, 1], [2], [3]] : tensor<2x2x2x2xf32> into tensor<4x2x2xf32>
  %ev = tensor.empty() : tensor<2x2x2x2xf32>
  %bv = linalg.broadcast ins(%v : tensor<2x2x2xf32>) outs(%ev : tensor<2x2x2x2xf32>) dimensions = [1]
  %v4 = tensor.collapse_shape %bv [[0, 1], [2], [3]] : tensor<2x2x2x2xf32> into tensor<4x2x2xf32>
  %ekt = tensor.empty() : tensor<4x2x2xf32>
  %kt = linalg.transpose ins(%k4 : tensor<4x2x2xf32>) outs(%ekt : tensor<4x2x2xf32>) permutation = [0, 2, 1]
  %x = linalg.batch_matmul ins(%q, %kt : tensor<4x2x2xf32>, tensor<4x2x2xf32>)
    outs(%init : tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %scale = arith.constant dense<0.70710678118654752> : tensor<4x2x2xf32>
  %s = arith.mulf %x, %scale : tensor<4x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x2x2xf32>) outs(%e : tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v4 : tensor<4x2x2xf32>, tensor<4x2x2xf32>)
    outs(%init : tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  return %r : tensor<4x2x2xf32>
}

// The heads 0, 1, 0, 1 are no groups: each query head gets keys of its own.
// %q = [1, 0, 0, 1] * 4
// %k = [1, 2, 3, -1, 1, 2, 3, -1]
// %v = [1, 2, 3, 4, 11, 12, 13, 14]
// -> ([2.6088594, 3.6088594, 1.2140836, 2.2140836] + [12.6088594, 13.6088594, 11.2140836, 12.2140836]) * 2
// CHECK-LABEL: func.func @tiled_heads(
// CHECK: attn.attention query({{.*}} : tensor<1x4x2x2xf32>) key({{.*}} : tensor<1x4x2x2xf32>)
func.func @tiled_heads(%q: tensor<4x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>) -> tensor<4x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %ek = tensor.empty() : tensor<2x2x2x2xf32>
  %bk = linalg.broadcast ins(%k : tensor<2x2x2xf32>) outs(%ek : tensor<2x2x2x2xf32>) dimensions = [0]
  %k4 = tensor.collapse_shape %bk [[0, 1], [2], [3]] : tensor<2x2x2x2xf32> into tensor<4x2x2xf32>
  %ev = tensor.empty() : tensor<2x2x2x2xf32>
  %bv = linalg.broadcast ins(%v : tensor<2x2x2xf32>) outs(%ev : tensor<2x2x2x2xf32>) dimensions = [0]
  %v4 = tensor.collapse_shape %bv [[0, 1], [2], [3]] : tensor<2x2x2x2xf32> into tensor<4x2x2xf32>
  %ekt = tensor.empty() : tensor<4x2x2xf32>
  %kt = linalg.transpose ins(%k4 : tensor<4x2x2xf32>) outs(%ekt : tensor<4x2x2xf32>) permutation = [0, 2, 1]
  %x = linalg.batch_matmul ins(%q, %kt : tensor<4x2x2xf32>, tensor<4x2x2xf32>)
    outs(%init : tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %scale = arith.constant dense<0.70710678118654752> : tensor<4x2x2xf32>
  %s = arith.mulf %x, %scale : tensor<4x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x2x2xf32>) outs(%e : tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v4 : tensor<4x2x2xf32>, tensor<4x2x2xf32>)
    outs(%init : tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  return %r : tensor<4x2x2xf32>
}

// The softmax runs over the queries.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [3.1628168, 4.4372480, 0.8371832, 1.5627520]
// CHECK-LABEL: func.func @over_queries(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @over_queries(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %ek = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf32>) outs(%ek : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %x = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %scale = arith.constant dense<0.70710678118654752> : tensor<1x2x2xf32>
  %s = arith.mulf %x, %scale : tensor<1x2x2xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// The weights are a result too: they have to be there.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [2.6088594, 3.6088594, 1.2140836, 2.2140836]
// -> [0.1955703, 0.8044297, 0.8929582, 0.1070418]
// CHECK-LABEL: func.func @second_user(
// CHECK: linalg.softmax
// CHECK: attn.attention
func.func @second_user(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>)
    -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %ek = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf32>) outs(%ek : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %x = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %scale = arith.constant dense<0.70710678118654752> : tensor<1x2x2xf32>
  %s = arith.mulf %x, %scale : tensor<1x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r, %p : tensor<1x2x2xf32>, tensor<1x2x2xf32>
}

// Weights are cut after the softmax, and sum up to less than one.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// %m = [1, 0, 1, 1]
// -> [0.1955703, 0.3911406, 1.2140836, 2.2140836]
// CHECK-LABEL: func.func @masked_after(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @masked_after(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>,
    %m: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %ek = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf32>) outs(%ek : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %x = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %scale = arith.constant dense<0.70710678118654752> : tensor<1x2x2xf32>
  %s = arith.mulf %x, %scale : tensor<1x2x2xf32>
  %x0 = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %p = arith.mulf %x0, %m : tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// The cap takes the removed key back in, with a score of -1.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [1 + 2 * 1 / (1 + exp(tanh(1) + 1)), 2 + 2 * 1 / (1 + exp(tanh(1) + 1)),
//        1 + 2 * 1 / (1 + exp(tanh(2) + tanh(1))), 2 + 2 * 1 / (1 + exp(tanh(2) + tanh(1)))]
// CHECK-LABEL: func.func @capped_mask(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @capped_mask(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %ek = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf32>) outs(%ek : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %x = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %s = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %past = arith.cmpi sle, %j, %i : index
    %low = arith.constant 0xFF800000 : f32
    %b = arith.select %past, %a, %low : f32
    %c = math.tanh %b : f32
    linalg.yield %c : f32
  } -> tensor<1x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// As many keys as features, and the key is not transposed: its features are the
// rows.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [2.3395231, 3.3395231, 1.1116144, 2.1116144]
// not [2.6088594, 3.6088594, 1.2140836, 2.2140836]
// CHECK-LABEL: func.func @not_transposed(
// CHECK: attn.attention
func.func @not_transposed(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %x = linalg.batch_matmul ins(%q, %k : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %scale = arith.constant dense<0.70710678118654752> : tensor<1x2x2xf32>
  %s = arith.mulf %x, %scale : tensor<1x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// Each query has a scale of its own.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// %rows = [0.70710678118654752, 0]
// -> [2.6088594, 3.6088594, 2, 3]
// CHECK-LABEL: func.func @scale_of_row(
// CHECK-NOT: attn.attention
// CHECK: return
func.func @scale_of_row(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>,
    %rows: tensor<1x2xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %ek = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf32>) outs(%ek : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %x = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %s = linalg.generic {indexing_maps = [#pair, #row, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %rows : tensor<1x2x2xf32>, tensor<1x2xf32>) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.mulf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<1x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>)
    outs(%init : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}
