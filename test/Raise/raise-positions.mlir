// RUN: attn-opt %s -attn-raise-positions -remarks-filter=attn-raise 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

#bt = affine_map<(d0, d1, d2) -> (d0, d1)>
#btd = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#td = affine_map<(d0, d1, d2) -> (d1, d2)>
#one = affine_map<(d0, d1, d2) -> (0, d1, d2)>

// The embedding of tokens is no position; the slice of the other table that is
// added to it is one for each token.
// CHECK-LABEL: func.func @slice
// CHECK-SAME: %[[IDS:.*]]: tensor<2x4xi64>
// CHECK: tensor.extract
// CHECK: %[[P:.*]] = attn.positions outs({{.*}} : tensor<1x4xi64>)
// CHECK: attn.learned_position table(%{{.*}} : tensor<6x3xf32>) positions(%[[P]] : tensor<1x4xi64>)
// CHECK: arith.addf
// REMARK: Remark="learned positions, one for each token"
func.func @slice(%ids: tensor<2x4xi64>, %tokens: tensor<9x3xf32>) -> tensor<2x4x3xf32> {
  %table = arith.constant dense<[[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9], [1.0, 1.1, 1.2], [1.3, 1.4, 1.5], [1.6, 1.7, 1.8]]> : tensor<6x3xf32>
  %e = tensor.empty() : tensor<2x4x3xf32>
  %t = linalg.generic {indexing_maps = [#bt, #btd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : tensor<2x4xi64>) outs(%e : tensor<2x4x3xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %d = linalg.index 2 : index
    %v = tensor.extract %tokens[%i, %d] : tensor<9x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x4x3xf32>
  %p = tensor.extract_slice %table[0, 0] [4, 3] [1, 1] : tensor<6x3xf32> to tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [#btd, #td, #btd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t, %p : tensor<2x4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<2x4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}

// Positions past a cache, and the table is an argument.
// CHECK-LABEL: func.func @counted
// CHECK-NOT: cf.assert
// CHECK: attn.positions offset(%{{.*}} : index) outs({{.*}} : tensor<1x4xi64>)
// CHECK: %[[L:.*]] = attn.learned_position table(%arg0 : tensor<?x3xf32>)
// CHECK: return %[[L]]
func.func @counted(%table: tensor<?x3xf32>, %past: index) -> tensor<1x4x3xf32> {
  %e = tensor.empty() : tensor<1x4x3xf32>
  %r = linalg.generic {indexing_maps = [#btd], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<1x4x3xf32>) {
  ^bb0(%o: f32):
    %t = linalg.index 1 : index
    %d = linalg.index 2 : index
    %p = arith.addi %t, %past : index
    %v = tensor.extract %table[%p, %d] : tensor<?x3xf32>
    linalg.yield %v : f32
  } -> tensor<1x4x3xf32>
  return %r : tensor<1x4x3xf32>
}

// A cumulative sum of the mask. The check of the graph is that of the op.
// CHECK-LABEL: func.func @cumulative
// CHECK-NOT: cf.assert
// CHECK: attn.learned_position table(%arg0 : tensor<8x3xf32>) positions(%{{.*}} : tensor<2x4xi64>)
// REMARK: Remark="learned positions"
func.func @cumulative(%table: tensor<8x3xf32>, %mask: tensor<2x4xi64>) -> tensor<2x4x3xf32> {
  %zero = arith.constant 0 : i64
  %n = arith.constant 8 : index
  %e0 = tensor.empty() : tensor<2x4xi64>
  %z = linalg.fill ins(%zero : i64) outs(%e0 : tensor<2x4xi64>) -> tensor<2x4xi64>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, #bt], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%mask : tensor<2x4xi64>) outs(%z : tensor<2x4xi64>) {
  ^bb0(%m: i64, %acc: i64):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %k = arith.cmpi sle, %j, %i : index
    %x = arith.select %k, %m, %zero : i64
    %s = arith.addi %acc, %x : i64
    linalg.yield %s : i64
  } -> tensor<2x4xi64>
  %e = tensor.empty() : tensor<2x4x3xf32>
  %r = linalg.generic {indexing_maps = [#bt, #btd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sum : tensor<2x4xi64>) outs(%e : tensor<2x4x3xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %d = linalg.index 2 : index
    %lt = arith.cmpi slt, %i, %n : index
    cf.assert %lt, "index must be smaller than dim size"
    %ge = arith.cmpi sge, %id, %zero : i64
    cf.assert %ge, "index must be larger or equal to 0"
    %v = tensor.extract %table[%i, %d] : tensor<8x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}

// Rows read at numbers from data.
// CHECK-LABEL: func.func @tokens
// CHECK-NOT: attn.
func.func @tokens(%ids: tensor<2x4xi64>, %table: tensor<9x3xf32>) -> tensor<2x4x3xf32> {
  %e = tensor.empty() : tensor<2x4x3xf32>
  %t = linalg.generic {indexing_maps = [#bt, #btd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : tensor<2x4xi64>) outs(%e : tensor<2x4x3xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %d = linalg.index 2 : index
    %v = tensor.extract %table[%i, %d] : tensor<9x3xf32>
    linalg.yield %v : f32
  } -> tensor<2x4x3xf32>
  return %t : tensor<2x4x3xf32>
}

// Rows read at the distance of two positions.
// CHECK-LABEL: func.func @relative
// CHECK-NOT: attn.
func.func @relative(%table: tensor<9x3xf32>) -> tensor<4x4x3xf32> {
  %e = tensor.empty() : tensor<4x4x3xf32>
  %three = arith.constant 3 : index
  %t = linalg.generic {indexing_maps = [#btd], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<4x4x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %d = linalg.index 2 : index
    %x = arith.subi %j, %i : index
    %y = arith.addi %x, %three : index
    %v = tensor.extract %table[%y, %d] : tensor<9x3xf32>
    linalg.yield %v : f32
  } -> tensor<4x4x3xf32>
  return %t : tensor<4x4x3xf32>
}

// A sinusoidal encoding was not learned.
// CHECK-LABEL: func.func @sinusoidal
// CHECK-NOT: attn.
// REMARK: Reason="the table that is read at each position holds sines and cosines, which were not learned"
func.func @sinusoidal(%x: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %table = arith.constant dense<[[0.0, 1.0], [0.841470985, 0.540302306]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2x2xf32>
  %r = linalg.generic {indexing_maps = [#btd, #td, #btd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %table : tensor<2x2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// A constant that is added to scores is a mask or a bias.
// CHECK-LABEL: func.func @scores
// CHECK-NOT: attn.
func.func @scores(%x: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %table = arith.constant dense<[[0.0, -10000.0], [0.5, 0.25]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2x2xf32>
  %r = linalg.generic {indexing_maps = [#btd, #td, #btd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %table : tensor<2x2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x2x2xf32>
  %p = math.exp %r : tensor<2x2x2xf32>
  return %p : tensor<2x2x2xf32>
}

// The whole table is added, with a first dimension of one.
// CHECK-LABEL: func.func @whole
// CHECK: attn.learned_position table(%{{.*}} : tensor<2x2xf32>) positions(%{{.*}} : tensor<1x2xi64>)
func.func @whole(%x: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %table = arith.constant dense<[[[0.1, 0.2], [0.5, 0.25]]]> : tensor<1x2x2xf32>
  %e = tensor.empty() : tensor<2x2x2xf32>
  %r = linalg.generic {indexing_maps = [#btd, #one, #btd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %table : tensor<2x2x2xf32>, tensor<1x2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}

// Positions that are read at every second place of a tensor whose size is not
// known: reading them anew would lose a check, and no tensor holds them.
// CHECK-LABEL: func.func @gathered
// CHECK-NOT: attn.learned_position
// REMARK: Reason="the positions cannot be had as a tensor"
func.func @gathered(%table: tensor<9x3xf32>, %pos: tensor<?xindex>) -> tensor<1x4x3xf32> {
  %e = tensor.empty() : tensor<1x4x3xf32>
  %r = linalg.generic {indexing_maps = [#btd], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<1x4x3xf32>) {
  ^bb0(%o: f32):
    %t = linalg.index 1 : index
    %d = linalg.index 2 : index
    %two = arith.constant 2 : index
    %at = arith.muli %t, %two : index
    %first = tensor.extract %pos[%at] : tensor<?xindex>
    %p = arith.addi %t, %first : index
    %v = tensor.extract %table[%p, %d] : tensor<9x3xf32>
    linalg.yield %v : f32
  } -> tensor<1x4x3xf32>
  return %r : tensor<1x4x3xf32>
}

// A slice of an argument may be positions, or anything else.
// CHECK-LABEL: func.func @argument
// CHECK-NOT: attn.learned_position
// REMARK: Reason="rows of an argument are added in every batch, which need not be positions"
func.func @argument(%x: tensor<2x2x2xf32>, %table: tensor<2x2xf32>) -> tensor<2x2x2xf32> {
  %e = tensor.empty() : tensor<2x2x2xf32>
  %r = linalg.generic {indexing_maps = [#btd, #td, #btd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %table : tensor<2x2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x2x2xf32>
  return %r : tensor<2x2x2xf32>
}
