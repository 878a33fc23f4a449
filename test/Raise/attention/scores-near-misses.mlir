// RUN: attn-opt %s -inline -attn-raise-attention -remarks-filter=attn-raise 2>&1 | FileCheck %s

// Scores that are close to those of attention stay as they are, and are
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

// Scores of -100 are not beyond what other scores may be.
// CHECK: Reason="a mask fills with a value that may take part in the softmax"
func.func @fill_of_hundred(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %f = arith.constant -100.0 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The fill is multiplied by 1e-5 afterwards.
// CHECK: Reason="a mask fills with a value that may take part in the softmax"
func.func @fill_that_is_scaled(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x0 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %f = arith.constant -1.0e5 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %small = arith.constant dense<1.0e-5> : tensor<2x6x6xf32>
  %x = arith.mulf %x0, %small : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The sign of the fill is turned.
// CHECK: Reason="a mask fills with a value that may take part in the softmax"
func.func @fill_that_is_negated(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x0 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %f = arith.constant -1.0e9 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %minus = arith.constant dense<-2.0> : tensor<2x6x6xf32>
  %x = arith.mulf %x0, %minus : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// What is masked is -5.
// CHECK: Reason="a mask is applied before the softcap"
func.func @fill_before_softcap(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x0 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %f = arith.constant -1.0e9 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %cap = arith.constant dense<5.0> : tensor<2x6x6xf32>
  %inv = arith.constant dense<0.2> : tensor<2x6x6xf32>
  %a = arith.mulf %x0, %inv : tensor<2x6x6xf32>
  %t = math.tanh %a : tensor<2x6x6xf32>
  %x = arith.mulf %t, %cap : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The bias is capped as well.
// CHECK: Reason="a bias is added before the softcap"
func.func @bias_before_softcap(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %bias: tensor<2x6x6xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %cap = arith.constant dense<5.0> : tensor<2x6x6xf32>
  %inv = arith.constant dense<0.2> : tensor<2x6x6xf32>
  %sb = arith.addf %s, %bias : tensor<2x6x6xf32>
  %a = arith.mulf %sb, %inv : tensor<2x6x6xf32>
  %t = math.tanh %a : tensor<2x6x6xf32>
  %x = arith.mulf %t, %cap : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// So is one that is chosen.
// CHECK: Reason="a bias is added before the softcap"
func.func @choice_before_softcap(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %esb = tensor.empty() : tensor<2x6x6xf32>
  %sb = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%esb : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %f = arith.constant -3.0 : f32
      %z = arith.constant 0.0 : f32
      %b = arith.select %c, %z, %f : f32
      %y = arith.addf %a, %b : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %cap = arith.constant dense<5.0> : tensor<2x6x6xf32>
  %inv = arith.constant dense<0.2> : tensor<2x6x6xf32>
  %a = arith.mulf %sb, %inv : tensor<2x6x6xf32>
  %t = math.tanh %a : tensor<2x6x6xf32>
  %x = arith.mulf %t, %cap : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// A constant changes what is capped.
// CHECK: Reason="a constant is added before the softcap"
func.func @constant_before_softcap(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %cap = arith.constant dense<5.0> : tensor<2x6x6xf32>
  %inv = arith.constant dense<0.2> : tensor<2x6x6xf32>
  %one = arith.constant dense<1.0> : tensor<2x6x6xf32>
  %sb = arith.addf %s, %one : tensor<2x6x6xf32>
  %a = arith.mulf %sb, %inv : tensor<2x6x6xf32>
  %t = math.tanh %a : tensor<2x6x6xf32>
  %x = arith.mulf %t, %cap : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// With the lowest number added all scores are equal.
// CHECK: Reason="a constant in which the scores drown is added to all of them"
func.func @drowned(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %low = arith.constant dense<-3.40282347E+38> : tensor<2x6x6xf32>
  %x = arith.addf %s, %low : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// A hyperbolic tangent of another.
// CHECK: Reason="the scores are capped twice"
func.func @capped_twice(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %cap = arith.constant dense<5.0> : tensor<2x6x6xf32>
  %inv = arith.constant dense<0.2> : tensor<2x6x6xf32>
  %t = math.tanh %s : tensor<2x6x6xf32>
  %t2 = math.tanh %t : tensor<2x6x6xf32>
  %x = arith.mulf %t2, %cap : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Large scores become small ones: minus the cap of a product is the cap of minus the product, which nobody writes.
// CHECK: Reason="the softcap is not positive"
func.func @negative_softcap(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %cap = arith.constant dense<-5.0> : tensor<2x6x6xf32>
  %t = math.tanh %s : tensor<2x6x6xf32>
  %x = arith.mulf %t, %cap : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Relative positions of content and position: two contractions.
// CHECK: Reason="more than one contraction is added up"
func.func @two_products(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %s2 = call @scores(%k, %q) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.addf %s, %s2 : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The product is multiplied by itself.
// CHECK: Reason="the scores are no contraction of two tensors of which one depends on the key"
func.func @square(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %x = arith.mulf %s, %s : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// What is masked gets a number from data.
// CHECK: Reason="a score is replaced by something that is no constant"
func.func @replaced_by_data(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %bias: tensor<2x6x6xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %b = linalg.index 0 : index
      %f = tensor.extract %bias[%b, %i, %j] : tensor<2x6x6xf32>
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// A division by zero.
// CHECK: Reason="the scale is not finite"
func.func @infinite_scale(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %zero = arith.constant dense<0.0> : tensor<2x6x6xf32>
  %x = arith.divf %s, %zero : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Rows are zeroed by a mask of keys that was not added to the scores.
// CHECK: Reason="rows are zeroed by a condition that is not that all their keys are masked"
func.func @zeroed_by_other_mask(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %keep: tensor<6xi1>) -> tensor<2x6x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %false = arith.constant false
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %p0 = call @softmax(%s) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %en = tensor.empty() : tensor<i1>
  %zn = linalg.fill ins(%false : i1) outs(%en : tensor<i1>) -> tensor<i1>
  %any = linalg.reduce {arith.ori} ins(%keep : tensor<6xi1>) outs(%zn : tensor<i1>) dimensions = [0]
  %ep = tensor.empty() : tensor<2x6x6xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> ()>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p0, %any : tensor<2x6x6xf32>, tensor<i1>) outs(%ep : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %c: i1, %o: f32):
      %y = arith.select %c, %a, %zero : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The first query keeps no key; its keys get -1e9 and -1e4, so that the latter count.
// CHECK: Reason="rows without keys would mix fill values, or fill values and biases"
func.func @two_fills(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %c1 = arith.cmpi eq, %j, %i : index
      %f = arith.constant -1.0e4 : f32
      %g = arith.constant -1.0e9 : f32
      %y0 = arith.select %c, %a, %f : f32
      %y = arith.select %c1, %g, %y0 : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The first query keeps no key; the bias decides which key it gets.
// CHECK: Reason="rows without keys would mix fill values, or fill values and biases"
func.func @bias_after_fill(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %f = arith.constant -1.0e4 : f32
      %half = arith.constant 0.5 : f32
      %y0 = arith.select %c, %a, %f : f32
      %n = arith.index_cast %j : index to i64
      %d = arith.sitofp %n : i64 to f32
      %b = arith.mulf %d, %half : f32
      %y = arith.addf %y0, %b : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The first query keeps no key, and what the sum in f16 leaves of its scores meets a
// bias in f32.
// CHECK: Reason="fill values are added in 16 bits, and the sum is changed afterwards"
func.func @bias_after_f16(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %w: tensor<6xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %w : tensor<2x6x6xf32>, tensor<6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %bias: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %low = arith.constant -65504.0 : f16
      %zero = arith.constant 0.0 : f16
      %f = arith.select %c, %zero, %low : f16
      %h = arith.truncf %a : f32 to f16
      %y0 = arith.addf %h, %f : f16
      %y1 = arith.extf %y0 : f16 to f32
      %y = arith.addf %y1, %bias : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// What the sum in f16 leaves of the scores is halved afterwards.
// CHECK: Reason="a large number is added in 16 bits, and the sum is changed afterwards"
func.func @scaled_f16(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %zero = arith.constant 0.0 : f16
      %h = arith.truncf %a : f32 to f16
      %low = arith.constant -1.0e4 : f16
      %half = arith.constant 0.5 : f16
      %f = arith.select %c, %zero, %low : f16
      %w = arith.addf %h, %f : f16
      %z = arith.mulf %w, %half : f16
      %y = arith.extf %z : f16 to f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// The bias is 512 times one tensor, as a sum.
// CHECK: Reason="more terms are added to the scores than are looked at"
func.func @too_many_terms(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %b0: tensor<2x6x6xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %b1 = arith.addf %b0, %b0 : tensor<2x6x6xf32>
  %b2 = arith.addf %b1, %b1 : tensor<2x6x6xf32>
  %b3 = arith.addf %b2, %b2 : tensor<2x6x6xf32>
  %b4 = arith.addf %b3, %b3 : tensor<2x6x6xf32>
  %b5 = arith.addf %b4, %b4 : tensor<2x6x6xf32>
  %b6 = arith.addf %b5, %b5 : tensor<2x6x6xf32>
  %b7 = arith.addf %b6, %b6 : tensor<2x6x6xf32>
  %b8 = arith.addf %b7, %b7 : tensor<2x6x6xf32>
  %b9 = arith.addf %b8, %b8 : tensor<2x6x6xf32>
  %x = arith.addf %s, %b9 : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// Every query has a scale of its own.
// CHECK: Reason="the scores are no contraction of two tensors of which one depends on the key"
func.func @scale_of_queries(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>, %w: tensor<2x6xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %f = linalg.broadcast ins(%w : tensor<2x6xf32>) outs(%e : tensor<2x6x6xf32>) dimensions = [2]
  %x = arith.mulf %s, %f : tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// What is masked gets the largest scores.
// CHECK: Reason="a mask fills with a value that may take part in the softmax"
func.func @fill_above(%q: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %s = call @scores(%q, %k) : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
  %ex = tensor.empty() : tensor<2x6x6xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s : tensor<2x6x6xf32>) outs(%ex : tensor<2x6x6xf32>) {
    ^bb0(%a: f32, %o: f32):
      %i = linalg.index 1 : index
      %j = linalg.index 2 : index
      %c = arith.cmpi slt, %j, %i : index
      %f = arith.constant 1.0e9 : f32
      %y = arith.select %c, %a, %f : f32
      linalg.yield %y : f32
    } -> tensor<2x6x6xf32>
  %p = call @softmax(%x) : (tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %r = call @apply(%p, %v) : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
// CHECK-NOT: attn.attention
