/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the places of cachePoints: of tools, system and messages, in this order (PROVIDERS.md 6.6). */
#include "providers/bedrock/rules.h"

/* A prompt can have this many cachePoints. */
#define CACHE_POINTS_MAX 4

static uint32_t count_in(struct tk_val list)
{
    uint32_t n = 0;

    for (struct tk_val v = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(v);
         v = tk_after(list, v)) {
        struct tk_val point = tk_get(v, TK_STR("cachePoint"));

        n += tk_exists(point) && !tk_is(point, TK_NULL);
    }
    return n;
}

/* Returns true for a part that a cachePoint must not follow. */
static bool takes_no_point(const struct tk_part *p)
{
    return tk_brk_is_cache_point(p) || p->block == TK_BEDROCK_DOCUMENT ||
           p->block == TK_BEDROCK_VIDEO;
}

int tk_brk_find_cache_points(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t n =
        count_in(j->request->tool_list) + count_in(tk_get(j->request->body, TK_STR("system")));
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
            uint32_t before = t->parts[i].prev;

            if (!tk_brk_is_cache_point(&t->parts[i]))
                continue;
            if (++n > CACHE_POINTS_MAX || before == TK_NONE || takes_no_point(&t->parts[before]))
                r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_CACHE_POINT_POSITION, i);
        }
    return r;
}
