/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form of ids (CATALOGUE 3.1, 3.6). Histories that were made with another provider, or by a
 * counter, hold ids that Anthropic refuses: "functions.Bash:0", "call_1" for a server tool.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_IDS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_IDS_FIND_H

#include "history/history.h"

/* Whether an id has the form of a client's (or a server tool's) ids. */
bool tk_id_is_good(struct tk_str id, bool server);

/*
 * An id of the right form for one that hasn't it, always the same for the same id: foreign
 * characters become `_`, the rest is cut, and a hash of the old id keeps different ones apart
 * (RULES.md 6.5). p NULL without memory.
 */
struct tk_str tk_new_id(struct tk_arena *arena, struct tk_str old, bool server);

/* Calls and results of MCP tools have ids of another form. */
bool tk_is_mcp(const struct tk_transcript *t, const struct tk_part *p);

#endif
