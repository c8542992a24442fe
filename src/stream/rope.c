/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/rope.h"

#define CHUNK_MIN ((size_t)96)
#define CHUNK_MAX ((size_t)16384)

struct tk_rope_chunk {
    struct tk_rope_chunk *next;
    size_t used, size;
    char bytes[];
};

static struct tk_rope_chunk *add_chunk(struct tk_rope *rope, struct tk_arena *arena, size_t n)
{
    size_t size = rope->n < CHUNK_MIN ? CHUNK_MIN : rope->n > CHUNK_MAX ? CHUNK_MAX : rope->n;
    struct tk_rope_chunk *chunk;

    if (size < n)
        size = n;
    chunk = tk_arena_alloc(arena, sizeof(*chunk) + size);
    if (!chunk)
        return NULL;
    *chunk = (struct tk_rope_chunk){.size = size};
    if (rope->last)
        rope->last->next = chunk;
    else
        rope->first = chunk;
    rope->last = chunk;
    return chunk;
}

char *tk_rope_room(struct tk_rope *rope, struct tk_arena *arena, size_t n)
{
    struct tk_rope_chunk *chunk = rope->last;

    if (!chunk || chunk->size - chunk->used < n)
        chunk = add_chunk(rope, arena, n);
    return chunk ? chunk->bytes + chunk->used : NULL;
}

void tk_rope_took(struct tk_rope *rope, size_t used)
{
    rope->last->used += used;
    rope->n += used;
}

void tk_rope_put(struct tk_rope *rope, struct tk_arena *arena, struct tk_str s)
{
    size_t here = rope->last ? rope->last->size - rope->last->used : 0;
    char *to;

    if (s.n == 0)
        return;
    if (here > s.n)
        here = s.n;
    if (here > 0) {
        memcpy(rope->last->bytes + rope->last->used, s.p, here);
        tk_rope_took(rope, here);
    }
    if (here == s.n)
        return;
    to = tk_rope_room(rope, arena, s.n - here);
    if (!to)
        return;
    memcpy(to, s.p + here, s.n - here);
    tk_rope_took(rope, s.n - here);
}

char *tk_rope_copy(const struct tk_rope *rope, char *to)
{
    for (const struct tk_rope_chunk *chunk = rope->first; chunk; chunk = chunk->next) {
        memcpy(to, chunk->bytes, chunk->used);
        to += chunk->used;
    }
    return to;
}

struct tk_str tk_rope_join(const struct tk_rope *rope, struct tk_arena *arena, struct tk_str head,
                           struct tk_str tail)
{
    size_t n = head.n + rope->n + tail.n;
    char *p = tk_arena_alloc(arena, n), *at = p;

    if (!p)
        return (struct tk_str){NULL, 0};
    if (head.n > 0)
        memcpy(at, head.p, head.n);
    at = tk_rope_copy(rope, at + head.n);
    if (tail.n > 0)
        memcpy(at, tail.p, tail.n);
    return (struct tk_str){p, n};
}
