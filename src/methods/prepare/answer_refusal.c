/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/prepare/answer_refusal.h"

static const enum tk_error_id errors[TK_REFUSAL_COUNT] = {
    [TK_REFUSAL_NONE] = TK_ERR_INTERNAL,
    [TK_REFUSAL_INVALID_PARAMS] = TK_ERR_INVALID_PARAMS,
    [TK_REFUSAL_THREAD_UNSUPPORTED_REQUEST] = TK_ERR_THREAD_UNSUPPORTED_REQUEST,
    [TK_REFUSAL_ASSISTANT_CONFLICT] = TK_ERR_ASSISTANT_CONFLICT,
    [TK_REFUSAL_MISSING_TOOL_RESULT] = TK_ERR_MISSING_TOOL_RESULT,
    [TK_REFUSAL_SERVER_TOOL_RESULT_NOT_ALLOWED] = TK_ERR_SERVER_TOOL_RESULT_NOT_ALLOWED,
    [TK_REFUSAL_UNKNOWN_TOOL_USE_ID] = TK_ERR_UNKNOWN_TOOL_USE_ID,
    [TK_REFUSAL_SYSTEM_PLACEMENT] = TK_ERR_SYSTEM_PLACEMENT,
    [TK_REFUSAL_EMPTY_MESSAGE] = TK_ERR_EMPTY_MESSAGE,
    [TK_REFUSAL_TURN_NOT_FINISHED] = TK_ERR_TURN_NOT_FINISHED,
    [TK_REFUSAL_RESULT_FORM_REQUIRED] = TK_ERR_RESULT_FORM_REQUIRED,
    [TK_REFUSAL_RESPONSE_ID_MISSING] = TK_ERR_RESPONSE_ID_MISSING,
    [TK_REFUSAL_RESPONSE_NOT_STORED] = TK_ERR_RESPONSE_NOT_STORED,
    [TK_REFUSAL_TOOL_NAME_CONFLICT] = TK_ERR_TOOL_NAME_CONFLICT,
    [TK_REFUSAL_INCOMPATIBLE_TOOLS] = TK_ERR_INCOMPATIBLE_TOOLS,
    [TK_REFUSAL_BETA_CONFLICT] = TK_ERR_BETA_CONFLICT,
    [TK_REFUSAL_UNSUPPORTED_SERVER_TOOL] = TK_ERR_UNSUPPORTED_SERVER_TOOL,
    [TK_REFUSAL_MISSING_OPTION] = TK_ERR_MISSING_OPTION,
    [TK_REFUSAL_UNSUPPORTED_OPTION] = TK_ERR_UNSUPPORTED_OPTION,
};

int tk_answer_refusal(struct tk_request *rq, const struct tk_refusal *refusal)
{
    struct tk_str pointer = tk_refusal_pointer(refusal, rq->arena);
    struct tk_writer *w = refusal->why
                              ? tk_answer_begin_error_text(rq, errors[refusal->name], pointer,
                                                           tk_str_of(refusal->why))
                              : tk_answer_begin_error(rq, errors[refusal->name], pointer);

    for (size_t i = 0; i < sizeof(refusal->details) / sizeof(refusal->details[0]); i++)
        if (refusal->details[i].key)
            tk_write_kv_str(w, refusal->details[i].key, refusal->details[i].text);
    if (refusal->list_key) {
        tk_write_key(w, refusal->list_key);
        tk_write_list(w);
        for (uint32_t i = 0; i < refusal->list_count; i++)
            tk_write_str(w, refusal->list[i]);
        tk_write_end(w);
    }
    return tk_answer_end(rq);
}
