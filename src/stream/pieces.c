/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/pieces.h"

#define CHUNK_MIN ((size_t)96)
#define CHUNK_MAX ((size_t)16384)

struct tk_pieces_chunk {
    struct tk_pieces_chunk *next;
    size_t used, size;
    char bytes[];
};

static struct tk_pieces_chunk *add_chunk(struct tk_pieces *pieces, struct tk_arena *arena, size_t n)
{
    size_t size = pieces->n < CHUNK_MIN ? CHUNK_MIN : pieces->n > CHUNK_MAX ? CHUNK_MAX : pieces->n;
    struct tk_pieces_chunk *chunk;

    if (size < n)
        size = n;
    chunk = tk_arena_alloc(arena, sizeof(*chunk) + size);
    if (!chunk)
        return NULL;
    *chunk = (struct tk_pieces_chunk){.size = size};
    if (pieces->last)
        pieces->last->next = chunk;
    else
        pieces->first = chunk;
    pieces->last = chunk;
    return chunk;
}

char *tk_pieces_room(struct tk_pieces *pieces, struct tk_arena *arena, size_t n)
{
    struct tk_pieces_chunk *chunk = pieces->last;

    if (!chunk || chunk->size - chunk->used < n)
        chunk = add_chunk(pieces, arena, n);
    return chunk ? chunk->bytes + chunk->used : NULL;
}

void tk_pieces_took(struct tk_pieces *pieces, size_t used)
{
    pieces->last->used += used;
    pieces->n += used;
}

void tk_pieces_put(struct tk_pieces *pieces, struct tk_arena *arena, struct tk_str s)
{
    size_t here = pieces->last ? pieces->last->size - pieces->last->used : 0;
    char *to;

    if (s.n == 0)
        return;
    if (here > s.n)
        here = s.n;
    if (here > 0) {
        memcpy(pieces->last->bytes + pieces->last->used, s.p, here);
        tk_pieces_took(pieces, here);
    }
    if (here == s.n)
        return;
    to = tk_pieces_room(pieces, arena, s.n - here);
    if (!to)
        return;
    memcpy(to, s.p + here, s.n - here);
    tk_pieces_took(pieces, s.n - here);
}

char *tk_pieces_copy(const struct tk_pieces *pieces, char *to)
{
    for (const struct tk_pieces_chunk *chunk = pieces->first; chunk; chunk = chunk->next) {
        memcpy(to, chunk->bytes, chunk->used);
        to += chunk->used;
    }
    return to;
}

struct tk_str tk_pieces_join(const struct tk_pieces *pieces, struct tk_arena *arena,
                             struct tk_str head, struct tk_str tail)
{
    size_t n = head.n + pieces->n + tail.n;
    char *p = tk_arena_alloc(arena, n), *at = p;

    if (!p)
        return (struct tk_str){NULL, 0};
    if (head.n > 0)
        memcpy(at, head.p, head.n);
    at = tk_pieces_copy(pieces, at + head.n);
    if (tail.n > 0)
        memcpy(at, tail.p, tail.n);
    return (struct tk_str){p, n};
}
