// The stock tool recovers attention with the plugin, and reads what it prints.
// RUN: mlir-opt %S/../Tools/Inputs/attend.mlir --load-dialect-plugin=%attn_plugin \
// RUN:   --pass-pipeline='builtin.module(attn-raise)' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mlir-opt %t.mlir --load-dialect-plugin=%attn_plugin | FileCheck %s

// CHECK: attn.mask.
// CHECK: attn.attention query(
