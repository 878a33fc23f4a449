// Scores that are shifted by their maximum in front of a softmax that shifts them again.

// RUN: %python %S/../../Cases/Inputs/run-case.py %s attn-run %t --also=--no-raise --also=--reference=raised
// RUN: attn-opt %s -inline -attn-raise-attention | FileCheck %s

#pair = affine_map<(h, i, j) -> (h, i, j)>
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
func.func private @max(%s: tensor<2x2x2xf32>) -> tensor<2x2xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %lows = linalg.fill ins(%low : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = linalg.reduce {arith.maximumf} ins(%s : tensor<2x2x2xf32>) outs(%lows : tensor<2x2xf32>) dimensions = [2]
  return %m : tensor<2x2xf32>
}
// The maximum of a row without keys is taken for 0.
func.func private @guard(%m: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %low = arith.constant dense<0xFF800000> : tensor<2x2xf32>
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %empty = arith.cmpf oeq, %m, %low : tensor<2x2xf32>
  %g = arith.select %empty, %zero, %m : tensor<2x2xi1>, tensor<2x2xf32>
  return %g : tensor<2x2xf32>
}
func.func private @shift(%s: tensor<2x2x2xf32>, %m: tensor<2x2xf32>) -> tensor<2x2x2xf32> {
  %e = tensor.empty() : tensor<2x2x2xf32>
  %d = linalg.generic {indexing_maps = [#pair, #row, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %m : tensor<2x2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<2x2x2xf32>
  return %d : tensor<2x2x2xf32>
}
// Rows whose exponentials are all 0 stay 0.
func.func private @softmax_by(%s: tensor<2x2x2xf32>, %g: tensor<2x2xf32>) -> tensor<2x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %d = call @shift(%s, %g) : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %x = math.exp %d : tensor<2x2x2xf32>
  %er = tensor.empty() : tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%er : tensor<2x2xf32>) -> tensor<2x2xf32>
  %sum = linalg.reduce {arith.addf} ins(%x : tensor<2x2x2xf32>) outs(%zeros : tensor<2x2xf32>) dimensions = [2]
  %none = arith.constant dense<0.0> : tensor<2x2xf32>
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %empty = arith.cmpf oeq, %sum, %none : tensor<2x2xf32>
  %l = arith.select %empty, %one, %sum : tensor<2x2xi1>, tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2x2xf32>
  %p = linalg.generic {indexing_maps = [#pair, #row, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %l : tensor<2x2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<2x2x2xf32>
  return %p : tensor<2x2x2xf32>
}
func.func private @softmax_or_zero(%s: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %m = call @max(%s) : (tensor<2x2x2xf32>) -> tensor<2x2xf32>
  %g = call @guard(%m) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %p = call @softmax_by(%s, %g) : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  return %p : tensor<2x2x2xf32>
}
func.func private @before(%s: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %e = tensor.empty() : tensor<2x2x2xf32>
  %masked = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %past = arith.cmpi slt, %j, %i : index
    %low = arith.constant 0xFF800000 : f32
    %b = arith.select %past, %a, %low : f32
    linalg.yield %b : f32
  } -> tensor<2x2x2xf32>
  return %masked : tensor<2x2x2xf32>
}
func.func private @apply(%p: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x2x2xf32>, tensor<2x2x2xf32>)
    outs(%z : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// One and the same number less on all scores of a row.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// -> [(exp(a) * x + exp(b) * y) / (exp(a) + exp(b))
//     for h in (0, 1) for a, b in ((1, 3), (2, -1)) for x, y in ((1, 3), (2, 4))]
// CHECK-LABEL: func.func @plain(
// CHECK: attn.attention {{.*}} value(%{{.*}} : tensor<2x1x2x2xf32>) outs(
func.func @plain(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %m = call @max(%s) : (tensor<2x2x2xf32>) -> tensor<2x2xf32>
  %d = call @shift(%s, %m) : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %e = tensor.empty() : tensor<2x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%d : tensor<2x2x2xf32>) outs(%e : tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// The first query keeps no key, which is zero if no shift subtracts -inf from -inf.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// -> [0, 0, 1, 2] * 2
// CHECK-LABEL: func.func @guarded(
// CHECK: attn.attention {{.*}} mask(%{{.*}}) outs(
func.func @guarded(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %b = call @before(%s) : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %m = call @max(%b) : (tensor<2x2x2xf32>) -> tensor<2x2xf32>
  %g = call @guard(%m) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %d = call @shift(%b, %g) : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %p = call @softmax_or_zero(%d) : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// The first shift does, and NaN is no -inf to the second.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// -> [nan, nan, 1, 2] * 2
// CHECK-LABEL: func.func @guarded_late(
// CHECK: attn.attention {{.*}} mask(%{{.*}}) empty_row = nan outs(
func.func @guarded_late(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %b = call @before(%s) : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %m = call @max(%b) : (tensor<2x2x2xf32>) -> tensor<2x2xf32>
  %d = call @shift(%b, %m) : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %p = call @softmax_or_zero(%d) : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// A maximum that starts from the lowest number is never -inf, and its exponentials are 0.
// %q = [1, 0, 0, 1] * 2
// %k = [1, 2, 3, -1] * 2
// %v = [1, 2, 3, 4] * 2
// -> [0, 0, 1, 2] * 2
// CHECK-LABEL: func.func @from_lowest(
// CHECK: attn.attention {{.*}} mask(%{{.*}}) outs(
func.func @from_lowest(%q: tensor<2x2x2xf32>, %k: tensor<2x2x2xf32>, %v: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %s = call @scores(%q, %k) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %b = call @before(%s) : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %low = arith.constant -3.40282347E+38 : f32
  %er = tensor.empty() : tensor<2x2xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = linalg.reduce {arith.maximumf} ins(%b : tensor<2x2x2xf32>) outs(%lows : tensor<2x2xf32>) dimensions = [2]
  %p = call @softmax_by(%b, %m) : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %r = call @apply(%p, %v) : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}
