/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include "providers/common/json_args.h"
#include "providers/common/legal_names.h"
#include "providers/openai/chat/state.h"

/* Finds the assistant's calls for which is_bad() returns true. */
static int find(struct tk_judge *j, uint16_t code,
                bool (*is_bad)(struct tk_judge *j, const struct tk_part *call))
{
    struct tk_transcript *t = j->t;
    int r = 0;

    if (!tk_chat_saw(j, TK_SEEN_CALL))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        uint32_t c = TK_NONE;

        if (tk_is_assistant(&t->messages[m]))
            c = tk_first_call(t, &t->messages[m]);
        for (; c != TK_NONE && r == 0; c = tk_next_call(t, c))
            if (is_bad(j, &t->parts[c]))
                r = tk_find_part(&j->findings, t, code, c);
    }
    return r;
}

int tk_chat_find_holes(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    if (!tk_chat_saw(j, TK_SEEN_HOLE))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        uint32_t i = TK_NONE;

        if (tk_is_assistant(&t->messages[m]))
            i = tk_first_call_or_hole(t, &t->messages[m]);
        for (; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (t->parts[i].block == TK_CHAT_HOLE)
                r = tk_find_part(&j->findings, t, TK_CODE_CHAT_TOOL_CALL_NULL, i);
    }
    return r;
}

static bool has_foreign_name(struct tk_judge *j, const struct tk_part *call)
{
    return !tk_is_plain_name(tk_part_name(j->t, call), TK_CHAT_NAME_MAX);
}

int tk_chat_find_tool_name(struct tk_judge *j)
{
    return tk_chat_is(j, TK_OPENAI_OWN)
               ? find(j, TK_CODE_CHAT_TOOL_NAME_IN_HISTORY, has_foreign_name)
               : 0;
}

static bool has_no_string(struct tk_judge *j, const struct tk_part *call)
{
    (void)j;
    return call->block == TK_CHAT_FUNCTION_CALL &&
           !tk_is(tk_part_val(call, call->payload), TK_STRING);
}

int tk_chat_find_arguments_type(struct tk_judge *j)
{
    return find(j, TK_CODE_CHAT_ARGUMENTS_NOT_STRING, has_no_string);
}

static bool has_no_object(struct tk_judge *j, const struct tk_part *call)
{
    struct tk_val arguments = tk_part_val(call, call->payload);

    return call->block == TK_CHAT_FUNCTION_CALL && tk_is(arguments, TK_STRING) &&
           !tk_is_json_object(arguments, &tk_chat(j)->scratch, j->t);
}

int tk_chat_find_arguments_json(struct tk_judge *j)
{
    return tk_chat_is(j, TK_OPENAI_COPY)
               ? find(j, TK_CODE_CHAT_ARGUMENTS_INVALID_JSON, has_no_object)
               : 0;
}
