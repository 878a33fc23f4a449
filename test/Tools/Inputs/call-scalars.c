/* 1.5 is 3e00 in f16 and 3fc0 in bf16, 3 is 4200 and 4040. */
#include "brain.h"
#include "half.h"
#include "negate.h"
#include "types.h"
#include <stdio.h>

int main(void) {
  struct attn_main_results r;
  printf("half %x\n", (unsigned)_mlir_ciface_half(0x3e00, 7));
  printf("brain %x\n", (unsigned)_mlir_ciface_brain(0x3fc0));
  printf("negate %d %d\n", _mlir_ciface_negate(true), _mlir_ciface_negate(0));
  _mlir_ciface_main(&r, true, -8, -16, -32, -64, 0x4040, 0x4200, 1.5f, 2.5);
  printf("types %d %d %d %d %d %x %x %g %g\n", r.out0, r.out1, r.out2, r.out3,
         (int)r.out4, (unsigned)r.out5, (unsigned)r.out6, (double)r.out7,
         r.out8);
  return 0;
}
