// What --compare reports: the errors, the first bad element with both values,
// NaN against NaN as equal and against a number as wrong.

// RUN: %python %S/../Inputs/make-npz.py %t.npz "in0=<f4:2x2:1,2,nan,inf" \
// RUN:   "same0=<f4:2x2:1,2,nan,inf" "near0=<f4:2x2:1.001,2,nan,inf" \
// RUN:   "far0=<f4:2x2:1,2.5,nan,inf" "nan0=<f4:2x2:1,2,3,inf" \
// RUN:   "inf0=<f4:2x2:1,2,nan,-inf" "two0=<f4:2x2:0.5,3,nan,inf" \
// RUN:   "zero0=<f4:2x2:0,inf,nan,inf" "short0=<f4:2:1,2" "wide0=<c8:2x2:1,0,2,0,3,0,4,0"
// RUN: attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=same | FileCheck %s
// CHECK: out0: ok, 4 elements, max abs error 0, max rel error 0, 0 out of tolerance

// RUN: attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=near --atol=0.01
// RUN: attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=near --atol=0 --rtol=0.01
// RUN: not attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=near --atol=0 --rtol=0

// The exit code of a mismatch is 2.
// RUN: %python %S/../Inputs/expect-exit.py 2 attn-run %s --inputs=%t.npz \
// RUN:   --compare=%t.npz --compare-prefix=far | FileCheck %s --check-prefix=FAR
// FAR: out0: MISMATCH, 4 elements, max abs error 0.5, max rel error 0.2, 1 out of tolerance
// FAR-NEXT: {{^}}  first out of tolerance at [0, 1]: got 2, expected 2.5
// FAR-NEXT: {{^}}  max abs error at [0, 1]: got 2, expected 2.5
// FAR-NEXT: {{^}}  max rel error at [0, 1]: got 2, expected 2.5
// FAR-NEXT: {{^}}  nan: got 1, expected 1
// FAR-NEXT: {{^}}  inf: got 1, expected 1
// FAR-NOT: {{.}}

// The largest errors are where they are, not where the first bad element is.
// RUN: not attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=two --atol=1e-6 \
// RUN:   | FileCheck %s --check-prefix=TWO
// TWO: out0: MISMATCH, 4 elements, max abs error 1, max rel error 1, 2 out of tolerance
// TWO-NEXT: first out of tolerance at [0, 0]: got 1, expected 0.5
// TWO-NEXT: max abs error at [0, 1]: got 2, expected 3
// TWO-NEXT: max rel error at [0, 0]: got 1, expected 0.5

// RUN: not attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=nan \
// RUN:   | FileCheck %s --check-prefix=NAN
// NAN: MISMATCH, 4 elements, max abs error inf, max rel error inf, 1 out of tolerance
// NAN-NEXT: first out of tolerance at [1, 0]: got nan, expected 3
// NAN-NEXT: max abs error at [1, 0]: got nan, expected 3
// NAN-NEXT: max rel error at [1, 0]: got nan, expected 3
// NAN-NEXT: nan: got 1, expected 0
// NAN-NEXT: inf: got 1, expected 1

// RUN: not attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=inf \
// RUN:   | FileCheck %s --check-prefix=INF
// INF: max abs error inf, max rel error inf, 1 out of tolerance
// INF-NEXT: first out of tolerance at [1, 1]: got inf, expected -inf

// A number is not near an expected infinity, and not relative to a zero.
// RUN: not attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=zero \
// RUN:   | FileCheck %s --check-prefix=ZERO
// ZERO: max abs error inf, max rel error inf, 2 out of tolerance
// ZERO-NEXT: first out of tolerance at [0, 0]: got 1, expected 0
// ZERO-NEXT: max abs error at [0, 1]: got 2, expected inf
// ZERO-NEXT: max rel error at [0, 1]: got 2, expected inf
// ZERO-NEXT: nan: got 1, expected 1
// ZERO-NEXT: inf: got 1, expected 2

// RUN: not attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=short 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHORT
// SHORT: attn-run: error: out0: expects shape 2, got 2x2

// RUN: not attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=wide 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WIDE
// WIDE: attn-run: error: out0: expects element type complex64, got float32

// RUN: not attn-run %s --inputs=%t.npz --compare=%t.npz --compare-prefix=none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: attn-run: error: '{{.*}}' has no array 'none0'

func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
  return %arg0 : tensor<2x2xf32>
}
