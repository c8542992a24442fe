/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values that deltas add up to, by the rules of STREAM-PROVIDERS.md section 5:
 *
 *     strings       are appended; some members of objects are replaced (`type`, `id`, `name`, ...)
 *     objects       are merged, member by member
 *     lists         entries join an entry of the list (enum tk_merge_rule), or are appended
 *     null          changes nothing
 *     other values  replace, and so do values that are nested deeper than TK_CHAT_DEPTH
 *
 * A value that came once is kept as it came; it is taken apart only when a second one comes. All
 * memory is the stream's. Without memory functions go on; the arena remembers it.
 */
#ifndef TK_PROVIDERS_OPENAI_CHAT_STREAM_CHAT_MERGE_H
#define TK_PROVIDERS_OPENAI_CHAT_STREAM_CHAT_MERGE_H

#include "stream/turn/decoder.h"

/* Tells which entry of a list an entry joins. */
enum tk_merge_rule {
    TK_MERGE_INDEXED, /* the one that has its `index` and `type` */
    TK_MERGE_DETAILS, /* `reasoning_details`: the last one, if it is a text or summary with both */
    TK_MERGE_CONTENT, /* `content`: the last one, if both are of type `text` or of type `thinking` */
};

/* Merging and writing follow the nesting of values, on a stack that may be small (src/wasm). */
#define TK_CHAT_DEPTH 16

enum tk_chat_value_kind {
    TK_CHAT_VALUE_KEPT,   /* as it came */
    TK_CHAT_VALUE_TEXT,   /* a string of several pieces */
    TK_CHAT_VALUE_OBJECT, /* members */
    TK_CHAT_VALUE_LIST,   /* entries; the name of one is what it is joined by */
    TK_CHAT_VALUE_PLACE,  /* where the owner writes a member itself */
};

struct tk_chat_values;

struct tk_chat_value {
    struct tk_str name;
    uint8_t kind;       /* enum tk_chat_value_kind */
    uint8_t value_kind; /* enum tk_kind, of a kept value */
    uint8_t rule;       /* enum tk_merge_rule, of lists in it */
    uint8_t place;      /* the owner's number of a place */
    uint8_t depth;      /* how many values it is in */
    union {
        struct tk_kept kept;
        struct tk_text text;
        struct tk_chat_values *group;
    };
};

/* Members in the order in which they first came; the zeroed struct has none. */
struct tk_chat_values {
    struct tk_chat_value *all;
    uint32_t count, capacity;
    uint32_t last;          /* the one that was found last */
    uint8_t depth;          /* how many values they are in */
    struct tk_map *by_name; /* NULL while there are few */
};

/* Merges a member into a group. `top`: of the message or call itself, where nothing is replaced
 * because of its name. */
void tk_merge_member(struct tk_stream_turn *t, struct tk_chat_values *group, struct tk_val member,
                     enum tk_merge_rule rule, bool top);

/* Notes where the owner writes a member itself, unless that is known. */
void tk_merge_place(struct tk_stream_turn *t, struct tk_chat_values *group, struct tk_str name,
                    uint8_t place);

/* Returns the member of a name; NULL if it hasn't come. */
struct tk_chat_value *tk_chat_value_find(struct tk_chat_values *group, struct tk_str name);

/* Returns true if a value, which may be NULL, is more than null, "" and []; for a string with `blank`
 * also more than white space. */
bool tk_chat_value_says(struct tk_stream_turn *t, const struct tk_chat_value *m, bool blank);

/* Writes the members of a group into an open map. `put` writes a place, with its key. */
typedef void tk_put_place(struct tk_stream_turn *t, const struct tk_chat_value *place,
                          const void *arg, struct tk_writer *w);
void tk_chat_value_write(struct tk_stream_turn *t, const struct tk_chat_values *group,
                         struct tk_writer *w, tk_put_place *put, const void *arg);

#endif
