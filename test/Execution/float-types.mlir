// bf16 has no form of its own in files: it travels as float32, rounded to the
// nearest on the way in. f16 may come as float32 too.

// RUN: %python %S/../Inputs/make-npz.py %t.npz "in0=<f4:4:1.00390625,1.01171875,-0.1,nan" \
// RUN:   "in1=<f4:2:0.1,65504" "out0=<f4:4:1,1.015625,-0.10009765625,nan" \
// RUN:   "out1=<f2:2:0.0999755859375,65504"
// RUN: attn-run %s --inputs=%t.npz --compare=%t.npz --atol=0 --rtol=0 --outputs=%t.out.npz
// RUN: %python -c "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); \
// RUN:   print(z.read('out0.npy')[10:30], z.read('out1.npy')[10:30])" %t.out.npz \
// RUN:   | FileCheck %s
// CHECK: '<f4'
// CHECK-SAME: '<f2'

func.func @main(%arg0: tensor<4xbf16>, %arg1: tensor<2xf16>)
    -> (tensor<4xbf16>, tensor<2xf16>) {
  return %arg0, %arg1 : tensor<4xbf16>, tensor<2xf16>
}
