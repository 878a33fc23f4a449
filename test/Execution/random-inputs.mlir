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

func.func @main(%arg0: tensor<?x?xf32>, %arg1: tensor<6xi64>)
    -> (tensor<?x?xf32>, tensor<6xi64>) {
  return %arg0, %arg1 : tensor<?x?xf32>, tensor<6xi64>
}
