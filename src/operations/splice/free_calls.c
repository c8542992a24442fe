/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the call that a result answers by its name, for providers whose calls and results may lack ids
 * (OPERATIONS-PROVIDERS.md 1.2). A call is free for a source as long as none of that source's results
 * answers it.
 *
 *     calls      f, g (id 1), f        of the name f: a list of all, and a list of those without an id
 *     results    f, f                  the first answers the first call, the second the third
 *
 * Each list is walked once for each source: a call that was taken stays taken.
 */
#include "operations/splice/splice_inside.h"

#include <errno.h>

/* Returns the key of a name in a round. */
static struct tk_str key_of(struct tk_splice_state *s, const uint32_t *round, struct tk_str name)
{
    const struct tk_str parts[] = {{(const char *)round, sizeof(*round)}, name};

    return tk_arena_concat(s->in->arena, parts, 2);
}

static bool is_taken(const struct tk_splice_call *call, enum tk_splice_source source)
{
    return source == TK_SPLICE_CALLERS ? call->mine != TK_NONE : tk_exists(call->automatic);
}

/* ---- noting ---- */

static struct tk_splice_name *add_name(struct tk_splice_names *names, struct tk_arena *arena)
{
    struct tk_splice_name *added;

    if (!TK_GROW(arena, names->list, names->count, names->capacity))
        return NULL;
    added = &names->list[names->count++];
    memset(added, 0xff, sizeof(*added)); /* TK_NONE */
    return added;
}

/* Adds a call to the end of a list of calls; `heads`: where each source begins. */
static void append(uint32_t *last, uint32_t heads[TK_SPLICE_SOURCES], uint32_t *next_of_last,
                   uint32_t call)
{
    if (*last == TK_NONE)
        heads[TK_SPLICE_CALLERS] = heads[TK_SPLICE_AUTOMATIC] = call;
    else
        *next_of_last = call;
    *last = call;
}

int tk_splice_note_name(struct tk_splice_state *s, struct tk_str name)
{
    uint32_t call = s->call_count - 1, round = s->calls[call].round, *slot;
    struct tk_str key = key_of(s, &round, name);
    struct tk_splice_name *row;
    bool is_new;

    slot = key.p ? tk_map_put(&s->names.map, key, &is_new) : NULL;
    if (!slot)
        return -ENOMEM;
    if (is_new && !add_name(&s->names, s->in->arena))
        return -ENOMEM;
    if (is_new)
        *slot = s->names.count;
    row = &s->names.list[*slot - 1];
    append(&row->last_named, row->named,
           row->last_named == TK_NONE ? NULL : &s->calls[row->last_named].next_named, call);
    if (s->calls[call].id.n == 0)
        append(&row->last_bare, row->bare,
               row->last_bare == TK_NONE ? NULL : &s->calls[row->last_bare].next_bare, call);
    return 0;
}

/* ---- finding ---- */

static struct tk_splice_call *any_of_name(struct tk_splice_state *s, struct tk_splice_name *row,
                                          enum tk_splice_source source)
{
    uint32_t *at = &row->named[source];

    while (*at != TK_NONE && is_taken(&s->calls[*at], source))
        *at = s->calls[*at].next_named;
    return *at == TK_NONE ? NULL : &s->calls[*at];
}

static struct tk_splice_call *bare_of_name(struct tk_splice_state *s, struct tk_splice_name *row,
                                           enum tk_splice_source source)
{
    uint32_t *at = &row->bare[source];

    while (*at != TK_NONE && is_taken(&s->calls[*at], source))
        *at = s->calls[*at].next_bare;
    return *at == TK_NONE ? NULL : &s->calls[*at];
}

/* Returns the first free call of the turn; only the runner's results may ask for it. */
static struct tk_splice_call *any(struct tk_splice_state *s)
{
    const struct tk_splice_round *turn = &s->rounds[0];

    while (s->names.next < turn->count && (s->calls[s->names.next].kind != TK_SPLICE_CALL_CLIENT ||
                                           is_taken(&s->calls[s->names.next], TK_SPLICE_AUTOMATIC)))
        s->names.next++;
    return s->names.next < turn->count ? &s->calls[s->names.next] : NULL;
}

struct tk_splice_call *tk_splice_free_call(struct tk_splice_state *s, enum tk_splice_source source,
                                           uint32_t round, const struct tk_splice_ref *ref)
{
    const uint32_t *slot;
    struct tk_str key;

    if (ref->neutral && ref->id.n == 0 && ref->name.n == 0)
        return any(s);
    if (ref->name.n == 0)
        return NULL;
    key = key_of(s, &round, ref->name);
    slot = key.p ? tk_map_get(&s->names.map, key) : NULL;
    if (!slot)
        return NULL;
    return ref->id.n > 0 ? bare_of_name(s, &s->names.list[*slot - 1], source)
                         : any_of_name(s, &s->names.list[*slot - 1], source);
}
