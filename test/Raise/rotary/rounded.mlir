// RUN: attn-opt %s -inline -attn-raise-rotary | FileCheck %s
// RUN: attn-opt %s -inline -attn-raise-rotary -remarks-filter=attn-raise -remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: attn-opt %s -inline -o %t.mlir
// RUN: attn-run %t.mlir --entry=narrow_in_f32 --no-raise --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=narrow_in_f32 --compare=%t.npz --atol=2e-6 --rtol=0
// RUN: attn-run %t.mlir --entry=scaled --no-raise --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=scaled --compare=%t.npz --atol=2e-6 --rtol=0
// RUN: attn-run %t.mlir --entry=rounded_then_scaled --no-raise --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=rounded_then_scaled --compare=%t.npz --atol=2e-6 --rtol=0
// RUN: attn-run %t.mlir --entry=only_cosines --no-raise --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=only_cosines --compare=%t.npz --atol=2e-6 --rtol=0
// RUN: attn-run %t.mlir --entry=narrow --no-raise --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=narrow --compare=%t.npz --atol=3e-2 --rtol=0
// RUN: attn-run %t.mlir --entry=stored --no-raise --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=stored --compare=%t.npz --atol=3e-2 --rtol=0

// Cosines and sines that a graph rounds to 16 bits: the table has that type. What
// is no rounding of cosine and sine times a magnitude is read as it is. The numbers
// are those of the graph, up to products that it rounds to 16 bits.

#col = affine_map<(d0, d1) -> (d1)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#row = affine_map<(d0, d1, d2, d3) -> (d2, d3)>

func.func private @tables() -> (tensor<12x4xf32>, tensor<12x4xf32>) {
  %freq = arith.constant dense<[1.0, 0.1, 0.01, 0.001]> : tensor<4xf32>
  %e = tensor.empty() : tensor<12x4xf32>
  %a = linalg.generic {indexing_maps = [#col, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%freq : tensor<4xf32>) outs(%e : tensor<12x4xf32>) {
  ^bb0(%f: f32, %out: f32):
    %s = linalg.index 0 : index
    %i = arith.index_cast %s : index to i64
    %p = arith.sitofp %i : i64 to f32
    %m = arith.mulf %p, %f : f32
    linalg.yield %m : f32
  } -> tensor<12x4xf32>
  %c = math.cos %a : tensor<12x4xf32>
  %s = math.sin %a : tensor<12x4xf32>
  return %c, %s : tensor<12x4xf32>, tensor<12x4xf32>
}

func.func private @rotate_bf16(%x: tensor<2x3x12x8xbf16>, %c: tensor<12x4xbf16>, %s: tensor<12x4xbf16>) -> tensor<2x3x12x8xbf16> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 12, 4] [1, 1, 1, 1] : tensor<2x3x12x8xbf16> to tensor<2x3x12x4xbf16>
  %b = tensor.extract_slice %x[0, 0, 0, 4] [2, 3, 12, 4] [1, 1, 1, 1] : tensor<2x3x12x8xbf16> to tensor<2x3x12x4xbf16>
  %e = tensor.empty() : tensor<2x3x12x4xbf16>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #row, #row, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b, %c, %s : tensor<2x3x12x4xbf16>, tensor<2x3x12x4xbf16>, tensor<12x4xbf16>, tensor<12x4xbf16>) outs(%e, %e : tensor<2x3x12x4xbf16>, tensor<2x3x12x4xbf16>) {
  ^bb0(%p: bf16, %q: bf16, %u: bf16, %v: bf16, %o0: bf16, %o1: bf16):
    %pu = arith.mulf %p, %u : bf16
    %qv = arith.mulf %q, %v : bf16
    %qu = arith.mulf %q, %u : bf16
    %pv = arith.mulf %p, %v : bf16
    %f = arith.subf %pu, %qv : bf16
    %g = arith.addf %qu, %pv : bf16
    linalg.yield %f, %g : bf16, bf16
  } -> (tensor<2x3x12x4xbf16>, tensor<2x3x12x4xbf16>)
  %y = tensor.concat dim(3) %r#0, %r#1 : (tensor<2x3x12x4xbf16>, tensor<2x3x12x4xbf16>) -> tensor<2x3x12x8xbf16>
  return %y : tensor<2x3x12x8xbf16>
}

func.func private @rotate_f32(%x: tensor<2x3x12x8xf32>, %c: tensor<12x4xf32>, %s: tensor<12x4xf32>) -> tensor<2x3x12x8xf32> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 12, 4] [1, 1, 1, 1] : tensor<2x3x12x8xf32> to tensor<2x3x12x4xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 4] [2, 3, 12, 4] [1, 1, 1, 1] : tensor<2x3x12x8xf32> to tensor<2x3x12x4xf32>
  %e = tensor.empty() : tensor<2x3x12x4xf32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #row, #row, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%a, %b, %c, %s : tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>, tensor<12x4xf32>, tensor<12x4xf32>) outs(%e, %e : tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) {
  ^bb0(%p: f32, %q: f32, %u: f32, %v: f32, %o0: f32, %o1: f32):
    %pu = arith.mulf %p, %u : f32
    %qv = arith.mulf %q, %v : f32
    %qu = arith.mulf %q, %u : f32
    %pv = arith.mulf %p, %v : f32
    %f = arith.subf %pu, %qv : f32
    %g = arith.addf %qu, %pv : f32
    linalg.yield %f, %g : f32, f32
  } -> (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>)
  %y = tensor.concat dim(3) %r#0, %r#1 : (tensor<2x3x12x4xf32>, tensor<2x3x12x4xf32>) -> tensor<2x3x12x8xf32>
  return %y : tensor<2x3x12x8xf32>
}

// As frameworks do it: the table has the type of the activations.
// CHECK-LABEL: func.func @narrow(
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table {{.*}} rule(<default, dim = 8, base = 1.000000e+04>) angles = f32 outs({{.*}} : tensor<1x12x4xbf16>, tensor<1x12x4xbf16>)
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<2x3x12x8xbf16>, tensor<1x12x4xbf16>, tensor<1x12x4xbf16>
// REMARK: rotation of 8 elements from 0, split_half, by frequency rule 'default'
func.func @narrow(%x: tensor<2x3x12x8xbf16>) -> tensor<2x3x12x8xbf16> {
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %cos = arith.truncf %c : tensor<12x4xf32> to tensor<12x4xbf16>
  %sin = arith.truncf %s : tensor<12x4xf32> to tensor<12x4xbf16>
  %y = call @rotate_bf16(%x, %cos, %sin) : (tensor<2x3x12x8xbf16>, tensor<12x4xbf16>, tensor<12x4xbf16>) -> tensor<2x3x12x8xbf16>
  return %y : tensor<2x3x12x8xbf16>
}

// Rounded, and used in f32.
// CHECK-LABEL: func.func @narrow_in_f32(
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table {{.*}} rule(<default, dim = 8, base = 1.000000e+04>) angles = f32 outs({{.*}} : tensor<1x12x4xbf16>, tensor<1x12x4xbf16>)
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<2x3x12x8xf32>, tensor<1x12x4xbf16>, tensor<1x12x4xbf16>
// REMARK: rotation of 8 elements from 0, split_half, by frequency rule 'default'
func.func @narrow_in_f32(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %c1 = arith.truncf %c : tensor<12x4xf32> to tensor<12x4xbf16>
  %s1 = arith.truncf %s : tensor<12x4xf32> to tensor<12x4xbf16>
  %cos = arith.extf %c1 : tensor<12x4xbf16> to tensor<12x4xf32>
  %sin = arith.extf %s1 : tensor<12x4xbf16> to tensor<12x4xf32>
  %y = call @rotate_f32(%x, %cos, %sin) : (tensor<2x3x12x8xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<2x3x12x8xf32>
  return %y : tensor<2x3x12x8xf32>
}

// The magnitude is in what is rounded.
// CHECK-LABEL: func.func @scaled(
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table {{.*}} rule(<default, dim = 8, base = 1.000000e+04>) angles = f32 outs({{.*}} : tensor<1x12x4xf16>, tensor<1x12x4xf16>)
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<2x3x12x8xf32>, tensor<1x12x4xf16>, tensor<1x12x4xf16>
// REMARK: rotation of 8 elements from 0, split_half, by frequency rule 'default'
func.func @scaled(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %m = arith.constant dense<1.5> : tensor<12x4xf32>
  %c1 = arith.mulf %c, %m : tensor<12x4xf32>
  %s1 = arith.mulf %s, %m : tensor<12x4xf32>
  %c2 = arith.truncf %c1 : tensor<12x4xf32> to tensor<12x4xf16>
  %s2 = arith.truncf %s1 : tensor<12x4xf32> to tensor<12x4xf16>
  %cos = arith.extf %c2 : tensor<12x4xf16> to tensor<12x4xf32>
  %sin = arith.extf %s2 : tensor<12x4xf16> to tensor<12x4xf32>
  %y = call @rotate_f32(%x, %cos, %sin) : (tensor<2x3x12x8xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<2x3x12x8xf32>
  return %y : tensor<2x3x12x8xf32>
}

// A factor of one rounds nothing.
// CHECK-LABEL: func.func @not_scaled(
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table {{.*}} rule(<default, dim = 8, base = 1.000000e+04>) angles = f32 outs({{.*}} : tensor<1x12x4xbf16>, tensor<1x12x4xbf16>)
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<2x3x12x8xbf16>, tensor<1x12x4xbf16>, tensor<1x12x4xbf16>
// REMARK: rotation of 8 elements from 0, split_half, by frequency rule 'default'
func.func @not_scaled(%x: tensor<2x3x12x8xbf16>) -> tensor<2x3x12x8xbf16> {
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %c1 = arith.truncf %c : tensor<12x4xf32> to tensor<12x4xbf16>
  %s1 = arith.truncf %s : tensor<12x4xf32> to tensor<12x4xbf16>
  %m = arith.constant dense<1.0> : tensor<12x4xbf16>
  %cos = arith.mulf %c1, %m : tensor<12x4xbf16>
  %sin = arith.mulf %s1, %m : tensor<12x4xbf16>
  %y = call @rotate_bf16(%x, %cos, %sin) : (tensor<2x3x12x8xbf16>, tensor<12x4xbf16>, tensor<12x4xbf16>) -> tensor<2x3x12x8xbf16>
  return %y : tensor<2x3x12x8xbf16>
}

// What is not rounded stays in f32.
// CHECK-LABEL: func.func @wide(
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table {{.*}} rule(<default, dim = 8, base = 1.000000e+04>) angles = f32 outs({{.*}} : tensor<1x12x4xf32>, tensor<1x12x4xf32>)
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<2x3x12x8xf32>, tensor<1x12x4xf32>, tensor<1x12x4xf32>
// REMARK: rotation of 8 elements from 0, split_half, by frequency rule 'default'
func.func @wide(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %m = arith.constant dense<1.0> : tensor<12x4xf32>
  %cos = arith.mulf %c, %m : tensor<12x4xf32>
  %sin = arith.mulf %s, %m : tensor<12x4xf32>
  %y = call @rotate_f32(%x, %cos, %sin) : (tensor<2x3x12x8xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<2x3x12x8xf32>
  return %y : tensor<2x3x12x8xf32>
}

// Multiplied after it was rounded.
// CHECK-LABEL: func.func @rounded_then_scaled(
// CHECK: %[[C:.*]] = tensor.expand_shape
// CHECK: %[[S:.*]] = tensor.expand_shape
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<2x3x12x8xf32>, tensor<1x12x4xf32>, tensor<1x12x4xf32>
// REMARK: the table of cosines and sines is kept: it is rounded to 16 bits in more than one way
func.func @rounded_then_scaled(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %c1 = arith.truncf %c : tensor<12x4xf32> to tensor<12x4xbf16>
  %s1 = arith.truncf %s : tensor<12x4xf32> to tensor<12x4xbf16>
  %c2 = arith.extf %c1 : tensor<12x4xbf16> to tensor<12x4xf32>
  %s2 = arith.extf %s1 : tensor<12x4xbf16> to tensor<12x4xf32>
  %m = arith.constant dense<1.5> : tensor<12x4xf32>
  %cos = arith.mulf %c2, %m : tensor<12x4xf32>
  %sin = arith.mulf %s2, %m : tensor<12x4xf32>
  %y = call @rotate_f32(%x, %cos, %sin) : (tensor<2x3x12x8xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<2x3x12x8xf32>
  return %y : tensor<2x3x12x8xf32>
}

// Rounded, multiplied, and rounded again.
// CHECK-LABEL: func.func @scaled_narrowly(
// CHECK: %[[C:.*]] = tensor.expand_shape
// CHECK: %[[S:.*]] = tensor.expand_shape
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<2x3x12x8xbf16>, tensor<1x12x4xbf16>, tensor<1x12x4xbf16>
// REMARK: the table of cosines and sines is kept: it is rounded to 16 bits in more than one way
func.func @scaled_narrowly(%x: tensor<2x3x12x8xbf16>) -> tensor<2x3x12x8xbf16> {
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %c1 = arith.truncf %c : tensor<12x4xf32> to tensor<12x4xbf16>
  %s1 = arith.truncf %s : tensor<12x4xf32> to tensor<12x4xbf16>
  %m = arith.constant dense<1.5> : tensor<12x4xbf16>
  %cos = arith.mulf %c1, %m : tensor<12x4xbf16>
  %sin = arith.mulf %s1, %m : tensor<12x4xbf16>
  %y = call @rotate_bf16(%x, %cos, %sin) : (tensor<2x3x12x8xbf16>, tensor<12x4xbf16>, tensor<12x4xbf16>) -> tensor<2x3x12x8xbf16>
  return %y : tensor<2x3x12x8xbf16>
}

// Rounded to one type and then to another.
// CHECK-LABEL: func.func @two_types(
// CHECK: %[[C:.*]] = tensor.expand_shape
// CHECK: %[[S:.*]] = tensor.expand_shape
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<2x3x12x8xbf16>, tensor<1x12x4xbf16>, tensor<1x12x4xbf16>
// REMARK: the table of cosines and sines is kept: it is rounded to 16 bits in more than one way
func.func @two_types(%x: tensor<2x3x12x8xbf16>) -> tensor<2x3x12x8xbf16> {
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %c1 = arith.truncf %c : tensor<12x4xf32> to tensor<12x4xf16>
  %s1 = arith.truncf %s : tensor<12x4xf32> to tensor<12x4xf16>
  %c2 = arith.extf %c1 : tensor<12x4xf16> to tensor<12x4xf32>
  %s2 = arith.extf %s1 : tensor<12x4xf16> to tensor<12x4xf32>
  %cos = arith.truncf %c2 : tensor<12x4xf32> to tensor<12x4xbf16>
  %sin = arith.truncf %s2 : tensor<12x4xf32> to tensor<12x4xbf16>
  %y = call @rotate_bf16(%x, %cos, %sin) : (tensor<2x3x12x8xbf16>, tensor<12x4xbf16>, tensor<12x4xbf16>) -> tensor<2x3x12x8xbf16>
  return %y : tensor<2x3x12x8xbf16>
}

// The sines stay as they are.
// CHECK-LABEL: func.func @only_cosines(
// CHECK: %[[C:.*]] = tensor.expand_shape
// CHECK: %[[S:.*]] = tensor.expand_shape
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<2x3x12x8xf32>, tensor<1x12x4xf32>, tensor<1x12x4xf32>
// REMARK: the table of cosines and sines is kept: it is rounded to 16 bits in more than one way
func.func @only_cosines(%x: tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32> {
  %c, %s = call @tables() : () -> (tensor<12x4xf32>, tensor<12x4xf32>)
  %c1 = arith.truncf %c : tensor<12x4xf32> to tensor<12x4xbf16>
  %cos = arith.extf %c1 : tensor<12x4xbf16> to tensor<12x4xf32>
  %one = arith.constant dense<1.0> : tensor<12x4xf32>
  %sin = arith.mulf %s, %one : tensor<12x4xf32>
  %y = call @rotate_f32(%x, %cos, %sin) : (tensor<2x3x12x8xf32>, tensor<12x4xf32>, tensor<12x4xf32>) -> tensor<2x3x12x8xf32>
  return %y : tensor<2x3x12x8xf32>
}

// A stored table in f32, rounded when it is read.
// CHECK-LABEL: func.func @stored(
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table {{.*}} rule(<default, dim = 4, base = 1.000000e+04>){{.*}} outs({{.*}} : tensor<1x6x2xbf16>, tensor<1x6x2xbf16>)
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]]
// REMARK: rotation of 4 elements from 0, split_half, by frequency rule 'default'
func.func @stored(%x: tensor<6x4xbf16>) -> tensor<6x4xbf16> {
  %c = arith.constant dense<[[1.000000000, 1.000000000], [0.540302306, 0.999950000], [-0.416146837, 0.999800007], [-0.989992497, 0.999550034], [-0.653643621, 0.999200107], [0.283662185, 0.998750260]]> : tensor<6x2xf32>
  %s = arith.constant dense<[[0.000000000, 0.000000000], [0.841470985, 0.009999833], [0.909297427, 0.019998667], [0.141120008, 0.029995500], [-0.756802495, 0.039989334], [-0.958924275, 0.049979169]]> : tensor<6x2xf32>
  %cos = arith.truncf %c : tensor<6x2xf32> to tensor<6x2xbf16>
  %sin = arith.truncf %s : tensor<6x2xf32> to tensor<6x2xbf16>
  %a = tensor.extract_slice %x[0, 0] [6, 2] [1, 1] : tensor<6x4xbf16> to tensor<6x2xbf16>
  %b = tensor.extract_slice %x[0, 2] [6, 2] [1, 1] : tensor<6x4xbf16> to tensor<6x2xbf16>
  %ac = arith.mulf %a, %cos : tensor<6x2xbf16>
  %bs = arith.mulf %b, %sin : tensor<6x2xbf16>
  %bc = arith.mulf %b, %cos : tensor<6x2xbf16>
  %as = arith.mulf %a, %sin : tensor<6x2xbf16>
  %u = arith.subf %ac, %bs : tensor<6x2xbf16>
  %v = arith.addf %bc, %as : tensor<6x2xbf16>
  %y = tensor.concat dim(1) %u, %v : (tensor<6x2xbf16>, tensor<6x2xbf16>) -> tensor<6x4xbf16>
  return %y : tensor<6x4xbf16>
}
