/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a provider writes the events of a message of blocks: tables and functions. src/stream reads each
 * event and each block with them, and makes events of its own with them. What follows from an event
 * (which halves pair, what may leave, how the stream ends) src/stream alone decides.
 */
#ifndef TK_STREAM_BLOCK_FORMAT_H
#define TK_STREAM_BLOCK_FORMAT_H

#include "stream/event.h"
#include "stream/format.h"
#include "value/writer.h"

/* ---- what is read ---- */

/* Facts about the message that an event brings. Absent: the event doesn't tell. */
struct tk_stream_facts_view {
    struct tk_val id, model, stop_reason, stop_sequence, stop_details, container, usage;
};

/* Details that an error event tells. */
struct tk_stream_error_view {
    struct tk_val type, message, request_id;
};

/* The members of a block that pairing needs. A string that is absent or no string has `.p == NULL`.
 */
struct tk_stream_block_view {
    uint8_t role;  /* enum tk_block_role */
    bool unlisted; /* a call of a tool that the provider's table doesn't list */
    struct tk_str type, name;
    struct tk_str id;     /* of a call; of a result: the id of its call */
    struct tk_str caller; /* id of the call whose tool made this call; `.p == NULL`: none did */
};

struct tk_stream_result_view {
    struct tk_str type;
    struct tk_str name;       /* the tool's, as far as the result's type tells */
    struct tk_val content;    /* absent if it has none */
    struct tk_val error_code; /* absent if it has none */
    struct tk_val sources;    /* list of what read_source() reads; absent if it has none */
    bool is_error;
};

/* ---- tables ---- */

/* If a stop reason excuses calls that have no result yet: their results come in a later message. */
enum tk_excuse {
    TK_EXCUSE_NEVER,
    TK_EXCUSE_WITH_CLIENT_CALL, /* if the message also calls a tool of the client */
    TK_EXCUSE_ALWAYS,
};

struct tk_stop_reason {
    struct tk_str name;
    uint8_t reason; /* enum tk_finish_reason */
    uint8_t excuse; /* enum tk_excuse */
};

/* Names of the members of a block that hold what it consists of; `.p == NULL`: it has no such
 * member. Members that only deltas brought are added to the block in this order. */
struct tk_block_members {
    struct tk_str text;   /* a string that deltas add to */
    struct tk_str list;   /* a list that deltas add to */
    struct tk_str latest; /* a value that deltas replace */
    struct tk_str input;  /* of a call */
};

/* Functions and tables are required. */
struct tk_block_format {
    /* ---- events ---- */

    /* Returns the event type of a name; TK_EVENT_UNKNOWN for other names. */
    enum tk_event_type (*event_type)(struct tk_str name);
    /* Reads one event. Returns 0, or TK_EVENT_MALFORMED if its shape is not that of its type; then
     * ret->type_text is set if the type could be read. Strings may be in the arena. */
    int (*read_event)(struct tk_val root, struct tk_arena *arena, struct tk_event *ret);
    /* Reads the facts that a start or a delta of the message brings. */
    void (*read_facts)(const struct tk_event *e, struct tk_stream_facts_view *ret);
    void (*read_error)(const struct tk_event *e, struct tk_stream_error_view *ret);
    /* Returns true if a whole response is an error event. */
    bool (*is_error)(struct tk_val response);
    /* Writes the event that starts a message which contains a whole response. */
    void (*write_start)(struct tk_writer *w, struct tk_val response);
    /* Writes the error that an error event has in it. */
    void (*write_error)(struct tk_writer *w, bool retryable, struct tk_str text);
    /* Writes an error event with that error in it. */
    void (*write_error_event)(struct tk_writer *w, bool retryable, struct tk_str text);
    struct tk_str ping, message_stop; /* whole events in JSON */

    /* names of members: */
    struct tk_str index;   /* of an event: the index of its block */
    struct tk_str block;   /* of a block's start: the block */
    struct tk_str message; /* of a message's start: the message */
    struct tk_str blocks;  /* of a message: its blocks */

    /* ---- the message ---- */

    const struct tk_stop_reason *stop_reasons; /* ended by `.name.p == NULL` */
    struct tk_str counters[TK_TOKENS];         /* members of a usage */
    const struct tk_str *transient_errors; /* types of errors that may go away by themselves; ended
                                              by `.p == NULL` */
    /* Writes the assembled message up to its open list of blocks; ends it after the last one. */
    void (*begin_message)(struct tk_writer *w);
    void (*end_message)(struct tk_writer *w);
    /*
     * Seals of the assembled message: digests of its blocks. seal_block() stores what the seal
     * tells of one block at `ret`, `sealed_size` bytes; strings go to `keep`, all else to
     * `scratch`. write_seal() writes the seal of all blocks stored so.
     */
    size_t sealed_size;
    void (*seal_block)(void *ret, struct tk_val block, struct tk_arena *keep,
                       struct tk_arena *scratch);
    void (*write_seal)(struct tk_writer *w, const void *sealed, size_t n);

    /* ---- blocks ---- */

    struct tk_stream_block_view (*read_block)(struct tk_val block, struct tk_arena *arena);
    struct tk_block_members members[TK_STREAM_BLOCK_ROLES];
    struct tk_str redacted_data; /* member of redacted reasoning: what only the provider can read */
    struct tk_str handover;      /* type of TK_STREAM_BLOCK_HANDOVER; `.p == NULL`: there is none */

    /* ---- tools that the provider runs ---- */

    /* Returns the only type of result that answers a call of that type and name. `.p == NULL`: the
     * tool is unlisted, and each type that answers no listed tool does. */
    struct tk_str (*result_type)(struct tk_str type, struct tk_str name);
    /* Returns true if results of that type answer a listed tool. */
    bool (*is_listed_result)(struct tk_str result_type);
    void (*read_result)(struct tk_val block, struct tk_arena *arena,
                        struct tk_stream_result_view *ret);
    /* Reads one element of a result's sources. Returns false if it is none. */
    bool (*read_source)(struct tk_val v, struct tk_stream_source_view *ret);
    const struct tk_copied_member *copied_of_call, *copied_of_result;
};

/* Returns a member by a name of the tables above; absent if the table has no name. */
static inline struct tk_val tk_named(struct tk_val v, struct tk_str name)
{
    return name.p ? tk_get(v, name) : TK_NO_VAL;
}

#endif
