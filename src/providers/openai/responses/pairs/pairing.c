/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/pairs/pairing.h"

#include <errno.h>

#include "providers/openai/responses/item.h"

static struct tk_item_pairs *pairs_of(const struct tk_judge *j)
{
    return &tk_responses(j)->pairs;
}

/* Returns the index of a row of calls among the types of calls. */
static unsigned type_of(unsigned row)
{
    return (row - 1) / 2;
}

/* ---- ids ---- */

/* Returns what is known about an id, which is added if it is new; NULL without memory. */
static struct tk_item_call_id *id_of(struct tk_item_pairs *pairs, struct tk_arena *arena,
                                     struct tk_str id, uint32_t at)
{
    bool is_new;
    uint32_t *index = tk_map_put(&pairs->index, id, &is_new);
    struct tk_item_call_id *ret;

    if (!index || (is_new && !TK_GROW(arena, pairs->ids, pairs->id_count, pairs->id_capacity)))
        return NULL;
    if (!is_new)
        return &pairs->ids[*index];
    *index = pairs->id_count;
    ret = &pairs->ids[pairs->id_count++];
    *ret = (struct tk_item_call_id){.first_at = at, .answered = TK_NONE};
    memset(ret->newest, 0xff, sizeof(ret->newest));
    return ret;
}

bool tk_call_id_is_used(const struct tk_item_pairs *pairs, struct tk_str id, uint32_t at)
{
    const uint32_t *index = tk_map_get(&pairs->index, id);

    return index && pairs->ids[*index].first_at < at;
}

int tk_call_id_note(struct tk_item_pairs *pairs, struct tk_str id, uint32_t at)
{
    struct tk_item_call_id *known = id_of(pairs, pairs->index.arena, id, at);

    if (!known)
        return -ENOMEM;
    known->first_at = known->first_at < at ? known->first_at : at;
    return 0;
}

/* ---- calls ---- */

/* Adds a call to the open ones of its id. */
static int open_call(struct tk_item_pairs *pairs, struct tk_item_call_id *id, unsigned row,
                     uint32_t call, struct tk_arena *arena)
{
    struct tk_item_link *link = &pairs->links[call];
    uint32_t *newest = &id->newest[type_of(row)];
    struct tk_item_group *group = *newest == TK_NONE ? NULL : &pairs->groups[*newest];

    link->match = TK_MATCH_OPEN;
    if (group && group->batch == link->batch && group->first != TK_NONE) {
        link->prev = group->last;
        pairs->links[group->last].next = call;
        group->last = call;
        return 0;
    }
    if (!TK_GROW(arena, pairs->groups, pairs->group_count, pairs->group_capacity))
        return -ENOMEM;
    pairs->groups[pairs->group_count] = (struct tk_item_group){call, call, link->batch, *newest};
    *newest = pairs->group_count++;
    return 0;
}

/* Returns the newest group with an open call; TK_NONE: there is none. */
static uint32_t open_group(const struct tk_item_pairs *pairs, struct tk_item_call_id *id,
                           unsigned row)
{
    uint32_t *newest = &id->newest[type_of(row)];

    while (*newest != TK_NONE && pairs->groups[*newest].first == TK_NONE)
        *newest = pairs->groups[*newest].older;
    return *newest;
}

/* Takes a call, the first or the last one of its group, from the open ones. */
static void take(struct tk_item_pairs *pairs, struct tk_item_group *group, uint32_t call)
{
    struct tk_item_link *link = &pairs->links[call];

    if (group->first == call)
        group->first = link->next;
    if (group->last == call)
        group->last = link->prev;
    if (link->prev != TK_NONE)
        pairs->links[link->prev].next = link->next;
    if (link->next != TK_NONE)
        pairs->links[link->next].prev = link->prev;
    if (group->first == TK_NONE)
        group->last = TK_NONE;
}

/* ---- outputs ---- */

/* Returns true if group a is of a newer batch than b, or of the same and its first call is earlier. */
static bool comes_first(const struct tk_item_pairs *pairs, uint32_t a, uint32_t b)
{
    const struct tk_item_group *x = &pairs->groups[a], *y = &pairs->groups[b];

    return x->batch > y->batch ||
           (x->batch == y->batch && pairs->links[x->first].at < pairs->links[y->first].at);
}

/* Returns the group whose first call an output answers: of the newest batch, the one that comes
 * first. */
static uint32_t group_to_answer(const struct tk_item_pairs *pairs, struct tk_item_call_id *id,
                                unsigned answers)
{
    uint32_t best = TK_NONE;

    for (unsigned rows = answers & id->seen; rows != 0; rows &= rows - 1) {
        uint32_t group = open_group(pairs, id, (unsigned)__builtin_ctz(rows));

        if (group != TK_NONE && (best == TK_NONE || comes_first(pairs, group, best)))
            best = group;
    }
    return best;
}

static void match(struct tk_item_pairs *pairs, uint32_t output, uint32_t call, uint8_t as,
                  uint8_t call_as)
{
    pairs->links[output].partner = call;
    pairs->links[output].match = as;
    pairs->links[call].partner = output;
    pairs->links[call].match = call_as;
}

/* Returns the row of calls that an output of the wrong type may claim; 0: none. */
static unsigned row_to_claim(unsigned output)
{
    return output == TK_ITEM_FUNCTION_OUTPUT ? TK_ITEM_CUSTOM_CALL
           : output == TK_ITEM_CUSTOM_OUTPUT ? TK_ITEM_FUNCTION_CALL
                                             : 0;
}

static void pair_output(struct tk_item_pairs *pairs, struct tk_item_call_id *id, unsigned row,
                        uint32_t output, uint8_t otherwise)
{
    uint32_t group = group_to_answer(pairs, id, tk_items[row].answers), call;
    unsigned claims = row_to_claim(row);

    if (group != TK_NONE) {
        call = pairs->groups[group].first;
        take(pairs, &pairs->groups[group], call);
        match(pairs, output, call, TK_MATCH_PAIR, TK_MATCH_PAIR);
        id->answered = call;
        return;
    }
    pairs->links[output].match = otherwise;
    if (tk_items[row].answers & id->seen) {
        pairs->links[output].match = TK_MATCH_SECOND;
        pairs->links[output].partner = id->answered;
        return;
    }
    if (otherwise == TK_MATCH_STORED || claims == 0)
        return;
    group = open_group(pairs, id, claims);
    if (group == TK_NONE)
        return;
    call = pairs->groups[group].last;
    take(pairs, &pairs->groups[group], call);
    match(pairs, output, call, TK_MATCH_CLAIM, TK_MATCH_CLAIMED);
}

/* ---- the walk ---- */

/* State of the walk over the items. */
struct pair_walk {
    struct tk_judge *j;
    struct tk_item_pairs *pairs;
    bool after_call;      /* the item before is a call */
    bool after_reference; /* a reference to a stored call came before */
};

static bool refers_to_call(const struct tk_judge *j, uint32_t item)
{
    struct tk_str id;

    if (!tk_item_is(j->t, item, TK_ITEM_REFERENCE))
        return false;
    id = tk_text(tk_item_id(j->t, item), j->t->arena);
    return tk_str_starts(id, TK_STR("fc")) || tk_str_starts(id, TK_STR("ctc"));
}

static int pair_item(struct pair_walk *w, uint32_t item, bool call)
{
    struct tk_judge *j = w->j;
    uint32_t part = j->t->messages[item].first;
    const struct tk_part *p = &j->t->parts[part];
    struct tk_item_link *link = &w->pairs->links[part];
    struct tk_item_call_id *id;
    struct tk_str text;

    w->pairs->batch_count += call && !w->after_call;
    link->batch = w->pairs->batch_count - 1;
    if (!tk_has_text(tk_part_val(p, p->id)))
        return 0;
    text = tk_text(tk_part_val(p, p->id), j->t->arena);
    link->at = w->pairs->met++;
    id = text.p ? id_of(w->pairs, j->t->arena, text, link->at) : NULL;
    if (!id)
        return -ENOMEM;
    if (!call) {
        pair_output(w->pairs, id, p->block, part,
                    tk_has_server_state(j) ? TK_MATCH_STORED
                    : w->after_reference   ? TK_MATCH_REFERENCE
                                           : TK_MATCH_ORPHAN);
        return 0;
    }
    link->repeated = id->seen != 0;
    id->seen |= (uint16_t)(1u << p->block);
    return open_call(w->pairs, id, p->block, part, j->t->arena);
}

static int begin(struct tk_judge *j, struct tk_item_pairs *pairs)
{
    const struct tk_transcript *t = j->t;

    pairs->id_count = pairs->group_count = pairs->batch_count = pairs->met = 0;
    if (pairs->link_capacity < t->part_count) {
        pairs->links = tk_arena_alloc(t->arena, t->part_count * sizeof(*pairs->links));
        if (!pairs->links)
            return -ENOMEM;
        pairs->link_capacity = t->part_count;
    }
    pairs->link_count = t->part_count;
    for (uint32_t i = 0; i < t->part_count; i++)
        pairs->links[i] = (struct tk_item_link){
            .partner = TK_NONE, .prev = TK_NONE, .next = TK_NONE, .batch = TK_NONE};
    return tk_map_clear(&pairs->index, 0) ? 0 : -ENOMEM;
}

/* Notes which kinds of matches there are. */
static void sum_up(struct tk_item_pairs *pairs)
{
    pairs->matches = 0;
    pairs->repeats = false;
    for (uint32_t i = 0; i < pairs->link_count; i++) {
        pairs->matches |= (uint16_t)(1u << pairs->links[i].match);
        pairs->repeats = pairs->repeats || pairs->links[i].repeated;
    }
}

int tk_pair_items(struct tk_judge *j)
{
    struct pair_walk w = {.j = j, .pairs = pairs_of(j)};
    const struct tk_transcript *t = j->t;
    uint32_t step = 0;
    int r;

    if (w.pairs->valid)
        return 0;
    w.pairs->link_count = 0;
    w.pairs->valid = true;
    if (!(tk_responses(j)->rows & ((1u << TK_ITEM_CALLS_END) - 1)))
        return 0;
    r = begin(j, w.pairs);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        bool call = tk_item_is_call(t, m);

        if (call || tk_item_is_output(t, m))
            r = tk_judge_cancelled(j, step++) ? -ECANCELED : pair_item(&w, m, call);
        else
            w.after_reference = w.after_reference || refers_to_call(j, m);
        w.after_call = call;
    }
    w.pairs->valid = r == 0;
    sum_up(w.pairs);
    return r;
}

const struct tk_item_link *tk_item_link(const struct tk_item_pairs *pairs, uint32_t part)
{
    static const struct tk_item_link none = {.partner = TK_NONE, .batch = TK_NONE};

    return part < pairs->link_count ? &pairs->links[part] : &none;
}
