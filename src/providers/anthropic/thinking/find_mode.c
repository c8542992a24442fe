/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"
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

/* Returns true for a user turn that has results of the client's tools. */
static bool answers(const struct tk_transcript *t, const struct tk_turn *turn)
{
    for (uint32_t m = turn->first; turn->role == TK_ROLE_USER; m = t->messages[m].next) {
        if (has_results(t, m))
            return true;
        if (m == turn->last)
            break;
    }
    return false;
}

/* Returns the last assistant turn before a turn; TK_NONE: there is none. */
static uint32_t assistant_before(const struct tk_transcript *t, uint32_t turn)
{
    while (turn > 0)
        if (t->turns[--turn].role == TK_ROLE_ASSISTANT)
            return turn;
    return TK_NONE;
}

/* Returns true if the user's turns between two assistant turns have results of the client's tools. */
static bool is_answered(const struct tk_transcript *t, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i < to; i++)
        if (answers(t, &t->turns[i]))
            return true;
    return false;
}

/*
 * Finds the tool loop that the results at the end continue: the model calls, the client answers, and
 * so on. Returns the loop's last assistant turn and in *ret_first its first one; TK_NONE: the history
 * doesn't end in results.
 */
static uint32_t open_loop(const struct tk_transcript *t, uint32_t *ret_first)
{
    uint32_t message = t->last_message, last, before;

    if (message == TK_NONE || t->messages[message].role != TK_ROLE_USER || !has_results(t, message))
        return TK_NONE;
    last = *ret_first = assistant_before(t, t->messages[message].turn);
    while (*ret_first != TK_NONE && (before = assistant_before(t, *ret_first)) != TK_NONE &&
           is_answered(t, before, *ret_first))
        *ret_first = before;
    return last;
}

/* Judges the open tool loop. The provider wants thinking where the loop begins, or in its newest
 * step. */
static int judge_loop(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t first = TK_NONE, last = open_loop(t, &first), part;

    if (last == TK_NONE || wrong_start(t, &t->turns[last]) == TK_NONE)
        return 0;
    part = wrong_start(t, &t->turns[first]);
    return part == TK_NONE ? 0 : blame(j, TK_CODE_THINKING_REQUIRED_FIRST, part);
}

static int judge_with_budget(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = judge_loop(j);

    for (uint32_t i = 0; i < t->turn_count && r == 0; i++) {
        const struct tk_turn *turn = &t->turns[i];
        uint32_t part = turn->role == TK_ROLE_ASSISTANT ? wrong_start(t, turn) : TK_NONE;

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

static bool has_budget(const struct tk_judge *j)
{
    return (tk_request_flags(j->request) & TK_REQUEST_THINKS_BY_BUDGET) &&
           !(tk_anthropic(j)->model.facts & TK_MODEL_THINKS_FREELY);
}

int tk_judge_thinking_mode(struct tk_judge *j)
{
    if (tk_request_flags(j->request) & TK_REQUEST_THINKS_NOT)
        return judge_switched_off(j);
    return has_budget(j) ? judge_with_budget(j) : 0;
}

/* ---- models that want their thinking back ---- */

/* Returns the first call of the client in a turn without thinking; TK_NONE: there is none, or the turn
 * has thinking. */
static uint32_t call_without_thinking(const struct tk_transcript *t, const struct tk_turn *turn)
{
    uint32_t call = TK_NONE;

    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE; i = tk_turn_next(t, turn, i)) {
        if (tk_is_thinking(&t->parts[i]))
            return TK_NONE;
        call = call == TK_NONE && tk_is_call(&t->parts[i], false) ? i : call;
    }
    return call;
}

static bool wants_thinking_back(const struct tk_judge *j)
{
    return j->target.endpoint == TK_ENDPOINT_COMPATIBLE &&
           !(tk_request_flags(j->request) & TK_REQUEST_THINKS_NOT) &&
           (tk_anthropic(j)->model.facts & TK_MODEL_WANTS_THINKING);
}

int tk_judge_missing_thinking(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t flags = tk_request_flags(j->request);
    int r = 0;

    if (!wants_thinking_back(j))
        return 0;
    for (uint32_t i = 0; i < t->turn_count && r == 0; i++) {
        const struct tk_turn *turn = &t->turns[i];
        uint32_t call = turn->role == TK_ROLE_ASSISTANT ? call_without_thinking(t, turn) : TK_NONE;

        if (call != TK_NONE)
            r = tk_find(&j->findings, j->t, TK_CODE_THINKING_CONTENT_REQUIRED,
                        flags & TK_REQUEST_THINKS ? TK_ERROR : TK_WARNING,
                        tk_site_of(t->parts[call].message, call));
    }
    return r;
}

/* ---- thinking that fit may remove ---- */

uint32_t tk_opening_of_loop(const struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t first = TK_NONE, last = has_budget(j) ? open_loop(t, &first) : TK_NONE, part;

    if (last == TK_NONE || wrong_start(t, &t->turns[last]) == TK_NONE)
        return TK_NONE;
    part = tk_turn_first(t, &t->turns[first]);
    return part == TK_NONE ? TK_NONE : t->parts[part].message;
}

static bool has_client_call(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_call(&t->parts[i], false))
            return true;
    return false;
}

bool tk_may_lose_thinking(const struct tk_judge *j, uint32_t message)
{
    const struct tk_turn *turn = &j->t->turns[j->t->messages[message].turn];
    bool alone = turn->first == turn->last, back = wants_thinking_back(j);

    return (alone || !(back || has_budget(j))) && !(back && has_client_call(j->t, message));
}
