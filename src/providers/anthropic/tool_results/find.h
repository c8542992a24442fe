/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shape of the client's calls and results (CATALOGUE 3.6). What a result may hold depends on
 * what else is in it and on who called:
 *
 *     an error                      text only
 *     search results                nothing else
 *     tool references               nothing else
 *     a call with `toolset_name`    text, images, one browser state; the result names the toolset
 *     a call that code made         text only
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TOOL_RESULTS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_TOOL_RESULTS_FIND_H

#include "engine/judge.h"

/* Longest name of a tool in a history, in characters. */
#define TK_TOOL_NAME_MAX 200u

/* Kinds of blocks in a result; bits. */
enum {
    TK_HOLDS_TEXT = 1 << 0,
    TK_HOLDS_IMAGE = 1 << 1,
    TK_HOLDS_DOCUMENT = 1 << 2,
    TK_HOLDS_SEARCH_RESULT = 1 << 3,
    TK_HOLDS_TOOL_REFERENCE = 1 << 4,
    TK_HOLDS_BROWSER_STATE = 1 << 5,
    TK_HOLDS_UNKNOWN = 1 << 6, /* an object of another type */
    TK_HOLDS_NO_BLOCK = 1 << 7,
};

unsigned tk_result_block_of(struct tk_val block);

/* Returns the toolset that a call or result names; `.p == NULL`: none. */
struct tk_str tk_toolset_of(const struct tk_transcript *t, const struct tk_part *p);

/* Kinds that a result must not hold if its call names a toolset, or if code made the call. Of
 * browser states the first one may stay. */
#define TK_NOT_IN_TOOLSETS                                                                         \
    (TK_HOLDS_DOCUMENT | TK_HOLDS_SEARCH_RESULT | TK_HOLDS_TOOL_REFERENCE | TK_HOLDS_UNKNOWN |     \
     TK_HOLDS_NO_BLOCK)
#define TK_NOT_FOR_CODE (TK_NOT_IN_TOOLSETS | TK_HOLDS_IMAGE | TK_HOLDS_BROWSER_STATE)

/* Finds calls and results of the client whose members the provider would refuse. Notes whether a
 * result refers to tools. Returns 0, -ENOMEM or -ECANCELED. */
int tk_judge_tool_shape(struct tk_judge *j);

#endif
