// A pass that crashes on the program ends only the process that tries it.
// Upstream's normalize-memrefs does on a call in something other than func.func.

// RUN: not attn-reduce %s --opt-reduction-pass='opt-pass=normalize-memrefs test=/bin/false' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR --implicit-check-not='{{.}}'
// ERROR: attn-reduce: error: --opt-reduction-pass: 'normalize-memrefs' failed: the compiler crashed
func.func @transposed() -> memref<2x3xf32, affine_map<(i, j) -> (j, i)>> {
  %made = memref.alloc() : memref<2x3xf32, affine_map<(i, j) -> (j, i)>>
  return %made : memref<2x3xf32, affine_map<(i, j) -> (j, i)>>
}
llvm.func @caller() {
  %0 = func.call @transposed() : () -> memref<2x3xf32, affine_map<(i, j) -> (j, i)>>
  llvm.return
}
