/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/wire/reader.h"

/* The readers of all framings, with one signature. */
#define READER(name, type)                                                                         \
    static void init_##name(struct tk_wire_reader *r, struct tk_memory *memory)                    \
    {                                                                                              \
        tk_##type##_init(&r->name, memory);                                                        \
    }                                                                                              \
    static void done_##name(struct tk_wire_reader *r)                                              \
    {                                                                                              \
        tk_##type##_done(&r->name);                                                                \
    }                                                                                              \
    static void feed_##name(struct tk_wire_reader *r, struct tk_str chunk)                         \
    {                                                                                              \
        tk_##type##_feed(&r->name, chunk);                                                         \
    }

READER(sse, sse)
READER(eventstream, eventstream)
READER(array, json_array)

static const struct {
    void (*init)(struct tk_wire_reader *r, struct tk_memory *memory);
    void (*done)(struct tk_wire_reader *r);
    void (*feed)(struct tk_wire_reader *r, struct tk_str chunk);
} readers[TK_WIRES] = {
    [TK_WIRE_SSE] = {init_sse, done_sse, feed_sse},
    [TK_WIRE_EVENTSTREAM] = {init_eventstream, done_eventstream, feed_eventstream},
    [TK_WIRE_JSON] = {init_array, done_array, feed_array},
};

void tk_wire_init(struct tk_wire_reader *r, enum tk_wire wire, struct tk_memory *memory)
{
    r->wire = (uint8_t)wire;
    readers[wire].init(r, memory);
}

void tk_wire_done(struct tk_wire_reader *r)
{
    readers[r->wire].done(r);
}

void tk_wire_feed(struct tk_wire_reader *r, struct tk_str chunk)
{
    readers[r->wire].feed(r, chunk);
}

int tk_wire_release(struct tk_wire_reader *r, struct tk_wire_frame *ret)
{
    return r->wire == TK_WIRE_SSE ? tk_sse_release(&r->sse, ret) : 0;
}

int tk_wire_last(struct tk_wire_reader *r, struct tk_wire_frame *ret)
{
    return r->wire == TK_WIRE_SSE ? tk_sse_last(&r->sse, ret) : 0;
}

const char *tk_wire_broken(const struct tk_wire_reader *r)
{
    return r->wire == TK_WIRE_JSON ? r->array.broken : r->eventstream.broken;
}
