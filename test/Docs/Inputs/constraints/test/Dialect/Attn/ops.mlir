// RUN: attn-opt %s

// plan_c1
func.func @plan() {
  // expected-error@+1 {{nothing looks for this}}
}
