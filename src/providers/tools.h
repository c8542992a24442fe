/* SPDX-License-Identifier: Apache-2.0 */
/* Keys by which a provider's tools are told apart when lists of them are merged (OPERATIONS.md
 * part B). */
#ifndef TK_PROVIDERS_TOOLS_H
#define TK_PROVIDERS_TOOLS_H

#include "value/digest.h"
#include "value/doc.h"

/*
 * Key of a tool: two entries of `tools` must not share one. It is a name, a server, or a kind of
 * built-in tool. An entry has one key, except for Gemini's, whose members are tools of their own
 * and have one each.
 */
struct tk_tool_key {
    struct tk_str text;    /* compared; differs between kinds of keys */
    struct tk_str name;    /* name for people */
    struct tk_str family;  /* built-in tool: the type without its date */
    struct tk_val value;   /* compared if two entries have one key */
    struct tk_digest hash; /* of the value, if `hashed` */
    uint32_t date;         /* at the end of its type, 20260318; 0: none */
    uint32_t tool;         /* index of the entry */
    bool function;         /* a function of the client, not the provider's tool */
    bool hashed;
};

struct tk_tool_keys {
    struct tk_arena *arena;
    struct tk_tool_key *list;
    uint32_t count, capacity;
};

struct tk_named_tools;

/* The member `tools` of a provider's row. */
struct tk_tool_rules {
    const struct tk_named_tools *named; /* tools asked for by name; NULL: none (named_tools.h) */
    const char *servers; /* member of a request: servers that its tools refer to; NULL: none */
    /* Appends the keys of one entry. Returns 0 or -ENOMEM. */
    int (*read_keys)(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool);
    /* Returns true if an entry holds a list of functions, which never clash; NULL: no entry does. */
    bool (*has_functions_in_entries)(struct tk_val entry, struct tk_arena *arena);
    /* Returns bits that say what an entry is. The provider refuses requests whose entries together
     * have all bits of `incompatible`. NULL: no entries are incompatible. */
    unsigned (*kinds)(struct tk_val entry, struct tk_arena *arena);
    unsigned incompatible;
};

/* ---- for the files of providers ---- */

/* Appends a key, whose text becomes "KIND:NAME". Returns 0 or -ENOMEM. */
int tk_tool_key_add(struct tk_tool_keys *keys, struct tk_tool_key key, const char *kind);

/* Appends the key of an entry that has no name: its value. Such an entry clashes with no other, but
 * isn't wanted twice. Returns 0 or -ENOMEM. */
int tk_tool_key_add_unnamed(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool);

/* Returns the text of an entry's member; `.p == NULL` if that is no string. */
struct tk_str tk_tool_member(const struct tk_tool_keys *keys, struct tk_val entry, const char *key);

#endif
