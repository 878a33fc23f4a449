// The plugin brings the passes and pipelines into the stock tool through one
// flag.
// RUN: mlir-opt %s --load-dialect-plugin=%attn_plugin \
// RUN:   --pass-pipeline='builtin.module(attn-lower-assert)' | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%attn_plugin \
// RUN:   --pass-pipeline='builtin.module(attn-cpu-pipeline)' \
// RUN:   | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func @main
// CHECK: llvm.call @attn_rt_assert_fail
// LLVM: llvm.func @main({{.*}}) attributes {llvm.emit_c_interface}
// LLVM: llvm.call @attn_rt_assert_fail
func.func @main(%condition: i1) {
  cf.assert %condition, "must hold"
  return
}
