/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds blocks of a sealed turn that are in another message: the client split the turn, or joined a
 * part of it with another one. Restoring the message would double them, and what other rules do
 * about the double would be undone by the next repair.
 */
#include "providers/anthropic/seals/moved.h"

#include <errno.h>

#define SEVERAL UINT32_MAX

struct elsewhere {
    struct tk_seals *s;
    const struct tk_transcript *t;
    struct tk_map calls;   /* ids; value: the message of the call plus one, or SEVERAL */
    struct tk_map results; /* ids of results; value: as above */
    struct tk_map blocks;  /* struct block_of_turn: in messages that no seal is of */
};

struct block_of_turn {
    struct tk_digest digest;
    uint32_t turn;
};

static bool may_be_restored(const struct tk_sealed_turn *g)
{
    return g->message_count == 1 && g->verdict != TK_VERDICT_INTACT;
}

static int note_id(struct elsewhere *e, uint32_t message, const struct tk_part *p)
{
    bool is_new;
    uint32_t *at;

    if ((p->kind != TK_PART_CALL && p->kind != TK_PART_RESULT) ||
        !tk_is(tk_part_val(p, p->id), TK_STRING))
        return 0;
    at =
        tk_map_put(p->kind == TK_PART_CALL ? &e->calls : &e->results, tk_part_id(e->t, p), &is_new);
    if (!at)
        return -ENOMEM;
    *at = is_new || *at == message + 1 ? message + 1 : SEVERAL;
    return 0;
}

static int note_block(struct elsewhere *e, uint32_t message, uint32_t part)
{
    const struct tk_sealed_block *b = tk_seals_block(e->s, e->t, part);
    struct block_of_turn *name = tk_arena_zalloc(e->t->arena, 1, sizeof(*name));
    bool is_new;

    if (!b || !name)
        return -ENOMEM;
    name->digest = b->block;
    name->turn = e->t->messages[message].turn;
    return tk_map_put(&e->blocks, (struct tk_str){(const char *)name, sizeof(*name)}, &is_new)
               ? 0
               : -ENOMEM;
}

/* Notes all blocks that may be what a group lacks. broken: by turn, true if a group of it lacks
 * blocks. */
static int note_all(struct elsewhere *e, const bool *broken)
{
    const struct tk_transcript *t = e->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        bool loose;

        if (t->messages[m].role != TK_ROLE_ASSISTANT)
            continue;
        loose = broken[t->messages[m].turn] && e->s->group_of[m] == TK_NONE;
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
            r = note_id(e, m, &t->parts[i]);
            if (r == 0 && loose)
                r = note_block(e, m, i);
        }
    }
    return r;
}

static bool is_id_elsewhere(const struct tk_map *ids, uint32_t home,
                            const struct tk_sealed_block *b)
{
    const uint32_t *at = b->id.p ? tk_map_get(ids, b->id) : NULL;

    return at && *at != home + 1;
}

static bool has_block_elsewhere(const struct elsewhere *e, uint32_t home,
                                const struct tk_sealed_block *b)
{
    struct block_of_turn name;

    memset(&name, 0, sizeof(name));
    name.digest = b->block;
    name.turn = e->t->messages[home].turn;
    return tk_map_get(&e->blocks, (struct tk_str){(const char *)&name, sizeof(name)}) != NULL;
}

static void look(const struct elsewhere *e, struct tk_sealed_turn *g)
{
    uint32_t home = g->messages[0];

    for (uint32_t i = 0; i < g->sealed_count; i++) {
        const struct tk_sealed_block *b = &g->sealed[i];
        bool call = is_id_elsewhere(&e->calls, home, b);

        g->doubled = g->doubled || call || is_id_elsewhere(&e->results, home, b);
        g->elsewhere =
            g->elsewhere || (g->taken[i] == TK_NONE && (call || has_block_elsewhere(e, home, b)));
    }
}

int tk_seals_look_elsewhere(struct tk_seals *s, const struct tk_transcript *t)
{
    struct elsewhere e = {.s = s, .t = t};
    bool *broken = NULL;
    int r;

    for (uint32_t i = 0; i < s->group_count; i++) {
        if (!may_be_restored(&s->groups[i]))
            continue;
        if (!broken)
            broken = tk_arena_zalloc(t->arena, t->turn_count, sizeof(*broken));
        if (!broken)
            return -ENOMEM;
        broken[t->messages[s->groups[i].messages[0]].turn] = true;
    }
    if (!broken)
        return 0;
    tk_map_init(&e.calls, t->arena, t->hash_key);
    tk_map_init(&e.results, t->arena, t->hash_key);
    tk_map_init(&e.blocks, t->arena, t->hash_key);
    r = note_all(&e, broken);
    for (uint32_t i = 0; i < s->group_count && r == 0; i++)
        if (may_be_restored(&s->groups[i]))
            look(&e, &s->groups[i]);
    return r;
}
