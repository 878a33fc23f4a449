// What rows without keys get from the numbers that stand for masks. Of the two queries
// the first keeps no key, its scores are 1 and 3; the second keeps the first key.

// RUN: %python %S/../../Cases/Inputs/run-case.py %s attn-run %t --also=--no-raise --also=--exact-masks
// RUN: attn-opt %s -inline -attn-raise-attention | FileCheck %s

#pair = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>

func.func private @scores_f32(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) permutation = [0, 2, 1]
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf32>, tensor<1x2x2xf32>) outs(%z : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %s : tensor<1x2x2xf32>
}
func.func private @apply_f32(%s: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x2xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf32>, tensor<1x2x2xf32>) outs(%z : tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}
func.func private @scores_f64(%q: tensor<1x2x2xf64>, %k: tensor<1x2x2xf64>) -> tensor<1x2x2xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1x2x2xf64>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf64>) outs(%e : tensor<1x2x2xf64>) permutation = [0, 2, 1]
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<1x2x2xf64>) -> tensor<1x2x2xf64>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf64>, tensor<1x2x2xf64>) outs(%z : tensor<1x2x2xf64>) -> tensor<1x2x2xf64>
  return %s : tensor<1x2x2xf64>
}
func.func private @apply_f64(%s: tensor<1x2x2xf64>, %v: tensor<1x2x2xf64>) -> tensor<1x2x2xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<1x2x2xf64>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf64>) outs(%e : tensor<1x2x2xf64>) -> tensor<1x2x2xf64>
  %z = linalg.fill ins(%zero : f64) outs(%e : tensor<1x2x2xf64>) -> tensor<1x2x2xf64>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf64>, tensor<1x2x2xf64>) outs(%z : tensor<1x2x2xf64>) -> tensor<1x2x2xf64>
  return %r : tensor<1x2x2xf64>
}
func.func private @scores_f16(%q: tensor<1x2x2xf16>, %k: tensor<1x2x2xf16>) -> tensor<1x2x2xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x2x2xf16>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xf16>) outs(%e : tensor<1x2x2xf16>) permutation = [0, 2, 1]
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xf16>, tensor<1x2x2xf16>) outs(%z : tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  return %s : tensor<1x2x2xf16>
}
func.func private @apply_f16(%s: tensor<1x2x2xf16>, %v: tensor<1x2x2xf16>) -> tensor<1x2x2xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x2x2xf16>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xf16>) outs(%e : tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xf16>, tensor<1x2x2xf16>) outs(%z : tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  return %r : tensor<1x2x2xf16>
}
func.func private @scores_bf16(%q: tensor<1x2x2xbf16>, %k: tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<1x2x2xbf16>
  %kt = linalg.transpose ins(%k : tensor<1x2x2xbf16>) outs(%e : tensor<1x2x2xbf16>) permutation = [0, 2, 1]
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<1x2x2xbf16>, tensor<1x2x2xbf16>) outs(%z : tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16>
  return %s : tensor<1x2x2xbf16>
}
func.func private @apply_bf16(%s: tensor<1x2x2xbf16>, %v: tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<1x2x2xbf16>
  %p = linalg.softmax dimension(2) ins(%s : tensor<1x2x2xbf16>) outs(%e : tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x2x2xbf16>, tensor<1x2x2xbf16>) outs(%z : tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16>
  return %r : tensor<1x2x2xbf16>
}

// Twice the lowest number is -inf.
// compiled
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [nan, nan, 1, 2]
// not [0, 0, 1, 2]
// CHECK-LABEL: func.func @two_meet(
// CHECK: attn.attention {{.*}} bias(%{{.*}}) empty_row = nan outs(
func.func @two_meet(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %s = call @scores_f32(%q, %k) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %e = tensor.empty() : tensor<1x2x2xf32>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %past = arith.cmpi slt, %j, %i : index
    %late = arith.cmpi sgt, %i, %c0 : index
    %low = arith.constant -3.40282347E+38 : f32
    %f = arith.select %past, %zero, %low : f32
    %g = arith.select %late, %zero, %low : f32
    %y = arith.addf %a, %f : f32
    %z = arith.addf %y, %g : f32
    linalg.yield %z : f32
  } -> tensor<1x2x2xf32>
  %r = call @apply_f32(%x, %v) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// So it is in f16, where only the rounding of the sum says so.
// compiled
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [nan, nan, 1, 2]
// not [2, 3, 1, 2]
// CHECK-LABEL: func.func @two_meet_f16(
// CHECK: attn.attention {{.*}} bias(%{{.*}}) empty_row = nan outs({{.*}}softmax_type = f16
func.func @two_meet_f16(%q: tensor<1x2x2xf16>, %k: tensor<1x2x2xf16>, %v: tensor<1x2x2xf16>) -> tensor<1x2x2xf16> {
  %s = call @scores_f16(%q, %k) : (tensor<1x2x2xf16>, tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  %e = tensor.empty() : tensor<1x2x2xf16>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xf16>) outs(%e : tensor<1x2x2xf16>) {
  ^bb0(%a: f16, %o: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %past = arith.cmpi slt, %j, %i : index
    %late = arith.cmpi sgt, %i, %c0 : index
    %low = arith.constant -65504.0 : f16
    %f = arith.select %past, %zero, %low : f16
    %g = arith.select %late, %zero, %low : f16
    %y = arith.addf %a, %f : f16
    %z = arith.addf %y, %g : f16
    linalg.yield %z : f16
  } -> tensor<1x2x2xf16>
  %r = call @apply_f16(%x, %v) : (tensor<1x2x2xf16>, tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  return %r : tensor<1x2x2xf16>
}

// Numbers that f32 does not have.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [2, 3, 1, 2]
// not [0, 0, 1, 2]
// CHECK-LABEL: func.func @two_meet_f64(
// CHECK: attn.attention {{.*}} bias(%{{.*}}) empty_row = nan outs(
func.func @two_meet_f64(%q: tensor<1x2x2xf64>, %k: tensor<1x2x2xf64>, %v: tensor<1x2x2xf64>) -> tensor<1x2x2xf64> {
  %s = call @scores_f64(%q, %k) : (tensor<1x2x2xf64>, tensor<1x2x2xf64>) -> tensor<1x2x2xf64>
  %e = tensor.empty() : tensor<1x2x2xf64>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xf64>) outs(%e : tensor<1x2x2xf64>) {
  ^bb0(%a: f64, %o: f64):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f64
    %past = arith.cmpi slt, %j, %i : index
    %late = arith.cmpi sgt, %i, %c0 : index
    %low = arith.constant -1.0e300 : f64
    %f = arith.select %past, %zero, %low : f64
    %g = arith.select %late, %zero, %low : f64
    %y = arith.addf %a, %f : f64
    %z = arith.addf %y, %g : f64
    linalg.yield %z : f64
  } -> tensor<1x2x2xf64>
  %r = call @apply_f64(%x, %v) : (tensor<1x2x2xf64>, tensor<1x2x2xf64>) -> tensor<1x2x2xf64>
  return %r : tensor<1x2x2xf64>
}

// -1e4 plus 1 and plus 3 are -1e4 in f16.
// compiled
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [2, 3, 1, 2]
// not [1 / (1 + exp(2)) + 3 / (1 + exp(-2)), 2 / (1 + exp(2)) + 4 / (1 + exp(-2)), 1, 2]
// CHECK-LABEL: func.func @low_f16(
// CHECK: attn.attention {{.*}} bias(%{{.*}}) empty_row = nan outs({{.*}}softmax_type = f16
func.func @low_f16(%q: tensor<1x2x2xf16>, %k: tensor<1x2x2xf16>, %v: tensor<1x2x2xf16>) -> tensor<1x2x2xf16> {
  %s = call @scores_f16(%q, %k) : (tensor<1x2x2xf16>, tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  %e = tensor.empty() : tensor<1x2x2xf16>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xf16>) outs(%e : tensor<1x2x2xf16>) {
  ^bb0(%a: f16, %o: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %past = arith.cmpi slt, %j, %i : index
    %low = arith.constant -1.0e4 : f16
    %f = arith.select %past, %zero, %low : f16
    %y = arith.addf %a, %f : f16
    linalg.yield %y : f16
  } -> tensor<1x2x2xf16>
  %r = call @apply_f16(%x, %v) : (tensor<1x2x2xf16>, tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  return %r : tensor<1x2x2xf16>
}

// And in bf16.
// compiled
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [2, 3, 1, 2]
// not [1 / (1 + exp(2)) + 3 / (1 + exp(-2)), 2 / (1 + exp(2)) + 4 / (1 + exp(-2)), 1, 2]
// CHECK-LABEL: func.func @low_bf16(
// CHECK: attn.attention {{.*}} bias(%{{.*}}) empty_row = nan outs({{.*}}softmax_type = bf16
func.func @low_bf16(%q: tensor<1x2x2xbf16>, %k: tensor<1x2x2xbf16>, %v: tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16> {
  %s = call @scores_bf16(%q, %k) : (tensor<1x2x2xbf16>, tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16>
  %e = tensor.empty() : tensor<1x2x2xbf16>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xbf16>) outs(%e : tensor<1x2x2xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : bf16
    %past = arith.cmpi slt, %j, %i : index
    %low = arith.constant -1.0e4 : bf16
    %f = arith.select %past, %zero, %low : bf16
    %y = arith.addf %a, %f : bf16
    linalg.yield %y : bf16
  } -> tensor<1x2x2xbf16>
  %r = call @apply_bf16(%x, %v) : (tensor<1x2x2xbf16>, tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16>
  return %r : tensor<1x2x2xbf16>
}

// -1e9 is -inf in f16.
// compiled
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [nan, nan, 1, 2]
// not [2, 3, 1, 2]
// CHECK-LABEL: func.func @narrowed(
// CHECK: attn.attention {{.*}} mask(%{{.*}}) empty_row = nan outs(
func.func @narrowed(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf16>) -> tensor<1x2x2xf16> {
  %s = call @scores_f32(%q, %k) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %e = tensor.empty() : tensor<1x2x2xf16>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf16>) {
  ^bb0(%a: f32, %o: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %past = arith.cmpi slt, %j, %i : index
    %low = arith.constant -1.0e9 : f32
    %y = arith.select %past, %a, %low : f32
    %z = arith.truncf %y : f32 to f16
    linalg.yield %z : f16
  } -> tensor<1x2x2xf16>
  %r = call @apply_f16(%x, %v) : (tensor<1x2x2xf16>, tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  return %r : tensor<1x2x2xf16>
}

// Twice the lowest f16 is a number like others in f32.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [2, 3, 1, 2]
// not [0, 0, 1, 2]
// CHECK-LABEL: func.func @doubled(
// CHECK: attn.attention {{.*}} mask(%{{.*}}) empty_row = mean outs(
func.func @doubled(%q: tensor<1x2x2xf16>, %k: tensor<1x2x2xf16>, %v: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %s = call @scores_f16(%q, %k) : (tensor<1x2x2xf16>, tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  %e = tensor.empty() : tensor<1x2x2xf32>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xf16>) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%a: f16, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f16
    %past = arith.cmpi slt, %j, %i : index
    %low = arith.constant -65504.0 : f16
    %y = arith.select %past, %a, %low : f16
    %z = arith.extf %y : f16 to f32
    %two = arith.constant 2.0 : f32
    %w = arith.mulf %z, %two : f32
    linalg.yield %w : f32
  } -> tensor<1x2x2xf32>
  %r = call @apply_f32(%x, %v) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// Next to -2e9 a key with -1e9 is kept.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [1, 2, 1, 2]
// not [3, 4, 1, 2]
// not [2, 3, 1, 2]
// CHECK-LABEL: func.func @nested(
// CHECK: attn.attention {{.*}} bias(
func.func @nested(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %s = call @scores_f32(%q, %k) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %e = tensor.empty() : tensor<1x2x2xf32>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %past = arith.cmpi slt, %j, %i : index
    %first = arith.cmpi eq, %j, %c0 : index
    %none = arith.cmpi eq, %i, %c0 : index
    %special = arith.andi %first, %none : i1
    %low = arith.constant -1.0e9 : f32
    %lower = arith.constant -2.0e9 : f32
    %f = arith.select %past, %zero, %lower : f32
    %g = arith.select %special, %low, %f : f32
    %y = arith.addf %a, %g : f32
    linalg.yield %y : f32
  } -> tensor<1x2x2xf32>
  %r = call @apply_f32(%x, %v) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// A bias that is filled is no bias of what is filled.
// compiled
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [2, 3, 1, 2]
// not [3, 4, 1, 2]
// CHECK-LABEL: func.func @filled_bias(
// CHECK: attn.attention {{.*}} bias(
func.func @filled_bias(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %s = call @scores_f32(%q, %k) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %e = tensor.empty() : tensor<1x2x2xf32>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %past = arith.cmpi slt, %j, %i : index
    %low = arith.constant -1.0e9 : f32
    %hundred = arith.constant 100.0 : f32
    %n = arith.index_cast %j : index to i64
    %d = arith.sitofp %n : i64 to f32
    %b = arith.mulf %d, %hundred : f32
    %f = arith.select %past, %b, %low : f32
    %y = arith.addf %a, %f : f32
    linalg.yield %y : f32
  } -> tensor<1x2x2xf32>
  %r = call @apply_f32(%x, %v) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// Of two fills that are equal one is raised.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [1 / (1 + exp(5)) + 3 / (1 + exp(-5)), 2 / (1 + exp(5)) + 4 / (1 + exp(-5)), 1, 2]
// not [2, 3, 1, 2]
// CHECK-LABEL: func.func @constant_between(
// CHECK: linalg.softmax
func.func @constant_between(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  %s = call @scores_f32(%q, %k) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %e = tensor.empty() : tensor<1x2x2xf32>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %past = arith.cmpi slt, %j, %i : index
    %first = arith.cmpi eq, %j, %c0 : index
    %none = arith.cmpi eq, %i, %c0 : index
    %special = arith.andi %first, %none : i1
    %low = arith.constant -1.0e4 : f32
    %five = arith.constant 5.0 : f32
    %y = arith.select %past, %a, %low : f32
    %z = arith.addf %y, %five : f32
    %w = arith.select %special, %low, %z : f32
    linalg.yield %w : f32
  } -> tensor<1x2x2xf32>
  %r = call @apply_f32(%x, %v) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  return %r : tensor<1x2x2xf32>
}

// Masks that are added up before they are f16.
// compiled
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [nan, nan, 1, 2]
// not [2, 3, 1, 2]
// CHECK-LABEL: func.func @summed_and_narrowed(
// CHECK: attn.attention {{.*}} empty_row = nan outs(
func.func @summed_and_narrowed(%q: tensor<1x2x2xf32>, %k: tensor<1x2x2xf32>, %v: tensor<1x2x2xf16>) -> tensor<1x2x2xf16> {
  %s = call @scores_f32(%q, %k) : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
  %e = tensor.empty() : tensor<1x2x2xf16>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xf32>) outs(%e : tensor<1x2x2xf16>) {
  ^bb0(%a: f32, %o: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %past = arith.cmpi slt, %j, %i : index
    %low = arith.constant -1.0e9 : f32
    %late = arith.cmpi sgt, %i, %c0 : index
    %f = arith.select %past, %zero, %low : f32
    %g = arith.select %late, %zero, %low : f32
    %m = arith.addf %f, %g : f32
    %n = arith.truncf %m : f32 to f16
    %h = arith.truncf %a : f32 to f16
    %y = arith.addf %h, %n : f16
    linalg.yield %y : f16
  } -> tensor<1x2x2xf16>
  %r = call @apply_f16(%x, %v) : (tensor<1x2x2xf16>, tensor<1x2x2xf16>) -> tensor<1x2x2xf16>
  return %r : tensor<1x2x2xf16>
}

// -1e9 is a bit more in bf16, and removes.
// %q = [1, 0, 0, 1]
// %k = [1, 2, 3, -1]
// %v = [1, 2, 3, 4]
// -> [1, 2, 1 / (1 + exp(-3)) + 3 / (1 + exp(3)), 2 / (1 + exp(-3)) + 4 / (1 + exp(3))] within 0.03
// CHECK-LABEL: func.func @causal_bf16(
// CHECK: attn.mask.causal
// CHECK: attn.attention {{.*}} mask(%{{.*}}) outs(
func.func @causal_bf16(%q: tensor<1x2x2xbf16>, %k: tensor<1x2x2xbf16>, %v: tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16> {
  %s = call @scores_bf16(%q, %k) : (tensor<1x2x2xbf16>, tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16>
  %e = tensor.empty() : tensor<1x2x2xbf16>
  %x = linalg.generic {indexing_maps = [#pair, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<1x2x2xbf16>) outs(%e : tensor<1x2x2xbf16>) {
  ^bb0(%a: bf16, %o: bf16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : bf16
    %past = arith.cmpi slt, %j, %i : index
    %upto = arith.cmpi sle, %j, %i : index
    %low = arith.constant -1.0e9 : bf16
    %f = arith.select %upto, %zero, %low : bf16
    %y = arith.addf %a, %f : bf16
    linalg.yield %y : bf16
  } -> tensor<1x2x2xbf16>
  %r = call @apply_bf16(%x, %v) : (tensor<1x2x2xbf16>, tensor<1x2x2xbf16>) -> tensor<1x2x2xbf16>
  return %r : tensor<1x2x2xbf16>
}
