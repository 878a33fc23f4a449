// RUN: attn-opt %s --attn-lower-to-linalg --split-input-file | FileCheck %s

// All starts are checked before a row is copied, and rows are copied one by one:
// what computes them cannot write them into the cache in front of the checks.

// CHECK-LABEL: func @append(
// CHECK-SAME: %[[N:.*]]: tensor<2x4x3x64xf16>, %[[S:.*]]: tensor<2xi64>, %[[C:.*]]: tensor<2x4x32x64xf16>
// CHECK: scf.for %[[B:.*]] = %c0{{.*}} to %c2
// CHECK: tensor.extract %[[S]][%[[B]]]
// CHECK: cf.assert %{{.*}}, "'attn.cache_append' op expects a non-negative 'start'"
// CHECK: arith.cmpi sle, %{{.*}}, %c29
// CHECK: cf.assert %{{.*}}, "'attn.cache_append' op expects a 'start' that leaves room for 3 rows of 'new' in a cache of 32"
// CHECK: }
// CHECK-NOT: cf.assert
// CHECK: scf.for %[[B:.*]] = {{.*}} iter_args(%[[CB:.*]] = %[[C]])
// CHECK: scf.for %[[H:.*]] = {{.*}} iter_args(%[[CH:.*]] = %[[CB]])
// CHECK: scf.for %[[T:.*]] = {{.*}} iter_args(%[[OUT:.*]] = %[[CH]])
// CHECK: %[[START:.*]] = arith.index_cast
// CHECK: %[[ROW:.*]] = arith.addi %[[START]], %[[T]]
// CHECK: %[[NEW:.*]] = tensor.extract_slice %[[N]][%[[B]], %[[H]], %[[T]], 0] [1, 1, 1, 64]
// CHECK: tensor.insert_slice %[[NEW]] into %[[OUT]][%[[B]], %[[H]], %[[ROW]], 0] [1, 1, 1, 64]
func.func @append(%n: tensor<2x4x3x64xf16>, %s: tensor<2xi64>, %c: tensor<2x4x32x64xf16>) -> tensor<2x4x32x64xf16> {
  %0 = attn.cache_append new(%n : tensor<2x4x3x64xf16>) start(%s : tensor<2xi64>) outs(%c : tensor<2x4x32x64xf16>)
  return %0 : tensor<2x4x32x64xf16>
}

// -----

// A ring goes on at its beginning, from any start. What the types do not say is
// checked.

// CHECK-LABEL: func @ring(
// CHECK-SAME: %[[N:.*]]: tensor<1x4x?x64xf16>, %[[S:.*]]: index, %[[C:.*]]: tensor<1x4x?x64xf16>
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %[[N]], %c2
// CHECK-DAG: %[[CAP:.*]] = tensor.dim %[[C]], %c2
// CHECK: arith.cmpi sle, %[[ROWS]], %[[CAP]]
// CHECK-NEXT: cf.assert %{{.*}}, "'attn.cache_append' op expects length of 'new' to be at most that of 'outs'"
// CHECK: cf.assert %{{.*}}, "'attn.cache_append' op expects a non-negative 'start'"
// CHECK-NOT: cf.assert
// CHECK-COUNT-3: scf.for
// CHECK: %[[FIRST:.*]] = arith.remsi %[[S]], %[[CAP]]
// CHECK: %[[SUM:.*]] = arith.addi %[[FIRST]]
// CHECK: arith.remsi %[[SUM]], %[[CAP]]
func.func @ring(%n: tensor<1x4x?x64xf16>, %s: index, %c: tensor<1x4x?x64xf16>) -> tensor<1x4x?x64xf16> {
  %0 = attn.cache_append new(%n : tensor<1x4x?x64xf16>) start(%s : index) ring outs(%c : tensor<1x4x?x64xf16>)
  return %0 : tensor<1x4x?x64xf16>
}

// -----

// CHECK-LABEL: func @one_row(
// CHECK: cf.assert %{{.*}}, "'attn.cache_append' op expects a 'start' that leaves room for 1 row of 'new' in a cache of 8"
func.func @one_row(%n: tensor<1x4x1x64xf16>, %s: index, %c: tensor<1x4x8x64xf16>) -> tensor<1x4x8x64xf16> {
  %0 = attn.cache_append new(%n : tensor<1x4x1x64xf16>) start(%s : index) outs(%c : tensor<1x4x8x64xf16>)
  return %0 : tensor<1x4x8x64xf16>
}

// -----

// No row: nothing but the checks.

// CHECK-LABEL: func @no_row(
// CHECK-SAME: %[[C:[a-z0-9]*]]: tensor<1x4x32x64xf16>
// CHECK: cf.assert
// CHECK-NOT: scf.for
// CHECK: return %[[C]]
func.func @no_row(%n: tensor<1x4x0x64xf16>, %s: index, %c: tensor<1x4x32x64xf16>) -> tensor<1x4x32x64xf16> {
  %0 = attn.cache_append new(%n : tensor<1x4x0x64xf16>) start(%s : index) outs(%c : tensor<1x4x32x64xf16>)
  return %0 : tensor<1x4x32x64xf16>
}

// -----

// Weights of a row once, not for each feature; a part without a key is not
// multiplied by zero.

// CHECK-LABEL: func @merge(
// CHECK: %[[W:.*]]:3 = linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel"]
// CHECK: arith.maximumf
// CHECK: arith.cmpf oeq
// CHECK-COUNT-2: math.exp2
// CHECK: math.log2
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel", "parallel"]
// CHECK-SAME: %[[W]]#0, %[[W]]#1
// CHECK-NOT: math
// CHECK: arith.select
// CHECK: arith.truncf
func.func @merge(%a: tensor<1x2x4x8xf32>, %b: tensor<1x2x4x8xf32>, %l: tensor<1x2x4xf32>, %m: tensor<1x2x4xf32>,
                 %out: tensor<1x2x4x8xbf16>, %lse: tensor<1x2x4xf32>) -> (tensor<1x2x4x8xbf16>, tensor<1x2x4xf32>) {
  %0:2 = attn.merge partials(%a, %b : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) lses(%l, %m : tensor<1x2x4xf32>, tensor<1x2x4xf32>)
    lse_base=two outs(%out, %lse : tensor<1x2x4x8xbf16>, tensor<1x2x4xf32>)
  return %0#0, %0#1 : tensor<1x2x4x8xbf16>, tensor<1x2x4xf32>
}

// -----

// Rows are reduced by linalg; a target is checked before its logit is read, unless
// it is ignored.

// CHECK-LABEL: func @loss(
// CHECK-SAME: %[[X:.*]]: tensor<?x32xf32>, %[[T:.*]]: tensor<?xi32>
// CHECK: cf.assert %{{.*}}, "'attn.cross_entropy' op expects size of 'targets' to equal that of 'logits'"
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: math.exp
// CHECK: scf.for
// CHECK: tensor.extract %[[T]]
// CHECK: %[[COUNTS:.*]] = arith.cmpi ne, %{{.*}}, %c-100
// CHECK: scf.if %[[COUNTS]]
// CHECK: %[[CLASS:.*]] = arith.cmpi ult, %{{.*}}, %c32
// CHECK: cf.assert %[[CLASS]], "'attn.cross_entropy' op expects 'targets' within the 32 classes"
// CHECK: scf.if %[[CLASS]]
// CHECK: tensor.extract %[[X]]
// CHECK: arith.divf %{{.*}} : f64
func.func @loss(%x: tensor<?x32xf32>, %t: tensor<?xi32>, %out: tensor<f32>) -> tensor<f32> {
  %0 = attn.cross_entropy logits(%x : tensor<?x32xf32>) targets(%t : tensor<?xi32>) outs(%out : tensor<f32>)
  return %0 : tensor<f32>
}

// -----

// CHECK-LABEL: func @classes(
// CHECK: cf.assert %{{.*}}, "'attn.cross_entropy' op expects 'targets' within the classes"
func.func @classes(%x: tensor<3x?xf64>, %t: tensor<3xindex>, %out: tensor<f64>) -> tensor<f64> {
  %0 = attn.cross_entropy logits(%x : tensor<3x?xf64>) targets(%t : tensor<3xindex>) outs(%out : tensor<f64>)
  return %0 : tensor<f64>
}

// -----

// Ops on memrefs stay.

// CHECK-LABEL: func @memrefs(
// CHECK-NEXT: attn.cache_append
// CHECK-NEXT: attn.merge
// CHECK-NEXT: attn.cross_entropy
func.func @memrefs(%n: memref<1x2x4x8xf32>, %i: index, %l: memref<1x2x4xf32>, %x: memref<3x4xf32>, %t: memref<3xi64>, %o: memref<f32>) {
  attn.cache_append new(%n : memref<1x2x4x8xf32>) start(%i : index) outs(%n : memref<1x2x4x8xf32>)
  attn.merge partials(%n : memref<1x2x4x8xf32>) lses(%l : memref<1x2x4xf32>) outs(%n : memref<1x2x4x8xf32>)
  attn.cross_entropy logits(%x : memref<3x4xf32>) targets(%t : memref<3xi64>) outs(%o : memref<f32>)
  return
}
