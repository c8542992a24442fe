/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of one stream: the core's allocator with a count, so that what a stream holds is known. */
#ifndef TK_STREAM_MEMORY_H
#define TK_STREAM_MEMORY_H

#include "value/arena.h"

struct tk_memory {
    tk_allocator inner;
    size_t held; /* bytes allocated and not freed yet */
};

/* Returns an allocator that counts. `memory` must outlive what is allocated with it, and must not be
 * moved. */
tk_allocator tk_memory_allocator(struct tk_memory *memory);

/* A buffer that grows by doubling; the zeroed struct is empty. */
struct tk_grow {
    char *p;
    size_t n, capacity;
};

/* Appends. Returns 0 or -ENOMEM. */
int tk_grow_put(struct tk_grow *g, struct tk_memory *memory, struct tk_str s);

/* Empties the buffer, and frees its memory if that is large. */
void tk_grow_reset(struct tk_grow *g, struct tk_memory *memory);

void tk_grow_done(struct tk_grow *g, struct tk_memory *memory);

static inline struct tk_str tk_grow_str(const struct tk_grow *g)
{
    return (struct tk_str){g->p, g->n};
}

#endif
