/* SPDX-License-Identifier: Apache-2.0 */
/* How a provider's tools are told apart when lists of them are merged (OPERATIONS.md part B). */
#ifndef TK_PROVIDERS_TOOLS_H
#define TK_PROVIDERS_TOOLS_H

#include "value/digest.h"
#include "value/doc.h"

/*
 * What an entry of `tools` must not share with another: its name, the server it stands for, its
 * kind. An entry has one key; one of Gemini's, whose members are tools of their own, has one for
 * each member.
 */
struct tk_tool_key {
    struct tk_str text;    /* to be compared; tells kinds of keys apart */
    struct tk_str name;    /* what people call it */
    struct tk_str family;  /* which built-in tool it is: its type without the date */
    struct tk_val value;   /* what two of one key are compared by */
    struct tk_digest hash; /* of the value, if `hashed` */
    uint32_t date;         /* at the end of its type, 20260318; 0: none */
    uint32_t tool;         /* the entry that has it */
    bool function;         /* the client's own, not the provider's */
    bool hashed;
};

struct tk_tool_keys {
    struct tk_arena *arena;
    struct tk_tool_key *list;
    uint32_t count, capacity;
};

/* The member `tools` of a provider's row. */
struct tk_tool_rules {
    /* Appends the keys of one entry. Returns 0 or -ENOMEM. */
    int (*read_keys)(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool);
    bool has_betas; /* a request names what it needs of them in a header */
    /* True if an entry holds a list of functions, which never clash; NULL: no entry does. */
    bool (*has_functions_in_entries)(struct tk_val entry, struct tk_arena *arena);
};

/* ---- for the files of providers ---- */

/* Appends a key, whose text becomes "KIND:NAME". Returns 0 or -ENOMEM. */
int tk_tool_key_add(struct tk_tool_keys *keys, struct tk_tool_key key, const char *kind);

/* Appends the key of an entry that has no name: its value. Such an entry clashes with no other, but
 * isn't wanted twice. Returns 0 or -ENOMEM. */
int tk_tool_key_add_unnamed(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool);

/* Returns the text of an entry's member; p NULL if that is no string. */
struct tk_str tk_tool_member(const struct tk_tool_keys *keys, struct tk_val entry, const char *key);

#endif
