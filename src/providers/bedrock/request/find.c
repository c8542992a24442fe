/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the rest of a request: its tools. */
#include "providers/bedrock/rules.h"

static bool has_call_or_result(const struct tk_transcript *t)
{
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE; i = t->parts[i].next)
            if (t->parts[i].kind == TK_PART_CALL || t->parts[i].kind == TK_PART_RESULT)
                return true;
    return false;
}

int tk_brk_find_tool_config(struct tk_judge *j)
{
    struct tk_val config = tk_get(j->request->body, TK_STR("toolConfig"));
    struct tk_val tools = j->request->tool_list;
    bool given = tk_exists(config) && !tk_is(config, TK_NULL);

    if (!given && has_call_or_result(j->t))
        return tk_find_request(&j->findings, j->t, TK_CODE_BRK_TOOLCONFIG_MISSING, TK_NO_NODE);
    if (tk_is(tools, TK_ARRAY) && j->request->tool_count == 0)
        return tk_find_request(&j->findings, j->t, TK_CODE_BRK_TOOLS_EMPTY, tools.node);
    return 0;
}
