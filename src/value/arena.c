/* SPDX-License-Identifier: Apache-2.0 */
/*
 *     blocks -> [ newest block: used ......|at   room   end| ] -> [ older ] -> [ older ] -> NULL
 *
 * Small pieces come from the newest block; each new block is twice as large, up to BLOCK_KEPT. In an
 * arena that is large already it is an eighth of the whole, up to BLOCK_MAX: few blocks, and little
 * room that nobody uses. A piece larger than a quarter of the next block gets a block of its own,
 * which is put after the newest one in the list so that the newest one's room isn't lost. Under
 * AddressSanitizer the room is poisoned, so that writing past the end of a piece is reported.
 */
#include "value/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define TK_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(TK_ASAN)
#define TK_ASAN 1
#endif
#ifdef TK_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n)   ASAN_POISON_MEMORY_REGION(p, n)
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
#define POISON(p, n)   ((void)(p))
#define UNPOISON(p, n) ((void)(p))
#endif

#define ALIGNMENT  8u
#define BLOCK_MIN  ((size_t)4096)
#define BLOCK_KEPT ((size_t)65536) /* the largest that a reset keeps */
#define BLOCK_MAX  ((size_t)1048576)

struct tk_arena_block {
    struct tk_arena_block *older;
    size_t size; /* bytes from the allocator, this header included */
};

static_assert(sizeof(struct tk_arena_block) % ALIGNMENT == 0, "pieces would be misaligned");

static void *libc_resize(void *opaque, void *ptr, size_t old_size, size_t new_size)
{
    (void)opaque;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

const tk_allocator tk_libc_allocator = {libc_resize, NULL};

void tk_arena_init(struct tk_arena *arena, tk_allocator allocator)
{
    *arena = (struct tk_arena){.allocator = allocator.resize ? allocator : tk_libc_allocator};
}

static char *block_bytes(struct tk_arena_block *block)
{
    return (char *)(block + 1);
}

static void block_free(struct tk_arena *arena, struct tk_arena_block *block)
{
    UNPOISON(block, block->size);
    arena->size -= block->size;
    arena->allocator.resize(arena->allocator.opaque, block, block->size, 0);
}

/* Frees all blocks but `kept`, which may be NULL. */
static void blocks_free(struct tk_arena *arena, const struct tk_arena_block *kept)
{
    struct tk_arena_block *block = arena->blocks, *older;

    for (; block; block = older) {
        older = block->older;
        if (block != kept)
            block_free(arena, block);
    }
}

void tk_arena_done(struct tk_arena *arena)
{
    blocks_free(arena, NULL);
    arena->blocks = NULL;
    arena->at = arena->end = NULL;
    arena->failed = false;
}

void tk_arena_reset(struct tk_arena *arena)
{
    struct tk_arena_block *kept = NULL;

    for (struct tk_arena_block *b = arena->blocks; b; b = b->older) {
        if (b->size <= BLOCK_KEPT && (!kept || b->size > kept->size))
            kept = b;
    }
    if (!kept) {
        tk_arena_done(arena);
        return;
    }
    blocks_free(arena, kept);
    arena->blocks = kept;
    kept->older = NULL;
    arena->at = block_bytes(kept);
    arena->end = (char *)kept + kept->size;
    arena->failed = false;
    POISON(arena->at, (size_t)(arena->end - arena->at));
}

static void *fail(struct tk_arena *arena)
{
    arena->failed = true;
    return NULL;
}

/* Allocates a block of `size` bytes, header included. NULL without memory. */
static struct tk_arena_block *block_new(struct tk_arena *arena, size_t size)
{
    struct tk_arena_block *block = arena->allocator.resize(arena->allocator.opaque, NULL, 0, size);

    if (!block)
        return fail(arena);
    block->older = NULL;
    block->size = size;
    arena->size += size;
    POISON(block_bytes(block), size - sizeof(*block));
    return block;
}

static void *alloc_own_block(struct tk_arena *arena, size_t n)
{
    struct tk_arena_block *block = block_new(arena, sizeof(*block) + n);

    if (!block)
        return NULL;
    if (arena->blocks) {
        block->older = arena->blocks->older;
        arena->blocks->older = block;
    } else {
        arena->blocks = block;
        arena->at = arena->end = block_bytes(block) + n;
    }
    return block_bytes(block);
}

static size_t next_block_size(const struct tk_arena *arena)
{
    size_t newest = arena->blocks ? arena->blocks->size : 0;

    if (newest < BLOCK_MIN)
        return BLOCK_MIN;
    if (arena->size < 8 * BLOCK_KEPT)
        return newest < BLOCK_KEPT / 2 ? 2 * newest : BLOCK_KEPT;
    return arena->size < 8 * BLOCK_MAX ? arena->size / 8 / BLOCK_MIN * BLOCK_MIN : BLOCK_MAX;
}

static bool add_block(struct tk_arena *arena, size_t size)
{
    struct tk_arena_block *block = block_new(arena, size);

    if (!block)
        return false;
    block->older = arena->blocks;
    arena->blocks = block;
    arena->at = block_bytes(block);
    arena->end = (char *)block + size;
    return true;
}

/* Returns n rounded up, so that the next piece is aligned, too; 0 if that is too much. */
static size_t rounded(size_t n)
{
    if (n > SIZE_MAX / 2)
        return 0;
    return n == 0 ? ALIGNMENT : (n + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

void *tk_arena_alloc(struct tk_arena *arena, size_t n)
{
    size_t room = rounded(n);
    char *piece = arena->at;

    if (room == 0)
        return fail(arena);
    if (room <= (size_t)(arena->end - arena->at)) {
        arena->at += room;
    } else {
        size_t block_size = next_block_size(arena);

        if (room > block_size / 4) {
            piece = alloc_own_block(arena, room);
        } else if (add_block(arena, block_size)) {
            piece = arena->at;
            arena->at += room;
        } else {
            piece = NULL;
        }
    }
    if (piece)
        UNPOISON(piece, n);
    return piece;
}

void *tk_arena_zalloc(struct tk_arena *arena, size_t count, size_t size)
{
    size_t n;
    void *piece;

    if (__builtin_mul_overflow(count, size, &n))
        return fail(arena);
    piece = tk_arena_alloc(arena, n);
    if (piece)
        memset(piece, 0, n);
    return piece;
}

void *tk_arena_grow(struct tk_arena *arena, void *ptr, size_t old_size, size_t new_size)
{
    size_t old_room = rounded(old_size), new_room = rounded(new_size);
    char *grown;

    if (ptr && new_size <= old_size)
        return ptr;
    if (ptr && new_room != 0 && (char *)ptr + old_room == arena->at &&
        new_room - old_room <= (size_t)(arena->end - arena->at)) {
        arena->at += new_room - old_room;
        UNPOISON(ptr, new_size);
        return ptr;
    }
    grown = tk_arena_alloc(arena, new_size);
    if (grown && old_size > 0)
        memcpy(grown, ptr, old_size);
    return grown;
}

bool tk_arena_extend(struct tk_arena *arena, char *end, size_t n)
{
    size_t unused = (size_t) - (uintptr_t)end % ALIGNMENT; /* the rest of its last eight bytes */
    size_t room = n <= unused ? 0 : rounded(n - unused);

    if (end + unused != arena->at || room > (size_t)(arena->end - arena->at) ||
        (room == 0 && n > unused))
        return false;
    arena->at += room;
    UNPOISON(end, n);
    return true;
}

bool tk_arena_double(struct tk_arena *arena, void *list_at, uint32_t *capacity, size_t size)
{
    uint32_t doubled = *capacity > 0 ? 2 * *capacity : 16;
    void *list;

    memcpy(&list, list_at, sizeof(list)); /* a pointer of any type */
    list = tk_arena_grow(arena, list, *capacity * size, doubled * size);
    if (!list)
        return false;
    memcpy(list_at, &list, sizeof(list));
    *capacity = doubled;
    return true;
}

static void *resize_in_arena(void *opaque, void *ptr, size_t old_size, size_t new_size)
{
    return new_size == 0 ? NULL : tk_arena_grow(opaque, ptr, old_size, new_size);
}

tk_allocator tk_arena_allocator(struct tk_arena *arena)
{
    return (tk_allocator){.resize = resize_in_arena, .opaque = arena};
}

struct tk_str tk_arena_dup(struct tk_arena *arena, struct tk_str s)
{
    return tk_arena_concat(arena, &s, 1);
}

struct tk_str tk_arena_vprintf(struct tk_arena *arena, const char *format, va_list args)
{
    va_list again;
    int n;
    char *p = NULL;

    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    if (n < 0)
        fail(arena);
    else
        p = tk_arena_alloc(arena, (size_t)n + 1);
    if (p)
        vsnprintf(p, (size_t)n + 1, format, again);
    va_end(again);
    return (struct tk_str){p, p ? (size_t)n : 0};
}

struct tk_str tk_arena_printf(struct tk_arena *arena, const char *format, ...)
{
    struct tk_str s;
    va_list args;

    va_start(args, format);
    s = tk_arena_vprintf(arena, format, args);
    va_end(args);
    return s;
}

struct tk_str tk_arena_concat(struct tk_arena *arena, const struct tk_str *parts, size_t n)
{
    size_t size = 0;
    char *p, *at;

    for (size_t i = 0; i < n; i++)
        size += parts[i].n;
    p = at = tk_arena_alloc(arena, size);
    if (!p)
        return (struct tk_str){NULL, 0};
    for (size_t i = 0; i < n; i++) {
        if (parts[i].n > 0)
            memcpy(at, parts[i].p, parts[i].n);
        at += parts[i].n;
    }
    return (struct tk_str){p, size};
}
