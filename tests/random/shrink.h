/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts a JSON document down to what somebody still finds in it. */
#ifndef TK_TESTS_RANDOM_SHRINK_H
#define TK_TESTS_RANDOM_SHRINK_H

#include "value/arena.h"

/*
 * A document from which nothing can be taken (a member, an element) without found() being false, as
 * far as `tries` questions lead. found() is true of the document itself; it need not be one of the
 * smaller ones that make no sense. In the arena.
 */
struct tk_str shrink(struct tk_str json, bool (*found)(void *arg, struct tk_str json), void *arg,
                     unsigned tries, struct tk_arena *arena);

#endif
