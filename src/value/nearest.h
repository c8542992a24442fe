/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the known name that somebody may have meant who misspelt one. */
#ifndef TK_VALUE_NEAREST_H
#define TK_VALUE_NEAREST_H

#include "value/str.h"

/* Longest word in bytes that is compared; longer ones are near to none. */
#define TK_NEAREST_MAX 32

struct tk_nearest {
    struct tk_str typed;
    struct tk_str name; /* the nearest so far; `.p == NULL`: none is near */
    unsigned distance;
};

/* Returns the search for what was typed, with no name yet. */
struct tk_nearest tk_nearest_to(struct tk_str typed);

/*
 * Keeps a name if it is the nearest so far. Up to a third of the letters may differ; a name that begins with what was
 * typed is always near.
 */
void tk_nearest_consider(struct tk_nearest *nearest, struct tk_str name);

#endif
