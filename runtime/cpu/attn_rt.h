/*===- attn_rt.h - What generated CPU code calls -------------------*- C -*-===*
 *
 * Part of attn-mlir, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The C ABI between generated code and its host.
 *
 *===----------------------------------------------------------------------===*/

#ifndef ATTN_RT_H
#define ATTN_RT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Called with the message of a run-time check that failed, from whichever
 * thread found it. It must end the process: the check may have failed inside
 * a parallel region, which cannot be left. */
typedef void (*attn_rt_assert_handler)(const char *message);

/* Replaces the handler of failing checks; null restores the default, which
 * prints `attn: error: <message>` and exits with status 3. */
void attn_rt_set_assert_handler(attn_rt_assert_handler handler);

/* Generated code calls this when a check fails. Does not return. Of several
 * threads that fail at once, only the first reports. */
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void attn_rt_assert_fail(const char *message);

/* The same with a message that holds numbers: `format` is one of printf with
 * at most two conversions, of the kind `%lld`. */
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void attn_rt_assert_fail_values(const char *format, long long first,
                                long long second);

#ifdef __cplusplus
}
#endif

#endif /* ATTN_RT_H */
