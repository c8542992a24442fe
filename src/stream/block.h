/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Content blocks as they come in (STREAM.md section 5): what a block is, which deltas it takes, and
 * what they add up to. Deltas are put aside as they come and folded into the block when somebody
 * asks for it whole (message.h).
 */
#ifndef TK_STREAM_BLOCK_H
#define TK_STREAM_BLOCK_H

#include "stream/event.h"
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
    TK_STREAM_BLOCK_UNKNOWN, /* any other: what deltas mean to it nobody knows */
    TK_STREAM_BLOCK_ROLES,
};

/* What a call's input came to when its block stopped. */
enum tk_input_state {
    TK_INPUT_COMING,
    TK_INPUT_OF_START,  /* as it stands in the start */
    TK_INPUT_EMPTY,     /* {} */
    TK_INPUT_OF_DELTAS, /* what they were together */
    TK_INPUT_INVALID,   /* no object; only a client call's */
};

struct tk_waiting; /* emit_events.c */

/* What stands around the text of each part that a block's deltas make (emit_parts.c). */
struct tk_part_frame {
    struct tk_str head, tail; /* p NULL: not made yet */
    uint8_t codec;
};

/* What deltas brought. Most blocks of a hostile stream have none, so it isn't part of the block. */
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
    bool stopped, prefilled; /* prefilled: it stood in message_start */
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

/* A block's members that pairing looks at; texts p NULL where they aren't strings. */
struct tk_block_view {
    uint8_t role;
    struct tk_str type, id, name; /* id: of a call; a result's tool_use_id */
    struct tk_val caller;
};

struct tk_block_view tk_block_view(struct tk_val block, struct tk_arena *arena);

/* Whether a block takes a delta: true, or false with *ret_mismatch telling a fault from one that is
 * to be ignored. */
bool tk_block_takes(const struct tk_stream_block *b, enum tk_delta_type delta, bool *ret_mismatch);

/* A new block behind the others, its start not filled. NULL: no memory. */
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
