// RUN: attn-opt %s -inline -attn-raise-attention -remarks-filter=attn-raise 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// Masks that are kept as tensors or numbers are explained.

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

// Query and key are of one document, by numbers that are data.
// REMARK: Reason="a part of the mask is kept as a tensor over queries and keys: it is neither a band of constants nor a comparison of a query, a key and a number of the batch"
// CHECK-LABEL: func.func @documents
// CHECK: attn.mask.tensor keep {{.*}} : tensor<2x1x6x6xi1>
func.func @documents(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %t: tensor<2x6xi64>) -> tensor<2x6x8xf32> {
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%t, %t : tensor<2x6xi64>, tensor<2x6xi64>) outs(%eb : tensor<2x6x6xf32>) {
    ^bb0(%a: i64, %h: i64, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi eq, %a, %h : i64
      %zf = arith.constant 0.0 : f32
      %f = arith.constant 0xFF800000 : f32
      %y = arith.select %c, %zf, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %mask : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The first query keeps no key; in f32 its scores are not lost beside -1e9.
// REMARK: Reason="a mask is kept as numbers that are added: what a row without keys gives depends on them"
// CHECK-LABEL: func.func @numbers
// CHECK-NOT: attn.mask
// CHECK: attn.bias.tensor
func.func @numbers(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
     outs(%eb : tensor<2x6x6xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %zf = arith.constant 0.0 : f32
      %f = arith.constant -1.0e9 : f32
      %y = arith.select %c, %zf, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %mask : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Next to -1e4 all scores count, only less.
// REMARK: Reason="a mask adds a number that does not remove a pair: it is kept as a bias"
// CHECK-LABEL: func.func @low_numbers
// CHECK-NOT: attn.mask
// CHECK: attn.bias.tensor
func.func @low_numbers(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
     outs(%eb : tensor<2x6x6xf32>) {
    ^bb0(%o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %zf = arith.constant 0.0 : f32
      %f = arith.constant -1.0e4 : f32
      %y = arith.select %c, %zf, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %mask : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// What is given, or is of keys alone, needs no explanation.
// REMARK-NOT: Missed
// CHECK-LABEL: func.func @given
// CHECK: attn.mask.tensor keep {{.*}} : tensor<1x1x6x6xi1>
func.func @given(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %t: tensor<6x6xi1>) -> tensor<2x6x8xf32> {
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%t : tensor<6x6xi1>) outs(%eb : tensor<2x6x6xf32>) {
    ^bb0(%c: i1, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index

      %zf = arith.constant 0.0 : f32
      %f = arith.constant 0xFF800000 : f32
      %y = arith.select %c, %zf, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %mask : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// CHECK-LABEL: func.func @keys
// CHECK: attn.mask.tensor keep {{.*}} : tensor<2x1x1x6xi1>
func.func @keys(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %t: tensor<2x6xi64>) -> tensor<2x6x8xf32> {
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%t : tensor<2x6xi64>) outs(%eb : tensor<2x6x6xf32>) {
    ^bb0(%a: i64, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %three = arith.constant 3 : i64
      %c = arith.cmpi ne, %a, %three : i64
      %zf = arith.constant 0.0 : f32
      %f = arith.constant 0xFF800000 : f32
      %y = arith.select %c, %zf, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %mask : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
