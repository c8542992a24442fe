/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes many changes inside a part, at any depth, in one splice. Walks over the part once: the
 * spots are in the order of the tape.
 */
#include <errno.h>

#include "engine/edit/edit_part.h"
#include "value/pointer.h"
#include "value/splice.h"

/* The state of the walk in one container. */
struct spot_level {
    struct tk_val container, child;
    uint32_t index;        /* of `child` */
    struct tk_str pointer; /* pointer from the part to the container */
};

struct spot_walk {
    struct tk_arena *arena;
    struct spot_level *levels;
    uint32_t depth, capacity;
};

static int enter(struct spot_walk *w, struct tk_val container, struct tk_str pointer)
{
    if (!TK_GROW(w->arena, w->levels, w->depth, w->capacity))
        return -ENOMEM;
    w->levels[w->depth++] = (struct spot_level){container, tk_first(container), 0, pointer};
    return pointer.p ? 0 : -ENOMEM;
}

static struct tk_str pointer_of_child(const struct spot_walk *w, const struct spot_level *l)
{
    struct tk_str token = tk_is(l->container, TK_OBJECT)
                              ? tk_key(l->child, w->arena)
                              : tk_arena_printf(w->arena, "%u", l->index);

    return tk_pointer_add(l->pointer, token, w->arena);
}

/* Walks to a spot: the last level is then its container. Returns 0 or -ENOMEM and the spot's
 * pointer. */
static int go_to(struct spot_walk *w, uint32_t node, struct tk_str *ret_pointer)
{
    int r = 0;

    while (tk_node(w->levels[w->depth - 1].container)->next <= node)
        w->depth--;
    for (;;) {
        struct spot_level *l = &w->levels[w->depth - 1];

        for (; tk_node(l->child)->next <= node; l->index++)
            l->child = tk_after(l->container, l->child);
        *ret_pointer = pointer_of_child(w, l);
        if (l->child.node == node)
            return ret_pointer->p ? 0 : -ENOMEM;
        r = enter(w, l->child, *ret_pointer);
        if (r < 0)
            return r;
    }
}

int tk_change_spots(struct tk_edits *e, uint32_t part, const struct tk_spot *spots, uint32_t count)
{
    struct tk_val root = tk_part_val(&e->t->parts[part], e->t->parts[part].node);
    struct tk_cut *cuts = tk_arena_alloc(e->t->arena, 2 * count * sizeof(*cuts));
    struct spot_walk w = {.arena = e->t->arena};
    size_t n = 0;
    int r = cuts && !tk_arena_failed(e->t->arena) ? enter(&w, root, TK_STR("")) : -ENOMEM;

    for (uint32_t i = 0; i < count && r == 0; i++) {
        struct tk_str pointer;
        size_t more = 1;

        r = go_to(&w, spots[i].at.node, &pointer);
        if (r < 0)
            break;
        if (spots[i].value.p)
            cuts[n] = tk_cut_replace(spots[i].at, spots[i].value);
        else
            more =
                tk_cut_remove(e->t->arena, w.levels[w.depth - 1].container, spots[i].at, cuts + n);
        n += more;
        r = more == 0 ? -ENOMEM : tk_change_note(e, part, pointer, spots[i].value);
    }
    return r < 0 ? r : tk_part_refill(e, part, tk_splice_cuts(e->t->arena, root, cuts, n));
}
