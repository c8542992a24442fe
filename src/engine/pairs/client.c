/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Goes through the history turn by turn: notes the calls of an assistant turn, lets the results of
 * the user turn after it answer them, then lets misplaced results claim the calls that are still
 * unanswered.
 */
#include "engine/pairs/client.h"

#include <errno.h>

#include "engine/judge.h"
#include "engine/provider.h"
#include "shapes/shape.h"

static const struct tk_client_rules *rules_of(const struct tk_judge *j)
{
    return j->provider->client_pairs;
}

static int blame(struct tk_judge *j, uint16_t code, uint32_t part)
{
    return tk_find_part(&j->findings, j->t, code, part);
}

/* ---- ids ---- */

struct tk_client_id *tk_client_id_of(struct tk_judge *j, struct tk_str id)
{
    uint32_t *slot = tk_map_get(&j->clients.index, id);

    return slot ? &j->clients.ids[*slot] : NULL;
}

struct tk_client_id *tk_client_note_id(struct tk_judge *j, struct tk_str id, uint32_t at)
{
    struct tk_client_pairs *c = &j->clients;
    bool fresh;
    uint32_t *slot = tk_map_put(&c->index, id, &fresh);

    if (!slot || !fresh)
        return slot ? &c->ids[*slot] : NULL;
    if (!TK_GROW(j->t->arena, c->ids, c->id_count, c->id_capacity))
        return NULL;
    *slot = c->id_count;
    c->ids[c->id_count] = (struct tk_client_id){
        .first_at = at,
        .first_call = TK_NONE,
        .server_turn = TK_NONE,
        .turn = TK_NONE,
        .next = TK_NONE,
        .newest = TK_NONE,
        .unanswered = TK_NONE,
        .suffix = 1,
    };
    return &c->ids[c->id_count++];
}

uint32_t tk_client_partner(const struct tk_judge *j, uint32_t part)
{
    return j->clients.links && part < j->clients.link_count ? j->clients.links[part].partner
                                                            : TK_NONE;
}

static struct tk_client_link *link_of(struct tk_judge *j, uint32_t part)
{
    return &j->clients.links[part];
}

/* Returns the id of a part that meet() has noted. */
static struct tk_client_id *id_of(struct tk_judge *j, uint32_t part)
{
    return &j->clients.ids[link_of(j, part)->id];
}

/* ---- noting calls and results ---- */

/* Notes a call or result. Called once for each, in order; *at counts them. NULL when out of
 * memory. */
static struct tk_client_id *meet(struct tk_judge *j, uint32_t part, uint32_t *at)
{
    struct tk_client_id *id = tk_client_note_id(j, tk_part_id(j->t, &j->t->parts[part]), *at);

    if (!id)
        return NULL;
    *link_of(j, part) = (struct tk_client_link){
        .partner = TK_NONE,
        .same = TK_NONE,
        .kept = TK_NONE,
        .older = TK_NONE,
        .at = *at,
        .named = TK_NONE,
        .id = (uint32_t)(id - j->clients.ids),
    };
    *at += 1;
    return id;
}

/* Notes a client call. The first of its id in a turn keeps the id. last_of_id: the call of that id
 * before it in its turn, or TK_NONE. */
static void note_call(struct tk_judge *j, struct tk_client_id *id, uint32_t call,
                      uint32_t last_of_id)
{
    link_of(j, call)->same = id->newest;
    link_of(j, call)->kept = last_of_id == TK_NONE ? call : link_of(j, last_of_id)->kept;
    id->newest = call;
}

/* ---- answers ---- */

static int is_client_call(const struct tk_part *p)
{
    return tk_is_call(p, false);
}

static int is_client_result(const struct tk_part *p)
{
    return tk_is_result(p, false);
}

static void pair_up(struct tk_judge *j, uint32_t call, uint32_t result)
{
    link_of(j, call)->partner = result;
    link_of(j, result)->partner = call;
}

/* Pairs the result with the newest unanswered call of its id. Returns that call or TK_NONE. */
static uint32_t claim(struct tk_judge *j, struct tk_client_id *id, uint32_t result)
{
    uint32_t call = id->unanswered;

    if (call == TK_NONE)
        return TK_NONE;
    id->unanswered = link_of(j, call)->older;
    pair_up(j, call, result);
    return call;
}

/*
 * Notes a turn's calls. Those of one id form a queue in the order of the turn, linked by `older`
 * until the turn is settled: results answer them by position.
 */
static int meet_calls(struct tk_judge *j, uint32_t turn, uint32_t *at)
{
    struct tk_transcript *t = j->t;
    uint32_t last_of_id;

    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE;
         i = tk_turn_next(t, &t->turns[turn], i)) {
        struct tk_client_id *id;

        if (t->parts[i].kind != TK_PART_CALL && !is_client_result(&t->parts[i]))
            continue;
        id = meet(j, i, at);
        if (!id)
            return -ENOMEM;
        if (t->parts[i].kind != TK_PART_CALL)
            continue;
        if (id->first_call == TK_NONE)
            id->first_call = i;
        if (!is_client_call(&t->parts[i])) {
            id->server_turn = id->server_turn == TK_NONE ? turn : id->server_turn;
            continue;
        }
        last_of_id = id->turn == turn ? id->newest : TK_NONE;
        note_call(j, id, i, last_of_id);
        if (last_of_id == TK_NONE) {
            id->turn = turn;
            id->next = i;
            id->answered = false;
        } else {
            link_of(j, last_of_id)->older = i;
        }
    }
    return 0;
}

/* Pairs the result with the next call of its id in the assistant turn before it. False if the id
 * has no call there. True without a pair if all of them have their answer. */
static bool answer(struct tk_judge *j, struct tk_client_id *id, uint32_t turn, uint32_t result)
{
    uint32_t call = id->next;

    if (id->turn != turn || turn == TK_NONE)
        return false;
    if (call == TK_NONE)
        return true;
    id->next = link_of(j, call)->older;
    id->answered = true;
    pair_up(j, call, result);
    return true;
}

/* Makes the turn's unanswered calls available to later claims: the first call of each id that no
 * result answered. Other calls of that id in the turn are reported as duplicates. */
static void leave_unanswered(struct tk_judge *j, uint32_t turn)
{
    struct tk_transcript *t = j->t;

    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE;
         i = tk_turn_next(t, &t->turns[turn], i)) {
        struct tk_client_id *id;

        if (!is_client_call(&t->parts[i]))
            continue;
        id = id_of(j, i);
        if (id->next != i || id->answered)
            continue;
        id->next = TK_NONE;
        link_of(j, i)->older = id->unanswered;
        id->unanswered = i;
    }
}

/* ---- results ---- */

/* Notes the first call of the result's id, if it comes before the result: it names the tool. */
static void note_name(struct tk_judge *j, const struct tk_client_id *id, uint32_t result)
{
    struct tk_client_link *link = link_of(j, result);

    if (id->first_call == TK_NONE || link_of(j, id->first_call)->at > link->at)
        return;
    link->named = id->first_call;
}

struct tk_str tk_client_label_now(const struct tk_judge *j, const struct tk_part *p)
{
    uint32_t part = (uint32_t)(p - j->t->parts);
    uint32_t call = TK_NONE;

    if (!tk_is_result(p, false))
        return tk_tool_label(j->t, &j->pairing, p);
    if (part < j->clients.link_count)
        call = j->clients.links[part].named;
    return tk_part_name(j->t, call == TK_NONE ? p : &j->t->parts[call]);
}

static int find_stray(struct tk_judge *j, struct tk_client_id *id, uint32_t turn, uint32_t result)
{
    uint16_t code = rules_of(j)->without_call;

    if (claim(j, id, result) != TK_NONE)
        code = rules_of(j)->not_adjacent;
    else if (id->server_turn != TK_NONE && id->server_turn < turn)
        code = rules_of(j)->for_server_tool;
    return blame(j, code, result);
}

/* Notes the results of a user turn and pairs those that answer the assistant turn `asked` before
 * it. */
static int meet_results(struct tk_judge *j, uint32_t turn, uint32_t asked, uint32_t *at)
{
    struct tk_transcript *t = j->t;
    bool first = true;
    int r = 0;

    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE && r == 0;
         i = tk_turn_next(t, &t->turns[turn], i)) {
        struct tk_client_id *id;

        if (!is_client_result(&t->parts[i])) {
            first = first && (t->parts[i].flags & TK_PART_INVISIBLE);
            continue;
        }
        id = meet(j, i, at);
        if (!id)
            return -ENOMEM;
        note_name(j, id, i);
        if (!answer(j, id, asked, i))
            continue;
        if (link_of(j, i)->partner == TK_NONE)
            r = blame(j, rules_of(j)->duplicate, i);
        else if (!first)
            r = blame(j, rules_of(j)->not_first, i);
    }
    return r;
}

/* Judges the results of a user turn that didn't answer a call of the turn before. */
static int judge_strays(struct tk_judge *j, uint32_t turn, uint32_t asked)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE && r == 0;
         i = tk_turn_next(t, &t->turns[turn], i)) {
        struct tk_client_id *id;

        if (!is_client_result(&t->parts[i]) || link_of(j, i)->partner != TK_NONE)
            continue;
        id = id_of(j, i);
        if (asked == TK_NONE || id->turn != asked)
            r = find_stray(j, id, turn, i);
    }
    return r;
}

/* Judges results that are in an assistant turn. */
static int judge_inside(struct tk_judge *j, uint32_t turn)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE && r == 0;
         i = tk_turn_next(t, &t->turns[turn], i)) {
        struct tk_client_id *id;

        if (!is_client_result(&t->parts[i]))
            continue;
        id = id_of(j, i);
        note_name(j, id, i);
        claim(j, id, i);
        r = blame(j, rules_of(j)->result_inside, i);
    }
    return r;
}

/* ---- calls ---- */

/* Returns true if the user was asked to approve the call; the library continues from there. */
static bool awaits_approval(struct tk_judge *j, uint32_t call)
{
    const struct tk_part *p = &j->t->parts[call];

    return j->clients.asked_turn == j->t->messages[p->message].turn &&
           tk_map_get(&j->clients.asked, tk_part_id(j->t, p)) != NULL;
}

/* Reports an id that an earlier call has: an error in the same turn, else a warning, since results
 * answer the turn before them. */
static int judge_id(struct tk_judge *j, uint32_t call)
{
    const struct tk_client_link *link = link_of(j, call);

    if (link->same == TK_NONE)
        return 0;
    return tk_find(&j->findings, j->t, rules_of(j)->id_duplicate,
                   link->kept == call ? TK_WARNING : TK_ERROR,
                   tk_site_of(j->t->parts[call].message, call));
}

/* Reports calls that no result answered or claimed, and ids that are used again. */
static int judge_calls(struct tk_judge *j, uint32_t turn)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE && r == 0;
         i = tk_turn_next(t, &t->turns[turn], i)) {
        const struct tk_client_link *link = link_of(j, i);

        if (!is_client_call(&t->parts[i]))
            continue;
        if (link->partner == TK_NONE && link->kept == i && !awaits_approval(j, i))
            r = blame(j, rules_of(j)->unanswered, i);
        if (r == 0)
            r = judge_id(j, i);
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
            if (is_client_call(&t->parts[i]))
                r = blame(j, rules_of(j)->call_elsewhere, i);
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

    j->clients.asked_turn = turn;
    tk_map_init(&j->clients.asked, t->arena, t->hash_key);
    if (turn == TK_NONE)
        return 0;
    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE;
         i = tk_turn_next(t, &t->turns[turn], i))
        if (tk_adapter_of(t->shape)->asks_approval(&t->parts[i]) &&
            !tk_map_put(&j->clients.asked, tk_part_id(t, &t->parts[i]), &fresh))
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

static int reserve(struct tk_judge *j)
{
    struct tk_client_pairs *c = &j->clients;
    struct tk_transcript *t = j->t;

    c->id_count = 0;
    if (!tk_map_clear(&c->index, count_calls(t)))
        return -ENOMEM;
    if (c->link_capacity < t->part_count) {
        c->links = tk_arena_alloc(t->arena, t->part_count * sizeof(*c->links));
        if (!c->links)
            return -ENOMEM;
        c->link_capacity = t->part_count;
    }
    c->link_count = t->part_count;
    memset(c->links, 0xff, c->link_count * sizeof(*c->links));
    return 0;
}

static int judge_turn(struct tk_judge *j, uint32_t turn, uint32_t *at)
{
    const struct tk_turn *turns = j->t->turns;
    bool asks = turns[turn].role == TK_ROLE_ASSISTANT;
    uint32_t answers = turn;
    int r = 0;

    if (asks) {
        r = meet_calls(j, turn, at);
        answers = turn + 1;
    } else if (turn > 0 && turns[turn - 1].role == TK_ROLE_ASSISTANT) {
        return 0; /* was noted with the turn that it answers */
    }
    if (answers >= j->t->turn_count || turns[answers].role != TK_ROLE_USER)
        answers = TK_NONE;
    if (r == 0 && answers != TK_NONE)
        r = meet_results(j, answers, asks ? turn : TK_NONE, at);
    if (r == 0 && asks) {
        leave_unanswered(j, turn);
        r = judge_inside(j, turn);
    }
    if (r == 0 && answers != TK_NONE)
        r = judge_strays(j, answers, asks ? turn : TK_NONE);
    return r;
}

int tk_client_judge(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    uint32_t at = 0;
    int r;

    j->clients.link_count = 0;
    if (!has_client_parts(t))
        return 0;
    r = reserve(j);
    if (r == 0)
        r = note_approvals(j);
    for (uint32_t i = 0; i < t->turn_count && r == 0; i++)
        r = tk_judge_cancelled(j, i) ? -ECANCELED : judge_turn(j, i, &at);
    for (uint32_t i = 0; i < t->turn_count && r == 0; i++)
        if (t->turns[i].role == TK_ROLE_ASSISTANT)
            r = judge_calls(j, i);
    return r < 0 ? r : judge_misplaced_calls(j);
}
