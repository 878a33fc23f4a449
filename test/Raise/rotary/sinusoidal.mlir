// RUN: attn-opt %s -attn-raise-rotary -remarks-filter=attn-raise 2>&1 | FileCheck %s

// Cosines and sines that are added to something are no rotation; one remark
// says so.
// CHECK: Reason="cosines or sines are computed that no rotation is by"
// CHECK-NOT: Reason
// CHECK-NOT: attn.rotary
func.func @added(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x2xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x2xf32>) {
    ^bb0(%o: f32):
      %t = linalg.index 0 : index
      %d = linalg.index 1 : index
      %n = arith.index_cast %t : index to i64
      %p = arith.sitofp %n : i64 to f32
      %m = arith.index_cast %d : index to i64
      %g = arith.sitofp %m : i64 to f32
      %ten = arith.constant 0.1 : f32
      %f = math.powf %ten, %g : f32
      %w = arith.mulf %p, %f : f32
      %z = math.sin %w : f32
      linalg.yield %z : f32
    } -> tensor<4x2xf32>
  %e1 = tensor.empty() : tensor<4x2xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(t, d) -> (t, d)>], iterator_types = ["parallel", "parallel"]} outs(%e1 : tensor<4x2xf32>) {
    ^bb0(%o: f32):
      %t = linalg.index 0 : index
      %d = linalg.index 1 : index
      %n = arith.index_cast %t : index to i64
      %p = arith.sitofp %n : i64 to f32
      %m = arith.index_cast %d : index to i64
      %g = arith.sitofp %m : i64 to f32
      %ten = arith.constant 0.1 : f32
      %f = math.powf %ten, %g : f32
      %w = arith.mulf %p, %f : f32
      %z = math.cos %w : f32
      linalg.yield %z : f32
    } -> tensor<4x2xf32>
  %cs = tensor.concat dim(1) %s, %c : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  %y = arith.addf %x, %cs : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
