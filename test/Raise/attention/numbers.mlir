// RUN: attn-opt %s -inline -convert-elementwise-to-linalg -o %t.mlir
// RUN: attn-opt %t.mlir -attn-raise-attention | FileCheck %s
// RUN: attn-run %t.mlir --entry=mean --reference --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=mean --reference=raised --compare=%t.npz --atol=1e-6
// RUN: attn-run %t.mlir --entry=nan --reference --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=nan --reference=raised --compare=%t.npz --atol=1e-6
// RUN: attn-run %t.mlir --entry=zero --reference --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=zero --reference=raised --compare=%t.npz --atol=1e-6
// RUN: attn-run %t.mlir --entry=window --reference --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=window --reference=raised --compare=%t.npz --atol=1e-6
// RUN: attn-run %t.mlir --entry=lengths --reference --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=lengths --reference=raised --compare=%t.npz --atol=1e-6
// RUN: attn-run %t.mlir --entry=key_bias --reference --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=key_bias --reference=raised --compare=%t.npz --atol=1e-6
// RUN: attn-run %t.mlir --entry=softcap --reference --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=softcap --reference=raised --compare=%t.npz --atol=1e-6
// RUN: attn-run %t.mlir --entry=reversed_bias --reference --outputs=%t.npz
// RUN: attn-run %t.mlir --entry=reversed_bias --reference=raised --compare=%t.npz --atol=1e-6

// What is raised gives the numbers of the graph, for rows without keys too.

// The parts that the functions below are put together of; they are inlined.
func.func private @scores(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>) -> tensor<2x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<2x8x6xf32>
  %kt = linalg.transpose ins(%k : tensor<2x6x8xf32>) outs(%et : tensor<2x8x6xf32>) permutation = [0, 2, 1]
  %e = tensor.empty() : tensor<2x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  return %s : tensor<2x6x6xf32>
}
func.func private @max(%s: tensor<2x6x6xf32>, %init: f32) -> tensor<2x6xf32> {
  %e = tensor.empty() : tensor<2x6xf32>
  %z = linalg.fill ins(%init : f32) outs(%e : tensor<2x6xf32>) -> tensor<2x6xf32>
  %m = linalg.reduce {arith.maximumf} ins(%s : tensor<2x6x6xf32>) outs(%z : tensor<2x6xf32>) dimensions = [2]
  return %m : tensor<2x6xf32>
}
func.func private @sum(%s: tensor<2x6x6xf32>, %init: f32) -> tensor<2x6xf32> {
  %e = tensor.empty() : tensor<2x6xf32>
  %z = linalg.fill ins(%init : f32) outs(%e : tensor<2x6xf32>) -> tensor<2x6xf32>
  %m = linalg.reduce {arith.addf} ins(%s : tensor<2x6x6xf32>) outs(%z : tensor<2x6xf32>) dimensions = [2]
  return %m : tensor<2x6xf32>
}
func.func private @row(%x: tensor<2x6xf32>) -> tensor<2x6x6xf32> {
  %e = tensor.empty() : tensor<2x6x6xf32>
  %b = linalg.broadcast ins(%x : tensor<2x6xf32>) outs(%e : tensor<2x6x6xf32>) dimensions = [2]
  return %b : tensor<2x6x6xf32>
}
func.func private @apply(%p: tensor<2x6x6xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%z : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
func.func private @softmax(%s: tensor<2x6x6xf32>) -> tensor<2x6x6xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  return %p : tensor<2x6x6xf32>
}

// The first query keeps no key and averages all values.
// CHECK-LABEL: func.func @mean(
// CHECK: empty_row = mean
func.func @mean(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %b = linalg.index 0 : index
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %f = arith.constant -3.40282347E+38 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Or gives NaN.
// CHECK-LABEL: func.func @nan(
// CHECK: empty_row = nan
func.func @nan(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %b = linalg.index 0 : index
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %f = arith.constant 0xFF800000 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Or zeros, where the maximum and the sum are guarded.
// CHECK-LABEL: func.func @zero(
// CHECK: attn.attention
// CHECK-NOT: empty_row
func.func @zero(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %b = linalg.index 0 : index
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %f = arith.constant 0xFF800000 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %l0 = arith.constant dense<0xFF800000> : tensor<2x6xf32>
  %z0 = arith.constant dense<0.0> : tensor<2x6xf32>
  %one = arith.constant dense<1.0> : tensor<2x6xf32>
  %m = call @max(%x, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mc = arith.cmpf oeq, %m, %l0 : tensor<2x6xf32>
  %mg = arith.select %mc, %z0, %m : tensor<2x6xi1>, tensor<2x6xf32>
  %mb = call @row(%mg) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %x, %mb : tensor<2x6x6xf32>
  %w = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%w, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %uc = arith.cmpf oeq, %u, %z0 : tensor<2x6xf32>
  %ug = arith.select %uc, %one, %u : tensor<2x6xi1>, tensor<2x6xf32>
  %ub = call @row(%ug) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %w, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Two keys back, not three.
// CHECK-LABEL: func.func @window(
// CHECK: attn.mask.window left 1
func.func @window(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %b = linalg.index 0 : index
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %d = arith.subi %i, %j : index
      %two = arith.constant 2 : index
      %c0 = arith.cmpi slt, %d, %two : index
      %c1 = arith.cmpi sle, %j, %i : index
      %c = arith.andi %c0, %c1 : i1
      %f = arith.constant 0xFF800000 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Right padding by lengths that may be 0, or more than there are keys.
// CHECK-LABEL: func.func @lengths(
// CHECK: attn.mask.padding
func.func @lengths(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %len: tensor<2xi64>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %len : tensor<2x6x6xf32>, tensor<2xi64>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %h: i64, %o: f32):
      %b = linalg.index 0 : index
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %n = arith.index_cast %j : index to i64
      %c = arith.cmpi slt, %n, %h : i64
      %f = arith.constant -3.40282347E+38 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// A slope times the number of the key: ALiBi up to a number of the row.
// CHECK-LABEL: func.func @key_bias(
// CHECK: attn.bias.alibi
func.func @key_bias(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %b = linalg.index 0 : index
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %n = arith.index_cast %j : index to i64
      %g = arith.sitofp %n : i64 to f32
      %half = arith.constant 0.5 : f32
      %t = arith.mulf %g, %half : f32
      %y = arith.addf %a, %t : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Capped, then masked.
// CHECK-LABEL: func.func @softcap(
// CHECK: softcap = 5
func.func @softcap(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s0 = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %inv = arith.constant dense<0.2> : tensor<2x6x6xf32>
  %cap = arith.constant dense<5.0> : tensor<2x6x6xf32>
  %n0 = arith.mulf %s0, %inv : tensor<2x6x6xf32>
  %n1 = math.tanh %n0 : tensor<2x6x6xf32>
  %s = arith.mulf %n1, %cap : tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %b = linalg.index 0 : index
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %f = arith.constant -1.0e9 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Keys and queries of the bias are exchanged.
// CHECK-LABEL: func.func @reversed_bias(
// CHECK: attn.bias.tensor
func.func @reversed_bias(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %t: tensor<6x6xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (j, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %t : tensor<2x6x6xf32>, tensor<6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %h: f32, %o: f32):
      %b = linalg.index 0 : index
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %y = arith.addf %a, %h : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
