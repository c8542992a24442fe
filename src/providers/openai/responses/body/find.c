/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/rules.h"

#include "providers/common/texts.h"
#include "providers/openai/responses/state.h"

enum {
    MOST_TOOLS = 128,
    LONGEST_NAME = 128, /* characters */
};

static bool has_prompt(const struct tk_judge *j)
{
    struct tk_val prompt = tk_get(j->request->body, TK_STR("prompt"));

    return tk_exists(prompt) && !tk_is(prompt, TK_NULL);
}

/* Returns true if the body's own input says something that isn't a list: a text. */
static bool has_text_input(const struct tk_judge *j)
{
    struct tk_val input = tk_get(j->request->body, TK_STR("input"));

    return tk_is(input, TK_STRING) && tk_raw(input).n > 0;
}

int tk_judge_empty_input(struct tk_judge *j)
{
    if (j->t->first_message != TK_NONE || has_text_input(j) || has_prompt(j) ||
        tk_has_server_state(j))
        return 0;
    return tk_find_request(&j->findings, j->t, TK_CODE_RESP_INPUT_EMPTY, TK_NO_NODE);
}

int tk_judge_server_state(struct tk_judge *j)
{
    const struct tk_responses *own = tk_responses(j);

    if (!own->previous || !own->conversation)
        return 0;
    return tk_find_request(&j->findings, j->t, TK_CODE_RESP_PREVIOUS_WITH_CONVERSATION, TK_NO_NODE);
}

int tk_judge_tool_limits(struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;
    int r = 0;

    if (tk_responses(j)->compatible)
        return 0;
    if (v->tool_count > MOST_TOOLS) {
        r = tk_find_request(&j->findings, j->t, TK_CODE_RESP_TOOL_LIMITS, v->tool_list.node);
        if (r == 0)
            r = tk_find_words(&j->findings, j->t, TK_STR("tools"),
                              tk_arena_printf(j->t->arena, "%u", v->tool_count));
    }
    for (uint32_t i = 0; i < v->tool_count && r == 0; i++)
        if (tk_characters_exceed(tk_request_val(v, v->tools[i].name), LONGEST_NAME, j->t->arena))
            r = tk_find_other_form(&j->findings, j->t, TK_CODE_RESP_TOOL_LIMITS, v->tools[i].node);
    return r;
}
