/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places of responses that are inserted or moved, and of parts that leave the entry of a response
 * (PROVIDERS.md 7.3).
 */
#include <errno.h>

#include "engine/runs.h"
#include "providers/gemini/rules.h"

static bool is_response_in(const struct tk_transcript *t, uint32_t part, uint32_t message)
{
    const struct tk_part *p = &t->parts[part];

    return p->message == message && tk_is_result(p, false) && !(p->flags & TK_PART_REMOVED) &&
           !(t->messages[message].flags & TK_MESSAGE_DROPPED);
}

static uint32_t last_response(const struct tk_transcript *t, uint32_t message)
{
    uint32_t i = t->messages[message].last;

    while (i != TK_NONE && !tk_is_result(&t->parts[i], false))
        i = t->parts[i].prev;
    return i;
}

/* Returns the last entry of the run that the message is in, as it is now. */
static uint32_t last_of_run(const struct tk_transcript *t, uint32_t message)
{
    uint32_t next;

    while ((next = t->messages[message].next) != TK_NONE &&
           t->messages[next].role == t->messages[message].role)
        message = next;
    return message;
}

/* Searches the answer to a turn for the place; if it has no response, in a new entry before it. */
static int search(struct tk_plan *p, uint32_t call, struct tk_gem_place *place)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t before = last_of_run(t, t->parts[call].message);

    for (uint32_t m = t->messages[before].next; m != TK_NONE && !tk_gem_is_model(t, m);
         m = t->messages[m].next) {
        uint32_t last = last_response(t, m);

        if (last == TK_NONE)
            continue;
        *place = (struct tk_gem_place){m, last};
        return 0;
    }
    *place = (struct tk_gem_place){tk_edit_add_message(p->e, before, TK_ROLE_USER, 0), TK_NONE};
    return place->message == TK_NONE ? -ENOMEM : 0;
}

int tk_gem_place_of(struct tk_plan *p, uint32_t call, struct tk_gem_place **ret)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_gem_place *place = &tk_gemini(p->j)->places[t->messages[t->parts[call].message].turn];

    *ret = place;
    if (place->after != TK_NONE && is_response_in(t, place->after, place->message))
        return 0;
    return search(p, call, place);
}

/* ---- a round ---- */

int tk_gem_begin_round(struct tk_plan *p)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_gemini *own = tk_gemini(p->j);

    own->leaver_count = 0;
    own->place_count = t->turn_count;
    own->places = tk_arena_alloc(t->arena, t->turn_count * sizeof(*own->places));
    if (!own->places)
        return -ENOMEM;
    memset(own->places, 0xff, t->turn_count * sizeof(*own->places));
    return 0;
}

int tk_gem_leaves(struct tk_plan *p, uint32_t part)
{
    struct tk_gemini *own = tk_gemini(p->j);

    if (!TK_GROW(p->j->t->arena, own->leavers, own->leaver_count, own->leaver_capacity))
        return -ENOMEM;
    own->leavers[own->leaver_count++] = part;
    return 0;
}

/* Puts parts of one message into a new entry after it, if a response stays there. */
static int leave(struct tk_plan *p, const uint32_t *parts, uint32_t count)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t message = t->parts[parts[0]].message, to;
    int r = 0;

    if ((t->messages[message].flags & TK_MESSAGE_DROPPED) || last_response(t, message) == TK_NONE)
        return 0;
    to = tk_edit_add_message(p->e, message, TK_ROLE_USER, 0);
    if (to == TK_NONE)
        return -ENOMEM;
    for (uint32_t i = 0; i < count && r == 0; i++)
        r = tk_edit_carry(p->e, parts[i], to, t->messages[to].last);
    return r;
}

int tk_gem_settle(struct tk_plan *p)
{
    const struct tk_gemini *own = tk_gemini(p->j);
    const struct tk_transcript *t = p->j->t;
    int r = 0;

    for (uint32_t i = 0, end; i < own->leaver_count && r == 0; i = end) {
        uint32_t message = t->parts[own->leavers[i]].message;

        for (end = i + 1;
             end < own->leaver_count && t->parts[own->leavers[end]].message == message;)
            end++;
        r = leave(p, &own->leavers[i], end - i);
    }
    return r < 0 ? r : tk_settle_runs(p);
}
