/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations (STREAM.md section 6): a call that the provider runs itself, and its result.
 *
 *     OPENING ── call stops ──> INPUT_COMPLETE ── result stops ──> COMPLETED
 *     CARRIED (from an earlier message) ───────── result stops ──> COMPLETED
 *     OPENING, INPUT_COMPLETE ── another model continues ──> ABANDONED
 *     INPUT_COMPLETE ── excused end ──> DEFERRED
 *
 * Ids are remembered as long as the stream: a completed operation's id is no less used than an
 * open one's.
 */
#ifndef TK_STREAM_OPERATION_H
#define TK_STREAM_OPERATION_H

#include "history/history.h"
#include "stream/block_format.h"
#include "value/hash.h"

enum tk_operation_state {
    TK_OP_OPENING,
    TK_OP_INPUT_COMPLETE,
    TK_OP_COMPLETED,
    TK_OP_CARRIED,
    TK_OP_DEFERRED,
    TK_OP_ABANDONED,
};

struct tk_operation {
    struct tk_str id, name, type; /* name, type: `.p == NULL` if unknown */
    struct tk_str result_type; /* the only type of result that answers; `.p == NULL`: several do */
    uint32_t call, result;     /* blocks, TK_NONE */
    bool result_stopped;
    uint8_t state;
};

/* How an id has been used so far. */
struct tk_id_use {
    struct tk_str id;
    uint32_t operation;            /* TK_NONE: a client's call, or one that the history closed */
    uint32_t seen_at, answered_at; /* blocks; TK_NONE: before this stream */
    bool seen, answered;
};

struct tk_operations {
    const struct tk_block_format *format; /* NULL: any result answers a call */
    struct tk_arena *arena;
    struct tk_map ids; /* from an id to its index in `uses` */
    struct tk_id_use *uses;
    uint32_t use_count, use_capacity;
    struct tk_operation *all; /* carried ones first, then in order of start */
    uint32_t count, capacity;
    uint32_t abandoned_to; /* all before it have a result, or were abandoned */
};

void tk_operations_init(struct tk_operations *ops, const struct tk_block_format *format,
                        struct tk_arena *arena, const uint64_t *hash_key);

/* Returns the use of an id; adds one if the id is new, and copies the id. NULL without memory. */
struct tk_id_use *tk_id_use(struct tk_operations *ops, struct tk_str id);

/* Returns the use of an id; NULL if the id is new. */
const struct tk_id_use *tk_id_known(const struct tk_operations *ops, struct tk_str id);

/* Adds an operation; the id is copied. Returns NULL without memory. */
struct tk_operation *tk_operation_new(struct tk_operations *ops, struct tk_str id,
                                      enum tk_operation_state state);

/* Replaces the name and type of a carried operation; a text with `.p == NULL` changes nothing. */
void tk_operation_describe(struct tk_operations *ops, struct tk_operation *op, struct tk_str name,
                           struct tk_str type);

/* Returns the operation that a result names if it awaits a result; else NULL. */
struct tk_operation *tk_operation_awaiting(const struct tk_operations *ops, struct tk_str id);

/* Returns true if a result of that type answers the operation. */
bool tk_operation_takes(const struct tk_operations *ops, const struct tk_operation *op,
                        struct tk_str result_type);

static inline bool tk_operation_is_left(const struct tk_operation *op)
{
    return op->state != TK_OP_COMPLETED && op->state != TK_OP_ABANDONED;
}

#endif
