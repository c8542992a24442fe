/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Framings of a stream's bytes: each has a reader, which is fed bytes that are cut anywhere, and
 * writes frames.
 *
 *     sse          data: {...}                       server-sent events
 *     eventstream  lengths, checksums, headers, {...}  application/vnd.amazon.eventstream
 *     json         [{...}, {...}]                    the elements of an array, each as it comes
 *
 * Frames that are whole in a chunk are not copied: they refer to the chunk. An unfinished one is
 * copied, and no byte is read again when the rest comes.
 */
#ifndef TK_STREAM_WIRE_WIRE_H
#define TK_STREAM_WIRE_WIRE_H

#include <stdint.h>

#include "stream/memory.h"

enum tk_wire {
    TK_WIRE_SSE,
    TK_WIRE_EVENTSTREAM,
    TK_WIRE_JSON,
    TK_WIRES,
};

enum tk_wire_frame_kind {
    TK_FRAME_EVENT,
    TK_FRAME_EXCEPTION, /* an eventstream's: an error that the API names */
    TK_FRAME_ERROR,     /* an eventstream's: any other; the data is its message, no JSON */
    TK_FRAME_END,       /* the end of the array */
};

struct tk_wire_frame {
    struct tk_str name; /* `.p == NULL`: it has none */
    struct tk_str data; /* of server-sent events never blank */
    uint8_t kind;       /* enum tk_wire_frame_kind */
    bool in_chunk;      /* data lives as long as the chunk, else until the next call */
    bool cut;           /* the end of the stream ended it, and not the end of a frame */
};

/* Results of readers. */
enum {
    TK_WIRE_FRAME = 1,
    TK_WIRE_BROKEN = 2, /* the bytes are no frames; the reader's `broken` says what is wrong */
};

#endif
