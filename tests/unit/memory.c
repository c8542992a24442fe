/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <stdlib.h>

/*
 * The size of each block is stored before it, in 16 bytes, so that blocks are aligned as
 * malloc()'s.
 */
union header {
    size_t size;
    char pad[16];
};

static void *resize(void *opaque, void *ptr, size_t old_size, size_t new_size)
{
    struct memory *memory = opaque;
    union header *header = ptr ? (union header *)ptr - 1 : NULL;

    if (header && header->size != old_size)
        memory->confused = true;
    if (new_size == 0) {
        if (header) {
            memory->blocks--;
            memory->bytes -= header->size;
        }
        free(header);
        return NULL;
    }
    memory->calls++;
    if (memory->fail_at != 0 && memory->calls >= memory->fail_at)
        return NULL;
    old_size = header ? header->size : 0;
    memory->blocks += !header;
    header = realloc(header, sizeof(*header) + new_size);
    if (!header)
        abort();
    header->size = new_size;
    memory->bytes += new_size - old_size;
    if (memory->bytes > memory->peak)
        memory->peak = memory->bytes;
    return header + 1;
}

tk_allocator memory_allocator(struct memory *memory)
{
    return (tk_allocator){resize, memory};
}
