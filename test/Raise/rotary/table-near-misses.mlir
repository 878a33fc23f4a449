// RUN: attn-opt %s -inline -attn-raise-rotary -remarks-filter=attn-raise 2>&1 | FileCheck %s

// Products with what is no cosine and sine of one angle of a position stay as
// they are, and are explained.
// CHECK-NOT: attn.rotary

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

// The sine is a hyperbolic tangent.
// CHECK: Reason="one factor is a cosine or a sine and the other is not its match"
func.func @other_sine(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
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
      %z = arith.mulf %p, %f : f32
      linalg.yield %z : f32
    } -> tensor<4x2xf32>
  %c = math.cos %angle : tensor<4x2xf32>
  %s = math.tanh %angle : tensor<4x2xf32>
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// The sines are those of the next position.
// CHECK: Reason="cosine and sine are read at different positions"
func.func @rows_apart(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %cs = arith.constant dense<[[1.0, 1.0], [0.540302306, 0.99995], [-0.416146837, 0.999800007], [-0.989992497, 0.999550034], [-0.653643621, 0.999200107]]> : tensor<5x2xf32>
  %sn = arith.constant dense<[[0.0, 0.0], [0.841470985, 0.00999983333], [0.909297427, 0.0199986667], [0.141120008, 0.0299955002], [-0.756802495, 0.0399893342]]> : tensor<5x2xf32>
  %c = tensor.extract_slice %cs[0, 0] [4, 2] [1, 1] : tensor<5x2xf32> to tensor<4x2xf32>
  %s = tensor.extract_slice %sn[1, 0] [4, 2] [1, 1] : tensor<5x2xf32> to tensor<4x2xf32>
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// Sines of another base.
// CHECK: Reason="the tables are not cosines and sines of one angle"
func.func @two_bases(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = arith.constant dense<[[1.0, 1.0], [0.540302306, 0.99995], [-0.416146837, 0.999800007], [-0.989992497, 0.999550034]]> : tensor<4x2xf32>
  %s = arith.constant dense<[[0.0, 0.0], [0.841470985, 0.0998334166], [0.909297427, 0.198669331], [0.141120008, 0.295520207]]> : tensor<4x2xf32>
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// Factors that could as well be what is rotated.
// CHECK: Reason="nothing tells the rotated elements from the factors"
func.func @undecided(%x: tensor<4x4xf32>, %u: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = tensor.extract_slice %u[0, 0] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %s = tensor.extract_slice %u[0, 2] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %y = call @rotate(%x, %c, %s) : (tensor<4x4xf32>, tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// Rows of tables of any size are read where they are used: reading them is a
// check.
// CHECK: Reason="no value of the graph holds the cosines and sines, and reading them anew would lose a check"
func.func @read_in_place(%x: tensor<4x4xf32>, %cs: tensor<?x2xf32>, %sn: tensor<?x2xf32>, %first: index) -> tensor<4x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %b = tensor.extract_slice %x[0, 2] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (t, d)>, affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : tensor<4x2xf32>, tensor<4x2xf32>) outs(%e, %e : tensor<4x2xf32>, tensor<4x2xf32>) {
  ^bb0(%u: f32, %v: f32, %o0: f32, %o1: f32):
    %t = linalg.index 0 : index
    %d = linalg.index 1 : index
    %p = arith.addi %t, %first : index
    %c = tensor.extract %cs[%p, %d] : tensor<?x2xf32>
    %s = tensor.extract %sn[%p, %d] : tensor<?x2xf32>
    %uc = arith.mulf %u, %c : f32
    %vs = arith.mulf %v, %s : f32
    %vc = arith.mulf %v, %c : f32
    %us = arith.mulf %u, %s : f32
    %y0 = arith.subf %uc, %vs : f32
    %y1 = arith.addf %vc, %us : f32
    linalg.yield %y0, %y1 : f32, f32
  } -> (tensor<4x2xf32>, tensor<4x2xf32>)
  %y = tensor.concat dim(1) %r#0, %r#1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// Every head counts from a position of its own.
// CHECK: Reason="the angle depends on two dimensions beside the batch"
func.func @angle_of_heads(%x: tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32> {
  %a = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 4, 2] [1, 1, 1, 1] : tensor<2x3x4x4xf32> to tensor<2x3x4x2xf32>
  %b = tensor.extract_slice %x[0, 0, 0, 2] [2, 3, 4, 2] [1, 1, 1, 1] : tensor<2x3x4x4xf32> to tensor<2x3x4x2xf32>
  %e = tensor.empty() : tensor<2x3x4x2xf32>
  %angle = linalg.generic {indexing_maps = [affine_map<(b, h, t, d) -> (b, h, t, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<2x3x4x2xf32>) {
  ^bb0(%o: f32):
    %h = linalg.index 1 : index
    %t = linalg.index 2 : index
    %i = arith.addi %h, %t : index
    %n = arith.index_cast %i : index to i64
    %z = arith.sitofp %n : i64 to f32
    linalg.yield %z : f32
  } -> tensor<2x3x4x2xf32>
  %c = math.cos %angle : tensor<2x3x4x2xf32>
  %s = math.sin %angle : tensor<2x3x4x2xf32>
  %ac = arith.mulf %a, %c : tensor<2x3x4x2xf32>
  %bs = arith.mulf %b, %s : tensor<2x3x4x2xf32>
  %bc = arith.mulf %b, %c : tensor<2x3x4x2xf32>
  %as = arith.mulf %a, %s : tensor<2x3x4x2xf32>
  %p = arith.subf %ac, %bs : tensor<2x3x4x2xf32>
  %q = arith.addf %bc, %as : tensor<2x3x4x2xf32>
  %y = tensor.concat dim(3) %p, %q : (tensor<2x3x4x2xf32>, tensor<2x3x4x2xf32>) -> tensor<2x3x4x4xf32>
  return %y : tensor<2x3x4x4xf32>
}
// CHECK-NOT: attn.rotary
