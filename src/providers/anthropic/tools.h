/* SPDX-License-Identifier: Apache-2.0 */
/* Tools of the Messages API: built-in ones are named and dated by their type. */
#ifndef TK_PROVIDERS_ANTHROPIC_TOOLS_H
#define TK_PROVIDERS_ANTHROPIC_TOOLS_H

#include "providers/tools.h"

extern const struct tk_tool_rules tk_anthropic_tools;
extern const struct tk_named_tools tk_anthropic_named_tools; /* named_tools.c */

/* Returns a type without "_20260318" at its end. *ret_date: that number, or 0. */
struct tk_str tk_tool_family(struct tk_str type, uint32_t *ret_date);

/* Returns true for a tool that runs code; *ret_old: the code is older than the one that web tools
 * run in. */
bool tk_is_code_execution(struct tk_str type, bool *ret_old);

/* Returns true for a web tool that runs in code and brings the tool for it along, unless the model
 * may only call it directly. */
bool tk_is_web_with_code(struct tk_str type);

/* Returns true if the value of `allowed_callers` names the model and nothing else. */
bool tk_is_direct_only(struct tk_val callers);

/* True for a toolset that the client runs: "computer_toolset_20260801". */
bool tk_is_client_toolset(struct tk_str type);

#endif
