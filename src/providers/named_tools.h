/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools asked for by name: one name for a tool that providers name differently (OPERATIONS.md B.3).
 *
 *     "web_search"   anthropic          {"type": "web_search_20260318", "name": "web_search", ...}
 *                    openai-responses   {"type": "web_search"}
 *                    gemini             {"google_search": {}}
 *
 * A provider's forms of the tools and of their options are data, in its named_tools.c.
 */
#ifndef TK_PROVIDERS_NAMED_TOOLS_H
#define TK_PROVIDERS_NAMED_TOOLS_H

#include "value/writer.h"

/* The form of a tool. */
struct tk_named_tool_form {
    const char *want;
    const char *type;         /* without its date, if it has dates */
    const char *name;         /* the entry's name; NULL: it has none */
    const char *const *dates; /* newest first, ended by NULL; NULL: it has none */
    const char *variant;      /* the form for this value of the option `variant` */
    bool keyed;               /* {type: {options}} instead of {"type": type, options} */
    /* Writes the entry of the request's servers that the tool needs. NULL: it needs none. */
    void (*write_server)(struct tk_writer *w, struct tk_val options);
};

/* A row of forms: want, type, and the other members by name. */
#define TK_NAMED_TOOL(want_, ...)                                                                  \
    {                                                                                              \
        .want = (want_), .type = __VA_ARGS__                                                       \
    }

/* How an option is written that doesn't simply become a member of the entry. */
enum tk_option_use {
    TK_OPTION_RENAMED,
    TK_OPTION_INSIDE, /* a member of the object `target` */
    TK_OPTION_CONSUMED,
    TK_OPTION_UNSUPPORTED,
};

struct tk_named_tool_option {
    const char *want;
    const char *option;
    enum tk_option_use use;
    const char *target;
};

/* An option without which the provider refuses the tool. */
struct tk_named_tool_requirement {
    const char *want;
    const char *option;
    const char *instead; /* an option that may be sent instead, or NULL */
    enum tk_kind kind;   /* TK_STRING, or TK_ARRAY that isn't empty */
};

/* A member that an entry gets unless an option says otherwise. */
struct tk_named_tool_default {
    const char *want;
    const char *since; /* for types of this date and later; NULL: always */
    const char *member;
    const char *key; /* {key: text}; NULL: [text] */
    const char *text;
};

/* Each list ends with a row that has `want == NULL`; NULL: it has no rows. */
struct tk_named_tools {
    const struct tk_named_tool_form *forms;
    const struct tk_named_tool_option *options;
    const struct tk_named_tool_requirement *requirements;
    const struct tk_named_tool_default *defaults;
};

/* Returns true if the option is present and neither null nor an empty list. */
static inline bool tk_is_option_given(struct tk_val option)
{
    return tk_exists(option) && !tk_is(option, TK_NULL) &&
           !(tk_is(option, TK_ARRAY) && !tk_exists(tk_first(option)));
}

#endif
