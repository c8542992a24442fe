/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form of ids (CATALOGUE 3.1, 3.6). Histories that were made with another provider, or by a
 * counter, hold ids that Anthropic refuses: "functions.Bash:0", "call_1" for a server tool.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_IDS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_IDS_FIND_H

#include "engine/judge.h"

/*
 * Returns true if the id has the form of a client tool's ids, or with `server` of a server tool's.
 */
bool tk_id_is_good(struct tk_str id, bool server);

/*
 * Returns an id of the right form in place of a wrong one, always the same for the same id: foreign
 * characters become `_`, the id is cut, and a hash of the old id keeps different ids apart
 * (RULES.md 6.5). `.p == NULL`: out of memory.
 */
struct tk_str tk_new_id(struct tk_arena *arena, struct tk_str old, bool server);

/* Returns true for calls and results of MCP tools, whose ids have another form. */
bool tk_is_mcp(const struct tk_transcript *t, const struct tk_part *p);

/* Finds ids that the provider would refuse. Returns 0 or -ENOMEM. */
int tk_judge_ids(struct tk_judge *j);

#endif
