// Passes run one after another, each reducer with its own test.

// RUN: attn-reduce %s --pass-pipeline='builtin.module(mem2reg,reduction-tree{traversal-mode=0 test=%S/Inputs/contains.sh test-arg=arith.addi})' \
// RUN:   | FileCheck %s
// RUN: attn-reduce %s --pass-pipeline='builtin.module(opt-reduction-pass{opt-pass=mem2reg test=%S/Inputs/contains.sh test-arg=arith.addi},reduction-tree{test=%S/Inputs/contains.sh test-arg=arith.addi})' \
// RUN:   | FileCheck %s
// CHECK:      func.func @stored(%[[A:.*]]: i32, %[[B:.*]]: i32) {
// CHECK-NEXT:   arith.addi %[[A]], %[[B]]
// CHECK-NEXT:   return

// RUN: attn-reduce %s --opt-reduction-pass='opt-pass=func.func(mem2reg) test=%S/Inputs/contains.sh test-arg=arith.addi' \
// RUN:   | FileCheck %s --check-prefix=KEPT --implicit-check-not=memref
// KEPT: arith.addi

// A program that the second test does not want, or a pass left unwanted.
// RUN: not attn-reduce %s --pass-pipeline='builtin.module(opt-reduction-pass{opt-pass=mem2reg test=%S/Inputs/contains.sh test-arg=arith.addi},reduction-tree{test=/bin/true})' \
// RUN:   2>&1 | FileCheck %s --check-prefix=SECOND --implicit-check-not='{{.}}'
// SECOND: attn-reduce: error: --reduction-tree: nothing was reduced; test '/bin/true' exits with 0 for the program that it was to reduce
// RUN: not attn-reduce %s --pass-pipeline='builtin.module(func.func(mem2reg),reduction-tree{test=%S/Inputs/contains.sh test-arg=memref.store})' \
// RUN:   2>&1 | FileCheck %s --check-prefix=AFTER --implicit-check-not='{{.}}'
// AFTER: attn-reduce: error: --reduction-tree: nothing was reduced; test '{{.*}}contains.sh' exits with 0 for the program that it was to reduce
func.func @stored(%a: i32, %b: i32) {
  %x = arith.addi %a, %b : i32
  %m = memref.alloca() : memref<i32>
  memref.store %x, %m[] : memref<i32>
  return
}
