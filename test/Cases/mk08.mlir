// Masks as numbers in 16 bits: the lowest f16 plus 16 less is -inf, plus 15 less is
// itself. A sum of two such masks tells a key that is removed twice from one that is
// removed once, so a row of nothing but removed keys is no mean of all of them.
// Predicates know of no such thing; numbers that are recovered as predicates must
// keep what the graph gives.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t --also=--no-raise --also=--exact-masks --also=--reference=raised
// RUN: attn-opt %s -inline -attn-raise | FileCheck %s

#pair = affine_map<(b, i, j) -> (b, i, j)>
#key = affine_map<(b, i, j) -> (b, j)>

!t = f16

// types: f16 bf16 f32
// %q = 0
// %k = 0
// %v = [1, 2, 3]
// %keep = [0, 1, 1]
// -> [0, 2, 2.5]
// again
// %keep = [1, 1, 0]
// -> [1, 1.5, 1.5]
func.func @predicates(%q: tensor<1x1x3x1x!t>, %k: tensor<1x1x3x1x!t>, %v: tensor<1x1x3x1x!t>,
    %keep: tensor<1x1x1x3xi1>) -> tensor<1x1x3x1x!t> {
  %causal = attn.mask.causal
  %real = attn.mask.tensor keep %keep : tensor<1x1x1x3xi1>
  %mask = attn.mask.and %causal, %real
  %out = tensor.empty() : tensor<1x1x3x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x3x1x!t>) key(%k : tensor<1x1x3x1x!t>) value(%v : tensor<1x1x3x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x3x1x!t>)
  return %rows : tensor<1x1x3x1x!t>
}

// One number for what either removes: predicates mean the same, if a row without
// keys is the mean of all.
// %q = 0
// %k = 0
// %v = [1, 2, 3]
// %keep = [0, 1, 1]
// -> [2, 2, 2.5]
// not [0, 2, 2.5]
// again
// %keep = [1, 1, 0]
// -> [1, 1.5, 1.5]
// CHECK-LABEL: func.func @together(
// CHECK: attn.mask.causal
// CHECK: attn.mask.tensor
// CHECK: attn.attention {{.*}}mask({{.*}}empty_row = mean
func.func @together(%q: tensor<1x3x1xf16>, %k: tensor<1x3x1xf16>, %v: tensor<1x3x1xf16>, %keep: tensor<1x3xi1>)
    -> tensor<1x3x1xf16> {
  %zero = arith.constant 0.0 : f16
  %ekt = tensor.empty() : tensor<1x1x3xf16>
  %kt = linalg.transpose ins(%k : tensor<1x3x1xf16>) outs(%ekt : tensor<1x1x3xf16>) permutation = [0, 2, 1]
  %es = tensor.empty() : tensor<1x3x3xf16>
  %zs = linalg.fill ins(%zero : f16) outs(%es : tensor<1x3x3xf16>) -> tensor<1x3x3xf16>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<1x3x1xf16>, tensor<1x1x3xf16>)
    outs(%zs : tensor<1x3x3xf16>) -> tensor<1x3x3xf16>
  %masked = linalg.generic {indexing_maps = [#pair, #key, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %keep : tensor<1x3x3xf16>, tensor<1x3xi1>) outs(%es : tensor<1x3x3xf16>) {
  ^bb0(%x: f16, %real: i1, %o: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %low = arith.constant -65504.0 : f16
    %past = arith.cmpi sle, %j, %i : index
    %both = arith.andi %past, %real : i1
    %fill = arith.select %both, %zero, %low : f16
    %y = arith.addf %x, %fill : f16
    linalg.yield %y : f16
  } -> tensor<1x3x3xf16>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<1x3x3xf16>) outs(%es : tensor<1x3x3xf16>) -> tensor<1x3x3xf16>
  %er = tensor.empty() : tensor<1x3x1xf16>
  %zr = linalg.fill ins(%zero : f16) outs(%er : tensor<1x3x1xf16>) -> tensor<1x3x1xf16>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x3x3xf16>, tensor<1x3x1xf16>)
    outs(%zr : tensor<1x3x1xf16>) -> tensor<1x3x1xf16>
  return %r : tensor<1x3x1xf16>
}

// Two numbers: they stay numbers.
// %q = 0
// %k = 0
// %v = [1, 2, 3]
// %keep = [0, 1, 1]
// -> [2, 2, 2.5]
// not [0, 2, 2.5]
// again
// %keep = [1, 1, 0]
// -> [1, 1.5, 1.5]
// CHECK-LABEL: func.func @added(
// CHECK: attn.attention {{.*}} bias(
// CHECK-NOT: mask
func.func @added(%q: tensor<1x3x1xf16>, %k: tensor<1x3x1xf16>, %v: tensor<1x3x1xf16>, %keep: tensor<1x3xi1>)
    -> tensor<1x3x1xf16> {
  %zero = arith.constant 0.0 : f16
  %ekt = tensor.empty() : tensor<1x1x3xf16>
  %kt = linalg.transpose ins(%k : tensor<1x3x1xf16>) outs(%ekt : tensor<1x1x3xf16>) permutation = [0, 2, 1]
  %es = tensor.empty() : tensor<1x3x3xf16>
  %zs = linalg.fill ins(%zero : f16) outs(%es : tensor<1x3x3xf16>) -> tensor<1x3x3xf16>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<1x3x1xf16>, tensor<1x1x3xf16>)
    outs(%zs : tensor<1x3x3xf16>) -> tensor<1x3x3xf16>
  %masked = linalg.generic {indexing_maps = [#pair, #key, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %keep : tensor<1x3x3xf16>, tensor<1x3xi1>) outs(%es : tensor<1x3x3xf16>) {
  ^bb0(%x: f16, %real: i1, %o: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %low = arith.constant -65504.0 : f16
    %past = arith.cmpi sle, %j, %i : index
    %causal = arith.select %past, %zero, %low : f16
    %padding = arith.select %real, %zero, %low : f16
    %z = arith.addf %x, %causal : f16
    %y = arith.addf %z, %padding : f16
    linalg.yield %y : f16
  } -> tensor<1x3x3xf16>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<1x3x3xf16>) outs(%es : tensor<1x3x3xf16>) -> tensor<1x3x3xf16>
  %er = tensor.empty() : tensor<1x3x1xf16>
  %zr = linalg.fill ins(%zero : f16) outs(%er : tensor<1x3x1xf16>) -> tensor<1x3x1xf16>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x3x3xf16>, tensor<1x3x1xf16>)
    outs(%zr : tensor<1x3x1xf16>) -> tensor<1x3x1xf16>
  return %r : tensor<1x3x1xf16>
}

// The last key is removed twice in the first row: -inf as f16, where the others are
// finite.
// %q = 0
// %k = 0
// %v = [1, 2, 3]
// %keep = [0, 1, 0]
// -> [1.5, 2, 2]
// not [2, 2, 2]
// CHECK-LABEL: func.func @removed_twice(
// CHECK: attn.attention {{.*}} bias(
// CHECK-NOT: mask
func.func @removed_twice(%q: tensor<1x3x1xf16>, %k: tensor<1x3x1xf16>, %v: tensor<1x3x1xf16>,
    %keep: tensor<1x3xi1>) -> tensor<1x3x1xf16> {
  %zero = arith.constant 0.0 : f16
  %ekt = tensor.empty() : tensor<1x1x3xf16>
  %kt = linalg.transpose ins(%k : tensor<1x3x1xf16>) outs(%ekt : tensor<1x1x3xf16>) permutation = [0, 2, 1]
  %es = tensor.empty() : tensor<1x3x3xf16>
  %zs = linalg.fill ins(%zero : f16) outs(%es : tensor<1x3x3xf16>) -> tensor<1x3x3xf16>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<1x3x1xf16>, tensor<1x1x3xf16>)
    outs(%zs : tensor<1x3x3xf16>) -> tensor<1x3x3xf16>
  %masked = linalg.generic {indexing_maps = [#pair, #key, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %keep : tensor<1x3x3xf16>, tensor<1x3xi1>) outs(%es : tensor<1x3x3xf16>) {
  ^bb0(%x: f16, %real: i1, %o: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %low = arith.constant -65504.0 : f16
    %past = arith.cmpi sle, %j, %i : index
    %causal = arith.select %past, %zero, %low : f16
    %padding = arith.select %real, %zero, %low : f16
    %z = arith.addf %x, %causal : f16
    %y = arith.addf %z, %padding : f16
    linalg.yield %y : f16
  } -> tensor<1x3x3xf16>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<1x3x3xf16>) outs(%es : tensor<1x3x3xf16>) -> tensor<1x3x3xf16>
  %er = tensor.empty() : tensor<1x3x1xf16>
  %zr = linalg.fill ins(%zero : f16) outs(%er : tensor<1x3x1xf16>) -> tensor<1x3x1xf16>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x3x3xf16>, tensor<1x3x1xf16>)
    outs(%zr : tensor<1x3x1xf16>) -> tensor<1x3x1xf16>
  return %r : tensor<1x3x1xf16>
}
