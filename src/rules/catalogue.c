/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/catalogue.h"

#define RESULT_WITHOUT_CALL                                                                        \
    "messages.{message}.content.{part}: unexpected `tool_use_id` found in `{tool}_tool_result` "   \
    "blocks: {id}. Each `{tool}_tool_result` block must have a corresponding `server_tool_use` "   \
    "block before it."

const struct tk_rule tk_catalogue[TK_CODE_COUNT] = {
    [TK_CODE_BLOCK_OUTSIDE_ASSISTANT] =
        {"provider_executed_block_outside_assistant", TK_ERROR, 1, false, "anthropic",
         "A call or result of the provider-executed tool {tool} stands in a message that isn't the "
         "assistant's; drop the call, or keep the result's text.",
         NULL},
    [TK_CODE_DUPLICATE_ID] =
        {"duplicate_provider_executed_id", TK_ERROR, 1, false, "anthropic",
         "The id {id} names more than one provider-executed call or result; keep one complete pair "
         "and turn the rest into text.",
         NULL},
    [TK_CODE_CALL_WITHOUT_RESULT] =
        {"provider_executed_call_without_result", TK_ERROR, 1, false, "anthropic",
         "The call {id} of {tool} has no result and its turn is over; drop the call.",
         "messages.{message}: `{tool}` tool use with id `{id}` was found without a corresponding "
         "`{tool}_tool_result` block"},
    [TK_CODE_RESULT_WITHOUT_CALL] =
        {"provider_executed_result_without_call", TK_ERROR, 1, false, "anthropic",
         "The result for {id} answers no call; keep its content as text.", RESULT_WITHOUT_CALL},
    [TK_CODE_RESULT_BEFORE_CALL] =
        {"provider_executed_result_before_call", TK_ERROR, 1, false, "anthropic",
         "The result for {id} stands before its call; move it behind the call.",
         RESULT_WITHOUT_CALL},
    [TK_CODE_INVALID_CALL] =
        {"invalid_provider_executed_tool_call", TK_ERROR, 1, false, "anthropic",
         "The call {id} of {tool} can't be sent: its id or name is blank, its tool isn't one of "
         "`serializable_tools`, or its input isn't an object; mend the call or drop it.",
         NULL},
    [TK_CODE_INVALID_RESULT] =
        {"invalid_provider_executed_tool_result", TK_ERROR, 1, false, "anthropic",
         "The result for {id} doesn't have the form that the results of {tool} have; mend it or "
         "keep its content as text.",
         NULL},
    [TK_CODE_TYPE_MISMATCH] =
        {"provider_executed_result_type_mismatch", TK_ERROR, 1, false, "anthropic",
         "The result for {id} is of a type that doesn't belong to the call's tool {tool}; give it "
         "the right type or keep its content as text.",
         NULL},
    [TK_CODE_CALLER_DANGLING] =
        {"caller_reference_dangling", TK_ERROR, 1, false, "anthropic",
         "The caller of {id} names no provider-executed call of this turn; remove `caller`.",
         "source tool `{caller_id}` not found for tool use block `{id}`"},
    [TK_CODE_TOOL_UNKNOWN] =
        {"provider_executed_tool_unknown", TK_WARNING, 1, false, "anthropic",
         "No provider-executed tool called {tool} is known; the official API refuses names that it "
         "doesn't know.",
         "messages.{message}.content.{part}.server_tool_use.name: Input should be 'web_search', "
         "'web_fetch', 'code_execution', 'bash_code_execution', 'text_editor_code_execution', "
         "'tool_search_tool_regex', 'tool_search_tool_bm25'"},
    [TK_CODE_MESSAGE_CONTENT_EMPTY] =
        {"message_content_empty", TK_ERROR, 2, false, "anthropic",
         "An assistant turn that isn't the last has no content; drop the message.",
         "messages.{message}: all messages must have non-empty content except for the optional "
         "final assistant message"},
    [TK_CODE_USER_CONTENT_EMPTY] =
        {"user_content_empty", TK_ERROR, 2, false, "anthropic",
         "A user turn has no content; put a text in its place.",
         "messages.{message}: user messages must have non-empty content"},
    [TK_CODE_THINKING_FINAL_BLOCK] =
        {"thinking_final_block", TK_ERROR, 2, false, "anthropic",
         "An assistant turn ends in thinking; put a text behind it.",
         "messages.{message}: The final block in an assistant message cannot be `thinking`."},
    [TK_CODE_CITATION_DANGLING] =
        {"citation_dangling", TK_WARNING, 2, true, "anthropic",
         "A citation points at a search hit that was removed; the pointer goes, the text stays.",
         NULL},
    [TK_CODE_ROLES_NOT_ALTERNATING] =
        {"roles_not_alternating", TK_ERROR, 3, true, "anthropic",
         "Two messages of one role stand side by side; they are merged where the policy asks.",
         "messages: roles must alternate between \"user\" and \"assistant\", but found multiple "
         "\"{role}\" roles in a row"},
};

const size_t tk_catalogue_count = TK_CODE_COUNT;

const char *tk_severity_name(enum tk_severity severity)
{
    static const char *const names[] = {[TK_WARNING] = "warning", [TK_ERROR] = "error"};

    return names[severity];
}
