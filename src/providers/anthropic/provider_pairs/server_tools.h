/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tools that the provider runs itself, as a table (CATALOGUE 5.1): which result answers which
 * call, and what a result may hold. The Messages API checks results against these forms when
 * history comes back, so a result that a store truncated or re-encoded is refused like an orphan.
 *
 *     call name              result block                    content
 *     web_search             web_search_tool_result          list of web_search_result, or error
 *     bash_code_execution    bash_code_execution_tool_result bash_code_execution_result, or error
 *     (any MCP tool)         mcp_tool_result                 string, or list of text
 *
 * A name that isn't in the table pairs by shape: any result type that no listed tool has will do.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_SERVER_TOOLS_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_SERVER_TOOLS_H

#include "history/history.h"
#include "shapes/shape.h"

struct tk_server_tool {
    struct tk_str call;   /* the call's name; `.p == NULL`: MCP, any name */
    struct tk_str result; /* type of the result block */
    int form;             /* form of its content, see server_tools.c */
};

/* Returns the listed tool of a call; NULL if it isn't listed. */
const struct tk_server_tool *tk_tool_of_call(const struct tk_transcript *t,
                                             const struct tk_part *call);

/* Returns the listed tool of a call block with that type and name; NULL if it isn't listed. */
const struct tk_server_tool *tk_tool_of_wire_call(struct tk_str type, struct tk_str name);

/* Returns the first listed tool whose results have that type, or NULL. */
const struct tk_server_tool *tk_tool_of_result(struct tk_str result_type);

/*
 * Returns the listed tool whose results answer the call: its own, or for a call of an unlisted
 * family the tool of that name, since results keep their type whatever the calls' type is. NULL for
 * an unlisted name.
 */
const struct tk_server_tool *tk_tool_answering(const struct tk_transcript *t,
                                               const struct tk_part *call);

/* Returns that tool for a call block with that type and name. `type.p == NULL`: the type is
 * unknown. */
const struct tk_server_tool *tk_tool_answering_wire(struct tk_str type, struct tk_str name);

/* Returns true for the tool of all MCP calls; false for NULL. */
bool tk_is_mcp_tool(const struct tk_server_tool *tool);

/* Returns true for a tool that runs code: Python, a shell, an editor of its files. */
bool tk_runs_code(const struct tk_server_tool *tool);

/* Returns true if results of that type belong to the tool. `tool == NULL`: any unlisted tool,
 * which may have any type that no listed tool has. */
bool tk_result_belongs(const struct tk_server_tool *tool, struct tk_str result_type);

/* Returns true if content has the form of the tool's results on the wire: a success or its error
 * object. */
bool tk_result_fits(const struct tk_server_tool *tool, struct tk_val content,
                    struct tk_arena *arena);

/* Returns true if repair can answer the call with an error result: its tool is listed or MCP's, and
 * the dialect spells an error of it. */
bool tk_has_error_result(const struct tk_transcript *t, const struct tk_part *call);

/* Returns true if a value may be an element of the tool's result lists: one search hit, one text
 * block. */
bool tk_fits_in_list(const struct tk_server_tool *tool, struct tk_val v);

/* Returns the result type that answers the call: the table's, or for an unlisted family the name,
 * or the call's type without `_tool_use`, with `_tool_result` at its end. */
struct tk_str tk_result_type_of_call(const struct tk_transcript *t, const struct tk_part *call);

/* Returns the member of that snake_case name, or of its camelCase form: dialect ai-sdk spells
 * `encryptedContent` where the wire spells `encrypted_content`. */
struct tk_val tk_get_either(struct tk_val v, struct tk_str snake);

#endif
