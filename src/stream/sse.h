/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Server-sent events: bytes to frames (STREAM.md section 2, rules 1 to 3), however the bytes are
 * cut.
 *
 *     event: content_block_stop            name
 *     data: {"type":"content_block_stop"   data, lines joined with LF
 *     data: ,"index":0}
 *                                          the blank line ends the frame
 *
 * Frames that are whole in a chunk are not copied: they refer to the chunk. An unfinished line is
 * copied; no byte is read again when the rest comes.
 */
#ifndef TK_STREAM_SSE_H
#define TK_STREAM_SSE_H

#include <stdint.h>

#include "stream/memory.h"

/* A field of the frame that is being read: in the chunk, or kept. */
struct tk_sse_field {
    bool there, kept;
    struct tk_str value; /* in the chunk */
    struct tk_grow own;  /* kept: the value from `from` on */
    size_t from;
};

struct tk_sse {
    struct tk_memory *memory;
    struct tk_grow line; /* the part of a line that earlier chunks brought */
    struct tk_sse_field name, data;
    bool carriage; /* the last byte was a CR: what ends the line shows in the next one */
    bool begun;    /* the first line is over: no byte order mark any more */
    /* the chunk being read, and the next line ends in it */
    const char *at, *end, *next_lf, *next_cr;
};

struct tk_sse_frame {
    struct tk_str name; /* of the last `event` field; `.p == NULL`: none */
    struct tk_str data; /* never blank */
    bool in_chunk;      /* data lives as long as the chunk, else until the next call */
    bool cut;           /* no blank line ended it: the stream did */
};

void tk_sse_init(struct tk_sse *sse, struct tk_memory *memory);
void tk_sse_done(struct tk_sse *sse);

/* Starts on the next bytes; they stay where they are until tk_sse_next() has said 0. */
void tk_sse_feed(struct tk_sse *sse, struct tk_str chunk);

/*
 * The next frame that has data. Returns 1 with *ret filled, 0 when the chunk is used up (what is
 * unfinished was kept), or -ENOMEM.
 */
int tk_sse_next(struct tk_sse *sse, struct tk_sse_frame *ret);

/* A byte follows that won't be fed: ends the line that a CR ended. 1 where a frame ends with it, 0,
 * -ENOMEM. */
int tk_sse_release(struct tk_sse *sse, struct tk_sse_frame *ret);

/* Nothing more will come: the frame that was begun, as if its last line had ended. 1, 0, -ENOMEM.
 */
int tk_sse_last(struct tk_sse *sse, struct tk_sse_frame *ret);

#endif
