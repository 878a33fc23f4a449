// Calls the library of gather.mlir through its header.
#include "gather.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int64_t ids[3] = {3, 0, 1};
  struct attn_memref_1 in0 = {ids, ids, 0, {3}, {1}};
  struct attn_main_results results;
  _mlir_ciface_main(&results, &in0);
  const float *values = results.out0.aligned;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j)
      printf("%g ", values[results.out0.offset + i * results.out0.strides[0] +
                           j * results.out0.strides[1]]);
  printf("\n");
  free(results.out0.allocated);
  return 0;
}
