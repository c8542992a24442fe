/* SPDX-License-Identifier: Apache-2.0 */
/* State of a merge, for the files of this folder. */
#ifndef TK_OPERATIONS_TOOLS_TOOLS_INSIDE_H
#define TK_OPERATIONS_TOOLS_TOOLS_INSIDE_H

#include "operations/tools/tools.h"
#include "providers/tools.h"

/* Facts about each entry of tools.list. */
struct tk_tool_facts {
    uint32_t first_key, key_count;
    bool has_declarations;
};

struct tk_tools_state {
    const struct tk_tools_input *in;
    struct tk_tools *out;
    struct tk_tool_facts *facts; /* by entry */
    struct tk_tool_keys keys;
    struct tk_map owners; /* from a key to its number, plus one */
    struct tk_doc
        *named; /* tools asked for by name: {"tools": [...], "servers": [...]}; NULL: none */
};

static inline const struct tk_tool_rules *tk_tools_rules(const struct tk_tools_state *s)
{
    return s->in->provider->tools;
}

static inline void tk_tools_note(struct tk_tools_state *s, enum tk_tools_note note)
{
    s->out->notes |= 1u << note;
}

/* Functions below that return int return 0, -ENOMEM, or TK_REFUSED with s->out->refusal filled. */

/* ---- named_entries.c ---- */

/* Makes entries of the tools that `add` asks for by name, in their order: s->named. */
int tk_tools_make_named(struct tk_tools_state *s);

/* Returns one of the two lists by its name; absent if `add` names no tool. */
static inline struct tk_val tk_tools_named_list(const struct tk_tools_state *s, struct tk_str list)
{
    return s->named ? tk_get(tk_root(s->named), list) : TK_NO_VAL;
}

/* ---- merge.c ---- */

/* Merges base and additions into out->tools. */
int tk_tools_merge_entries(struct tk_tools_state *s);

/* ---- servers.c ---- */

/* Merges the servers that tools asked for by name need. */
int tk_tools_merge_servers(struct tk_tools_state *s);

/* ---- tools.c ---- */

/* Allocates a list for the entries of a base and `more`, and fills in the base's. */
int tk_merged_init(struct tk_merged *m, struct tk_val base, size_t more, struct tk_arena *arena);

/* Returns true if two values are equal in canonical form (part C). */
bool tk_same_value(struct tk_val a, struct tk_val b, struct tk_arena *arena);

/* Marks the base's entries that were replaced, and the list if it changed. Call it after the merge.
 * */
void tk_merged_settle(struct tk_merged *m, struct tk_arena *arena);

#endif
