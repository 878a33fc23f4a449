// Passes that fail on what came of an earlier round leave what there is, and say
// so: the first round takes the product that the script demands.

// RUN: attn-reduce %s --opt-reduction-pass='opt-pass=transform-interpreter test=%S/Inputs/contains.sh test-arg=__transform_main' \
// RUN:   2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING --implicit-check-not='{{.}}' < %t.txt
// CHECK: transform.split_handle
// WARNING: attn-reduce: warning: --opt-reduction-pass: 'transform-interpreter' failed: {{.*}}

// In the first round that is an error, and nothing is written.
// RUN: sed 's/%dead = arith.muli/%dead = arith.addi/' %s > %t.mlir
// RUN: not attn-reduce %t.mlir --opt-reduction-pass='opt-pass=transform-interpreter test=/bin/false' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR --implicit-check-not='{{.}}'
// ERROR: attn-reduce: error: --opt-reduction-pass: 'transform-interpreter' failed: {{.*}}

// Some passes do not say why.
// RUN: not attn-reduce %s --opt-reduction-pass='opt-pass=canonicalize{max-iterations=1 test-convergence=1} test=/bin/false' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SILENT --implicit-check-not='{{.}}'
// SILENT: attn-reduce: error: --opt-reduction-pass: 'canonicalize{max-iterations=1 test-convergence=1}' failed{{$}}
func.func @f(%a: i32) -> i32 {
  %dead = arith.muli %a, %a : i32
  %x = arith.addi %a, %a : i32
  %y = arith.addi %a, %a : i32
  %z = arith.xori %x, %y : i32
  return %z : i32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %products = transform.structured.match ops{["arith.muli"]} in %root : (!transform.any_op) -> !transform.any_op
    %product = transform.split_handle %products {pass_through_empty_handle = false} : (!transform.any_op) -> !transform.any_op
    transform.annotate %product "found" : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.yield
  }
}
