/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of conditions that only a defect of this program can break. A debug build (sanitizers,
 * fuzzers) aborts; a release goes on, and the caller handles the case, since no request may end the
 * daemon.
 */
#ifndef TK_VALUE_CHECK_H
#define TK_VALUE_CHECK_H

#ifdef TK_DEBUG
#include <assert.h>
#define tk_check(condition) assert(condition)
#else
#define tk_check(condition) ((void)0)
#endif

#endif
