/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blocks of the Messages API: the types that a part of a message can have, and the members of
 * each (CATALOGUE 5.4). Readers take a part's kind from this table; rules check the part against
 * it.
 *
 * A type that isn't listed is recognised by its name: `..._tool_use` with an id is a call,
 * `..._tool_result` is a result; see shapes/messages.c.
 */
#ifndef TK_SHAPES_BLOCKS_H
#define TK_SHAPES_BLOCKS_H

#include "history/history.h"

/*
 * The members of blocks other than `type`. If a block lacks several, the first in this order is
 * reported. Clients tend to write members in this order, which makes the search short.
 */
#define TK_BLOCK_MEMBERS(M)                                                                        \
    M(ID, "id")                                                                                    \
    M(TOOL_USE_ID, "tool_use_id")                                                                  \
    M(NAME, "name")                                                                                \
    M(SERVER_NAME, "server_name")                                                                  \
    M(INPUT, "input")                                                                              \
    M(CONTENT, "content")                                                                          \
    M(SOURCE, "source")                                                                            \
    M(TITLE, "title")                                                                              \
    M(TEXT, "text")                                                                                \
    M(THINKING, "thinking")                                                                        \
    M(SIGNATURE, "signature")                                                                      \
    M(DATA, "data")                                                                                \
    M(CITATIONS, "citations")                                                                      \
    M(CONTEXT, "context")                                                                          \
    M(TRANSFORMATIONS, "transformations")                                                          \
    M(ENCRYPTED_CONTENT, "encrypted_content")                                                      \
    M(TOOL_CHANGES, "tool_changes")                                                                \
    M(TOOL, "tool")                                                                                \
    M(FILE_ID, "file_id")                                                                          \
    M(MCP_SERVER_NAME, "mcp_server_name")                                                          \
    M(TOOLS, "tools")                                                                              \
    M(FROM, "from")                                                                                \
    M(TO, "to")                                                                                    \
    M(TRIGGER, "trigger")                                                                          \
    M(IS_ERROR, "is_error")                                                                        \
    M(CALLER, "caller")                                                                            \
    M(TOOLSET_NAME, "toolset_name")                                                                \
    M(CACHE_CONTROL, "cache_control")

enum tk_member {
#define TK_BLOCK_MEMBER(id, name) TK_M_##id,
    TK_BLOCK_MEMBERS(TK_BLOCK_MEMBER)
#undef TK_BLOCK_MEMBER
    TK_M_COUNT
};

#define TK_HAS(member) (1u << (member))
#define TK_ALL_MEMBERS (TK_HAS(TK_M_COUNT) - 1)

extern const struct tk_str tk_member_names[TK_M_COUNT];

/* Roles whose messages may contain a block. */
enum {
    TK_BLOCK_USER = 1,
    TK_BLOCK_ASSISTANT = 2,
    TK_BLOCK_SYSTEM = 4,
};

struct tk_block {
    struct tk_str type;
    uint8_t kind;                /* enum tk_part_kind */
    uint8_t roles;               /* TK_BLOCK_* */
    uint32_t flags;              /* TK_PART_* */
    uint32_t required, optional; /* members: bits TK_HAS() */
};

/* Row 0 is for parts of unknown type. */
extern const struct tk_block tk_blocks[];
extern const uint8_t tk_block_count;

/* Rows that code refers to by name. tests/unit/providers/anthropic/test_blocks.c compares them with
 * the table. */
enum tk_block_row {
    TK_BLOCK_NONE,
    TK_BLOCK_TEXT,
    TK_BLOCK_THINKING,
    TK_BLOCK_REDACTED_THINKING,
    TK_BLOCK_TOOL_USE,
    TK_BLOCK_TOOL_RESULT,
    TK_BLOCK_IMAGE,
    TK_BLOCK_DOCUMENT,
    TK_BLOCK_SEARCH_RESULT,
    TK_BLOCK_COMPACTION,
    TK_BLOCK_MID_CONV_SYSTEM,
    TK_BLOCK_TOOL_ADDITION,
    TK_BLOCK_TOOL_REMOVAL,
    TK_BLOCK_NAMED, /* the first of the rows without a name */
};

/* Returns the row of a type; TK_BLOCK_NONE if it isn't listed. */
uint8_t tk_block_of(struct tk_str type);

/* Returns which of the wanted members (a set of TK_HAS bits) a member of a document is; TK_M_COUNT:
 * none. */
enum tk_member tk_member_of(struct tk_val member, uint32_t wanted);

#endif
