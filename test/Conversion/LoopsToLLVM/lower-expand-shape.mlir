// RUN: attn-opt %s --pass-pipeline='builtin.module(func.func(attn-lower-expand-shape))' | FileCheck %s
// RUN: attn-opt %s --attn-cpu-pipeline -o /dev/null

// CHECK-LABEL: func.func @two_dynamic
// CHECK-SAME:    %[[X:.*]]: memref<?x8xf32>, %[[A:.*]]: index, %[[B:.*]]: index
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK: %[[ROW:.*]] = arith.muli %[[STRIDES]]#0, %[[B]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[A]], %[[B]], 8], strides: [%[[ROW]], 8, 1]
func.func @two_dynamic(%x: memref<?x8xf32>, %a: index, %b: index) -> memref<?x?x8xf32> {
  %expanded = memref.expand_shape %x [[0, 1], [2]] output_shape [%a, %b, 8]
    : memref<?x8xf32> into memref<?x?x8xf32>
  return %expanded : memref<?x?x8xf32>
}

// One dynamic size is what upstream does.
// CHECK-LABEL: func.func @one_dynamic
// CHECK: memref.expand_shape
func.func @one_dynamic(%x: memref<?x8xf32>, %a: index) -> memref<?x4x8xf32> {
  %expanded = memref.expand_shape %x [[0, 1], [2]] output_shape [%a, 4, 8]
    : memref<?x8xf32> into memref<?x4x8xf32>
  return %expanded : memref<?x4x8xf32>
}

// A dynamic offset and dynamic strides are kept.
// CHECK-LABEL: func.func @strided
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}, %[[STRIDE:.*]] = memref.extract_strided_metadata
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%{{.*}}, %{{.*}}, 1], strides: [%{{.*}}, %{{.*}}, %[[STRIDE]]]
func.func @strided(%x: memref<?xf32, strided<[?], offset: ?>>, %a: index, %b: index)
    -> memref<?x?x1xf32, strided<[?, ?, ?], offset: ?>> {
  %expanded = memref.expand_shape %x [[0, 1, 2]] output_shape [%a, %b, 1]
    : memref<?xf32, strided<[?], offset: ?>> into memref<?x?x1xf32, strided<[?, ?, ?], offset: ?>>
  return %expanded : memref<?x?x1xf32, strided<[?, ?, ?], offset: ?>>
}
