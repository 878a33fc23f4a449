// RUN: attn-opt %s -attn-print-element-expressions -o /dev/null | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>

// Causal and padding, with the identity gather through a wrap-around select.
// CHECK-LABEL: @causal_padding
// CHECK: [0:12, 0:12] -> select({{(i1 <= i0 & %arg0\[i1\] != 0|%arg0\[i1\] != 0 & i1 <= i0)}}, 0.0, -3.40282347E+38)
func.func @causal_padding(%m: tensor<12xi64>) -> tensor<12x12xf32> {
  %c0 = arith.constant 0 : i64
  %c12 = arith.constant 12 : i64
  %zero = arith.constant dense<0.0> : tensor<f32>
  %lowest = arith.constant dense<-3.40282347E+38> : tensor<f32>
  %true = arith.constant dense<true> : tensor<i1>
  %e0 = tensor.empty() : tensor<12xi64>
  %iota = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e0 : tensor<12xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %c = arith.index_cast %i : index to i64
    linalg.yield %c : i64
  } -> tensor<12xi64>
  %e1 = tensor.empty() : tensor<12x12xi1>
  %causal = linalg.generic {indexing_maps = [#col, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%iota, %iota : tensor<12xi64>, tensor<12xi64>) outs(%e1 : tensor<12x12xi1>) {
  ^bb0(%j: i64, %i: i64, %out: i1):
    %c = arith.cmpi sle, %j, %i : i64
    linalg.yield %c : i1
  } -> tensor<12x12xi1>
  %both = linalg.generic {indexing_maps = [#col, #none, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%iota, %true, %causal : tensor<12xi64>, tensor<i1>, tensor<12x12xi1>) outs(%e1 : tensor<12x12xi1>) {
  ^bb0(%j: i64, %t: i1, %c: i1, %out: i1):
    %negative = arith.cmpi slt, %j, %c0 : i64
    %wrapped = arith.addi %j, %c12 : i64
    %at = arith.select %negative, %wrapped, %j : i64
    %index = arith.index_cast %at : i64 to index
    %v = tensor.extract %m[%index] : tensor<12xi64>
    %keep = arith.cmpi ne, %v, %c0 : i64
    %tc = arith.andi %t, %c : i1
    %r = arith.andi %tc, %keep : i1
    linalg.yield %r : i1
  } -> tensor<12x12xi1>
  %e2 = tensor.empty() : tensor<12x12xf32>
  %bias = linalg.generic {indexing_maps = [#id, #none, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%both, %zero, %lowest : tensor<12x12xi1>, tensor<f32>, tensor<f32>) outs(%e2 : tensor<12x12xf32>) attrs = {attn.print} {
  ^bb0(%c: i1, %a: f32, %b: f32, %out: f32):
    %s = arith.select %c, %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<12x12xf32>
  return %bias : tensor<12x12xf32>
}

// Masks as numbers: ones above the diagonal through uint8, (1 - m) * lowest.
// CHECK-LABEL: @numbers
// CHECK: [0:12, 0:12] -> select(i1 <= i0, 0.0, -1.0E+9)
func.func @numbers() -> tensor<12x12xf32> {
  %e = tensor.empty() : tensor<12x12xf32>
  %c0 = arith.constant 0 : i8
  %one = arith.constant 1.0 : f32
  %big = arith.constant -1.0e9 : f32
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<12x12xf32>) attrs = {attn.print} {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %above = arith.cmpi sgt, %j, %i : index
    %byte = arith.extui %above : i1 to i8
    %keep = arith.cmpi eq, %byte, %c0 : i8
    %m = arith.uitofp %keep : i1 to f32
    %inverse = arith.subf %one, %m : f32
    %v = arith.mulf %inverse, %big : f32
    linalg.yield %v : f32
  } -> tensor<12x12xf32>
  return %r : tensor<12x12xf32>
}

// Chunks by a floor division in f64.
// CHECK-LABEL: @chunks
// CHECK: [0:12, 0:12] -> (i{{[01]}} floordiv 5) == (i{{[01]}} floordiv 5)
func.func @chunks() -> tensor<12x12xi1> {
  %e = tensor.empty() : tensor<12x12xi1>
  %size = arith.constant 5.0 : f64
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<12x12xi1>) attrs = {attn.print} {
  ^bb0(%out: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i64 = arith.index_cast %i : index to i64
    %f = arith.sitofp %i64 : i64 to f64
    %q = arith.divf %f, %size : f64
    %fl = math.floor %q : f64
    %ci = arith.fptosi %fl : f64 to i64
    %five = arith.constant 5 : index
    %cj = arith.floordivsi %j, %five : index
    %cj64 = arith.index_cast %cj : index to i64
    %same = arith.cmpi eq, %ci, %cj64 : i64
    linalg.yield %same : i1
  } -> tensor<12x12xi1>
  return %r : tensor<12x12xi1>
}

// Positions counted from the padding mask by a triangular product.
// CHECK-LABEL: @cumulative
// CHECK: [0:12] -> sum{r1 < 12}({{.*}}select(r1 <= i0, 1, 0){{.*}}; 0) - 1
func.func @cumulative(%m: tensor<12xi64>) -> tensor<12xi64> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %e = tensor.empty() : tensor<12xi64>
  %z = linalg.fill ins(%c0 : i64) outs(%e : tensor<12xi64>) -> tensor<12xi64>
  %sum = linalg.generic {indexing_maps = [#col, #row], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<12xi64>) outs(%z : tensor<12xi64>) {
  ^bb0(%v: i64, %acc: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %below = arith.cmpi sge, %i, %j : index
    %t = arith.extui %below : i1 to i64
    %p = arith.muli %v, %t : i64
    %s = arith.addi %acc, %p : i64
    linalg.yield %s : i64
  } -> tensor<12xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%sum : tensor<12xi64>) outs(%e : tensor<12xi64>) attrs = {attn.print} {
  ^bb0(%v: i64, %out: i64):
    %s = arith.subi %v, %c1 : i64
    linalg.yield %s : i64
  } -> tensor<12xi64>
  return %r : tensor<12xi64>
}

// A narrow sum that may wrap is not taken for a number.
// CHECK-LABEL: @narrow
// CHECK: [0:4] -> trunci(%arg{{[01]}}[i0] + %arg{{[01]}}[i0])
func.func @narrow(%a: tensor<4xi8>, %b: tensor<4xi8>) -> tensor<4xi8> {
  %r = arith.addi %a, %b {attn.print} : tensor<4xi8>
  return %r : tensor<4xi8>
}
