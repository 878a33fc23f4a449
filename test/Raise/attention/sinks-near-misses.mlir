// RUN: attn-opt %s -inline -attn-raise-attention -remarks-filter=attn-raise 2>&1 | FileCheck %s

// What is beside the scores in a softmax and is no sink of its head stays as it is, and
// is explained.
// CHECK-NOT: attn.attention

#pair = affine_map<(h, i, j) -> (h, i, j)>
#head = affine_map<(h, i, j) -> (h)>
#row = affine_map<(h, i, j) -> (h, i)>
#keys = affine_map<(h, i, j) -> (j)>
#head2 = affine_map<(h, i) -> (h)>
#row2 = affine_map<(h, i) -> (h, i)>

func.func private @scores(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<2x2x2xf32>) outs(%e : tensor<2x2x2xf32>) permutation = [0, 2, 1]
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x2x2xf32>, tensor<2x2x2xf32>)
    outs(%z : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %s : tensor<2x2x2xf32>
}
func.func private @column(%sink: tensor<2xf32>) -> tensor<2x2x1xf32> {
  %e = tensor.empty() : tensor<2x2x1xf32>
  %column = linalg.broadcast ins(%sink : tensor<2xf32>) outs(%e : tensor<2x2x1xf32>) dimensions = [1, 2]
  return %column : tensor<2x2x1xf32>
}
func.func private @softmax(%s: tensor<2x2x3xf32>) -> tensor<2x2x3xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x2xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = linalg.reduce {arith.maximumf} ins(%s : tensor<2x2x3xf32>) outs(%lows : tensor<2x2xf32>) dimensions = [2]
  %e = tensor.empty() : tensor<2x2x3xf32>
  %x = linalg.generic {indexing_maps = [#pair, #row, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %m : tensor<2x2x3xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<2x2x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%er : tensor<2x2xf32>) -> tensor<2x2xf32>
  %l = linalg.reduce {arith.addf} ins(%x : tensor<2x2x3xf32>) outs(%zeros : tensor<2x2xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [#pair, #row, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %l : tensor<2x2x3xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<2x2x3xf32>
  return %p : tensor<2x2x3xf32>
}
func.func private @apply(%p: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x2x2xf32>, tensor<2x2x2xf32>)
    outs(%z : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// A logit for each query.
// CHECK: Reason="the sink depends on more than the head"
func.func @of_rows(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2x2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %c = tensor.expand_shape %sink [[0], [1, 2]] output_shape [2, 2, 1] : tensor<2x2xf32> into tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %pa = call @softmax(%all) : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// Two columns.
// CHECK: Reason="the softmax runs over more than the keys and a sink"
func.func @two(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %c, %s, %c : (tensor<2x2x1xf32>, tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x4xf32>
  %e4 = tensor.empty() : tensor<2x2x4xf32>
  %pa = linalg.softmax dimension(2) ins(%all : tensor<2x2x4xf32>) outs(%e4 : tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %p = tensor.extract_slice %pa[0, 0, 1] [2, 2, 2] [1, 1, 1] : tensor<2x2x4xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// The first key has no value, and the sink has one.
// CHECK: Reason="the scores are no contraction of two tensors of which one depends on the key"
func.func @wrong_part(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %e3 = tensor.empty() : tensor<2x2x3xf32>
  %pa = linalg.softmax dimension(2) ins(%all : tensor<2x2x3xf32>) outs(%e3 : tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 1] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// The scores are shifted by a constant, the sink is not: its weight changes.
// CHECK: Reason="a constant is added to scores beside a sink"
func.func @shifted_scores(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %raw = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %one = arith.constant dense<1.0> : tensor<2x2x2xf32>
  %s = arith.addf %raw, %one : tensor<2x2x2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %e3 = tensor.empty() : tensor<2x2x3xf32>
  %pa = linalg.softmax dimension(2) ins(%all : tensor<2x2x3xf32>) outs(%e3 : tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// The maximum leaves the sink out: a large sink overflows, and a row without keys is NaN.
// CHECK: Reason="the maximum is not that of the scores and the sink"
func.func @maximum_of_scores(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x2xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = linalg.reduce {arith.maximumf} ins(%s : tensor<2x2x2xf32>) outs(%lows : tensor<2x2xf32>) dimensions = [2]
  %e = tensor.empty() : tensor<2x2x2xf32>
  %x = linalg.generic {indexing_maps = [#pair, #row, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %m : tensor<2x2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<2x2x2xf32>
  %w = linalg.generic {indexing_maps = [#head2, #row2, #row2], iterator_types = ["parallel", "parallel"]}
    ins(%sink, %m : tensor<2xf32>, tensor<2x2xf32>) outs(%er : tensor<2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<2x2xf32>
  %l = linalg.reduce {arith.addf} ins(%x : tensor<2x2x2xf32>) outs(%w : tensor<2x2xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [#pair, #row, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %l : tensor<2x2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// The sink is not shifted as the scores are.
// CHECK: Reason="what is added to the sum of the exponentials is not that of a sink"
func.func @not_shifted(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x2xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = linalg.reduce {arith.maximumf} ins(%s : tensor<2x2x2xf32>) outs(%lows : tensor<2x2xf32>) dimensions = [2]
  %e = tensor.empty() : tensor<2x2x2xf32>
  %x = linalg.generic {indexing_maps = [#pair, #row, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %m : tensor<2x2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<2x2x2xf32>
  %w = linalg.generic {indexing_maps = [#head2, #row2, #row2], iterator_types = ["parallel", "parallel"]}
    ins(%sink, %m : tensor<2xf32>, tensor<2x2xf32>) outs(%er : tensor<2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = math.exp %a : f32
    linalg.yield %d : f32
  } -> tensor<2x2xf32>
  %l = linalg.reduce {arith.addf} ins(%x : tensor<2x2x2xf32>) outs(%w : tensor<2x2xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [#pair, #row, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %l : tensor<2x2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// The sink of the second head is as low as its masked scores: the row is a mean.
// CHECK: Reason="the sink may be as low as the scores of a row without keys"
func.func @low_weights(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %keep: tensor<2xi1>)
    -> tensor<2x2x2xf32> {
  %raw = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %e = tensor.empty() : tensor<2x2x2xf32>
  %s = linalg.generic {indexing_maps = [#pair, #keys, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%raw, %keep : tensor<2x2x2xf32>, tensor<2xi1>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %real: i1, %o: f32):
    %low = arith.constant -1.0e9 : f32
    %b = arith.select %real, %a, %low : f32
    linalg.yield %b : f32
  } -> tensor<2x2x2xf32>
  %sink = arith.constant dense<[1.0, 0xFF800000]> : tensor<2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %pa = call @softmax(%all) : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// What is beside the scores of one query is that of a key without a value, which may be
// masked as all others.
// CHECK: Reason="the sink may be as low as the scores of a row without keys"
func.func @score_of_key(%q: tensor<2x1x2xf32>, %k: tensor<2x3x2xf32>, %v: tensor<2x2x2xf32>, %keep: tensor<3xi1>)
    -> tensor<2x1x2xf32> {
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<2x2x3xf32>
  %kt = linalg.transpose ins(%k : tensor<2x3x2xf32>) outs(%et : tensor<2x2x3xf32>) permutation = [0, 2, 1]
  %e = tensor.empty() : tensor<2x1x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  %raw = linalg.batch_matmul ins(%q, %kt : tensor<2x1x2xf32>, tensor<2x2x3xf32>)
    outs(%z : tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  %s = linalg.generic {indexing_maps = [#pair, #keys, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%raw, %keep : tensor<2x1x3xf32>, tensor<3xi1>) outs(%e : tensor<2x1x3xf32>) {
  ^bb0(%a: f32, %real: i1, %o: f32):
    %low = arith.constant -1.0e9 : f32
    %b = arith.select %real, %a, %low : f32
    linalg.yield %b : f32
  } -> tensor<2x1x3xf32>
  %pa = linalg.softmax dimension(2) ins(%s : tensor<2x1x3xf32>) outs(%e : tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 1, 2] [1, 1, 1] : tensor<2x1x3xf32> to tensor<2x1x2xf32>
  %eo = tensor.empty() : tensor<2x1x2xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x1x2xf32>, tensor<2x2x2xf32>)
    outs(%zo : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
  return %r : tensor<2x1x2xf32>
}
