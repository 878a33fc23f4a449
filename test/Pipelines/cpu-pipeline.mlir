// A small layer of a model: x * W^T, then softmax along rows.
// RUN: attn-opt %s --attn-cpu-pipeline=stage=linalg | FileCheck %s --check-prefix=LINALG
// RUN: attn-opt %s --attn-cpu-pipeline=stage=bufferized | FileCheck %s --check-prefix=BUFFER
// RUN: attn-opt %s --attn-cpu-pipeline='vector-bits=512 threads=2' | FileCheck %s --check-prefix=LLVM
// RUN: attn-opt %s --attn-cpu-pipeline='vector-bits=512 parallel=false' | FileCheck %s --check-prefix=SERIAL
// RUN: attn-opt %s --attn-cpu-pipeline='vectorize=false parallel=false' | FileCheck %s --check-prefix=PLAIN

// Weights are transposed at compile time, and nothing but the contraction, the
// two fills and three passes of softmax is left.
// LINALG-LABEL: func.func @main
// LINALG-NOT: linalg.transpose
// LINALG: linalg.matmul
// LINALG-NOT: linalg.transpose

// Arguments are read-only, results are fresh buffers.
// BUFFER-LABEL: func.func @main(%{{.*}}: memref<2048x4xf32>) -> memref<2048x32xf32>
// BUFFER: linalg.matmul

// LLVM-DAG: omp.parallel num_threads
// LLVM-DAG: omp.wsloop schedule(dynamic)
// LLVM-DAG: llvm.intr.fmuladd({{.*}}) : (vector<32xf32>
// LLVM-NOT: llvm.call @expf
// LLVM-NOT: llvm.intr.exp
// LLVM-LABEL: llvm.func @_mlir_ciface_main

// SERIAL-NOT: omp.
// SERIAL: llvm.func @main
// SERIAL-NOT: omp.

// PLAIN: llvm.func @main
// PLAIN-NOT: vector<
// PLAIN: llvm.intr.exp

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>
func.func @main(%x: tensor<2048x4xf32>) -> tensor<2048x32xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %w = arith.constant dense_resource<weight> : tensor<32x4xf32>
  %wt0 = tensor.empty() : tensor<4x32xf32>
  %wt = linalg.transpose ins(%w : tensor<32x4xf32>) outs(%wt0 : tensor<4x32xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<2048x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x32xf32>) -> tensor<2048x32xf32>
  %y = linalg.matmul ins(%x, %wt : tensor<2048x4xf32>, tensor<4x32xf32>) outs(%f : tensor<2048x32xf32>) -> tensor<2048x32xf32>
  %r = tensor.empty() : tensor<2048x1xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%r : tensor<2048x1xf32>) -> tensor<2048x1xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%y : tensor<2048x32xf32>) outs(%m0 : tensor<2048x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<2048x1xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%y, %m : tensor<2048x32xf32>, tensor<2048x1xf32>) outs(%e : tensor<2048x32xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %0 = arith.subf %in, %max : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2048x32xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%r : tensor<2048x1xf32>) -> tensor<2048x1xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
    ins(%p : tensor<2048x32xf32>) outs(%s0 : tensor<2048x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<2048x1xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%p, %s : tensor<2048x32xf32>, tensor<2048x1xf32>) outs(%e : tensor<2048x32xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %0 = arith.divf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<2048x32xf32>
  return %q : tensor<2048x32xf32>
}
{-#
  dialect_resources: {
    builtin: {
      weight: "0x04000000000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF000080BE000000000000803E0000003F0000403F000040BF000000BF"
    }
  }
#-}
