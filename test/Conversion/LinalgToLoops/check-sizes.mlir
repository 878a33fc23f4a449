// RUN: attn-opt %s --attn-check-sizes --canonicalize --cse | FileCheck %s

// Sizes are checked once, as sizes of arguments.
// CHECK-LABEL: func.func @add
// CHECK-DAG: %[[D0:.*]] = tensor.dim %arg0
// CHECK-DAG: %[[D1:.*]] = tensor.dim %arg1
// CHECK: %[[EQ:.*]] = arith.cmpi eq, %[[D1]], %[[D0]]
// CHECK-NEXT: cf.assert %[[EQ]], "expects dimension 0 of argument 1 to equal dimension 0 of argument 0"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %s = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %n = tensor.dim %s, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %t = linalg.mul ins(%s, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %t : tensor<?xf32>
}

// A static size is what is expected.
// CHECK-LABEL: func.func @static
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of argument 0 to equal 12"
func.func @static(%a: tensor<?xf32>, %b: tensor<12xf32>) -> tensor<12xf32> {
  %s = linalg.add ins(%a, %b : tensor<?xf32>, tensor<12xf32>) outs(%b : tensor<12xf32>) -> tensor<12xf32>
  return %s : tensor<12xf32>
}

// What the graph checks is not checked again; what cannot fail goes.
// CHECK-LABEL: func.func @known
// CHECK: cf.assert %{{.*}}, "mismatched size"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @known(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c0_i64 = arith.constant 0 : i64
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %eq = arith.cmpi eq, %m, %n : index
  cf.assert %eq, "mismatched size"
  %i = arith.index_cast %m : index to i64
  %ge = arith.cmpi sge, %i, %c0_i64 : i64
  cf.assert %ge, "negative size"
  %lt = arith.cmpi slt, %i, %c0_i64 : i64
  %size = arith.select %lt, %c0_i64, %i : i64
  %back = arith.index_cast %size : i64 to index
  %e = tensor.empty(%back) : tensor<?xf32>
  %s = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}

// Sizes of concatenations, reshapes and loops follow from those of arguments.
// CHECK-LABEL: func.func @follows
// CHECK-NOT: cf.assert
// CHECK: return
func.func @follows(%a: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = tensor.dim %a, %c0 : tensor<?x4xf32>
  %twice = tensor.concat dim(0) %a, %a : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %flat = tensor.collapse_shape %twice [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %elements = tensor.dim %flat, %c0 : tensor<?xf32>
  %rows = arith.divsi %elements, %c4 : index
  %again = tensor.expand_shape %flat [[0, 1]] output_shape [%rows, 4] : tensor<?xf32> into tensor<?x4xf32>
  %half = tensor.extract_slice %again[%m, 0] [%m, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%x = %half) -> tensor<?x4xf32> {
    %y = linalg.add ins(%x, %a : tensor<?x4xf32>, tensor<?x4xf32>) outs(%x : tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %y : tensor<?x4xf32>
  }
  %s = linalg.add ins(%sum, %a : tensor<?x4xf32>, tensor<?x4xf32>) outs(%a : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// A check under a condition says nothing about what comes after it.
// CHECK-LABEL: func.func @conditional
// CHECK: scf.if
// CHECK: cf.assert
// CHECK: cf.assert
func.func @conditional(%a: tensor<?xf32>, %b: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    %s = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  %t = linalg.mul ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %t : tensor<?xf32>
}

// CHECK-LABEL: func.func @tensor_ops
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of tensor.empty not to be negative"
// CHECK: cf.assert %{{.*}}, "expects the offset in dimension 0 of tensor.extract_slice not to be negative"
// CHECK: cf.assert %{{.*}}, "expects the slice of tensor.extract_slice to be within dimension 0"
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of the source of tensor.insert_slice to be the size of the slice"
// CHECK: cf.assert %{{.*}}, "expects dimension 0 of the operand of tensor.cast to be 6"
// CHECK: cf.assert %{{.*}}, "expects the shapes of tensor.expand_shape to have as many elements"
// CHECK: cf.assert %{{.*}}, "expects dimension 1 of argument 1 to equal dimension 1 of argument 0"
func.func @tensor_ops(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %v: tensor<?xf32>, %w: tensor<?xf32>,
                      %n: index, %o: index)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<6xf32>, tensor<?x4xf32>, tensor<?x?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = tensor.extract_slice %v[%o] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %i = tensor.insert_slice %w into %v[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  %c = tensor.cast %v : tensor<?xf32> to tensor<6xf32>
  %x = tensor.expand_shape %w [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  %t = tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %e, %s, %i, %c, %x, %t : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<6xf32>, tensor<?x4xf32>, tensor<?x?xf32>
}

// Accesses other than by one loop: the greatest index counts, unless there is
// no iteration at all.
// CHECK-LABEL: func.func @window
// CHECK: arith.ori
// CHECK: cf.assert %{{.*}}, "expects the accesses of linalg.generic to be within dimension 0 of operand 0"
func.func @window(%a: tensor<?xf32>, %w: tensor<3xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%a, %w : tensor<?xf32>, tensor<3xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
