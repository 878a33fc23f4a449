// A bound that no index reaches is no bound.
// RUN: attn-opt %s --attn-raise | FileCheck %s
// RUN: attn-run %s --seed=1 --reference --outputs=%t.npz
// RUN: attn-run %s --seed=1 --compare=%t.npz --atol=1e-5
// CHECK-LABEL: func.func @main
// CHECK-NOT: attn.mask.window
// CHECK: %[[CAUSAL:.*]] = attn.mask.causal
// CHECK-NOT: attn.mask.
// CHECK: attn.attention {{.*}} mask(%[[CAUSAL]])
func.func @main(%q: tensor<1x1x6x8xf32>, %k: tensor<1x1x6x8xf32>, %v: tensor<1x1x6x8xf32>) -> tensor<1x1x6x8xf32> {
  %far = arith.constant 4611686018427387904 : i64
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x1x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x6x6xf32>) -> tensor<1x1x6x6xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b,h,i,j,d)->(b,h,i,d)>, affine_map<(b,h,i,j,d)->(b,h,j,d)>, affine_map<(b,h,i,j,d)->(b,h,i,j)>], iterator_types = ["parallel","parallel","parallel","parallel","reduction"]}
    ins(%q, %k : tensor<1x1x6x8xf32>, tensor<1x1x6x8xf32>) outs(%z : tensor<1x1x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x1x6x6xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(b,h,i,j)->(b,h,i,j)>, affine_map<(b,h,i,j)->(b,h,i,j)>], iterator_types = ["parallel","parallel","parallel","parallel"]}
    ins(%s : tensor<1x1x6x6xf32>) outs(%e : tensor<1x1x6x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %i64 = arith.index_cast %i : index to i64
    %j64 = arith.index_cast %j : index to i64
    %d = arith.subi %i64, %j64 : i64
    %near = arith.cmpi sle, %d, %far : i64
    %c = arith.cmpi sle, %j64, %i64 : i64
    %keep = arith.andi %near, %c : i1
    %r = arith.select %keep, %a, %ninf : f32
    linalg.yield %r : f32
  } -> tensor<1x1x6x6xf32>
  %p = linalg.softmax dimension(3) ins(%masked : tensor<1x1x6x6xf32>) outs(%e : tensor<1x1x6x6xf32>) -> tensor<1x1x6x6xf32>
  %oe = tensor.empty() : tensor<1x1x6x8xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x1x6x8xf32>) -> tensor<1x1x6x8xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b,h,i,d,j)->(b,h,i,j)>, affine_map<(b,h,i,d,j)->(b,h,j,d)>, affine_map<(b,h,i,d,j)->(b,h,i,d)>], iterator_types = ["parallel","parallel","parallel","parallel","reduction"]}
    ins(%p, %v : tensor<1x1x6x6xf32>, tensor<1x1x6x8xf32>) outs(%oz : tensor<1x1x6x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %c, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x1x6x8xf32>
  return %o : tensor<1x1x6x8xf32>
}
