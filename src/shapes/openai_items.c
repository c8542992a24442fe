/* SPDX-License-Identifier: Apache-2.0 */
#include "shapes/openai_items.h"

const struct tk_str tk_item_member_names[TK_IM_COUNT] = {
#define NAME(id, name) [TK_IM_##id] = TK_STR_INIT(name),
    TK_ITEM_MEMBERS(NAME)
#undef NAME
};

/* Every item may have an id and a status, and what Codex sends. */
#define ALWAYS (TK_IM(ID) | TK_IM(STATUS) | TK_IM(PASSTHROUGH))

#define CALL(name, answer, needed, more, what, start)                                              \
    {                                                                                              \
        .type = TK_STR_INIT(name), .kind = TK_PART_CALL, .flags = (what), .output = (answer),      \
        .required = (needed), .known = ALWAYS | TK_IM(CALL_ID) | (more),                           \
        .prefix = TK_STR_INIT(start),                                                              \
    }
#define OUTPUT(name, of, needed, more, start)                                                      \
    {                                                                                              \
        .type = TK_STR_INIT(name), .kind = TK_PART_RESULT, .flags = TK_ITEM_CLIENTS,               \
        .answers = (of), .required = (needed), .known = ALWAYS | TK_IM(CALL_ID) | (more),          \
        .prefix = TK_STR_INIT(start),                                                              \
    }
#define HOSTED(name, more, start)                                                                  \
    {                                                                                              \
        .type = TK_STR_INIT(name), .kind = TK_PART_CALL,                                           \
        .flags = TK_ITEM_NEEDS_ID | TK_ITEM_HOSTED, .known = ALWAYS | (more),                      \
        .prefix = TK_STR_INIT(start),                                                              \
    }
#define FOREIGN(name, is)                                                                          \
    {                                                                                              \
        .type = TK_STR_INIT(name), .kind = (is), .flags = TK_ITEM_FOREIGN | TK_ITEM_OPEN           \
    }
#define ROW(id) (1u << TK_ITEM_##id)

const struct tk_item tk_items[TK_ITEM_ROWS] = {
    [TK_ITEM_NONE] = {.type = {NULL, 0}, .kind = TK_PART_OTHER, .flags = TK_ITEM_OPEN},
    [TK_ITEM_FUNCTION_CALL] = CALL("function_call", TK_ITEM_FUNCTION_OUTPUT,
                                   TK_IM(CALL_ID) | TK_IM(NAME) | TK_IM(ARGUMENTS),
                                   TK_IM(CALLER) | TK_IM(NAMESPACE), TK_ITEM_FREE, "fc"),
    [TK_ITEM_FUNCTION_OUTPUT] = OUTPUT(
        "function_call_output", ROW(FUNCTION_CALL) | ROW(LOCAL_SHELL_CALL) | ROW(SEARCH_CALL),
        TK_IM(CALL_ID) | TK_IM(OUTPUT), TK_IM(CALLER) | TK_IM(NAME) | TK_IM(NAMESPACE), "fc"),
    [TK_ITEM_CUSTOM_CALL] =
        CALL("custom_tool_call", TK_ITEM_CUSTOM_OUTPUT, TK_IM(CALL_ID) | TK_IM(NAME) | TK_IM(INPUT),
             TK_IM(CALLER) | TK_IM(NAMESPACE), TK_ITEM_FREE, "ctc"),
    [TK_ITEM_CUSTOM_OUTPUT] =
        OUTPUT("custom_tool_call_output", ROW(CUSTOM_CALL), TK_IM(CALL_ID) | TK_IM(OUTPUT),
               TK_IM(CALLER) | TK_IM(NAME) | TK_IM(NAMESPACE), "ctc"),
    [TK_ITEM_LOCAL_SHELL_CALL] = CALL("local_shell_call", TK_ITEM_LOCAL_SHELL_OUTPUT, 0,
                                      TK_IM(ACTION), TK_ITEM_NEEDS_ID, ""),
    [TK_ITEM_LOCAL_SHELL_OUTPUT] =
        OUTPUT("local_shell_call_output", ROW(LOCAL_SHELL_CALL), 0, TK_IM(OUTPUT), ""),
    [TK_ITEM_SHELL_CALL] = CALL("shell_call", TK_ITEM_SHELL_OUTPUT, TK_IM(CALL_ID) | TK_IM(ACTION),
                                TK_IM(CALLER) | TK_IM(ENVIRONMENT), TK_ITEM_FREE, ""),
    [TK_ITEM_SHELL_OUTPUT] =
        OUTPUT("shell_call_output", ROW(SHELL_CALL), TK_IM(CALL_ID) | TK_IM(OUTPUT),
               TK_IM(CALLER) | TK_IM(MAX_OUTPUT_LENGTH), ""),
    [TK_ITEM_PATCH_CALL] = CALL("apply_patch_call", TK_ITEM_PATCH_OUTPUT,
                                TK_IM(CALL_ID) | TK_IM(OPERATION), TK_IM(CALLER), TK_ITEM_FREE, ""),
    [TK_ITEM_PATCH_OUTPUT] =
        OUTPUT("apply_patch_call_output", ROW(PATCH_CALL), TK_IM(CALL_ID) | TK_IM(STATUS),
               TK_IM(CALLER) | TK_IM(OUTPUT), ""),
    [TK_ITEM_COMPUTER_CALL] =
        CALL("computer_call", TK_ITEM_NONE, TK_IM(CALL_ID),
             TK_IM(ACTION) | TK_IM(ACTIONS) | TK_IM(PENDING_CHECKS), TK_ITEM_NEEDS_ID, ""),
    [TK_ITEM_COMPUTER_OUTPUT] =
        OUTPUT("computer_call_output", ROW(COMPUTER_CALL), TK_IM(CALL_ID) | TK_IM(OUTPUT),
               TK_IM(ACKNOWLEDGED_CHECKS), ""),
    [TK_ITEM_SEARCH_CALL] = CALL("tool_search_call", TK_ITEM_SEARCH_OUTPUT, 0,
                                 TK_IM(ARGUMENTS) | TK_IM(EXECUTION), TK_ITEM_FREE, ""),
    [TK_ITEM_SEARCH_OUTPUT] =
        OUTPUT("tool_search_output", ROW(SEARCH_CALL), 0, TK_IM(EXECUTION) | TK_IM(TOOLS), ""),
    [TK_ITEM_MESSAGE] = {.type = TK_STR_INIT("message"),
                         .kind = TK_PART_OTHER,
                         .flags = TK_ITEM_FREE,
                         .known = ALWAYS | TK_IM(ROLE) | TK_IM(CONTENT) | TK_IM(PHASE),
                         .prefix = TK_STR_INIT("msg")},
    [TK_ITEM_REASONING] = {.type = TK_STR_INIT("reasoning"),
                           .kind = TK_PART_THINKING,
                           .required = TK_IM(SUMMARY),
                           /* not its status, which the API refuses */
                           .known = TK_IM(ID) | TK_IM(CONTENT) | TK_IM(ENCRYPTED_CONTENT) |
                                    TK_IM(PASSTHROUGH),
                           .prefix = TK_STR_INIT("rs")},
    [TK_ITEM_APPROVAL_REQUEST] = {.type = TK_STR_INIT("mcp_approval_request"),
                                  .kind = TK_PART_CALL,
                                  .flags = TK_ITEM_NEEDS_ID,
                                  .known =
                                      ALWAYS | TK_IM(ARGUMENTS) | TK_IM(NAME) | TK_IM(SERVER_LABEL),
                                  .prefix = TK_STR_INIT("")},
    [TK_ITEM_APPROVAL_RESPONSE] = {.type = TK_STR_INIT("mcp_approval_response"),
                                   .kind = TK_PART_OTHER,
                                   .flags = TK_ITEM_CLIENTS,
                                   .required = TK_IM(APPROVAL_REQUEST_ID) | TK_IM(APPROVE),
                                   .known = ALWAYS | TK_IM(REASON),
                                   .prefix = TK_STR_INIT("")},
    [TK_ITEM_REFERENCE] = {.type = TK_STR_INIT("item_reference"),
                           .kind = TK_PART_OTHER,
                           .flags = TK_ITEM_NEEDS_ID,
                           .required = TK_IM(ID),
                           .known = ALWAYS,
                           .prefix = TK_STR_INIT("")},
    [TK_ITEM_COMPACTION] = {.type = TK_STR_INIT("compaction"),
                            .kind = TK_PART_OTHER,
                            .required = TK_IM(ENCRYPTED_CONTENT),
                            .known = ALWAYS,
                            .prefix = TK_STR_INIT("")},
    [TK_ITEM_WEB_SEARCH] = HOSTED("web_search_call", TK_IM(ACTION), "ws"),
    [TK_ITEM_FILE_SEARCH] = HOSTED("file_search_call", TK_IM(QUERIES) | TK_IM(RESULTS), ""),
    [TK_ITEM_CODE_INTERPRETER] =
        HOSTED("code_interpreter_call", TK_IM(CODE) | TK_IM(CONTAINER_ID) | TK_IM(OUTPUTS), ""),
    [TK_ITEM_IMAGE_GENERATION] = {.type = TK_STR_INIT("image_generation_call"),
                                  .kind = TK_PART_CALL,
                                  .flags = TK_ITEM_NEEDS_ID | TK_ITEM_HOSTED | TK_ITEM_OPEN,
                                  .prefix = TK_STR_INIT("")},
    [TK_ITEM_MCP_CALL] = HOSTED("mcp_call",
                                TK_IM(ARGUMENTS) | TK_IM(NAME) | TK_IM(SERVER_LABEL) |
                                    TK_IM(APPROVAL_REQUEST_ID) | TK_IM(ERROR) | TK_IM(OUTPUT),
                                ""),
    [TK_ITEM_MCP_TOOLS] =
        HOSTED("mcp_list_tools", TK_IM(SERVER_LABEL) | TK_IM(TOOLS) | TK_IM(ERROR), ""),
    [TK_ITEM_PROGRAM] = HOSTED("program", TK_IM(CALL_ID) | TK_IM(CODE) | TK_IM(FINGERPRINT), ""),
    [TK_ITEM_PROGRAM_OUTPUT] = HOSTED("program_output", TK_IM(CALL_ID) | TK_IM(RESULT), ""),
    [TK_ITEM_COMPACTION_TRIGGER] = {.type = TK_STR_INIT("compaction_trigger"),
                                    .kind = TK_PART_OTHER,
                                    .flags = TK_ITEM_CLIENTS | TK_ITEM_OPEN,
                                    .prefix = TK_STR_INIT("")},
    [TK_ITEM_ADDITIONAL_TOOLS] = {.type = TK_STR_INIT("additional_tools"),
                                  .kind = TK_PART_OTHER,
                                  .flags = TK_ITEM_CLIENTS | TK_ITEM_OPEN,
                                  .prefix = TK_STR_INIT("")},
    [TK_ITEM_TOOL_USE] = FOREIGN("tool_use", TK_PART_OTHER),
    [TK_ITEM_TOOL_RESULT] = FOREIGN("tool_result", TK_PART_OTHER),
    [TK_ITEM_TEXT] = FOREIGN("text", TK_PART_OTHER),
    [TK_ITEM_INPUT_TEXT] = FOREIGN("input_text", TK_PART_OTHER),
    [TK_ITEM_OUTPUT_TEXT] = FOREIGN("output_text", TK_PART_OTHER),
    [TK_ITEM_THINKING] = FOREIGN("thinking", TK_PART_OTHER),
    [TK_ITEM_IMAGE_URL] = FOREIGN("image_url", TK_PART_OTHER),
    [TK_ITEM_INPUT_IMAGE] = FOREIGN("input_image", TK_PART_OTHER),
    [TK_ITEM_UNTYPED] = {.type = {NULL, 0},
                         .kind = TK_PART_OTHER,
                         .flags = TK_ITEM_FOREIGN | TK_ITEM_OPEN},
};

uint8_t tk_item_of(struct tk_str type)
{
    if (!type.p)
        return TK_ITEM_NONE;
    if (tk_str_eq(type, tk_items[TK_ITEM_MESSAGE].type))
        return TK_ITEM_MESSAGE;
    for (uint8_t i = TK_ITEM_NONE + 1; i < TK_ITEM_UNTYPED; i++)
        if (type.n == tk_items[i].type.n && tk_str_eq(type, tk_items[i].type))
            return i;
    return TK_ITEM_NONE;
}

/* Returns true if `id` is the item's only member that isn't null. */
static bool has_only_id(struct tk_val item)
{
    bool id = false;

    for (struct tk_val v = tk_first(item); tk_exists(v); v = tk_after(item, v)) {
        if (tk_is(v, TK_NULL))
            continue;
        if (!tk_has_key(v.doc, v.node, TK_STR("id")))
            return false;
        id = true;
    }
    return id;
}

uint8_t tk_item_row_of(struct tk_val item, struct tk_arena *arena, uint32_t *ret_type)
{
    struct tk_val type = tk_get(item, TK_STR("type"));

    *ret_type = TK_NO_NODE;
    if (tk_is(type, TK_STRING)) {
        *ret_type = type.node;
        return tk_item_of(tk_text(type, arena));
    }
    type = tk_get(item, TK_STR("role"));
    if (tk_exists(type) && !tk_is(type, TK_NULL))
        return TK_ITEM_MESSAGE;
    return has_only_id(item) ? TK_ITEM_REFERENCE : TK_ITEM_UNTYPED;
}

enum tk_item_member tk_item_member_of(struct tk_val member, uint64_t wanted)
{
    for (; wanted != 0; wanted &= wanted - 1) {
        int id = __builtin_ctzll(wanted);

        if (tk_has_key(member.doc, member.node, tk_item_member_names[id]))
            return (enum tk_item_member)id;
    }
    return TK_IM_COUNT;
}

/* The defaults of PROVIDERS.md 4.1. */
static const struct {
    uint8_t row, member;
    struct tk_str json;
} defaults[] = {
    {TK_ITEM_REASONING, TK_IM_SUMMARY, TK_STR_INIT("[]")},
    {TK_ITEM_FUNCTION_CALL, TK_IM_NAME, TK_STR_INIT("\"unknown_tool\"")},
    {TK_ITEM_FUNCTION_CALL, TK_IM_ARGUMENTS, TK_STR_INIT("\"{}\"")},
    {TK_ITEM_FUNCTION_OUTPUT, TK_IM_OUTPUT, TK_STR_INIT("\"\"")},
    {TK_ITEM_CUSTOM_CALL, TK_IM_NAME, TK_STR_INIT("\"unknown_tool\"")},
    {TK_ITEM_CUSTOM_CALL, TK_IM_INPUT, TK_STR_INIT("\"\"")},
    {TK_ITEM_CUSTOM_OUTPUT, TK_IM_OUTPUT, TK_STR_INIT("\"\"")},
    {TK_ITEM_PATCH_OUTPUT, TK_IM_STATUS, TK_STR_INIT("\"completed\"")},
};

struct tk_str tk_item_default(uint8_t row, enum tk_item_member member)
{
    for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
        if (defaults[i].row == row && defaults[i].member == member)
            return defaults[i].json;
    return (struct tk_str){0};
}
