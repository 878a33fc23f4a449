// Pads of tensors without elements: before, behind, and to nothing again.

// RUN: attn-run %s --reference --shapes=in1=3x4x2x0 --outputs=%t.npz
// RUN: attn-run %s --shapes=in1=3x4x2x0 --compare=%t.npz | FileCheck %s
// RUN: attn-run %s --shapes=in1=3x4x2x0 --no-raise --no-vectorize --compare=%t.npz | FileCheck %s

// CHECK:      out0: ok, 6 elements
// CHECK-NEXT: out1: ok, 6 elements
// CHECK-NEXT: out2: ok, 0 elements
func.func @main(%x: tensor<0x2xf32>, %y: tensor<3x4x?x0xf32>)
    -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x8x?x0xf32>) {
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
  return %before, %around, %nothing : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x8x?x0xf32>
}
