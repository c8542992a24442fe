/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder of Chat Completions. An event is a chunk:
 *
 *     {"id", "model", "choices": [{"index", "delta": {members of the message}, "finish_reason"}], "usage"}
 *
 * A delta has pieces of the message's members, and of its calls:
 *
 *     {"tool_calls": [{"index": 0, "id", "type", "function": {"name", "arguments": a piece}}]}
 *
 *     chat_events.c    reads chunks           chat_calls.c    pieces of calls
 *     chat_merge.c     all other members      chat_end.c      reasons, calls that leave or are held
 *     chat_message.c   the message            chat_response.c a whole response as one chunk
 *
 * Servers that copy the API differ from it in how they stream calls; chat_calls.c says how.
 */
#ifndef TK_PROVIDERS_OPENAI_CHAT_STREAM_CHAT_STREAM_H
#define TK_PROVIDERS_OPENAI_CHAT_STREAM_CHAT_STREAM_H

#include "providers/openai/chat/stream/chat_merge.h"
#include "stream/turn/decoder.h"

enum tk_chat_call_form {
    TK_CHAT_FUNCTION, /* an entry of `tool_calls` with `function` */
    TK_CHAT_CUSTOM,   /* with `custom`: its input is a text, no JSON */
    TK_CHAT_LEGACY,   /* `function_call`, which is a member of the message */
};

struct tk_chat_call {
    struct tk_turn_part part; /* its text: the arguments or the input */
    uint8_t form;             /* enum tk_chat_call_form */
    bool wants_payload;       /* neither `function` nor `custom` came */
    uint32_t at;              /* how many calls of the choice began before it */
    char *name;               /* the bytes of its name, which may grow */
    size_t name_room;
    struct tk_chat_values members, payload;
};

/* A choice: what came of its message. */
struct tk_chat_choice {
    struct tk_chat_values members;
    struct tk_text_run run; /* the text that is coming */
    uint32_t runs;
    struct tk_chat_call *last, *legacy; /* the call that the last delta was of; `function_call` */
    int64_t next_index;                 /* of a call without one */
    uint32_t calls;
    struct tk_chat_call **all; /* in the order in which they began */
    uint32_t capacity;
    struct tk_map by_id; /* from an id to its place in `all` */
};

/* The decoder's state. */
struct tk_chat_events {
    bool has_id, has_model;
    bool done; /* the stream ended well */
};

/* Places of members that are written from other data (tk_chat_value.place). */
enum tk_chat_place {
    TK_CHAT_ROLE,
    TK_CHAT_TOOL_CALLS,
    TK_CHAT_FUNCTION_CALL,
    TK_CHAT_ID,      /* of a call */
    TK_CHAT_PAYLOAD, /* its `function` or `custom` */
    TK_CHAT_NAME,
    TK_CHAT_ARGUMENTS,
};

static inline struct tk_chat_choice *tk_chat_of(const struct tk_choice *choice)
{
    return choice->own;
}

/* ---- chat_events.c ---- */

/* Ends the text that is coming, if one is. */
void tk_chat_end_run(struct tk_stream_turn *t, struct tk_choice *choice);

/* ---- chat_calls.c: return what tk_turn_format.read() does ---- */

int tk_chat_tool_calls(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val list);
int tk_chat_function_call(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v);

/* Writes the start of a call once id and name are known, with the arguments that came before. */
void tk_chat_begin_call(struct tk_stream_turn *t, struct tk_chat_call *call);

/* Writes the rest of a call that is whole. */
void tk_chat_leave_call(struct tk_stream_turn *t, struct tk_chat_call *call);

/* ---- functions of tk_turn_format ---- */

bool tk_chat_is_complete(struct tk_stream_turn *t);
void tk_chat_end(struct tk_stream_turn *t, bool done);
void tk_chat_write_entries(struct tk_stream_turn *t, const struct tk_choice *choice,
                           struct tk_writer *w);
int tk_chat_read_response(struct tk_stream_turn *t, struct tk_val response);

#endif
