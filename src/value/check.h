/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of what only a defect of ours can break. A debug build (sanitizers, fuzzers) ends there;
 * a release goes on with what the caller does about it, for no request may end the daemon.
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
