/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The items of the Responses API: the types that an element of `input` can have, and the members of
 * each (PROVIDERS.md 4.1). The reader takes an item's row from this table; rules check the item
 * against it and ask it what the item is.
 *
 *     {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"}
 *     {"type": "function_call_output", "call_id": "call_1", "output": "x"}
 *     {"role": "user", "content": "hello"}      a message; its type may be left out
 *     {"id": "msg_1"}                           an item_reference; likewise
 *
 * Types that aren't listed pass: the API gets new ones, and only it knows their members.
 */
#ifndef TK_SHAPES_OPENAI_ITEMS_H
#define TK_SHAPES_OPENAI_ITEMS_H

#include "history/history.h"

/* The members of items other than `type`. If an item lacks several, the first in this order is
 * reported. SDKs write members about in this order, which makes the search short. */
#define TK_ITEM_MEMBERS(M)                                                                         \
    M(ROLE, "role")                                                                                \
    M(CALL_ID, "call_id")                                                                          \
    M(NAME, "name")                                                                                \
    M(ARGUMENTS, "arguments")                                                                      \
    M(OUTPUT, "output")                                                                            \
    M(ID, "id")                                                                                    \
    M(STATUS, "status")                                                                            \
    M(SUMMARY, "summary")                                                                          \
    M(ENCRYPTED_CONTENT, "encrypted_content")                                                      \
    M(CONTENT, "content")                                                                          \
    M(INPUT, "input")                                                                              \
    M(ACTION, "action")                                                                            \
    M(OPERATION, "operation")                                                                      \
    M(APPROVAL_REQUEST_ID, "approval_request_id")                                                  \
    M(APPROVE, "approve")                                                                          \
    M(PHASE, "phase")                                                                              \
    M(CALLER, "caller")                                                                            \
    M(NAMESPACE, "namespace")                                                                      \
    M(ENVIRONMENT, "environment")                                                                  \
    M(MAX_OUTPUT_LENGTH, "max_output_length")                                                      \
    M(ACTIONS, "actions")                                                                          \
    M(PENDING_CHECKS, "pending_safety_checks")                                                     \
    M(ACKNOWLEDGED_CHECKS, "acknowledged_safety_checks")                                           \
    M(EXECUTION, "execution")                                                                      \
    M(TOOLS, "tools")                                                                              \
    M(QUERIES, "queries")                                                                          \
    M(RESULTS, "results")                                                                          \
    M(CODE, "code")                                                                                \
    M(CONTAINER_ID, "container_id")                                                                \
    M(OUTPUTS, "outputs")                                                                          \
    M(SERVER_LABEL, "server_label")                                                                \
    M(ERROR, "error")                                                                              \
    M(REASON, "reason")                                                                            \
    M(FINGERPRINT, "fingerprint")                                                                  \
    M(RESULT, "result")                                                                            \
    M(PASSTHROUGH, "internal_chat_message_metadata_passthrough")

enum tk_item_member {
#define TK_ITEM_MEMBER(id, name) TK_IM_##id,
    TK_ITEM_MEMBERS(TK_ITEM_MEMBER)
#undef TK_ITEM_MEMBER
    TK_IM_COUNT
};

#define TK_IM(id) (1ull << TK_IM_##id)

/* Members that name an item: an empty one is as good as none. */
#define TK_ITEM_IDS (TK_IM(CALL_ID) | TK_IM(ID) | TK_IM(APPROVAL_REQUEST_ID))

extern const struct tk_str tk_item_member_names[TK_IM_COUNT];

/* Rows of the table. Those of calls and outputs come before the others: sets of them are bits
 * 1 << row. */
enum tk_item_row {
    TK_ITEM_NONE, /* a type that isn't listed */
    TK_ITEM_FUNCTION_CALL,
    TK_ITEM_FUNCTION_OUTPUT,
    TK_ITEM_CUSTOM_CALL,
    TK_ITEM_CUSTOM_OUTPUT,
    TK_ITEM_LOCAL_SHELL_CALL,
    TK_ITEM_LOCAL_SHELL_OUTPUT,
    TK_ITEM_SHELL_CALL,
    TK_ITEM_SHELL_OUTPUT,
    TK_ITEM_PATCH_CALL,
    TK_ITEM_PATCH_OUTPUT,
    TK_ITEM_COMPUTER_CALL,
    TK_ITEM_COMPUTER_OUTPUT,
    TK_ITEM_SEARCH_CALL,
    TK_ITEM_SEARCH_OUTPUT,
    TK_ITEM_CALLS_END,
    TK_ITEM_MESSAGE = TK_ITEM_CALLS_END,
    TK_ITEM_REASONING,
    TK_ITEM_APPROVAL_REQUEST,
    TK_ITEM_APPROVAL_RESPONSE,
    TK_ITEM_REFERENCE,
    TK_ITEM_COMPACTION,
    TK_ITEM_WEB_SEARCH,
    TK_ITEM_FILE_SEARCH,
    TK_ITEM_CODE_INTERPRETER,
    TK_ITEM_IMAGE_GENERATION,
    TK_ITEM_MCP_CALL,
    TK_ITEM_MCP_TOOLS,
    TK_ITEM_PROGRAM,
    TK_ITEM_PROGRAM_OUTPUT,
    TK_ITEM_COMPACTION_TRIGGER,
    TK_ITEM_ADDITIONAL_TOOLS,
    /* items of other APIs, which this one refuses */
    TK_ITEM_TOOL_USE,
    TK_ITEM_TOOL_RESULT,
    TK_ITEM_TEXT,
    TK_ITEM_INPUT_TEXT,
    TK_ITEM_OUTPUT_TEXT,
    TK_ITEM_THINKING,
    TK_ITEM_IMAGE_URL,
    TK_ITEM_INPUT_IMAGE,
    TK_ITEM_UNTYPED, /* neither a type nor a role, and not an id alone */
    TK_ITEM_ROWS,
};

/* Facts about the items of a row. */
enum {
    TK_ITEM_NEEDS_ID = 1 << 0, /* the server looks it up, or others refer to it, by its `id` */
    TK_ITEM_FREE = 1 << 1,     /* may lose its `id` (PROVIDERS.md 4.3, free types) */
    TK_ITEM_CLIENTS = 1 << 2,  /* the client made it; all others count as the model's */
    TK_ITEM_HOSTED = 1 << 3,   /* the server executed it, and it is complete in itself */
    TK_ITEM_OPEN = 1 << 4,     /* its members aren't judged */
    TK_ITEM_FOREIGN = 1 << 5,  /* of another API */
};

struct tk_item {
    struct tk_str type;
    uint8_t kind;         /* enum tk_part_kind */
    uint8_t flags;        /* TK_ITEM_* */
    uint16_t answers;     /* output: bits 1 << row of the calls that it can answer */
    uint8_t output;       /* call: the row of the output that repair writes; 0: none */
    uint64_t required;    /* members, TK_IM() bits */
    uint64_t known;       /* further members */
    struct tk_str prefix; /* of its id; empty: any */
};

/* By enum tk_item_row. */
extern const struct tk_item tk_items[TK_ITEM_ROWS];

/* Returns the row of a type; TK_ITEM_NONE if it isn't listed. */
uint8_t tk_item_of(struct tk_str type);

/* Returns the row of an item by its type, or by its members if it has none. `ret_type`: the node of
 * its type, TK_NO_NODE if that is no string. */
uint8_t tk_item_row_of(struct tk_val item, struct tk_arena *arena, uint32_t *ret_type);

/* Returns which of the wanted members a member of an item is; TK_IM_COUNT: none. */
enum tk_item_member tk_item_member_of(struct tk_val member, uint64_t wanted);

/* Returns the default of a required member: JSON text, which is also the encoding of a string's
 * content if it begins with a quote. `.p == NULL`: it has none. */
struct tk_str tk_item_default(uint8_t row, enum tk_item_member member);

#endif
