/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is handed out piece by piece and freed all at once; each request has one arena. A
 * piece lives until tk_arena_done() or tk_arena_reset() and is never freed alone.
 *
 * An allocation that fails marks the arena as failed and returns NULL. Callers that build
 * something long may go on with what they have and ask tk_arena_failed() once at the end; the
 * answer is then thrown away. Nothing may be written through a NULL.
 */
#ifndef TK_VALUE_ARENA_H
#define TK_VALUE_ARENA_H

#include "turnkeeper/turnkeeper.h"
#include "value/str.h"

#include <stdarg.h>

struct tk_arena_block;

struct tk_arena {
    tk_allocator allocator;
    struct tk_arena_block *blocks; /* newest first */
    char *at, *end;                /* the free rest of the newest block */
    size_t size;                   /* bytes from the allocator */
    bool failed;                   /* an allocation failed since the last reset */
};

/* The C library's realloc and free as an allocator. */
extern const tk_allocator tk_libc_allocator;

/* Makes an empty arena, which allocates nothing until it is asked for a piece. */
void tk_arena_init(struct tk_arena *arena, tk_allocator allocator);

/* Frees all blocks. The arena can be used again. A zeroed arena is fine. */
void tk_arena_done(struct tk_arena *arena);

/* Takes back all pieces but keeps one small block for reuse; clears `failed`. */
void tk_arena_reset(struct tk_arena *arena);

/*
 * Returns a piece of n bytes, aligned to 8, not zeroed; NULL without memory. `n == 0` gives a valid
 * pointer.
 */
void *tk_arena_alloc(struct tk_arena *arena, size_t n);

/* Returns a zeroed array of `count` elements; NULL without memory or if the product overflows. */
void *tk_arena_zalloc(struct tk_arena *arena, size_t count, size_t size);

/*
 * Makes an array of the arena larger: returns new_size bytes that begin with the old_size bytes of
 * `ptr`; NULL without memory, and the old array stays as it is. The newest piece grows in place,
 * others are copied and their old bytes stay allocated. `ptr == NULL` with `old_size == 0` begins
 * an array.
 */
void *tk_arena_grow(struct tk_arena *arena, void *ptr, size_t old_size, size_t new_size);

/*
 * Makes the piece that ends at `end` n bytes longer, in place. False if another piece follows it or
 * there is no room after it; then nothing changes.
 */
bool tk_arena_extend(struct tk_arena *arena, char *end, size_t n);

/*
 * Makes room for one more element of a growing array: doubles `capacity` (16 at first) once `count`
 * has reached it. `list` and `capacity` are variables, and `capacity` is a uint32_t; all arguments
 * are evaluated more than once. True if there is room; false without memory, and the array is as it
 * was.
 */
#define TK_GROW(arena, list, count, capacity)                                                      \
    ((count) < (capacity) || tk_arena_double((arena), &(list), &(capacity), sizeof(*(list))))

/* Doubles an array of elements of `size` bytes for TK_GROW(); `list_at` points to the pointer to
 * it. False without memory. */
bool tk_arena_double(struct tk_arena *arena, void *list_at, uint32_t *capacity, size_t size);

/* Returns the arena as an allocator. What is freed through it stays allocated in the arena. */
tk_allocator tk_arena_allocator(struct tk_arena *arena);

/* Copies the bytes. `.p == NULL` without memory. */
struct tk_str tk_arena_dup(struct tk_arena *arena, struct tk_str s);

/* Format a text as printf() does, into the arena. `.p == NULL` without memory. */
struct tk_str tk_arena_printf(struct tk_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct tk_str tk_arena_vprintf(struct tk_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Joins n texts into one. `.p == NULL` without memory. */
struct tk_str tk_arena_concat(struct tk_arena *arena, const struct tk_str *parts, size_t n);

/* True if an allocation failed since the arena was made or reset. */
static inline bool tk_arena_failed(const struct tk_arena *arena)
{
    return arena->failed;
}

/* Returns how many bytes the arena holds from its allocator. */
static inline size_t tk_arena_size(const struct tk_arena *arena)
{
    return arena->size;
}

#endif
