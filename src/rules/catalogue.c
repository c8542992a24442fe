/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/catalogue.h"

const struct tk_rule tk_catalogue[TK_CODE_COUNT] = {
    [TK_CODE_BLOCK_OUTSIDE_ASSISTANT] =
        {"provider_executed_block_outside_assistant", TK_ERROR, 1, false, "anthropic",
         "A call or result of the provider-executed tool {tool} stands in a message "
         "that isn't the assistant's; drop the call, or keep the result's text.",
         NULL},
    [TK_CODE_DUPLICATE_ID] =
        {"duplicate_provider_executed_id", TK_ERROR, 1, false, "anthropic",
         "The id {id} names more than one provider-executed call or result; keep one "
         "complete pair and turn the rest into text.",
         NULL},
    [TK_CODE_CALL_WITHOUT_RESULT] =
        {"provider_executed_call_without_result", TK_ERROR, 1, false, "anthropic",
         "The call {id} of {tool} has no result and its turn is over; drop the call.",
         "messages.{message}: `{tool}` tool use with id `{id}` was found without a "
         "corresponding `{tool}_tool_result` block"},
    [TK_CODE_RESULT_WITHOUT_CALL] =
        {"provider_executed_result_without_call", TK_ERROR, 1, false, "anthropic",
         "The result for {id} answers no call; keep its content as text.",
         "messages.{message}.content.{part}: unexpected `tool_use_id` found in "
         "`{tool}_tool_result` blocks: {id}. Each `{tool}_tool_result` block must have "
         "a corresponding `server_tool_use` block before it."},
    [TK_CODE_RESULT_BEFORE_CALL] =
        {"provider_executed_result_before_call", TK_ERROR, 1, false, "anthropic",
         "The result for {id} stands before its call; move it behind the call.",
         "messages.{message}.content.{part}: unexpected `tool_use_id` found in "
         "`{tool}_tool_result` blocks: {id}. Each `{tool}_tool_result` block must have "
         "a corresponding `server_tool_use` block before it."},
    [TK_CODE_INVALID_CALL] =
        {"invalid_provider_executed_tool_call", TK_ERROR, 1, false, "anthropic",
         "The call {id} of {tool} can't be sent: its id or name is blank, its tool "
         "isn't one of `serializable_tools`, or its input isn't an object; mend the "
         "call or drop it.",
         NULL},
    [TK_CODE_INVALID_RESULT] =
        {"invalid_provider_executed_tool_result", TK_ERROR, 1, false, "anthropic",
         "The result for {id} doesn't have the form that the results of {tool} have; "
         "mend it or keep its content as text.",
         NULL},
    [TK_CODE_TYPE_MISMATCH] =
        {"provider_executed_result_type_mismatch", TK_ERROR, 1, false, "anthropic",
         "The result for {id} is of a type that doesn't belong to the call's tool "
         "{tool}; give it the right type or keep its content as text.",
         NULL},
    [TK_CODE_CALLER_DANGLING] =
        {"caller_reference_dangling", TK_ERROR, 1, false, "anthropic",
         "The caller of {id} names no provider-executed call of this turn; remove "
         "`caller`.",
         "source tool `{caller_id}` not found for tool use block `{id}`"},
    [TK_CODE_TOOL_UNKNOWN] =
        {"provider_executed_tool_unknown", TK_WARNING, 1, false, "anthropic",
         "No provider-executed tool called {tool} is known; the official API refuses "
         "names that it doesn't know.",
         "messages.{message}.content.{part}.server_tool_use.name: Input should be "
         "'web_search', 'web_fetch', 'code_execution', 'bash_code_execution', "
         "'text_editor_code_execution', 'tool_search_tool_regex', "
         "'tool_search_tool_bm25'"},
    [TK_CODE_SERVER_TOOL_ID_PATTERN] =
        {"server_tool_id_pattern", TK_ERROR, 2, false, "anthropic",
         "The id {id} of a provider-executed part hasn't the form `srvtoolu_...`; give "
         "both halves of the pair a new one.",
         "messages.{message}.content.{part}.server_tool_use.id: String should match "
         "pattern '^srvtoolu_[a-zA-Z0-9_]+$'"},
    [TK_CODE_TOOL_USE_WITHOUT_RESULT] =
        {"tool_use_without_result", TK_ERROR, 2, false, "anthropic",
         "The client call {id} of {tool} has no result right behind its turn; add one, "
         "if only to say that it wasn't executed.",
         "messages.{message}: `tool_use` ids were found without `tool_result` blocks "
         "immediately after: {id}. Each `tool_use` block must have a corresponding "
         "`tool_result` block in the next message."},
    [TK_CODE_TOOL_RESULT_NOT_FIRST] =
        {"tool_result_not_first", TK_ERROR, 2, false, "anthropic",
         "The result for {id} stands behind other content; move the results to the "
         "front of the user turn.",
         "messages.{message}: Did not find 1 `tool_result` block(s) at the beginning of "
         "this message. Messages following `tool_use` blocks must begin with a matching "
         "number of `tool_result` blocks."},
    [TK_CODE_TOOL_RESULT_NOT_ADJACENT] =
        {"tool_result_not_adjacent", TK_ERROR, 2, false, "anthropic",
         "The result for {id} comes a turn too late; move it right behind its call's "
         "turn.",
         "messages.{message}.content.{part}: unexpected `tool_use_id` found in "
         "`tool_result` blocks: {id}. Each `tool_result` block must have a "
         "corresponding `tool_use` block in the previous message."},
    [TK_CODE_TOOL_RESULT_WITHOUT_USE] =
        {"tool_result_without_use", TK_ERROR, 2, false, "anthropic",
         "The result for {id} answers no call; keep its content as text.",
         "messages.{message}.content.{part}: unexpected `tool_use_id` found in "
         "`tool_result` blocks: {id}. Each `tool_result` block must have a "
         "corresponding `tool_use` block in the previous message."},
    [TK_CODE_TOOL_RESULT_DUPLICATE] =
        {"tool_result_duplicate", TK_ERROR, 2, false, "anthropic",
         "The call {id} is answered already; keep this result's content as text.",
         "messages.{message}.content.{part}: each tool_use must have a single result. "
         "Found multiple `tool_result` blocks with id: {id}"},
    [TK_CODE_TOOL_USE_ID_DUPLICATE] =
        {"tool_use_id_duplicate", TK_ERROR, 2, false, "anthropic",
         "The id {id} is used by another client call; give one of them, and its result, "
         "a new one.",
         "messages.{message}.content.{part}: `tool_use` ids must be unique"},
    [TK_CODE_TOOL_USE_IN_USER] =
        {"tool_use_in_user", TK_ERROR, 2, false, "anthropic",
         "A client call stands in a message that isn't the assistant's; drop it or move "
         "it into one.",
         "messages.{message}: `tool_use` blocks can only be in `assistant` messages"},
    [TK_CODE_TOOL_RESULT_IN_ASSISTANT] =
        {"tool_result_in_assistant", TK_ERROR, 2, false, "anthropic",
         "The client's result for {id} stands in an assistant message; move it behind "
         "its call's turn.",
         "messages.{message}: `tool_result` blocks can only be in `user` messages"},
    [TK_CODE_TOOL_RESULT_FOR_SERVER_TOOL] =
        {"tool_result_for_server_tool", TK_ERROR, 2, false, "anthropic",
         "A client result answers the provider-executed call {id}; keep its content as "
         "text.",
         NULL},
    [TK_CODE_MESSAGES_EMPTY] = {"messages_empty", TK_ERROR, 2, false, "anthropic",
                                "There are no messages; send at least one.",
                                "messages: at least one message is required"},
    [TK_CODE_BODY_LONE_SURROGATE] =
        {"body_lone_surrogate", TK_ERROR, 2, false, "anthropic",
         "A string holds half of a surrogate pair, which isn't valid JSON for the "
         "provider; put U+FFFD in its place.",
         "The request body is not valid JSON: no low surrogate in string: line 1 column "
         "{column} (char {offset})"},
    [TK_CODE_ROLE_UNKNOWN] = {"role_unknown", TK_ERROR, 2, false, "anthropic",
                              "The role `{role}` is unknown; use `user`, `assistant` or `system`.",
                              "messages: Unexpected role \"{role}\". Allowed roles are \"user\" or "
                              "\"assistant\""},
    [TK_CODE_CONTENT_TYPE_INVALID] =
        {"content_type_invalid", TK_ERROR, 2, false, "anthropic",
         "A message's content is neither a string nor a list of blocks; wrap a lone "
         "block in a list.",
         "messages.{message}.content: Input should be a valid list"},
    [TK_CODE_MESSAGE_EXTRA_INPUTS] =
        {"message_extra_inputs", TK_ERROR, 2, false, "anthropic",
         "The message has members beside its role and content: {fields}; the provider takes none.",
         "messages.{message}.{field}: Extra inputs are not permitted"},
    [TK_CODE_FIELD_REQUIRED] = {"field_required", TK_ERROR, 2, false, "anthropic",
                                "The block lacks the member `{field}`; drop the block.",
                                "messages.{message}.content.{part}.{field}: Field required"},
    [TK_CODE_EXTRA_INPUTS] =
        {"extra_inputs", TK_ERROR, 2, false, "anthropic",
         "The block has a member `{field}` that its type doesn't know; delete it.",
         "messages.{message}.content.{part}.{field}: Extra inputs are not permitted"},
    [TK_CODE_UNKNOWN_BLOCK_TYPE] =
        {"unknown_block_type", TK_WARNING, 2, false, "anthropic",
         "No block of type `{type}` is known; the official API refuses it.",
         "messages.{message}.content.{part}: Input tag '{type}' found using 'type' does "
         "not match any of the expected tags"},
    [TK_CODE_MESSAGE_CONTENT_EMPTY] =
        {"message_content_empty", TK_ERROR, 2, false, "anthropic",
         "An assistant turn that isn't the last has no content; drop the message.",
         "messages.{message}: all messages must have non-empty content except for the "
         "optional final assistant message"},
    [TK_CODE_USER_CONTENT_EMPTY] =
        {"user_content_empty", TK_ERROR, 2, false, "anthropic",
         "A user turn has no content; put a text in its place.",
         "messages.{message}: user messages must have non-empty content"},
    [TK_CODE_SYSTEM_MESSAGE_FIRST] =
        {"system_message_first", TK_ERROR, 2, false, "anthropic",
         "The first message is a system message; use the request's `system` instead.",
         "messages.{message}: use the top-level 'system' parameter for the initial "
         "system prompt; the directive-only form (content: [] with output_config) is "
         "accepted at any position"},
    [TK_CODE_SYSTEM_MESSAGE_POSITION] =
        {"system_message_position", TK_ERROR, 2, false, "anthropic",
         "A system message stands where none may; move it behind the user messages that "
         "follow.",
         "messages.{message}: role 'system' must follow a 'user' message or an "
         "'assistant' message ending in a server tool result; the directive-only form "
         "(content: [] with output_config) is accepted at any position"},
    [TK_CODE_SYSTEM_MESSAGE_EMPTY] =
        {"system_message_empty", TK_ERROR, 2, false, "anthropic",
         "A system message holds nothing; drop it.",
         "messages.{message}: system content must contain at least one block"},
    [TK_CODE_SYSTEM_MESSAGE_BLOCK_TYPE] =
        {"system_message_block_type", TK_ERROR, 2, false, "anthropic",
         "A system message holds a block that isn't text; move the block to the user "
         "message before.",
         "messages.{message}: role 'system' supports text, tool_addition, and "
         "tool_removal blocks only"},
    [TK_CODE_MID_CONV_SYSTEM_BLOCK] =
        {"mid_conv_system_block", TK_WARNING, 2, false, "anthropic",
         "Blocks of type `mid_conv_system` were taken out of some SDKs; expect a "
         "refusal.",
         NULL},
    [TK_CODE_SEARCH_RESULT_IN_ASSISTANT] =
        {"search_result_in_assistant", TK_ERROR, 2, false, "anthropic",
         "A `search_result` block stands in an assistant message; keep its content as "
         "text.",
         NULL},
    [TK_CODE_TEXT_EMPTY] = {"text_empty", TK_ERROR, 2, false, "anthropic",
                            "A text block is empty; drop it.",
                            "messages: text content blocks must be non-empty"},
    [TK_CODE_TEXT_WHITESPACE_ONLY] =
        {"text_whitespace_only", TK_ERROR, 2, false, "anthropic",
         "A text holds nothing but white space; drop it.",
         "messages: text content blocks must contain non-whitespace text"},
    [TK_CODE_FINAL_ASSISTANT_TRAILING_WHITESPACE] =
        {"final_assistant_trailing_whitespace", TK_ERROR, 2, false, "anthropic",
         "The last message is the assistant's and its text ends in white space; trim it.",
         "messages: final assistant content cannot end with trailing whitespace"},
    [TK_CODE_THINKING_EMPTY] =
        {"thinking_empty", TK_ERROR, 2, false, "anthropic",
         "A thinking block has neither text nor signature; drop it.",
         "messages.{message}.content.{part}.thinking: each thinking block must contain "
         "thinking"},
    [TK_CODE_THINKING_SIGNATURE_MISSING] =
        {"thinking_signature_missing", TK_ERROR, 2, false, "anthropic",
         "A thinking block has no signature; keep what it says as text.",
         "messages.{message}.content.{part}.thinking.signature: Field required"},
    [TK_CODE_THINKING_TEXT_MISSING] =
        {"thinking_text_missing", TK_ERROR, 2, false, "anthropic",
         "A signed thinking block lacks its `thinking` member; add an empty one.",
         "messages.{message}.content.{part}.thinking.thinking: Field required"},
    [TK_CODE_REDACTED_THINKING_DATA_INVALID] =
        {"redacted_thinking_data_invalid", TK_ERROR, 2, false, "anthropic",
         "A redacted thinking block has no data; drop it.",
         "messages.{message}.content.{part}: Invalid `data` in `redacted_thinking` block"},
    [TK_CODE_THINKING_FINAL_BLOCK] =
        {"thinking_final_block", TK_ERROR, 2, false, "anthropic",
         "An assistant turn ends in thinking; put a text behind it.",
         "messages.{message}: The final block in an assistant message cannot be "
         "`thinking`."},
    [TK_CODE_THINKING_IN_USER] =
        {"thinking_in_user", TK_ERROR, 2, false, "anthropic",
         "A thinking block stands in a message that isn't the assistant's; keep what it "
         "says as text.",
         "messages.{message}.content: thinking blocks may only be in `assistant` "
         "messages"},
    [TK_CODE_THINKING_ORDER_UNVERIFIED] =
        {"thinking_order_unverified", TK_ERROR, 2, false, "anthropic",
         "The newest assistant turn was put together again and nothing proves the order "
         "of its thinking; keep the thinking as text.",
         "messages.{message}.content.{part}: `thinking` or `redacted_thinking` blocks "
         "in the latest assistant message cannot be modified. These blocks must remain "
         "as they were in the original response."},
    [TK_CODE_THINKING_SIGNATURE_MALFORMED] =
        {"thinking_signature_malformed", TK_ERROR, 2, false, "anthropic",
         "A thinking block's signature isn't padded base64; keep what the block says as "
         "text.",
         "messages.{message}.content.{part}: Invalid `signature` in `thinking` block"},
    [TK_CODE_THINKING_PREFIX_MISMATCH] =
        {"thinking_prefix_mismatch", TK_WARNING, 3, false, "anthropic",
         "What precedes this thinking isn't what it was made behind; newer models refuse it or "
         "leave it out.",
         "messages.{message}.content.{part}: Invalid `signature` in `thinking` block. The "
         "block is bound to a different conversation. Remove the block, or set "
         "`thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\". That setting "
         "requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` "
         "header."},
    [TK_CODE_SEALED_TURN_REORDERED] =
        {"sealed_turn_reordered", TK_ERROR, 3, false, "anthropic",
         "The blocks of a sealed turn stand in another order; put them back.",
         "messages.{message}.content.{part}: `thinking` or `redacted_thinking` blocks "
         "in the latest assistant message cannot be modified. These blocks must remain "
         "as they were in the original response."},
    [TK_CODE_SEALED_TURN_ALTERED] =
        {"sealed_turn_altered", TK_ERROR, 3, false, "anthropic",
         "A block of a sealed turn was changed; put the turn back.",
         "messages.{message}.content.{part}: `thinking` or `redacted_thinking` blocks "
         "in the latest assistant message cannot be modified. These blocks must remain "
         "as they were in the original response."},
    [TK_CODE_SEALED_TURN_MISSING_THINKING] =
        {"sealed_turn_missing_thinking", TK_ERROR, 3, false, "anthropic",
         "Thinking of a sealed turn is missing; put it back.",
         "messages.{message}.content.{part}: `thinking` or `redacted_thinking` blocks "
         "in the latest assistant message cannot be modified. These blocks must remain "
         "as they were in the original response."},
    [TK_CODE_SEALED_TURN_MISSING_TOOL_USE] =
        {"sealed_turn_missing_tool_use", TK_ERROR, 3, false, "anthropic",
         "A call of a sealed turn is missing; put it back.",
         "messages.{message}.content.{part}: `thinking` or `redacted_thinking` blocks "
         "in the latest assistant message cannot be modified. These blocks must remain "
         "as they were in the original response."},
    [TK_CODE_SEALED_TURN_FOREIGN_BLOCK] = {"sealed_turn_foreign_block", TK_ERROR, 3, false,
                                           "anthropic",
                                           "A block was added to a sealed turn; take it out.",
                                           NULL},
    [TK_CODE_THINKING_NOT_FOR_ROUTE] = {"thinking_not_for_route", TK_EDIT, 3, true, "anthropic",
                                        "The receiver doesn't take this thinking; drop it.", NULL},
    [TK_CODE_PRIOR_THINKING_PRUNED] = {"prior_thinking_pruned", TK_EDIT, 3, true, "anthropic",
                                       "Thinking of an older turn; drop it.", NULL},
    [TK_CODE_TOOL_USE_ID_PATTERN] =
        {"tool_use_id_pattern", TK_ERROR, 2, false, "anthropic",
         "The id {id} holds characters that ids may not hold; give the call and its "
         "result a new one.",
         "messages.{message}.content.{part}.tool_use.id: String should match pattern "
         "'^[a-zA-Z0-9_-]+$'"},
    [TK_CODE_TOOL_USE_NAME_INVALID] =
        {"tool_use_name_invalid", TK_ERROR, 2, false, "anthropic",
         "A client call's name is missing, empty or longer than 200 characters; give it "
         "another.",
         "messages.{message}.content.{part}.tool_use.name: String should have at least "
         "1 character"},
    [TK_CODE_TOOL_USE_INPUT_NOT_OBJECT] =
        {"tool_use_input_not_object", TK_ERROR, 2, false, "anthropic",
         "The input of the client call {id} isn't an object; make it one.",
         "messages.{message}.content.{part}.tool_use.input: Input should be a valid "
         "dictionary"},
    [TK_CODE_TOOL_RESULT_CONTENT_TYPE] =
        {"tool_result_content_type", TK_ERROR, 2, false, "anthropic",
         "The content of the result for {id} is neither a string nor a list; write it "
         "as a JSON string.",
         "messages.{message}.content.{part}.tool_result.content: Input should be a "
         "valid string"},
    [TK_CODE_TOOL_RESULT_CONTENT_EMPTY_LIST] =
        {"tool_result_content_empty_list", TK_WARNING, 2, false, "anthropic",
         "The content of the result for {id} is an empty list; some targets refuse it.", NULL},
    [TK_CODE_TOOL_RESULT_BLOCK_TYPE] =
        {"tool_result_block_type", TK_WARNING, 2, false, "anthropic",
         "The result for {id} holds a block of a type that results don't take.", NULL},
    [TK_CODE_TOOL_RESULT_ERROR_NON_TEXT] =
        {"tool_result_error_non_text", TK_ERROR, 2, false, "anthropic",
         "The error result for {id} holds a block that isn't text; move it behind the "
         "results.",
         "all content must be type `text` if `is_error` is true"},
    [TK_CODE_TOOL_RESULT_SEARCH_RESULT_MIXED] =
        {"tool_result_search_result_mixed", TK_ERROR, 2, false, "anthropic",
         "The result for {id} mixes search results with other blocks; move the others.", NULL},
    [TK_CODE_TOOL_RESULT_TOOL_REFERENCE_MIXED] =
        {"tool_result_tool_reference_mixed", TK_ERROR, 2, false, "anthropic",
         "The result for {id} mixes tool references with other blocks; move the others "
         "behind the results.",
         "Tool definitions/code execution functions cannot be mixed with other content"},
    [TK_CODE_TOOLSET_NAME_MISMATCH] =
        {"toolset_name_mismatch", TK_ERROR, 2, false, "anthropic",
         "The result for {id} names another toolset than its call; copy the call's.", NULL},
    [TK_CODE_TOOLSET_RESULT_CONTENT] =
        {"toolset_result_content", TK_ERROR, 2, false, "anthropic",
         "The result for {id} of a toolset's call holds a block that it may not hold; "
         "put text in its place.",
         NULL},
    [TK_CODE_PTC_RESULT_NON_TEXT] =
        {"ptc_result_non_text", TK_ERROR, 2, false, "anthropic",
         "The result for {id}, called from code, holds a block that isn't text; put "
         "text in its place.",
         NULL},
    [TK_CODE_IMAGE_MEDIA_TYPE_UNSUPPORTED] =
        {"image_media_type_unsupported", TK_ERROR, 2, false, "anthropic",
         "An image's media type `{declared}` isn't supported; declare what it is, or "
         "leave it out.",
         "messages.{message}.content.{part}.image.source.base64.media_type: Input "
         "should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'"},
    [TK_CODE_IMAGE_MEDIA_TYPE_MISMATCH] =
        {"image_media_type_mismatch", TK_ERROR, 2, false, "anthropic",
         "An image is declared as {declared} but is {found}; declare what it is.",
         "messages.{message}.content.{part}.image.source.base64: The image was "
         "specified using the {declared} media type, but the image appears to be a "
         "{found} image"},
    [TK_CODE_IMAGE_UNPROCESSABLE] = {"image_unprocessable", TK_WARNING, 2, false, "anthropic",
                                     "An image's data is none that the provider can read.",
                                     "Could not process image"},
    [TK_CODE_IMAGE_DIMENSIONS] =
        {"image_dimensions", TK_ERROR, 2, false, "anthropic",
         "An image is more than 8000 pixels wide or high; put a text in its place.",
         "image dimensions exceed max allowed size"},
    [TK_CODE_IMAGE_MANY_DIMENSIONS] =
        {"image_many_dimensions", TK_ERROR, 2, false, "anthropic",
         "An image is more than 2000 pixels wide or high in a request with more than 20 "
         "images; put a text in its place.",
         "messages.{message}.content.{part}.image.source.base64.data: At least one of "
         "the image dimensions exceed max allowed size for many-image requests: 2000 "
         "pixels"},
    [TK_CODE_PDF_INVALID] =
        {"pdf_invalid", TK_WARNING, 2, false, "anthropic", "A document's data is no PDF.",
         "messages.{message}.content.{part}.pdf.source.base64.data: The PDF specified "
         "was not valid."},
    [TK_CODE_CACHE_CONTROL_TOO_MANY] =
        {"cache_control_too_many", TK_ERROR, 2, false, "anthropic",
         "{count} blocks carry `cache_control`, 4 may; delete the oldest markers.",
         "A maximum of 4 blocks with cache_control may be provided. Found {count}."},
    [TK_CODE_CACHE_CONTROL_EMPTY_TEXT] =
        {"cache_control_empty_text", TK_ERROR, 2, false, "anthropic",
         "An empty text block carries `cache_control`; drop the block.",
         "messages.{message}.content.{part}.text: cache_control cannot be set for empty "
         "text blocks"},
    [TK_CODE_CACHE_CONTROL_ON_THINKING] =
        {"cache_control_on_thinking", TK_ERROR, 2, false, "anthropic",
         "A thinking block carries `cache_control`; delete the member.",
         "messages.{message}.content.{part}.thinking.cache_control: Extra inputs are "
         "not permitted"},
    [TK_CODE_CACHE_TTL_ORDER] =
        {"cache_ttl_order", TK_ERROR, 2, false, "anthropic",
         "A cache marker of one hour comes after one of five minutes; make it five "
         "minutes.",
         "messages.{message}.content.{part}.cache_control.ttl: a ttl='1h' cache_control "
         "block must not come after a ttl='5m' cache_control block."},
    [TK_CODE_ENCRYPTED_INDEX_MISSING] =
        {"encrypted_index_missing", TK_ERROR, 2, false, "anthropic",
         "A web search citation has no `encrypted_index`; delete the citation.", NULL},
    [TK_CODE_CITATION_DANGLING] = {"citation_dangling", TK_WARNING, 2, false, "anthropic",
                                   "A citation points at a source that isn't there.", NULL},
    [TK_CODE_CITATIONS_ALL_OR_NONE] =
        {"citations_all_or_none", TK_ERROR, 2, false, "anthropic",
         "Citations are enabled for some documents and not for this one; enable them.", NULL},
    [TK_CODE_COMPACTION_BLOCK_EMPTY] = {"compaction_block_empty", TK_ERROR, 2, false, "anthropic",
                                        "A compaction block has empty content; make it null.",
                                        NULL},
    [TK_CODE_COMPACTION_BLOCK_MISPLACED] =
        {"compaction_block_misplaced", TK_ERROR, 2, false, "anthropic",
         "A signed compaction block isn't the first block of the history; drop the "
         "messages that it stands for.",
         "messages.{message}.content.{part}: `compaction` block must be sent first, in "
         "place of the messages it summarizes; remove those messages"},
    [TK_CODE_ROLES_NOT_ALTERNATING] =
        {"roles_not_alternating", TK_ERROR, 3, true, "anthropic",
         "Two messages of one role stand side by side; they are merged where the policy "
         "asks.",
         "messages: roles must alternate between \"user\" and \"assistant\", but found "
         "multiple \"{role}\" roles in a row"},
    [TK_CODE_ADVISOR_BETA_MISSING] =
        {"advisor_beta_missing", TK_ERROR, 3, false, "anthropic",
         "An advisor call or result needs the beta value `advisor-tool-2026-03-01`; send it, or drop the call and keep the advice as text.",
         NULL},
    [TK_CODE_MCP_TOOL_LISTING_BETA] =
        {"mcp_tool_listing_beta", TK_ERROR, 3, false, "anthropic",
         "A listing of MCP tools needs the beta value `mcp-client-2026-09-15`; send it, or drop the block.",
         NULL},
    [TK_CODE_FALLBACK_BLOCK_BETA] =
        {"fallback_block_beta", TK_ERROR, 3, false, "anthropic",
         "A fallback block needs the beta value `server-side-fallback-2026-07-01`; send it, or drop the block.",
         "messages.{message}.content.{part}: Input tag 'fallback' found using 'type' does not match any of the expected tags"},
    [TK_CODE_TOOL_CHANGE_BETA] =
        {"tool_change_beta", TK_ERROR, 3, false, "anthropic",
         "Tools change in a system message, with the beta value `mid-conversation-tool-changes-2026-07-01`; send it, or drop the block.",
         "messages.{message}.content.{part}: Input tag 'tool_addition' found using 'type' does not match any of the expected tags"},
    [TK_CODE_INLINE_TOOL_DEFINITION] =
        {"inline_tool_definition", TK_ERROR, 3, false, "anthropic",
         "A tool that is defined in a message needs the beta value `inline-tools-2026-09-15`.",
         "messages.{message}.content.{part}: Input tag 'tool_definition' found using 'type' does not match any of the expected tags"},
    [TK_CODE_MESSAGE_OUTPUT_CONFIG_BETA] =
        {"message_output_config_beta", TK_ERROR, 3, false, "anthropic",
         "A message with `output_config` needs the beta value `mid-conversation-output-config-2026-07-01`.",
         "messages.{message}.output_config: Extra inputs are not permitted"},
    [TK_CODE_MESSAGE_CLEAR_AT_BETA] =
        {"message_clear_at_beta", TK_ERROR, 3, false, "anthropic",
         "A message with `clear_at` needs the beta value `mid-conversation-system-clear-at-2026-08-21`; send it, or delete the member.",
         "messages.{message}.clear_at: Extra inputs are not permitted"},
    [TK_CODE_BLOCK_BINDING_BETA] =
        {"block_binding_beta", TK_ERROR, 3, false, "anthropic",
         "`thinking.block_binding` needs the beta value `thinking-binding-controls-2026-08-01`.",
         "thinking.adaptive.block_binding: Extra inputs are not permitted"},
    [TK_CODE_COMPACTION_BLOCK_BETA] =
        {"compaction_block_beta", TK_ERROR, 3, false, "anthropic",
         "A compaction block needs its beta value, `compact-2026-09-04` where it is signed; send it, or tell its summary as the user.",
         "messages.{message}.content.{part}: Input tag 'compaction' found using 'type' does not match any of the expected tags"},
    [TK_CODE_COMPACTION_STRATEGY_MISSING] =
        {"compaction_strategy_missing", TK_ERROR, 3, false, "anthropic",
         "An unsigned compaction block needs the strategy `compact_20260112` in `context_management.edits`; add it, or tell its summary as the user.",
         "messages.{message}.content.{part}: `compaction` blocks require a `compact_20260112` strategy in `context_management.edits`."},
    [TK_CODE_COMPACTION_SIGNATURE_MISSING] =
        {"compaction_signature_missing", TK_ERROR, 3, false, "anthropic",
         "A compaction block came without its signature; tell its summary as the user.",
         "messages.{message}.content.{part}: a `compaction` block with `content` requires its `signature`: send the block exactly as it was returned"},
};

const size_t tk_catalogue_count = TK_CODE_COUNT;

const char *tk_severity_name(enum tk_severity severity)
{
    static const char *const names[] = {
        [TK_WARNING] = "warning", [TK_ERROR] = "error", [TK_EDIT] = "edit"};

    return names[severity];
}
