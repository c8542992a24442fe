/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deltas repeat themselves. Nearly all events of a stream are deltas, and each differs from the one
 * before it only in its text, as in
 *
 *     {"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"  fjord  "}}
 *     |<------------------------------ head ---------------------------------->|       |tail|
 *
 * So the last one that the reader read is remembered, with its tape. Data that begins with its head,
 * ends with its tail and has only the content of a string in between is that event with another
 * text: its tape is the remembered one with other lengths. Other data goes to the reader.
 */
#ifndef TK_STREAM_REPEAT_H
#define TK_STREAM_REPEAT_H

#include "stream/event.h"

#define TK_REPEAT_HEAD  120
#define TK_REPEAT_TAIL  8
#define TK_REPEAT_NODES 8

/* The zeroed struct remembers nothing. */
struct tk_repeat {
    uint8_t head_size, tail_size;
    uint8_t type_at, delta_at; /* offsets of the two types in the head */
    uint8_t count;             /* nodes; the last one is the text */
    uint32_t size;             /* bytes of its data */
    char head[TK_REPEAT_HEAD], tail[TK_REPEAT_TAIL];
    struct tk_node nodes[TK_REPEAT_NODES];
    struct tk_event event;
};

/* Remembers an event that was read from `data`, if it is a delta that can be recognised so. */
void tk_repeat_learn(struct tk_repeat *r, const struct tk_event *e, struct tk_str data);

/*
 * Returns true if `data` is the remembered event with another text. Then *ret is the event and
 * `doc`, which must be the document that the remembered event was in, is its tape. Both refer to
 * the data.
 */
bool tk_repeat_read(const struct tk_repeat *r, struct tk_doc *doc, struct tk_str data,
                    struct tk_event *ret);

#endif
