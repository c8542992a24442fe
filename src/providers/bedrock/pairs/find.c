/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs the client's calls and results (PROVIDERS.md 6.1). Converse joins no neighbours: the results of a
 * message's calls are in the message right after it, and each answers the first call with its id that has no
 * answer. A result that answers nothing claims an earlier call, so that one mistake gives one finding.
 */
#include <errno.h>

#include "engine/pairs/new_id.h"
#include "providers/bedrock/rules.h"

/* Lists of open calls: those that the next message may answer, and those that a stray may claim. */
enum {
    HERE,
    LATER,
};

/* Returns the id as the key of a pair. Missing ids are equal. */
static struct tk_str key_of(const struct tk_judge *j, uint32_t part)
{
    return tk_part_id(j->t, &j->t->parts[part]);
}

static uint32_t key_index(const struct tk_judge *j, uint32_t part)
{
    return tk_part_link(&tk_bedrock(j)->pairs, part)->key;
}

static bool is_client_call(const struct tk_judge *j, uint32_t part)
{
    return tk_is_call(&j->t->parts[part], false) &&
           tk_brk_is_model(j->t, j->t->parts[part].message);
}

/* ---- adding what a message has ---- */

static int add_call(struct tk_judge *j, uint32_t call)
{
    struct tk_pairs *pairs = &tk_bedrock(j)->pairs;
    int r = tk_add_call(pairs, call, key_of(j, call));

    return r < 0 ? r : tk_open_call(pairs, call, HERE, key_index(j, call));
}

/* Notes the id of a call or result that takes no part in pairing: no new id may be equal to it. */
static int note_other(struct tk_judge *j, uint32_t part)
{
    struct tk_pairs *pairs = &tk_bedrock(j)->pairs;
    const struct tk_part *p = &j->t->parts[part];

    if (p->kind != TK_PART_CALL && p->kind != TK_PART_RESULT)
        return 0;
    return tk_note_id(pairs, key_of(j, part), pairs->end_count > 0 ? pairs->end_count - 1 : 0);
}

/* Adds the message's calls and results. answers: it comes right after the newest scope, so its results answer
 * that scope's calls. */
static int add_message(struct tk_judge *j, uint32_t message, bool answers)
{
    struct tk_pairs *pairs = &tk_bedrock(j)->pairs;
    const struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = t->messages[message].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
        uint32_t call;

        if (!tk_is_result(&t->parts[i], false)) {
            r = is_client_call(j, i) ? add_call(j, i) : note_other(j, i);
            continue;
        }
        r = tk_add_result(pairs, i, key_of(j, i));
        if (r < 0 || !answers)
            continue;
        call = tk_first_open_in_scope(pairs, HERE, key_index(j, i));
        if (call != TK_NONE)
            tk_pair_up(pairs, call, i, TK_MATCH_PAIR);
        else if (tk_scope_has_key(pairs, i))
            tk_match_second(pairs, i);
    }
    return r;
}

/* ---- claims ---- */

/* Lets a stray claim the newest call of its id that waits; in one message the first. */
static void claim(struct tk_judge *j, uint32_t result)
{
    struct tk_pairs *pairs = &tk_bedrock(j)->pairs;
    uint32_t call = tk_first_open_before(pairs, LATER, key_index(j, result), result);

    if (call != TK_NONE)
        tk_pair_up(pairs, call, result, TK_MATCH_CLAIM);
}

/* Lets the strays of a message claim calls, and puts its own unanswered calls on the list for those after
 * them. A call that repeats an id of its message isn't claimed. */
static int claim_in(struct tk_judge *j, uint32_t message)
{
    struct tk_pairs *pairs = &tk_bedrock(j)->pairs;
    const struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = t->messages[message].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
        const struct tk_link *link = tk_part_link(pairs, i);

        if (link->match == TK_MATCH_STRAY)
            claim(j, i);
        else if (link->match == TK_MATCH_OPEN && link->first == TK_NONE)
            r = tk_open_call(pairs, i, LATER, link->key);
    }
    return r;
}

/* Pairs a message of the model with the one after it, or a message of the user that is after no such one. */
static int pair_message(struct tk_judge *j, uint32_t message)
{
    const struct tk_transcript *t = j->t;
    uint32_t before = t->messages[message].prev, next = t->messages[message].next;
    bool model = tk_brk_is_model(t, message), answered;
    int r;

    if (!model && before != TK_NONE && tk_brk_is_model(t, before))
        return 0;
    if (model)
        tk_begin_scope(&tk_bedrock(j)->pairs);
    answered = model && next != TK_NONE && !tk_brk_is_model(t, next);
    r = add_message(j, message, false);
    if (r == 0 && answered)
        r = add_message(j, next, true);
    if (r == 0)
        r = claim_in(j, message);
    return r == 0 && answered ? claim_in(j, next) : r;
}

/* ---- faults ---- */

static int find_call(struct tk_judge *j, uint32_t part)
{
    const struct tk_link *link = tk_part_link(&tk_bedrock(j)->pairs, part);
    bool has_id = key_of(j, part).n > 0, copy = has_id && link->first != TK_NONE;
    bool again = has_id && link->before != TK_NONE && tk_brk_is(j, TK_BRK_CLAUDE) &&
                 (j->has & TK_HAS_HISTORY);
    int r = 0;

    if (copy || again)
        r = tk_find(&j->findings, j->t, TK_CODE_BRK_TOOL_USE_ID_DUPLICATE,
                    copy ? TK_ERROR : TK_WARNING, tk_site_of(j->t->parts[part].message, part));
    if (r == 0 && (j->has & TK_HAS_HISTORY) && link->match == TK_MATCH_OPEN && !copy)
        r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_MISSING_TOOL_RESULT, part);
    return r;
}

/* other: a block that is neither a result nor a cachePoint comes before it in its message. */
static int find_result(struct tk_judge *j, uint32_t part, bool other)
{
    static const uint16_t codes[TK_MATCH_COUNT] = {
        [TK_MATCH_SECOND] = TK_CODE_BRK_TOOL_RESULT_DUPLICATE,
        [TK_MATCH_CLAIM] = TK_CODE_BRK_RESULT_MISPLACED,
        [TK_MATCH_STRAY] = TK_CODE_BRK_EXTRA_TOOL_RESULT,
    };
    uint8_t match = tk_part_link(&tk_bedrock(j)->pairs, part)->match;

    if (tk_brk_is_model(j->t, j->t->parts[part].message))
        return tk_find_part(&j->findings, j->t, TK_CODE_BRK_RESULT_IN_ASSISTANT, part);
    if (match != TK_MATCH_PAIR)
        return tk_find_part(&j->findings, j->t, codes[match], part);
    return other && tk_brk_is(j, TK_BRK_CLAUDE)
               ? tk_find_part(&j->findings, j->t, TK_CODE_BRK_RESULT_NOT_FIRST, part)
               : 0;
}

static int find_in_message(struct tk_judge *j, uint32_t message)
{
    const struct tk_transcript *t = j->t;
    bool other = false;
    int r = 0;

    for (uint32_t i = t->messages[message].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
        bool result = tk_is_result(&t->parts[i], false);

        if (is_client_call(j, i))
            r = find_call(j, i);
        else if (tk_is_call(&t->parts[i], false))
            r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_TOOL_USE_IN_USER, i);
        else if (result && (j->has & TK_HAS_HISTORY))
            r = find_result(j, i, other);
        other = other || (!result && !tk_brk_is_cache_point(&t->parts[i]));
    }
    return r;
}

static bool has_client_end(const struct tk_transcript *t)
{
    for (uint32_t i = 0; i < t->part_count; i++)
        if (!(t->parts[i].flags & (TK_PART_REMOVED | TK_PART_PROVIDER)) &&
            (t->parts[i].kind == TK_PART_CALL || t->parts[i].kind == TK_PART_RESULT))
            return true;
    return false;
}

int tk_brk_find_pairs(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    struct tk_pairs *pairs = &tk_bedrock(j)->pairs;
    uint32_t step = 0;
    int r;

    if (!has_client_end(t)) {
        tk_pairs_clear(pairs);
        return 0;
    }
    r = tk_pairs_begin(pairs, t, false);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        r = pair_message(j, m);
        if (r == 0 && tk_judge_cancelled(j, step++))
            r = -ECANCELED;
    }
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        r = find_in_message(j, m);
    return r;
}
