/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/memory.h"

#include <errno.h>

/* Bytes of memory that an emptied buffer keeps at most. */
#define KEPT_MAX ((size_t)4096)
#define GROW_MIN ((size_t)128)

static void *resize(void *opaque, void *ptr, size_t old_size, size_t new_size)
{
    struct tk_memory *memory = opaque;
    void *p = memory->inner.resize(memory->inner.opaque, ptr, old_size, new_size);

    if (p || new_size == 0)
        memory->held += new_size - old_size;
    return p;
}

tk_allocator tk_memory_allocator(struct tk_memory *memory)
{
    return (tk_allocator){resize, memory};
}

int tk_grow_put(struct tk_grow *g, struct tk_memory *memory, struct tk_str s)
{
    if (s.n > g->capacity - g->n) {
        size_t capacity = g->capacity ? 2 * g->capacity : GROW_MIN;
        char *p;

        if (capacity < g->n + s.n)
            capacity = g->n + s.n;
        p = resize(memory, g->p, g->capacity, capacity);
        if (!p)
            return -ENOMEM;
        g->p = p;
        g->capacity = capacity;
    }
    if (s.n > 0)
        memcpy(g->p + g->n, s.p, s.n);
    g->n += s.n;
    return 0;
}

void tk_grow_reset(struct tk_grow *g, struct tk_memory *memory)
{
    g->n = 0;
    if (g->capacity > KEPT_MAX)
        tk_grow_done(g, memory);
}

void tk_grow_done(struct tk_grow *g, struct tk_memory *memory)
{
    if (g->p)
        resize(memory, g->p, g->capacity, 0);
    *g = (struct tk_grow){0};
}
