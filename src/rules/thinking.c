/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thinking. A model that reasons sends its reasoning as blocks that the provider has signed. They
 * go back unchanged with the rest of the turn; a turn may not end in one.
 */
#include "dialects/dialect.h"
#include "rules/judge.h"

/* The turn's last part that reaches the wire; *ret_only: nothing but thinking does. */
static uint32_t last_visible(const struct tk_transcript *t, const struct tk_turn *turn,
                             bool *ret_only)
{
    uint32_t last = TK_NONE;

    *ret_only = true;
    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE; i = tk_turn_next(t, turn, i)) {
        if (t->parts[i].flags & TK_PART_INVISIBLE)
            continue;
        last = i;
        *ret_only = *ret_only && tk_is_thinking(&t->parts[i]);
    }
    return last;
}

int tk_judge_thinking(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = 0; i < t->turn_count && r == 0; i++) {
        const struct tk_turn *turn = &t->turns[i];
        uint32_t last;
        bool only;

        if (turn->role != TK_ROLE_ASSISTANT)
            continue;
        last = last_visible(t, turn, &only);
        if (last != TK_NONE && tk_is_thinking(&t->parts[last]) &&
            !(only && t->dialect->reasoning_only_out))
            r = tk_find_part(&j->findings, t, TK_CODE_THINKING_FINAL_BLOCK, last);
    }
    return r;
}
