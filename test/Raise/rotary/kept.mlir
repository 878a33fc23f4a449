// RUN: attn-opt %s -inline -attn-raise-rotary -remarks-filter=attn-raise 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// Rotations by what is no known table: they are raised, the cosines and sines
// stay, and are explained.

// The rotation of the halves of %x by cosines %c and sines %s; it is inlined.
func.func private @rotate(%x: tensor<4x4xf32>, %c: tensor<4x2xf32>, %s: tensor<4x2xf32>) -> tensor<4x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %b = tensor.extract_slice %x[0, 2] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %ac = arith.mulf %a, %c : tensor<4x2xf32>
  %bs = arith.mulf %b, %s : tensor<4x2xf32>
  %bc = arith.mulf %b, %c : tensor<4x2xf32>
  %as = arith.mulf %a, %s : tensor<4x2xf32>
  %p = arith.subf %ac, %bs : tensor<4x2xf32>
  %q = arith.addf %bc, %as : tensor<4x2xf32>
  %y = tensor.concat dim(1) %p, %q : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// The angle of position 0 is not 0.
// REMARK: Reason="the table of cosines and sines is kept: the angle is no position times a frequency, in f32 or wider"
// CHECK-LABEL: func.func @shifted_angle(
// CHECK-NOT: attn.rotary_table
// CHECK: attn.rotary split_half
func.func @shifted_angle(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x2xf32>
  %angle = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x2xf32>) {
    ^bb0(%o: f32):
      %t = linalg.index 0 : index
      %d = linalg.index 1 : index
      %n = arith.index_cast %t : index to i64
      %p = arith.sitofp %n : i64 to f32
      %m = arith.index_cast %d : index to i64
      %g = arith.sitofp %m : i64 to f32
      %ten = arith.constant 0.1 : f32
      %f = math.powf %ten, %g : f32
      %one = arith.constant 1.0 : f32
      %w = arith.mulf %p, %f : f32
      %z = arith.addf %w, %one : f32
      linalg.yield %z : f32
    } -> tensor<4x2xf32>
  %c = math.cos %angle : tensor<4x2xf32>
  %s = math.sin %angle : tensor<4x2xf32>
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// Frequencies from a vector whose size is not known: reading one is a check.
// REMARK: Reason="the table of cosines and sines is kept: the frequencies are narrower than f32, or cannot be computed anew without losing a check"
// CHECK-LABEL: func.func @gathered_frequencies(
// CHECK-NOT: attn.rotary_table
// CHECK: attn.rotary split_half
func.func @gathered_frequencies(%x: tensor<4x4xf32>, %freq: tensor<?xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x2xf32>
  %angle = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x2xf32>) {
    ^bb0(%o: f32):
      %t = linalg.index 0 : index
      %d = linalg.index 1 : index
      %n = arith.index_cast %t : index to i64
      %p = arith.sitofp %n : i64 to f32
      %m = arith.index_cast %d : index to i64
      %g = arith.sitofp %m : i64 to f32
      %ten = arith.constant 0.1 : f32
      %f = math.powf %ten, %g : f32
      %h = tensor.extract %freq[%d] : tensor<?xf32>
      %z = arith.mulf %p, %h : f32
      linalg.yield %z : f32
    } -> tensor<4x2xf32>
  %c = math.cos %angle : tensor<4x2xf32>
  %s = math.sin %angle : tensor<4x2xf32>
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// The same row for every position.
// REMARK: Reason="the table of cosines and sines is kept: it is no constant with a row for each position and a column for each pair"
// CHECK-LABEL: func.func @one_row(
// CHECK-NOT: attn.rotary_table
// CHECK: attn.rotary split_half
func.func @one_row(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %cs = arith.constant dense<[0.540302306, 0.99995]> : tensor<2xf32>
  %sn = arith.constant dense<[0.841470985, 0.00999983333]> : tensor<2xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %c = linalg.broadcast ins(%cs : tensor<2xf32>) outs(%e : tensor<4x2xf32>) dimensions = [0]
  %s = linalg.broadcast ins(%sn : tensor<2xf32>) outs(%e : tensor<4x2xf32>) dimensions = [0]
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// Frequencies 0.7 and 0.123456.
// REMARK: Reason="the table of cosines and sines is kept: its frequencies follow no known rule"
// CHECK-LABEL: func.func @no_rule(
// CHECK-NOT: attn.rotary_table
// CHECK: attn.rotary split_half
func.func @no_rule(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant dense<[[1.0, 1.0], [0.764842187, 0.992388982], [0.169967143, 0.969671784], [-0.504846105, 0.932194208]]> : tensor<4x2xf32>
  %s = arith.constant dense<[[0.0, 0.0], [0.644217687, 0.123142632], [0.98544973, 0.244410783], [0.863209367, 0.361958504]]> : tensor<4x2xf32>
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// The last row is that of position 5.
// REMARK: Reason="the table of cosines and sines is kept: some of its rows are not what its frequencies give"
// CHECK-LABEL: func.func @last_row(
// CHECK-NOT: attn.rotary_table
// CHECK: attn.rotary split_half
func.func @last_row(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant dense<[[1.0, 1.0], [0.540302306, 0.99995], [-0.416146837, 0.999800007], [0.283662185, 0.99875026]]> : tensor<4x2xf32>
  %s = arith.constant dense<[[0.0, 0.0], [0.841470985, 0.00999983333], [0.909297427, 0.0199986667], [-0.958924275, 0.0499791693]]> : tensor<4x2xf32>
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// Any numbers.
// REMARK: Reason="the table of cosines and sines is kept: it is neither computed by cosine and sine nor constant"
// CHECK-LABEL: func.func @other_functions(
// CHECK-NOT: attn.rotary_table
// CHECK: attn.rotary split_half
func.func @other_functions(%x: tensor<4x4xf32>, %u: tensor<4x2xf32>) -> tensor<4x4xf32> {
  %c = math.exp %u : tensor<4x2xf32>
  %s = math.tanh %u : tensor<4x2xf32>
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// Positions read from every second place of a tensor whose size is not known.
// REMARK: Reason="the positions or the frequencies cannot be had as a tensor"
// CHECK-LABEL: func.func @gathered_positions(
// CHECK-NOT: attn.rotary_table
// CHECK: attn.rotary split_half
func.func @gathered_positions(%x: tensor<4x4xf32>, %pos: tensor<?xi64>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x2xf32>
  %angle = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x2xf32>) {
    ^bb0(%o: f32):
      %t = linalg.index 0 : index
      %d = linalg.index 1 : index
      %n = arith.index_cast %t : index to i64
      %p = arith.sitofp %n : i64 to f32
      %m = arith.index_cast %d : index to i64
      %g = arith.sitofp %m : i64 to f32
      %ten = arith.constant 0.1 : f32
      %f = math.powf %ten, %g : f32
      %c2 = arith.constant 2 : index
      %at = arith.muli %t, %c2 : index
      %k = tensor.extract %pos[%at] : tensor<?xi64>
      %h = arith.sitofp %k : i64 to f32
      %z = arith.mulf %h, %f : f32
      linalg.yield %z : f32
    } -> tensor<4x2xf32>
  %c = math.cos %angle : tensor<4x2xf32>
  %s = math.sin %angle : tensor<4x2xf32>
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// What is given needs no explanation.
// REMARK-NOT: Missed
// CHECK-LABEL: func.func @given(
// CHECK: attn.rotary split_half
func.func @given(%x: tensor<4x4xf32>, %c: tensor<4x2xf32>, %s: tensor<4x2xf32>) -> tensor<4x4xf32> {
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
