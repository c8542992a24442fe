/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One arena per request: memory that is handed out piece by piece and freed in one go.
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
    char *at, *end;                /* what is left of the newest block */
    bool failed;
};

/* The C library's realloc and free as an allocator. */
extern const tk_allocator tk_libc_allocator;

void tk_arena_init(struct tk_arena *arena, tk_allocator allocator);

/* Frees all blocks. The arena can be used again. A zeroed arena is fine. */
void tk_arena_done(struct tk_arena *arena);

/* Forgets all that was handed out but keeps one block for reuse; clears `failed`. */
void tk_arena_reset(struct tk_arena *arena);

/* n bytes, aligned to 8, not zeroed; NULL when there is no memory. n 0 gives a valid pointer. */
void *tk_arena_alloc(struct tk_arena *arena, size_t n);

/* The same, zeroed, for count elements of a size; NULL also when the product overflows. */
void *tk_arena_zalloc(struct tk_arena *arena, size_t count, size_t size);

/*
 * Grows an array that was the arena's: returns a place for new_size bytes that begins with the
 * old ones. In place where it is the newest piece, else copied (the old place is not reused).
 */
void *tk_arena_grow(struct tk_arena *arena, void *ptr, size_t old_size, size_t new_size);

/*
 * Makes room for one more element of a growing array: doubles `capacity` (16 at first) once `count`
 * has reached it. `list` and `capacity` are variables, and `capacity` is a uint32_t; all arguments
 * are evaluated more than once. True if there is room; false without memory, and the array is as it
 * was.
 */
#define TK_GROW(arena, list, count, capacity)                                                      \
    ((count) < (capacity) || tk_arena_double((arena), &(list), &(capacity), sizeof(*(list))))

/* Doubles an array of elements of `size` bytes; `list_at` points to the pointer to it. */
bool tk_arena_double(struct tk_arena *arena, void *list_at, uint32_t *capacity, size_t size);

/* The arena as an allocator, for what asks for one; nothing is freed before the arena is. */
tk_allocator tk_arena_allocator(struct tk_arena *arena);

/* A copy of the bytes. On failure a view of nothing. */
struct tk_str tk_arena_dup(struct tk_arena *arena, struct tk_str s);

/* printf into the arena. */
struct tk_str tk_arena_printf(struct tk_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct tk_str tk_arena_vprintf(struct tk_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Joins n pieces. */
struct tk_str tk_arena_concat(struct tk_arena *arena, const struct tk_str *parts, size_t n);

static inline bool tk_arena_failed(const struct tk_arena *arena)
{
    return arena->failed;
}

/* Bytes taken from the allocator so far. */
size_t tk_arena_size(const struct tk_arena *arena);

#endif
