// A row of which all keys are removed by the lowest f16 keeps an order if a score is
// large enough: 20 more than -65504 is -65472, and wins. `exact-masks` keeps the number,
// and that the sum is rounded to f16. Without it attn-raise takes the number for a mask,
// which gives 1.5 (docs/rationale.md says why). A predicate removes both keys.

// RUN: %python %S/Inputs/run-case.py %s attn-run %t --flags=--no-raise
// RUN: %python %S/Inputs/run-case.py %s attn-run %t --flags=--exact-masks
// RUN: attn-opt %s -attn-raise=exact-masks | FileCheck %s
// RUN: attn-opt %s -attn-raise | FileCheck %s --check-prefix=USUAL

#pair = affine_map<(b, i, j) -> (b, i, j)>
#key = affine_map<(b, i, j) -> (b, j)>

!t = f16

// %q = 1
// %k = [0, 20]
// %v = [1, 2]
// %keep = [0, 0]
// -> [2]
// not [1.5]
// not [0]
// again
// compiled
// %k = [0, 15]
// -> [1.5]
// not [2]
// CHECK-LABEL: func.func @scores(
// CHECK-NOT: attn.mask
// CHECK: attn.attention {{.*}} bias(%{{.*}}) empty_row = nan outs({{.*}}softmax_type = f16
// USUAL-LABEL: func.func @scores(
// USUAL: attn.attention {{.*}} mask(%{{.*}}) empty_row = mean outs(
func.func @scores(%q: tensor<1x1x1xf16>, %k: tensor<1x2x1xf16>, %v: tensor<1x2x1xf16>, %keep: tensor<1x2xi1>)
    -> tensor<1x1x1xf16> {
  %zero = arith.constant 0.0 : f16
  %ekt = tensor.empty() : tensor<1x1x2xf16>
  %kt = linalg.transpose ins(%k : tensor<1x2x1xf16>) outs(%ekt : tensor<1x1x2xf16>) permutation = [0, 2, 1]
  %es = tensor.empty() : tensor<1x1x2xf16>
  %zs = linalg.fill ins(%zero : f16) outs(%es : tensor<1x1x2xf16>) -> tensor<1x1x2xf16>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<1x1x1xf16>, tensor<1x1x2xf16>)
    outs(%zs : tensor<1x1x2xf16>) -> tensor<1x1x2xf16>
  %masked = linalg.generic {indexing_maps = [#pair, #key, #pair], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %keep : tensor<1x1x2xf16>, tensor<1x2xi1>) outs(%es : tensor<1x1x2xf16>) {
  ^bb0(%x: f16, %real: i1, %o: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %low = arith.constant -65504.0 : f16
    %padding = arith.select %real, %zero, %low : f16
    %y = arith.addf %x, %padding : f16
    linalg.yield %y : f16
  } -> tensor<1x1x2xf16>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<1x1x2xf16>) outs(%es : tensor<1x1x2xf16>) -> tensor<1x1x2xf16>
  %er = tensor.empty() : tensor<1x1x1xf16>
  %zr = linalg.fill ins(%zero : f16) outs(%er : tensor<1x1x1xf16>) -> tensor<1x1x1xf16>
  %r = linalg.batch_matmul ins(%p, %v : tensor<1x1x2xf16>, tensor<1x2x1xf16>)
    outs(%zr : tensor<1x1x1xf16>) -> tensor<1x1x1xf16>
  return %r : tensor<1x1x1xf16>
}

// types: f16
// %q = 1
// %k = [0, 20]
// %v = [1, 2]
// %keep = 0
// -> [0]
func.func @predicate(%q: tensor<1x1x1x1x!t>, %k: tensor<1x1x2x1x!t>, %v: tensor<1x1x2x1x!t>,
    %keep: tensor<1x1x1x2xi1>) -> tensor<1x1x1x1x!t> {
  %mask = attn.mask.tensor keep %keep : tensor<1x1x1x2xi1>
  %out = tensor.empty() : tensor<1x1x1x1x!t>
  %rows = attn.attention query(%q : tensor<1x1x1x1x!t>) key(%k : tensor<1x1x2x1x!t>) value(%v : tensor<1x1x2x1x!t>)
    mask(%mask) outs(%out : tensor<1x1x1x1x!t>) {scale = 1.0 : f64}
  return %rows : tensor<1x1x1x1x!t>
}
