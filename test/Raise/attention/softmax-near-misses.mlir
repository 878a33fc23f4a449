// RUN: attn-opt %s -inline -attn-raise-attention -remarks-filter=attn-raise 2>&1 | FileCheck %s

// What is close to a softmax over the keys but is none stays as it is, and is
// explained.
// CHECK-NOT: attn.attention

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

// Every column sums up to one.
// CHECK: Reason="the softmax does not run over the keys"
func.func @op_over_queries(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The probability of a key is that of the diagonal.
// CHECK: Reason="the key is more than one index of the softmax"
func.func @op_diagonal(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %z = arith.constant 0.0 : f32
  %pd = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, j, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) {
    ^bb0(%x: f32, %o: f32):
      linalg.yield %x : f32
    } -> tensor<2x6x6xf32>
  %r = call @apply(%pd, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Two of the keys have no values: they are in the sum all the same.
// CHECK: Reason="the softmax runs over more than the keys and a sink"
func.func @op_over_more(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %ps = tensor.extract_slice %p[0, 0, 0] [2, 6, 4] [1, 1, 1] : tensor<2x6x6xf32> to tensor<2x6x4xf32>
  %vs = tensor.extract_slice %v[0, 0, 0] [2, 4, 8] [1, 1, 1] : tensor<2x6x8xf32> to tensor<2x4x8xf32>
  %zero = arith.constant 0.0 : f32
  %eo = tensor.empty() : tensor<2x6x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.batch_matmul ins(%ps, %vs : tensor<2x6x4xf32>, tensor<2x4x8xf32>) outs(%zo : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// A row is zeroed by its number.
// CHECK: Reason="the condition that zeroes a row is not about all its keys"
func.func @some_rows_zeroed(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p0 = arith.divf %x, %ub : tensor<2x6x6xf32>

  %ep = tensor.empty() : tensor<2x6x6xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p0 : tensor<2x6x6xf32>) outs(%ep : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c2 = arith.constant 2 : index
      %c = arith.cmpi sle, %i, %c2 : index
      %y = arith.select %c, %zero, %a : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The largest score of a row is below zero, and no score is left out.
// CHECK: Reason="the condition that zeroes a row is not about all its keys"
func.func @rows_below_zero_zeroed(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p0 = arith.divf %x, %ub : tensor<2x6x6xf32>

  %ep = tensor.empty() : tensor<2x6x6xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p0 : tensor<2x6x6xf32>) outs(%ep : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %b = linalg.index 0 : index
      %mx = tensor.extract %m[%b, %i] : tensor<2x6xf32>
      %c = arith.cmpf olt, %mx, %zero : f32
      %y = arith.select %c, %zero, %a : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The maximum starts from 0, so it is never -inf.
// CHECK: Reason="the condition that zeroes a row is not about all its keys"
func.func @maximum_with_start_zeroed(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p0 = arith.divf %x, %ub : tensor<2x6x6xf32>
  %m0 = call @max(%s, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ep = tensor.empty() : tensor<2x6x6xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p0 : tensor<2x6x6xf32>) outs(%ep : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %b = linalg.index 0 : index
      %mx = tensor.extract %m0[%b, %i] : tensor<2x6xf32>
      %c = arith.cmpf oeq, %mx, %low : f32
      %y = arith.select %c, %zero, %a : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// What is masked gets a probability of one.
// CHECK: Reason="probabilities are replaced by something that is not zero"
func.func @replaced_by_one(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p0 = arith.divf %x, %ub : tensor<2x6x6xf32>

  %ep = tensor.empty() : tensor<2x6x6xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p0 : tensor<2x6x6xf32>) outs(%ep : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %one = arith.constant 1.0 : f32
      %c = arith.cmpi sle, %j, %i : index
      %y = arith.select %c, %a, %one : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Rows do not sum up to one.
// CHECK: Reason="probabilities are masked after the softmax"
func.func @masked(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p0 = arith.divf %x, %ub : tensor<2x6x6xf32>

  %ep = tensor.empty() : tensor<2x6x6xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p0 : tensor<2x6x6xf32>) outs(%ep : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi sle, %j, %i : index
      %y = arith.select %c, %a, %zero : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// A sum below one is one.
// CHECK: Reason="the sum of the exponentials is chosen by something else than being zero"
func.func @small_sums_replaced(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %one = arith.constant dense<1.0> : tensor<2x6xf32>
  %c = arith.cmpf olt, %u, %one : tensor<2x6xf32>
  %ug = arith.select %c, %one, %u : tensor<2x6xi1>, tensor<2x6xf32>
  %ub = call @row(%ug) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// A sum of zero becomes -1.
// CHECK: Reason="the sum of the exponentials is chosen by something else than being zero"
func.func @zero_sum_negative(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %one = arith.constant dense<-1.0> : tensor<2x6xf32>
  %z0 = arith.constant dense<0.0> : tensor<2x6xf32>
  %c = arith.cmpf oeq, %u, %z0 : tensor<2x6xf32>
  %ug = arith.select %c, %one, %u : tensor<2x6xi1>, tensor<2x6xf32>
  %ub = call @row(%ug) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// One is added to the sum: a key that takes part without a value.
// CHECK: Reason="what is added to the sum of the exponentials is not that of a sink"
func.func @sum_plus_one(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %one = arith.constant dense<1.0> : tensor<2x6xf32>
  %ug = arith.addf %u, %one : tensor<2x6xf32>
  %ub = call @row(%ug) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The sum starts from one.
// CHECK: Reason="what is added to the sum of the exponentials is not that of a sink"
func.func @sum_from_one(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %one = arith.constant 1.0 : f32
  %u = call @sum(%x, %one) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The exponentials of a column are summed.
// CHECK: Reason="the softmax does not run over the keys"
func.func @sum_over_queries(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %eu = tensor.empty() : tensor<2x6xf32>
  %zu = linalg.fill ins(%zero : f32) outs(%eu : tensor<2x6xf32>) -> tensor<2x6xf32>
  %u = linalg.reduce {arith.addf} ins(%x : tensor<2x6x6xf32>) outs(%zu : tensor<2x6xf32>) dimensions = [1]
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %ub = linalg.broadcast ins(%u : tensor<2x6xf32>) outs(%eb : tensor<2x6x6xf32>) dimensions = [1]
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The last two keys are not in the sum.
// CHECK: Reason="the sum of the exponentials does not run over the keys"
func.func @sum_over_some(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %xs = tensor.extract_slice %x[0, 0, 0] [2, 6, 4] [1, 1, 1] : tensor<2x6x6xf32> to tensor<2x6x4xf32>
  %eu = tensor.empty() : tensor<2x6xf32>
  %zu = linalg.fill ins(%zero : f32) outs(%eu : tensor<2x6xf32>) -> tensor<2x6xf32>
  %u = linalg.reduce {arith.addf} ins(%xs : tensor<2x6x4xf32>) outs(%zu : tensor<2x6xf32>) dimensions = [2]
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The exponentials that are summed are half of those that are divided.
// CHECK: Reason="the exponentials that are summed are not those that are divided"
func.func @sum_of_halves(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %half = arith.constant dense<0.5> : tensor<2x6x6xf32>
  %dh = arith.mulf %d, %half : tensor<2x6x6xf32>
  %xh = math.exp %dh : tensor<2x6x6xf32>
  %u = call @sum(%xh, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// A maximum below 0 is 0: the same numbers but for overflow, which is not proved.
// CHECK: Reason="the row maximum is chosen by something else than being -inf"
func.func @small_maximum_replaced(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %z0 = arith.constant dense<0.0> : tensor<2x6xf32>
  %c = arith.cmpf olt, %m, %z0 : tensor<2x6xf32>
  %mg = arith.select %c, %z0, %m : tensor<2x6xi1>, tensor<2x6xf32>
  %mb = call @row(%mg) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// A row without keys gives NaN, though its sum is guarded.
// CHECK: Reason="the row maximum is chosen by something else than being -inf"
func.func @maximum_becomes_nan(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %l0 = arith.constant dense<0xFF800000> : tensor<2x6xf32>
  %z0 = arith.constant dense<0x7FC00000> : tensor<2x6xf32>
  %c = arith.cmpf oeq, %m, %l0 : tensor<2x6xf32>
  %mg = arith.select %c, %z0, %m : tensor<2x6xi1>, tensor<2x6xf32>
  %mb = call @row(%mg) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The shift is the sum of the scores: exponentials may overflow.
// CHECK: Reason="the exponent is not shifted by a maximum"
func.func @shift_by_sum(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @sum(%s, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The divisor is the root of the sum.
// CHECK: Reason="the divisor is no sum of the exponentials"
func.func @root_of_sum(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %w = math.sqrt %u : tensor<2x6xf32>
  %ub = call @row(%w) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Two of the lowest f16 are -inf, which a guard of the row sees; the accumulators do not.
// CHECK: Reason="rows are zeroed where scores overflow in 16 bits"
func.func @guarded_f16(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c0 = arith.constant 0 : index
      %c = arith.cmpi slt, %j, %i : index
      %d = arith.cmpi sgt, %i, %c0 : index
      %zero = arith.constant 0.0 : f16
      %low = arith.constant -65504.0 : f16
      %f = arith.select %c, %zero, %low : f16
      %g = arith.select %d, %zero, %low : f16
      %h = arith.truncf %a : f32 to f16
      %y0 = arith.addf %h, %f : f16
      %y1 = arith.addf %y0, %g : f16
      %y = arith.extf %y1 : f16 to f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %m = call @max(%x, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %lows = arith.constant dense<0xFF800000> : tensor<2x6xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x6xf32>
  %empty = arith.cmpf oeq, %m, %lows : tensor<2x6xf32>
  %mg = arith.select %empty, %zeros, %m : tensor<2x6xi1>, tensor<2x6xf32>
  %mb = call @row(%mg) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %x, %mb : tensor<2x6x6xf32>
  %z = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%z, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ones = arith.constant dense<1.0> : tensor<2x6xf32>
  %none = arith.cmpf oeq, %u, %zeros : tensor<2x6xf32>
  %l = arith.select %none, %ones, %u : tensor<2x6xi1>, tensor<2x6xf32>
  %ub = call @row(%l) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %z, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Something takes part in the maximum, and not in the sum as a sink does.
// CHECK: Reason="the maximum does not start from the lowest value"
func.func @maximum_of_two(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %z0 = arith.constant dense<1.0> : tensor<2x6xf32>
  %mg = arith.maximumf %m, %z0 : tensor<2x6xf32>
  %mb = call @row(%mg) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Where all scores are far below zero, all exponentials are zero.
// CHECK: Reason="the maximum does not start from the lowest value"
func.func @maximum_from_zero(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Rows of the fill value -1e30 would give 0 / 0, where a mean is expected.
// CHECK: Reason="the maximum does not start from the lowest value"
func.func @maximum_from_fill(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %l16 = arith.constant -65504.0 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %l16) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The maximum is that of a column.
// CHECK: Reason="the maximum does not run over the keys"
func.func @maximum_over_queries(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %em = tensor.empty() : tensor<2x6xf32>
  %zm = linalg.fill ins(%low : f32) outs(%em : tensor<2x6xf32>) -> tensor<2x6xf32>
  %m = linalg.reduce {arith.maximumf} ins(%s : tensor<2x6x6xf32>) outs(%zm : tensor<2x6xf32>) dimensions = [1]
  %eb = tensor.empty() : tensor<2x6x6xf32>
  %mb = linalg.broadcast ins(%m : tensor<2x6xf32>) outs(%eb : tensor<2x6x6xf32>) dimensions = [1]
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The scores are scaled after their maximum was taken.
// CHECK: Reason="the maximum is not that of the scores over the keys"
func.func @maximum_before_scale(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %two = arith.constant dense<2.0> : tensor<2x6x6xf32>
  %s2 = arith.mulf %s, %two : tensor<2x6x6xf32>
  %d = arith.subf %s2, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Rows sum up to two.
// CHECK: Reason="probabilities are multiplied after the softmax"
func.func @scaled_after(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %two = arith.constant dense<2.0> : tensor<2x6x6xf32>
  %p0 = arith.divf %x, %ub : tensor<2x6x6xf32>
  %p = arith.mulf %p0, %two : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// What is left of one.
// CHECK: Reason="the left operand is no quotient of an exponential"
func.func @one_minus(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %one = arith.constant dense<1.0> : tensor<2x6x6xf32>
  %p0 = arith.divf %x, %ub : tensor<2x6x6xf32>
  %p = arith.subf %one, %p0 : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Another base.
// CHECK: Reason="the left operand is no quotient of an exponential"
func.func @powers_of_two(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %m = call @max(%s, %low) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %mb = call @row(%m) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %d = arith.subf %s, %mb : tensor<2x6x6xf32>
  %x = math.exp2 %d : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Large scores overflow.
// CHECK: Reason="the exponent is not shifted by its maximum"
func.func @not_shifted(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %one = arith.constant 1.0 : f32
  %x = math.exp %s : tensor<2x6x6xf32>
  %u = call @sum(%x, %zero) : (tensor<2x6x6xf32>, f32) -> tensor<2x6xf32>
  %ub = call @row(%u) : (tensor<2x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.divf %x, %ub : tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
// CHECK-NOT: attn.attention
