// RUN: attn-opt %s -inline -attn-raise-attention -remarks-filter=attn-raise 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// Biases that are no ALiBi are kept as tensors, and are explained.

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

// Minus the square of the distance.
// REMARK: Reason="a bias is kept as a tensor: its values are no slopes times distances of query and key"
// CHECK-LABEL: func.func @squares
// CHECK-NOT: attn.bias.alibi
// CHECK: attn.bias.tensor
func.func @squares(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
     outs(%eb : tensor<2x6x6xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %d = arith.subi %j, %i : index
      %n = arith.index_cast %d : index to i64
      %f = arith.sitofp %n : i64 to f32
      %g = arith.negf %f : f32
      %y = arith.mulf %f, %g : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %bias : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Data of type f32, which may be any number.
// REMARK: Reason="a bias is kept as a tensor: it is no product of slopes and one integer that depends on query and key"
// CHECK-LABEL: func.func @times
// CHECK-NOT: attn.bias.alibi
// CHECK: attn.bias.tensor
func.func @times(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %t: tensor<6xf32>) -> tensor<2x6x8xf32> {
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%t : tensor<6xf32>) outs(%eb : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %y = math.exp %a : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %bias : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Positions of keys that are data: next to padding they are no distance.
// REMARK: Reason="a bias is kept as a tensor: the integer in it is no distance of query and key"
// CHECK-LABEL: func.func @positions
// CHECK-NOT: attn.bias.alibi
// CHECK: attn.bias.tensor
func.func @positions(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %t: tensor<2x6xi64>) -> tensor<2x6x8xf32> {
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%t : tensor<2x6xi64>) outs(%eb : tensor<2x6x6xf32>) {
    ^bb0(%a: i64, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %half = arith.constant 0.5 : f32
      %f = arith.sitofp %a : i64 to f32
      %y = arith.mulf %f, %half : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %bias : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// A slope that is a sum, which no tensor of the graph holds in the order of heads.
// REMARK: Reason="a bias is kept as a tensor: the slopes or the offset cannot be computed anew"
// CHECK-LABEL: func.func @summed_slopes
// CHECK-NOT: attn.bias.alibi
// CHECK: attn.bias.tensor
func.func @summed_slopes(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %t: tensor<2x3xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %u = linalg.reduce {arith.addf} ins(%t : tensor<2x3xf32>) outs(%z : tensor<2xf32>) dimensions = [1]
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%u : tensor<2xf32>) outs(%eb : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %d = arith.subi %j, %i : index
      %n = arith.index_cast %d : index to i64
      %f = arith.sitofp %n : i64 to f32
      %y = arith.mulf %f, %a : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %bias : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// What is given needs no explanation.
// REMARK-NOT: Missed
// CHECK-LABEL: func.func @given
// CHECK: attn.bias.tensor
func.func @given(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %t: tensor<6x6xf32>) -> tensor<2x6x8xf32> {
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%t : tensor<6x6xf32>) outs(%eb : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %half = arith.constant 0.5 : f32
      %y = arith.mulf %a, %half : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %bias : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
