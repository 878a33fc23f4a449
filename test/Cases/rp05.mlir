// A rotation of neighbours in the first four of six elements. A rewrite that knew
// whole halves only took it for one, and the numbers changed without a word. What is
// recovered says the layout and the range, and means the same.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t --also=--no-raise --also=--reference=raised
// RUN: attn-opt %s -inline -attn-raise | FileCheck %s

#position = affine_map<(b, t, i) -> (b, t)>
#frequency = affine_map<(b, t, i) -> (i)>
#table = affine_map<(b, t, i) -> (b, t, i)>
#element = affine_map<(b, h, t, i) -> (b, h, t, i)>
#angle = affine_map<(b, h, t, i) -> (b, t, i)>

func.func private @tables(%p: tensor<1x1xi64>) -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>) {
  %frequencies = arith.constant dense<[1.0, 0.01]> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x1x2xf32>
  %a = linalg.generic {indexing_maps = [#position, #frequency, #table], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p, %frequencies : tensor<1x1xi64>, tensor<2xf32>) outs(%e : tensor<1x1x2xf32>) {
  ^bb0(%n: i64, %f: f32, %o: f32):
    %x = arith.sitofp %n : i64 to f32
    %y = arith.mulf %x, %f : f32
    linalg.yield %y : f32
  } -> tensor<1x1x2xf32>
  %c = math.cos %a : tensor<1x1x2xf32>
  %s = math.sin %a : tensor<1x1x2xf32>
  return %c, %s : tensor<1x1x2xf32>, tensor<1x1x2xf32>
}

func.func private @rotate(%a: tensor<1x1x1x2xf32>, %b: tensor<1x1x1x2xf32>, %c: tensor<1x1x2xf32>,
    %s: tensor<1x1x2xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) {
  %e = tensor.empty() : tensor<1x1x1x2xf32>
  %r:2 = linalg.generic {indexing_maps = [#element, #element, #angle, #angle, #element, #element],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%a, %b, %c, %s : tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
      outs(%e, %e : tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) {
  ^bb0(%x: f32, %y: f32, %cos: f32, %sin: f32, %o: f32, %o2: f32):
    %xc = arith.mulf %x, %cos : f32
    %ys = arith.mulf %y, %sin : f32
    %yc = arith.mulf %y, %cos : f32
    %xs = arith.mulf %x, %sin : f32
    %u = arith.subf %xc, %ys : f32
    %v = arith.addf %yc, %xs : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>)
  return %r#0, %r#1 : tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>
}

// %x = [1, 2, 3, 4, 5, 6]
// %p = 3
// -> [-1.272233, -1.838865, 2.878668, 4.088187, 5, 6]
// not [-1.413353, 1.879118, -2.828857, 4.058191, 5, 6]
// not [-1.554473, 1.286651, 2.961158, -3.81885, 5.2292, 6.019264]
// CHECK-LABEL: func.func @interleaved(
// CHECK: attn.rotary interleaved %{{.*}} : tensor<1x1x1x6xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
func.func @interleaved(%x: tensor<1x1x1x6xf32>, %p: tensor<1x1xi64>) -> tensor<1x1x1x6xf32> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 1, 2] [1, 1, 1, 2] : tensor<1x1x1x6xf32> to tensor<1x1x1x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 1] [1, 1, 1, 2] [1, 1, 1, 2] : tensor<1x1x1x6xf32> to tensor<1x1x1x2xf32>
  %rest = tensor.extract_slice %x[0, 0, 0, 4] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x6xf32> to tensor<1x1x1x2xf32>
  %c, %s = call @tables(%p) : (tensor<1x1xi64>) -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %u, %v = call @rotate(%a, %b, %c, %s) : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>)
  %u1 = tensor.expand_shape %u [[0], [1], [2], [3, 4]] output_shape [1, 1, 1, 2, 1]
    : tensor<1x1x1x2xf32> into tensor<1x1x1x2x1xf32>
  %v1 = tensor.expand_shape %v [[0], [1], [2], [3, 4]] output_shape [1, 1, 1, 2, 1]
    : tensor<1x1x1x2xf32> into tensor<1x1x1x2x1xf32>
  %w = tensor.concat dim(4) %u1, %v1 : (tensor<1x1x1x2x1xf32>, tensor<1x1x1x2x1xf32>) -> tensor<1x1x1x2x2xf32>
  %pairs = tensor.collapse_shape %w [[0], [1], [2], [3, 4]] : tensor<1x1x1x2x2xf32> into tensor<1x1x1x4xf32>
  %r = tensor.concat dim(3) %pairs, %rest : (tensor<1x1x1x4xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x6xf32>
  return %r : tensor<1x1x1x6xf32>
}

// %x = [1, 2, 3, 4, 5, 6]
// %p = 3
// -> [-1.413353, 1.879118, -2.828857, 4.058191, 5, 6]
// not [-1.554473, 1.286651, 2.961158, -3.81885, 5.2292, 6.019264]
// CHECK-LABEL: func.func @halves(
// CHECK: attn.rotary split_half %{{.*}} : tensor<1x1x1x6xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
func.func @halves(%x: tensor<1x1x1x6xf32>, %p: tensor<1x1xi64>) -> tensor<1x1x1x6xf32> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x6xf32> to tensor<1x1x1x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x6xf32> to tensor<1x1x1x2xf32>
  %rest = tensor.extract_slice %x[0, 0, 0, 4] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x6xf32> to tensor<1x1x1x2xf32>
  %c, %s = call @tables(%p) : (tensor<1x1xi64>) -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %u, %v = call @rotate(%a, %b, %c, %s) : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>)
  %r = tensor.concat dim(3) %u, %v, %rest
    : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x6xf32>
  return %r : tensor<1x1x1x6xf32>
}
