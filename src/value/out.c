/* SPDX-License-Identifier: Apache-2.0 */
/*
 *     pieces:  [copied 120] [span of a document 90,000] [copied 31] ...
 *     chunk:   [......120|......31|at            end]
 *
 * Copied pieces follow each other in chunks of the arena. If the last piece ends where the chunk's
 * free room begins, new bytes make that piece longer; after a span of a document they begin a new
 * piece in the same room.
 */
#include "value/out.h"

/* Most outputs are a text of one edit, and a repair can make very many edits: they begin small. */
#define CHUNK_FIRST  ((size_t)64)
#define CHUNK_MIN    ((size_t)1024) /* of a chunk that begins a new piece */
#define CHUNK_MAX    ((size_t)65536)
#define PIECES_FIRST ((size_t)2)
#define PIECES_MIN   ((size_t)16)

void tk_out_init(struct tk_out *out, struct tk_arena *arena)
{
    *out = (struct tk_out){.arena = arena};
}

static char *piece_end(const struct iovec *piece)
{
    return (char *)piece->iov_base + piece->iov_len;
}

static bool more_pieces(struct tk_out *out)
{
    size_t capacity = out->capacity == 0           ? PIECES_FIRST
                      : out->capacity < PIECES_MIN ? PIECES_MIN
                                                   : 2 * out->capacity;
    struct iovec *pieces = tk_arena_grow(out->arena, out->pieces, out->capacity * sizeof(*pieces),
                                         capacity * sizeof(*pieces));

    if (!pieces)
        return false;
    out->pieces = pieces;
    out->capacity = capacity;
    return true;
}

/* Makes the last piece longer if the bytes follow it in memory, else adds a piece. */
static bool append(struct tk_out *out, const char *p, size_t n)
{
    if (tk_out_is_full(out))
        return false;
    if (out->count > 0 && piece_end(&out->pieces[out->count - 1]) == p) {
        out->pieces[out->count - 1].iov_len += n;
        out->size += n;
        return true;
    }
    if (out->count == out->capacity && !more_pieces(out))
        return false;
    out->pieces[out->count++] = (struct iovec){(void *)(uintptr_t)p, n};
    out->size += n;
    return true;
}

static size_t clamp(size_t n, size_t min, size_t max)
{
    return n < min ? min : n > max ? max : n;
}

/*
 * Makes room for n bytes: makes the chunk longer in place if nothing follows it in the arena, else
 * begins another. The first pieces are allocated before the first chunk so that nothing follows it.
 */
static bool more_room(struct tk_out *out, size_t n)
{
    size_t size = clamp(out->size, CHUNK_FIRST, CHUNK_MAX);
    char *chunk;

    if (out->capacity == 0 && !more_pieces(out))
        return false;
    if (size < n)
        size = n;
    if (out->end && tk_arena_extend(out->arena, out->end, size)) {
        out->end += size;
        return true;
    }
    if (out->end && size < CHUNK_MIN)
        size = CHUNK_MIN;
    chunk = tk_arena_alloc(out->arena, size);
    if (!chunk)
        return false;
    out->at = chunk;
    out->end = chunk + size;
    return true;
}

void *tk_out_reserve(struct tk_out *out, size_t n)
{
    char *place;

    if (tk_out_is_full(out))
        return NULL;
    if (n > (size_t)(out->end - out->at) && !more_room(out, n))
        return NULL;
    if (!append(out, out->at, n))
        return NULL;
    place = out->at;
    out->at += n;
    return place;
}

void tk_out_give_back(struct tk_out *out, size_t n)
{
    out->pieces[out->count - 1].iov_len -= n;
    out->size -= n;
    out->at -= n;
}

void tk_out_put(struct tk_out *out, const void *bytes, size_t n)
{
    void *place;

    if (n == 0)
        return;
    place = tk_out_reserve(out, n);
    if (place)
        memcpy(place, bytes, n);
}

/* Returns true if a short span is to be referred to like a long one. */
static bool is_referred(const struct tk_out *out, struct tk_str s)
{
    return (uintptr_t)s.p - (uintptr_t)out->referred.p < out->referred.n && s.n > 0;
}

void tk_out_ref(struct tk_out *out, struct tk_str s)
{
    if (s.n <= TK_OUT_COPY_MAX && !is_referred(out, s))
        tk_out_put(out, s.p, s.n);
    else
        append(out, s.p, s.n);
}

struct tk_str tk_out_join(struct tk_out *out)
{
    char *p, *at;

    if (out->count == 1 && piece_end(&out->pieces[0]) == out->at)
        return (struct tk_str){out->pieces[0].iov_base, out->size};
    p = at = tk_arena_alloc(out->arena, out->size);
    if (!p)
        return (struct tk_str){NULL, 0};
    for (size_t i = 0; i < out->count; i++) {
        memcpy(at, out->pieces[i].iov_base, out->pieces[i].iov_len);
        at += out->pieces[i].iov_len;
    }
    return (struct tk_str){p, out->size};
}
