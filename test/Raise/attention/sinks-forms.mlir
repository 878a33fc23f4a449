// Sinks in other types, beside other terms of the scores, and of grouped heads.

// RUN: %python %S/../../Cases/Inputs/run-case.py %s attn-run %t --also=--no-raise --also=--reference=raised
// RUN: sed 's/!t/f32/g; /^f32 = /d' %s > %t.mlir
// RUN: attn-opt %t.mlir -attn-raise-attention -remarks-filter=attn-raise -remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK: Remark="attention, biased, with sinks, softcap 2.0
// CHECK: Remark="attention of 2 query heads per key head, with sinks"

#pair = affine_map<(b, h, i, j) -> (b, h, i, j)>
#head = affine_map<(b, h, i, j) -> (h)>

!t = f32

// The cap and the bias are those of the scores, not of the sink.
// types: f64 f32 f16 bf16
// %q = [1, 0, 0, 1] * 4
// %k = [1, 2, 3, -1] * 4
// %v = [1, 2, 3, 4] * 4
// %sink = [1, -2]
// %bias = [0.5, -1]
// -> [(exp(a + w) * x + exp(b + w) * y) / (exp(a + w) + exp(b + w) + exp(s))
//     for n in (0, 1) for s, w in ((1, .5), (-2, -1)) for a, b in ((2 * tanh(.5), 2 * tanh(1.5)), (2 * tanh(1), 2 * tanh(-.5)))
//     for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @capped(
// CHECK: attn.attention {{.*}} bias(%{{.*}}) sinks(%{{.*}} : tensor<2xf32>) outs({{.*}}softcap = 2.0
func.func @capped(%q: tensor<2x2x2x2x!t>, %k: tensor<2x2x2x2x!t>, %v: tensor<2x2x2x2x!t>, %sink: tensor<2x!t>, %bias: tensor<2x!t>) -> tensor<2x2x2x2x!t> {
  %zero = arith.constant 0.0 : !t
  %kh = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<2x2x2x2x!t> into tensor<4x2x2x!t>
  %vh = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x2x2x2x!t> into tensor<4x2x2x!t>
  %qh = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x2x2x2x!t> into tensor<4x2x2x!t>
  %ef = tensor.empty() : tensor<4x2x2x!t>
  %kt = linalg.transpose ins(%kh : tensor<4x2x2x!t>) outs(%ef : tensor<4x2x2x!t>) permutation = [0, 2, 1]
  %z = linalg.fill ins(%zero : !t) outs(%ef : tensor<4x2x2x!t>) -> tensor<4x2x2x!t>
  %sf = linalg.batch_matmul ins(%qh, %kt : tensor<4x2x2x!t>, tensor<4x2x2x!t>) outs(%z : tensor<4x2x2x!t>) -> tensor<4x2x2x!t>
  %s4 = tensor.expand_shape %sf [[0, 1], [2], [3]] output_shape [2, 2, 2, 2] : tensor<4x2x2x!t> into tensor<2x2x2x2x!t>
  %e = tensor.empty() : tensor<2x2x2x2x!t>
  %s = linalg.generic {indexing_maps = [#pair, #head, #pair], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s4, %bias : tensor<2x2x2x2x!t>, tensor<2x!t>) outs(%e : tensor<2x2x2x2x!t>) {
  ^bb0(%a: !t, %w: !t, %o: !t):
    %two = arith.constant 2.0 : !t
    %part = arith.divf %a, %two : !t
    %bent = math.tanh %part : !t
    %capped = arith.mulf %bent, %two : !t
    %x = arith.addf %capped, %w : !t
    linalg.yield %x : !t
  } -> tensor<2x2x2x2x!t>
  %ec = tensor.empty() : tensor<2x2x2x1x!t>
  %c = linalg.broadcast ins(%sink : tensor<2x!t>) outs(%ec : tensor<2x2x2x1x!t>) dimensions = [0, 2, 3]
  %all = tensor.concat dim(3) %s, %c : (tensor<2x2x2x2x!t>, tensor<2x2x2x1x!t>) -> tensor<2x2x2x3x!t>
  %e3 = tensor.empty() : tensor<2x2x2x3x!t>
  %pa = linalg.softmax dimension(3) ins(%all : tensor<2x2x2x3x!t>) outs(%e3 : tensor<2x2x2x3x!t>) -> tensor<2x2x2x3x!t>
  %p = tensor.extract_slice %pa[0, 0, 0, 0] [2, 2, 2, 2] [1, 1, 1, 1] : tensor<2x2x2x3x!t> to tensor<2x2x2x2x!t>
  %pf = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x2x2x2x!t> into tensor<4x2x2x!t>
  %rf = linalg.batch_matmul ins(%pf, %vh : tensor<4x2x2x!t>, tensor<4x2x2x!t>) outs(%z : tensor<4x2x2x!t>) -> tensor<4x2x2x!t>
  %r = tensor.expand_shape %rf [[0, 1], [2], [3]] output_shape [2, 2, 2, 2] : tensor<4x2x2x!t> into tensor<2x2x2x2x!t>
  return %r : tensor<2x2x2x2x!t>
}

// Two query heads share a head of keys; each has a sink of its own.
// types: f64 f32 f16 bf16
// %q = [1, 0, 0, 1] * 8
// %k = [1, 2, 3, -1] * 4
// %v = [1, 2, 3, 4] * 4
// %sink = [1, -2, 0, 3]
// -> [(exp(a / 2) * x + exp(b / 2) * y) / (exp(a / 2) + exp(b / 2) + exp(s))
//     for n in (0, 1) for s in (1, -2, 0, 3) for a, b in ((1, 3), (2, -1)) for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @grouped(
// CHECK: attn.attention {{.*}} key(%{{.*}} : tensor<2x2x2x2xf32>) {{.*}} sinks(%{{.*}} : tensor<4xf32>) outs({{.*}}scale = 5.0
func.func @grouped(%q: tensor<2x4x2x2x!t>, %k: tensor<2x2x2x2x!t>, %v: tensor<2x2x2x2x!t>, %sink: tensor<4x!t>) -> tensor<2x4x2x2x!t> {
  %zero = arith.constant 0.0 : !t
  %ek = tensor.empty() : tensor<2x2x2x2x2x!t>
  %bk = linalg.broadcast ins(%k : tensor<2x2x2x2x!t>) outs(%ek : tensor<2x2x2x2x2x!t>) dimensions = [2]
  %kh = tensor.collapse_shape %bk [[0, 1, 2], [3], [4]] : tensor<2x2x2x2x2x!t> into tensor<8x2x2x!t>
  %ev = tensor.empty() : tensor<2x2x2x2x2x!t>
  %bv = linalg.broadcast ins(%v : tensor<2x2x2x2x!t>) outs(%ev : tensor<2x2x2x2x2x!t>) dimensions = [2]
  %vh = tensor.collapse_shape %bv [[0, 1, 2], [3], [4]] : tensor<2x2x2x2x2x!t> into tensor<8x2x2x!t>
  %qh = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x4x2x2x!t> into tensor<8x2x2x!t>
  %ef = tensor.empty() : tensor<8x2x2x!t>
  %kt = linalg.transpose ins(%kh : tensor<8x2x2x!t>) outs(%ef : tensor<8x2x2x!t>) permutation = [0, 2, 1]
  %z = linalg.fill ins(%zero : !t) outs(%ef : tensor<8x2x2x!t>) -> tensor<8x2x2x!t>
  %sf = linalg.batch_matmul ins(%qh, %kt : tensor<8x2x2x!t>, tensor<8x2x2x!t>) outs(%z : tensor<8x2x2x!t>) -> tensor<8x2x2x!t>
  %s4 = tensor.expand_shape %sf [[0, 1], [2], [3]] output_shape [2, 4, 2, 2] : tensor<8x2x2x!t> into tensor<2x4x2x2x!t>
  %e = tensor.empty() : tensor<2x4x2x2x!t>
  %s = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%s4 : tensor<2x4x2x2x!t>) outs(%e : tensor<2x4x2x2x!t>) {
  ^bb0(%a: !t, %o: !t):
    %half = arith.constant 0.5 : !t
    %x = arith.mulf %a, %half : !t
    linalg.yield %x : !t
  } -> tensor<2x4x2x2x!t>
  %ec = tensor.empty() : tensor<2x4x2x1x!t>
  %c = linalg.broadcast ins(%sink : tensor<4x!t>) outs(%ec : tensor<2x4x2x1x!t>) dimensions = [0, 2, 3]
  %all = tensor.concat dim(3) %s, %c : (tensor<2x4x2x2x!t>, tensor<2x4x2x1x!t>) -> tensor<2x4x2x3x!t>
  %e3 = tensor.empty() : tensor<2x4x2x3x!t>
  %pa = linalg.softmax dimension(3) ins(%all : tensor<2x4x2x3x!t>) outs(%e3 : tensor<2x4x2x3x!t>) -> tensor<2x4x2x3x!t>
  %p = tensor.extract_slice %pa[0, 0, 0, 0] [2, 4, 2, 2] [1, 1, 1, 1] : tensor<2x4x2x3x!t> to tensor<2x4x2x2x!t>
  %pf = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x4x2x2x!t> into tensor<8x2x2x!t>
  %rf = linalg.batch_matmul ins(%pf, %vh : tensor<8x2x2x!t>, tensor<8x2x2x!t>) outs(%z : tensor<8x2x2x!t>) -> tensor<8x2x2x!t>
  %r = tensor.expand_shape %rf [[0, 1], [2], [3]] output_shape [2, 4, 2, 2] : tensor<8x2x2x!t> into tensor<2x4x2x2x!t>
  return %r : tensor<2x4x2x2x!t>
}
