/* SPDX-License-Identifier: Apache-2.0 */
/* Reads frames of any framing (wire.h). */
#ifndef TK_STREAM_WIRE_READER_H
#define TK_STREAM_WIRE_READER_H

#include "stream/wire/eventstream.h"
#include "stream/wire/json_array.h"
#include "stream/wire/sse.h"

struct tk_wire_reader {
    uint8_t wire; /* enum tk_wire */
    union {
        struct tk_sse sse;
        struct tk_eventstream eventstream;
        struct tk_json_array array;
    };
};

void tk_wire_init(struct tk_wire_reader *r, enum tk_wire wire, struct tk_memory *memory);
void tk_wire_done(struct tk_wire_reader *r);

/* Starts to read the next bytes, which must live until tk_wire_next() returned 0. */
void tk_wire_feed(struct tk_wire_reader *r, struct tk_str chunk);

/* Reads the next frame. Returns TK_WIRE_FRAME and the frame; 0 if the chunk is used up, after copying
 * what is unfinished; TK_WIRE_BROKEN; or -ENOMEM. */
static inline int tk_wire_next(struct tk_wire_reader *r, struct tk_wire_frame *ret)
{
    if (r->wire == TK_WIRE_SSE) /* nearly always */
        return tk_sse_next(&r->sse, ret);
    return r->wire == TK_WIRE_JSON ? tk_json_array_next(&r->array, ret)
                                   : tk_eventstream_next(&r->eventstream, ret);
}

/* Return the frame that ends because another byte follows, which won't be fed; the frame that the
 * end of the stream ends. They return TK_WIRE_FRAME, 0 or -ENOMEM. */
int tk_wire_release(struct tk_wire_reader *r, struct tk_wire_frame *ret);
int tk_wire_last(struct tk_wire_reader *r, struct tk_wire_frame *ret);

/* Returns why tk_wire_next() returned TK_WIRE_BROKEN. */
const char *tk_wire_broken(const struct tk_wire_reader *r);

#endif
