// RUN: attn-opt %s -attn-raise-rotary | FileCheck %s
// RUN: attn-opt %s -attn-raise-rotary -remarks-filter=attn-raise -remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Rotations of two elements, one pair, which has no variable.

#col = affine_map<(d0, d1) -> (d1)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>

// The angle is the position. The base of a single pair does not matter.
// CHECK-LABEL: func.func @computed(
// CHECK: %[[P:.*]] = attn.positions outs({{.*}} : tensor<1x6xi64>)
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table positions(%[[P]] : tensor<1x6xi64>) rule(<default, dim = 2, base = 1.000000e+04>) angles = f32 outs({{.*}} : tensor<1x6x1xf32>, tensor<1x6x1xf32>)
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<1x1x6x2xf32>, tensor<1x6x1xf32>, tensor<1x6x1xf32>
// REMARK: rotation of 2 elements from 0, split_half, by frequency rule 'default'
func.func @computed(%x: tensor<6x2xf32>) -> tensor<6x2xf32> {
  %e = tensor.empty() : tensor<6x1xf32>
  %angle = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<6x1xf32>) {
  ^bb0(%out: f32):
    %s = linalg.index 0 : index
    %i = arith.index_cast %s : index to i64
    %p = arith.sitofp %i : i64 to f32
    linalg.yield %p : f32
  } -> tensor<6x1xf32>
  %cos = math.cos %angle : tensor<6x1xf32>
  %sin = math.sin %angle : tensor<6x1xf32>
  %a = tensor.extract_slice %x[0, 0] [6, 1] [1, 1] : tensor<6x2xf32> to tensor<6x1xf32>
  %b = tensor.extract_slice %x[0, 1] [6, 1] [1, 1] : tensor<6x2xf32> to tensor<6x1xf32>
  %ac = arith.mulf %a, %cos : tensor<6x1xf32>
  %bs = arith.mulf %b, %sin : tensor<6x1xf32>
  %bc = arith.mulf %b, %cos : tensor<6x1xf32>
  %as = arith.mulf %a, %sin : tensor<6x1xf32>
  %u = arith.subf %ac, %bs : tensor<6x1xf32>
  %v = arith.addf %bc, %as : tensor<6x1xf32>
  %y = tensor.concat dim(1) %u, %v : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x2xf32>
  return %y : tensor<6x2xf32>
}

// Another frequency, and elements that pass through.
// CHECK-LABEL: func.func @slower(
// CHECK: %[[P:.*]] = attn.positions outs({{.*}} : tensor<1x6xi64>)
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table positions(%[[P]] : tensor<1x6xi64>) rule(<linear, dim = 2, base = 1.000000e+04, factor = 4.000000e+00>) angles = f32 outs({{.*}} : tensor<1x6x1xf32>, tensor<1x6x1xf32>)
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<1x1x6x5xf32>, tensor<1x6x1xf32>, tensor<1x6x1xf32>
// REMARK: rotation of 2 elements from 0, split_half, by frequency rule 'linear'
func.func @slower(%x: tensor<6x5xf32>) -> tensor<6x5xf32> {
  %e = tensor.empty() : tensor<6x1xf32>
  %angle = linalg.generic {indexing_maps = [#id2], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<6x1xf32>) {
  ^bb0(%out: f32):
    %s = linalg.index 0 : index
    %i = arith.index_cast %s : index to i64
    %p = arith.sitofp %i : i64 to f32
    %q = arith.constant 0.25 : f32
    %m = arith.mulf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<6x1xf32>
  %cos = math.cos %angle : tensor<6x1xf32>
  %sin = math.sin %angle : tensor<6x1xf32>
  %a = tensor.extract_slice %x[0, 0] [6, 1] [1, 1] : tensor<6x5xf32> to tensor<6x1xf32>
  %b = tensor.extract_slice %x[0, 1] [6, 1] [1, 1] : tensor<6x5xf32> to tensor<6x1xf32>
  %rest = tensor.extract_slice %x[0, 2] [6, 3] [1, 1] : tensor<6x5xf32> to tensor<6x3xf32>
  %ac = arith.mulf %a, %cos : tensor<6x1xf32>
  %bs = arith.mulf %b, %sin : tensor<6x1xf32>
  %bc = arith.mulf %b, %cos : tensor<6x1xf32>
  %as = arith.mulf %a, %sin : tensor<6x1xf32>
  %u = arith.subf %ac, %bs : tensor<6x1xf32>
  %v = arith.addf %bc, %as : tensor<6x1xf32>
  %y = tensor.concat dim(1) %u, %v, %rest : (tensor<6x1xf32>, tensor<6x1xf32>, tensor<6x3xf32>) -> tensor<6x5xf32>
  return %y : tensor<6x5xf32>
}

// A frequency that is given.
// CHECK-LABEL: func.func @explicit(
// CHECK: attn.rotary_table positions({{.*}}) frequencies({{.*}} : tensor<1xf32>) angles = f32
// CHECK: attn.rotary split_half
// REMARK: rotation of 2 elements from 0, split_half, by explicit frequencies
func.func @explicit(%x: tensor<6x2xf32>, %f: tensor<1xf32>) -> tensor<6x2xf32> {
  %e = tensor.empty() : tensor<6x1xf32>
  %angle = linalg.generic {indexing_maps = [#col, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%f : tensor<1xf32>) outs(%e : tensor<6x1xf32>) {
  ^bb0(%w: f32, %out: f32):
    %s = linalg.index 0 : index
    %i = arith.index_cast %s : index to i64
    %p = arith.sitofp %i : i64 to f32
    %m = arith.mulf %p, %w : f32
    linalg.yield %m : f32
  } -> tensor<6x1xf32>
  %cos = math.cos %angle : tensor<6x1xf32>
  %sin = math.sin %angle : tensor<6x1xf32>
  %a = tensor.extract_slice %x[0, 0] [6, 1] [1, 1] : tensor<6x2xf32> to tensor<6x1xf32>
  %b = tensor.extract_slice %x[0, 1] [6, 1] [1, 1] : tensor<6x2xf32> to tensor<6x1xf32>
  %ac = arith.mulf %a, %cos : tensor<6x1xf32>
  %bs = arith.mulf %b, %sin : tensor<6x1xf32>
  %bc = arith.mulf %b, %cos : tensor<6x1xf32>
  %as = arith.mulf %a, %sin : tensor<6x1xf32>
  %u = arith.subf %ac, %bs : tensor<6x1xf32>
  %v = arith.addf %bc, %as : tensor<6x1xf32>
  %y = tensor.concat dim(1) %u, %v : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x2xf32>
  return %y : tensor<6x2xf32>
}

// Rows of a stored table.
// CHECK-LABEL: func.func @stored(
// CHECK: %[[P:.*]] = attn.positions outs({{.*}} : tensor<1x6xi64>)
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table positions(%[[P]] : tensor<1x6xi64>) rule(<default, dim = 2, base = 1.000000e+04>) outs({{.*}} : tensor<1x6x1xf32>, tensor<1x6x1xf32>)
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<1x1x6x2xf32>, tensor<1x6x1xf32>, tensor<1x6x1xf32>
// REMARK: rotation of 2 elements from 0, split_half, by frequency rule 'default'
func.func @stored(%x: tensor<6x2xf32>) -> tensor<6x2xf32> {
  %cos = arith.constant dense<[[1.000000000], [0.540302306], [-0.416146837], [-0.989992497], [-0.653643621], [0.283662185]]> : tensor<6x1xf32>
  %sin = arith.constant dense<[[0.000000000], [0.841470985], [0.909297427], [0.141120008], [-0.756802495], [-0.958924275]]> : tensor<6x1xf32>
  %a = tensor.extract_slice %x[0, 0] [6, 1] [1, 1] : tensor<6x2xf32> to tensor<6x1xf32>
  %b = tensor.extract_slice %x[0, 1] [6, 1] [1, 1] : tensor<6x2xf32> to tensor<6x1xf32>
  %ac = arith.mulf %a, %cos : tensor<6x1xf32>
  %bs = arith.mulf %b, %sin : tensor<6x1xf32>
  %bc = arith.mulf %b, %cos : tensor<6x1xf32>
  %as = arith.mulf %a, %sin : tensor<6x1xf32>
  %u = arith.subf %ac, %bs : tensor<6x1xf32>
  %v = arith.addf %bc, %as : tensor<6x1xf32>
  %y = tensor.concat dim(1) %u, %v : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x2xf32>
  return %y : tensor<6x2xf32>
}

// The second column of a larger one.
// CHECK-LABEL: func.func @stored_column(
// CHECK: %[[P:.*]] = attn.positions outs({{.*}} : tensor<1x6xi64>)
// CHECK: %[[C:.*]], %[[S:.*]] = attn.rotary_table positions(%[[P]] : tensor<1x6xi64>) rule(<default, dim = 2, base = 1.000000e+04>) outs({{.*}} : tensor<1x6x1xf32>, tensor<1x6x1xf32>)
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<1x1x6x2xf32>, tensor<1x6x1xf32>, tensor<1x6x1xf32>
// REMARK: rotation of 2 elements from 0, split_half, by frequency rule 'default'
func.func @stored_column(%x: tensor<6x2xf32>) -> tensor<6x2xf32> {
  %cs = arith.constant dense<[[1.000000000, 1.000000000], [0.877582562, 0.540302306], [0.540302306, -0.416146837], [0.070737202, -0.989992497], [-0.416146837, -0.653643621], [-0.801143616, 0.283662185], [-0.989992497, 0.960170287], [-0.936456687, 0.753902254]]> : tensor<8x2xf32>
  %sn = arith.constant dense<[[0.000000000, 0.000000000], [0.479425539, 0.841470985], [0.841470985, 0.909297427], [0.997494987, 0.141120008], [0.909297427, -0.756802495], [0.598472144, -0.958924275], [0.141120008, -0.279415498], [-0.350783228, 0.656986599]]> : tensor<8x2xf32>
  %cos = tensor.extract_slice %cs[0, 1] [6, 1] [1, 1] : tensor<8x2xf32> to tensor<6x1xf32>
  %sin = tensor.extract_slice %sn[0, 1] [6, 1] [1, 1] : tensor<8x2xf32> to tensor<6x1xf32>
  %a = tensor.extract_slice %x[0, 0] [6, 1] [1, 1] : tensor<6x2xf32> to tensor<6x1xf32>
  %b = tensor.extract_slice %x[0, 1] [6, 1] [1, 1] : tensor<6x2xf32> to tensor<6x1xf32>
  %ac = arith.mulf %a, %cos : tensor<6x1xf32>
  %bs = arith.mulf %b, %sin : tensor<6x1xf32>
  %bc = arith.mulf %b, %cos : tensor<6x1xf32>
  %as = arith.mulf %a, %sin : tensor<6x1xf32>
  %u = arith.subf %ac, %bs : tensor<6x1xf32>
  %v = arith.addf %bc, %as : tensor<6x1xf32>
  %y = tensor.concat dim(1) %u, %v : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x2xf32>
  return %y : tensor<6x2xf32>
}

// Tables that are given.
// CHECK-LABEL: func.func @given(
// CHECK: %[[COS:.*]] = tensor.extract_slice %arg1
// CHECK: %[[C:.*]] = tensor.expand_shape %[[COS]]
// CHECK: %[[SIN:.*]] = tensor.extract_slice %arg2
// CHECK: %[[S:.*]] = tensor.expand_shape %[[SIN]]
// CHECK: attn.rotary split_half {{.*}}, %[[C]], %[[S]] : tensor<1x1x6x2xf32>, tensor<1x6x1xf32>, tensor<1x6x1xf32>
// REMARK: rotation of 2 elements from 0, split_half, by tensors of cosines and sines
func.func @given(%x: tensor<6x2xf32>, %cos: tensor<6x1xf32>, %sin: tensor<6x1xf32>) -> tensor<6x2xf32> {
  %a = tensor.extract_slice %x[0, 0] [6, 1] [1, 1] : tensor<6x2xf32> to tensor<6x1xf32>
  %b = tensor.extract_slice %x[0, 1] [6, 1] [1, 1] : tensor<6x2xf32> to tensor<6x1xf32>
  %ac = arith.mulf %a, %cos : tensor<6x1xf32>
  %bs = arith.mulf %b, %sin : tensor<6x1xf32>
  %bc = arith.mulf %b, %cos : tensor<6x1xf32>
  %as = arith.mulf %a, %sin : tensor<6x1xf32>
  %u = arith.subf %ac, %bs : tensor<6x1xf32>
  %v = arith.addf %bc, %as : tensor<6x1xf32>
  %y = tensor.concat dim(1) %u, %v : (tensor<6x1xf32>, tensor<6x1xf32>) -> tensor<6x2xf32>
  return %y : tensor<6x2xf32>
}
