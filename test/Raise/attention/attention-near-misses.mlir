// RUN: attn-opt %s -inline -attn-raise-attention -remarks-filter=attn-raise 2>&1 | FileCheck %s

// Products of a softmax and values that are no attention stay as they are, and
// are explained.
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

// The values are a softmax over the keys.
// CHECK: Reason="both operands of the contraction have a softmax in them"
func.func @of_softmaxes(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x6xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %p = call @softmax(%s) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %vs = call @scores(%k, %v) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %vp = call @softmax(%vs) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %ir = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x6x6xf32>
  %zr = linalg.fill ins(%ir : f32) outs(%er : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, d, j) -> (b, i, j)>, affine_map<(b, i, d, j) -> (b, j, d)>, affine_map<(b, i, d, j) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %vp : tensor<2x6x6xf32>, tensor<2x6x6xf32>) outs(%zr : tensor<2x6x6xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %m = arith.mulf %x, %y : f32
      %a = arith.addf %o, %m : f32
      linalg.yield %a : f32
    } -> tensor<2x6x6xf32>
  return %r : tensor<2x6x6xf32>
}

// The result is summed over the batch as well.
// CHECK: Reason="the contraction with the values does not sum over one variable"
func.func @sum_over_batches(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %p = call @softmax(%s) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %ir = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<6x8xf32>
  %zr = linalg.fill ins(%ir : f32) outs(%er : tensor<6x8xf32>) -> tensor<6x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, d, b, j) -> (b, i, j)>, affine_map<(i, d, b, j) -> (b, j, d)>, affine_map<(i, d, b, j) -> (i, d)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<6x8xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %m = arith.mulf %x, %y : f32
      %a = arith.addf %o, %m : f32
      linalg.yield %a : f32
    } -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}

// One is added to every element.
// CHECK: Reason="the contraction with the values does not start from zero"
func.func @from_one(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %p = call @softmax(%s) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %ir = arith.constant 1.0 : f32
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%ir : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, d, j) -> (b, i, j)>, affine_map<(b, i, d, j) -> (b, j, d)>, affine_map<(b, i, d, j) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %m = arith.mulf %x, %y : f32
      %a = arith.addf %o, %m : f32
      linalg.yield %a : f32
    } -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The values have two dimensions beside batch and key.
// CHECK: Reason="the values have more than one feature dimension"
func.func @two_features(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %w: tensor<2x6x3x8xf32>) -> tensor<2x6x3x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %p = call @softmax(%s) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %ir = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x6x3x8xf32>
  %zr = linalg.fill ins(%ir : f32) outs(%er : tensor<2x6x3x8xf32>) -> tensor<2x6x3x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, c, d, j) -> (b, i, j)>, affine_map<(b, i, c, d, j) -> (b, j, c, d)>, affine_map<(b, i, c, d, j) -> (b, i, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %w : tensor<2x6x6xf32>, tensor<2x6x3x8xf32>) outs(%zr : tensor<2x6x3x8xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %m = arith.mulf %x, %y : f32
      %a = arith.addf %o, %m : f32
      linalg.yield %a : f32
    } -> tensor<2x6x3x8xf32>
  return %r : tensor<2x6x3x8xf32>
}

// Three dimensions beside batch, query and key.
// CHECK: Reason="the probabilities have more than four dimensions"
func.func @six_dimensions(%q: tensor<2x3x5x4x7x8xf32>, %k: tensor<2x3x5x4x6x8xf32>, %v: tensor<2x3x5x4x6x8xf32>) -> tensor<2x3x5x4x7x8xf32> {
  %is = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x3x5x4x7x6xf32>
  %zs = linalg.fill ins(%is : f32) outs(%es : tensor<2x3x5x4x7x6xf32>) -> tensor<2x3x5x4x7x6xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(a, b, c, e, i, j, d) -> (a, b, c, e, i, d)>, affine_map<(a, b, c, e, i, j, d) -> (a, b, c, e, j, d)>, affine_map<(a, b, c, e, i, j, d) -> (a, b, c, e, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x3x5x4x7x8xf32>, tensor<2x3x5x4x6x8xf32>) outs(%zs : tensor<2x3x5x4x7x6xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %m = arith.mulf %x, %y : f32
      %a = arith.addf %o, %m : f32
      linalg.yield %a : f32
    } -> tensor<2x3x5x4x7x6xf32>
  %ep = tensor.empty() : tensor<2x3x5x4x7x6xf32>
  %p = linalg.softmax dimension(5) ins(%s : tensor<2x3x5x4x7x6xf32>) outs(%ep : tensor<2x3x5x4x7x6xf32>) -> tensor<2x3x5x4x7x6xf32>
  %ir = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x3x5x4x7x8xf32>
  %zr = linalg.fill ins(%ir : f32) outs(%er : tensor<2x3x5x4x7x8xf32>) -> tensor<2x3x5x4x7x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, e, i, d, j) -> (a, b, c, e, i, j)>, affine_map<(a, b, c, e, i, d, j) -> (a, b, c, e, j, d)>, affine_map<(a, b, c, e, i, d, j) -> (a, b, c, e, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x3x5x4x7x6xf32>, tensor<2x3x5x4x6x8xf32>) outs(%zr : tensor<2x3x5x4x7x8xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %m = arith.mulf %x, %y : f32
      %a = arith.addf %o, %m : f32
      linalg.yield %a : f32
    } -> tensor<2x3x5x4x7x8xf32>
  return %r : tensor<2x3x5x4x7x8xf32>
}

// The values are read from the last to the first within the operation.
// CHECK: Reason="products with a softmax are summed by an operation that is no contraction"
func.func @reversed_values(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %p = call @softmax(%s) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %ir = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x6x8xf32>
  %zr = linalg.fill ins(%ir : f32) outs(%er : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, d, j) -> (b, i, j)>, affine_map<(b, i, d, j) -> (b, -j + 5, d)>, affine_map<(b, i, d, j) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zr : tensor<2x6x8xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %m = arith.mulf %x, %y : f32
      %a = arith.addf %o, %m : f32
      linalg.yield %a : f32
    } -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Queries of bf16 and a result of f16: neither holds the other.
// CHECK: Reason="query, key and value have types of which none holds the others"
func.func @three_types(%q: tensor<2x6x8xbf16>, %k: tensor<2x8x6xbf16>, %v: tensor<2x6x8xf16>) -> tensor<2x6x8xf16> {
  %is = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x6x6xf32>
  %zs = linalg.fill ins(%is : f32) outs(%es : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x6x8xbf16>, tensor<2x8x6xbf16>) outs(%zs : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %p0 = call @softmax(%s) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %p = arith.truncf %p0 : tensor<2x6x6xf32> to tensor<2x6x6xf16>
  %ir = arith.constant 0.0 : f16
  %er = tensor.empty() : tensor<2x6x8xf16>
  %zr = linalg.fill ins(%ir : f16) outs(%er : tensor<2x6x8xf16>) -> tensor<2x6x8xf16>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf16>, tensor<2x6x8xf16>) outs(%zr : tensor<2x6x8xf16>) -> tensor<2x6x8xf16>
  return %r : tensor<2x6x8xf16>
}

// Keys are sums that no tensor of the graph holds in the order of keys.
// CHECK: Reason="an operand is neither a tensor of the graph nor an expression that can be computed"
func.func @sums_as_keys(%q: tensor<2x6x8xf32>, %w: tensor<6x2x8x3xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ek = tensor.empty() : tensor<6x2x8xf32>
  %zk = linalg.fill ins(%zero : f32) outs(%ek : tensor<6x2x8xf32>) -> tensor<6x2x8xf32>
  %k = linalg.reduce {arith.addf} ins(%w : tensor<6x2x8x3xf32>) outs(%zk : tensor<6x2x8xf32>) dimensions = [3]
  %is = arith.constant 0.0 : f32
  %es = tensor.empty() : tensor<2x6x6xf32>
  %zs = linalg.fill ins(%is : f32) outs(%es : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (j, b, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : tensor<2x6x8xf32>, tensor<6x2x8xf32>) outs(%zs : tensor<2x6x6xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %m = arith.mulf %x, %y : f32
      %a = arith.addf %o, %m : f32
      linalg.yield %a : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%s) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The product of the factors of queries and of scores is no number.
// CHECK: Reason="the scale is not finite"
func.func @huge_scales(%q: tensor<2x6x8xf64>, %k: tensor<2x8x6xf64>, %v: tensor<2x6x8xf64>) -> tensor<2x6x8xf64> {
  %huge = arith.constant dense<1.0e200> : tensor<2x6x8xf64>
  %huges = arith.constant dense<1.0e200> : tensor<2x6x6xf64>
  %qh = arith.mulf %q, %huge : tensor<2x6x8xf64>
  %is = arith.constant 0.0 : f64
  %es = tensor.empty() : tensor<2x6x6xf64>
  %zs = linalg.fill ins(%is : f64) outs(%es : tensor<2x6x6xf64>) -> tensor<2x6x6xf64>
  %s0 = linalg.batch_matmul ins(%qh, %k : tensor<2x6x8xf64>, tensor<2x8x6xf64>) outs(%zs : tensor<2x6x6xf64>) -> tensor<2x6x6xf64>
  %s = arith.mulf %s0, %huges : tensor<2x6x6xf64>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x6x6xf64>) outs(%es : tensor<2x6x6xf64>) -> tensor<2x6x6xf64>
  %ir = arith.constant 0.0 : f64
  %er = tensor.empty() : tensor<2x6x8xf64>
  %zr = linalg.fill ins(%ir : f64) outs(%er : tensor<2x6x8xf64>) -> tensor<2x6x8xf64>
  %r = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf64>, tensor<2x6x8xf64>) outs(%zr : tensor<2x6x8xf64>) -> tensor<2x6x8xf64>
  return %r : tensor<2x6x8xf64>
}

// Whether one of three conditions holds, which no tensor holds in the order of queries and keys.
// CHECK: Reason="the mask can not be computed: no tensor of the graph has it in the order of its use, and 'reduce' is not computed anew"
func.func @any_as_mask(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %m: tensor<6x6x3xi1>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %init = arith.constant false
  %ew = tensor.empty() : tensor<6x6xi1>
  %zw = linalg.fill ins(%init : i1) outs(%ew : tensor<6x6xi1>) -> tensor<6x6xi1>
  %w = linalg.reduce {arith.ori} ins(%m : tensor<6x6x3xi1>) outs(%zw : tensor<6x6xi1>) dimensions = [2]
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (j, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %w : tensor<2x6x6xf32>, tensor<6x6xi1>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %c: i1, %o: f32):
      %f = arith.constant -1.0e30 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The same of sums that are added.
// CHECK: Reason="the bias can not be computed: no tensor of the graph has it in the order of its use, and 'reduce' is not computed anew"
func.func @sums_as_bias(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %m: tensor<6x6x3xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %init = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<6x6xf32>
  %zw = linalg.fill ins(%init : f32) outs(%ew : tensor<6x6xf32>) -> tensor<6x6xf32>
  %w = linalg.reduce {arith.addf} ins(%m : tensor<6x6x3xf32>) outs(%zw : tensor<6x6xf32>) dimensions = [2]
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (j, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %w : tensor<2x6x6xf32>, tensor<6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %y = arith.addf %a, %c : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
// CHECK-NOT: attn.attention

// An operation without a form of its own is told by its name.
// CHECK: Reason="the mask can not be computed: no tensor of the graph has it in the order of its use, and 'math.cbrt' is not computed anew"
func.func @unknown_as_mask(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %m: tensor<6x6xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %w = math.cbrt %m : tensor<6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (j, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %w : tensor<2x6x6xf32>, tensor<6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %f = arith.constant -1.0e30 : f32
      %h = arith.constant 0.5 : f32
      %keep = arith.cmpf olt, %c, %h : f32
      %y = arith.select %keep, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
