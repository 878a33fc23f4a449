// RUN: attn-opt %s -attn-lower-attention-to-vector -convert-scf-to-cf \
// RUN:     -expand-strided-metadata -lower-affine -convert-vector-to-llvm \
// RUN:     -finalize-memref-to-llvm -convert-math-to-llvm -convert-arith-to-llvm \
// RUN:     -convert-func-to-llvm -convert-cf-to-llvm -convert-index-to-llvm \
// RUN:     -convert-ub-to-llvm -reconcile-unrealized-casts \
// RUN:   | mlir-runner -O2 -e main --entry-point-result=void \
// RUN:       --shared-libs=%llvm_lib_dir/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s

// With queries of zero every row is the mean of the values that it keeps, and
// its log-sum-exp the logarithm of their number. Keys 3 and up hold NaN: rows
// that do not keep them must not notice.

func.func private @printNewline()
func.func private @printF32(f32)

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %q = memref.alloc() : memref<1x1x5x2xf32>
  %k = memref.alloc() : memref<1x1x5x2xf32>
  %v = memref.alloc() : memref<1x1x5x2xf32>
  %o = memref.alloc() : memref<1x1x5x2xf32>
  %lse = memref.alloc() : memref<1x1x5xf32>
  scf.for %j = %c0 to %c5 step %c1 {
    %i64 = arith.index_cast %j : index to i64
    %number = arith.sitofp %i64 : i64 to f32
    %masked = arith.cmpi sge, %j, %c3 : index
    %value = arith.select %masked, %nan, %number : f32
    scf.for %d = %c0 to %c2 step %c1 {
      memref.store %zero, %q[%c0, %c0, %j, %d] : memref<1x1x5x2xf32>
      memref.store %value, %k[%c0, %c0, %j, %d] : memref<1x1x5x2xf32>
      memref.store %value, %v[%c0, %c0, %j, %d] : memref<1x1x5x2xf32>
    }
  }
  // Row i keeps the keys from i - 3 to i - 1: none, 0, 0-1, 0-2, 1-3.
  %offset = arith.constant -1 : index
  %window = attn.mask.window left 2 right 0 offset(%offset : index)
  attn.attention query(%q : memref<1x1x5x2xf32>) key(%k : memref<1x1x5x2xf32>)
    value(%v : memref<1x1x5x2xf32>) mask(%window)
    outs(%o, %lse : memref<1x1x5x2xf32>, memref<1x1x5xf32>)
  scf.for %i = %c0 to %c5 step %c1 {
    %x = memref.load %o[%c0, %c0, %i, %c1] : memref<1x1x5x2xf32>
    %l = memref.load %lse[%c0, %c0, %i] : memref<1x1x5xf32>
    func.call @printF32(%x) : (f32) -> ()
    func.call @printNewline() : () -> ()
    func.call @printF32(%l) : (f32) -> ()
    func.call @printNewline() : () -> ()
  }
  memref.dealloc %q : memref<1x1x5x2xf32>
  memref.dealloc %k : memref<1x1x5x2xf32>
  memref.dealloc %v : memref<1x1x5x2xf32>
  memref.dealloc %o : memref<1x1x5x2xf32>
  memref.dealloc %lse : memref<1x1x5xf32>
  return
}
// CHECK:      {{^}}0{{$}}
// CHECK-NEXT: -inf
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0{{$}}
// CHECK-NEXT: {{^}}0.5{{$}}
// CHECK-NEXT: 0.693147
// CHECK-NEXT: {{^}}1{{$}}
// CHECK-NEXT: 1.09861
// CHECK-NEXT: nan
// CHECK-NEXT: nan
