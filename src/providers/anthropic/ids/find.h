/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form of ids (CATALOGUE 3.1, 3.6). Histories that were made with another provider, or by a
 * counter, hold ids that Anthropic refuses: "functions.Bash:0", "call_1" for a server tool.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_IDS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_IDS_FIND_H

#include "engine/judge.h"
#include "engine/pairs/new_id.h"

/* The form of ids for tools of the provider. */
extern const struct tk_id_form tk_server_id_form;

/* Returns true for calls and results of MCP tools, whose ids have another form. */
bool tk_is_mcp(const struct tk_transcript *t, const struct tk_part *p);

/* Finds ids that the provider would refuse. Returns 0 or -ENOMEM. */
int tk_judge_ids(struct tk_judge *j);

#endif
