/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and writes application/vnd.amazon.eventstream, in which Bedrock streams.
 *
 *     total length 4 | headers length 4 | CRC-32 of these 8 bytes 4
 *     headers: name length 1, name, type 1, value (of a string: length 2, bytes) ...
 *     payload
 *     CRC-32 of all before it 4
 *
 * Numbers are big-endian.
 */
#ifndef TK_STREAM_WIRE_EVENTSTREAM_H
#define TK_STREAM_WIRE_EVENTSTREAM_H

#include "stream/wire/wire.h"

/* Bytes that the headers and the payload of a frame may have. */
#define TK_EVENTSTREAM_HEADERS ((size_t)128 << 10)
#define TK_EVENTSTREAM_PAYLOAD ((size_t)24 << 20)
/* Bytes of a name, or of the message of an error, that a header takes. */
#define TK_EVENTSTREAM_NAME ((size_t)INT16_MAX)

struct tk_eventstream {
    struct tk_memory *memory;
    struct tk_grow held; /* the part of a frame that earlier chunks brought */
    bool read;           /* `held` is the frame that was read last */
    const char *at, *end;
    const char *broken; /* why the bytes are no frames; NULL: they are */
};

void tk_eventstream_init(struct tk_eventstream *es, struct tk_memory *memory);
void tk_eventstream_done(struct tk_eventstream *es);

/* Starts to read the next bytes, which must live until tk_eventstream_next() returned 0. */
void tk_eventstream_feed(struct tk_eventstream *es, struct tk_str chunk);

/* Reads the next frame. Returns TK_WIRE_FRAME and the frame; 0 if the chunk is used up, after
 * copying what is unfinished; TK_WIRE_BROKEN; or -ENOMEM. */
int tk_eventstream_next(struct tk_eventstream *es, struct tk_wire_frame *ret);

/* Returns a frame in the arena; `.p == NULL` without memory. A frame of TK_FRAME_ERROR has no
 * payload: that text is its message. */
struct tk_str tk_eventstream_write(enum tk_wire_frame_kind kind, struct tk_str name,
                                   struct tk_str payload, struct tk_arena *arena);

#endif
