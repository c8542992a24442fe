/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deltas repeat themselves. Nearly all events of a stream are deltas, and one differs from that
 * before it in nothing but its text:
 *
 *     {"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"  fjord  "}}
 *     |<------------------------------ head ---------------------------------->|       |tail|
 *
 * So the last one read whole is remembered, with its tape. Data that begins with its head, ends
 * with its tail and has nothing but a string between is the same event with another text: its tape
 * is the remembered one with other lengths. Whatever differs in another way is read as ever.
 */
#ifndef TK_STREAM_REPEAT_H
#define TK_STREAM_REPEAT_H

#include "providers/event.h"

#define TK_REPEAT_HEAD  120
#define TK_REPEAT_TAIL  8
#define TK_REPEAT_NODES 8

/* The zeroed struct remembers nothing. */
struct tk_repeat {
    uint8_t head_size, tail_size;
    uint8_t type_at, delta_at; /* offsets of the two types in the head */
    uint8_t count;             /* nodes; the last one is the text */
    uint32_t size;             /* of its data */
    char head[TK_REPEAT_HEAD], tail[TK_REPEAT_TAIL];
    struct tk_node nodes[TK_REPEAT_NODES];
    struct tk_event event;
};

/* Remembers an event that was read from `data`, if it is a delta that may come again. */
void tk_repeat_learn(struct tk_repeat *r, const struct tk_event *e, struct tk_str data);

/*
 * True if data is the remembered event with another text: *ret is that, and doc, which is the one
 * that the remembered event was in, its tape. data outlives them.
 */
bool tk_repeat_read(const struct tk_repeat *r, struct tk_doc *doc, struct tk_str data,
                    struct tk_event *ret);

#endif
