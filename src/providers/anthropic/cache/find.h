/* SPDX-License-Identifier: Apache-2.0 */
/* Cache markers, `cache_control` on a block (CATALOGUE 3.8): the provider caches the prompt up to
 * each of them. It takes four in a request, and refuses the request if there are more. */
#ifndef TK_PROVIDERS_ANTHROPIC_CACHE_FIND_H
#define TK_PROVIDERS_ANTHROPIC_CACHE_FIND_H

#include "engine/judge.h"
#include "value/doc.h"

/* Most markers that a request may have. */
#define TK_CACHE_MARKERS 4

struct tk_cache {
    uint32_t count;        /* markers of the whole request */
    uint32_t in_messages;  /* markers in messages: only those can be edited */
    uint32_t five_minutes; /* first part with a marker of five minutes, or TK_NONE */
};

/*
 * Return true if the cache keeps the marked prompt that long: five minutes unless `ttl` says "1h".
 */
bool tk_lives_five_minutes(struct tk_val marker);
bool tk_lives_an_hour(struct tk_val marker);

/* Counts the cache markers, and finds those that the provider would refuse. Returns 0 or -ENOMEM.
 */
int tk_judge_cache(struct tk_judge *j);

#endif
