/* SPDX-License-Identifier: Apache-2.0 */
#include "shapes/blocks.h"

#define S(text) TK_STR_INIT(text)
#define U       TK_BLOCK_USER
#define A       TK_BLOCK_ASSISTANT
#define Y       TK_BLOCK_SYSTEM
#define M(id)   TK_HAS(TK_M_##id)
#define MARK    TK_PART_MARKABLE
#define BY_API  (TK_PART_MARKABLE | TK_PART_PROVIDER)

const struct tk_str tk_member_names[TK_M_COUNT] = {
#define NAME(id, name) [TK_M_##id] = S(name),
    TK_BLOCK_MEMBERS(NAME)
#undef NAME
};

/* Members that all results of provider-executed tools have. */
#define RESULT(name, more)                                                                         \
    {                                                                                              \
        S(name), TK_PART_RESULT, A, BY_API, M(TOOL_USE_ID) | M(CONTENT), M(CACHE_CONTROL) | (more) \
    }

/* Ordered by how often they occur: the list is searched from its start. */
const struct tk_block tk_blocks[] = {
    [TK_BLOCK_NONE] = {S(""), TK_PART_OTHER, 0, 0, 0, 0},
    [TK_BLOCK_TEXT] = {S("text"), TK_PART_TEXT, U | A | Y, MARK, M(TEXT),
                       M(CACHE_CONTROL) | M(CITATIONS)},
    [TK_BLOCK_THINKING] = {S("thinking"), TK_PART_THINKING, A, 0, M(THINKING) | M(SIGNATURE), 0},
    [TK_BLOCK_REDACTED_THINKING] = {S("redacted_thinking"), TK_PART_REDACTED, A, 0, M(DATA), 0},
    [TK_BLOCK_TOOL_USE] = {S("tool_use"), TK_PART_CALL, A, MARK, M(ID) | M(NAME) | M(INPUT),
                           M(CACHE_CONTROL) | M(CALLER) | M(TOOLSET_NAME)},
    [TK_BLOCK_TOOL_RESULT] = {S("tool_result"), TK_PART_RESULT, U, MARK, M(TOOL_USE_ID),
                              M(CONTENT) | M(IS_ERROR) | M(CACHE_CONTROL) | M(TOOLSET_NAME)},
    [TK_BLOCK_IMAGE] = {S("image"), TK_PART_MEDIA, U, MARK, M(SOURCE),
                        M(CACHE_CONTROL) | M(TRANSFORMATIONS)},
    [TK_BLOCK_DOCUMENT] = {S("document"), TK_PART_MEDIA, U, MARK, M(SOURCE),
                           M(CACHE_CONTROL) | M(CITATIONS) | M(CONTEXT) | M(TITLE)},
    [TK_BLOCK_SEARCH_RESULT] = {S("search_result"), TK_PART_MEDIA, U, MARK,
                                M(CONTENT) | M(SOURCE) | M(TITLE), M(CACHE_CONTROL) | M(CITATIONS)},
    [TK_BLOCK_COMPACTION] = {S("compaction"), TK_PART_OTHER, A, MARK, 0,
                             M(CONTENT) | M(ENCRYPTED_CONTENT) | M(SIGNATURE) | M(TOOL_CHANGES) |
                                 M(CACHE_CONTROL)},
    [TK_BLOCK_MID_CONV_SYSTEM] = {S("mid_conv_system"), TK_PART_OTHER, U, 0, M(CONTENT), 0},
    [TK_BLOCK_TOOL_ADDITION] = {S("tool_addition"), TK_PART_OTHER, Y, MARK, M(TOOL),
                                M(CACHE_CONTROL)},
    [TK_BLOCK_TOOL_REMOVAL] = {S("tool_removal"), TK_PART_OTHER, Y, MARK, M(TOOL),
                               M(CACHE_CONTROL)},
    {S("server_tool_use"), TK_PART_CALL, A, BY_API, M(ID) | M(NAME) | M(INPUT),
     M(CACHE_CONTROL) | M(CALLER)},
    {S("mcp_tool_use"), TK_PART_CALL, A, BY_API, M(ID) | M(NAME) | M(SERVER_NAME) | M(INPUT),
     M(CACHE_CONTROL)},
    RESULT("web_search_tool_result", M(CALLER)),
    RESULT("web_fetch_tool_result", M(CALLER)),
    RESULT("code_execution_tool_result", 0),
    RESULT("bash_code_execution_tool_result", 0),
    RESULT("text_editor_code_execution_tool_result", 0),
    RESULT("tool_search_tool_result", 0),
    RESULT("advisor_tool_result", 0),
    {S("mcp_tool_result"), TK_PART_RESULT, A, BY_API, M(TOOL_USE_ID),
     M(CONTENT) | M(IS_ERROR) | M(CACHE_CONTROL)},
    {S("container_upload"), TK_PART_MEDIA, U | A, MARK, M(FILE_ID), M(CACHE_CONTROL)},
    {S("mcp_tool_listing"), TK_PART_OTHER, A, 0, M(MCP_SERVER_NAME) | M(TOOLS), 0},
    {S("fallback"), TK_PART_OTHER, A, 0, M(FROM) | M(TO), M(TRIGGER)},
};

const uint8_t tk_block_count = sizeof(tk_blocks) / sizeof(tk_blocks[0]);

uint8_t tk_block_of(struct tk_str type)
{
    for (uint8_t i = 1; i < tk_block_count; i++)
        if (tk_str_eq(type, tk_blocks[i].type))
            return i;
    return TK_BLOCK_NONE;
}

enum tk_member tk_member_of(struct tk_val member, uint32_t wanted)
{
    for (; wanted != 0; wanted &= wanted - 1) {
        int id = __builtin_ctz(wanted);

        if (tk_has_key(member.doc, member.node, tk_member_names[id]))
            return (enum tk_member)id;
    }
    return TK_M_COUNT;
}
