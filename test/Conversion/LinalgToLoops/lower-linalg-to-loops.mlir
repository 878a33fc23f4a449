// RUN: attn-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(attn-lower-linalg-to-loops,canonicalize,cse))' | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
// Loops over contiguous memory become one; a small op stays on one thread.
// CHECK-LABEL: func.func @collapse
// CHECK-NOT: scf.parallel
// CHECK: scf.for %{{.*}} = %{{.*}} to %c32 step
// CHECK-NOT: scf.for
func.func @collapse(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Sums are carried in values and may be reassociated.
// CHECK-LABEL: func.func @sum
// CHECK: scf.for
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32)
// CHECK: arith.addf {{.*}} fastmath<reassoc,contract> : f32
// CHECK: memref.store %[[R]]
func.func @sum(%x: memref<8x64xf32>, %sum: memref<8xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<8x64xf32>) outs(%sum : memref<8xf32>) dimensions = [1]
  return
}

// -----

// Sums of f16 are carried in f32.
// CHECK-LABEL: func.func @half
// CHECK: scf.for {{.*}} -> (f32)
// CHECK: arith.extf
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
func.func @half(%x: memref<8x64xf16>, %sum: memref<8xf16>) {
  linalg.reduce { arith.addf } ins(%x : memref<8x64xf16>) outs(%sum : memref<8xf16>) dimensions = [1]
  return
}

// -----

// A sum over the outer dimension runs along the contiguous one.
// CHECK-LABEL: func.func @columns
// CHECK-SAME: %[[X:.*]]: memref<8x64xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c8 step
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %c64 step
// CHECK: memref.load %[[X]][%[[I]], %[[J]]]
func.func @columns(%x: memref<8x64xf32>, %sum: memref<64xf32>) {
  linalg.reduce { arith.addf } ins(%x : memref<8x64xf32>) outs(%sum : memref<64xf32>) dimensions = [0]
  return
}

// -----

// Row values are loaded outside of the loop over columns, and big ops run on
// several threads.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %{{.*}}: memref<512x2048xf32>, %[[ROW:.*]]: memref<512xf32>
// CHECK: scf.parallel
// CHECK: memref.load %[[ROW]]
// CHECK: scf.for
func.func @rows(%x: memref<512x2048xf32>, %row: memref<512xf32>, %y: memref<512x2048xf32>) {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x, %row : memref<512x2048xf32>, memref<512xf32>) outs(%y : memref<512x2048xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A big op inside a loop that OpenMP splits over threads already is not split
// again.
// CHECK-LABEL: func.func @in_omp_loop
// CHECK:         omp.loop_nest
// CHECK-NOT:     scf.parallel
// CHECK:           scf.for
func.func @in_omp_loop(%x: memref<4x1024x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%c4) step (%c1) {
        %one = arith.constant 1.0 : f32
        %row = memref.subview %x[%i, 0, 0] [1, 1024, 1024] [1, 1, 1]
          : memref<4x1024x1024xf32> to memref<1024x1024xf32, strided<[1024, 1], offset: ?>>
        linalg.fill ins(%one : f32) outs(%row : memref<1024x1024xf32, strided<[1024, 1], offset: ?>>)
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: func.func @alone
// CHECK:         scf.parallel
func.func @alone(%x: memref<1024x1024xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%x : memref<1024x1024xf32>)
  return
}
