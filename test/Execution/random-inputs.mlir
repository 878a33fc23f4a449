// Random inputs depend on the seed alone.

// RUN: attn-run %s --seed=3 --shapes=in0=4x5 --outputs=%t.1.npz
// RUN: attn-run %s --seed=3 --shapes=in0=4x5 --outputs=%t.2.npz
// RUN: cmp %t.1.npz %t.2.npz
// RUN: attn-run %s --seed=4 --shapes=in0=4x5 --outputs=%t.3.npz
// RUN: not cmp %t.1.npz %t.3.npz

// The stream of an input does not depend on the shape of another.
// RUN: attn-run %s --seed=3 --shapes=in0=2x1 --outputs=%t.4.npz
// RUN: %python -c "import sys, zipfile; \
// RUN:   a, b = (zipfile.ZipFile(p).read('out1.npy') for p in sys.argv[1:]); \
// RUN:   assert a == b" %t.1.npz %t.4.npz

// Ranges.
// RUN: %python %S/../Inputs/make-npz.py %t.5.npz "out1=<i8:6:5" "out0=<f4:1x1:2"
// RUN: attn-run %s --shapes=in0=1x1 --random-range=in1=5:6,in0=2:2.0000001 \
// RUN:   --compare=%t.5.npz | FileCheck %s
// CHECK: out0: ok
// CHECK: out1: ok

// Ranges of integers hold some, of the type.
// RUN: not attn-run %s --entry=small --random-range=in0=0.25:0.75 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: attn-run: error: input 'in0': expects a range of numbers of type i8, got 0.25:0.75
// RUN: not attn-run %s --entry=small --random-range=0:129 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WIDE
// WIDE: attn-run: error: input 'in0': expects a range of numbers of type i8, got 0:129
// RUN: attn-run %s --entry=small --random-range=in0=-128:128,in1=0:2

func.func @small(%arg0: tensor<6xi8>, %arg1: tensor<6xi1>) {
  return
}

func.func @main(%arg0: tensor<?x?xf32>, %arg1: tensor<6xi64>)
    -> (tensor<?x?xf32>, tensor<6xi64>) {
  return %arg0, %arg1 : tensor<?x?xf32>, tensor<6xi64>
}
