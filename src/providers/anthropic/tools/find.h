/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools of a request (CATALOGUE 3.9): the list `tools`, which of them the model is told to call
 * (`tool_choice`), and parts of the history that use a tool by its name:
 *
 *     a call of the provider's that isn't finished    its tool must still be offered
 *     "tool_reference" in a result                    the search for tools found this one
 *     "tool_addition", "tool_removal"                 a message that changes what is offered
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TOOLS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_TOOLS_FIND_H

#include "engine/judge.h"

/* Reads which tools the request offers, and finds faults of the list and of `tool_choice`. Returns 0
 * or -ENOMEM. */
int tk_judge_tools(struct tk_judge *j);

/* Finds parts that use a tool which isn't offered. Runs after tk_judge_tools(). Returns 0, -ENOMEM
 * or -ECANCELED. */
int tk_judge_tool_uses(struct tk_judge *j);

/* ---- for the fixes ---- */

/* Returns the list in a result that may refer to tools, or TK_NO_VAL: the content of the client's
 * result, or what the provider's search for tools found. */
struct tk_val tk_tool_references(const struct tk_part *result);

/* Returns true if a block refers to a tool that isn't offered. */
bool tk_is_unknown_reference(const struct tk_judge *j, struct tk_val block);

#endif
