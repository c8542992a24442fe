/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/thinking/find_mode.h"
#include "providers/anthropic/state.h"

static int blame(struct tk_judge *j, uint16_t code, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_str type = tk_text(tk_part_val(p, p->type), j->t->arena);
    int r = tk_find_part(&j->findings, j->t, code, part);

    /* String content has no type of its own. */
    return r < 0 ? r
                 : tk_find_words(&j->findings, j->t, type.p ? type : TK_STR("text"), TK_STR(""));
}

/* Returns the first part of a turn if that isn't thinking; TK_NONE: it is, or the turn is empty. */
static uint32_t wrong_start(const struct tk_transcript *t, const struct tk_turn *turn)
{
    uint32_t first = tk_turn_first(t, turn);

    return first == TK_NONE || tk_is_thinking(&t->parts[first]) ? TK_NONE : first;
}

static bool has_thinking(const struct tk_transcript *t, const struct tk_turn *turn)
{
    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE; i = tk_turn_next(t, turn, i))
        if (tk_is_thinking(&t->parts[i]))
            return true;
    return false;
}

/* ---- with a budget ---- */

static bool has_results(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_result(&t->parts[i], false))
            return true;
    return false;
}

/* Returns the assistant's turn before the results that end the history; NULL: it doesn't end in
 * results. */
static const struct tk_turn *turn_in_progress(const struct tk_transcript *t)
{
    uint32_t last = t->last_message;

    if (last == TK_NONE || t->messages[last].role != TK_ROLE_USER || !has_results(t, last))
        return NULL;
    for (uint32_t i = t->messages[last].turn; i > 0; i--)
        if (t->turns[i - 1].role == TK_ROLE_ASSISTANT)
            return &t->turns[i - 1];
    return NULL;
}

static int judge_with_budget(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    const struct tk_turn *turn = turn_in_progress(t);
    uint32_t part = turn ? wrong_start(t, turn) : TK_NONE;
    int r = part == TK_NONE ? 0 : blame(j, TK_CODE_THINKING_REQUIRED_FIRST, part);

    for (uint32_t i = 0; i < t->turn_count && r == 0; i++) {
        turn = &t->turns[i];
        part = turn->role == TK_ROLE_ASSISTANT ? wrong_start(t, turn) : TK_NONE;
        if (part != TK_NONE && has_thinking(t, turn))
            r = blame(j, TK_CODE_THINKING_NOT_FIRST, part);
    }
    return r;
}

/* ---- switched off ---- */

static int judge_switched_off(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t last = t->last_message;

    if (last == TK_NONE || t->messages[last].role != TK_ROLE_ASSISTANT)
        return 0;
    for (uint32_t i = t->messages[last].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_thinking(&t->parts[i]))
            return tk_find_part(&j->findings, j->t, TK_CODE_THINKING_DISABLED_FINAL, i);
    return 0;
}

int tk_judge_thinking_mode(struct tk_judge *j)
{
    uint32_t flags = j->request->flags;

    if (flags & TK_REQUEST_THINKS_NOT)
        return judge_switched_off(j);
    if ((flags & TK_REQUEST_THINKS_BY_BUDGET) &&
        !(tk_anthropic(j)->model.facts & TK_MODEL_THINKS_FREELY))
        return judge_with_budget(j);
    return 0;
}
