// RUN: attn-opt %s --attn-entry-abi | FileCheck %s

// CHECK: func.func @public(%{{.*}}: tensor<4xf32> {bufferization.writable = false}, %{{.*}}: i64)
// CHECK-SAME: attributes {llvm.emit_c_interface}
func.func @public(%a: tensor<4xf32>, %n: i64) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// What the author of the function says is kept.
// CHECK: func.func @updates(%{{.*}}: tensor<4xf32> {bufferization.writable = true})
func.func @updates(%a: tensor<4xf32> {bufferization.writable = true}) {
  return
}

// CHECK: func.func private @helper(%{{.*}}: tensor<4xf32>) {
func.func private @helper(%a: tensor<4xf32>) {
  return
}

// CHECK: func.func private @external(tensor<4xf32>)
// CHECK-NOT: emit_c_interface
func.func private @external(tensor<4xf32>)
