/* SPDX-License-Identifier: Apache-2.0 */
/* Judges reasoning, which Claude signs and wants back as it was (PROVIDERS.md 6.4). */
#include "providers/bedrock/rules.h"

bool tk_brk_is_signed(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (t->parts[i].flags & TK_PART_SIGNED)
            return true;
    return false;
}

static int find_in_block(struct tk_judge *j, uint32_t message, uint32_t part)
{
    if (!tk_brk_is_model(j->t, message))
        return tk_find_part(&j->findings, j->t, TK_CODE_BRK_REASONING_IN_USER, part);
    if (j->t->parts[part].flags & TK_PART_SIGNED || tk_brk_is(j, TK_BRK_OTHER_VENDOR))
        return 0;
    return tk_find_part(&j->findings, j->t, TK_CODE_BRK_REASONING_SIGNATURE, part);
}

int tk_brk_find_reasoning(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (tk_is_thinking(&t->parts[i]))
                r = find_in_block(j, m, i);
    return r;
}

/* Returns the last part of a run that isn't a cachePoint; TK_NONE: there is none. */
static uint32_t last_of(const struct tk_transcript *t, const struct tk_turn *run)
{
    for (uint32_t m = run->last; m != TK_NONE; m = m == run->first ? TK_NONE : t->messages[m].prev)
        for (uint32_t i = t->messages[m].last; i != TK_NONE; i = t->parts[i].prev)
            if (!tk_brk_is_cache_point(&t->parts[i]))
                return i;
    return TK_NONE;
}

int tk_brk_find_last_reasoning(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    if (tk_brk_is(j, TK_BRK_OTHER_VENDOR))
        return 0;
    for (uint32_t i = 0; i < t->turn_count && r == 0; i++) {
        uint32_t last = t->turns[i].role == TK_ROLE_ASSISTANT ? last_of(t, &t->turns[i]) : TK_NONE;

        if (last != TK_NONE && (t->parts[last].flags & TK_PART_SIGNED))
            r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_REASONING_FINAL, last);
    }
    return r;
}
