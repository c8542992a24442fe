/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools asked for by name: one name for a tool that providers name differently (OPERATIONS.md B.3).
 *
 *     "web_search"   anthropic          {"type": "web_search_20260318", "name": "web_search", ...}
 *                    openai-responses   {"type": "web_search"}
 *                    gemini             {"google_search": {}}
 *
 * Each provider's form of a tool and its options is data, in named_tool_table.c.
 */
#ifndef TK_OPERATIONS_TOOLS_NAMED_TOOL_H
#define TK_OPERATIONS_TOOLS_NAMED_TOOL_H

#include "operations/refusal.h"
#include "providers/registry.h"
#include "value/writer.h"

/* Sets of providers. */
#define TK_FOR(provider) (1u << TK_PROVIDER_##provider)

/* The form of a tool on some providers. */
struct tk_named_tool_form {
    const char *want;
    unsigned providers;
    const char *type;         /* without its date, where it has dates */
    const char *name;         /* the entry's name; NULL: it has none */
    const char *const *dates; /* newest first, ended by NULL; NULL: it has none */
    const char *variant;      /* the form for this value of the option `variant` */
    bool keyed;               /* {type: {options}} instead of {"type": type, options} */
    bool has_server;          /* it needs an entry of `mcp_servers`, too */
};

/* How an option is written that doesn't simply become a member of the entry. */
enum tk_option_use {
    TK_OPTION_RENAMED,
    TK_OPTION_INSIDE, /* a member of the object `target` */
    TK_OPTION_CONSUMED,
    TK_OPTION_UNSUPPORTED,
};

struct tk_named_tool_option {
    const char *want;
    unsigned providers;
    const char *option;
    enum tk_option_use use;
    const char *target;
};

/* An option without which the provider refuses the tool. */
struct tk_named_tool_requirement {
    const char *want;
    unsigned providers;
    const char *option;
    const char *instead; /* another one that will do, or NULL */
    enum tk_kind kind;   /* TK_STRING, or TK_ARRAY that isn't empty */
};

/* A member that an entry gets unless an option says otherwise. */
struct tk_named_tool_default {
    const char *want;
    unsigned providers;
    const char *since; /* for types of this date and later; NULL: always */
    const char *member;
    const char *key; /* {key: text}; NULL: [text] */
    const char *text;
};

/* Each ends with a row that has `want == NULL`. */
extern const struct tk_named_tool_form tk_named_tool_forms[];
extern const struct tk_named_tool_option tk_named_tool_options[];
extern const struct tk_named_tool_requirement tk_named_tool_requirements[];
extern const struct tk_named_tool_default tk_named_tool_defaults[];

/* True if an addition asks for a tool by name: a string, or an object with `want`. */
bool tk_is_named_tool(struct tk_val addition);

/* A tool that was looked up and checked: writing it can't fail. */
struct tk_named_tool {
    const struct tk_named_tool_form *form;
    unsigned provider;     /* a set of one */
    struct tk_val options; /* may be absent */
    const char *date;      /* NULL: the form has none */
};

/* Returns 0, TK_REFUSED with *refusal filled, or -ENOMEM. */
int tk_named_tool_read(struct tk_val addition, const struct tk_provider *provider,
                       struct tk_arena *arena, struct tk_named_tool *ret,
                       struct tk_refusal *refusal);

/* Writes its entry of `tools`. */
void tk_named_tool_write_tool(struct tk_writer *w, const struct tk_named_tool *tool);

/* Writes its entry of `mcp_servers`; null where it needs none. */
void tk_named_tool_write_server(struct tk_writer *w, const struct tk_named_tool *tool);

#endif
