/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tools (OPERATIONS.md B.1): additions merged into a request's tools, additively.
 *
 *     base   [a, web_search_20250305, b]
 *     add    ["web_search", c]
 *     ->     [a, web_search_20260318, b, c]
 *
 * Base entries keep their order and bytes; an entry that replaces one takes its place; new entries
 * are added at the end. Entries with one key are one tool (providers/tools.h): they must be equal,
 * or the later one must be newer.
 *
 * Values may be of several documents in one codec; the outcome refers to them. The time is linear
 * in the entries.
 */
#ifndef TK_OPERATIONS_TOOLS_TOOLS_H
#define TK_OPERATIONS_TOOLS_TOOLS_H

#include "operations/refusal.h"
#include "providers/provider.h"
#include "value/hash.h"
#include "value/writer.h"

enum tk_tools_conflict {
    TK_TOOLS_REPLACE,        /* the later one wins; functions of one name are refused */
    TK_TOOLS_NEWEST,         /* the newer one wins */
    TK_TOOLS_KEEP_BASE,      /* the earlier one wins */
    TK_TOOLS_REPLACE_CUSTOM, /* like TK_TOOLS_REPLACE, but functions are replaced, too */
};

struct tk_tools_input {
    struct tk_arena *arena;
    const uint64_t *hash_key;
    enum tk_codec codec;
    struct tk_val tools;   /* the base: a list, null, or absent */
    struct tk_val request; /* the whole body; may be absent */
    struct tk_val add;     /* entries and names; absent: nothing is merged */
    const struct tk_provider *provider;
    enum tk_tools_conflict on_conflict;
    bool mid_conversation; /* the history holds an assistant message */
};

/* Changes, as the answer names them, in this order. */
#define TK_TOOLS_NOTES(X)                                                                          \
    X(DUPLICATE_DROPPED, "duplicate_dropped")                                                      \
    X(TOOL_REPLACED, "tool_replaced")                                                              \
    X(TOOL_DOWNGRADED, "tool_downgraded")                                                          \
    X(OLDER_VERSION_IGNORED, "older_version_ignored")                                              \
    X(ADDITION_IGNORED, "addition_ignored")                                                        \
    X(MCP_SERVER_REPLACED, "mcp_server_replaced")                                                  \
    X(TOOLS_CHANGED, "tools_changed_mid_conversation")                                             \
    X(MIXED_TOOLS, "mixed_tools_need_gemini_3")

enum tk_tools_note {
#define TK_TOOLS_NOTE_ENUM(id, text) TK_TOOLS_NOTE_##id,
    TK_TOOLS_NOTES(TK_TOOLS_NOTE_ENUM)
#undef TK_TOOLS_NOTE_ENUM
    TK_TOOLS_NOTE_COUNT,
};

/* An entry of a merged list. */
struct tk_tool {
    struct tk_val val; /* to be sent */
    struct tk_val was; /* of the base: as received */
    bool dropped;      /* of the base: an equal one precedes it */
    bool replaced;     /* of the base: another entry replaced it */
};

/* A list of the request after merging: the base's entries, then the added ones. */
struct tk_merged {
    struct tk_val base; /* the member as received: a list, null, or absent */
    struct tk_tool *list;
    uint32_t count, base_count;
    bool changed;
};

struct tk_tools {
    struct tk_merged tools;
    struct tk_merged servers;
    const char *servers_name; /* member of the request with the servers; NULL: it has none */
    uint32_t notes;           /* bits by enum tk_tools_note */
    struct tk_refusal refusal;
};

/* Returns 0; TK_REFUSED with only ret->refusal filled; or -ENOMEM. */
int tk_tools_merge(const struct tk_tools_input *in, struct tk_tools *ret);

/* Returns true if a list of messages contains an assistant message. */
bool tk_has_assistant_message(struct tk_val messages);

/* ---- the outcome on the wire ---- */

void tk_tools_write_notes(struct tk_writer *w, const struct tk_tools *t);

/* Writes a merged list. */
void tk_tools_write_list(struct tk_writer *w, const struct tk_merged *m);

/* Writes the MCP servers that were added or replaced as a list. */
void tk_tools_write_new_servers(struct tk_writer *w, const struct tk_tools *t);

/* Writes operations of a patch (RFC 6902) of the request body into an open list. */
void tk_tools_write_operations(struct tk_writer *w, const struct tk_tools *t);

#endif
