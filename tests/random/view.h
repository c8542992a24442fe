/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A history as RULES.md section 1 reads it, once more and plainly, for properties that want to know
 * what a part is. It judges nothing.
 */
#ifndef TK_TESTS_RANDOM_VIEW_H
#define TK_TESTS_RANDOM_VIEW_H

#include "value/doc.h"

enum view_kind {
    VIEW_TEXT,
    VIEW_THINKING,
    VIEW_CALL,
    VIEW_RESULT,
    VIEW_OTHER,
};

struct view_part {
    enum view_kind kind;
    bool provider;    /* runs what it calls */
    bool signed_;     /* thinking that somebody vouched for */
    bool invisible;   /* never reaches the wire */
    struct tk_str id; /* of calls and results, empty where it is no string; else p is NULL */
    struct tk_val value;
    struct tk_val
        data; /* of Bedrock and Gemini: what the member that says what the part is contains */
    uint32_t message, index;
};

struct view_message {
    char role;             /* 'u', 'a', 's', '?'; of Chat also 't'; '-': no message */
    bool transparent;      /* parts no turn */
    uint32_t first, count; /* its parts */
    uint32_t turn;         /* neighbours of one role share one; transparent ones: no matter */
    struct tk_val value;
};

struct view {
    struct view_message *messages;
    struct view_part *parts;
    uint32_t count, part_count;
    uint32_t
        uncounted; /* parts that part_count of an answer leaves out: calls of an unknown role */
};

/*
 * Reads the messages into a view, in the arena. dialect: as in the parameters; absent means
 * anthropic.
 */
struct view view_of(struct tk_val messages, struct tk_val dialect, struct tk_arena *arena);

/*
 * Reads the messages of Chat Completions, or the items of Responses, into a view, in the arena. Parts are
 * what findings count (PROVIDERS.md 1.1): of an assistant message its calls, too; an item that is no
 * message has none. All but calls and texts are VIEW_OTHER.
 */
struct view view_of_entries(struct tk_val list, bool items, struct tk_arena *arena);

/*
 * Reads the messages of Bedrock, or the contents of Gemini, into a view, in the arena. Roles are those that
 * they are read with, turns are runs; content that is no list has no parts.
 */
struct view view_of_blocks(struct tk_val list, bool gemini, struct tk_arena *arena);

/* Returns the first member of an object with one of two names; absent: it has none, or null. */
struct tk_val view_member(struct tk_val v, const char *name, const char *other);

/* The part of a message; NULL where it has no such part. */
const struct view_part *view_part(const struct view *view, int64_t message, int64_t index);

#endif
