// Every element type that files and functions share goes in, through compiled
// code, out again, and compares equal.

// RUN: %python %S/../Inputs/make-npz.py %t.npz \
// RUN:   "in0=|b1:3:1,0,1" "in1=|i1:2:-1,5" "in2=<i2:2:-300,7" "in3=<i4:1:70000" \
// RUN:   "in4=<i8:2:-9007199254740993,1" "in5=<f2:2:0.5,-2" "in6=<f4:2x2:1,2,3,4" \
// RUN:   "in7=<f8:1:0.1" "in8=<c8:1:1,-2" "in9=<c16:1:3,4"
// RUN: attn-run %s --inputs=%t.npz --outputs=%t.out.npz
// RUN: %python -c "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); \
// RUN:   assert z.testzip() is None; print(*z.namelist())" %t.out.npz \
// RUN:   | FileCheck %s --check-prefix=NAMES
// RUN: attn-run %s --inputs=%t.npz --compare=%t.out.npz --atol=0 --rtol=0 | FileCheck %s
// RUN: attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=in --atol=0 --rtol=0

// The reference interpreter reads and writes the same types.
// RUN: attn-run %s --reference --inputs=%t.npz --compare=%t.npz --compare-prefix=in \
// RUN:   --atol=0 --rtol=0

// Deflated members, and header version 2.
// RUN: %python %S/../Inputs/make-npz.py --deflate --version=2 %t.2.npz \
// RUN:   "in0=|b1:3:1,0,1" "in1=|i1:2:-1,5" "in2=<i2:2:-300,7" "in3=<i4:1:70000" \
// RUN:   "in4=<i8:2:-9007199254740993,1" "in5=<f2:2:0.5,-2" "in6=<f4:2x2:1,2,3,4" \
// RUN:   "in7=<f8:1:0.1" "in8=<c8:1:1,-2" "in9=<c16:1:3,4"
// RUN: attn-run %s --inputs=%t.2.npz --compare=%t.out.npz --atol=0 --rtol=0 | FileCheck %s

// A difference that doubles cannot see.
// RUN: %python %S/../Inputs/make-npz.py %t.3.npz \
// RUN:   "in0=|b1:3:1,0,1" "in1=|i1:2:-1,5" "in2=<i2:2:-300,7" "in3=<i4:1:70000" \
// RUN:   "in4=<i8:2:-9007199254740992,1" "in5=<f2:2:0.5,-2" "in6=<f4:2x2:1,2,3,4" \
// RUN:   "in7=<f8:1:0.1" "in8=<c8:1:1,-2" "in9=<c16:1:3,4"
// RUN: not attn-run %s --inputs=%t.npz --compare=%t.3.npz --compare-prefix=in \
// RUN:   | FileCheck %s --check-prefix=INTEGER

// NAMES: out0.npy out1.npy out2.npy out3.npy out4.npy out5.npy out6.npy out7.npy out8.npy out9.npy
// CHECK-COUNT-10: ok, {{[0-9]+}} elements, max abs error 0, max rel error 0, 0 out of tolerance
// INTEGER: out4: MISMATCH, 2 elements, max abs error 1, {{.*}} 1 out of tolerance
// INTEGER-NEXT: first out of tolerance at [0]: got -9007199254740993, expected -9007199254740992

func.func @main(%0: tensor<3xi1>, %1: tensor<2xi8>, %2: tensor<2xi16>,
                %3: tensor<1xi32>, %4: tensor<?xi64>, %5: tensor<2xf16>,
                %6: tensor<2x?xf32>, %7: tensor<1xf64>,
                %8: tensor<1xcomplex<f32>>, %9: tensor<1xcomplex<f64>>)
    -> (tensor<3xi1>, tensor<2xi8>, tensor<2xi16>, tensor<1xi32>, tensor<?xi64>,
        tensor<2xf16>, tensor<2x?xf32>, tensor<1xf64>, tensor<1xcomplex<f32>>,
        tensor<1xcomplex<f64>>) {
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9
    : tensor<3xi1>, tensor<2xi8>, tensor<2xi16>, tensor<1xi32>, tensor<?xi64>,
      tensor<2xf16>, tensor<2x?xf32>, tensor<1xf64>, tensor<1xcomplex<f32>>,
      tensor<1xcomplex<f64>>
}
