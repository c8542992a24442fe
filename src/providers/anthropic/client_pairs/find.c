/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Goes through the history turn by turn: adds the calls of an assistant turn, lets the results of the user turn
 * after it answer them, then lets misplaced results claim calls that are still unanswered.
 */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "providers/anthropic/state.h"
#include "shapes/shape.h"

static struct tk_client_pairs *clients(const struct tk_judge *j)
{
    return &tk_anthropic(j)->clients;
}

static struct tk_pairs *pairs_of(const struct tk_judge *j)
{
    return &clients(j)->pairs;
}

static int blame(struct tk_judge *j, uint16_t code, uint32_t part)
{
    return tk_find_part(&j->findings, j->t, code, part);
}

/* ---- the calls of an id ---- */

/* Returns the calls of a key; NULL: no call has it. */
static const struct tk_client_calls *calls_of(const struct tk_judge *j, uint32_t key)
{
    return key < clients(j)->call_count ? &clients(j)->calls[key] : NULL;
}

/* Notes a call, the client's or the provider's, in a turn. Returns 0 or -ENOMEM. */
static int note_call(struct tk_judge *j, uint32_t call, uint32_t turn)
{
    struct tk_client_pairs *c = clients(j);
    uint32_t key = pairs_of(j)->links[call].key;

    while (c->call_count <= key) {
        if (!TK_GROW(j->t->arena, c->calls, c->call_count, c->call_capacity))
            return -ENOMEM;
        c->calls[c->call_count++] = (struct tk_client_calls){TK_NONE, TK_NONE};
    }
    if (c->calls[key].first == TK_NONE)
        c->calls[key].first = call;
    if ((j->t->parts[call].flags & TK_PART_PROVIDER) && c->calls[key].server_turn == TK_NONE)
        c->calls[key].server_turn = turn;
    return 0;
}

uint32_t tk_client_partner(const struct tk_judge *j, uint32_t part)
{
    const struct tk_link *link = tk_part_link(pairs_of(j), part);

    return link->match == TK_MATCH_SECOND ? TK_NONE : link->partner;
}

struct tk_str tk_client_tool(const struct tk_judge *j, const struct tk_part *p)
{
    const struct tk_link *link;
    const struct tk_client_calls *calls;

    if (!tk_is_result(p, false))
        return tk_sent_tool(j, p);
    link = tk_part_link(pairs_of(j), (uint32_t)(p - j->t->parts));
    calls = calls_of(j, link->key);
    if (calls && calls->first != TK_NONE && tk_part_link(pairs_of(j), calls->first)->at < link->at)
        p = &j->t->parts[calls->first];
    return tk_part_name(j->t, p);
}

/* ---- answers and claims ---- */

static bool is_client_result(const struct tk_part *p)
{
    return tk_is_result(p, false);
}

/* Adds a call or result. Returns 0 or -ENOMEM. */
static int add(struct tk_judge *j, uint32_t part, uint32_t turn)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_pairs *pairs = pairs_of(j);
    struct tk_str id = tk_part_id(j->t, p);
    int r;

    if (p->kind == TK_PART_RESULT)
        return tk_add_result(pairs, part, id);
    if (p->flags & TK_PART_PROVIDER) {
        r = tk_add_other(pairs, part, id);
    } else {
        r = tk_add_call(pairs, part, id);
        if (r == 0)
            r = tk_open_call(pairs, part, 0, pairs->links[part].key);
    }
    return r < 0 ? r : note_call(j, part, turn);
}

/* Adds the calls of an assistant turn, and results that are in it. Returns 0 or -ENOMEM. */
static int add_calls(struct tk_judge *j, uint32_t turn)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE && r == 0;
         i = tk_turn_next(t, &t->turns[turn], i))
        if (t->parts[i].kind == TK_PART_CALL || is_client_result(&t->parts[i]))
            r = add(j, i, turn);
    return r;
}

/* Adds the results of a user turn and pairs those that answer a call of the assistant turn before it; the
 * results of one id answer its calls in order. */
static int add_results(struct tk_judge *j, uint32_t turn)
{
    struct tk_transcript *t = j->t;
    struct tk_pairs *pairs = pairs_of(j);
    bool first = true;
    int r = 0;

    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE && r == 0;
         i = tk_turn_next(t, &t->turns[turn], i)) {
        uint32_t call;

        if (!is_client_result(&t->parts[i])) {
            first = first && (t->parts[i].flags & TK_PART_INVISIBLE);
            continue;
        }
        r = add(j, i, turn);
        if (r < 0 || !tk_scope_has_key(pairs, i))
            continue;
        call = tk_first_open_in_scope(pairs, 0, pairs->links[i].key);
        if (call == TK_NONE) {
            tk_match_second(pairs, i);
            r = blame(j, TK_CODE_TOOL_RESULT_DUPLICATE, i);
            continue;
        }
        tk_pair_up(pairs, call, i, TK_MATCH_PAIR);
        r = first ? 0 : blame(j, TK_CODE_TOOL_RESULT_NOT_FIRST, i);
    }
    return r;
}

/* Leaves to later claims the first call of each id: others of the turn are reported as duplicates. */
static void withdraw_repeated(struct tk_judge *j, uint32_t turn)
{
    const struct tk_transcript *t = j->t;

    if (pairs_of(j)->repeated == 0)
        return;
    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE;
         i = tk_turn_next(t, &t->turns[turn], i))
        if (tk_is_call(&t->parts[i], false) && pairs_of(j)->links[i].first != TK_NONE)
            tk_withdraw(pairs_of(j), i);
}

/* Lets a stray claim the newest unanswered call of its id. Returns true if there is one. */
static bool claim(struct tk_judge *j, uint32_t result)
{
    uint32_t call = tk_last_open(pairs_of(j), 0, pairs_of(j)->links[result].key);

    if (call != TK_NONE)
        tk_pair_up(pairs_of(j), call, result, TK_MATCH_CLAIM);
    return call != TK_NONE;
}

static uint16_t code_of_stray(struct tk_judge *j, uint32_t turn, uint32_t result)
{
    const struct tk_client_calls *calls = calls_of(j, pairs_of(j)->links[result].key);

    if (claim(j, result))
        return TK_CODE_TOOL_RESULT_NOT_ADJACENT;
    return calls && calls->server_turn < turn ? TK_CODE_TOOL_RESULT_FOR_SERVER_TOOL
                                              : TK_CODE_TOOL_RESULT_WITHOUT_USE;
}

/* Judges the results of a turn that didn't answer a call of the turn before: those of a user turn, and all of an
 * assistant turn. */
static int judge_strays(struct tk_judge *j, uint32_t turn)
{
    struct tk_transcript *t = j->t;
    bool inside = t->turns[turn].role == TK_ROLE_ASSISTANT;
    int r = 0;

    if (pairs_of(j)->matched[TK_MATCH_STRAY] == 0)
        return 0;
    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE && r == 0;
         i = tk_turn_next(t, &t->turns[turn], i)) {
        if (!is_client_result(&t->parts[i]) || pairs_of(j)->links[i].match != TK_MATCH_STRAY)
            continue;
        if (inside)
            claim(j, i);
        r = blame(j, inside ? TK_CODE_TOOL_RESULT_IN_ASSISTANT : code_of_stray(j, turn, i), i);
    }
    return r;
}

/* ---- calls ---- */

/* Returns true if the user was asked to approve the call; the library continues from there. */
static bool awaits_approval(struct tk_judge *j, uint32_t call)
{
    const struct tk_part *p = &j->t->parts[call];

    return clients(j)->asked_turn == j->t->messages[p->message].turn &&
           tk_map_get(&clients(j)->asked, tk_part_id(j->t, p)) != NULL;
}

/* Reports a call that no result answered or claimed, and an id that an earlier call has: an error in the same
 * turn, else a warning, since results answer the turn before them. */
static int judge_call(struct tk_judge *j, uint32_t call)
{
    const struct tk_link *link = tk_part_link(pairs_of(j), call);
    int r = 0;

    if (link->match == TK_MATCH_OPEN && link->first == TK_NONE && !awaits_approval(j, call))
        r = blame(j, TK_CODE_TOOL_USE_WITHOUT_RESULT, call);
    if (r < 0 || link->before == TK_NONE)
        return r;
    return tk_find(&j->findings, j->t, TK_CODE_TOOL_USE_ID_DUPLICATE,
                   link->first == TK_NONE ? TK_WARNING : TK_ERROR,
                   tk_site_of(j->t->parts[call].message, call));
}

static int judge_calls(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    if (pairs_of(j)->matched[TK_MATCH_OPEN] == 0 && pairs_of(j)->repeated == 0)
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next) {
        if (t->messages[m].role != TK_ROLE_ASSISTANT)
            continue;
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (tk_is_call(&t->parts[i], false))
                r = judge_call(j, i);
    }
    return r;
}

/* Reports calls outside assistant messages. They take no part in pairing. */
static int judge_misplaced_calls(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next) {
        if (t->messages[m].role == TK_ROLE_ASSISTANT)
            continue;
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (tk_is_call(&t->parts[i], false))
                r = blame(j, TK_CODE_TOOL_USE_IN_USER, i);
    }
    return r;
}

/* ---- approvals ---- */

/* Returns the assistant turn that is followed only by messages of role `tool`; TK_NONE: there is
 * none. */
static uint32_t turn_before_tools(const struct tk_transcript *t)
{
    uint32_t m = t->last_message;

    while (m != TK_NONE && (t->messages[m].flags & TK_MESSAGE_TOOL))
        m = t->messages[m].prev;
    return m != TK_NONE && t->messages[m].role == TK_ROLE_ASSISTANT ? t->messages[m].turn : TK_NONE;
}

/* Notes the calls that the approval requests of that turn name. */
static int note_approvals(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    uint32_t turn = tk_adapter_of(t->shape)->asks_approval ? turn_before_tools(t) : TK_NONE;
    bool fresh;

    clients(j)->asked_turn = turn;
    tk_map_init(&clients(j)->asked, t->arena, t->hash_key);
    if (turn == TK_NONE)
        return 0;
    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE;
         i = tk_turn_next(t, &t->turns[turn], i))
        if (tk_adapter_of(t->shape)->asks_approval(&t->parts[i]) &&
            !tk_map_put(&clients(j)->asked, tk_part_id(t, &t->parts[i]), &fresh))
            return -ENOMEM;
    return 0;
}

/* ---- the whole history ---- */

static bool has_client_parts(const struct tk_transcript *t)
{
    for (uint32_t i = 0; i < t->part_count; i++)
        if ((t->parts[i].kind == TK_PART_CALL || t->parts[i].kind == TK_PART_RESULT) &&
            !(t->parts[i].flags & (TK_PART_PROVIDER | TK_PART_REMOVED)))
            return true;
    return false;
}

/* Counts calls of clients and provider: about as many as there are ids. */
static uint32_t count_calls(const struct tk_transcript *t)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->part_count; i++)
        n += t->parts[i].kind == TK_PART_CALL;
    return n;
}

static int judge_turn(struct tk_judge *j, uint32_t turn)
{
    const struct tk_turn *turns = j->t->turns;
    bool asks = turns[turn].role == TK_ROLE_ASSISTANT;
    uint32_t answers = asks ? turn + 1 : turn;
    int r = 0;

    if (!asks && turn > 0 && turns[turn - 1].role == TK_ROLE_ASSISTANT)
        return 0; /* was judged with the turn that it answers */
    if (answers >= j->t->turn_count || turns[answers].role != TK_ROLE_USER)
        answers = TK_NONE;
    tk_begin_scope(pairs_of(j));
    if (asks)
        r = add_calls(j, turn);
    if (r == 0 && answers != TK_NONE)
        r = add_results(j, answers);
    if (r == 0 && asks) {
        withdraw_repeated(j, turn);
        r = judge_strays(j, turn);
    }
    return r == 0 && answers != TK_NONE ? judge_strays(j, answers) : r;
}

int tk_judge_client_pairs(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r;

    tk_pairs_clear(pairs_of(j));
    clients(j)->call_count = 0;
    if (!has_client_parts(t))
        return 0;
    r = tk_pairs_begin(pairs_of(j), t, false);
    if (r == 0)
        r = tk_expect_keys(pairs_of(j), count_calls(t));
    if (r == 0)
        r = note_approvals(j);
    for (uint32_t i = 0; i < t->turn_count && r == 0; i++)
        r = tk_judge_cancelled(j, i) ? -ECANCELED : judge_turn(j, i);
    if (r == 0)
        r = judge_calls(j);
    return r < 0 ? r : judge_misplaced_calls(j);
}
