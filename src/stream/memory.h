/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one stream: the core's allocator with a count, so that what a stream holds is known. */
#ifndef TK_STREAM_MEMORY_H
#define TK_STREAM_MEMORY_H

#include "value/arena.h"

struct tk_memory {
    tk_allocator inner;
    size_t held; /* bytes out */
};

/* memory must outlive what is allocated through it, and stay where it is. */
tk_allocator tk_memory_allocator(struct tk_memory *memory);

/* Bytes in a row that grow by doubling; the zeroed struct is empty. */
struct tk_grow {
    char *p;
    size_t n, capacity;
};

/* Appends. Returns 0 or -ENOMEM. */
int tk_grow_put(struct tk_grow *g, struct tk_memory *memory, struct tk_str s);

/* Forgets the bytes, and the memory where it is large. */
void tk_grow_reset(struct tk_grow *g, struct tk_memory *memory);

void tk_grow_done(struct tk_grow *g, struct tk_memory *memory);

static inline struct tk_str tk_grow_str(const struct tk_grow *g)
{
    return (struct tk_str){g->p, g->n};
}

#endif
