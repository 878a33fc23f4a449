// RUN: attn-opt %s -verify-diagnostics -split-input-file

// mask_good_c1
func.func @size() {
  // expected-error@+1 {{positive}}
  attn.mask.good 0
}

// -----

// mask_good_c3
func.func @fits() {
  attn.mask.good 1
}

// -----

// CHECK: mask_good_c9
// A test of something else, mask_god_c1.
func.func @fits() {
  // expected-error@+1 {{positive}}
  attn.mask.good 0
}

// -----

// mask_good_c1: attn.mask.good is only named here.
func.func @other() {
  // expected-error@+1 {{'attn.mask.good' is gone}}
  attn.mask.good_old 0
}

// -----

// mask_good_c3
// mask_good_c1
func.func @two() {
  // expected-error@+1 {{positive}}
  attn.mask.good 0
}
