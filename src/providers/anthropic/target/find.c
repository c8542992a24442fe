/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "providers/anthropic/provider_pairs/server_tools.h"
#include "providers/anthropic/state.h"

/* ---- servers that imitate the API ---- */

static struct tk_str role_name(uint8_t role)
{
    return role == TK_ROLE_ASSISTANT ? TK_STR("assistant") : TK_STR("user");
}

static bool follows_its_role(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];

    return m->prev != TK_NONE && t->messages[m->prev].role == m->role &&
           (m->role == TK_ROLE_USER || m->role == TK_ROLE_ASSISTANT);
}

static int judge_order(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    uint32_t first = t->first_message;
    int r = 0;

    if (first != TK_NONE && t->messages[first].role == TK_ROLE_ASSISTANT)
        r = tk_find_message(&j->findings, t, TK_CODE_FIRST_MESSAGE_NOT_USER, first);
    for (uint32_t m = first; m != TK_NONE && r == 0; m = t->messages[m].next) {
        if (!follows_its_role(t, m))
            continue;
        r = tk_find_message(&j->findings, t, TK_CODE_ROLES_NOT_ALTERNATING, m);
        if (r == 0)
            r = tk_find_words(&j->findings, t, role_name(t->messages[m].role), TK_STR(""));
    }
    return r;
}

/* Returns the first result of a message that answers the turn before; TK_NONE: there is none. */
static uint32_t first_answer(const struct tk_judge *j, uint32_t message, uint32_t turn)
{
    const struct tk_transcript *t = j->t;

    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        uint32_t call = tk_is_result(&t->parts[i], false) ? tk_client_partner(j, i) : TK_NONE;

        if (call != TK_NONE && t->messages[t->parts[call].message].turn + 1 == turn)
            return i;
    }
    return TK_NONE;
}

/* Reports a user turn with results in more than one message. */
static int judge_split(struct tk_judge *j, uint32_t turn)
{
    struct tk_transcript *t = j->t;
    bool answered = false;
    int r = 0;

    for (uint32_t m = t->turns[turn].first; r == 0; m = t->messages[m].next) {
        uint32_t result = first_answer(j, m, turn);

        if (result != TK_NONE && answered)
            r = tk_find_part(&j->findings, t, TK_CODE_TOOL_RESULTS_SPLIT, result);
        answered = answered || result != TK_NONE;
        if (m == t->turns[turn].last)
            break;
    }
    return r;
}

static int judge_splits(struct tk_judge *j)
{
    int r = 0;

    for (uint32_t i = 1; i < j->t->turn_count && r == 0; i++)
        if (j->t->turns[i].role == TK_ROLE_USER)
            r = judge_split(j, i);
    return r;
}

static int judge_compatible(struct tk_judge *j)
{
    int r = judge_order(j);

    return r < 0 ? r : judge_splits(j);
}

/* ---- Bedrock ---- */

static bool is_tool_search(const struct tk_transcript *t, const struct tk_part *call)
{
    const struct tk_server_tool *tool = tk_tool_answering(t, call);

    return tool && tk_str_is(tool->result, "tool_search_tool_result");
}

static int judge_tool_searches(struct tk_judge *j)
{
    const struct tk_pairing *pairing = &tk_anthropic(j)->pairing;
    int r = 0;

    for (uint32_t i = 0; i < pairing->open_count && r == 0; i++) {
        uint32_t call = pairing->groups[pairing->open[i]].call;

        if (call != TK_NONE && is_tool_search(j->t, &j->t->parts[call]))
            r = tk_find_part(&j->findings, j->t, TK_CODE_TOOL_SEARCH_UNPAIRED, call);
    }
    return r;
}

/* ---- models ---- */

static bool takes_no_prefill(const struct tk_judge *j)
{
    return (tk_anthropic(j)->model.facts & TK_MODEL_TAKES_NO_PREFILL) ||
           (tk_request_flags(j->request) & TK_REQUEST_THINKS);
}

/* A history that ends in the assistant's message asks the model to continue that message, unless
 * the provider itself has something to add to it: the results of its tools. */
static int judge_prefill(struct tk_judge *j)
{
    uint32_t last = j->t->last_message;

    if (last == TK_NONE || j->t->messages[last].role != TK_ROLE_ASSISTANT ||
        tk_anthropic(j)->pairing.open_count > 0 || !takes_no_prefill(j))
        return 0;
    return tk_find_message(&j->findings, j->t, TK_CODE_ASSISTANT_PREFILL_UNSUPPORTED, last);
}

static int judge_systems(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    if (!(tk_anthropic(j)->model.facts & TK_MODEL_TAKES_NO_SYSTEM))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        if (t->messages[m].role == TK_ROLE_SYSTEM)
            r = tk_find_message(&j->findings, t, TK_CODE_SYSTEM_ROLE_UNSUPPORTED, m);
    return r;
}

/* ---- the check ---- */

int tk_judge_target(struct tk_judge *j)
{
    static int (*const by_endpoint[])(struct tk_judge * j) = {
        [TK_ENDPOINT_OWN] = NULL,
        [TK_ENDPOINT_BEDROCK] = judge_tool_searches,
        [TK_ENDPOINT_VERTEX] = NULL,
        [TK_ENDPOINT_COMPATIBLE] = judge_compatible,
    };
    int r = by_endpoint[j->target.endpoint] ? by_endpoint[j->target.endpoint](j) : 0;

    if (r == 0)
        r = judge_prefill(j);
    return r < 0 ? r : judge_systems(j);
}
