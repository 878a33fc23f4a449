// Cosine and sine times one number, on the query and on the key: the number is the
// magnitude of the table, once for each. A matcher saw it on the key and not on the
// query. Two different numbers are no magnitude.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t --also=--no-raise --also=--reference=raised
// RUN: attn-opt %s -inline -attn-raise | FileCheck %s

#position = affine_map<(b, t, i) -> (b, t)>
#frequency = affine_map<(b, t, i) -> (i)>
#table = affine_map<(b, t, i) -> (b, t, i)>
#element = affine_map<(b, h, t, i) -> (b, h, t, i)>
#angle = affine_map<(b, h, t, i) -> (b, t, i)>

func.func private @scaled(%p: tensor<1x1xi64>) -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>) {
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
  %mc = arith.constant dense<1.2079> : tensor<1x1x2xf32>
  %cm = arith.mulf %c, %mc : tensor<1x1x2xf32>
  %ms = arith.constant dense<1.2079> : tensor<1x1x2xf32>
  %sm = arith.mulf %s, %ms : tensor<1x1x2xf32>
  return %cm, %sm : tensor<1x1x2xf32>, tensor<1x1x2xf32>
}

func.func private @unequal(%p: tensor<1x1xi64>) -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>) {
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
  %mc = arith.constant dense<1.2079> : tensor<1x1x2xf32>
  %cm = arith.mulf %c, %mc : tensor<1x1x2xf32>
  %ms = arith.constant dense<1.2> : tensor<1x1x2xf32>
  %sm = arith.mulf %s, %ms : tensor<1x1x2xf32>
  return %cm, %sm : tensor<1x1x2xf32>, tensor<1x1x2xf32>
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

// %x = [1, 2, 3, 4]
// %p = 2
// -> [-3.797685, 2.318691, -0.4096509, 4.878946]
// not [-3.144039, 1.919605, -0.3391431, 4.039197]
// CHECK-LABEL: func.func @magnitude(
// CHECK: attn.rotary_table {{.*}}base = 1.000000e+04{{.*}}magnitude = 1.2079
// CHECK: attn.rotary split_half
func.func @magnitude(%x: tensor<1x1x1x4xf32>, %p: tensor<1x1xi64>) -> tensor<1x1x1x4xf32> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x4xf32> to tensor<1x1x1x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x4xf32> to tensor<1x1x1x2xf32>
  %c, %s = call @scaled(%p) : (tensor<1x1xi64>) -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %u, %v = call @rotate(%a, %b, %c, %s) : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>)
  %r = tensor.concat dim(3) %u, %v : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x4xf32>
  return %r : tensor<1x1x1x4xf32>
}

// %x = [1, 2, 3, 4]
// %p = 2
// -> [1.2079 * cos(2) - 3.6 * sin(2), 2.4158 * cos(.02) - 4.8 * sin(.02),
//        3.6237 * cos(2) + 1.2 * sin(2), 4.8316 * cos(.02) + 2.4 * sin(.02)]
// not [-3.797685, 2.318691, -0.4096509, 4.878946]
// CHECK-LABEL: func.func @two_magnitudes(
// CHECK-NOT: attn.rotary
// CHECK: return
func.func @two_magnitudes(%x: tensor<1x1x1x4xf32>, %p: tensor<1x1xi64>) -> tensor<1x1x1x4xf32> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x4xf32> to tensor<1x1x1x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x4xf32> to tensor<1x1x1x2xf32>
  %c, %s = call @unequal(%p) : (tensor<1x1xi64>) -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %u, %v = call @rotate(%a, %b, %c, %s) : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>)
  %r = tensor.concat dim(3) %u, %v : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x4xf32>
  return %r : tensor<1x1x1x4xf32>
}

// The product of query and key, both at position 2, grows by the square of it.
// %x = [1, 2, 3, 4]
// %y = [4, 3, 2, 1]
// %p = 2
// -> [1.2079**2 * 20]
// not [1.2079 * 20]
// not [20]
// CHECK-LABEL: func.func @on_both(
// CHECK: attn.rotary split_half
// CHECK: attn.rotary split_half
func.func @on_both(%x: tensor<1x1x1x4xf32>, %y: tensor<1x1x1x4xf32>, %p: tensor<1x1xi64>) -> tensor<1xf32> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x4xf32> to tensor<1x1x1x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x4xf32> to tensor<1x1x1x2xf32>
  %c, %s = call @scaled(%p) : (tensor<1x1xi64>) -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %u, %v = call @rotate(%a, %b, %c, %s) : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>)
  %q = tensor.concat dim(3) %u, %v : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x4xf32>
  %a2 = tensor.extract_slice %y[0, 0, 0, 0] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x4xf32> to tensor<1x1x1x2xf32>
  %b2 = tensor.extract_slice %y[0, 0, 0, 2] [1, 1, 1, 2] [1, 1, 1, 1] : tensor<1x1x1x4xf32> to tensor<1x1x1x2xf32>
  %u2, %v2 = call @rotate(%a2, %b2, %c, %s)
    : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>)
  %k = tensor.concat dim(3) %u2, %v2 : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x4xf32>
  %product = arith.mulf %q, %k : tensor<1x1x1x4xf32>
  %zero = arith.constant dense<0.0> : tensor<1xf32>
  %flat = tensor.collapse_shape %product [[0, 1, 2], [3]] : tensor<1x1x1x4xf32> into tensor<1x4xf32>
  %score = linalg.reduce {arith.addf} ins(%flat : tensor<1x4xf32>) outs(%zero : tensor<1xf32>) dimensions = [1]
  return %score : tensor<1xf32>
}
