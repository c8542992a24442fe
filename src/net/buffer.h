/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Growable memory for bytes, without any rule about who owns which part of it: read_buffer.h and
 * output.h decide that. A zeroed struct is an empty buffer.
 */
#ifndef TK_NET_BUFFER_H
#define TK_NET_BUFFER_H

#include <stddef.h>
#include <stdint.h>

struct tk_buffer {
    uint8_t *bytes;
    size_t size;     /* bytes in use */
    size_t capacity; /* bytes allocated */
};

/* Makes room for at least `capacity` bytes and keeps the content. 0 or -ENOMEM. */
int tk_buffer_reserve(struct tk_buffer *b, size_t capacity);

/* Appends n bytes, growing by doubling. 0 or -ENOMEM. */
int tk_buffer_put(struct tk_buffer *b, const void *bytes, size_t n);

/* Frees the memory and empties the buffer. */
void tk_buffer_done(struct tk_buffer *b);

/* Hands the memory to the caller and empties the buffer. */
struct tk_buffer tk_buffer_take(struct tk_buffer *b);

#endif
