/* SPDX-License-Identifier: Apache-2.0 */
/* Judges entries as a whole: roles, lists of parts, members (CATALOGUE 4.4), and their order. */
#include <errno.h>

#include "engine/runs.h"
#include "providers/gemini/rules.h"
#include "shapes/members.h"

static bool has_call(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_call(&t->parts[i], false))
            return true;
    return false;
}

static bool has_wrong_role(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];

    return m->flags & TK_MESSAGE_NO_ROLE ? has_call(t, message)
                                         : (m->flags & TK_MESSAGE_VARIANT) != 0;
}

/* Returns true if the entry has a member that the API doesn't know. Null counts as absent. */
static bool has_unknown_member(const struct tk_transcript *t, const struct tk_message *m)
{
    struct tk_val whole = {m->doc, m->node};

    if (!(m->flags & TK_MESSAGE_EXTRA))
        return false;
    for (struct tk_val v = tk_first(whole); tk_exists(v); v = tk_after(whole, v))
        if (!tk_is(v, TK_NULL) && !tk_dialect_knows(t->shape, v))
            return true;
    return false;
}

static int find_in_message(struct tk_judge *j, uint32_t message)
{
    const struct tk_message *m = &j->t->messages[message];
    int r = 0;

    if (has_wrong_role(j->t, message))
        r = tk_find_message(&j->findings, j->t, TK_CODE_GEM_ROLE_INVALID, message);
    if (r == 0 && tk_is_broken(m))
        r = tk_find_message(&j->findings, j->t, TK_CODE_GEM_PARTS_TYPE, message);
    if (r == 0 && tk_is_partless(m))
        r = tk_find_message(&j->findings, j->t, TK_CODE_GEM_PARTS_EMPTY, message);
    if (r == 0 && has_unknown_member(j->t, m))
        r = tk_find_message(&j->findings, j->t, TK_CODE_GEM_UNKNOWN_FIELD, message);
    return r;
}

int tk_gem_find_messages(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t step = 0;
    int r = 0;

    if (t->first_message == TK_NONE)
        return tk_find_request(&j->findings, j->t, TK_CODE_GEM_CONTENTS_EMPTY, TK_NO_NODE);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        r = find_in_message(j, m);
        if (r == 0 && tk_judge_cancelled(j, step++))
            r = -ECANCELED;
    }
    return r;
}

/* ---- order ---- */

static bool turn_has_call(const struct tk_transcript *t, const struct tk_turn *turn)
{
    for (uint32_t m = turn->first;; m = t->messages[m].next) {
        if (has_call(t, m))
            return true;
        if (m == turn->last)
            return false;
    }
}

static int judge_last(struct tk_judge *j, const struct tk_turn *turn)
{
    int version = tk_gem_version(j);
    bool warns = version == TK_GEMINI_UNKNOWN || j->target.endpoint == TK_ENDPOINT_COMPATIBLE;

    if (version < TK_GEMINI_3_6 && !warns)
        return 0;
    return tk_find(&j->findings, j->t, TK_CODE_GEM_LAST_ROLE_MODEL,
                   version >= TK_GEMINI_3_6 ? TK_ERROR : TK_WARNING,
                   tk_site_of(turn->last, TK_NONE));
}

int tk_gem_find_order(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    const struct tk_turn *first = &t->turns[0], *last;
    int r = 0;

    if (t->turn_count == 0)
        return 0;
    last = &t->turns[t->turn_count - 1];
    if (first->role == TK_ROLE_ASSISTANT)
        r = tk_find_message(&j->findings, j->t,
                            turn_has_call(t, first) ? TK_CODE_GEM_CALL_POSITION
                                                    : TK_CODE_GEM_FIRST_MODEL,
                            first->first);
    if (r == 0 && last->role == TK_ROLE_ASSISTANT && !turn_has_call(t, last))
        r = judge_last(j, last);
    return r;
}
