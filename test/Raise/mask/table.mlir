// RUN: attn-opt %s -inline -attn-raise-attention | FileCheck %s

// Constant tables of floats that are added: what removes is a mask, the rest a
// bias.

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

// A triangle of -inf.
// CHECK-LABEL: func.func @causal(
// CHECK-NOT: attn.bias
// CHECK: %[[M:.*]] = attn.mask.causal{{$}}
// CHECK: attn.attention {{.*}}mask(%[[M]]) outs
func.func @causal(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %t = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %m = linalg.broadcast ins(%t : tensor<6x6xf32>) outs(%e : tensor<2x6x6xf32>) dimensions = [0]
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %m : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The first row is of the lowest number, which the scores drown in.
// CHECK-LABEL: func.func @strict(
// CHECK-NOT: attn.bias
// CHECK: %[[M:.*]] = attn.mask.causal offset(
// CHECK: attn.attention {{.*}}mask(%[[M]]) empty_row = mean outs
func.func @strict(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %t = arith.constant dense<[[-3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38], [0.0, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, 0.0, -3.40282347E+38, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, 0.0, 0.0, -3.40282347E+38, -3.40282347E+38], [0.0, 0.0, 0.0, 0.0, 0.0, -3.40282347E+38]]> : tensor<6x6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %m = linalg.broadcast ins(%t : tensor<6x6xf32>) outs(%e : tensor<2x6x6xf32>) dimensions = [0]
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %m : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Numbers where pairs are kept.
// CHECK-LABEL: func.func @with_bias(
// CHECK: %[[M:.*]] = attn.mask.causal{{$}}
// CHECK: %[[B:.*]] = attn.bias.tensor {{.*}} : tensor<1x1x6x6xf32>
// CHECK: attn.attention {{.*}}bias(%[[B]]) mask(%[[M]]) outs
func.func @with_bias(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %t = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 1.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 2.0, 1.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000], [0.0, 1.0, 2.0, 0.0, 1.0, 0xFF800000], [0.0, 2.0, 1.0, 0.0, 2.0, 1.0]]> : tensor<6x6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %m = linalg.broadcast ins(%t : tensor<6x6xf32>) outs(%e : tensor<2x6x6xf32>) dimensions = [0]
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %m : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Two numbers that remove: which row gets what depends on both.
// CHECK-LABEL: func.func @two_fills(
// CHECK-NOT: attn.mask
// CHECK: attn.bias.tensor
func.func @two_fills(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %t = arith.constant dense<[[-2.0e4, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, -2.0e4, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, -2.0e4, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, -2.0e4, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, -2.0e4, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, -2.0e4]]> : tensor<6x6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %m = linalg.broadcast ins(%t : tensor<6x6xf32>) outs(%e : tensor<2x6x6xf32>) dimensions = [0]
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %m : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Numbers that scores may reach.
// CHECK-LABEL: func.func @small(
// CHECK-NOT: attn.mask
// CHECK: attn.bias.tensor
func.func @small(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %t = arith.constant dense<[[0.0, -100.0, -100.0, -100.0, -100.0, -100.0], [0.0, 0.0, -100.0, -100.0, -100.0, -100.0], [0.0, 0.0, 0.0, -100.0, -100.0, -100.0], [0.0, 0.0, 0.0, 0.0, -100.0, -100.0], [0.0, 0.0, 0.0, 0.0, 0.0, -100.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<6x6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %m = linalg.broadcast ins(%t : tensor<6x6xf32>) outs(%e : tensor<2x6x6xf32>) dimensions = [0]
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %m : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
