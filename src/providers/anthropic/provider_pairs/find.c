/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Goes through the history turn by turn: groups the turn's provider-executed parts by id, lets them
 * answer calls in flight, judges each group, then notes which calls are in flight after the turn.
 */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "engine/pairs/names.h"
#include "providers/anthropic/provider_pairs/form.h"
#include "providers/anthropic/state.h"
#include "value/check.h"

/* ---- groups by id ---- */

static uint32_t *slot_of(const struct tk_judge *j, struct tk_str id)
{
    const struct tk_pairing *g = &tk_anthropic(j)->pairing;
    uint32_t i = (uint32_t)tk_hash(j->t->hash_key, id.p, id.n);

    for (;; i++) {
        uint32_t *slot = &g->index[i & g->index_mask];

        if (*slot == 0 || tk_str_eq(g->groups[*slot - 1].id, id))
            return slot;
    }
}

static uint32_t group_in(const uint32_t *slot)
{
    return *slot == 0 ? TK_NONE : *slot - 1;
}

static uint32_t newest_group(const struct tk_judge *j, struct tk_str id)
{
    return group_in(slot_of(j, id));
}

const struct tk_group *tk_group_of_id(const struct tk_judge *j, struct tk_str id)
{
    uint32_t group = newest_group(j, id);

    return group == TK_NONE ? NULL : &tk_anthropic(j)->pairing.groups[group];
}

/* Adds a group and makes it the newest of its id. reserve() has made room. */
static uint32_t new_group(struct tk_judge *j, uint32_t *slot, struct tk_str id, uint32_t turn)
{
    struct tk_pairing *g = &tk_anthropic(j)->pairing;
    uint32_t earlier = group_in(slot);

    g->groups[g->count] = (struct tk_group){
        .id = id,
        .turn = turn,
        .first = TK_NONE,
        .last = TK_NONE,
        .call = TK_NONE,
        .result = TK_NONE,
        .earlier = earlier,
        .later = TK_NONE,
        .partner = TK_NONE,
        .outside = TK_NONE,
        .open_at = TK_NONE,
    };
    if (earlier != TK_NONE)
        g->groups[earlier].later = g->count;
    *slot = g->count + 1;
    return g->count++;
}

static void join_group(struct tk_judge *j, uint32_t group, uint32_t part)
{
    struct tk_group *g = &tk_anthropic(j)->pairing.groups[group];
    struct tk_part *p = &j->t->parts[part];
    bool call = p->kind == TK_PART_CALL;

    tk_anthropic(j)->pairing.links[part] = (struct tk_executed_link){group, TK_NONE};
    if (g->last == TK_NONE)
        g->first = part;
    else
        tk_anthropic(j)->pairing.links[g->last].next = part;
    g->last = part;
    if (call && g->calls++ == 0)
        g->call = part;
    if (!call && g->results++ == 0)
        g->result = part;
}

/* Allocates links, unless no part is provider-executed, as in most histories. */
static int reserve_links(struct tk_pairing *g, const struct tk_transcript *t, uint32_t parts)
{
    g->link_count = 0;
    if (parts == 0 || t->part_count == 0) /* calls may be carried into a history without parts */
        return 0;
    if (g->link_capacity < t->part_count) {
        g->links = tk_arena_alloc(t->arena, t->part_count * sizeof(*g->links));
        if (!g->links)
            return -ENOMEM;
        g->link_capacity = t->part_count;
    }
    g->link_count = t->part_count;
    memset(g->links, 0xff, g->link_count * sizeof(*g->links));
    return 0;
}

/* Allocates groups and index once: there are at most as many groups as parts. */
static int reserve(struct tk_judge *j)
{
    struct tk_pairing *g = &tk_anthropic(j)->pairing;
    struct tk_transcript *t = j->t;
    uint32_t n = j->carried_count, slots = 16;

    for (uint32_t i = 0; i < t->part_count; i++)
        n += (t->parts[i].flags & TK_PART_PROVIDER) != 0;
    if (reserve_links(g, t, n) < 0)
        return -ENOMEM;
    g->count = 0;
    g->open_count = 0;
    while (slots < 2 * n)
        slots *= 2;
    if (n > g->capacity || !g->index) {
        g->groups = tk_arena_alloc(t->arena, n * sizeof(*g->groups));
        g->open = tk_arena_alloc(t->arena, n * sizeof(*g->open));
        g->index = tk_arena_alloc(t->arena, slots * sizeof(*g->index));
        if (!g->groups || !g->open || !g->index)
            return -ENOMEM;
        g->capacity = n;
        g->index_mask = slots - 1;
    }
    memset(g->index, 0, (g->index_mask + 1) * sizeof(*g->index));
    for (uint32_t i = 0; i < j->carried_count; i++) {
        uint32_t carried = new_group(j, slot_of(j, j->carried[i]), j->carried[i], TK_NONE);

        g->groups[carried].calls = 1;
        g->groups[carried].flags = TK_GROUP_OPEN | TK_GROUP_CARRIED;
    }
    return 0;
}

/* ---- calls in flight ---- */

static void open_call(struct tk_pairing *pairing, uint32_t group)
{
    pairing->groups[group].flags |= TK_GROUP_OPEN;
    pairing->groups[group].open_at = pairing->open_count;
    pairing->open[pairing->open_count++] = group;
}

/* Closes a call that got its result. The last call in the list takes its index. */
static void answer_call(struct tk_pairing *pairing, uint32_t group)
{
    struct tk_group *g = &pairing->groups[group];
    uint32_t last;

    g->flags &= (uint8_t)~TK_GROUP_OPEN;
    if (g->open_at == TK_NONE)
        return;
    last = pairing->open[--pairing->open_count];
    pairing->open[g->open_at] = last;
    pairing->groups[last].open_at = g->open_at;
    g->open_at = TK_NONE;
}

/* ---- judging groups ---- */

static int blame(struct tk_judge *j, uint32_t group, uint16_t code)
{
    struct tk_group *g = &tk_anthropic(j)->pairing.groups[group];
    int r = 0;

    g->flags |= TK_GROUP_FLAWED;
    for (uint32_t i = g->first; i != TK_NONE && r == 0;
         i = tk_group_next(&tk_anthropic(j)->pairing, i))
        r = tk_find_part(&j->findings, j->t, code, i);
    return r;
}

/* Judges a call and its result, in order and the only ones of their id: reports what makes the
 * provider refuse them. */
static int judge_pair(struct tk_judge *j, uint32_t call_group, uint32_t result_group)
{
    struct tk_group *c = &tk_anthropic(j)->pairing.groups[call_group],
                    *r = &tk_anthropic(j)->pairing.groups[result_group];
    uint16_t code;
    int err;

    if (!tk_pair_fault(j, c->call, r->result, &code))
        return tk_judge_unknown(j, c->call, r->result);
    err = c->call == TK_NONE ? 0 : tk_find_part(&j->findings, j->t, code, c->call);
    if (err == 0)
        err = tk_find_part(&j->findings, j->t, code, r->result);
    c->flags |= TK_GROUP_FLAWED;
    r->flags |= TK_GROUP_FLAWED;
    return err;
}

/* Judges an id from an earlier turn. It may reappear only as the result of a call in flight. */
static int judge_reused(struct tk_judge *j, uint32_t group)
{
    struct tk_group *g = &tk_anthropic(j)->pairing.groups[group];
    struct tk_group *earlier = &tk_anthropic(j)->pairing.groups[g->earlier];

    if (!(earlier->flags & TK_GROUP_OPEN) || g->calls > 0)
        return blame(j, group, TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID);
    g->partner = g->earlier;
    earlier->partner = group;
    answer_call(&tk_anthropic(j)->pairing, g->earlier);
    if (g->results > 1)
        return blame(j, group, TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID);
    return judge_pair(j, g->earlier, group);
}

static int judge_group(struct tk_judge *j, uint32_t group)
{
    struct tk_pairing *pairing = &tk_anthropic(j)->pairing;
    struct tk_group *g = &pairing->groups[group];

    if (g->earlier != TK_NONE)
        return judge_reused(j, group);
    if (g->calls > 1 || g->results > 1)
        return blame(j, group, TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID);
    if (g->results == 0) {
        open_call(pairing, group);
        return 0;
    }
    if (g->calls == 0)
        return blame(j, group, TK_CODE_PROVIDER_EXECUTED_RESULT_WITHOUT_CALL);
    if (g->first != g->call)
        return blame(j, group, TK_CODE_PROVIDER_EXECUTED_RESULT_BEFORE_CALL);
    return judge_pair(j, group, group);
}

/* ---- the end of a call in flight ---- */

/* Reports a call whose result can't come any more. */
static int close_call(struct tk_judge *j, uint32_t group)
{
    struct tk_group *g = &tk_anthropic(j)->pairing.groups[group];

    g->flags &= (uint8_t)~TK_GROUP_OPEN;
    return g->flags & TK_GROUP_CARRIED
               ? 0
               : blame(j, group, TK_CODE_PROVIDER_EXECUTED_CALL_WITHOUT_RESULT);
}

/* Reports all calls in flight except those of one turn: they can get no result any more. */
static int close_calls(struct tk_judge *j, uint32_t but_turn)
{
    struct tk_pairing *pairing = &tk_anthropic(j)->pairing;
    uint32_t kept = 0;
    int r = 0;

    for (uint32_t i = 0; i < pairing->open_count; i++) {
        uint32_t group = pairing->open[i];

        if (pairing->groups[group].turn == but_turn) {
            pairing->groups[group].open_at = kept;
            pairing->open[kept++] = group;
        } else {
            pairing->groups[group].open_at = TK_NONE;
            r = r < 0 ? r : close_call(j, group);
        }
    }
    pairing->open_count = kept;
    return r;
}

/* Judges calls that are in flight at the end. They are fine, unless their name is unknown. */
static int judge_open(struct tk_judge *j)
{
    struct tk_pairing *pairing = &tk_anthropic(j)->pairing;
    int r = 0;

    for (uint32_t i = 0; i < pairing->open_count && r == 0; i++)
        r = tk_judge_unknown(j, pairing->groups[pairing->open[i]].call, TK_NONE);
    return r;
}

/* ---- turns ---- */

static int judge_assistant(struct tk_judge *j, uint32_t turn_index, uint32_t last_turn)
{
    struct tk_transcript *t = j->t;
    struct tk_pairing *pairing = &tk_anthropic(j)->pairing;
    struct tk_turn *turn = &t->turns[turn_index];
    uint32_t first_group = pairing->count;
    bool stay = (turn->flags & TK_TURN_CLIENT_CALL) || turn_index >= last_turn;
    int r = 0;

    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE; i = tk_turn_next(t, turn, i)) {
        struct tk_part *p = &t->parts[i];
        struct tk_str id;
        uint32_t *slot, group;

        if (!(p->flags & TK_PART_PROVIDER))
            continue;
        id = tk_part_id(t, p);
        slot = slot_of(j, id);
        group = group_in(slot);
        if (group == TK_NONE || pairing->groups[group].turn != turn_index)
            group = new_group(j, slot, id, turn_index);
        join_group(j, group, i);
    }
    for (uint32_t i = first_group; i < pairing->count && r == 0; i++)
        r = judge_group(j, i);
    if (r == 0)
        r = tk_judge_callers(j, turn_index);
    return r < 0 || stay ? r : close_calls(j, turn_index);
}

/* Notes a provider's result in the user message after its call: repair can move it back. */
static void note_outside(struct tk_judge *j, uint32_t turn_index, uint32_t part)
{
    uint32_t group = newest_group(j, tk_part_id(j->t, &j->t->parts[part]));
    struct tk_group *g;

    if (group == TK_NONE || j->t->parts[part].kind != TK_PART_RESULT)
        return;
    g = &tk_anthropic(j)->pairing.groups[group];
    if (turn_index > 0 && g->turn == turn_index - 1 && g->earlier == TK_NONE && g->calls == 1 &&
        g->results == 0 && g->outside == TK_NONE) {
        g->outside = part;
        tk_anthropic(j)->pairing.links[part].group = group;
    }
}

/* Reports provider-executed parts outside assistant messages. turn_index: of a user turn; 0 if
 * repair can't move results back from there. */
static int judge_outside(struct tk_judge *j, uint32_t message, uint32_t turn_index)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = t->messages[message].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
        if (!(t->parts[i].flags & TK_PART_PROVIDER))
            continue;
        r = tk_find_part(&j->findings, t, TK_CODE_PROVIDER_EXECUTED_BLOCK_OUTSIDE_ASSISTANT, i);
        note_outside(j, turn_index, i);
    }
    return r;
}

static int judge_others(struct tk_judge *j, uint32_t turn_index)
{
    struct tk_transcript *t = j->t;
    struct tk_turn *turn = &t->turns[turn_index];
    bool user = turn->role == TK_ROLE_USER;
    bool crossing = user && (turn->flags & TK_TURN_ONLY_RESULTS);
    int r = 0;

    for (uint32_t m = turn->first; r == 0; m = t->messages[m].next) {
        if (t->messages[m].turn == turn_index)
            r = judge_outside(j, m, user ? turn_index : 0);
        if (m == turn->last)
            break;
    }
    return r < 0 || crossing ? r : close_calls(j, TK_NONE);
}

/* Returns true if the group's call is still open after its turn. */
static bool leaves_call_open(const struct tk_pairing *pairing, const struct tk_group *g)
{
    bool answered = g->partner != TK_NONE && pairing->groups[g->partner].turn > g->turn;

    return g->call != TK_NONE && (answered || g->flags & TK_GROUP_OPEN);
}

static bool closes_earlier_call(const struct tk_pairing *pairing, const struct tk_group *g)
{
    return g->partner != TK_NONE && pairing->groups[g->partner].turn < g->turn;
}

/* Marks the user's turns that a call in flight crosses. Known only at the end: a call can turn out
 * to be an orphan. */
static void mark_crossed(struct tk_judge *j)
{
    const struct tk_pairing *pairing = &tk_anthropic(j)->pairing;
    uint32_t in_flight = 0, g = 0;

    while (g < pairing->count && pairing->groups[g].turn == TK_NONE)
        g++;
    for (uint32_t i = 0; i < j->t->turn_count; i++) {
        if (in_flight > 0 && j->t->turns[i].role == TK_ROLE_USER)
            j->t->turns[i].flags |= TK_TURN_CROSSED;
        for (; g < pairing->count && pairing->groups[g].turn == i; g++) {
            in_flight -= closes_earlier_call(pairing, &pairing->groups[g]);
            in_flight += leaves_call_open(pairing, &pairing->groups[g]);
        }
    }
}

/* Judges system messages that the adapter lifts out: they are in no turn, but can contain
 * provider-executed parts, which is an error. */
static int judge_transparent(struct tk_judge *j)
{
    int r = 0;

    for (uint32_t m = j->t->first_message; m != TK_NONE && r == 0; m = j->t->messages[m].next)
        if (j->t->messages[m].flags & TK_MESSAGE_TRANSPARENT)
            r = judge_outside(j, m, 0);
    return r;
}

/* Returns the turn that ends the history. Empty user messages after it don't count, so they close
 * no call. */
static uint32_t last_turn_of(const struct tk_transcript *t)
{
    uint32_t last = t->turn_count;

    while (last > 1 && t->turns[last - 1].role == TK_ROLE_USER &&
           !(t->turns[last - 1].flags & TK_TURN_HAS_PARTS))
        last--;
    return last - 1;
}

int tk_judge_provider_pairs(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    uint32_t last;
    int r = reserve(j);

    if (r < 0 || t->turn_count == 0)
        return r < 0 ? r : judge_transparent(j);
    last = last_turn_of(t);
    for (uint32_t i = 0; i < t->turn_count && r == 0; i++) {
        if (tk_judge_cancelled(j, i))
            return -ECANCELED;
        r = t->turns[i].role == TK_ROLE_ASSISTANT ? judge_assistant(j, i, last)
                                                  : judge_others(j, i);
    }
    mark_crossed(j);
    if (r == 0)
        r = judge_transparent(j);
    if (r == 0 && t->lone_turn && !j->open_calls_stay)
        r = close_calls(j, TK_NONE);
    return r < 0 ? r : judge_open(j);
}

/* Returns the group of that index. Only TK_NONE may be out of range: anything else is a defect,
 * which a release treats like TK_NONE. */
static const struct tk_group *group_at(const struct tk_pairing *pairing, uint32_t group)
{
    tk_check(group == TK_NONE || group < pairing->count);
    return group < pairing->count ? &pairing->groups[group] : NULL;
}

const struct tk_group *tk_group_of(const struct tk_pairing *pairing, uint32_t part)
{
    return group_at(pairing, tk_group_index(pairing, part));
}

const struct tk_group *tk_partner_of(const struct tk_pairing *pairing, const struct tk_group *group)
{
    return group_at(pairing, group->partner);
}

uint32_t tk_call_of(const struct tk_pairing *pairing, uint32_t part)
{
    const struct tk_group *g = tk_group_of(pairing, part);

    while (g && g->call == TK_NONE)
        g = group_at(pairing, g->earlier);
    return g ? g->call : TK_NONE;
}

uint32_t tk_other_half(const struct tk_judge *j, uint32_t part)
{
    const struct tk_pairing *pairing = &tk_anthropic(j)->pairing;
    const struct tk_group *g = tk_group_of(pairing, part);

    if (g && g->partner != TK_NONE)
        g = tk_partner_of(pairing, g);
    return !g ? TK_NONE : g->call != TK_NONE && g->call != part ? g->call : g->result;
}

bool tk_is_in_flight(const struct tk_judge *j, uint32_t part)
{
    const struct tk_group *g = tk_group_of(&tk_anthropic(j)->pairing, part);

    return g && (g->flags & TK_GROUP_OPEN) && g->call == part;
}

struct tk_str tk_sent_tool(const struct tk_judge *j, const struct tk_part *part)
{
    const struct tk_transcript *t = j->t;
    bool outside = tk_is_result(part, true) && t->messages[part->message].role != TK_ROLE_ASSISTANT;
    uint32_t call = TK_NONE;

    if (!outside)
        call = tk_call_of(&tk_anthropic(j)->pairing, (uint32_t)(part - t->parts));
    return tk_tool_label(t, part, call);
}
