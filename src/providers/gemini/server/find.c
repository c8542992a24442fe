/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs the parts of the provider's own tools within a turn of the model (PROVIDERS.md 7.6): a toolResponse
 * with the first open toolCall of its id, a codeExecutionResult with the newest executableCode. An
 * executableCode may have several results.
 */
#include <errno.h>

#include "providers/gemini/rules.h"

static int blame(struct tk_judge *j, uint32_t part)
{
    return tk_find_part(&j->findings, j->t, TK_CODE_GEM_SERVER_PAIR_INCOMPLETE, part);
}

static int pair_tool(struct tk_judge *j, struct tk_pairs *pairs, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_str id = tk_part_id(j->t, p);
    uint32_t key = tk_put_key(pairs, id), call;
    int r = key == TK_NONE ? -ENOMEM : 0;

    if (r == 0 && tk_is_call(p, true)) {
        r = tk_add_call(pairs, part, id);
        return r < 0 ? r : tk_open_call(pairs, part, 0, key);
    }
    if (r == 0)
        r = tk_add_result(pairs, part, id);
    call = r < 0 ? TK_NONE : tk_first_open_in_scope(pairs, 0, key);
    if (call != TK_NONE)
        tk_pair_up(pairs, call, part, TK_MATCH_PAIR);
    return r;
}

/* Judges code and its results. *code: the newest executableCode without a result; TK_NONE. *any: there was
 * one. */
static int judge_code(struct tk_judge *j, uint32_t part, uint32_t *code, bool *any)
{
    int r = 0;

    if (j->t->parts[part].block == TK_GEMINI_CODE_RESULT) {
        r = *any ? 0 : blame(j, part);
        *code = TK_NONE;
        return r;
    }
    if (*code != TK_NONE)
        r = blame(j, *code);
    *code = part;
    *any = true;
    return r;
}

static bool is_tool(const struct tk_part *p)
{
    return (p->flags & TK_PART_PROVIDER) != 0;
}

static int judge_turn(struct tk_judge *j, struct tk_pairs *pairs, const struct tk_turn *turn)
{
    const struct tk_transcript *t = j->t;
    uint32_t code = TK_NONE;
    bool any = false;
    int r = 0;

    tk_begin_scope(pairs);
    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE && r == 0;
         i = tk_turn_next(t, turn, i)) {
        const struct tk_part *p = &t->parts[i];

        if (p->block == TK_GEMINI_EXECUTABLE_CODE || p->block == TK_GEMINI_CODE_RESULT)
            r = judge_code(j, i, &code, &any);
        else if (is_tool(p))
            r = pair_tool(j, pairs, i);
    }
    if (r == 0 && code != TK_NONE)
        r = blame(j, code);
    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE && r == 0; i = tk_turn_next(t, turn, i))
        if (is_tool(&t->parts[i]) && tk_part_link(pairs, i)->match != TK_MATCH_PAIR)
            r = blame(j, i);
    return r;
}

/* Returns true if the provider executed anything in the history. */
static bool has_server_part(const struct tk_transcript *t)
{
    for (uint32_t i = 0; i < t->part_count; i++)
        if (t->parts[i].block >= TK_GEMINI_TOOL_CALL && t->parts[i].block <= TK_GEMINI_CODE_RESULT)
            return true;
    return false;
}

int tk_gem_find_server_parts(struct tk_judge *j)
{
    struct tk_pairs *pairs = &tk_gemini(j)->server;
    int r;

    if (!has_server_part(j->t))
        return 0;
    r = tk_pairs_begin(pairs, j->t, false);
    for (uint32_t i = 0; i < j->t->turn_count && r == 0; i++)
        if (j->t->turns[i].role == TK_ROLE_ASSISTANT)
            r = tk_judge_cancelled(j, i) ? -ECANCELED : judge_turn(j, pairs, &j->t->turns[i]);
    return r;
}
