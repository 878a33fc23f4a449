// Reads of elements by index.
// RUN: attn-opt %s --attn-check-sizes --canonicalize --cse | FileCheck %s

#id = affine_map<(i) -> (i)>

// Indices that are data are checked where they are used.
// CHECK-LABEL: func.func @gather
// CHECK: linalg.generic
// CHECK: %[[LOW:.*]] = arith.cmpi sge, %[[I:.*]], %{{.*}} : index
// CHECK: cf.assert %[[LOW]], "expects the index of tensor.extract in dimension 0 to be within the tensor"
// CHECK: %[[HIGH:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : index
// CHECK: cf.assert %[[HIGH]], "expects the index of tensor.extract in dimension 0 to be within the tensor"
// CHECK: tensor.extract
func.func @gather(%ids: tensor<3xi64>, %table: tensor<?xf32>, %out: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%ids : tensor<3xi64>) outs(%out : tensor<3xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %x = tensor.extract %table[%i] : tensor<?xf32>
    linalg.yield %x : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// A check of the graph is enough, if it is strict enough.
// CHECK-LABEL: func.func @checked
// CHECK-COUNT-2: cf.assert
// CHECK-NOT: cf.assert
// CHECK-LABEL: func.func @checked_too_weakly
// CHECK-COUNT-4: cf.assert
// CHECK-NOT: cf.assert
// CHECK: return
func.func @checked(%ids: tensor<3xi64>, %table: tensor<8xf32>, %out: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : i64
  %c8 = arith.constant 8 : index
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%ids : tensor<3xi64>) outs(%out : tensor<3xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %low = arith.cmpi sge, %id, %c0 : i64
    cf.assert %low, "low"
    %high = arith.cmpi slt, %i, %c8 : index
    cf.assert %high, "high"
    %x = tensor.extract %table[%i] : tensor<8xf32>
    linalg.yield %x : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

func.func @checked_too_weakly(%ids: tensor<3xi64>, %table: tensor<7xf32>, %out: tensor<3xf32>) -> tensor<3xf32> {
  %c0 = arith.constant 0 : i64
  %c8 = arith.constant 8 : index
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%ids : tensor<3xi64>) outs(%out : tensor<3xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %low = arith.cmpi sge, %id, %c0 : i64
    cf.assert %low, "low"
    %high = arith.cmpi slt, %i, %c8 : index
    cf.assert %high, "high"
    %x = tensor.extract %table[%i] : tensor<7xf32>
    linalg.yield %x : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// Positions read from a tensor are known too: one check before the loop, with
// the way of negative indices seen not to be taken.
// CHECK-LABEL: func.func @positions
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 0 to be at least dimension 0 of argument 1"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @positions(%mask: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c0_i64 = arith.constant 0 : i64
  %n = tensor.dim %out, %c0 : tensor<?xf32>
  %m = tensor.dim %mask, %c0 : tensor<?xf32>
  %m_i64 = arith.index_cast %m : index to i64
  %e = tensor.empty(%n) : tensor<?xi64>
  %iota = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    linalg.yield %p : i64
  } -> tensor<?xi64>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%iota : tensor<?xi64>) outs(%out : tensor<?xf32>) {
  ^bb0(%p: i64, %o: f32):
    %negative = arith.cmpi slt, %p, %c0_i64 : i64
    %wrapped = arith.addi %p, %m_i64 : i64
    %q = arith.select %negative, %wrapped, %p : i64
    %i = arith.index_cast %q : i64 to index
    %x = tensor.extract %mask[%i] : tensor<?xf32>
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Broadcasting at run time: the index counts only where the size is not 1.
// CHECK-LABEL: func.func @broadcast
// CHECK: arith.ori
// CHECK: cf.assert
// CHECK: linalg.generic
// CHECK-NOT: cf.assert
// CHECK: return
func.func @broadcast(%a: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%out : tensor<?xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %one = arith.cmpi eq, %n, %c1 : index
    %j = arith.select %one, %c0, %i : index
    %x = tensor.extract %a[%j] : tensor<?xf32>
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Loops and generated tensors.
// CHECK-LABEL: func.func @loop
// CHECK-NOT: cf.assert
// CHECK: tensor.insert
// CHECK-NOT: cf.assert
// CHECK: %[[LOW:.*]] = arith.cmpi sge, %arg1
// CHECK: cf.assert %[[LOW]], "expects the index of tensor.insert in dimension 0 to be within the tensor"
func.func @loop(%a: tensor<8xf32>, %at: index, %x: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %a) -> tensor<8xf32> {
    %u = tensor.insert %x into %t[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %s = tensor.insert %x into %r[%at] : tensor<8xf32>
  return %s : tensor<8xf32>
}
