/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The module's own assert(): a failed assertion is a trap, which ends the instance. That of the C
 * library would print, for which there is nothing to print to, and name the folder of the build.
 */
#ifndef TK_WASM_LIBC_ASSERT_H
#define TK_WASM_LIBC_ASSERT_H

#define assert(condition) ((condition) ? (void)0 : __builtin_trap())
#define static_assert _Static_assert

#endif
