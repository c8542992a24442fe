/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dialect is a message shape: how a document becomes a transcript, and how the few things that
 * repair writes (a text, an error result, a marker) look in it. Dialects say what things are,
 * never whether they are right: that is for src/rules.
 */
#ifndef TK_SHAPES_SHAPE_H
#define TK_SHAPES_SHAPE_H

#include "history/history.h"
#include "value/writer.h"

/* What a result says of a call that nobody ran. */
#define TK_NOT_EXECUTED "Not executed."

/* Longest path of member names from a part to a place in it. */
#define TK_PATH_MAX 5

/* Member names from the outside in; NULL-terminated. */
struct tk_path {
    const char *keys[TK_PATH_MAX];
};

/* What the shape of a part's result is known by, for the tables of
 * providers/anthropic/provider_pairs/server_tools.h. */
struct tk_result_view {
    struct tk_val content;  /* what the provider's tool gave back; not there where it is missing */
    struct tk_str type;     /* the wire's result type, "web_search_tool_result"; p NULL: unknown */
    struct tk_val metadata; /* fantasy: the typed metadata's data */
    bool unserializable;    /* fantasy: no typed metadata, so its adapter can't send it */
};

/* What a role is called, and what follows from it (TK_MESSAGE_* flags). */
struct tk_role_name {
    struct tk_str name;
    uint8_t role;
    uint32_t flags;
};

/* The wire's roles; and those of libraries whose adapters lift system messages out and keep the
 * client's results in messages of their own. */
extern const struct tk_role_name tk_wire_roles[], tk_adapter_roles[];

struct tk_shape {
    const char *name;
    struct tk_str
        root; /* the member of a body that holds the list of messages, as a pointer: "/messages" */
    struct tk_str
        parts; /* the member of a message that holds its parts, as a pointer: "/content" */
    /* Returns true if a message has no list of parts but is itself a part, as an item of a flat
     * list is. NULL: none is. */
    bool (*is_whole)(struct tk_val message);
    bool wire;               /* the provider's own shape: rules about blocks and ids look at it */
    bool string_input;       /* a call's input is JSON in a string */
    bool bare_tool_messages; /* messages of role `tool` hold results and never text */
    bool tool_messages;      /* the client's results stand in messages of role `tool` */
    bool named_results;      /* a result is judged by the name of its call, not by a type */
    bool empty_left_out;     /* the adapter leaves out empty turns, and those that contain only
                                reasoning and files */
    bool trims_end;          /* the adapter trims the last text of the history */
    bool no_blank_marked;    /* a blank text can't carry a cache marker */
    bool system_is_string;   /* a system message has no parts, so two of them never merge */

    const struct tk_role_name *roles; /* ended by name p NULL */
    /* Fills kind, flags and nodes of a part whose doc and node are set; `m` holds it. */
    void (*read_part)(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena);
    /* What a provider-executed result holds, in the wire's terms. */
    struct tk_result_view (*result)(const struct tk_part *p, struct tk_arena *arena);
    /* Returns true if an invisible part asks for the user's leave to run a call, whose id it has.
     * NULL: the dialect has none. */
    bool (*asks_approval)(const struct tk_part *p);
    /* Returns true if a call is MCP's. NULL: its type says so, or the dialect has no MCP. */
    bool (*is_mcp)(const struct tk_part *call);
    /* The wire's types of results that write_error_result() can write; ended by p NULL. NULL: all
     * that CATALOGUE 5.1 lists, and MCP's. */
    const struct tk_str *error_results;

    /* Writes a text part. text: an encoded string. marker: the encoded value of a cache marker as
     * it stands under `cache_marker`, or p NULL. */
    void (*write_text)(struct tk_writer *w, struct tk_str text, struct tk_str marker);
    /* Writes the error result that answers a provider's call: "unavailable". */
    void (*write_error_result)(struct tk_writer *w, const struct tk_part *call, struct tk_str id,
                               struct tk_str result_type);
    /* Writes the client's result that says of its call: not executed. */
    void (*write_unexecuted)(struct tk_writer *w, const struct tk_part *call, struct tk_str id);
    struct tk_path call_id;      /* from a call to its id */
    struct tk_path result_id;    /* from a result to the id of its call */
    struct tk_path input;        /* from a call to its input */
    struct tk_path cache_marker; /* from a part to its cache marker */
    struct tk_str marker_type;   /* fantasy: the options there are a marker if this is their type */
    struct tk_path text;         /* from a text part to its text */
    struct tk_path thinking;     /* from a thinking part to what it says */
    struct tk_path citations;    /* from a text part to its citations; empty: it has none */
    struct tk_path hits;         /* from a provider's result to what may be a list of hits */
    struct tk_path caller;       /* from a part to its caller */
    struct tk_path options;      /* from a part to its provider options; empty: has none */
    struct tk_path caller_id;    /* from the caller to the id it names */
    const char *message_options; /* a message's member with its provider options; NULL: has none */
    /* Further members of a message that the dialect knows, ended by p NULL; NULL: none. */
    const struct tk_str *message_members;
    /* TK_ASKED_* of format.h; 0: no history is taken for one of another format. */
    unsigned asked;
};

extern const struct tk_shape tk_shape_anthropic;
extern const struct tk_shape tk_shape_fantasy;
extern const struct tk_shape tk_shape_ai_sdk;

/* The name of the member that holds a message's parts. */
static inline struct tk_str tk_parts_name(const struct tk_shape *d)
{
    return (struct tk_str){d->parts.p + 1, d->parts.n - 1};
}

/* All of them, NULL-terminated. */
extern const struct tk_shape *const tk_shapes[];

/* By name; NULL when there is none of that name. */
const struct tk_shape *tk_shape_by_name(struct tk_str name);

/* A string with something in it: what a signature must be to count. */
bool tk_has_text(struct tk_val v);

/* Returns true for role, content, provider options and further members that the dialect knows. */
bool tk_dialect_knows(const struct tk_shape *d, struct tk_val member);

/* Fills role, flags, content and options of a message whose node is set. */
void tk_shape_read_message(const struct tk_shape *d, struct tk_message *m, struct tk_arena *arena);

/* Follows a path; not there where a step is missing or isn't an object. */
struct tk_val tk_path_get(struct tk_val v, const struct tk_path *path);

/* Returns true if the message has no parts but blank texts. */
bool tk_says_nothing(const struct tk_transcript *t, uint32_t message);

#endif
