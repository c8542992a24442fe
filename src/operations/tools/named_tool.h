/* SPDX-License-Identifier: Apache-2.0 */
/* Tools asked for by name: looks an addition up in the provider's tables (providers/named_tools.h)
 * and writes the entries that it asks for. */
#ifndef TK_OPERATIONS_TOOLS_NAMED_TOOL_H
#define TK_OPERATIONS_TOOLS_NAMED_TOOL_H

#include "operations/refusal.h"
#include "providers/named_tools.h"

struct tk_provider;

/* Returns true if an addition asks for a tool by name: a string, or an object with `want`. */
bool tk_is_named_tool(struct tk_val addition);

/* A tool that was looked up and checked: writing it can't fail. */
struct tk_named_tool {
    const struct tk_named_tools *tables;
    const struct tk_named_tool_form *form;
    struct tk_val options; /* may be absent */
    const char *date;      /* NULL: the form has none */
};

/* Returns 0, TK_REFUSED with *refusal filled, or -ENOMEM. */
int tk_named_tool_read(struct tk_val addition, const struct tk_provider *provider,
                       struct tk_arena *arena, struct tk_named_tool *ret,
                       struct tk_refusal *refusal);

/* Writes its entry of `tools`. */
void tk_named_tool_write_tool(struct tk_writer *w, const struct tk_named_tool *tool);

/* Writes its entry of the request's servers; null if it needs none. */
void tk_named_tool_write_server(struct tk_writer *w, const struct tk_named_tool *tool);

#endif
