/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns without content. The provider wants content in every turn; only the assistant's may be
 * empty, and only as the last one. Content that is neither a string nor a list is a fault of its
 * own. Shapes whose adapter leaves empty turns out of the request have nothing to judge here.
 */
#include "providers/anthropic/rules.h"
#include "shapes/shape.h"

static int blame_turn(struct tk_judge *j, const struct tk_turn *turn, uint16_t code)
{
    int r = 0;

    for (uint32_t m = turn->first; r == 0; m = j->t->messages[m].next) {
        if (!(j->t->messages[m].flags & TK_MESSAGE_TRANSPARENT))
            r = tk_find(&j->findings, j->t, code, TK_ERROR, tk_site_of(m, TK_NONE));
        if (m == turn->last)
            break;
    }
    return r;
}

/* Returns false also if content is absent or of a wrong type: judge_types() blames that. */
static bool is_empty(const struct tk_transcript *t, const struct tk_turn *turn)
{
    if (turn->flags & TK_TURN_HAS_PARTS)
        return false;
    for (uint32_t m = turn->first;; m = t->messages[m].next) {
        if (!tk_takes_parts(&t->messages[m]))
            return false;
        if (m == turn->last)
            return true;
    }
}

static int judge_types(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        if (!tk_takes_parts(&t->messages[m]))
            r = tk_find_message(&j->findings, j->t, TK_CODE_CONTENT_TYPE_INVALID, m);
    return r;
}

int tk_judge_emptiness(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = judge_types(j);

    if (tk_adapter_of(t->shape)->empty_left_out)
        return r;
    for (uint32_t i = 0; i < t->turn_count && r == 0; i++) {
        const struct tk_turn *turn = &t->turns[i];

        if (!is_empty(t, turn))
            continue;
        if (turn->role == TK_ROLE_USER)
            r = blame_turn(j, turn, TK_CODE_USER_CONTENT_EMPTY);
        else if (turn->role == TK_ROLE_ASSISTANT && i + 1 < t->turn_count)
            r = blame_turn(j, turn, TK_CODE_MESSAGE_CONTENT_EMPTY);
    }
    return r;
}
