// RUN: attn-opt %s --attn-raise-rotary --split-input-file | FileCheck %s
// RUN: attn-opt %s --attn-raise-rotary --split-input-file -o /dev/null --remarks-filter=attn-raise --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: Remark="rotation of 8 elements from 0, split_half, by tensors of cosines and sines"

// The pass alone, on named ops: two halves are rotated by tensors.
// CHECK-LABEL: func @halves(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4x6x8xf32>, %[[COS:[a-z0-9]+]]: tensor<6x4xf32>, %[[SIN:[a-z0-9]+]]: tensor<6x4xf32>
// CHECK: %[[C:.*]] = tensor.expand_shape %[[COS]]
// CHECK: %[[S:.*]] = tensor.expand_shape %[[SIN]]
// CHECK: %[[R:.*]] = attn.rotary split_half %[[X]], %[[C]], %[[S]]
// CHECK: return %[[R]]
func.func @halves(%x: tensor<2x4x6x8xf32>, %cos: tensor<6x4xf32>, %sin: tensor<6x4xf32>) -> tensor<2x4x6x8xf32> {
  %low = tensor.extract_slice %x[0, 0, 0, 0] [2, 4, 6, 4] [1, 1, 1, 1] : tensor<2x4x6x8xf32> to tensor<2x4x6x4xf32>
  %high = tensor.extract_slice %x[0, 0, 0, 4] [2, 4, 6, 4] [1, 1, 1, 1] : tensor<2x4x6x8xf32> to tensor<2x4x6x4xf32>
  %e = tensor.empty() : tensor<2x4x6x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) dimensions = [0, 1]
  %s = linalg.broadcast ins(%sin : tensor<6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) dimensions = [0, 1]
  %ac = linalg.mul ins(%low, %c : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %bs = linalg.mul ins(%high, %s : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %bc = linalg.mul ins(%high, %c : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %as = linalg.mul ins(%low, %s : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %first = linalg.sub ins(%ac, %bs : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %second = linalg.add ins(%bc, %as : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %r = tensor.concat dim(3) %first, %second : (tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// -----

// With the other sign, the second half is no rotation.
// CHECK-LABEL: func @reflection(
// CHECK-NOT: attn.rotary
// CHECK: tensor.concat
func.func @reflection(%x: tensor<2x4x6x8xf32>, %cos: tensor<6x4xf32>, %sin: tensor<6x4xf32>) -> tensor<2x4x6x8xf32> {
  %low = tensor.extract_slice %x[0, 0, 0, 0] [2, 4, 6, 4] [1, 1, 1, 1] : tensor<2x4x6x8xf32> to tensor<2x4x6x4xf32>
  %high = tensor.extract_slice %x[0, 0, 0, 4] [2, 4, 6, 4] [1, 1, 1, 1] : tensor<2x4x6x8xf32> to tensor<2x4x6x4xf32>
  %e = tensor.empty() : tensor<2x4x6x4xf32>
  %c = linalg.broadcast ins(%cos : tensor<6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) dimensions = [0, 1]
  %s = linalg.broadcast ins(%sin : tensor<6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) dimensions = [0, 1]
  %ac = linalg.mul ins(%low, %c : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %bs = linalg.mul ins(%high, %s : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %bc = linalg.mul ins(%high, %c : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %as = linalg.mul ins(%low, %s : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %first = linalg.sub ins(%ac, %bs : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %second = linalg.sub ins(%bc, %as : tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) outs(%e : tensor<2x4x6x4xf32>) -> tensor<2x4x6x4xf32>
  %r = tensor.concat dim(3) %first, %second : (tensor<2x4x6x4xf32>, tensor<2x4x6x4xf32>) -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}
