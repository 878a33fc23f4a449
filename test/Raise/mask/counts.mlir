// RUN: attn-opt %s --inline --attn-raise-attention | FileCheck %s

// Documents by a count of the tokens up to a query whose position is not one
// more than that before. Positions that count leave one document, so nothing of
// that mask is left; positions that are data leave a tensor.

#bij = affine_map<(b, i, j) -> (b, i, j)>
#i = affine_map<(b, i, j) -> (i)>
#j = affine_map<(b, i, j) -> (j)>

func.func private @attention(%q: tensor<2x6x8xf32>, %kt: tensor<2x8x6xf32>, %v: tensor<2x6x8xf32>, %positions: tensor<7xi64>) -> tensor<2x6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %low = arith.constant 0xFF800000 : f32
  %before = tensor.extract_slice %positions[0] [6] [1] : tensor<7xi64> to tensor<6xi64>
  %after = tensor.extract_slice %positions[1] [6] [1] : tensor<7xi64> to tensor<6xi64>
  %en = tensor.empty() : tensor<6xi64>
  %n0 = linalg.fill ins(%none : i64) outs(%en : tensor<6xi64>) -> tensor<6xi64>
  %ee = tensor.empty() : tensor<6x6xi64>
  %starts = linalg.generic {indexing_maps = [affine_map<(t, r) -> (r)>, affine_map<(t, r) -> (r)>, affine_map<(t, r) -> (t, r)>], iterator_types = ["parallel", "parallel"]}
      ins(%before, %after : tensor<6xi64>, tensor<6xi64>) outs(%ee : tensor<6x6xi64>) {
  ^bb0(%a: i64, %b: i64, %o: i64):
    %it = linalg.index 0 : index
    %ir = linalg.index 1 : index
    %d = arith.subi %b, %a : i64
    %c = arith.cmpi ne, %d, %one : i64
    %upto = arith.cmpi sle, %ir, %it : index
    %both = arith.andi %c, %upto : i1
    %n = arith.extui %both : i1 to i64
    linalg.yield %n : i64
  } -> tensor<6x6xi64>
  %documents = linalg.reduce {arith.addi} ins(%starts : tensor<6x6xi64>) outs(%n0 : tensor<6xi64>) dimensions = [1]
  %e = tensor.empty() : tensor<2x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%z : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %m = linalg.generic {indexing_maps = [#bij, #i, #j, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %documents, %documents : tensor<2x6x6xf32>, tensor<6xi64>, tensor<6xi64>) outs(%e : tensor<2x6x6xf32>) {
  ^bb0(%x: f32, %a: i64, %b: i64, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %causal = arith.cmpi sle, %j, %i : index
    %same = arith.cmpi eq, %a, %b : i64
    %keep = arith.andi %causal, %same : i1
    %y = arith.select %keep, %x, %low : f32
    linalg.yield %y : f32
  } -> tensor<2x6x6xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<2x6x6xf32>) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %eo = tensor.empty() : tensor<2x6x8xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %result = linalg.batch_matmul ins(%p, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%zo : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return %result : tensor<2x6x8xf32>
}

// CHECK-LABEL: func.func @counting(
// CHECK-NOT: attn.mask.tensor
// CHECK: %[[M:.*]] = attn.mask.causal{{$}}
// CHECK-NOT: attn.mask
// CHECK: attn.attention {{.*}}mask(%[[M]]) outs
func.func @counting(%q: tensor<2x6x8xf32>, %kt: tensor<2x8x6xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %e = tensor.empty() : tensor<7xi64>
  %positions = linalg.generic {indexing_maps = [affine_map<(t) -> (t)>], iterator_types = ["parallel"]} outs(%e : tensor<7xi64>) {
  ^bb0(%o: i64):
    %t = linalg.index 0 : index
    %n = arith.index_cast %t : index to i64
    linalg.yield %n : i64
  } -> tensor<7xi64>
  %r = call @attention(%q, %kt, %v, %positions) : (tensor<2x6x8xf32>, tensor<2x8x6xf32>, tensor<2x6x8xf32>, tensor<7xi64>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}

// CHECK-LABEL: func.func @data(
// CHECK: attn.mask.tensor keep {{.*}} : tensor<1x1x6x6xi1>
// CHECK: attn.attention
func.func @data(%q: tensor<2x6x8xf32>, %kt: tensor<2x8x6xf32>, %v: tensor<2x6x8xf32>, %positions: tensor<7xi64>) -> tensor<2x6x8xf32> {
  %r = call @attention(%q, %kt, %v, %positions) : (tensor<2x6x8xf32>, tensor<2x8x6xf32>, tensor<2x6x8xf32>, tensor<7xi64>) -> tensor<2x6x8xf32>
  return %r : tensor<2x6x8xf32>
}
