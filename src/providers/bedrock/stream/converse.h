/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder of ConverseStream. An event is an object with one member:
 *
 *     messageStart       {role}
 *     contentBlockStart  {contentBlockIndex, start: {toolUse or toolResult: {...}}}
 *     contentBlockDelta  {contentBlockIndex, delta: {text or reasoningContent or ...: ...}}
 *     contentBlockStop   {contentBlockIndex}
 *     messageStop        {stopReason}
 *     metadata           {usage, metrics, ...}
 *
 *     converse_events.c   reads events    converse_blocks.c    starts, deltas and stops of blocks
 *     converse_end.c      stop reasons, and what the turn leaves out
 *     converse_entries.c  the message     converse_response.c  a whole response as events
 */
#ifndef TK_PROVIDERS_BEDROCK_STREAM_STREAM_H
#define TK_PROVIDERS_BEDROCK_STREAM_STREAM_H

#include "stream/turn/decoder.h"

/* The kinds of blocks that are more than kept, and the deltas that they take. */
enum tk_converse_kind {
    TK_CONVERSE_TEXT,
    TK_CONVERSE_REASONING,
    TK_CONVERSE_TOOL_USE,
    TK_CONVERSE_TOOL_RESULT,
    TK_CONVERSE_OTHER, /* in its start; deltas of an image add members to it */
};

struct tk_converse_block {
    struct tk_turn_part part; /* its text: of reasoning and text; start: the value in its start */
    uint8_t kind;             /* enum tk_converse_kind */
    struct tk_str member;     /* of the union: "text", "toolUse" */
    struct tk_text signature;
    struct tk_pieces bytes;   /* redacted reasoning; the JSON text of an input */
    struct tk_pieces list;    /* citations, or what a result contains, in JSON with commas */
    uint32_t listed;          /* elements of the list */
    struct tk_text last_text; /* of a result: its last text, which may go on */
    struct tk_kept added;     /* members that a delta added to the start's */
};

/* The decoder's state. */
struct tk_converse {
    bool begun;
    bool stopped; /* the stop reason came */
    struct tk_kept metadata;
};

static inline struct tk_converse *tk_converse_of(const struct tk_stream_turn *t)
{
    return t->own;
}

/* ---- converse_blocks.c: return what tk_turn_format.read() does ---- */

int tk_converse_start(struct tk_stream_turn *t, int64_t index, struct tk_val start);
int tk_converse_delta(struct tk_stream_turn *t, int64_t index, struct tk_val delta);
int tk_converse_stop(struct tk_stream_turn *t, int64_t index);

/* ---- converse_end.c ---- */

/* Takes the stop reason: client calls leave, or are held. Returns 0 or -ENOMEM. */
int tk_converse_message_stop(struct tk_stream_turn *t, struct tk_str reason);

/* See tk_turn_format.end(). */
void tk_converse_end(struct tk_stream_turn *t, bool done);

/* ---- converse_entries.c, converse_response.c: functions of tk_turn_format ---- */

void tk_converse_write_entries(struct tk_stream_turn *t, const struct tk_choice *choice,
                               struct tk_writer *w);
/* Writes one block. */
void tk_converse_write_block(struct tk_stream_turn *t, const struct tk_converse_block *b,
                             struct tk_writer *w);
/* Returns redacted reasoning as base64, in the answer's arena. */
struct tk_str tk_converse_redacted(struct tk_stream_turn *t, const struct tk_converse_block *b);

int tk_converse_read_response(struct tk_stream_turn *t, struct tk_val response);

#endif
