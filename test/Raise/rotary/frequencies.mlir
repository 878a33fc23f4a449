// RUN: attn-opt %s -attn-raise-rotary | FileCheck %s

// The rule of the frequencies is recovered from constants, within rounding.

#col = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// A large base.
// CHECK-LABEL: func.func @default_500k
// CHECK: attn.rotary_table {{.*}} rule(<default, dim = 16, base = 5.000000e+05>) angles = f32
func.func @default_500k(%x: tensor<5x16xf32>) -> tensor<5x16xf32> {
  %f = arith.constant dense<[1.000000000e+00, 1.939227432e-01, 3.760603070e-02, 7.292664610e-03, 1.414213562e-03, 2.742481884e-04, 5.318295734e-05, 1.031338525e-05]> : tensor<8xf32>
  %e = tensor.empty() : tensor<5x8xf32>
  %a = tensor.extract_slice %x[0, 0] [5, 8] [1, 1] : tensor<5x16xf32> to tensor<5x8xf32>
  %b = tensor.extract_slice %x[0, 8] [5, 8] [1, 1] : tensor<5x16xf32> to tensor<5x8xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %f : tensor<5x8xf32>, tensor<5x8xf32>, tensor<8xf32>) outs(%e, %e : tensor<5x8xf32>, tensor<5x8xf32>) {
  ^bb0(%x0: f32, %y0: f32, %w: f32, %o0: f32, %o1: f32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    %pf = arith.sitofp %p : i64 to f32
    %angle = arith.mulf %pf, %w : f32
    %c = math.cos %angle : f32
    %s = math.sin %angle : f32
    %xc = arith.mulf %x0, %c : f32
    %ys = arith.mulf %y0, %s : f32
    %yc = arith.mulf %y0, %c : f32
    %xs = arith.mulf %x0, %s : f32
    %u = arith.subf %xc, %ys : f32
    %v = arith.addf %yc, %xs : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<5x8xf32>, tensor<5x8xf32>)
  %y = tensor.concat dim(1) %r#0, %r#1 : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x16xf32>
  return %y : tensor<5x16xf32>
}

// Interpolated positions.
// CHECK-LABEL: func.func @linear
// CHECK: attn.rotary_table {{.*}} rule(<linear, dim = 16, base = 1.000000e+04, factor = 2.500000e+00>) angles = f32
func.func @linear(%x: tensor<5x16xf32>) -> tensor<5x16xf32> {
  %f = arith.constant dense<[4.000000060e-01, 1.264910996e-01, 3.999999911e-02, 1.264911052e-02, 4.000000190e-03, 1.264911029e-03, 3.999999899e-04, 1.264911116e-04]> : tensor<8xf32>
  %e = tensor.empty() : tensor<5x8xf32>
  %a = tensor.extract_slice %x[0, 0] [5, 8] [1, 1] : tensor<5x16xf32> to tensor<5x8xf32>
  %b = tensor.extract_slice %x[0, 8] [5, 8] [1, 1] : tensor<5x16xf32> to tensor<5x8xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %f : tensor<5x8xf32>, tensor<5x8xf32>, tensor<8xf32>) outs(%e, %e : tensor<5x8xf32>, tensor<5x8xf32>) {
  ^bb0(%x0: f32, %y0: f32, %w: f32, %o0: f32, %o1: f32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    %pf = arith.sitofp %p : i64 to f32
    %angle = arith.mulf %pf, %w : f32
    %c = math.cos %angle : f32
    %s = math.sin %angle : f32
    %xc = arith.mulf %x0, %c : f32
    %ys = arith.mulf %y0, %s : f32
    %yc = arith.mulf %y0, %c : f32
    %xs = arith.mulf %x0, %s : f32
    %u = arith.subf %xc, %ys : f32
    %v = arith.addf %yc, %xs : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<5x8xf32>, tensor<5x8xf32>)
  %y = tensor.concat dim(1) %r#0, %r#1 : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x16xf32>
  return %y : tensor<5x16xf32>
}

// High frequencies as they are, low ones divided, a ramp between.
// CHECK-LABEL: func.func @llama3
// CHECK: attn.rotary_table {{.*}} rule(<llama3, dim = 32, base = 5.000000e+05, factor = 8.000000e+00, low_freq_factor = 1.000000e+00, high_freq_factor = 4.000000e+00, original_length = 8.192000e+03>) angles = f32
func.func @llama3(%x: tensor<5x32xf32>) -> tensor<5x32xf32> {
  %f = arith.constant dense<[1.000000000e+00, 4.403665960e-01, 1.939227432e-01, 8.539710194e-02, 3.760603070e-02, 1.656044088e-02, 7.292664610e-03, 3.211446106e-03, 5.248461384e-04, 7.784655463e-05, 3.428102355e-05, 1.509621688e-05, 6.647869668e-06, 2.927499963e-06, 1.289173156e-06, 5.677088097e-07]> : tensor<16xf32>
  %e = tensor.empty() : tensor<5x16xf32>
  %a = tensor.extract_slice %x[0, 0] [5, 16] [1, 1] : tensor<5x32xf32> to tensor<5x16xf32>
  %b = tensor.extract_slice %x[0, 16] [5, 16] [1, 1] : tensor<5x32xf32> to tensor<5x16xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %f : tensor<5x16xf32>, tensor<5x16xf32>, tensor<16xf32>) outs(%e, %e : tensor<5x16xf32>, tensor<5x16xf32>) {
  ^bb0(%x0: f32, %y0: f32, %w: f32, %o0: f32, %o1: f32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    %pf = arith.sitofp %p : i64 to f32
    %angle = arith.mulf %pf, %w : f32
    %c = math.cos %angle : f32
    %s = math.sin %angle : f32
    %xc = arith.mulf %x0, %c : f32
    %ys = arith.mulf %y0, %s : f32
    %yc = arith.mulf %y0, %c : f32
    %xs = arith.mulf %x0, %s : f32
    %u = arith.subf %xc, %ys : f32
    %v = arith.addf %yc, %xs : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<5x16xf32>, tensor<5x16xf32>)
  %y = tensor.concat dim(1) %r#0, %r#1 : (tensor<5x16xf32>, tensor<5x16xf32>) -> tensor<5x32xf32>
  return %y : tensor<5x32xf32>
}

// A ramp over the pairs.
// CHECK-LABEL: func.func @yarn
// CHECK: attn.rotary_table {{.*}} rule(<yarn, dim = 32, base = 1.000000e+04, factor = 4.000000e+00, original_length = 4.096000e+03, beta_fast = 3.200000e+01, beta_slow = 1.000000e+00, truncate = 1.000000e+00>) angles = f32
func.func @yarn(%x: tensor<5x32xf32>) -> tensor<5x32xf32> {
  %f = arith.constant dense<[1.000000000e+00, 5.623413324e-01, 3.162277639e-01, 1.778279394e-01, 1.000000015e-01, 5.623413250e-02, 2.823462151e-02, 1.397219580e-02, 6.785714068e-03, 3.213379066e-03, 1.468200353e-03, 6.350997719e-04, 2.500000119e-04, 1.405853254e-04, 7.905693928e-05, 4.445698505e-05]> : tensor<16xf32>
  %e = tensor.empty() : tensor<5x16xf32>
  %a = tensor.extract_slice %x[0, 0] [5, 16] [1, 1] : tensor<5x32xf32> to tensor<5x16xf32>
  %b = tensor.extract_slice %x[0, 16] [5, 16] [1, 1] : tensor<5x32xf32> to tensor<5x16xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %f : tensor<5x16xf32>, tensor<5x16xf32>, tensor<16xf32>) outs(%e, %e : tensor<5x16xf32>, tensor<5x16xf32>) {
  ^bb0(%x0: f32, %y0: f32, %w: f32, %o0: f32, %o1: f32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    %pf = arith.sitofp %p : i64 to f32
    %angle = arith.mulf %pf, %w : f32
    %c = math.cos %angle : f32
    %s = math.sin %angle : f32
    %xc = arith.mulf %x0, %c : f32
    %ys = arith.mulf %y0, %s : f32
    %yc = arith.mulf %y0, %c : f32
    %xs = arith.mulf %x0, %s : f32
    %u = arith.subf %xc, %ys : f32
    %v = arith.addf %yc, %xs : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<5x16xf32>, tensor<5x16xf32>)
  %y = tensor.concat dim(1) %r#0, %r#1 : (tensor<5x16xf32>, tensor<5x16xf32>) -> tensor<5x32xf32>
  return %y : tensor<5x32xf32>
}

// The same ramp with ends that are not rounded.
// CHECK-LABEL: func.func @yarn_not_truncated
// CHECK: attn.rotary_table {{.*}} rule(<yarn, dim = 32, base = 1.000000e+04, factor = 4.000000e+00, original_length = 4.096000e+03, beta_fast = 3.200000e+01, beta_slow = 1.000000e+00, truncate = 0.000000e+00>) angles = f32
func.func @yarn_not_truncated(%x: tensor<5x32xf32>) -> tensor<5x32xf32> {
  %f = arith.constant dense<[1.000000000e+00, 5.623413324e-01, 3.162277639e-01, 1.778279394e-01, 1.000000015e-01, 5.623413250e-02, 2.861360833e-02, 1.387537085e-02, 6.556971464e-03, 2.986734500e-03, 1.285632025e-03, 5.014396738e-04, 2.500000119e-04, 1.405853254e-04, 7.905693928e-05, 4.445698505e-05]> : tensor<16xf32>
  %e = tensor.empty() : tensor<5x16xf32>
  %a = tensor.extract_slice %x[0, 0] [5, 16] [1, 1] : tensor<5x32xf32> to tensor<5x16xf32>
  %b = tensor.extract_slice %x[0, 16] [5, 16] [1, 1] : tensor<5x32xf32> to tensor<5x16xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %f : tensor<5x16xf32>, tensor<5x16xf32>, tensor<16xf32>) outs(%e, %e : tensor<5x16xf32>, tensor<5x16xf32>) {
  ^bb0(%x0: f32, %y0: f32, %w: f32, %o0: f32, %o1: f32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    %pf = arith.sitofp %p : i64 to f32
    %angle = arith.mulf %pf, %w : f32
    %c = math.cos %angle : f32
    %s = math.sin %angle : f32
    %xc = arith.mulf %x0, %c : f32
    %ys = arith.mulf %y0, %s : f32
    %yc = arith.mulf %y0, %c : f32
    %xs = arith.mulf %x0, %s : f32
    %u = arith.subf %xc, %ys : f32
    %v = arith.addf %yc, %xs : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<5x16xf32>, tensor<5x16xf32>)
  %y = tensor.concat dim(1) %r#0, %r#1 : (tensor<5x16xf32>, tensor<5x16xf32>) -> tensor<5x32xf32>
  return %y : tensor<5x32xf32>
}

// Only the first pair turns.
// CHECK-LABEL: func.func @infinite
// CHECK: attn.rotary_table {{.*}} rule(<default, dim = 8, base = inf>) angles = f32
func.func @infinite(%x: tensor<5x8xf32>) -> tensor<5x8xf32> {
  %f = arith.constant dense<[1.000000000e+00, 0.000000000e+00, 0.000000000e+00, 0.000000000e+00]> : tensor<4xf32>
  %e = tensor.empty() : tensor<5x4xf32>
  %a = tensor.extract_slice %x[0, 0] [5, 4] [1, 1] : tensor<5x8xf32> to tensor<5x4xf32>
  %b = tensor.extract_slice %x[0, 4] [5, 4] [1, 1] : tensor<5x8xf32> to tensor<5x4xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %f : tensor<5x4xf32>, tensor<5x4xf32>, tensor<4xf32>) outs(%e, %e : tensor<5x4xf32>, tensor<5x4xf32>) {
  ^bb0(%x0: f32, %y0: f32, %w: f32, %o0: f32, %o1: f32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    %pf = arith.sitofp %p : i64 to f32
    %angle = arith.mulf %pf, %w : f32
    %c = math.cos %angle : f32
    %s = math.sin %angle : f32
    %xc = arith.mulf %x0, %c : f32
    %ys = arith.mulf %y0, %s : f32
    %yc = arith.mulf %y0, %c : f32
    %xs = arith.mulf %x0, %s : f32
    %u = arith.subf %xc, %ys : f32
    %v = arith.addf %yc, %xs : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<5x4xf32>, tensor<5x4xf32>)
  %y = tensor.concat dim(1) %r#0, %r#1 : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}

// One frequency is 1e-5 off the rule, which no rounding is.
// CHECK-LABEL: func.func @one_off
// CHECK: attn.rotary_table {{.*}} frequencies(%{{.*}} : tensor<8xf32>) angles = f32
func.func @one_off(%x: tensor<5x16xf32>) -> tensor<5x16xf32> {
  %f = arith.constant dense<[1.000000000e+00, 3.162277639e-01, 1.000000015e-01, 3.162309155e-02, 9.999999776e-03, 3.162277630e-03, 1.000000047e-03, 3.162277571e-04]> : tensor<8xf32>
  %e = tensor.empty() : tensor<5x8xf32>
  %a = tensor.extract_slice %x[0, 0] [5, 8] [1, 1] : tensor<5x16xf32> to tensor<5x8xf32>
  %b = tensor.extract_slice %x[0, 8] [5, 8] [1, 1] : tensor<5x16xf32> to tensor<5x8xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %f : tensor<5x8xf32>, tensor<5x8xf32>, tensor<8xf32>) outs(%e, %e : tensor<5x8xf32>, tensor<5x8xf32>) {
  ^bb0(%x0: f32, %y0: f32, %w: f32, %o0: f32, %o1: f32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    %pf = arith.sitofp %p : i64 to f32
    %angle = arith.mulf %pf, %w : f32
    %c = math.cos %angle : f32
    %s = math.sin %angle : f32
    %xc = arith.mulf %x0, %c : f32
    %ys = arith.mulf %y0, %s : f32
    %yc = arith.mulf %y0, %c : f32
    %xs = arith.mulf %x0, %s : f32
    %u = arith.subf %xc, %ys : f32
    %v = arith.addf %yc, %xs : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<5x8xf32>, tensor<5x8xf32>)
  %y = tensor.concat dim(1) %r#0, %r#1 : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x16xf32>
  return %y : tensor<5x16xf32>
}

// A base that nobody writes.
// CHECK-LABEL: func.func @odd_base
// CHECK: attn.rotary_table {{.*}} frequencies(%{{.*}} : tensor<8xf32>) angles = f32
func.func @odd_base(%x: tensor<5x16xf32>) -> tensor<5x16xf32> {
  %f = arith.constant dense<[1.000000000e+00, 3.080070317e-01, 9.486833215e-02, 2.922011353e-02, 9.000000544e-03, 2.772063483e-03, 8.538149996e-04, 2.629810187e-04]> : tensor<8xf32>
  %e = tensor.empty() : tensor<5x8xf32>
  %a = tensor.extract_slice %x[0, 0] [5, 8] [1, 1] : tensor<5x16xf32> to tensor<5x8xf32>
  %b = tensor.extract_slice %x[0, 8] [5, 8] [1, 1] : tensor<5x16xf32> to tensor<5x8xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #col, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %f : tensor<5x8xf32>, tensor<5x8xf32>, tensor<8xf32>) outs(%e, %e : tensor<5x8xf32>, tensor<5x8xf32>) {
  ^bb0(%x0: f32, %y0: f32, %w: f32, %o0: f32, %o1: f32):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    %pf = arith.sitofp %p : i64 to f32
    %angle = arith.mulf %pf, %w : f32
    %c = math.cos %angle : f32
    %s = math.sin %angle : f32
    %xc = arith.mulf %x0, %c : f32
    %ys = arith.mulf %y0, %s : f32
    %yc = arith.mulf %y0, %c : f32
    %xs = arith.mulf %x0, %s : f32
    %u = arith.subf %xc, %ys : f32
    %v = arith.addf %yc, %xs : f32
    linalg.yield %u, %v : f32, f32
  } -> (tensor<5x8xf32>, tensor<5x8xf32>)
  %y = tensor.concat dim(1) %r#0, %r#1 : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x16xf32>
  return %y : tensor<5x16xf32>
}
