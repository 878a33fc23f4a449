// RUN: attn-opt %s -attn-print-element-expressions='evaluate-at=1,2' -o /dev/null | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: @table
// CHECK: at (1, 2): 42
// CHECK: at (1, 2): 21
func.func @table() -> tensor<2x3xf32> {
  %t = arith.constant {attn.print} dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 42.0]]> : tensor<2x3xf32>
  %two = arith.constant dense<2.0> : tensor<2x3xf32>
  %r = arith.divf %t, %two {attn.print} : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// A dense mask of bytes, and an index that only exists at run time.
// CHECK-LABEL: @mask
// CHECK: at (1, 2): 1
// CHECK: at (1, 2): unknown
func.func @mask(%x: tensor<2x3xf32>) -> (tensor<2x3xi1>, tensor<2x3xf32>) {
  %t = arith.constant dense<[[0, 0, 0], [0, 0, 5]]> : tensor<2x3xi8>
  %zero = arith.constant dense<0> : tensor<2x3xi8>
  %m = arith.cmpi ne, %t, %zero {attn.print} : tensor<2x3xi8>
  %n = math.exp %x {attn.print} : tensor<2x3xf32>
  return %m, %n : tensor<2x3xi1>, tensor<2x3xf32>
}

// A sum over a constant, rounded to f16 after every step.
// CHECK-LABEL: @sum
// CHECK: at (1, 2): 2048
func.func @sum() -> tensor<2x3xf16> {
  %t = arith.constant dense<[2048.0, 1.0, 0.5]> : tensor<3xf16>
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x3xf16>
  %z = linalg.fill ins(%zero : f16) outs(%e : tensor<2x3xf16>) -> tensor<2x3xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t : tensor<3xf16>) outs(%z : tensor<2x3xf16>) attrs = {attn.print} {
  ^bb0(%in: f16, %out: f16):
    %s = arith.addf %in, %out : f16
    linalg.yield %s : f16
  } -> tensor<2x3xf16>
  return %r : tensor<2x3xf16>
}
