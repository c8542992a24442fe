/* SPDX-License-Identifier: Apache-2.0 */
#include "dialects/blocks.h"

#define S(text) TK_STR_INIT(text)
#define U       TK_BLOCK_USER
#define A       TK_BLOCK_ASSISTANT
#define Y       TK_BLOCK_SYSTEM
#define CC      S("cache_control")

/* What the provider's results have in common. */
#define RESULT(name, ...)                                                                          \
    {                                                                                              \
        S(name), TK_PART_RESULT, A, TK_PART_MARKABLE | TK_PART_PROVIDER,                           \
            {S("tool_use_id"), S("content")},                                                      \
        {                                                                                          \
            CC, __VA_ARGS__                                                                        \
        }                                                                                          \
    }

/* Those of most histories come first: the list is searched from its front. */
const struct tk_block tk_blocks[] = {
    [TK_BLOCK_NONE] = {S(""), TK_PART_OTHER, 0, 0, {{0}}, {{0}}},
    [TK_BLOCK_TEXT] =
        {S("text"), TK_PART_TEXT, U | A | Y, TK_PART_MARKABLE, {S("text")}, {CC, S("citations")}},
    [TK_BLOCK_THINKING] =
        {S("thinking"), TK_PART_THINKING, A, 0, {S("thinking"), S("signature")}, {{0}}},
    [TK_BLOCK_REDACTED_THINKING] =
        {S("redacted_thinking"), TK_PART_REDACTED, A, 0, {S("data")}, {{0}}},
    [TK_BLOCK_TOOL_USE] = {S("tool_use"),
                           TK_PART_CALL,
                           A,
                           TK_PART_MARKABLE,
                           {S("id"), S("name"), S("input")},
                           {CC, S("caller"), S("toolset_name")}},
    [TK_BLOCK_TOOL_RESULT] = {S("tool_result"),
                              TK_PART_RESULT,
                              U,
                              TK_PART_MARKABLE,
                              {S("tool_use_id")},
                              {S("content"), S("is_error"), CC, S("toolset_name")}},
    [TK_BLOCK_IMAGE] =
        {S("image"), TK_PART_MEDIA, U, TK_PART_MARKABLE, {S("source")}, {CC, S("transformations")}},
    [TK_BLOCK_DOCUMENT] = {S("document"),
                           TK_PART_MEDIA,
                           U,
                           TK_PART_MARKABLE,
                           {S("source")},
                           {CC, S("citations"), S("context"), S("title")}},
    [TK_BLOCK_SEARCH_RESULT] = {S("search_result"),
                                TK_PART_MEDIA,
                                U,
                                TK_PART_MARKABLE,
                                {S("content"), S("source"), S("title")},
                                {CC, S("citations")}},
    [TK_BLOCK_COMPACTION] = {S("compaction"),
                             TK_PART_OTHER,
                             A,
                             TK_PART_MARKABLE,
                             {{0}},
                             {S("content"), S("encrypted_content"), S("signature"),
                              S("tool_changes"), CC}},
    [TK_BLOCK_MID_CONV_SYSTEM] = {S("mid_conv_system"), TK_PART_OTHER, U, 0, {S("content")}, {{0}}},
    [TK_BLOCK_TOOL_ADDITION] =
        {S("tool_addition"), TK_PART_OTHER, Y, TK_PART_MARKABLE, {S("tool")}, {CC}},
    [TK_BLOCK_TOOL_REMOVAL] =
        {S("tool_removal"), TK_PART_OTHER, Y, TK_PART_MARKABLE, {S("tool")}, {CC}},
    {S("server_tool_use"),
     TK_PART_CALL,
     A,
     TK_PART_MARKABLE | TK_PART_PROVIDER,
     {S("id"), S("name"), S("input")},
     {CC, S("caller")}},
    {S("mcp_tool_use"),
     TK_PART_CALL,
     A,
     TK_PART_MARKABLE | TK_PART_PROVIDER,
     {S("id"), S("name"), S("server_name"), S("input")},
     {CC}},
    RESULT("web_search_tool_result", S("caller")),
    RESULT("web_fetch_tool_result", S("caller")),
    RESULT("code_execution_tool_result", {0}),
    RESULT("bash_code_execution_tool_result", {0}),
    RESULT("text_editor_code_execution_tool_result", {0}),
    RESULT("tool_search_tool_result", {0}),
    RESULT("advisor_tool_result", {0}),
    {S("mcp_tool_result"),
     TK_PART_RESULT,
     A,
     TK_PART_MARKABLE | TK_PART_PROVIDER,
     {S("tool_use_id")},
     {S("content"), S("is_error"), CC}},
    {S("container_upload"), TK_PART_MEDIA, U | A, TK_PART_MARKABLE, {S("file_id")}, {CC}},
    {S("mcp_tool_listing"), TK_PART_OTHER, A, 0, {S("mcp_server_name"), S("tools")}, {{0}}},
    {S("fallback"), TK_PART_OTHER, A, 0, {S("from"), S("to")}, {S("trigger")}},
};

const uint8_t tk_block_count = sizeof(tk_blocks) / sizeof(tk_blocks[0]);

uint8_t tk_block_of(struct tk_str type)
{
    for (uint8_t i = 1; i < tk_block_count; i++)
        if (tk_str_eq(type, tk_blocks[i].type))
            return i;
    return TK_BLOCK_NONE;
}
