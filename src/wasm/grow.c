/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for malloc(), instead of the C library's function, which grows the memory by no more than it is asked for:
 * 64 KiB at a time. Each growth costs a host a millisecond or two, whatever its size, and a document of 10 MB had
 * thousands.
 *
 *     0 | stack | data | what malloc() has ....|taken   not yet asked for  | end of the memory
 */
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#define PAGE     ((size_t)65536)
#define PAGE_MAX ((size_t)65536) /* of an address space of 32 bits */
/* The least that the memory grows by. */
#define PAGES_MIN ((size_t)64)

static size_t pages(void)
{
    return __builtin_wasm_memory_size(0);
}

/* Grows the memory by n pages. Returns false if the host refuses. */
static bool grow(size_t n)
{
    return __builtin_wasm_memory_grow(0, n) != SIZE_MAX;
}

/* Makes room for `missing` pages: by a quarter of what there is and 4 MiB at least, or just enough if that is too
 * much for the host. */
static bool make_room(size_t missing)
{
    size_t more = pages() / 4 > PAGES_MIN ? pages() / 4 : PAGES_MIN;

    if (more > PAGE_MAX - pages())
        more = PAGE_MAX - pages();
    return (more > missing && grow(more)) || grow(missing);
}

/* Takes `size` bytes more, none for 0. Returns the address where they begin; (void *)-1 without memory. */
void *sbrk(intptr_t size)
{
    static size_t taken; /* pages that malloc() has */
    size_t wanted = ((size_t)size + PAGE - 1) / PAGE, before;

    if (taken == 0)
        taken = pages();
    before = taken;
    if (size < 0 || (wanted > pages() - before && !make_room(wanted - (pages() - before))))
        return (void *)-1;
    taken += wanted;
    return (void *)(before * PAGE);
}
