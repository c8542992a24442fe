/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Content blocks of the message being streamed (STREAM.md section 5): the role of a block, the
 * deltas it accepts, and their sum. Deltas are collected as they come, and folded into the block
 * when the whole block is needed (message.c).
 */
#ifndef TK_STREAM_BLOCK_H
#define TK_STREAM_BLOCK_H

#include "providers/event.h"
#include "stream/kept.h"
#include "stream/pieces.h"

enum tk_block_role {
    TK_STREAM_BLOCK_TEXT,
    TK_STREAM_BLOCK_THINKING,
    TK_STREAM_BLOCK_REDACTED,
    TK_STREAM_BLOCK_CLIENT_CALL,
    TK_STREAM_BLOCK_CALL,
    TK_STREAM_BLOCK_RESULT,
    TK_STREAM_BLOCK_COMPACTION,
    TK_STREAM_BLOCK_FALLBACK,
    TK_STREAM_BLOCK_OPAQUE,  /* known to take no delta */
    TK_STREAM_BLOCK_UNKNOWN, /* any other: the meaning of its deltas is unknown */
    TK_STREAM_BLOCK_ROLES,
};

/* Where a call's input is, once its block has stopped. */
enum tk_input_state {
    TK_INPUT_COMING,
    TK_INPUT_OF_START,  /* in the block's start */
    TK_INPUT_EMPTY,     /* {} */
    TK_INPUT_OF_DELTAS, /* in the deltas, joined */
    TK_INPUT_INVALID,   /* no object; only a client call's */
};

struct tk_waiting; /* emit_events.c */

/* The encoded bytes before and after the text of each output of a block's deltas (emit_parts.c). */
struct tk_part_frame {
    struct tk_str head, tail; /* `.p == NULL`: not made yet */
    uint8_t codec;
};

/* Data from deltas; allocated on first use, since hostile streams have many empty blocks. */
struct tk_added {
    bool text_came;        /* text, if only an empty one */
    uint32_t listed;       /* elements of `list` */
    struct tk_pieces text; /* text, thinking, content: raw in the start's codec; calls: plain */
    struct tk_pieces list; /* citations, encoded in the start's codec, with separators */
    struct tk_kept last;   /* the signature, or the encrypted content, that came last */
    struct tk_part_frame part;
};

struct tk_stream_block {
    uint32_t at;        /* its index on the wire */
    uint32_t operation; /* of a call or result, TK_NONE */
    uint32_t left_as;   /* the index that it left with */
    uint8_t role;       /* enum tk_block_role */
    uint8_t input_state;
    bool stopped, prefilled; /* prefilled: message_start contained it */
    bool has_text;           /* its text, from start and deltas, is not empty */
    struct tk_kept start;    /* the block in its start */
    struct tk_str input;    /* TK_INPUT_OF_DELTAS: compact JSON; TK_INPUT_INVALID: whatever it is */
    struct tk_added *added; /* NULL: nothing; see tk_block_added() */
    struct tk_waiting *first_waiting, *last_waiting;
};

struct tk_blocks {
    struct tk_stream_block **all;
    uint32_t count, capacity;
};

/* The members of a block that pairing reads; a text has `.p == NULL` if it isn't a string. */
struct tk_block_view {
    uint8_t role;
    struct tk_str type, id, name; /* id: of a call; a result's tool_use_id */
    struct tk_val caller;
};

struct tk_block_view tk_block_view(struct tk_val block, struct tk_arena *arena);

/*
 * True if a block accepts a delta. If not, *ret_mismatch is true for a fault, false for a delta
 * that is to be ignored.
 */
bool tk_block_takes(const struct tk_stream_block *b, enum tk_delta_type delta, bool *ret_mismatch);

/* Adds a block after the others; its start is empty. Returns NULL without memory. */
struct tk_stream_block *tk_block_add(struct tk_blocks *blocks, struct tk_arena *arena,
                                     uint8_t role);

/* Adds what a delta brings. `scratch` may be freed once it is done. */
void tk_block_fold(struct tk_stream_block *b, const struct tk_event *e, struct tk_arena *arena,
                   struct tk_arena *scratch);

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
