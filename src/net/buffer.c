/* SPDX-License-Identifier: Apache-2.0 */
#include "net/buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int tk_buffer_reserve(struct tk_buffer *b, size_t capacity)
{
    uint8_t *bytes;

    if (capacity <= b->capacity)
        return 0;
    bytes = realloc(b->bytes, capacity);
    if (!bytes)
        return -ENOMEM;
    b->bytes = bytes;
    b->capacity = capacity;
    return 0;
}

int tk_buffer_put(struct tk_buffer *b, const void *bytes, size_t n)
{
    size_t need = b->size + n;
    int r;

    if (n == 0)
        return 0;
    if (need > b->capacity) {
        r = tk_buffer_reserve(b, need > 2 * b->capacity ? need : 2 * b->capacity);
        if (r < 0)
            return r;
    }
    memcpy(b->bytes + b->size, bytes, n);
    b->size = need;
    return 0;
}

void tk_buffer_done(struct tk_buffer *b)
{
    free(b->bytes);
    *b = (struct tk_buffer){0};
}

struct tk_buffer tk_buffer_take(struct tk_buffer *b)
{
    struct tk_buffer taken = *b;

    *b = (struct tk_buffer){0};
    return taken;
}
