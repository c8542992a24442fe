/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads server-sent events: makes frames of bytes (STREAM.md section 2, rules 1 to 3), wherever the
 * bytes are cut.
 *
 *     event: content_block_stop            name
 *     data: {"type":"content_block_stop"   data, lines joined with LF
 *     data: ,"index":0}
 *                                          the blank line ends the frame
 *
 * Frames that are whole in a chunk are not copied: they refer to the chunk. An unfinished line is
 * copied; no byte is read again when the rest comes.
 */
#ifndef TK_STREAM_WIRE_SSE_H
#define TK_STREAM_WIRE_SSE_H

#include "stream/wire/wire.h"

/* A field of the frame that is being read: in the chunk, or copied. */
struct tk_sse_field {
    bool present, kept;
    struct tk_str value; /* in the chunk */
    struct tk_grow own;  /* kept: the value begins at `from` */
    size_t from;
};

struct tk_sse {
    struct tk_memory *memory;
    struct tk_grow line; /* the part of a line that earlier chunks brought */
    struct tk_sse_field name, data;
    bool carriage; /* the last byte was a CR: the next one may belong to the same line end */
    bool begun;    /* the first line is over: no byte order mark any more */
    /* the chunk being read, and the next line ends in it */
    const char *at, *end, *next_lf, *next_cr;
};

void tk_sse_init(struct tk_sse *sse, struct tk_memory *memory);
void tk_sse_done(struct tk_sse *sse);

/* Starts to read the next bytes, which must live until tk_sse_next() returned 0. */
void tk_sse_feed(struct tk_sse *sse, struct tk_str chunk);

/*
 * Reads the next frame that has data. Returns TK_WIRE_FRAME and the frame; 0 if the chunk is used up, after
 * copying what is unfinished; or -ENOMEM.
 */
int tk_sse_next(struct tk_sse *sse, struct tk_wire_frame *ret);

/* Ends the line that a CR at the end of the last chunk ended: another byte follows, which won't be
 * fed. Returns TK_WIRE_FRAME and the frame if a frame ends with the line; 0; or -ENOMEM. */
int tk_sse_release(struct tk_sse *sse, struct tk_wire_frame *ret);

/* Ends the last line as if a line end followed, and the frame: nothing more will come. Returns 1 and
 * the frame if it has data; 0; or -ENOMEM. */
int tk_sse_last(struct tk_sse *sse, struct tk_wire_frame *ret);

/* Returns an event as a frame, in the arena; `.p == NULL` without memory. type: names the frame; `.p
 * == NULL`: it has no name. */
struct tk_str tk_sse_write(struct tk_str type, struct tk_str json, struct tk_arena *arena);

#endif
