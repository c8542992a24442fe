/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/rules.h"

#include <errno.h>

#include "providers/common/json_args.h"
#include "providers/common/legal_names.h"
#include "providers/openai/responses/item.h"
#include "providers/openai/responses/item_survey.h"

/* Returns the item's part if it is a function or custom call; else NULL. */
static const struct tk_part *named_call(const struct tk_transcript *t, uint32_t item)
{
    uint8_t row = t->messages[item].item;

    return row == TK_ITEM_FUNCTION_CALL || row == TK_ITEM_CUSTOM_CALL
               ? &t->parts[t->messages[item].first]
               : NULL;
}

static bool has_named_calls(const struct tk_judge *j)
{
    return tk_list_has(j, TK_ITEM_FUNCTION_CALL) || tk_list_has(j, TK_ITEM_CUSTOM_CALL);
}

int tk_judge_argument_types(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    if (!has_named_calls(j))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        const struct tk_part *p = named_call(t, m);
        struct tk_val v = p ? tk_part_val(p, p->payload) : TK_NO_VAL;

        if (tk_exists(v) && !tk_is(v, TK_STRING) && !tk_is(v, TK_NULL))
            r = tk_find_item(j, TK_CODE_RESP_ARGUMENTS_NOT_STRING, m);
    }
    return r;
}

int tk_judge_arguments(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    if (!tk_responses(j)->compatible || !tk_list_has(j, TK_ITEM_FUNCTION_CALL))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        const struct tk_part *p = named_call(t, m);

        if (!p || p->block != TK_ITEM_FUNCTION_CALL ||
            !tk_is(tk_part_val(p, p->payload), TK_STRING))
            continue;
        if (tk_judge_is_late(j))
            return -ECANCELED;
        if (!tk_is_json_object(tk_part_val(p, p->payload), &tk_responses(j)->arguments, t))
            r = tk_find_item(j, TK_CODE_RESP_ARGUMENTS_INVALID_JSON, m);
    }
    return r;
}

int tk_judge_call_names(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    if (tk_responses(j)->compatible || !has_named_calls(j))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        const struct tk_part *p = named_call(t, m);
        struct tk_val name = p ? tk_part_val(p, p->name) : TK_NO_VAL;

        if (tk_exists(name) && !tk_is(name, TK_NULL) &&
            !(tk_is(name, TK_STRING) &&
              tk_is_plain_name(tk_text(name, t->arena), TK_LONGEST_CALL_NAME)))
            r = tk_find_item(j, TK_CODE_RESP_TOOL_NAME_IN_HISTORY, m);
    }
    return r;
}
