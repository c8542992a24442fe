/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model of a stream: the only form of events and blocks that src/stream knows. An answer comes
 * piece by piece:
 *
 *     message start, { block start, deltas of the block, block stop } ..., message delta, stop
 *
 * Each piece is an event. A block is one part of the message: a text, a call of a tool, its result.
 * A provider's format (block_format.h) reads its events and blocks into these structs.
 */
#ifndef TK_STREAM_EVENT_H
#define TK_STREAM_EVENT_H

#include "value/doc.h"

enum tk_event_type {
    TK_EVENT_UNKNOWN, /* has any shape */
    TK_EVENT_MESSAGE_START,
    TK_EVENT_BLOCK_START,
    TK_EVENT_BLOCK_DELTA,
    TK_EVENT_BLOCK_STOP,
    TK_EVENT_MESSAGE_DELTA, /* facts about the message that are known only at its end */
    TK_EVENT_MESSAGE_STOP,
    TK_EVENT_PING,
    TK_EVENT_ERROR,
    TK_EVENT_TYPES,
};

/* A delta adds something to the block that it names. */
enum tk_delta_type {
    TK_DELTA_UNKNOWN,
    TK_DELTA_TEXT,
    TK_DELTA_CITATION,
    TK_DELTA_REASONING,
    TK_DELTA_SIGNATURE, /* the provider's signature of the reasoning; replaces the one before */
    TK_DELTA_INPUT,     /* a piece of the JSON text that a call's input is */
    TK_DELTA_SUMMARY,
    TK_DELTA_TYPES,
};

/* Roles of blocks. A role decides which deltas a block takes and how it leaves. */
enum tk_block_role {
    TK_STREAM_BLOCK_TEXT,
    TK_STREAM_BLOCK_REASONING,
    TK_STREAM_BLOCK_REDACTED,    /* reasoning that only the provider can read */
    TK_STREAM_BLOCK_CLIENT_CALL, /* of a tool that the client runs */
    TK_STREAM_BLOCK_CALL,        /* of a tool that the provider runs */
    TK_STREAM_BLOCK_RESULT,      /* of such a tool */
    TK_STREAM_BLOCK_SUMMARY,     /* replaces earlier messages */
    TK_STREAM_BLOCK_HANDOVER,    /* another model continues, which knows of no unanswered call */
    TK_STREAM_BLOCK_OPAQUE,      /* any other that is known to take no delta */
    TK_STREAM_BLOCK_UNKNOWN,     /* any other: the meaning of its deltas is unknown */
    TK_STREAM_BLOCK_ROLES,
};

struct tk_event {
    enum tk_event_type type;
    enum tk_delta_type delta;
    int64_t at;               /* index of its block */
    struct tk_val root;       /* the event as encoded; absent: a ping without data */
    struct tk_val body;       /* the message, block, delta or error that it contains */
    struct tk_val payload;    /* what a delta adds */
    struct tk_val latest;     /* of a summary's delta: a value that replaces the one before */
    struct tk_str type_text;  /* `.p == NULL`: it has no type */
    struct tk_str delta_text; /* the delta's type */
};

/* Returns true if an event contains no lone surrogate and nothing that JSON can't represent. */
static inline bool tk_event_is_clean(struct tk_val root)
{
    const struct tk_doc *doc = root.doc;

    if (!doc->has_surrogate && doc->foreign == TK_NO_NODE)
        return true;
    for (uint32_t i = root.node; i < tk_node(root)->next; i++)
        if (doc->nodes[i].flags & (TK_NODE_SURROGATE | TK_NODE_FOREIGN))
            return false;
    return true;
}

enum {
    TK_EVENT_MALFORMED = 1,
    TK_ID_MAX = 256, /* bytes of an id; an event with a longer one is malformed */
};

#endif
