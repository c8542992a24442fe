/* SPDX-License-Identifier: Apache-2.0 */
/* What judging knows of a request's cache markers. */
#ifndef TK_PROVIDERS_ANTHROPIC_CACHE_FIND_H
#define TK_PROVIDERS_ANTHROPIC_CACHE_FIND_H

#include "value/doc.h"

/* How many blocks of a request may carry a marker. */
#define TK_CACHE_MARKERS 4

struct tk_cache {
    uint32_t count;       /* of all of them */
    uint32_t in_messages; /* of those that repair may edit */
    uint32_t
        five_minutes; /* the part with the first marker of five minutes; TK_NONE: no part has it */
};

/* How long a marker's entry lives: five minutes unless it says something else. */
bool tk_lives_five_minutes(struct tk_val marker);
bool tk_lives_an_hour(struct tk_val marker);

#endif
