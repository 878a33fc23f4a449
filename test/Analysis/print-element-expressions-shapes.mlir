// RUN: attn-opt %s -attn-print-element-expressions -o /dev/null | FileCheck %s

// A reshape and its inverse vanish.
// CHECK-LABEL: @round_trip
// CHECK: [0:2, 0:12, 0:64] -> %arg0[i0, i1, i2]
func.func @round_trip(%x: tensor<2x12x64xf32>) -> tensor<2x12x64xf32> {
  %a = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [2, 12, 4, 16] : tensor<2x12x64xf32> into tensor<2x12x4x16xf32>
  %b = tensor.collapse_shape %a [[0, 1], [2], [3]] : tensor<2x12x4x16xf32> into tensor<24x4x16xf32>
  %c = tensor.collapse_shape %b [[0], [1, 2]] : tensor<24x4x16xf32> into tensor<24x64xf32>
  %d = tensor.expand_shape %c [[0, 1], [2]] output_shape [2, 12, 64] {attn.print} : tensor<24x64xf32> into tensor<2x12x64xf32>
  return %d : tensor<2x12x64xf32>
}

// Heads to the front and joined with the batch, the digits in one order
// whichever way the groups were spelled.
// CHECK-LABEL: @grouped_heads
// CHECK: [0:8, 0:12, 0:16] -> %arg0[i0 floordiv 4, i1, i0 floordiv 2 mod 2, i2]
// CHECK: [0:8, 0:12, 0:16] -> %arg0[i0 floordiv 4, i1, i0 floordiv 2 mod 2, i2]
func.func @grouped_heads(%kv: tensor<2x12x2x16xf32>) -> (tensor<8x12x16xf32>, tensor<8x12x16xf32>) {
  %e = tensor.empty() : tensor<2x2x12x16xf32>
  %t = linalg.transpose ins(%kv : tensor<2x12x2x16xf32>) outs(%e : tensor<2x2x12x16xf32>) permutation = [0, 2, 1, 3]
  %e5 = tensor.empty() : tensor<2x2x2x12x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e) -> (a, b, d, e)>, affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%t : tensor<2x2x12x16xf32>) outs(%e5 : tensor<2x2x2x12x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x2x2x12x16xf32>
  %one = tensor.collapse_shape %r [[0, 1, 2], [3], [4]] {attn.print} : tensor<2x2x2x12x16xf32> into tensor<8x12x16xf32>
  %h = tensor.collapse_shape %r [[0], [1, 2], [3], [4]] : tensor<2x2x2x12x16xf32> into tensor<2x4x12x16xf32>
  %two = tensor.collapse_shape %h [[0, 1], [2], [3]] {attn.print} : tensor<2x4x12x16xf32> into tensor<8x12x16xf32>
  return %one, %two : tensor<8x12x16xf32>, tensor<8x12x16xf32>
}

// Slices put together again are the whole.
// CHECK-LABEL: @slice_concat
// CHECK: :
// CHECK-NEXT: [0:4, 0:10] -> %arg0[i0, i1]
// CHECK-NOT: ->
func.func @slice_concat(%x: tensor<4x10xf32>) -> tensor<4x10xf32> {
  %a = tensor.extract_slice %x[0, 0] [4, 3] [1, 1] : tensor<4x10xf32> to tensor<4x3xf32>
  %b = tensor.extract_slice %x[0, 3] [4, 7] [1, 1] : tensor<4x10xf32> to tensor<4x7xf32>
  %c = tensor.concat dim(1) %a, %b {attn.print} : (tensor<4x3xf32>, tensor<4x7xf32>) -> tensor<4x10xf32>
  return %c : tensor<4x10xf32>
}

// Even and odd elements swapped, by an expand to a trailing 1 and a collapse.
// CHECK-LABEL: @interleave
// CHECK: [0:6, 0 + 2 * 0:4] -> -%arg0[i0, 2 * i1 + 1]
// CHECK-NEXT: [0:6, 1 + 2 * 0:4] -> %arg0[i0, 2 * i1]
func.func @interleave(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %even = tensor.extract_slice %x[0, 0] [6, 4] [1, 2] : tensor<6x8xf32> to tensor<6x4xf32>
  %odd = tensor.extract_slice %x[0, 1] [6, 4] [1, 2] : tensor<6x8xf32> to tensor<6x4xf32>
  %neg = arith.negf %odd : tensor<6x4xf32>
  %a = tensor.expand_shape %neg [[0], [1, 2]] output_shape [6, 4, 1] : tensor<6x4xf32> into tensor<6x4x1xf32>
  %b = tensor.expand_shape %even [[0], [1, 2]] output_shape [6, 4, 1] : tensor<6x4xf32> into tensor<6x4x1xf32>
  %c = tensor.concat dim(2) %a, %b : (tensor<6x4x1xf32>, tensor<6x4x1xf32>) -> tensor<6x4x2xf32>
  %d = tensor.collapse_shape %c [[0], [1, 2]] {attn.print} : tensor<6x4x2xf32> into tensor<6x8xf32>
  return %d : tensor<6x8xf32>
}

// A strided slice is written into the even elements only.
// CHECK-LABEL: @insert_strided
// CHECK: [0 + 2 * 0:4] -> %arg1[i0]
// CHECK-NEXT: [1 + 2 * 0:4] -> %arg0[2 * i0 + 1]
func.func @insert_strided(%x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<8xf32> {
  %a = tensor.insert_slice %y into %x[0] [4] [2] {attn.print} : tensor<4xf32> into tensor<8xf32>
  return %a : tensor<8xf32>
}

// A row written at a place that only the data tells stays a select.
// CHECK-LABEL: @insert_at
// CHECK: [0:8, 0:4] -> select(i0 != %arg2, %arg0[i0, i1], %arg1[0, i1])
func.func @insert_at(%cache: tensor<8x4xf32>, %row: tensor<1x4xf32>, %at: index) -> tensor<8x4xf32> {
  %a = tensor.insert_slice %row into %cache[%at, 0] [1, 4] [1, 1] {attn.print} : tensor<1x4xf32> into tensor<8x4xf32>
  return %a : tensor<8x4xf32>
}

// CHECK-LABEL: @pad
// CHECK: [0:1] -> 7.0
// CHECK-NEXT: [1 + 0:3] -> %arg0[i0]
// CHECK-NEXT: [4 + 0:2] -> 7.0
func.func @pad(%x: tensor<3xf32>) -> tensor<6xf32> {
  %c = arith.constant 7.0 : f32
  %a = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } {attn.print} : tensor<3xf32> to tensor<6xf32>
  return %a : tensor<6xf32>
}

// A cache of unknown length and a new row.
// CHECK-LABEL: @dynamic_concat
// CHECK: [0:dim(%arg0, 0), 0:4] -> %arg0[i0, i1]
// CHECK-NEXT: [dim(%arg0, 0) + 0:1, 0:4] -> %arg1[0, i1]
func.func @dynamic_concat(%cache: tensor<?x4xf32>, %row: tensor<1x4xf32>) -> tensor<?x4xf32> {
  %a = tensor.concat dim(0) %cache, %row {attn.print} : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  return %a : tensor<?x4xf32>
}

// A reshape by computed sizes splits the last dimension into heads.
// CHECK-LABEL: @dynamic_reshape
// CHECK: [0:dim(%arg0, 0), 0:dim(%arg0, 1), 0:4, 0:16] -> %arg0[i0, i1, 16 * i2 + i3]
func.func @dynamic_reshape(%x: tensor<?x?x64xf32>) -> tensor<?x?x4x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : i64
  %c64 = arith.constant 64 : i64
  %zero = arith.constant 0 : i64
  %d0 = tensor.dim %x, %c0 : tensor<?x?x64xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?x64xf32>
  %b = arith.index_cast %d0 : index to i64
  %s = arith.index_cast %d1 : index to i64
  %bs = arith.muli %b, %s : i64
  %all = arith.muli %bs, %c64 : i64
  %part = arith.muli %bs, %c16 : i64
  %heads = arith.divsi %all, %part : i64
  %negative = arith.cmpi slt, %b, %zero : i64
  %b2 = arith.select %negative, %heads, %b : i64
  %shape = tensor.from_elements %b2, %s, %heads, %c16 : tensor<4xi64>
  %r = tensor.reshape %x(%shape) {attn.print} : (tensor<?x?x64xf32>, tensor<4xi64>) -> tensor<?x?x4x16xf32>
  return %r : tensor<?x?x4x16xf32>
}

// Re-broadcast in a graph of unknown sizes: an index of a dimension of size one
// is zero anyway.
// CHECK-LABEL: @rebroadcast
// CHECK: [0:dim(%arg0, 0), 0:dim(%arg0, 1)] -> %arg0[i0, i1]
func.func @rebroadcast(%m: tensor<?x?xi1>) -> tensor<?x?xi1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %m, %c0 : tensor<?x?xi1>
  %d1 = tensor.dim %m, %c1 : tensor<?x?xi1>
  %e = tensor.empty(%d0, %d1) : tensor<?x?xi1>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b) -> (a, b)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<?x?xi1>) attrs = {attn.print} {
  ^bb0(%out: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %one0 = arith.cmpi eq, %d0, %c1 : index
    %i2 = arith.select %one0, %c0, %i : index
    %one1 = arith.cmpi eq, %d1, %c1 : index
    %j2 = arith.select %one1, %c0, %j : index
    %v = tensor.extract %m[%i2, %j2] : tensor<?x?xi1>
    linalg.yield %v : i1
  } -> tensor<?x?xi1>
  return %r : tensor<?x?xi1>
}
