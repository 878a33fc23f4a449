// RUN: attn-opt %s -attn-print-element-expressions -o /dev/null | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
#col = affine_map<(d0, d1) -> (d1)>

// The table: positions times frequencies, twice, then cosine and sine; the
// rotation by halves. Both pieces speak of one angle.
// CHECK-LABEL: @halves
// CHECK: [0:12, 0:4] -> %arg0[i0, i1] * cos(f32(i0) * %[[F:[a-z0-9]+]][i1]) - sin(f32(i0) * %[[F]][i1]) * %arg0[i0, i1 + 4]
// CHECK-NEXT: [0:12, 4 + 0:4] -> sin(f32(i0) * %[[F]][i1]) * %arg0[i0, i1] + %arg0[i0, i1 + 4] * cos(f32(i0) * %[[F]][i1])
func.func @halves(%x: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %freq = arith.constant dense<[1.0, 0.1, 0.01, 0.001]> : tensor<4xf32>
  %e0 = tensor.empty() : tensor<12xi64>
  %pos = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e0 : tensor<12xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i64
    linalg.yield %c : i64
  } -> tensor<12xi64>
  %pos1 = tensor.expand_shape %pos [[0, 1]] output_shape [12, 1] : tensor<12xi64> into tensor<12x1xi64>
  %posf = arith.sitofp %pos1 : tensor<12x1xi64> to tensor<12x1xf32>
  %e1 = tensor.empty() : tensor<12x4xf32>
  %angle = linalg.generic {indexing_maps = [#row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%posf, %freq : tensor<12x1xf32>, tensor<4xf32>) outs(%e1 : tensor<12x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<12x4xf32>
  %twice = tensor.concat dim(1) %angle, %angle : (tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<12x8xf32>
  %cos = math.cos %twice : tensor<12x8xf32>
  %sin = math.sin %twice : tensor<12x8xf32>
  %lo = tensor.extract_slice %x[0, 0] [12, 4] [1, 1] : tensor<12x8xf32> to tensor<12x4xf32>
  %hi = tensor.extract_slice %x[0, 4] [12, 4] [1, 1] : tensor<12x8xf32> to tensor<12x4xf32>
  %neg = arith.negf %hi : tensor<12x4xf32>
  %turned = tensor.concat dim(1) %neg, %lo : (tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<12x8xf32>
  %xc = arith.mulf %x, %cos : tensor<12x8xf32>
  %ts = arith.mulf %turned, %sin : tensor<12x8xf32>
  %r = arith.addf %xc, %ts {attn.print} : tensor<12x8xf32>
  return %r : tensor<12x8xf32>
}

// Complex numbers out of pairs.
// CHECK-LABEL: @complex
// CHECK: [0:12, 0:4] -> %arg0[i0, 2 * i1] * cos(%arg1[i0, i1]) - %arg0[i0, 2 * i1 + 1] * sin(%arg1[i0, i1])
func.func @complex(%x: tensor<12x8xf32>, %angle: tensor<12x4xf32>) -> tensor<12x4xf32> {
  %re = tensor.extract_slice %x[0, 0] [12, 4] [1, 2] : tensor<12x8xf32> to tensor<12x4xf32>
  %im = tensor.extract_slice %x[0, 1] [12, 4] [1, 2] : tensor<12x8xf32> to tensor<12x4xf32>
  %e = tensor.empty() : tensor<12x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%re, %im, %angle : tensor<12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) outs(%e : tensor<12x4xf32>) attrs = {attn.print} {
  ^bb0(%a: f32, %b: f32, %t: f32, %out: f32):
    %z = complex.create %a, %b : complex<f32>
    %c = math.cos %t : f32
    %s = math.sin %t : f32
    %w = complex.create %c, %s : complex<f32>
    %p = complex.mul %z, %w : complex<f32>
    %v = complex.re %p : complex<f32>
    linalg.yield %v : f32
  } -> tensor<12x4xf32>
  return %r : tensor<12x4xf32>
}

// A value that stays a leaf on request, and the rest in terms of it.
// CHECK-LABEL: @stop
// CHECK: [0:4] -> %[[T:[0-9]+]][i0] * 0.5
func.func @stop(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %t = math.tanh %x {attn.stop} : tensor<4xf32>
  %r = arith.divf %t, %two {attn.print} : tensor<4xf32>
  return %r : tensor<4xf32>
}
