// Tensors without elements: padded before, behind, and to nothing again; and
// collapsed, where one size of a group is open and another is 0.

// RUN: attn-run %s --reference --shapes=in1=3x4x2x0,in2=2x0x1x3 --outputs=%t.npz
// RUN: attn-run %s --shapes=in1=3x4x2x0,in2=2x0x1x3 --compare=%t.npz | FileCheck %s
// RUN: attn-run %s --shapes=in1=3x4x2x0,in2=2x0x1x3 --no-raise --no-vectorize --compare=%t.npz | FileCheck %s

// CHECK:      out0: ok, 6 elements
// CHECK-NEXT: out1: ok, 6 elements
// CHECK-NEXT: out2: ok, 0 elements
// CHECK-NEXT: out3: ok, 0 elements
// CHECK-NEXT: out4: ok, 6 elements
func.func @main(%x: tensor<0x2xf32>, %y: tensor<3x4x?x0xf32>, %z: tensor<?x0x1x?xf32>)
    -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x8x?x0xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %seven = arith.constant 7.0 : f32
  %before = tensor.pad %x low[3, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %seven : f32
  } : tensor<0x2xf32> to tensor<3x2xf32>
  %around = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    %0 = arith.index_cast %i : index to i32
    %1 = arith.sitofp %0 : i32 to f32
    tensor.yield %1 : f32
  } : tensor<0x2xf32> to tensor<3x2xf32>
  %nothing = tensor.pad %y low[0, 2, 0, 0] high[0, 2, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %seven : f32
  } : tensor<3x4x?x0xf32> to tensor<3x8x?x0xf32>
  %rows = tensor.collapse_shape %z [[0, 1, 2], [3]] : tensor<?x0x1x?xf32> into tensor<?x?xf32>
  %sizes = math.absf %rows : tensor<?x?xf32>
  %behind = tensor.pad %rows low[2, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %seven : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %before, %around, %nothing, %sizes, %behind
    : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x8x?x0xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
