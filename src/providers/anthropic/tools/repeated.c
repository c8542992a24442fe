/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/tools/repeated.h"

#include <errno.h>

/*
 * Up to this many names of up to this many bytes are compared by a table on the stack, with a hash
 * that a client can know. It could choose names that collide: each is compared with all others
 * then, which are few and short. Others are in a map with a keyed hash.
 */
#define FEW        128u
#define SHORT      256u
#define SLOT_COUNT 256u

/* Returns a hash of the size and of up to 16 bytes: the first ones and the last ones. */
static inline uint32_t slot_of(struct tk_str name)
{
    uint64_t first = 0, last = 0;

    if (name.n >= 8) {
        memcpy(&first, name.p, 8);
        memcpy(&last, name.p + name.n - 8, 8);
    } else if (name.n >= 4) {
        memcpy(&first, name.p, 4);
        memcpy(&last, name.p + name.n - 4, 4);
    } else if (name.n > 0) {
        first = (uint8_t)name.p[0] | (uint64_t)(uint8_t)name.p[name.n / 2] << 8;
        last = (uint8_t)name.p[name.n - 1];
    }
    first = (first ^ (last << 29 | last >> 35) ^ name.n) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(first >> 56);
}

static struct tk_str name_of(const struct tk_request_view *view, uint32_t index,
                             struct tk_arena *arena)
{
    return tk_text(tk_request_val(view, view->tools[index].name), arena);
}

static int note(struct tk_repeated *ret, uint32_t index, struct tk_arena *arena)
{
    if (!TK_GROW(arena, ret->list, ret->count, ret->capacity))
        return -ENOMEM;
    ret->list[ret->count++] = index;
    return 0;
}

/* Adds the name of a tool to a table of indexes + 1, in which 0 is a free slot. Returns false if the
 * table has the name. */
static bool add(uint8_t table[SLOT_COUNT], struct tk_str *names, uint32_t index)
{
    uint32_t slot = slot_of(names[index]);

    while (table[slot] != 0) {
        if (tk_str_eq(names[table[slot] - 1], names[index]))
            return false;
        slot = (slot + 1) % SLOT_COUNT;
    }
    table[slot] = (uint8_t)(index + 1);
    return true;
}

/* Compares names by a table on the stack. Returns 1 if there is a name that is too long. */
static int compare_short(struct tk_repeated *ret, const struct tk_request_view *view,
                         struct tk_arena *arena)
{
    uint8_t table[SLOT_COUNT] = {0};
    struct tk_str *names = tk_arena_alloc(arena, view->tool_count * sizeof(*names));
    int r = names ? 0 : -ENOMEM;

    for (uint32_t i = 0; i < view->tool_count && r == 0; i++) {
        names[i] = name_of(view, i, arena);
        if (names[i].n > SHORT)
            return 1;
        if (names[i].p && !add(table, names, i))
            r = note(ret, i, arena);
    }
    return r;
}

static int compare_any(struct tk_repeated *ret, const struct tk_request_view *view,
                       struct tk_map *map)
{
    int r = tk_map_clear(map, view->tool_count) ? 0 : -ENOMEM;

    for (uint32_t i = 0; i < view->tool_count && r == 0; i++) {
        struct tk_str name = name_of(view, i, map->arena);
        bool fresh = true;

        if (name.p && !tk_map_put(map, name, &fresh))
            r = -ENOMEM;
        else if (!fresh)
            r = note(ret, i, map->arena);
    }
    return r;
}

int tk_repeated_read(struct tk_repeated *ret, const struct tk_request_view *view,
                     struct tk_map *scratch)
{
    int r;

    ret->count = 0;
    r = view->tool_count <= FEW ? compare_short(ret, view, scratch->arena) : 1;
    if (r <= 0)
        return r;
    ret->count = 0;
    return compare_any(ret, view, scratch);
}
