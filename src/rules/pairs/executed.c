/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turn by turn: group the turn's provider-executed parts by id, let them answer calls that are
 * in flight, judge each group, then see which calls are in flight behind the turn.
 */
#include "rules/pairs/executed.h"

#include <errno.h>

#include "rules/judge.h"
#include "rules/protect.h"
#include "rules/provider.h"
#include "shapes/shape.h"
#include "value/check.h"

/* ---- groups by id ---- */

static uint32_t *slot_of(const struct tk_judge *j, struct tk_str id)
{
    const struct tk_pairing *g = &j->pairing;
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

    return group == TK_NONE ? NULL : &j->pairing.groups[group];
}

/* Makes a group and puts it in the slot of its id, in front of earlier ones. Room was reserved. */
static uint32_t new_group(struct tk_judge *j, uint32_t *slot, struct tk_str id, uint32_t turn)
{
    struct tk_pairing *g = &j->pairing;
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
    struct tk_group *g = &j->pairing.groups[group];
    struct tk_part *p = &j->t->parts[part];
    bool call = p->kind == TK_PART_CALL;

    j->pairing.links[part] = (struct tk_executed_link){group, TK_NONE};
    if (g->last == TK_NONE)
        g->first = part;
    else
        j->pairing.links[g->last].next = part;
    g->last = part;
    if (call && g->calls++ == 0)
        g->call = part;
    if (!call && g->results++ == 0)
        g->result = part;
}

/* No part has a group if none is provider-executed: most histories need no links. */
static int reserve_links(struct tk_pairing *g, const struct tk_transcript *t, uint32_t parts)
{
    g->link_count = 0;
    if (parts == 0)
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

/* Groups and index are sized once: there are at most as many groups as parts. */
static int reserve(struct tk_judge *j)
{
    struct tk_pairing *g = &j->pairing;
    struct tk_transcript *t = j->t;
    uint32_t n = g->carried_count, slots = 16;

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
    for (uint32_t i = 0; i < g->carried_count; i++) {
        uint32_t carried = new_group(j, slot_of(j, g->carried[i]), g->carried[i], TK_NONE);

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

/* The call got its result: the last of the list takes its place in it. */
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

static const struct tk_executed_rules *rules_of(const struct tk_judge *j)
{
    return j->provider->pairs;
}

static int blame(struct tk_judge *j, uint32_t group, uint16_t code)
{
    struct tk_group *g = &j->pairing.groups[group];
    int r = 0;

    g->flags |= TK_GROUP_FLAWED;
    for (uint32_t i = g->first; i != TK_NONE && r == 0; i = tk_group_next(&j->pairing, i))
        r = tk_find_part(&j->findings, j->t, code, i);
    return r;
}

/* Call and result, in order and alone under their id: can both be sent? */
static int judge_pair(struct tk_judge *j, uint32_t call_group, uint32_t result_group)
{
    struct tk_group *c = &j->pairing.groups[call_group], *r = &j->pairing.groups[result_group];
    uint16_t code;
    int err;

    if (!rules_of(j)->fault(j, c->call, r->result, &code))
        return rules_of(j)->sound(j, c->call, r->result);
    err = c->call == TK_NONE ? 0 : tk_find_part(&j->findings, j->t, code, c->call);
    if (err == 0)
        err = tk_find_part(&j->findings, j->t, code, r->result);
    c->flags |= TK_GROUP_FLAWED;
    r->flags |= TK_GROUP_FLAWED;
    return err;
}

/* An id that an earlier turn used is free for one thing: the result of a call in flight. */
static int judge_reused(struct tk_judge *j, uint32_t group)
{
    struct tk_group *g = &j->pairing.groups[group];
    struct tk_group *earlier = &j->pairing.groups[g->earlier];

    if (!(earlier->flags & TK_GROUP_OPEN) || g->calls > 0)
        return blame(j, group, rules_of(j)->duplicate);
    g->partner = g->earlier;
    earlier->partner = group;
    answer_call(&j->pairing, g->earlier);
    if (g->results > 1)
        return blame(j, group, rules_of(j)->duplicate);
    return judge_pair(j, g->earlier, group);
}

static int judge_group(struct tk_judge *j, uint32_t group)
{
    struct tk_pairing *pairing = &j->pairing;
    struct tk_group *g = &pairing->groups[group];

    if (g->earlier != TK_NONE)
        return judge_reused(j, group);
    if (g->calls > 1 || g->results > 1)
        return blame(j, group, rules_of(j)->duplicate);
    if (g->results == 0) {
        open_call(pairing, group);
        return 0;
    }
    if (g->calls == 0)
        return blame(j, group, rules_of(j)->without_call);
    if (g->first != g->call)
        return blame(j, group, rules_of(j)->before_call);
    return judge_pair(j, group, group);
}

/* ---- the end of a call in flight ---- */

/* No result will come any more. */
static int close_call(struct tk_judge *j, uint32_t group)
{
    struct tk_group *g = &j->pairing.groups[group];

    g->flags &= (uint8_t)~TK_GROUP_OPEN;
    return g->flags & TK_GROUP_CARRIED ? 0 : blame(j, group, rules_of(j)->without_result);
}

/* All calls that are in flight, but for those of one turn, get no result any more. */
static int close_calls(struct tk_judge *j, uint32_t but_turn)
{
    struct tk_pairing *pairing = &j->pairing;
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

/* Calls that are in flight at the end: fine, but their names may be unknown. */
static int judge_open(struct tk_judge *j)
{
    struct tk_pairing *pairing = &j->pairing;
    int r = 0;

    for (uint32_t i = 0; i < pairing->open_count && r == 0; i++)
        r = rules_of(j)->sound(j, pairing->groups[pairing->open[i]].call, TK_NONE);
    return r;
}

/* ---- turns ---- */

static int judge_assistant(struct tk_judge *j, uint32_t turn_index, uint32_t last_turn)
{
    struct tk_transcript *t = j->t;
    struct tk_pairing *pairing = &j->pairing;
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
        r = rules_of(j)->turn(j, turn_index);
    return r < 0 || stay ? r : close_calls(j, turn_index);
}

/* A provider's result that landed in the message behind its call could go home. */
static void note_outside(struct tk_judge *j, uint32_t turn_index, uint32_t part)
{
    uint32_t group = newest_group(j, tk_part_id(j->t, &j->t->parts[part]));
    struct tk_group *g;

    if (group == TK_NONE || j->t->parts[part].kind != TK_PART_RESULT)
        return;
    g = &j->pairing.groups[group];
    if (turn_index > 0 && g->turn == turn_index - 1 && g->earlier == TK_NONE && g->calls == 1 &&
        g->results == 0 && g->outside == TK_NONE) {
        g->outside = part;
        j->pairing.links[part].group = group;
    }
}

/* turn_index: of a turn of the user; 0 for what no result goes home from. */
static int judge_outside(struct tk_judge *j, uint32_t message, uint32_t turn_index)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = t->messages[message].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
        if (!(t->parts[i].flags & TK_PART_PROVIDER))
            continue;
        r = tk_find_part(&j->findings, t, rules_of(j)->outside, i);
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

/* Whether a group's call is in flight behind its turn; whether its result ends such a flight. */
static bool leaves_call_open(const struct tk_pairing *pairing, const struct tk_group *g)
{
    bool answered = g->partner != TK_NONE && pairing->groups[g->partner].turn > g->turn;

    return g->call != TK_NONE && (answered || g->flags & TK_GROUP_OPEN);
}

static bool closes_earlier_call(const struct tk_pairing *pairing, const struct tk_group *g)
{
    return g->partner != TK_NONE && pairing->groups[g->partner].turn < g->turn;
}

/* Which of the user's turns are crossed is known at the end: a call may yet turn out an orphan. */
static void mark_crossed(struct tk_judge *j)
{
    const struct tk_pairing *pairing = &j->pairing;
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

/* System messages that the adapter lifts out are in no turn, but may hold what they must not. */
static int judge_transparent(struct tk_judge *j)
{
    int r = 0;

    for (uint32_t m = j->t->first_message; m != TK_NONE && r == 0; m = j->t->messages[m].next)
        if (j->t->messages[m].flags & TK_MESSAGE_TRANSPARENT)
            r = judge_outside(j, m, 0);
    return r;
}

/* The turn that ends the history: an empty user message behind it closes nothing. */
static uint32_t last_turn_of(const struct tk_transcript *t)
{
    uint32_t last = t->turn_count;

    while (last > 1 && t->turns[last - 1].role == TK_ROLE_USER &&
           !(t->turns[last - 1].flags & TK_TURN_HAS_PARTS))
        last--;
    return last - 1;
}

int tk_executed_judge(struct tk_judge *j)
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

/* Returns the group of that number. Only TK_NONE is out of range: anything else is a defect, and a
 * release then takes it for none. */
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

/* "web_search_tool_result" is of web_search; a client's "tool_result" says nothing. */
static struct tk_str name_in_type(const struct tk_transcript *t, const struct tk_part *part)
{
    struct tk_str tail = TK_STR("_tool_result"), type = tk_result_type(t->shape, part, t->arena);

    if (!type.p || !tk_str_ends(type, tail) || type.n == tail.n)
        return (struct tk_str){0};
    return (struct tk_str){type.p, type.n - tail.n};
}

/* Of a client's result: the first call with its id that was sent in front of it. */
static uint32_t namer_of(const struct tk_transcript *t, const struct tk_part *part)
{
    size_t index = (size_t)(part - t->parts);

    return t->named_by && index < t->input_parts ? t->named_by[index] : TK_NONE;
}

/* Returns the call whose name a part is known by, or TK_NONE. What is a provider's result outside
 * the assistant's messages is known by its own. */
static uint32_t call_naming(const struct tk_transcript *t, const struct tk_pairing *pairing,
                            const struct tk_part *part)
{
    uint32_t call;

    if (tk_is_result(part, true) && t->messages[part->message].role != TK_ROLE_ASSISTANT)
        return TK_NONE;
    call = tk_call_of(pairing, (uint32_t)(part - t->parts));
    return call != TK_NONE ? call : namer_of(t, part);
}

struct tk_str tk_tool_label(const struct tk_transcript *t, const struct tk_pairing *pairing,
                            const struct tk_part *part)
{
    uint32_t call = call_naming(t, pairing, part);
    struct tk_str name = {0};

    if (part->kind == TK_PART_CALL)
        return tk_part_name(t, part);
    if (call != TK_NONE)
        name = tk_part_name(t, &t->parts[call]);
    if (name.n == 0)
        name = tk_part_name(t, part);
    return name.n > 0 ? name : name_in_type(t, part);
}

static bool group_is_protected(const struct tk_judge *j, const struct tk_group *g)
{
    return g->turn != TK_NONE && tk_is_protected(j->t, j->t->turns[g->turn].first);
}

bool tk_pair_is_protected(const struct tk_judge *j, uint32_t part)
{
    const struct tk_group *g = tk_group_of(&j->pairing, part), *other;

    if (!g)
        return tk_is_protected(j->t, j->t->parts[part].message);
    other = tk_partner_of(&j->pairing, g);
    return group_is_protected(j, g) || (other && group_is_protected(j, other));
}
