/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoder of Responses. A response is a list of items; each has a start, deltas, and an end that
 * repeats all of it:
 *
 *     response.created             {response: without output}
 *     response.output_item.added   {output_index, item: as far as it is known}
 *     response.output_text.delta   {output_index, content_index, delta} and others
 *     response.output_item.done    {output_index, item: whole}
 *     response.completed           {response: with the whole output}
 *
 * Items are keyed by output_index, never by id: GitHub Copilot gives every event another one.
 *
 *     resp_events.c  events, numbers, errors     resp_items.c   starts and ends of items
 *     resp_texts.c   texts and reasoning         resp_kinds.c   what each type of item is
 *     resp_end.c     what the turn leaves out    resp_entries.c items for the history, follow_up
 */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_STREAM_RESP_STREAM_H
#define TK_PROVIDERS_OPENAI_RESPONSES_STREAM_RESP_STREAM_H

#include "stream/turn/decoder.h"

/* ---- items ---- */

enum tk_resp_class {
    TK_RESP_MESSAGE,
    TK_RESP_REASONING,
    TK_RESP_LIVE_CALL,  /* of a client: its input comes in deltas */
    TK_RESP_WHOLE_CALL, /* of a client: it comes at its end */
    TK_RESP_ONE_ITEM,   /* an operation: call and result in one */
    TK_RESP_SERVER_CALL,
    TK_RESP_SERVER_OUTPUT,
    TK_RESP_OTHER,
};

struct tk_resp_kind {
    struct tk_str type;
    struct tk_str name;   /* of the tool; `.p == NULL`: in the item */
    struct tk_str input;  /* member with the input */
    struct tk_str output; /* type of the item that answers a client's call */
    uint8_t class;        /* enum tk_resp_class */
    bool free;            /* needs no id, as PROVIDERS.md 4.3 says */
    bool from_model;      /* not an output */
    bool is_text;         /* the input is text, not JSON */
};

/* Returns the row of an item's type; of a type that some items share, the row of this item. */
const struct tk_resp_kind *tk_resp_kind_of(struct tk_val item);

struct tk_resp_item {
    struct tk_turn_part part; /* start: the item as it was done, or as it was added */
    const struct tk_resp_kind *kind;
    struct tk_str item_id;          /* in its first event; `.p == NULL`: it had none */
    struct tk_kept final;           /* as the terminal response has it */
    struct tk_kept cipher;          /* `encrypted_content` of its end */
    uint32_t first_text, last_text; /* content parts; TK_NONE */
    int64_t summary; /* of reasoning: index of the summary or text that the last delta was of */
    bool listed;     /* the terminal response has it */
    bool late;       /* a call that may be cut: it leaves at the end, if at all */
    bool gone;       /* a blank message of a broken stream: it is no entry */
};

/* A content part of a message. */
struct tk_resp_text {
    int64_t index;
    struct tk_text_run run;
    struct tk_text text;
    uint32_t told; /* annotations */
    uint32_t next; /* of the same item; TK_NONE */
};

/* The decoder's state. */
struct tk_resp {
    bool begun, numbered;
    int64_t number; /* the last sequence_number */
    bool completed, incomplete, over;
    bool stored, in_background;
    struct tk_str conversation; /* its id; `.p == NULL`: none */
    struct tk_str status, incomplete_reason;
    struct tk_kept output; /* of the terminal response */
    struct tk_resp_text *texts;
    uint32_t text_count, text_capacity;
    bool has_map;
    struct tk_map by_content;      /* from an item and a content index to its text */
    struct tk_resp_item **waiting; /* the server's calls whose results are items of their own */
    uint32_t waiting_count, waiting_capacity, oldest;
    struct tk_map calls; /* from their ids to their places in `waiting` */
    bool has_calls;      /* a client's call is whole */
};

static inline struct tk_resp *tk_resp_of(const struct tk_stream_turn *t)
{
    return t->own;
}

/* ---- resp_items.c: return what tk_turn_format.read() does ---- */

int tk_resp_item_added(struct tk_stream_turn *t, int64_t index, struct tk_val item);
int tk_resp_item_done(struct tk_stream_turn *t, int64_t index, struct tk_val item);
struct tk_resp_item *tk_resp_item_at(struct tk_stream_turn *t, int64_t index);

/* A delta of a client call's input. */
int tk_resp_input_delta(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val delta);

/* ---- resp_texts.c ---- */

enum tk_run_kind;

/* Returns the text of a content part; adds it. NULL without memory. */
struct tk_resp_text *tk_resp_text_at(struct tk_stream_turn *t, struct tk_resp_item *item,
                                     int64_t index, enum tk_run_kind kind);
int tk_resp_text_delta(struct tk_stream_turn *t, struct tk_resp_item *item, int64_t index,
                       struct tk_val delta, enum tk_run_kind kind);
int tk_resp_annotation(struct tk_stream_turn *t, struct tk_resp_item *item, int64_t index,
                       struct tk_val annotation);
void tk_resp_reasoning_delta(struct tk_stream_turn *t, struct tk_resp_item *item,
                             const char *member, int64_t index, struct tk_val delta);

/* End the texts of an item with what its end tells and deltas didn't. Returns 0 or -ENOMEM. */
int tk_resp_message_done(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v);
int tk_resp_reasoning_done(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v);

/* Tells the rest of a text: what of the whole didn't come in deltas. */
void tk_resp_tell_rest(struct tk_stream_turn *t, struct tk_text_run *run,
                       const struct tk_text *came, struct tk_val whole,
                       const struct tk_extra *extra);

/* ---- resp_end.c, resp_entries.c: functions of tk_turn_format ---- */

void tk_resp_settle(struct tk_stream_turn *t);
void tk_resp_end(struct tk_stream_turn *t, bool done);
void tk_resp_write_entries(struct tk_stream_turn *t, const struct tk_choice *choice,
                           struct tk_writer *w);
void tk_resp_write_turn(struct tk_stream_turn *t, struct tk_writer *w);
struct tk_str tk_resp_output_type(const struct tk_turn_part *call);

#endif
