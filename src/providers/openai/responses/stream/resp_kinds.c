/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what each type of item is (STREAM-PROVIDERS.md 6.2). */
#include "providers/openai/responses/stream/resp_stream.h"

#define NO                                                                                         \
    {                                                                                              \
        NULL, 0                                                                                    \
    }
#define S(text) TK_STR_INIT(text)
#define CALL(type, name, input, output, class, free, text)                                         \
    {                                                                                              \
        S(type), name, S(input), S(output), class, free, true, text                                \
    }
#define RUN(type, name, input, class)                                                              \
    {                                                                                              \
        S(type), S(name), S(input), NO, class, false, true, false                                  \
    }
#define OUTPUT(type, name)                                                                         \
    {                                                                                              \
        S(type), S(name), NO, NO, TK_RESP_SERVER_OUTPUT, false, false, false                       \
    }

/* The rows of types that a client or the server may run come in this order. */
static const struct tk_resp_kind kinds[] = {
    {S("message"), NO, NO, NO, TK_RESP_MESSAGE, true, true, false},
    {S("reasoning"), NO, NO, NO, TK_RESP_REASONING, true, true, false},
    CALL("function_call", NO, "arguments", "function_call_output", TK_RESP_LIVE_CALL, true, false),
    CALL("custom_tool_call", NO, "input", "custom_tool_call_output", TK_RESP_LIVE_CALL, true, true),
    CALL("computer_call", S("computer"), "action", "computer_call_output", TK_RESP_WHOLE_CALL,
         false, false),
    CALL("local_shell_call", S("local_shell"), "action", "local_shell_call_output",
         TK_RESP_WHOLE_CALL, false, false),
    CALL("apply_patch_call", S("apply_patch"), "operation", "apply_patch_call_output",
         TK_RESP_WHOLE_CALL, true, false),
    CALL("shell_call", S("shell"), "action", "shell_call_output", TK_RESP_WHOLE_CALL, true, false),
    CALL("tool_search_call", S("tool_search"), "arguments", "tool_search_output",
         TK_RESP_WHOLE_CALL, true, false),
    RUN("shell_call", "shell", "action", TK_RESP_SERVER_CALL),
    RUN("tool_search_call", "tool_search", "arguments", TK_RESP_SERVER_CALL),
    RUN("program", "program", "code", TK_RESP_SERVER_CALL),
    RUN("web_search_call", "web_search", "action", TK_RESP_ONE_ITEM),
    RUN("file_search_call", "file_search", "queries", TK_RESP_ONE_ITEM),
    RUN("code_interpreter_call", "code_interpreter", "code", TK_RESP_ONE_ITEM),
    RUN("image_generation_call", "image_generation", "action", TK_RESP_ONE_ITEM),
    RUN("mcp_call", "mcp", "arguments", TK_RESP_ONE_ITEM),
    OUTPUT("shell_call_output", "shell"),
    OUTPUT("tool_search_output", "tool_search"),
    OUTPUT("program_output", "program"),
    {NO, NO, NO, NO, TK_RESP_OTHER, false, true, false},
};

/* Returns true if the server runs the call of a type that both may run. */
static bool is_servers(struct tk_val item, struct tk_str type)
{
    struct tk_val execution = tk_get(item, TK_STR("execution"));
    struct tk_val place = tk_get(tk_get(item, TK_STR("environment")), TK_STR("type"));
    static const struct tk_str container = S("container");

    if (tk_str_is(type, "shell_call"))
        return tk_is(place, TK_STRING) && tk_str_starts(tk_raw(place), container);
    if (!tk_str_is(type, "tool_search_call") || tk_text_is(execution, TK_STR("client")))
        return false;
    return tk_text_is(execution, TK_STR("server")) ||
           !tk_is(tk_get(item, TK_STR("call_id")), TK_STRING);
}

const struct tk_resp_kind *tk_resp_kind_of(struct tk_val item)
{
    struct tk_val type = tk_get(item, TK_STR("type"));
    const struct tk_resp_kind *row = kinds;

    while (row->type.p && !tk_text_is(type, row->type))
        row++;
    if (row->class == TK_RESP_WHOLE_CALL && is_servers(item, row->type))
        for (const struct tk_resp_kind *other = row + 1; other->type.p; other++)
            if (tk_str_eq(other->type, row->type))
                return other;
    return row;
}
