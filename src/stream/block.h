/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of the message being streamed (STREAM.md section 5): the deltas that a block accepts, and
 * their sum. Deltas are collected as they come, and folded into the block when the whole block is
 * needed (message.c).
 */
#ifndef TK_STREAM_BLOCK_H
#define TK_STREAM_BLOCK_H

#include "history/history.h"
#include "stream/block_format.h"
#include "stream/kept.h"
#include "stream/part_frame.h"
#include "stream/pieces.h"

/* Where a call's input is, once its block has stopped. */
enum tk_input_state {
    TK_INPUT_COMING,
    TK_INPUT_OF_START,  /* in the block's start */
    TK_INPUT_EMPTY,     /* {} */
    TK_INPUT_OF_DELTAS, /* in the deltas, joined */
    TK_INPUT_INVALID,   /* no object; only a client call's */
};

struct tk_waiting; /* emit_events.c */

/* Data from deltas; allocated on first use, since hostile streams have many empty blocks. */
struct tk_added {
    bool text_came;        /* a delta brought text, perhaps an empty one */
    uint32_t listed;       /* elements of `list` */
    struct tk_pieces text; /* raw in the start's codec; of calls plain JSON */
    struct tk_pieces list; /* elements, encoded in the start's codec, with separators */
    struct tk_kept latest; /* the value that came last: a signature, what a summary replaces */
    struct tk_part_frame part;
};

struct tk_stream_block {
    uint32_t at;        /* its index in the message */
    uint32_t operation; /* of a call or result; TK_NONE */
    uint32_t left_as;   /* the index that its events left with */
    uint8_t role;       /* enum tk_block_role */
    uint8_t input_state;
    bool stopped, prefilled; /* prefilled: the message contained it at its start */
    bool has_text;           /* its text isn't empty: in its start, or from deltas */
    struct tk_kept start;    /* the block in its start */
    struct tk_str
        input; /* TK_INPUT_OF_DELTAS: compact JSON; TK_INPUT_INVALID: the text that came */
    struct tk_added *added; /* NULL: no delta came; see tk_block_added() */
    struct tk_waiting *first_waiting, *last_waiting;
};

struct tk_blocks {
    struct tk_stream_block **all;
    uint32_t count, capacity;
};

/*
 * Returns true if a block accepts a delta. If it doesn't, *ret_mismatch is true for a fault, false
 * for a delta that is ignored.
 */
bool tk_block_takes(const struct tk_stream_block *b, enum tk_delta_type delta, bool *ret_mismatch);

/* Adds a block after the others; its start is empty. Returns NULL without memory. */
struct tk_stream_block *tk_block_add(struct tk_blocks *blocks, struct tk_arena *arena,
                                     uint8_t role);

/* Adds what a delta brings to the block. `scratch` may be freed afterwards. */
void tk_block_fold(struct tk_stream_block *b, const struct tk_event *e, struct tk_arena *arena,
                   struct tk_arena *scratch);

/* Returns what deltas brought, all empty if no delta came. */
static inline const struct tk_added *tk_block_added(const struct tk_stream_block *b)
{
    static const struct tk_added nothing;

    return b->added ? b->added : &nothing;
}

static inline bool tk_block_is_call(const struct tk_stream_block *b)
{
    return b->role == TK_STREAM_BLOCK_CALL || b->role == TK_STREAM_BLOCK_CLIENT_CALL;
}

#endif
