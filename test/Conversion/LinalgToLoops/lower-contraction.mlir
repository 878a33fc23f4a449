// RUN: attn-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(attn-lower-contraction{vector-bits=512 vector-registers=32},canonicalize,cse))' | FileCheck %s
// RUN: attn-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(attn-lower-contraction{vector-bits=512 vector-registers=32 parallel=false},canonicalize,cse))' \
// RUN:   | FileCheck %s --check-prefix=SERIAL
// RUN: attn-opt %s --split-input-file --attn-lower-contraction -o /dev/null \
// RUN:   --remarks-filter=attn-lower-contraction --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=Missed
// RUN: not attn-opt %s --split-input-file --attn-lower-contraction=vector-bits=96 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not attn-opt %s --split-input-file --attn-lower-contraction=vector-registers=65 2>&1 | FileCheck %s --check-prefix=REGISTERS
// BITS: error: expects 'vector-bits' to be a power of two from 128 to 2048, got 96
// REGISTERS: error: expects 'vector-registers' to be from 8 to 64, got 65

// Big: threads, a packed panel, twelve rows of two vectors. The fill is dropped
// and the accumulators start at zero.
// CHECK-LABEL: func.func @big
// CHECK-NOT: linalg.fill
// CHECK: scf.parallel
// CHECK: %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<512x32xf32>
// CHECK: vector.store %{{.*}}, %[[PANEL]]
// CHECK: scf.for {{.*}} iter_args(
// CHECK: vector.load %[[PANEL]]
// CHECK-COUNT-12: vector.fma {{.*}} : vector<32xf32>
// CHECK: memref.dealloc %[[PANEL]]
// SERIAL-LABEL: func.func @big
// SERIAL-NOT: scf.parallel
func.func @big(%a: memref<512x512xf32>, %b: memref<512x512xf32>) -> memref<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<512x512xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<512x512xf32>)
  linalg.matmul ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  return %c : memref<512x512xf32>
}

// -----

// One row: read in place, eight vectors of columns.
// CHECK-LABEL: func.func @row
// CHECK-NOT: memref.alloc
// CHECK: vector.load %{{.*}} : memref<64x256xf32>, vector<128xf32>
// CHECK: vector.fma {{.*}} : vector<128xf32>
func.func @row(%a: memref<1x64xf32>, %b: memref<64x256xf32>, %c: memref<1x256xf32>) {
  linalg.matmul ins(%a, %b : memref<1x64xf32>, memref<64x256xf32>) outs(%c : memref<1x256xf32>)
  return
}

// -----

// Odd numbers of columns are masked.
// CHECK-LABEL: func.func @tail
// CHECK: vector.create_mask
// CHECK: vector.maskedload
// CHECK: vector.maskedstore
func.func @tail(%a: memref<8x64xf32>, %b: memref<64x33xf32>, %c: memref<8x33xf32>) {
  linalg.matmul ins(%a, %b : memref<8x64xf32>, memref<64x33xf32>) outs(%c : memref<8x33xf32>)
  return
}

// -----

// Unknown sizes: both forms, chosen at run time.
// CHECK-LABEL: func.func @dynamic
// CHECK: scf.if
// CHECK: memref.alloc() {{.*}} : memref<1024x32xf32>
// CHECK: } else {
// CHECK-NOT: memref.alloc
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----

// f16 is accumulated in f32 and rounded once.
// CHECK-LABEL: func.func @half
// CHECK: vector.fma {{.*}} : vector<16xf32>
// CHECK: arith.truncf {{.*}} : vector<16xf32> to vector<16xf16>
func.func @half(%a: memref<4x8xf16>, %b: memref<8x16xf16>, %c: memref<4x16xf16>) {
  linalg.matmul ins(%a, %b : memref<4x8xf16>, memref<8x16xf16>) outs(%c : memref<4x16xf16>)
  return
}

// -----

// Integers are not matched.
// CHECK-LABEL: func.func @integer
// CHECK: linalg.matmul
// REMARK: [Missed] LowerContraction {{.*}}Reason="the body is not a multiply-add of floating-point numbers"
func.func @integer(%a: memref<4x8xi32>, %b: memref<8x16xi32>, %c: memref<4x16xi32>) {
  linalg.matmul ins(%a, %b : memref<4x8xi32>, memref<8x16xi32>) outs(%c : memref<4x16xi32>)
  return
}

// -----

// One row against a transposed operand is dot products, for plain loops.
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @dots
// CHECK: linalg.matmul
// REMARK: [Missed] LowerContraction {{.*}}Reason="too few rows to transpose the right operand for"
func.func @dots(%a: memref<1x8xf32>, %b: memref<16x8xf32>, %c: memref<1x16xf32>) {
  linalg.matmul indexing_maps = [#lhs, #rhs, #out]
    ins(%a, %b : memref<1x8xf32>, memref<16x8xf32>) outs(%c : memref<1x16xf32>)
  return
}

// -----

// Neither columns of a batch, which belong to both operands, nor columns that
// lie apart make vectors.
#elt = affine_map<(b, k) -> (b, k)>
#sum = affine_map<(b, k) -> (b)>
// CHECK-LABEL: func.func @no_columns
// CHECK: linalg.generic
// CHECK: linalg.matmul
// REMARK: [Missed] LowerContraction {{.*}}Reason="the last dimension of the result is a batch dimension"
// REMARK: [Missed] LowerContraction {{.*}}Reason="the last dimension of the result is not contiguous"
func.func @no_columns(%a: memref<4x8xf32>, %c: memref<4xf32>, %b: memref<8x4xf32>,
                      %d: memref<4x4xf32, strided<[1, 4]>>) {
  linalg.generic {indexing_maps = [#elt, #elt, #sum], iterator_types = ["parallel", "reduction"]}
    ins(%a, %a : memref<4x8xf32>, memref<4x8xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%d : memref<4x4xf32, strided<[1, 4]>>)
  return
}

// -----

// REMARK: Missed{{.*}}Reason="the op is not on memrefs"
// CHECK-LABEL: func.func @tensors
// CHECK: linalg.matmul
func.func @tensors(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// REMARK: Missed{{.*}}Reason="an operand is not a memref of floating-point numbers"
// CHECK-LABEL: func.func @number
// CHECK: linalg.generic
func.func @number(%a: memref<4x8xf32>, %b: f32, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> ()>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : memref<4x8xf32>, f32) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// REMARK: Missed{{.*}}Reason="a dimension is summed over one operand only"
// CHECK-LABEL: func.func @row
// CHECK: linalg.generic
func.func @row(%a: memref<4x8xf32>, %b: memref<f32>, %c: memref<8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%a, %b : memref<4x8xf32>, memref<f32>) outs(%c : memref<8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }
  return
}
