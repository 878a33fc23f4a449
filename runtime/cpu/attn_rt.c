/*===- attn_rt.c - What generated CPU code calls -------------------*- C -*-===*
 *
 * Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Failing run-time checks. The process ends without unwinding: a check may
 * fail on any thread of a parallel region.
 *
 *===----------------------------------------------------------------------===*/

#include "attn_rt.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic(attn_rt_assert_handler) assertHandler;
static atomic_flag reporting = ATOMIC_FLAG_INIT;

void attn_rt_set_assert_handler(attn_rt_assert_handler handler) {
  atomic_store(&assertHandler, handler);
}

void attn_rt_assert_fail(const char *message) {
  /* Another thread is about to end the process. */
  while (atomic_flag_test_and_set(&reporting))
    pause();
  attn_rt_assert_handler handler = atomic_load(&assertHandler);
  if (handler)
    handler(message);
  fprintf(stderr, "attn: error: %s\n", message);
  _Exit(3);
}

void attn_rt_assert_fail_values(const char *format, long long first,
                                long long second) {
  char message[1024];
  snprintf(message, sizeof(message), format, first, second);
  attn_rt_assert_fail(message);
}
