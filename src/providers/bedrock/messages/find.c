/* SPDX-License-Identifier: Apache-2.0 */
/* Judges messages as a whole: roles, content, and their order (CATALOGUE 4.3). */
#include <errno.h>

#include "engine/runs.h"
#include "providers/bedrock/rules.h"
#include "value/cut.h"

/* Returns true if the message is of the model and has a client's call. */
static bool has_client_call(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_call(&t->parts[i], false))
            return true;
    return false;
}

/* Returns true for a call of the model's messages and a result of the user's, which some models want in
 * messages of their own. */
static bool is_lonely(const struct tk_transcript *t, uint32_t part)
{
    const struct tk_part *p = &t->parts[part];

    return tk_brk_is_model(t, p->message) ? tk_is_call(p, false) : tk_is_result(p, false);
}

bool tk_brk_goes_elsewhere(const struct tk_transcript *t, uint32_t part)
{
    return !tk_brk_is_cache_point(&t->parts[part]) && !is_lonely(t, part);
}

static bool is_mixed(const struct tk_transcript *t, uint32_t message)
{
    bool lonely = false, other = false;

    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        lonely = lonely || is_lonely(t, i);
        other = other || tk_brk_goes_elsewhere(t, i);
    }
    return lonely && other;
}

static int find_order(struct tk_judge *j, uint32_t message)
{
    struct tk_transcript *t = j->t;
    const struct tk_message *m = &t->messages[message];
    bool model = tk_brk_is_model(t, message);
    int r = 0;

    if (m->prev == TK_NONE && model && tk_brk_is(j, TK_BRK_USER_FIRST))
        r = tk_find_message(&j->findings, t, TK_CODE_BRK_FIRST_NOT_USER, message);
    if (r == 0 && m->prev != TK_NONE && t->messages[m->prev].role == m->role)
        r = tk_find_message(&j->findings, t, TK_CODE_BRK_NOT_ALTERNATING, message);
    if (r == 0 && tk_brk_is(j, TK_BRK_RESULTS_ALONE) && is_mixed(t, message))
        r = tk_find_message(&j->findings, t, TK_CODE_BRK_MIXED_TOOL_RESULT, message);
    if (r == 0 && m->next == TK_NONE && model && tk_brk_is(j, TK_BRK_NO_PREFILL) &&
        !has_client_call(t, message))
        r = tk_find_message(&j->findings, t, TK_CODE_BRK_PREFILL, message);
    return r;
}

static int find_role(struct tk_judge *j, uint32_t message)
{
    const struct tk_message *m = &j->t->messages[message];
    struct tk_val whole = {m->doc, m->node};
    struct tk_str role = tk_text(tk_get(whole, TK_STR("role")), j->t->arena);
    int r = tk_find_message(&j->findings, j->t, TK_CODE_BRK_ROLE_INVALID, message);

    return r < 0 ? r
                 : tk_find_words(&j->findings, j->t,
                                 tk_cut(role.p ? role : TK_STR("null"), j->t->arena),
                                 (struct tk_str){0});
}

static int find_in_message(struct tk_judge *j, uint32_t message)
{
    const struct tk_message *m = &j->t->messages[message];
    int r = 0;

    if (m->flags & (TK_MESSAGE_VARIANT | TK_MESSAGE_NO_ROLE))
        r = find_role(j, message);
    if (r == 0 && tk_is_broken(m))
        r = tk_find_message(&j->findings, j->t, TK_CODE_BRK_CONTENT_TYPE, message);
    if (r == 0 && tk_is_partless(m))
        r = tk_find_message(&j->findings, j->t, TK_CODE_BRK_CONTENT_EMPTY, message);
    return r == 0 ? find_order(j, message) : r;
}

int tk_brk_find_messages(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t step = 0;
    int r = 0;

    if (t->first_message == TK_NONE)
        return tk_find_request(&j->findings, j->t, TK_CODE_BRK_MESSAGES_EMPTY, TK_NO_NODE);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        r = find_in_message(j, m);
        if (r == 0 && tk_judge_cancelled(j, step++))
            r = -ECANCELED;
    }
    return r;
}
