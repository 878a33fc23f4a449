// One more logit in each row, which has no value, is a sink, wherever it stands and
// however the softmax is spelled.

// RUN: %python %S/../../Cases/Inputs/run-case.py %s attn-run %t --also=--no-raise --also=--reference=raised
// RUN: attn-opt %s -inline -attn-raise-attention | FileCheck %s

#pair = affine_map<(h, i, j) -> (h, i, j)>
#head = affine_map<(h, i, j) -> (h)>
#row = affine_map<(h, i, j) -> (h, i)>

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

// Behind the keys.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// %sink = [1, -2]
// -> [(exp(a) * x + exp(b) * y) / (exp(a) + exp(b) + exp(s))
//     for s in (1, -2) for a, b in ((1, 3), (2, -1)) for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @behind(
// CHECK: attn.attention {{.*}} sinks(%{{.*}} : tensor<2xf32>)
func.func @behind(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %pa = call @softmax(%all) : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// In front of them, which changes the order of the sum.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// %sink = [1, -2]
// -> [(exp(a) * x + exp(b) * y) / (exp(a) + exp(b) + exp(s))
//     for s in (1, -2) for a, b in ((1, 3), (2, -1)) for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @in_front(
// CHECK: attn.attention {{.*}} sinks(%{{.*}} : tensor<2xf32>)
func.func @in_front(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %c, %s : (tensor<2x2x1xf32>, tensor<2x2x2xf32>) -> tensor<2x2x3xf32>
  %pa = call @softmax(%all) : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 1] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// The softmax as one operation.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// %sink = [1, -2]
// -> [(exp(a) * x + exp(b) * y) / (exp(a) + exp(b) + exp(s))
//     for s in (1, -2) for a, b in ((1, 3), (2, -1)) for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @op_behind(
// CHECK: attn.attention {{.*}} sinks(%{{.*}} : tensor<2xf32>)
func.func @op_behind(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %e3 = tensor.empty() : tensor<2x2x3xf32>
  %pa = linalg.softmax dimension(2) ins(%all : tensor<2x2x3xf32>) outs(%e3 : tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// The same, in front.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// %sink = [1, -2]
// -> [(exp(a) * x + exp(b) * y) / (exp(a) + exp(b) + exp(s))
//     for s in (1, -2) for a, b in ((1, 3), (2, -1)) for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @op_in_front(
// CHECK: attn.attention {{.*}} sinks(%{{.*}} : tensor<2xf32>)
func.func @op_in_front(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %c, %s : (tensor<2x2x1xf32>, tensor<2x2x2xf32>) -> tensor<2x2x3xf32>
  %e3 = tensor.empty() : tensor<2x2x3xf32>
  %pa = linalg.softmax dimension(2) ins(%all : tensor<2x2x3xf32>) outs(%e3 : tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 1] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// Rows are shifted by their maximum, sink and all, in front of a softmax that does it
// again (gpt-oss).
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// %sink = [1, -2]
// -> [(exp(a) * x + exp(b) * y) / (exp(a) + exp(b) + exp(s))
//     for s in (1, -2) for a, b in ((1, 3), (2, -1)) for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @shifted_twice(
// CHECK: attn.attention {{.*}} sinks(%{{.*}} : tensor<2xf32>)
func.func @shifted_twice(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %whole = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %low = arith.constant 0xFF800000 : f32
  %er = tensor.empty() : tensor<2x2xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = linalg.reduce {arith.maximumf} ins(%whole : tensor<2x2x3xf32>) outs(%lows : tensor<2x2xf32>) dimensions = [2]
  %es = tensor.empty() : tensor<2x2x3xf32>
  %all = linalg.generic {indexing_maps = [#pair, #row, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%whole, %m : tensor<2x2x3xf32>, tensor<2x2xf32>) outs(%es : tensor<2x2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<2x2x3xf32>
  %pa = call @softmax(%all) : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// The same in front of the operation.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// %sink = [1, -2]
// -> [(exp(a) * x + exp(b) * y) / (exp(a) + exp(b) + exp(s))
//     for s in (1, -2) for a, b in ((1, 3), (2, -1)) for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @op_of_shifted(
// CHECK: attn.attention {{.*}} sinks(%{{.*}} : tensor<2xf32>)
func.func @op_of_shifted(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %whole = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %low = arith.constant 0xFF800000 : f32
  %er = tensor.empty() : tensor<2x2xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = linalg.reduce {arith.maximumf} ins(%whole : tensor<2x2x3xf32>) outs(%lows : tensor<2x2xf32>) dimensions = [2]
  %es = tensor.empty() : tensor<2x2x3xf32>
  %all = linalg.generic {indexing_maps = [#pair, #row, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%whole, %m : tensor<2x2x3xf32>, tensor<2x2xf32>) outs(%es : tensor<2x2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<2x2x3xf32>
  %e3 = tensor.empty() : tensor<2x2x3xf32>
  %pa = linalg.softmax dimension(2) ins(%all : tensor<2x2x3xf32>) outs(%e3 : tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// One more in the denominator is a sink of zero.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// -> [(exp(a) * x + exp(b) * y) / (exp(a) + exp(b) + exp(s))
//     for s in (0, 0) for a, b in ((1, 3), (2, -1)) for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @one_more(
// CHECK: attn.attention {{.*}} sinks(%{{.*}} : tensor<1xf32>)
func.func @one_more(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>)
    -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %c = arith.constant dense<0.0> : tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %pa = call @softmax(%all) : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// A row that keeps no key is zero by the sink, without a guard.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// %sink = [1, -2]
// -> [(exp(a) * x + exp(b) * y) / (exp(a) + exp(b) + exp(s))
//     for s in (1, -2) for a, b in ((-inf, -inf), (2, -inf)) for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @empty_row(
// CHECK: attn.mask.
// CHECK: attn.attention {{.*}} mask(%{{.*}}) sinks(%{{.*}} : tensor<2xf32>) outs(
func.func @empty_row(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %raw = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %e = tensor.empty() : tensor<2x2x2xf32>
  %s = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%raw : tensor<2x2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %past = arith.cmpi slt, %j, %i : index
    %low = arith.constant 0xFF800000 : f32
    %none = arith.constant 0.0 : f32
    %fill = arith.select %past, %none, %low : f32
    %b = arith.addf %a, %fill : f32
    linalg.yield %b : f32
  } -> tensor<2x2x2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %pa = call @softmax(%all) : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// A sink may be low, as long as what is removed is far below it.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// -> [0, 0, 1, 2] * 2
// CHECK-LABEL: func.func @low_sink(
// CHECK: attn.mask.
// CHECK: attn.attention {{.*}} mask(%{{.*}}) sinks(%{{.*}} : tensor<1xf32>) outs(
func.func @low_sink(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>)
    -> tensor<2x2x2xf32> {
  %raw = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %e = tensor.empty() : tensor<2x2x2xf32>
  %s = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%raw : tensor<2x2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %past = arith.cmpi slt, %j, %i : index
    %low = arith.constant 0xFF800000 : f32
    %none = arith.constant 0.0 : f32
    %fill = arith.select %past, %none, %low : f32
    %b = arith.addf %a, %fill : f32
    linalg.yield %b : f32
  } -> tensor<2x2x2xf32>
  %sink = arith.constant dense<-2.0e4> : tensor<2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %pa = call @softmax(%all) : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// The lowest number does the same: next to a sink no mean is left of such a row.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// %sink = [1, -2]
// -> [(exp(a) * x + exp(b) * y) / (exp(a) + exp(b) + exp(s))
//     for s in (1, -2) for a, b in ((-inf, -inf), (2, -inf)) for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @finite_fill(
// CHECK: attn.mask.
// CHECK: attn.attention {{.*}} mask(%{{.*}}) sinks(%{{.*}} : tensor<2xf32>) outs(
func.func @finite_fill(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>, %sink: tensor<2xf32>)
    -> tensor<2x2x2xf32> {
  %raw = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %e = tensor.empty() : tensor<2x2x2xf32>
  %s = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%raw : tensor<2x2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %past = arith.cmpi slt, %j, %i : index
    %low = arith.constant -3.40282347E+38 : f32
    %none = arith.constant 0.0 : f32
    %fill = arith.select %past, %none, %low : f32
    %b = arith.addf %a, %fill : f32
    linalg.yield %b : f32
  } -> tensor<2x2x2xf32>
  %c = call @column(%sink) : (tensor<2xf32>) -> tensor<2x2x1xf32>
  %all = tensor.concat dim(2) %s, %c : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x3xf32>
  %pa = call @softmax(%all) : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  %p = tensor.extract_slice %pa[0, 0, 0] [2, 2, 2] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}
