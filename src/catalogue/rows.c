/* SPDX-License-Identifier: Apache-2.0 */
/* Made by generate.py from catalogue.json: change those. */
#include "catalogue/rule.h"

#include <stddef.h>

/* clang-format off */
const struct tk_rule tk_catalogue[TK_CODE_COUNT] = {
    [TK_CODE_PROVIDER_EXECUTED_BLOCK_OUTSIDE_ASSISTANT] = {
        .code = "provider_executed_block_outside_assistant",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 1,
        .text =
            "A call or result of the provider-executed tool {tool} is outside the assistant's "
            "messages; drop the call, or keep the result's text.",
        .trigger =
            "A provider-executed call or result is in a message whose role isn't `assistant`.",
        .conservative = "drop the call, textify the result",
        .preserve = "move into the turn before where that completes a pair, else the same",
    },
    [TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID] = {
        .code = "duplicate_provider_executed_id",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 1,
        .text =
            "The id {id} names more than one provider-executed call or result; keep one complete "
            "pair and turn the rest into text.",
        .trigger =
            "An id has two or more provider-executed calls, or two or more results, in one turn "
            "(all its parts are blamed), or was used in an earlier turn (the later parts are).",
        .conservative = "drop the calls, textify the results",
        .preserve = "textify or drop all but the first complete pair",
    },
    [TK_CODE_PROVIDER_EXECUTED_CALL_WITHOUT_RESULT] = {
        .code = "provider_executed_call_without_result",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 1,
        .text = "The call {id} of {tool} has no result and its turn is over; drop the call.",
        .provider_error =
            "messages.{message}: `{tool}` tool use with id `{id}` was found without a "
            "corresponding `{tool}_tool_result` block",
        .trigger =
            "A provider-executed call has no result in its turn and isn't in flight (something "
            "other than user messages made only of `tool_result` follows).",
        .conservative = "drop the call",
        .preserve =
            "drop the call, or insert_result of the error shape when `orphan_call` is "
            "`error_result`",
    },
    [TK_CODE_PROVIDER_EXECUTED_RESULT_WITHOUT_CALL] = {
        .code = "provider_executed_result_without_call",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 1,
        .text = "The result for {id} answers no call; keep its content as text.",
        .provider_error =
            "messages.{message}.content.{part}: unexpected `tool_use_id` found in "
            "`{tool}_tool_result` blocks: {id}. Each `{tool}_tool_result` block must have a "
            "corresponding `server_tool_use` block before it.",
        .trigger =
            "A provider-executed result has no call of its id in its turn and none in flight from "
            "an earlier turn.",
        .conservative = "textify the result",
        .preserve = "textify the result, marked with its tool",
    },
    [TK_CODE_PROVIDER_EXECUTED_RESULT_BEFORE_CALL] = {
        .code = "provider_executed_result_before_call",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 1,
        .text = "The result for {id} comes before its call; move it after the call.",
        .provider_error =
            "messages.{message}.content.{part}: unexpected `tool_use_id` found in "
            "`{tool}_tool_result` blocks: {id}. Each `{tool}_tool_result` block must have a "
            "corresponding `server_tool_use` block before it.",
        .trigger = "Call and result of one id are in one turn, the result first; both are blamed.",
        .conservative = "drop the call, textify the result",
        .preserve = "move the result after its call",
    },
    [TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_CALL] = {
        .code = "invalid_provider_executed_tool_call",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 1,
        .text =
            "The call {id} of {tool} can't be sent: its id or name is blank, its tool isn't one "
            "of `serializable_tools`, or its input isn't an object; mend the call or drop it.",
        .trigger =
            "The pair is in order but the call can't be sent: blank id or name, a name outside "
            "`serializable_tools`, an input that isn't an object (string dialects: isn't JSON); "
            "both are blamed.",
        .conservative = "drop the call, textify the result",
        .preserve =
            "rewrite a string that parses to an object, or a missing or null input as `{}`, else "
            "the same",
    },
    [TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_RESULT] = {
        .code = "invalid_provider_executed_tool_result",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 1,
        .text =
            "The result for {id} doesn't have the form that the results of {tool} have; mend it "
            "or keep its content as text.",
        .trigger =
            "The pair is in order, its call good, but the result's `content` hasn't the form that "
            "the server tool table gives its type: hits with string `url`, `title` and non-empty "
            "`encrypted_content`; a listed object with its required members; or the error object "
            "with a non-empty `error_code` (unlisted types pass); both are blamed.",
        .conservative = "drop the call, textify the result",
        .preserve = "rewrite where nothing is lost, else the same",
    },
    [TK_CODE_PROVIDER_EXECUTED_RESULT_TYPE_MISMATCH] = {
        .code = "provider_executed_result_type_mismatch",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 1,
        .text =
            "The result for {id} is of a type that doesn't belong to the call's tool {tool}; give "
            "it the right type or keep its content as text.",
        .trigger =
            "The pair is in order and both halves are good, but the table gives the call's name "
            "another result type (for an unlisted name: the type is a listed tool's); both are "
            "blamed.",
        .conservative = "drop the call, textify the result",
        .preserve = "rewrite the type where the content fits, else the same",
    },
    [TK_CODE_CALLER_REFERENCE_DANGLING] = {
        .code = "caller_reference_dangling",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 1,
        .text = "The caller of {id} names no provider-executed call of this turn; remove `caller`.",
        .provider_error = "source tool `{caller_id}` not found for tool use block `{id}`",
        .trigger =
            "A part's `caller` isn't `direct` and its `tool_id` names no provider-executed call "
            "of the turn or in flight.",
        .conservative = "rewrite: delete `caller`",
    },
    [TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN] = {
        .code = "provider_executed_tool_unknown",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 1,
        .text =
            "No provider-executed tool called {tool} is known; the official API refuses names "
            "that it doesn't know.",
        .provider_error =
            "messages.{message}.content.{part}.server_tool_use.name: Input should be "
            "'web_search', 'web_fetch', 'code_execution', 'bash_code_execution', "
            "'text_editor_code_execution', 'tool_search_tool_regex', 'tool_search_tool_bm25'",
        .trigger =
            "A provider-executed call, in a good pair or in flight, has a name that the table "
            "doesn't list (not MCP's, nor with `serializable_tools`; with `unknown_tools: error` "
            "an error, both parts blamed).",
        .conservative = "none; as an invalid call when it is an error",
    },
    [TK_CODE_SERVER_TOOL_ID_PATTERN] = {
        .code = "server_tool_id_pattern",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The id {id} of a provider-executed part doesn't have the form `srvtoolu_...`; give "
            "both halves of the pair a new one.",
        .provider_error =
            "messages.{message}.content.{part}.server_tool_use.id: String should match pattern "
            "'^srvtoolu_[a-zA-Z0-9_]+$'",
        .trigger =
            "The id of a provider-executed part (not MCP's) doesn't match "
            "`^srvtoolu_[a-zA-Z0-9_]+$`, and no other rule of wave 1 blames a part of that id in "
            "its turn; wire dialect only; calls carried into `repair_turn` keep their ids.",
        .conservative = "rewrite every use, in callers too: `srvtoolu_`, the cleaned id, a hash",
    },
    [TK_CODE_TOOL_USE_WITHOUT_RESULT] = {
        .code = "tool_use_without_result",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The client call {id} of {tool} has no result right after its turn; add one, at least "
            "one that says it wasn't executed.",
        .provider_error =
            "messages.{message}: `tool_use` ids were found without `tool_result` blocks "
            "immediately after: {id}. Each `tool_use` block must have a corresponding "
            "`tool_result` block in the next message.",
        .trigger =
            "A client `tool_use` has no `tool_result` in the user turn right after its turn (also "
            "when nothing follows), and no misplaced one elsewhere claims it.",
        .conservative = "insert_result (`is_error`, \"Not executed.\") after its turn",
    },
    [TK_CODE_TOOL_RESULT_NOT_FIRST] = {
        .code = "tool_result_not_first",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The result for {id} comes after other content; move it to the start of the user "
            "turn.",
        .provider_error =
            "messages.{message}: Did not find 1 `tool_result` block(s) at the beginning of this "
            "message. Messages following `tool_use` blocks must begin with a matching number of "
            "`tool_result` blocks.",
        .trigger =
            "A `tool_result` that answers the turn before it comes after a block of its user turn "
            "that isn't a `tool_result`.",
        .conservative = "move all results of the turn to its front, order kept",
    },
    [TK_CODE_TOOL_RESULT_NOT_ADJACENT] = {
        .code = "tool_result_not_adjacent",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The result for {id} comes a turn too late; move it right after its call's turn.",
        .provider_error =
            "messages.{message}.content.{part}: unexpected `tool_use_id` found in `tool_result` "
            "blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` block in "
            "the previous message.",
        .trigger =
            "A `tool_result` answers an unanswered call of an earlier turn, but another turn is "
            "between them; it claims the call, which isn't reported too.",
        .conservative = "move the result directly after its call's turn",
    },
    [TK_CODE_TOOL_RESULT_WITHOUT_USE] = {
        .code = "tool_result_without_use",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The result for {id} answers no call; keep its content as text.",
        .provider_error =
            "messages.{message}.content.{part}: unexpected `tool_use_id` found in `tool_result` "
            "blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` block in "
            "the previous message.",
        .trigger =
            "A `tool_result` names no call of the turn before it, no unanswered one of an earlier "
            "turn and no provider-executed one.",
        .conservative = "textify into its user message, after the results that stay",
    },
    [TK_CODE_TOOL_RESULT_DUPLICATE] = {
        .code = "tool_result_duplicate",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The call {id} is answered already; keep this result's content as text.",
        .provider_error =
            "messages.{message}.content.{part}: each tool_use must have a single result. Found "
            "multiple `tool_result` blocks with id: {id}",
        .trigger =
            "A `tool_result` has the id of a call of the turn before, but results before it "
            "answer all calls of that id.",
        .conservative = "textify into the user message, after the results that stay",
    },
    [TK_CODE_TOOL_USE_ID_DUPLICATE] = {
        .code = "tool_use_id_duplicate",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The id {id} is used by another client call; give one of them, and its result, a new "
            "one.",
        .provider_error = "messages.{message}.content.{part}: `tool_use` ids must be unique",
        .trigger =
            "A `tool_use` id occurs again in its assistant turn; all but the first are blamed. A "
            "warning where only an earlier turn has the id: there each result answers the turn "
            "before it.",
        .conservative =
            "drop an identical copy; else rewrite the later id and, by position, its result's "
            "(errors only)",
    },
    [TK_CODE_TOOL_USE_IN_USER] = {
        .code = "tool_use_in_user",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A client call is outside the assistant's messages; drop it, or move it into one.",
        .provider_error =
            "messages.{message}: `tool_use` blocks can only be in `assistant` messages",
        .trigger =
            "A `tool_use` block is in a message whose role isn't `assistant` (it takes no part in "
            "pairing).",
        .conservative = "drop",
        .preserve =
            "move into an assistant message split off at that block, if something of its user "
            "turn that is no such call follows it and no earlier turn is signed; else drop",
    },
    [TK_CODE_TOOL_RESULT_IN_ASSISTANT] = {
        .code = "tool_result_in_assistant",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The client's result for {id} is in an assistant message; move it after its call's "
            "turn.",
        .provider_error = "messages.{message}: `tool_result` blocks can only be in `user` messages",
        .trigger =
            "A `tool_result` is in an assistant message (it claims an unanswered call of its own "
            "or an earlier turn).",
        .conservative = "move it after the turn of the call that it claims, else textify",
    },
    [TK_CODE_TOOL_RESULT_FOR_SERVER_TOOL] = {
        .code = "tool_result_for_server_tool",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "A client result answers the provider-executed call {id}; keep its content as text.",
        .trigger = "A client `tool_result` names a provider-executed call of an earlier turn.",
        .conservative = "textify into its user message, after the results that stay",
    },
    [TK_CODE_MESSAGES_EMPTY] = {
        .code = "messages_empty",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "There are no messages; send at least one.",
        .provider_error = "messages: at least one message is required",
        .trigger = "`messages` is an empty list.",
        .conservative = "report",
    },
    [TK_CODE_BODY_LONE_SURROGATE] = {
        .code = "body_lone_surrogate",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "A string contains half of a surrogate pair, which isn't valid JSON for the provider; "
            "put U+FFFD in its place.",
        .provider_error =
            "The request body is not valid JSON: no low surrogate in string: line 1 column "
            "{column} (char {offset})",
        .trigger =
            "A string anywhere in the body holds a `\\uD800`-`\\uDFFF` escape that isn't half of "
            "a pair.",
        .conservative = "rewrite: U+FFFD for each lone surrogate",
    },
    [TK_CODE_ROLE_UNKNOWN] = {
        .code = "role_unknown",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The role `{role}` is unknown; use `user`, `assistant` or `system`.",
        .provider_error =
            "messages: Unexpected role \"{role}\". Allowed roles are \"user\" or \"assistant\"",
        .more_errors = (const char *const[]){
            "messages[{message}].role: unknown variant `{role}`, expected `user` or `assistant`",
            NULL},
        .trigger = "A message's role is missing or isn't `user`, `assistant` or `system`.",
        .conservative = "report",
    },
    [TK_CODE_CONTENT_TYPE_INVALID] = {
        .code = "content_type_invalid",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "A message's content is neither a string nor a list of blocks; wrap a lone block in a "
            "list.",
        .provider_error = "messages.{message}.content: Input should be a valid list",
        .trigger = "A message's `content` is missing or neither a string nor a list.",
        .conservative =
            "rewrite: wrap a lone block (an object) in a list; a bare message (RULES.md 8) whose "
            "content is missing or null goes as one that was emptied (RULES.md 6.5), under this "
            "code; else report",
    },
    [TK_CODE_MESSAGE_EXTRA_INPUTS] = {
        .code = "message_extra_inputs",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The message has members other than its role and content: {fields}; the provider "
            "takes none.",
        .provider_error = "messages.{message}.{field}: Extra inputs are not permitted",
        .trigger =
            "A message has a member other than `role`, `content`, `output_config` and `clear_at`: "
            "an error; on endpoint `compatible` a warning unless one of them is known to be left "
            "over by SDKs and stores (RULES.md 8 b) or is null or empty.",
        .conservative =
            "rewrite: delete known leftovers, null and empty members, numbers and booleans "
            "(errors only; in signed and protected turns too; words of other formats stay where "
            "the message has no text or block of its own); with `extra_members: drop` the others "
            "too",
    },
    [TK_CODE_FIELD_REQUIRED] = {
        .code = "field_required",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The block lacks the member `{field}`; drop the block.",
        .provider_error = "messages.{message}.content.{part}.{field}: Field required",
        .trigger =
            "A block other than text, thinking, calls and results lacks a member that the block "
            "table requires (those have rules of their own).",
        .conservative = "drop a block without foreign members, else report (RULES.md 8)",
    },
    [TK_CODE_EXTRA_INPUTS] = {
        .code = "extra_inputs",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The block has a member `{field}` that its type doesn't know; delete it.",
        .provider_error =
            "messages.{message}.content.{part}.{field}: Extra inputs are not permitted",
        .trigger =
            "A block of a known type carries a known offender (`index`, `partial_json`, `parsed`; "
            "`text` on tool_use, `name` on tool_result, `id` on text); any other member outside "
            "its row of the block table is a warning. Blocks inside results aren't looked at.",
        .conservative = "rewrite: delete the member (errors only)",
    },
    [TK_CODE_UNKNOWN_BLOCK_TYPE] = {
        .code = "unknown_block_type",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "No block of type `{type}` is known; the official API refuses it.",
        .provider_error =
            "messages.{message}.content.{part}: Input tag '{type}' found using 'type' does not "
            "match any of the expected tags",
        .trigger =
            "A block's `type` is missing, or isn't in the block table and ends in neither "
            "`_tool_use` nor `_tool_result`.",
        .conservative = "none",
    },
    [TK_CODE_MESSAGE_CONTENT_EMPTY] = {
        .code = "message_content_empty",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "An assistant turn that isn't the last has no content; drop the message.",
        .provider_error =
            "messages.{message}: all messages must have non-empty content except for the optional "
            "final assistant message",
        .trigger =
            "An assistant turn that isn't the last turn has no content at all (every message of "
            "it is `\"\"` or `[]`); each is blamed.",
        .conservative = "drop_message",
    },
    [TK_CODE_USER_CONTENT_EMPTY] = {
        .code = "user_content_empty",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A user turn has no content; put a text in its place.",
        .provider_error = "messages.{message}: user messages must have non-empty content",
        .trigger =
            "A user turn has no content at all (every message of it is `\"\"` or `[]`); each is "
            "blamed.",
        .conservative =
            "rewrite: `(empty)` in the first message of the turn, the others drop_message",
    },
    [TK_CODE_SYSTEM_MESSAGE_FIRST] = {
        .code = "system_message_first",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The first message is a system message; use the request's `system` instead.",
        .provider_error =
            "messages.{message}: use the top-level 'system' parameter for the initial system "
            "prompt; the directive-only form (content: [] with output_config) is accepted at any "
            "position",
        .trigger =
            "The first message has role `system` (unless `content` is `[]` with `output_config`).",
        .conservative = "report",
    },
    [TK_CODE_SYSTEM_MESSAGE_POSITION] = {
        .code = "system_message_position",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A system message isn't allowed here; move it after the user messages that follow.",
        .provider_error =
            "messages.{message}: role 'system' must follow a 'user' message or an 'assistant' "
            "message ending in a server tool result; the directive-only form (content: [] with "
            "output_config) is accepted at any position",
        .more_errors = (const char *const[]){
            "messages.{message}: role 'system' must precede an 'assistant' message or end the "
            "array",
            NULL},
        .trigger =
            "A run of `system` messages, not at the start, follows neither a user message nor an "
            "assistant's last provider-executed result, or is followed by a user message; its "
            "last message is blamed (directive-only ones are exempt).",
        .conservative = "move it forward, after the user messages that follow",
    },
    [TK_CODE_SYSTEM_MESSAGE_EMPTY] = {
        .code = "system_message_empty",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A system message is empty; drop it.",
        .provider_error = "messages.{message}: system content must contain at least one block",
        .trigger = "A `system` message has no content or only blank text, and no `output_config`.",
        .conservative = "drop_message",
    },
    [TK_CODE_SYSTEM_MESSAGE_BLOCK_TYPE] = {
        .code = "system_message_block_type",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "A system message has a block that isn't text; move the block to the user message "
            "before it.",
        .provider_error =
            "messages.{message}: role 'system' supports text, tool_addition, and tool_removal "
            "blocks only",
        .trigger =
            "A `system` message holds a block other than `text`, `tool_addition` or "
            "`tool_removal`.",
        .conservative = "move the block to the user message before",
    },
    [TK_CODE_MID_CONV_SYSTEM_BLOCK] = {
        .code = "mid_conv_system_block",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "Blocks of type `mid_conv_system` were taken out of some SDKs; expect a refusal.",
        .trigger = "A block has type `mid_conv_system`.",
        .conservative = "none",
    },
    [TK_CODE_SEARCH_RESULT_IN_ASSISTANT] = {
        .code = "search_result_in_assistant",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A `search_result` block is in an assistant message; keep its content as text.",
        .trigger = "A `search_result` block is in an assistant message.",
        .conservative = "textify",
    },
    [TK_CODE_TEXT_EMPTY] = {
        .code = "text_empty",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A text block is empty; drop it.",
        .provider_error = "messages: text content blocks must be non-empty",
        .trigger =
            "A text block (also in `tool_result.content` or top-level `system`) has the text "
            "`\"\"` or none; a warning directly between two signed thinking blocks. (String "
            "content `\"\"` is empty content.)",
        .conservative = "drop",
    },
    [TK_CODE_TEXT_WHITESPACE_ONLY] = {
        .code = "text_whitespace_only",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A text contains only white space; drop it.",
        .provider_error = "messages: text content blocks must contain non-whitespace text",
        .trigger =
            "A text block or string content is made of white space only (Unicode White_Space), "
            "and its message holds nothing else visible (thinking isn't), or it is the end of a "
            "last message that is the assistant's; a warning beside other content.",
        .conservative = "drop (errors only)",
    },
    [TK_CODE_FINAL_ASSISTANT_TRAILING_WHITESPACE] = {
        .code = "final_assistant_trailing_whitespace",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The last message is the assistant's and its text ends in white space; trim it.",
        .provider_error = "messages: final assistant content cannot end with trailing whitespace",
        .trigger =
            "The last message is the assistant's, its last block is text that isn't blank, and "
            "that text ends in white space.",
        .conservative = "rewrite: trim the end",
    },
    [TK_CODE_THINKING_EMPTY] = {
        .code = "thinking_empty",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A thinking block has neither text nor signature; drop it.",
        .provider_error =
            "messages.{message}.content.{part}.thinking: each thinking block must contain "
            "thinking",
        .trigger =
            "A `thinking` block has no signature (missing or empty) and no text (missing or "
            "blank).",
        .conservative = "drop the block (nothing is in it)",
    },
    [TK_CODE_THINKING_SIGNATURE_MISSING] = {
        .code = "thinking_signature_missing",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A thinking block has no signature; keep what it says as text.",
        .provider_error = "messages.{message}.content.{part}.thinking.signature: Field required",
        .trigger = "A `thinking` block with text has no signature (missing or empty).",
        .conservative = "demote to text",
    },
    [TK_CODE_THINKING_TEXT_MISSING] = {
        .code = "thinking_text_missing",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A signed thinking block lacks its `thinking` member; add an empty one.",
        .provider_error = "messages.{message}.content.{part}.thinking.thinking: Field required",
        .trigger = "A `thinking` block with a signature has no string `thinking`.",
        .conservative = "rewrite: add `\"thinking\":\"\"`, keep the signature",
    },
    [TK_CODE_REDACTED_THINKING_DATA_INVALID] = {
        .code = "redacted_thinking_data_invalid",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A redacted thinking block has no data; drop it.",
        .provider_error =
            "messages.{message}.content.{part}: Invalid `data` in `redacted_thinking` block",
        .trigger =
            "A `redacted_thinking` block has no `data` (missing or empty; whether other data is "
            "genuine only the provider can tell).",
        .conservative = "drop the block (nothing is in it)",
    },
    [TK_CODE_THINKING_FINAL_BLOCK] = {
        .code = "thinking_final_block",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "An assistant turn ends in thinking; put a text after it.",
        .provider_error =
            "messages.{message}: The final block in an assistant message cannot be `thinking`.",
        .trigger =
            "An assistant turn ends in `thinking` or `redacted_thinking`; its last part is "
            "blamed.",
        .conservative = "append: the text \"(interrupted)\"",
    },
    [TK_CODE_THINKING_IN_USER] = {
        .code = "thinking_in_user",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A thinking block is outside the assistant's messages; keep what it says as text.",
        .provider_error =
            "messages.{message}.content: thinking blocks may only be in `assistant` messages",
        .trigger =
            "A `thinking` or `redacted_thinking` block is in a message whose role isn't "
            "`assistant` (no other thinking rule looks at it).",
        .conservative = "demote to text; drop a redacted block",
    },
    [TK_CODE_THINKING_ORDER_UNVERIFIED] = {
        .code = "thinking_order_unverified",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The newest assistant turn was rebuilt by the client and nothing proves the order of "
            "its thinking; keep the thinking as text.",
        .provider_error =
            "messages.{message}.content.{part}: `thinking` or `redacted_thinking` blocks in the "
            "latest assistant message cannot be modified. These blocks must remain as they were "
            "in the original response.",
        .trigger =
            "`provenance` is `rebuilt` and the newest assistant turn holds two or more thinking "
            "blocks and a call; its first one is blamed (a seal that proves the turn intact "
            "clears it).",
        .conservative = "demote all thinking of the turn, drop redacted",
        .preserve = "restore from the seal, else the same",
    },
    [TK_CODE_THINKING_SIGNATURE_MALFORMED] = {
        .code = "thinking_signature_malformed",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2, .policy_only = true,
        .text =
            "A thinking block's signature isn't padded base64; keep what the block says as text.",
        .provider_error =
            "messages.{message}.content.{part}: Invalid `signature` in `thinking` block",
        .trigger =
            "`policy.signature_form` is `base64` and a non-blank `signature` isn't padded base64 "
            "(length a multiple of 4, no foreign character).",
        .conservative = "demote to text",
    },
    [TK_CODE_TOOL_USE_ID_PATTERN] = {
        .code = "tool_use_id_pattern",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The id {id} has characters that aren't allowed in ids; give the call and its result "
            "a new one.",
        .provider_error =
            "messages.{message}.content.{part}.tool_use.id: String should match pattern "
            "'^[a-zA-Z0-9_-]+$'",
        .trigger =
            "A `tool_use.id` or `tool_result.tool_use_id` is missing or doesn't match "
            "`^[a-zA-Z0-9_-]+$`.",
        .conservative =
            "rewrite both ends: the cleaned id, `_`, 10 hex digits of the old id's SHA-256",
    },
    [TK_CODE_TOOL_USE_NAME_INVALID] = {
        .code = "tool_use_name_invalid",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "A client call's name is missing, empty or longer than 200 characters; give it "
            "another.",
        .provider_error =
            "messages.{message}.content.{part}.tool_use.name: String should have at least 1 "
            "character",
        .trigger = "A `tool_use.name` is missing, empty or longer than 200 characters.",
        .conservative = "rewrite: `unknown_tool`, or 191 characters, `_`, 8 hex digits of a hash",
    },
    [TK_CODE_TOOL_USE_INPUT_NOT_OBJECT] = {
        .code = "tool_use_input_not_object",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The input of the client call {id} isn't an object; make it one.",
        .provider_error =
            "messages.{message}.content.{part}.tool_use.input: Input should be a valid dictionary",
        .trigger = "A `tool_use.input` is missing or isn't an object.",
        .conservative =
            "rewrite: the object its string parses to, `{}` where it is missing or null, else "
            "`{\"rawInvalidInput\": value}`",
    },
    [TK_CODE_TOOL_RESULT_CONTENT_TYPE] = {
        .code = "tool_result_content_type",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The content of the result for {id} is neither a string nor a list; write it as a "
            "JSON string.",
        .provider_error =
            "messages.{message}.content.{part}.tool_result.content: Input should be a valid "
            "string",
        .trigger = "A `tool_result.content` is present, not null, and neither a string nor a list.",
        .conservative = "rewrite: the value as a JSON string",
    },
    [TK_CODE_TOOL_RESULT_CONTENT_EMPTY_LIST] = {
        .code = "tool_result_content_empty_list",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The content of the result for {id} is an empty list; some targets refuse it.",
        .trigger = "A `tool_result.content` is `[]`.",
        .conservative = "none",
    },
    [TK_CODE_TOOL_RESULT_BLOCK_TYPE] = {
        .code = "tool_result_block_type",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The result for {id} has a block of a type that isn't allowed in results.",
        .trigger =
            "A `tool_result.content` list holds a block other than `text`, `image`, `document`, "
            "`search_result`, `tool_reference` or `browser_state`.",
        .conservative = "none",
    },
    [TK_CODE_TOOL_RESULT_ERROR_NON_TEXT] = {
        .code = "tool_result_error_non_text",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The error result for {id} has a block that isn't text; move it after the results.",
        .provider_error = "all content must be type `text` if `is_error` is true",
        .trigger =
            "A `tool_result` with `is_error: true` holds a block of the allowed types that isn't "
            "text.",
        .conservative = "move the other blocks after the last result of that user turn",
    },
    [TK_CODE_TOOL_RESULT_SEARCH_RESULT_MIXED] = {
        .code = "tool_result_search_result_mixed",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The result for {id} mixes search results with other blocks; move the others.",
        .trigger =
            "A `tool_result.content` list holds a `search_result` together with another type.",
        .conservative =
            "move the other text into the first hit's content, the rest after the results",
    },
    [TK_CODE_TOOL_RESULT_TOOL_REFERENCE_MIXED] = {
        .code = "tool_result_tool_reference_mixed",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The result for {id} mixes tool references with other blocks; move the others after "
            "the results.",
        .provider_error =
            "Tool definitions/code execution functions cannot be mixed with other content",
        .trigger =
            "A `tool_result.content` list holds a `tool_reference` together with another type.",
        .conservative = "move the other blocks after the last result of that user turn",
    },
    [TK_CODE_TOOLSET_NAME_MISMATCH] = {
        .code = "toolset_name_mismatch",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The result for {id} names another toolset than its call; copy the call's.",
        .trigger =
            "A `tool_result`'s `toolset_name` differs from that of the `tool_use` it answers (one "
            "of them missing counts).",
        .conservative = "rewrite: copy it from the call, or delete it",
    },
    [TK_CODE_TOOLSET_RESULT_CONTENT] = {
        .code = "toolset_result_content",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The result for {id} answers a toolset's call and has a block that isn't allowed "
            "there; put text in its place.",
        .trigger =
            "The result of a call with `toolset_name` holds a block other than text, image or one "
            "`browser_state`.",
        .conservative = "rewrite: text in place of the block",
    },
    [TK_CODE_PTC_RESULT_NON_TEXT] = {
        .code = "ptc_result_non_text",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "The result for {id}, a call made by code, has a block that isn't text; put text in "
            "its place.",
        .trigger =
            "The result of a client call whose `caller` is a code execution holds a block that "
            "isn't text.",
        .conservative = "rewrite: text in place of the block",
    },
    [TK_CODE_IMAGE_MEDIA_TYPE_UNSUPPORTED] = {
        .code = "image_media_type_unsupported",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "An image's media type `{declared}` isn't supported; declare what it is, or leave it "
            "out.",
        .provider_error =
            "messages.{message}.content.{part}.image.source.base64.media_type: Input should be "
            "'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
        .trigger =
            "A base64 image declares a media type other than image/jpeg, image/png, image/gif or "
            "image/webp (also inside a `tool_result`).",
        .conservative = "rewrite the type by the bytes, else textify as a placeholder",
    },
    [TK_CODE_IMAGE_MEDIA_TYPE_MISMATCH] = {
        .code = "image_media_type_mismatch",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "An image is declared as {declared} but is {found}; declare what it is.",
        .provider_error =
            "messages.{message}.content.{part}.image.source.base64: The image was specified using "
            "the {declared} media type, but the image appears to be a {found} image",
        .trigger =
            "A base64 image declares one of the four media types, but its first bytes are the "
            "signature of another of them.",
        .conservative = "rewrite the media type",
    },
    [TK_CODE_IMAGE_UNPROCESSABLE] = {
        .code = "image_unprocessable",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "The provider can't decode the image.",
        .provider_error = "Could not process image",
        .trigger =
            "A base64 image of a supported type is empty, isn't base64, or begins with none of "
            "the four signatures.",
        .conservative = "none",
    },
    [TK_CODE_IMAGE_DIMENSIONS] = {
        .code = "image_dimensions",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "An image is more than 8000 pixels wide or high; put a text in its place.",
        .provider_error = "image dimensions exceed max allowed size",
        .trigger =
            "The header of a base64 image (PNG, GIF, JPEG, WebP) gives a side over 8000 pixels.",
        .conservative = "textify as a placeholder",
    },
    [TK_CODE_IMAGE_MANY_DIMENSIONS] = {
        .code = "image_many_dimensions",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "An image is more than 2000 pixels wide or high in a request with more than 20 "
            "images; put a text in its place.",
        .provider_error =
            "messages.{message}.content.{part}.image.source.base64.data: At least one of the "
            "image dimensions exceed max allowed size for many-image requests: 2000 pixels",
        .trigger =
            "The messages hold more than 20 images (results included) and this one has a side "
            "over 2000 (up to 8000) pixels.",
        .conservative = "textify as a placeholder, oldest first",
    },
    [TK_CODE_PDF_INVALID] = {
        .code = "pdf_invalid",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A document is declared as a PDF, but its data isn't one.",
        .provider_error =
            "messages.{message}.content.{part}.pdf.source.base64.data: The PDF specified was not "
            "valid.",
        .trigger =
            "A base64 `application/pdf` document is empty, isn't base64, or doesn't begin with "
            "`%PDF-`.",
        .conservative = "none",
    },
    [TK_CODE_CACHE_CONTROL_TOO_MANY] = {
        .code = "cache_control_too_many",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "{count} blocks carry `cache_control`, at most 4 may; delete the oldest markers.",
        .provider_error =
            "A maximum of 4 blocks with cache_control may be provided. Found {count}.",
        .trigger =
            "More than 4 blocks of tools, system and messages carry `cache_control` (a top-level "
            "`cache_control` uses one); the request is blamed.",
        .conservative = "rewrite: delete the oldest markers in messages",
    },
    [TK_CODE_CACHE_CONTROL_EMPTY_TEXT] = {
        .code = "cache_control_empty_text",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "An empty text block carries `cache_control`; drop the block.",
        .provider_error =
            "messages.{message}.content.{part}.text: cache_control cannot be set for empty text "
            "blocks",
        .trigger = "An empty text block carries `cache_control` (`text_empty` is reported too).",
        .conservative = "drop, its marker moves to a block before it",
    },
    [TK_CODE_CACHE_CONTROL_ON_THINKING] = {
        .code = "cache_control_on_thinking",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A thinking block carries `cache_control`; delete the member.",
        .provider_error =
            "messages.{message}.content.{part}.thinking.cache_control: Extra inputs are not "
            "permitted",
        .trigger = "A `thinking` or `redacted_thinking` block carries `cache_control`.",
        .conservative = "rewrite: delete the member",
    },
    [TK_CODE_CACHE_TTL_ORDER] = {
        .code = "cache_ttl_order",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A cache marker of one hour comes after one of five minutes; make it five minutes.",
        .provider_error =
            "messages.{message}.content.{part}.cache_control.ttl: a ttl='1h' cache_control block "
            "must not come after a ttl='5m' cache_control block.",
        .trigger =
            "In the order tools, system, messages a marker with `ttl: \"1h\"` comes after one "
            "that is 5m (written or by default).",
        .conservative = "rewrite: the later one to 5m",
    },
    [TK_CODE_ENCRYPTED_INDEX_MISSING] = {
        .code = "encrypted_index_missing",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A web search citation has no `encrypted_index`; delete the citation.",
        .trigger = "A `web_search_result_location` citation has no `encrypted_index`.",
        .conservative = "rewrite: delete the citation, keep the text",
    },
    [TK_CODE_CITATION_DANGLING] = {
        .code = "citation_dangling",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A citation refers to a source that isn't in the history.",
        .trigger =
            "A citation's `document_index` isn't below the number of `document` blocks before it, "
            "at any depth.",
        .conservative = "none (a repair that removes the source deletes the citation)",
    },
    [TK_CODE_CITATIONS_ALL_OR_NONE] = {
        .code = "citations_all_or_none",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "Citations are enabled for some documents and not for this one; enable them.",
        .trigger =
            "Some documents of the user messages have citations enabled and this one hasn't.",
        .conservative = "rewrite: enable them",
    },
    [TK_CODE_COMPACTION_BLOCK_EMPTY] = {
        .code = "compaction_block_empty",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text = "A compaction block has empty content; make it null.",
        .trigger = "A `compaction` block has the content `\"\"` (null is legal).",
        .conservative = "rewrite: null",
    },
    [TK_CODE_COMPACTION_BLOCK_MISPLACED] = {
        .code = "compaction_block_misplaced",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 2,
        .text =
            "A signed compaction block isn't the first block of the history; drop the messages "
            "that it replaces.",
        .provider_error =
            "messages.{message}.content.{part}: `compaction` block must be sent first, in place "
            "of the messages it summarizes; remove those messages",
        .trigger =
            "A `compaction` block with a `signature` isn't the first block of the first message.",
        .conservative = "report",
        .preserve = "drop the messages before it",
    },
    [TK_CODE_FIRST_MESSAGE_NOT_USER] = {
        .code = "first_message_not_user",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 3,
        .text = "The first message is the assistant's; begin with a message of the user.",
        .provider_error = "messages: first message must use the \"user\" role",
        .trigger = "Target `compatible`: the first message's role is `assistant`.",
        .conservative = "report",
        .preserve = "rewrite: a user message \".\" before it",
    },
    [TK_CODE_ROLES_NOT_ALTERNATING] = {
        .code = "roles_not_alternating",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 3,
        .text = "Two messages of one role follow each other; merge them.",
        .provider_error =
            "messages: roles must alternate between \"user\" and \"assistant\", but found "
            "multiple \"{role}\" roles in a row",
        .trigger =
            "Target `compatible`: a message has the role of the message right before it (user or "
            "assistant); the later one is blamed.",
        .conservative =
            "merge into the message before it, of user messages the results first; signed "
            "messages never",
    },
    [TK_CODE_TOOL_RESULTS_SPLIT] = {
        .code = "tool_results_split",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 3,
        .text = "The results that answer one turn are in several user messages; put them into one.",
        .trigger =
            "Target `compatible`: results that answer one turn are in more than one user message; "
            "the first of each later message is blamed.",
        .conservative = "none of its own: `roles_not_alternating` merges the messages",
    },
    [TK_CODE_TOOL_SEARCH_UNPAIRED] = {
        .code = "tool_search_unpaired",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 3,
        .text = "Bedrock takes no tool search without its result; drop the call.",
        .trigger = "Target `bedrock`: a tool search call is in flight (legal elsewhere).",
        .conservative = "drop the call",
    },
    [TK_CODE_ASSISTANT_PREFILL_UNSUPPORTED] = {
        .code = "assistant_prefill_unsupported",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 3,
        .text =
            "The history ends in an assistant message, which the model doesn't continue; end it "
            "with a message of the user.",
        .provider_error =
            "This model does not support assistant message prefill. The conversation must end "
            "with a user message.",
        .trigger =
            "The last message is the assistant's, no provider-executed call is in flight, and the "
            "model is Claude 4.6 or later or `thinking.type` is `enabled` or `adaptive`.",
        .conservative =
            "rewrite: a user message \"Continue.\" after it, but not while its turn lacks client "
            "results or ends in thinking (`prefill: report`: report)",
    },
    [TK_CODE_SYSTEM_ROLE_UNSUPPORTED] = {
        .code = "system_role_unsupported",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 3,
        .text = "The model takes no system messages in the list; send the text in a user message.",
        .provider_error = "messages.{message}: role 'system' is not supported on this model",
        .trigger =
            "This is a `system` message and the model is Claude Sonnet 5, or Claude 4.7 or older "
            "of any family.",
        .conservative =
            "rewrite as a user message, once blocks other than text have moved: the string "
            "`<system>`, its texts joined by LF, `</system>` (a list with one text if a text has "
            "a cache marker), without `output_config` and `clear_at`; without any content "
            "drop_message; with `tool_addition` or `tool_removal` report",
    },
    [TK_CODE_DOCUMENT_NAME_CHARS] = {
        .code = "document_name_chars",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 3,
        .text = "A document's title has characters that Bedrock refuses; replace them by spaces.",
        .provider_error =
            "The document file name can only contain alphanumeric characters, whitespace "
            "characters, hyphens, parentheses, and square brackets.",
        .trigger =
            "Target `bedrock`: a document's title, also in a result, holds a character other than "
            "ASCII letters and digits, white space, `-`, `(`, `)`, `[`, `]`.",
        .conservative =
            "rewrite: each run of such characters as one space, `Document` where the title is "
            "blank then",
    },
    [TK_CODE_TOO_MANY_MESSAGES] = {
        .code = "too_many_messages",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "The request has {count} messages, 100,000 at most are taken; start a new "
            "conversation.",
        .trigger = "The request holds more than 100,000 messages.",
        .conservative = "report",
    },
    [TK_CODE_REQUEST_TOO_LARGE] = {
        .code = "request_too_large",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "The request has {size} bytes, more than the provider takes (32 MiB, on Bedrock 20 "
            "MiB); put a text in the place of the oldest images and documents.",
        .trigger = "`request` has more bytes, as received, than 32 MiB (20 MiB on Bedrock).",
        .conservative = "report",
        .preserve =
            "textify the oldest base64 images and documents, also in results, until it fits",
    },
    [TK_CODE_IMAGE_TOO_LARGE_BYTES] = {
        .code = "image_too_large_bytes",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 3,
        .text =
            "An image's data has {size} characters, more than the provider takes (10 MiB, on "
            "Bedrock and Vertex 5 MiB); put a text in its place.",
        .provider_error =
            "messages.{message}.content.{part}.image.source.base64: image exceeds 10 MB maximum: "
            "{size} bytes > 10485760 bytes",
        .trigger =
            "An image's base64 string, also in a result, is longer than 10,485,760 characters "
            "(5,242,880 on Bedrock and Vertex).",
        .conservative = "textify as a placeholder",
    },
    [TK_CODE_IMAGE_COUNT] = {
        .code = "image_count",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 3,
        .text =
            "The messages have {count} images, more than the model takes; put a text in the place "
            "of the oldest.",
        .provider_error = "Too much media: 0 document pages + {count} images > 100",
        .trigger =
            "The messages hold more than 600 images, results included (100 for Claude below 4.6, "
            "unless known betas hold `context-1m-2025-08-07`); the request is blamed.",
        .conservative = "textify the oldest as placeholders, as many as are too many",
    },
    [TK_CODE_THINKING_REQUIRED_FIRST] = {
        .code = "thinking_required_first",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "Thinking with a budget is on, but the turn in progress doesn't begin with thinking; "
            "switch thinking off until the turn is done.",
        .provider_error =
            "messages.{message}.content.{part}.type: Expected `thinking` or `redacted_thinking`, "
            "but found `{type}`. When `thinking` is enabled, a final `assistant` message must "
            "start with a thinking block (preceeding the lastmost set of `tool_use` and "
            "`tool_result` blocks).",
        .trigger =
            "`thinking.type` is `enabled`, the model isn't known to be above 4.6, the last "
            "message is the user's and holds tool results, and the open tool loop doesn't begin "
            "with thinking: neither its first assistant turn nor its last one does. The loop "
            "reaches back from the last message over user turns with results of the client's "
            "tools. The first part of its first assistant turn is blamed.",
        .conservative = "report: thinking must be off for this request",
        .preserve = "restore from the seal, else report",
    },
    [TK_CODE_THINKING_NOT_FIRST] = {
        .code = "thinking_not_first",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text = "The turn has thinking but doesn't begin with it; some older models refuse that.",
        .provider_error =
            "messages.{message}.content.{part}: If an assistant message contains any thinking "
            "blocks, the first block must be `thinking` or `redacted_thinking`. Found `{type}`.",
        .trigger =
            "`thinking.type` is `enabled`, the model isn't known to be above 4.6, and an "
            "assistant turn holds thinking but doesn't begin with it; its first part is blamed.",
        .conservative = "none",
    },
    [TK_CODE_THINKING_DISABLED_FINAL] = {
        .code = "thinking_disabled_final",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text = "Thinking is off, but the last message has some; keep what it says as text.",
        .provider_error =
            "messages.{message}.content.{part}: When thinking is disabled, an `assistant` message "
            "in the final position cannot contain `thinking`. To use thinking blocks, enable "
            "`thinking` in your request.",
        .trigger =
            "`thinking.type` is `disabled`, and the last message is the assistant's and holds "
            "thinking; its first thinking block is blamed.",
        .conservative = "demote to text (not in a protected turn: RULES.md 3)",
    },
    [TK_CODE_THINKING_CONTENT_REQUIRED] = {
        .code = "thinking_content_required",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 3,
        .text =
            "The turn with the call {id} has no thinking, which the model wants back; switch "
            "thinking off for this request.",
        .provider_error =
            "The `content[].thinking` in the thinking mode must be passed back to the API.",
        .trigger =
            "Target `compatible`, the model's name holds `deepseek-reasoner` or `deepseek-v4`, "
            "and an assistant turn has a client call and no thinking; its first call is blamed. "
            "An error where the request's `thinking.type` is `enabled` or `adaptive`, silent "
            "where it is `disabled`, else a warning.",
        .conservative = "report: thinking must be off for this request",
    },
    [TK_CODE_THINKING_PREFIX_MISMATCH] = {
        .code = "thinking_prefix_mismatch",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_SEALS, .wave = 3,
        .text = "The content before this thinking changed; newer models refuse it or drop it.",
        .provider_error =
            "messages.{message}.content.{part}: Invalid `signature` in `thinking` block. The "
            "block is bound to a different conversation. Remove the block, or set "
            "`thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\". That setting "
            "requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` "
            "header.",
        .trigger =
            "A seal shows that system, tools or an earlier message changed since the turn's "
            "thinking was made (error when `prefix_mismatch` is `strip` or `error`).",
        .conservative =
            "report, or by policy drop this and all later thinking, or set `drop_block`",
    },
    [TK_CODE_SEALED_TURN_REORDERED] = {
        .code = "sealed_turn_reordered",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SEALS, .wave = 3,
        .text = "The blocks of a sealed turn are in another order; restore the order.",
        .provider_error =
            "messages.{message}.content.{part}: `thinking` or `redacted_thinking` blocks in the "
            "latest assistant message cannot be modified. These blocks must remain as they were "
            "in the original response.",
        .trigger =
            "A seal of the turn shows that the same blocks are in another order (a warning while "
            "no signature of it is dead).",
        .conservative = "demote the turn's thinking",
        .preserve = "restore from the seal, else demote",
    },
    [TK_CODE_SEALED_TURN_ALTERED] = {
        .code = "sealed_turn_altered",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SEALS, .wave = 3,
        .text = "A block of a sealed turn was changed; restore the turn.",
        .provider_error =
            "messages.{message}.content.{part}: `thinking` or `redacted_thinking` blocks in the "
            "latest assistant message cannot be modified. These blocks must remain as they were "
            "in the original response.",
        .trigger =
            "A seal of the turn shows that a block of the turn was changed (a warning while no "
            "signature of it is dead).",
        .conservative = "demote the turn's thinking",
        .preserve = "restore from the seal, else demote",
    },
    [TK_CODE_SEALED_TURN_MISSING_THINKING] = {
        .code = "sealed_turn_missing_thinking",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SEALS, .wave = 3,
        .text = "Thinking of a sealed turn is missing; restore it.",
        .provider_error =
            "messages.{message}.content.{part}: `thinking` or `redacted_thinking` blocks in the "
            "latest assistant message cannot be modified. These blocks must remain as they were "
            "in the original response.",
        .trigger =
            "A seal of the turn shows that only thinking blocks are missing (a warning while no "
            "signature of it is dead).",
        .conservative = "demote the turn's thinking",
        .preserve = "restore from the seal, else demote",
    },
    [TK_CODE_SEALED_TURN_MISSING_TOOL_USE] = {
        .code = "sealed_turn_missing_tool_use",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SEALS, .wave = 3,
        .text = "A call of a sealed turn is missing; restore it.",
        .provider_error =
            "messages.{message}.content.{part}: `thinking` or `redacted_thinking` blocks in the "
            "latest assistant message cannot be modified. These blocks must remain as they were "
            "in the original response.",
        .trigger =
            "A seal of the turn shows that a call is missing (a warning while no signature of it "
            "is dead).",
        .conservative = "demote the turn's thinking",
        .preserve = "restore from the seal, else demote",
    },
    [TK_CODE_SEALED_TURN_FOREIGN_BLOCK] = {
        .code = "sealed_turn_foreign_block",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SEALS, .wave = 3,
        .text = "A block was added to a sealed turn; remove it.",
        .trigger =
            "A seal of the turn shows that a block was added (a warning while no signature of it "
            "is dead).",
        .conservative = "demote the turn's thinking",
        .preserve = "restore from the seal, else demote",
    },
    [TK_CODE_THINKING_NOT_FOR_ROUTE] = {
        .code = "thinking_not_for_route",
        .provider = "anthropic",
        .severity = TK_EDIT, .needs = TK_NEEDS_POLICY, .wave = 3, .edit_only = true,
        .text = "The receiver doesn't take this thinking; drop it.",
        .trigger =
            "Edit code, never a finding: thinking that the route named by the policy key `route` "
            "doesn't take.",
        .conservative = "drop the block",
    },
    [TK_CODE_PRIOR_THINKING_PRUNED] = {
        .code = "prior_thinking_pruned",
        .provider = "anthropic",
        .severity = TK_EDIT, .needs = TK_NEEDS_POLICY, .wave = 3, .edit_only = true,
        .text = "This thinking belongs to an older turn; drop it.",
        .trigger =
            "Edit code, never a finding: thinking of an older turn under `prior_thinking: prune`.",
        .conservative = "drop the block",
    },
    [TK_CODE_SERVER_TOOL_PENDING_TOOL_MISSING] = {
        .code = "server_tool_pending_tool_missing",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "The call {id} of {tool} is still running, but the request doesn't offer that tool; "
            "offer it, or drop the call.",
        .provider_error = "but no `{tool}` tool was provided",
        .trigger =
            "A call in flight, of MCP or a listed server tool other than code execution and not "
            "made by code (`caller`), has no entry of its name or type in `tools` or among "
            "definitions in messages (MCP: no toolset of its server; where there is no toolset at "
            "all, no `mcp_servers` entry).",
        .conservative = "as an orphan call, by the policy key `orphan_call`",
    },
    [TK_CODE_CONTAINER_REQUIRED] = {
        .code = "container_required",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "Code that is still running made the call {id}, but the request names no container; "
            "send the id of the code's container.",
        .provider_error =
            "container_id is required when there are pending tool uses generated by code "
            "execution with tools.",
        .trigger =
            "The request has no container id (`container` itself, or its `id`), and a code "
            "execution call in flight made client calls; each of them is blamed.",
        .conservative = "report",
    },
    [TK_CODE_CONTAINER_SHAPE] = {
        .code = "container_shape",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text = "`container` is an object with nothing but an id; send the id as a string.",
        .provider_error = "container.ContainerParams: Input does not match the expected shape.",
        .trigger = "`container` is an object with `id` and without `skills` (null is none).",
        .conservative = "report",
    },
    [TK_CODE_CONTAINER_WITHOUT_CODE_EXECUTION] = {
        .code = "container_without_code_execution",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "`container` is set, but nothing in this request runs code; leave it out, or add code "
            "execution to `tools`.",
        .provider_error =
            "container: Container identifier can only be provided when using the code execution "
            "tool",
        .trigger =
            "`container` is set, `tools` holds no code execution (nor a web tool of 20260209 or "
            "later) and no code execution call is in flight.",
        .conservative = "report",
    },
    [TK_CODE_PTC_DISABLE_PARALLEL] = {
        .code = "ptc_disable_parallel",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "`disable_parallel_tool_use` is set, but code may call some of the tools, and it "
            "calls several at a time; leave it out, or take code execution out of "
            "`allowed_callers`.",
        .provider_error =
            "tool_choice.disable_parallel_tool_use: true cannot be used with programmatic tool "
            "calling",
        .trigger =
            "`tool_choice.disable_parallel_tool_use` is true and a tool's `allowed_callers` names "
            "a code execution.",
        .conservative = "report",
    },
    [TK_CODE_TOOL_REFERENCE_UNKNOWN] = {
        .code = "tool_reference_unknown",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "The result refers to the tool {name}, which the request doesn't offer; keep the name "
            "as text.",
        .provider_error = "Tool reference '{tool}' not found in available tools",
        .trigger =
            "A `tool_reference` in a result names a tool that neither `tools` nor a definition in "
            "messages holds (silent where one of these is a toolset).",
        .conservative =
            "rewrite: the name as text in its place; a tool search result loses the entry",
    },
    [TK_CODE_TOOL_NAMES_DUPLICATE] = {
        .code = "tool_names_duplicate",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text = "An earlier tool has the name {name}, too; give each tool a name of its own.",
        .provider_error = "tools: Tool names must be unique.",
        .trigger = "Two entries of `tools` share a name.",
        .conservative = "report",
    },
    [TK_CODE_TOOL_NAME_PATTERN] = {
        .code = "tool_name_pattern",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text = "The tool name {name} isn't allowed; use 1 to 128 letters, digits, `_` and `-`.",
        .provider_error =
            "tools.{index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
        .trigger = "A tool's name doesn't match `^[a-zA-Z0-9_-]{1,128}$`.",
        .conservative = "report",
    },
    [TK_CODE_TOOLS_ALL_DEFERRED] = {
        .code = "tools_all_deferred",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "All tools have `defer_loading`, so the model would see none; leave it out of one at "
            "least.",
        .provider_error =
            "At least one tool must have defer_loading=false. All tools cannot be deferred.",
        .trigger = "`tools` isn't empty and every entry has `defer_loading: true`.",
        .conservative = "report",
    },
    [TK_CODE_TOOL_CHOICE_INVALID] = {
        .code = "tool_choice_invalid",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "`tool_choice` asks for a tool that the model can't call in this request; choose one "
            "that `tools` offers to the model.",
        .provider_error = "Tool '{tool}' not found in provided tools",
        .trigger =
            "`tool_choice` is `any` without tools, names a tool that neither `tools` nor a "
            "definition in messages holds (members of a toolset count as unknown; silent if there "
            "is an `mcp_toolset`), or names one whose `allowed_callers` lacks `direct`.",
        .conservative = "report",
    },
    [TK_CODE_WEB_TOOL_VERSION_MIX] = {
        .code = "web_tool_version_mix",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "The web tool {name} brings its own code execution, newer than the one in `tools`; "
            "update that one, or set `allowed_callers` of the web tool to [\"direct\"].",
        .provider_error =
            "Auto-injecting tools would conflict with existing tool names: ['code_execution']. "
            "Each tool name must be unique.",
        .trigger =
            "A web tool of 20260209 or later without `allowed_callers: [\"direct\"]` is used "
            "together with a code execution older than 20260120.",
        .conservative = "report",
    },
    [TK_CODE_MCP_SERVER_CONFIG] = {
        .code = "mcp_server_config",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "A server and its tools don't match; each entry of `mcp_servers` needs exactly one "
            "`mcp_toolset` in `tools` that names it, and each `mcp_toolset` needs its server.",
        .trigger =
            "An `mcp_servers` entry isn't used by exactly one `mcp_toolset`, or a toolset names "
            "no server. Without any toolset it is silent where betas are unknown, or where they "
            "hold `mcp-client-2025-04-04` and no newer one.",
        .conservative = "report",
    },
    [TK_CODE_TOOL_CHANGE_UNKNOWN_TOOL] = {
        .code = "tool_change_unknown_tool",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "The block adds or removes {name}, which the request doesn't offer; drop the block.",
        .provider_error = "tool_addition/tool_removal references unknown tool '{tool}'",
        .trigger =
            "A `tool_addition` or `tool_removal` refers to a tool, or to the server of a toolset, "
            "that neither `tools` nor a definition in messages holds.",
        .conservative = "drop the block",
    },
    [TK_CODE_CACHE_AUTO_CONFLICT] = {
        .code = "cache_auto_conflict",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "The `cache_control` of the request marks the last block, but that block has a marker "
            "with another `ttl`; use one `ttl`, or take the block's marker off.",
        .trigger =
            "A top-level `cache_control` comes with another ttl on the last block of the messages "
            "(one that isn't written is 5m); that block is blamed.",
        .conservative = "report",
        .preserve = "rewrite: delete the last block's marker",
    },
    [TK_CODE_CACHE_DEFER_LOADING] = {
        .code = "cache_defer_loading",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "The tool {name} has both `defer_loading` and `cache_control`; leave one of them out.",
        .provider_error = "cannot have both defer_loading=true and cache_control set",
        .trigger = "A tool has both `defer_loading: true` and `cache_control`.",
        .conservative = "report",
    },
    [TK_CODE_CITATIONS_WITH_STRUCTURED_OUTPUT] = {
        .code = "citations_with_structured_output",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "The document allows citations, but the answer has to have the form of "
            "`output_config.format`, which leaves no room for them; give up one of the two.",
        .trigger =
            "`output_config.format` is set and a document of a user message, also in a result, "
            "has citations enabled.",
        .conservative = "report (`citations_all_or_none` isn't mended then)",
        .preserve = "rewrite: disable citations",
    },
    [TK_CODE_ADVISOR_BETA_MISSING] = {
        .code = "advisor_beta_missing",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_BETAS, .wave = 3,
        .text =
            "An advisor call or result needs the beta value `advisor-tool-2026-03-01`; send it, "
            "or drop the call and keep the advice as text.",
        .trigger =
            "Known betas lack `advisor-tool-2026-03-01` and the messages hold this advisor call "
            "or result.",
        .conservative = "report",
        .preserve = "drop the call and textify the advice, both or neither",
    },
    [TK_CODE_MCP_TOOL_LISTING_BETA] = {
        .code = "mcp_tool_listing_beta",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_BETAS, .wave = 3,
        .text =
            "A listing of MCP tools needs the beta value `mcp-client-2026-09-15`; send it, or "
            "drop the block.",
        .trigger = "Known betas lack `mcp-client-2026-09-15` and this is an `mcp_tool_listing`.",
        .conservative = "report",
        .preserve = "drop the block",
    },
    [TK_CODE_FALLBACK_BLOCK_BETA] = {
        .code = "fallback_block_beta",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_BETAS, .wave = 3,
        .text =
            "A fallback block needs the beta value `server-side-fallback-2026-07-01`; send it, or "
            "drop the block.",
        .provider_error =
            "messages.{message}.content.{part}: Input tag 'fallback' found using 'type' does not "
            "match any of the expected tags",
        .trigger =
            "Known betas lack `server-side-fallback-2026-07-01` and `-2026-06-01` and this is a "
            "`fallback` block.",
        .conservative = "report",
        .preserve = "drop the block, but not if there is thinking on both sides of it in its turn",
    },
    [TK_CODE_TOOL_CHANGE_BETA] = {
        .code = "tool_change_beta",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_BETAS, .wave = 3,
        .text =
            "A change of tools in a system message needs the beta value "
            "`mid-conversation-tool-changes-2026-07-01`; send it, or drop the block.",
        .provider_error =
            "messages.{message}.content.{part}: Input tag 'tool_addition' found using 'type' does "
            "not match any of the expected tags",
        .trigger =
            "Betas are known, and a `tool_addition` or `tool_removal` is outside a system "
            "message, or they lack `mid-conversation-tool-changes-2026-07-01` and "
            "`inline-tools-2026-09-15`.",
        .conservative = "report",
        .preserve = "drop the block",
    },
    [TK_CODE_INLINE_TOOL_DEFINITION] = {
        .code = "inline_tool_definition",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_BETAS, .wave = 3,
        .text =
            "A tool that is defined in a message needs the beta value `inline-tools-2026-09-15`.",
        .provider_error =
            "messages.{message}.content.{part}: Input tag 'tool_definition' found using 'type' "
            "does not match any of the expected tags",
        .trigger =
            "Known betas lack `inline-tools-2026-09-15` and this `tool_addition` holds a "
            "`tool_definition`.",
        .conservative = "report",
    },
    [TK_CODE_MESSAGE_OUTPUT_CONFIG_BETA] = {
        .code = "message_output_config_beta",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_BETAS, .wave = 3,
        .text =
            "A message with `output_config` needs the beta value "
            "`mid-conversation-output-config-2026-07-01`.",
        .provider_error = "messages.{message}.output_config: Extra inputs are not permitted",
        .trigger =
            "Known betas lack `mid-conversation-output-config-2026-07-01` and this message has "
            "`output_config`.",
        .conservative = "report",
        .preserve = "drop_message when it holds nothing else, else report",
    },
    [TK_CODE_MESSAGE_CLEAR_AT_BETA] = {
        .code = "message_clear_at_beta",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_BETAS, .wave = 3,
        .text =
            "A message with `clear_at` needs the beta value "
            "`mid-conversation-system-clear-at-2026-08-21`; send it, or delete the member.",
        .provider_error = "messages.{message}.clear_at: Extra inputs are not permitted",
        .trigger =
            "Known betas lack `mid-conversation-system-clear-at-2026-08-21` and this message has "
            "`clear_at`.",
        .conservative = "report",
        .preserve = "rewrite: delete `clear_at`",
    },
    [TK_CODE_BLOCK_BINDING_BETA] = {
        .code = "block_binding_beta",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST | TK_NEEDS_BETAS, .wave = 3,
        .text =
            "`thinking.block_binding` needs the beta value "
            "`thinking-binding-controls-2026-08-01`.",
        .provider_error = "thinking.adaptive.block_binding: Extra inputs are not permitted",
        .trigger =
            "Known betas lack `thinking-binding-controls-2026-08-01` and `thinking.block_binding` "
            "is set.",
        .conservative = "report",
    },
    [TK_CODE_COMPACTION_BLOCK_BETA] = {
        .code = "compaction_block_beta",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_BETAS, .wave = 3,
        .text =
            "A compaction block needs its beta value, `compact-2026-09-04` if it is signed; send "
            "it, or send its summary as a user message.",
        .provider_error =
            "messages.{message}.content.{part}: Input tag 'compaction' found using 'type' does "
            "not match any of the expected tags",
        .trigger =
            "Known betas lack what this `compaction` block needs: `compact-2026-09-04` when "
            "signed, either compact value when not.",
        .conservative = "report",
        .preserve = "rewrite as user text",
    },
    [TK_CODE_COMPACTION_STRATEGY_MISSING] = {
        .code = "compaction_strategy_missing",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST | TK_NEEDS_BETAS, .wave = 3,
        .text =
            "An unsigned compaction block needs the strategy `compact_20260112` in "
            "`context_management.edits`; add it, or send its summary as a user message.",
        .provider_error =
            "messages.{message}.content.{part}: `compaction` blocks require a `compact_20260112` "
            "strategy in `context_management.edits`.",
        .trigger =
            "A whole `request` was sent, known betas hold `compact-2026-01-12`, this `compaction` "
            "block is unsigned, and `context_management.edits` has no `compact_20260112`.",
        .conservative = "report",
        .preserve = "rewrite as user text",
    },
    [TK_CODE_COMPACTION_SIGNATURE_MISSING] = {
        .code = "compaction_signature_missing",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_BETAS, .wave = 3,
        .text =
            "A compaction block came without its signature; send its summary as a user message.",
        .provider_error =
            "messages.{message}.content.{part}: a `compaction` block with `content` requires its "
            "`signature`: send the block exactly as it was returned",
        .trigger =
            "Known betas hold `compact-2026-09-04`, not `compact-2026-01-12`, and this "
            "`compaction` block has content and no `signature`.",
        .conservative = "rewrite as user text",
    },
    [TK_CODE_CONTEXT_MANAGEMENT_EDITS] = {
        .code = "context_management_edits",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 3,
        .text =
            "The edits of `context_management` are refused: `clear_thinking_20251015` must come "
            "first, and `compact_20260112` takes no trigger below 50,000 tokens.",
        .provider_error =
            "context_management: `clear_thinking_20251015` must be the first strategy in "
            "`context_management.edits` when provided",
        .trigger =
            "`clear_thinking_20251015` isn't the first of `context_management.edits`, or a "
            "`compact_20260112` trigger is below 50,000.",
        .conservative = "report",
    },
    [TK_CODE_RESP_INPUT_EMPTY] = {
        .code = "resp_input_empty",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text =
            "The request has no input; send at least one item, or name a previous response, a "
            "prompt or a conversation.",
        .provider_error =
            "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation' must be "
            "provided.",
        .trigger =
            "`input` is empty or missing and `previous_response_id`, `prompt` and `conversation` "
            "are unset.",
        .conservative = "report",
    },
    [TK_CODE_RESP_PREVIOUS_WITH_CONVERSATION] = {
        .code = "resp_previous_with_conversation",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text = "The request names a previous response and a conversation; send only one of them.",
        .provider_error =
            "Mutually exclusive parameters: ''. Ensure you are only providing one of: 'pre..._id' "
            "or 'conversation'.",
        .trigger = "`previous_response_id` and `conversation` are both set.",
        .conservative = "report",
    },
    [TK_CODE_RESP_TOOL_LIMITS] = {
        .code = "resp_tool_limits",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text =
            "The request has more than 128 tools, or a tool's name is longer than 128 characters; "
            "send fewer tools and shorter names.",
        .provider_error =
            "Invalid 'tools': array too long. Expected an array with maximum length 128, but got "
            "an array with length {length} instead.",
        .trigger =
            "A tool's `name` is longer than 128 characters, or there are more than 128 tools.",
        .conservative = "report",
    },
    [TK_CODE_RESP_ITEM_TYPE_UNKNOWN] = {
        .code = "resp_item_type_unknown",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The item is of another API, or has neither a type nor a role; write it as an item of "
            "this API.",
        .provider_error = "Invalid value: '{type}'. Supported values are: ...",
        .trigger =
            "An item's `type` is one of another API (`tool_use`, `tool_result`, `text`, "
            "`input_text`, `output_text`, `thinking`, `image_url`, `input_image`), or an item has "
            "neither a type nor a role (but `{\"id\"}` alone: an item reference).",
        .conservative =
            "rewrite: call and result to their own item types, text and images to a message; "
            "`thinking` demote; without type and role: report",
    },
    [TK_CODE_RESP_ROLE_UNKNOWN] = {
        .code = "resp_role_unknown",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The message's role is none of `assistant`, `system`, `developer` and `user`; write "
            "it as the item or the role that it means.",
        .provider_error =
            "Invalid value: '{role}'. Supported values are: 'assistant', 'system', 'developer', "
            "and 'user'.",
        .trigger = "A message item's role isn't assistant, system, developer or user.",
        .conservative =
            "rewrite: role `tool` or `function` with a call id to a function_call_output, `model` "
            "to `assistant`, else the role to `user`",
    },
    [TK_CODE_RESP_DEVELOPER_ROLE] = {
        .code = "resp_developer_role",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text = "The server doesn't know the role `developer`; use `system`.",
        .provider_error =
            "Failed to deserialize the JSON body into the target type: messages[{message}].role: "
            "unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`",
        .trigger = "A message item has the role `developer`.",
        .conservative = "rewrite: role `system`",
    },
    [TK_CODE_RESP_ITEM_FIELD_TYPE] = {
        .code = "resp_item_field_type",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The member `{field}` is neither a string nor a list; send the value as a string.",
        .provider_error =
            "Invalid type for 'input[{message}].{field}': expected one of a string or array of "
            "objects, but got an object instead.",
        .trigger =
            "The `output` of a function, custom tool or local shell output is neither string nor "
            "list (null: `resp_missing_item_field`), or a message's `content` is missing, null or "
            "neither string nor list.",
        .conservative =
            "rewrite: missing or null content `\"\"`, an object with a type in a list, else the "
            "value as a JSON string",
    },
    [TK_CODE_RESP_MISSING_ITEM_FIELD] = {
        .code = "resp_missing_item_field",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The item lacks the member `{field}`, which its type requires; add it.",
        .provider_error = "Missing required parameter: 'input[{message}].{field}'.",
        .more_errors = (const char *const[]){
            "Input[{message}] missing required field `{field}`",
            NULL},
        .trigger =
            "An item lacks a member that its row of the item table requires (missing or null; ids "
            "also `\"\"`); one finding an item.",
        .conservative =
            "rewrite: the default of the item table, a new `call_id` for a call; an output "
            "without `call_id`: textify; else report",
    },
    [TK_CODE_RESP_UNKNOWN_ITEM_FIELD] = {
        .code = "resp_unknown_item_field",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The item has the member `{field}`, which its type doesn't have; delete it.",
        .provider_error = "Unknown parameter: 'input[{message}].{field}'.",
        .trigger =
            "An item carries a known offender (`created_by`; `status` on reasoning; `tool_calls`, "
            "`tool_call_id`, `parsed` on messages; `parsed_arguments` on function calls), or a "
            "content part has `parsed` or `cache_control`; other members outside the item table "
            "are a warning.",
        .conservative =
            "rewrite: delete the members, `tool_calls` as items after the message (errors only)",
    },
    [TK_CODE_RESP_CONTENT_PART_TYPE] = {
        .code = "resp_content_part_type",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The type `{type}` of the part doesn't fit the role of its message; use the type of "
            "that role, and send media in a user message.",
        .provider_error =
            "Invalid value: '{type}'. Supported values are: 'output_text' and 'refusal'.",
        .trigger =
            "A part's type is known and doesn't fit its message's role (assistant: `output_text`, "
            "`refusal`; others: `input_text`, `input_image`, `input_file`, `input_audio`).",
        .conservative =
            "rewrite the type; media in an assistant message move to a user message after it",
    },
    [TK_CODE_RESP_ARGUMENTS_NOT_STRING] = {
        .code = "resp_arguments_not_string",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "What the call {id} passes to its tool isn't a string; send it as JSON text.",
        .trigger =
            "A function call's `arguments` or a custom call's `input` is given and isn't a "
            "string.",
        .conservative = "rewrite: the value as a JSON string",
    },
    [TK_CODE_RESP_ARGUMENTS_INVALID_JSON] = {
        .code = "resp_arguments_invalid_json",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text = "The arguments of the call {id} aren't the JSON text of an object; send an object.",
        .provider_error = "Expecting value: line 1 column 1 (char 0)",
        .trigger =
            "A function call's `arguments` is a string that isn't a JSON object (a generation "
            "that was cut).",
        .conservative = "rewrite: blank `{}`, else `{\"rawInvalidInput\": the string}`",
    },
    [TK_CODE_RESP_TOOL_NAME_IN_HISTORY] = {
        .code = "resp_tool_name_in_history",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The tool's name in the call {id} has other characters than letters, digits, `_` and "
            "`-`, or more than 128; rename it.",
        .provider_error =
            "Invalid 'input[{message}].name': string does not match pattern. Expected a string "
            "that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        .trigger = "The name of a function or custom call doesn't match `^[a-zA-Z0-9_-]{1,128}$`.",
        .conservative = "rewrite: other characters as `_`, cut to 128, empty `unknown_tool`",
    },
    [TK_CODE_RESP_PREVIOUS_AND_RESEND] = {
        .code = "resp_previous_and_resend",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text =
            "The previous response, which the request names, has the item {id} already; leave the "
            "item out.",
        .provider_error = "Duplicate item found with id {id}",
        .trigger =
            "`previous_response_id` is set and an item with an `id` that the model made is in the "
            "input.",
        .conservative = "drop the item",
    },
    [TK_CODE_RESP_ITEM_NOT_PERSISTED] = {
        .code = "resp_item_not_persisted",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text =
            "Nothing is stored (`store` is false), so the server can't look up the item {id}; "
            "drop the reference, or delete the reasoning's id.",
        .provider_error =
            "Item with id '{id}' not found. Items are not persisted when `store` is set to false. "
            "Try again with `store` set to true, or remove this item from your input.",
        .trigger =
            "`store` is false and an item is an `item_reference`, or a reasoning item with an "
            "`id` and no `encrypted_content`.",
        .conservative =
            "drop the reference; reasoning: rewrite, delete its `id` and those of its unit",
    },
    [TK_CODE_RESP_ENCRYPTED_CONTENT_FOREIGN] = {
        .code = "resp_encrypted_content_foreign",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The ciphertext of the reasoning {id} isn't OpenAI's; delete it and the item's id.",
        .provider_error =
            "The encrypted content for item {id} could not be verified. Reason: Encrypted content "
            "could not be decrypted or parsed.",
        .trigger =
            "A reasoning item's `encrypted_content` holds white space, so it's no ciphertext of "
            "OpenAI's.",
        .conservative =
            "rewrite: delete it and the `id`, and the ids of its unit; the summary stays",
    },
    [TK_CODE_RESP_DUPLICATE_ITEM_ID] = {
        .code = "resp_duplicate_item_id",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "An earlier item has the same id; drop the copy, or delete the later id.",
        .provider_error = "Duplicate item found with id {id}",
        .trigger =
            "An item's `id` occurs before in the input; the later one is blamed. A warning on "
            "`compatible` (xAI repeats the ids of reasoning).",
        .conservative =
            "drop an identical item or a reference; else rewrite: delete the later `id`; an item "
            "that needs its id: textify, without text drop",
    },
    [TK_CODE_RESP_ITEM_ID_PREFIX] = {
        .code = "resp_item_id_prefix",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The item's id doesn't begin with `{prefix}`, as ids of its type do; delete the id.",
        .provider_error =
            "Invalid 'input[{message}].id': '{id}'. Expected an ID that begins with '{prefix}'.",
        .more_errors = (const char *const[]){
            "Invalid 'input[{message}].id': '{id}'. Expected an ID that contains letters, "
            "numbers, underscores, or dashes, but this value contained additional characters.",
            NULL},
        .trigger =
            "An item's `id` isn't null and doesn't begin with its type's prefix (function calls "
            "and outputs `fc`, custom ones `ctc`, message `msg`, reasoning `rs`, web_search_call "
            "`ws`).",
        .conservative =
            "rewrite: delete `id` (reasoning: those of its unit, too); a web_search_call: drop",
    },
    [TK_CODE_RESP_CALL_ID_DUPLICATE] = {
        .code = "resp_call_id_duplicate",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "An earlier call has the call id {id}, too; give the later call and its output "
            "another one.",
        .provider_error =
            "Duplicate function_call_output for call_id '{id}'. Each function_call must have "
            "exactly one matching function_call_output",
        .more_errors = (const char *const[]){
            "Duplicate 'call_id': {id}",
            NULL},
        .trigger = "A call's `call_id` is that of an earlier call.",
        .conservative =
            "drop an identical unanswered copy of its batch; else rewrite the later call's id and "
            "its output's",
    },
    [TK_CODE_RESP_OUTPUT_DUPLICATE] = {
        .code = "resp_output_duplicate",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The call {id} is answered already; keep the first output, and the text of this one.",
        .provider_error =
            "Duplicate function_call_output for call_id '{id}'. Each function_call must have "
            "exactly one matching function_call_output",
        .trigger = "An output's call is answered by an output before it.",
        .conservative = "drop an identical output, else textify",
    },
    [TK_CODE_RESP_OUTPUT_WITHOUT_CALL] = {
        .code = "resp_output_without_call",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "No call {id} of its kind comes before the output; send the call, too, or turn the "
            "output into text.",
        .provider_error = "No tool call found for function call output with call_id {id}.",
        .more_errors = (const char *const[]){
            "No tool call found for tool output with call_id {id}.",
            NULL},
        .trigger =
            "An output item has no call of its `call_id` and kind before it, and neither "
            "`previous_response_id` nor `conversation` is set.",
        .conservative =
            "textify as a user message; rewrite the type where an unanswered function or custom "
            "call of that id lacks only that",
    },
    [TK_CODE_RESP_ITEM_REFERENCE_CALL] = {
        .code = "resp_item_reference_call",
        .provider = "openai-responses",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "No call {id} comes before the output, unless a reference before it names one; check "
            "that it does.",
        .trigger =
            "As `resp_output_without_call`, and in its place, when an `item_reference` to an `fc` "
            "or `ctc` id comes before it.",
        .conservative = "none",
    },
    [TK_CODE_RESP_CALL_WITHOUT_OUTPUT] = {
        .code = "resp_call_without_output",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The call {id} has no output; add one that says that it was not executed.",
        .provider_error = "No tool output found for function call {id}.",
        .trigger =
            "A call item (function, custom tool, shell, local shell, apply patch, computer, "
            "client tool search) has no output of its `call_id` and kind after it.",
        .conservative =
            "insert_result \"Not executed.\" of its own output type after its batch; a computer "
            "call: drop",
    },
    [TK_CODE_RESP_ID_TOO_LONG] = {
        .code = "resp_id_too_long",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The member `{field}` is longer than 64 characters; shorten it at both ends of the "
            "pair, or delete an id.",
        .provider_error =
            "Invalid 'input[{message}].{field}': string too long. Expected a string with maximum "
            "length 64, but got a string with length {length} instead.",
        .trigger =
            "The `call_id` of a call or output, or an item's `id`, is longer than 64 characters.",
        .conservative =
            "rewrite: `call_` and a hash at both ends; an `id`: delete, where it is needed a hash",
    },
    [TK_CODE_RESP_DEEPSEEK_INTERLEAVED] = {
        .code = "resp_deepseek_interleaved",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "The output of the call {id} isn't directly after the batch of its call; move it "
            "there.",
        .provider_error = "No tool output found for tool call {id}.",
        .trigger =
            "An output isn't in the row of outputs directly after its call's batch; the output is "
            "blamed.",
        .conservative = "move it after that row",
    },
    [TK_CODE_RESP_REASONING_WITHOUT_NEXT] = {
        .code = "resp_reasoning_without_next",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "No item of the model follows the reasoning {id}, which the server looks up together "
            "with it; delete the reasoning's id.",
        .provider_error =
            "Item '{id}' of type 'reasoning' was provided without its required following item.",
        .trigger =
            "A `reasoning` item with an `id` is last, or is followed (other reasoning left out) "
            "by an item that isn't the model's (a warning when it has `encrypted_content`). Or it "
            "is followed by a message or call of the model's that has no `id`: with "
            "`encrypted_content` silent where the request says `store: false`, and a warning "
            "where only the list was sent; a warning on `azure`.",
        .conservative =
            "rewrite: delete its `id`; drop it if it has neither `encrypted_content` nor text",
    },
    [TK_CODE_RESP_APPROVAL_UNPAIRED] = {
        .code = "resp_approval_unpaired",
        .provider = "openai-responses",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The approval has no request before it, or no response after it; check that both are "
            "sent.",
        .trigger =
            "An `mcp_approval_response` names no `mcp_approval_request` before it (and there is "
            "no server state), or a request has no response although something that isn't the "
            "model's follows it.",
        .conservative = "none",
    },
    [TK_CODE_RESP_HOSTED_CALL_UNFINISHED] = {
        .code = "resp_hosted_call_unfinished",
        .provider = "openai-responses",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The item {id} of the server is unfinished, as a stream that was cut leaves it; the "
            "server may refuse it.",
        .trigger =
            "A server-executed item (web search, file search, code interpreter, image generation, "
            "MCP call or list, program) has an unfinished `status`, as a cut stream leaves it.",
        .conservative = "none",
    },
    [TK_CODE_RESP_IMAGE_INVALID] = {
        .code = "resp_image_invalid",
        .provider = "openai-responses",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The image's data URL isn't base64, or doesn't begin like an image; the server may "
            "refuse it.",
        .provider_error =
            "The image data you provided does not represent a valid image. Please check your "
            "input and try again.",
        .trigger =
            "An `input_image` data URL isn't base64 or begins with no known image signature.",
        .conservative = "none",
    },
    [TK_CODE_RESP_ITEM_IDS_STRIPPED] = {
        .code = "resp_item_ids_stripped",
        .provider = "openai-responses",
        .severity = TK_EDIT, .needs = TK_NEEDS_POLICY, .wave = 4, .edit_only = true,
        .text = "The id of an item that the server could look up was deleted, as the policy asks.",
        .trigger =
            "Edit code, never a finding: the `id` of an item that a lookup on the server could "
            "refuse, under `item_ids: strip`.",
        .conservative = "rewrite: delete the `id`",
    },
    [TK_CODE_CHAT_MESSAGES_EMPTY] = {
        .code = "chat_messages_empty",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The history has no messages; send at least one.",
        .provider_error =
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an "
            "empty array instead.",
        .trigger = "`messages` is an empty list.",
        .conservative = "report",
    },
    [TK_CODE_CHAT_TOOL_LIMITS] = {
        .code = "chat_tool_limits",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text =
            "The request has more than 128 tools, or a tool's name is longer than 64 characters, "
            "which OpenAI refuses; send fewer, or shorten the name.",
        .provider_error =
            "Invalid 'tools': array too long. Expected an array with maximum length 128, but got "
            "an array with length {length} instead.",
        .trigger =
            "A tool's `function.name` is longer than 64 characters, or there are more than 128 "
            "tools.",
        .conservative = "report",
    },
    [TK_CODE_CHAT_TOOL_NAME_PATTERN] = {
        .code = "chat_tool_name_pattern",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text =
            "The name {name} of a tool has other characters than letters, digits, _ and -; rename "
            "the tool.",
        .provider_error =
            "Invalid 'tools[{index}].function.name': string does not match pattern. Expected a "
            "string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        .trigger =
            "A tool's `function.name` is a string that doesn't match `^[a-zA-Z0-9_-]+$`; a "
            "warning on `compatible`.",
        .conservative = "report",
    },
    [TK_CODE_CHAT_ROLE_INVALID] = {
        .code = "chat_role_invalid",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The role \"{role}\" is unknown to Chat Completions; use system, developer, user, "
            "assistant or tool.",
        .provider_error =
            "Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', "
            "'function', 'tool', and 'developer'.",
        .more_errors = (const char *const[]){
            "messages[{message}].role: unknown variant `{role}`, expected one of `system`, "
            "`user`, `assistant`, `tool`",
            NULL},
        .trigger =
            "A message's role is missing or isn't system, assistant, user, function, tool or "
            "developer.",
        .conservative = "report",
        .preserve = "rewrite: `model` to `assistant`, else report",
    },
    [TK_CODE_CHAT_ROLE_UNSUPPORTED] = {
        .code = "chat_role_unsupported",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text = "This model takes no message of the role {role}; make it a message of the user.",
        .provider_error =
            "Unsupported value: 'messages[{message}].role' does not support '{role}' with this "
            "model.",
        .trigger =
            "A message has the role `system` or `developer` and the model is o1-mini or "
            "o1-preview.",
        .conservative = "report",
        .preserve = "rewrite: role `user`",
    },
    [TK_CODE_CHAT_DEVELOPER_ROLE] = {
        .code = "chat_developer_role",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text = "Servers that copy the API don't know the role developer; use system.",
        .provider_error =
            "Failed to deserialize the JSON body into the target type: messages[{message}].role: "
            "unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`",
        .trigger =
            "A message has the role `developer` and the model or server is DeepSeek's; a warning "
            "elsewhere (server `openrouter`: silent).",
        .conservative = "rewrite: role `system` (errors only)",
    },
    [TK_CODE_CHAT_CONTENT_NULL] = {
        .code = "chat_content_null",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The message has no content; only an assistant's may be without. Use \"\" if there is "
            "none.",
        .provider_error = "Invalid value for 'content': expected a string, got null.",
        .trigger = "A message other than the assistant's has no `content` or `content: null`.",
        .conservative = "rewrite: `\"\"`",
    },
    [TK_CODE_CHAT_CONTENT_TYPE_INVALID] = {
        .code = "chat_content_type_invalid",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The message's content is neither a string nor a list of parts; make it one of these.",
        .provider_error =
            "Invalid type for 'messages[{message}].content': expected one of a string or array of "
            "objects, but got an object instead.",
        .more_errors = (const char *const[]){
            "Invalid type for 'messages[{message}].content': expected one of a string or array of "
            "objects, but got {type} instead.",
            "Invalid type for 'messages[{message}].content': expected a string, but got an array "
            "instead",
            "body.messages.content.str - Input should be a valid string",
            NULL},
        .trigger = "A message's `content` is neither string, list nor null.",
        .conservative = "rewrite: an object with a type in a list, else the value as a JSON string",
    },
    [TK_CODE_CHAT_TOOL_CALL_NULL] = {
        .code = "chat_tool_call_null",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "An entry of tool_calls is null, which says nothing; leave it out.",
        .trigger =
            "An entry of an assistant message's `tool_calls` is null (a list that a stream's "
            "assembler padded).",
        .conservative = "drop the entry",
    },
    [TK_CODE_CHAT_TOOL_CALLS_EMPTY_ARRAY] = {
        .code = "chat_tool_calls_empty_array",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The message has an empty list of tool_calls; leave the member out.",
        .provider_error =
            "Invalid 'messages[{message}].tool_calls': empty array. Expected an array with "
            "minimum length 1, but got an empty array instead.",
        .trigger =
            "An assistant message has `tool_calls: []`; a warning on `compatible` (Mistral's own "
            "SDK writes it).",
        .conservative = "rewrite: delete the member (errors only)",
    },
    [TK_CODE_CHAT_TOOL_CALLS_TOO_MANY] = {
        .code = "chat_tool_calls_too_many",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The message has {length} tool calls, and OpenAI takes 128 at most; split it.",
        .provider_error =
            "Invalid 'messages[{message}].tool_calls': array too long. Expected an array with "
            "maximum length 128, but got an array with length {length} instead.",
        .trigger = "An assistant message has more than 128 tool calls.",
        .conservative = "report",
    },
    [TK_CODE_CHAT_CONTENT_PART_TYPE] = {
        .code = "chat_content_part_type",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "A message of this role can't contain the part's type; use text parts, and put media "
            "into a message of the user.",
        .provider_error =
            "Invalid 'messages[{message}]'. Content blocks are expected to be either text or "
            "image_url type.",
        .more_errors = (const char *const[]){
            "Missing required parameter: 'messages[{message}].content[{part}].type'.",
            "messages[{message}]: unknown variant `{type}`, expected `text`",
            NULL},
        .trigger =
            "A part has no `type`, or one that its role doesn't take (user: text, image_url, "
            "input_audio, file; assistant: text, refusal; tool: text, image_url; system, "
            "developer: text) and that is one of these or of another API (`input_text`, "
            "`output_text`, `summary_text`, `input_image`, `image`, `tool_use`, `tool_result`, "
            "`thinking`, `redacted_thinking`).",
        .conservative =
            "rewrite text types and input_image as Chat spells them; a part that lacks only its "
            "type gets it; messages in the place of parts take the place of the message; media "
            "move to a user message after the message and its tool messages; else report",
    },
    [TK_CODE_CHAT_TOOL_NAME_IN_HISTORY] = {
        .code = "chat_tool_name_in_history",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The name of the called tool {tool} has other characters than letters, digits, _ and "
            "-, or isn't 1 to 64 long; rename it.",
        .provider_error =
            "Invalid 'messages[{message}].tool_calls[{call}].function.name': string does not "
            "match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        .trigger = "A tool call's name doesn't match `^[a-zA-Z0-9_-]{1,64}$`.",
        .conservative = "rewrite: other characters as `_`, cut to 64, empty `unknown_tool`",
    },
    [TK_CODE_CHAT_MESSAGE_NAME] = {
        .code = "chat_message_name",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The message's name is empty, or has white space or one of < | \\ / >; rename it or "
            "leave it out.",
        .provider_error =
            "Invalid 'messages[{message}].name': string does not match pattern. Expected a string "
            "that matches the pattern '^[^\\s<|\\\\/>]+$'.",
        .trigger =
            "A message's `name` is a string that is empty or holds white space or one of `<`, "
            "`|`, `\\`, `/`, `>`.",
        .conservative = "rewrite: each of these as `_`; empty: delete the member",
    },
    [TK_CODE_CHAT_UNKNOWN_MESSAGE_FIELD] = {
        .code = "chat_unknown_message_field",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "The server refuses a member of a message that it doesn't know ({field}); leave it "
            "out.",
        .provider_error =
            "'messages.{message}' : for 'role:{role}' the following must be "
            "satisfied[('messages.{message}' : property '{field}' is unsupported)]",
        .more_errors = (const char *const[]){
            "the following must be satisfied[('messages.{message}' : property '{field}' is "
            "unsupported",
            "messages[{message}].reasoning: reasoning is not supported with this model",
            NULL},
        .trigger =
            "A message has a member that a strict server doesn't know (PROVIDERS.md 3.1). An "
            "error where one of them is a word of another API or bookkeeping (RULES.md 8 b), "
            "`status`, null or empty, else a warning.",
        .conservative =
            "rewrite: delete those members; an assistant message without content and calls keeps "
            "its reasoning until it has content (errors only)",
    },
    [TK_CODE_CHAT_ARGUMENTS_NOT_STRING] = {
        .code = "chat_arguments_not_string",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The arguments of the call {id} of {tool} aren't a string; send them as JSON text.",
        .provider_error =
            "Invalid type for 'messages[{message}].tool_calls[{call}].function.arguments': "
            "expected a string, but got an object instead.",
        .trigger = "A function call's `function.arguments` is missing or isn't a string.",
        .conservative = "rewrite: the value as a JSON string; missing or null `{}`",
    },
    [TK_CODE_CHAT_ARGUMENTS_INVALID_JSON] = {
        .code = "chat_arguments_invalid_json",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "The arguments of the call {id} of {tool} aren't the text of a JSON object, perhaps "
            "since they were cut; servers that copy the API parse them.",
        .provider_error = "Failed to parse tool call arguments as JSON",
        .trigger =
            "A function call's `function.arguments` is a string that isn't a JSON object (a "
            "generation that was cut).",
        .conservative = "rewrite: blank `{}`, else `{\"rawInvalidInput\": the string}`",
    },
    [TK_CODE_CHAT_TOOL_CALL_ID_MISSING] = {
        .code = "chat_tool_call_id_missing",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The call of {tool}, or the result of a call, has no id; give both the same one.",
        .provider_error =
            "Missing required parameter: 'messages[{message}].tool_calls[{call}].id'.",
        .more_errors = (const char *const[]){
            "Missing parameter 'tool_call_id': messages with role 'tool' must have a "
            "'tool_call_id'.",
            NULL},
        .trigger =
            "A tool call has no `id`, or a tool message that answers a call by its position has "
            "no `tool_call_id` (missing, null, `\"\"` or not a string).",
        .conservative = "rewrite: the id of the other end, else a new one",
    },
    [TK_CODE_CHAT_TOOL_CALL_ID_DUPLICATE] = {
        .code = "chat_tool_call_id_duplicate",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The id {id} occurs twice in one message's calls or in their results; give each call "
            "and its result an id of its own.",
        .provider_error =
            "Invalid parameter: Duplicate value for 'tool_call_id' of '{id}', in "
            "messages[{message}] and messages[{message}].",
        .trigger =
            "Two calls of one message or two tool messages of one run share an id; the later is "
            "blamed.",
        .conservative =
            "rewrite the later call's id and, by position, its answer's; drop an identical "
            "unanswered call; a second answer: drop when identical, else textify",
    },
    [TK_CODE_CHAT_TOOL_WITHOUT_CALL] = {
        .code = "chat_tool_without_call",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The result for {id} isn't in the run of tool messages right after the message with "
            "its call; move it there or make it a text.",
        .provider_error =
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding "
            "message with 'tool_calls'.",
        .more_errors = (const char *const[]){
            "messages with role 'tool' must be a response to a preceeding message with "
            "'tool_calls'",
            "Messages with role 'tool' must be a response to a preceding message with "
            "'tool_calls'",
            "Unexpected role 'tool' after role '{role}'",
            "Unexpected role RoleEnum.tool",
            "tool call result does not follow tool call",
            NULL},
        .trigger = "A tool message isn't in the run after an assistant message with its id.",
        .conservative =
            "move it after the newest earlier unanswered call of its id, else textify as a user "
            "message",
    },
    [TK_CODE_CHAT_TOOL_CALLS_UNANSWERED] = {
        .code = "chat_tool_calls_unanswered",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The call {id} of {tool} has no tool message right after its message; add one, at "
            "least one that says it wasn't executed.",
        .provider_error =
            "An assistant message with 'tool_calls' must be followed by tool messages responding "
            "to each 'tool_call_id'. The following tool_call_ids did not have response messages: "
            "{id}",
        .trigger =
            "A tool call has no tool message in the run right after its assistant message, and "
            "none elsewhere claims it.",
        .conservative = "insert_result \"Not executed.\" at the end of that run",
    },
    [TK_CODE_CHAT_CALL_COUNT_MISMATCH] = {
        .code = "chat_call_count_mismatch",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "The call {id} of {tool} has no tool message right after its message, and Mistral "
            "wants as many results as calls; add one, at least one that says it wasn't executed.",
        .provider_error = "Not the same number of function calls and responses",
        .trigger = "As `chat_tool_calls_unanswered`, and reported in its place, on Mistral.",
        .conservative = "insert_result \"Not executed.\" at the end of the run",
    },
    [TK_CODE_CHAT_TOOL_CALL_ID_TOO_LONG] = {
        .code = "chat_tool_call_id_too_long",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The id of a call is {length} characters long, and OpenAI takes 40 at most; shorten "
            "it at both ends.",
        .provider_error =
            "Invalid 'messages[{message}].tool_call_id': string too long. Expected a string with "
            "maximum length 40, but got a string with length {length} instead.",
        .trigger = "A tool call id is longer than 40 characters (both ends are blamed).",
        .conservative = "rewrite both ends: `call_` and a hash of the old id",
    },
    [TK_CODE_CHAT_TOOL_CALL_ID_PATTERN] = {
        .code = "chat_tool_call_id_pattern",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "The call id {id} isn't nine letters or digits, which Mistral wants; replace it at "
            "both ends.",
        .provider_error = "Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9.",
        .trigger = "A tool call id doesn't match `^[a-zA-Z0-9]{9}$` (both ends are blamed).",
        .conservative = "rewrite both ends: 9 hex digits of a hash of the old id",
    },
    [TK_CODE_CHAT_CONTENT_NOT_STRING] = {
        .code = "chat_content_not_string",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "The message's content is a list, and this model takes a string only; join its texts.",
        .provider_error =
            "Failed to deserialize the JSON body into the target type: messages[{message}]: "
            "invalid type: sequence, expected a string",
        .trigger =
            "A message's `content` is a list that holds parts other than text; a warning for "
            "texts alone.",
        .conservative =
            "rewrite: the texts, joined by LF, if each part is text in some spelling; else report "
            "(errors only)",
    },
    [TK_CODE_CHAT_ASSISTANT_EMPTY] = {
        .code = "chat_assistant_empty",
        .provider = "openai-chat",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The assistant's message has neither content nor calls; drop it.",
        .provider_error = "Invalid assistant message: content or tool_calls must be set",
        .trigger =
            "An assistant message has no tool calls and no content (null, missing, `\"\"`, `[]` "
            "or only texts `\"\"`), nor `refusal`, `audio` or `function_call`; with target "
            "`compatible` an error.",
        .conservative =
            "none; as an error: drop_message, with reasoning members rewrite: `(interrupted)`",
    },
    [TK_CODE_CHAT_REASONING_CONTENT_REQUIRED] = {
        .code = "chat_reasoning_content_required",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "A message with calls has no reasoning_content, which this model wants back; send the "
            "one that it gave, or \"\".",
        .provider_error =
            "The `reasoning_content` in the thinking mode must be passed back to the API.",
        .more_errors = (const char *const[]){
            "thinking is enabled but reasoning_content is missing in assistant tool call message "
            "at index {message}",
            NULL},
        .trigger =
            "An assistant message with tool calls has no string `reasoning_content` or "
            "`reasoning` and no `reasoning_details` (silent when the request says `thinking.type: "
            "\"disabled\"`, and on the servers `groq`, `mistral`, `openrouter`, `xai`).",
        .conservative = "rewrite: `\"reasoning_content\":\"\"`",
    },
    [TK_CODE_CHAT_SYSTEM_NOT_FIRST] = {
        .code = "chat_system_not_first",
        .provider = "openai-chat",
        .severity = TK_WARNING, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "A system message comes after other messages; many templates take it only as the "
            "first.",
        .provider_error = "System message must be at the beginning.",
        .trigger = "A system message isn't the first message; an error for Qwen from 3.5 on.",
        .conservative =
            "none; as an error rewrite: a user message `<system>...</system>` in its place",
    },
    [TK_CODE_CHAT_ROLES_NOT_ALTERNATING] = {
        .code = "chat_roles_not_alternating",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "Two messages of one role follow each other, which this model's template refuses; "
            "join them.",
        .provider_error = "Conversation roles must alternate user/assistant/user/assistant/...",
        .more_errors = (const char *const[]){
            "conversation roles must alternate user and assistant roles except for tool calls and "
            "results.",
            "user and assistant roles should be alternating.",
            NULL},
        .trigger =
            "A user message comes right after a user message, or an assistant message after an "
            "assistant message without tool calls; the later is blamed.",
        .conservative =
            "merge into the message before it; members other than role, content, name and the "
            "later's tool_calls: report",
    },
    [TK_CODE_CHAT_USER_AFTER_TOOL] = {
        .code = "chat_user_after_tool",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "A user's message comes right after a tool message, which this model's template "
            "refuses; put an assistant's message between them.",
        .provider_error = "Unexpected role 'user' after role 'tool'",
        .trigger =
            "A user message comes right after a tool message; a warning on the servers `mistral` "
            "and `openrouter`, and, where no server is named, for models that end in `-latest`.",
        .conservative = "rewrite: an assistant message \".\" between them (errors only)",
    },
    [TK_CODE_CHAT_LAST_ROLE_ASSISTANT] = {
        .code = "chat_last_role_assistant",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "The last message is the assistant's, which this model takes only with prefix: true; "
            "end with the user's.",
        .provider_error =
            "Expected last role User or Tool (or Assistant with prefix True) for serving but got "
            "assistant",
        .trigger =
            "The last message is the assistant's, without tool calls and without `prefix: true`.",
        .conservative = "rewrite: a user message \"Continue.\" after it (`prefill: report`: report)",
    },
    [TK_CODE_CHAT_IMAGE_IN_TOOL] = {
        .code = "chat_image_in_tool",
        .provider = "openai-chat",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "A tool message has an image, which older models refuse and newer ones don't see; put "
            "it into a message of the user.",
        .provider_error =
            "Invalid 'messages[{message}]'. Image URLs are only allowed for messages with role "
            "'user', but this message with role 'tool' contains an image URL.",
        .trigger =
            "A tool message holds an `image_url` part: older models refuse it, newer ones don't "
            "see it.",
        .conservative = "none",
    },
    [TK_CODE_CHAT_IMAGE_INVALID] = {
        .code = "chat_image_invalid",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "An image's data URL isn't base64, or its data isn't a PNG, JPEG, GIF or WebP.",
        .provider_error =
            "You uploaded an unsupported image. Please make sure your image has of one the "
            "following formats: ['png', 'jpeg', 'gif', 'webp'].",
        .trigger =
            "The bytes of an `image_url` data URL begin with no known image signature; a warning "
            "where they can't be decoded, and on targets other than `openai`.",
        .conservative = "textify as a placeholder (errors only)",
    },
    [TK_CODE_BRK_MESSAGES_EMPTY] = {
        .code = "brk_messages_empty",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "There is no message: a conversation needs at least one.",
        .trigger = "`messages` is an empty list.",
        .conservative = "report",
    },
    [TK_CODE_BRK_ROLE_INVALID] = {
        .code = "brk_role_invalid",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The role {role} is neither user nor assistant: set one of these.",
        .provider_error =
            "Value at 'messages.{n}.member.role' failed to satisfy constraint: Member must "
            "satisfy enum value set: [user, assistant]",
        .trigger = "A message's role isn't `user` or `assistant` (a missing one counts).",
        .conservative = "rewrite: the role that the message is read with (PROVIDERS.md 5.1)",
    },
    [TK_CODE_BRK_CONTENT_TYPE] = {
        .code = "brk_content_type",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The message's content is no list: send a list of blocks.",
        .trigger = "A message's `content` is given, not null and not a list.",
        .conservative =
            "rewrite: a list: a string as a text block (a blank one as none), an object as it is, "
            "another value as JSON text",
    },
    [TK_CODE_BRK_CONTENT_EMPTY] = {
        .code = "brk_content_empty",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The message has no content: remove it, or give it a block.",
        .provider_error =
            "The content field in the Message object at messages.{message} is empty. Add a "
            "ContentBlock object to the content field and try again.",
        .trigger = "A message's `content` is `[]`, null or missing.",
        .conservative =
            "drop_message; all that is left of a user turn: rewrite, the text `(empty)`",
    },
    [TK_CODE_BRK_FIRST_NOT_USER] = {
        .code = "brk_first_not_user",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "The first message is the assistant's, which this model refuses: begin with a message "
            "of the user.",
        .provider_error =
            "A conversation must start with a user message. Try again with a conversation that "
            "starts with a user message.",
        .trigger =
            "The first message is the assistant's and the model is known to be neither "
            "Anthropic's nor Qwen.",
        .conservative = "report",
        .preserve = "rewrite: a user message \".\" before it",
    },
    [TK_CODE_BRK_NOT_ALTERNATING] = {
        .code = "brk_not_alternating",
        .provider = "bedrock",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The message has the role of the one before it: some models refuse that, so merge "
            "them.",
        .provider_error =
            "A conversation must alternate between user and assistant roles. Make sure the "
            "conversation alternates between user and assistant roles and try again.",
        .trigger = "A message has the role of the message before it; the later one is blamed.",
        .conservative = "none",
    },
    [TK_CODE_BRK_MIXED_TOOL_RESULT] = {
        .code = "brk_mixed_tool_result",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "Calls or results share the message with other blocks, which this model refuses: send "
            "the others in a message of their own.",
        .provider_error =
            "messages.{message}.content: Conversation blocks and tool result blocks cannot be "
            "provided in the same turn.",
        .trigger =
            "On a model of Meta, Mistral or Cohere a user message holds client results and other "
            "blocks, or an assistant message client calls and other blocks (cachePoints aside).",
        .conservative = "report",
        .preserve =
            "move the other blocks to a message of their own (after it, with an assistant \".\" "
            "between; of a call: before it, with a user \".\" between)",
    },
    [TK_CODE_BRK_PREFILL] = {
        .code = "brk_prefill",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "The last message is the assistant's, which this model doesn't continue: end with a "
            "message of the user.",
        .provider_error =
            "This model does not support assistant message prefill. The conversation must end "
            "with a user message.",
        .trigger =
            "The last message is the assistant's, holds no client call, and the model is Claude "
            "4.6 or later.",
        .conservative = "rewrite: a user message \"Continue.\" after it (`prefill: report`: report)",
    },
    [TK_CODE_BRK_DOCUMENT_WITHOUT_TEXT] = {
        .code = "brk_document_without_text",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The message has a document but no text: add a text.",
        .provider_error =
            "A text block must be included when using documents. Add a text block and retry your "
            "request.",
        .trigger = "A user message holds a document and no text block.",
        .conservative = "append: the text `.`",
    },
    [TK_CODE_BRK_BLOCK_UNION] = {
        .code = "brk_block_union",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The block has no member at all, or several of those that say what it is: send one "
            "block for each.",
        .trigger = "A block holds nothing at all, or two or more of the union's members.",
        .conservative =
            "nothing: drop; several: rewrite, one block for each member in their order (unknown "
            "members stay with the first)",
    },
    [TK_CODE_BRK_EXTRA_MEMBER] = {
        .code = "brk_extra_member",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The block has the member {field} in addition to the one that says what it is: remove "
            "it.",
        .trigger =
            "A block carries `type` in addition to its union member; any other member outside the "
            "union is a warning.",
        .conservative = "rewrite: delete `type` (errors only)",
    },
    [TK_CODE_BRK_UNKNOWN_BLOCK] = {
        .code = "brk_unknown_block",
        .provider = "bedrock",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The block has no member that Converse knows.",
        .trigger = "A block holds members, but none of the union.",
        .conservative = "none",
    },
    [TK_CODE_BRK_TEXT_BLANK] = {
        .code = "brk_text_blank",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The text is empty or only white space: remove it.",
        .provider_error =
            "The text field in the ContentBlock object at messages.{message}.content.{part} is "
            "blank. Add text to the text field, and try again.",
        .trigger =
            "A text block is empty; or it is blank and its message holds no text that isn't "
            "blank, no call and no result. A blank text beside one of these is a warning, and so "
            "is any directly between two signed reasoning blocks.",
        .conservative = "drop (errors only)",
    },
    [TK_CODE_BRK_SERVER_BLOCK_IN_USER] = {
        .code = "brk_server_block_in_user",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "A call or result of the provider's own tool {tool} is in a message of the user: "
            "remove it.",
        .trigger = "A provider-executed call or result is in a user message.",
        .conservative = "drop the call, textify the result in its place",
    },
    [TK_CODE_BRK_SERVER_ID_DUPLICATE] = {
        .code = "brk_server_id_duplicate",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The id {id} has several calls or several results of the provider's own tools in one "
            "message: keep one pair.",
        .trigger =
            "An id has two or more provider-executed calls, or two or more results, in one "
            "message; all its parts are blamed.",
        .conservative = "drop the calls, textify the results",
        .preserve = "textify or drop all but the first complete pair",
    },
    [TK_CODE_BRK_SERVER_CALL_WITHOUT_RESULT] = {
        .code = "brk_server_call_without_result",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The call of the provider's own tool {tool} ({id}) has no result in its message: "
            "remove it, or send its result.",
        .trigger = "A provider-executed call has no result in its message.",
        .conservative = "drop",
        .preserve =
            "drop, or insert_result of the error shape when `orphan_call` is `error_result`",
    },
    [TK_CODE_BRK_SERVER_RESULT_WITHOUT_CALL] = {
        .code = "brk_server_result_without_call",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The result of the provider's own tool {tool} ({id}) has no call in its message: "
            "remove it.",
        .trigger = "A provider-executed result has no call in its message.",
        .conservative = "textify (a hidden one: drop)",
    },
    [TK_CODE_BRK_SERVER_RESULT_BEFORE_CALL] = {
        .code = "brk_server_result_before_call",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The result of the provider's own tool {tool} ({id}) comes before its call: move it "
            "after the call.",
        .trigger = "A provider-executed result comes before its call; both are blamed.",
        .conservative = "drop the call, textify the result",
        .preserve = "move the result after its call",
    },
    [TK_CODE_BRK_TOOL_USE_IN_USER] = {
        .code = "brk_tool_use_in_user",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "A call of the tool {tool} ({id}) is in a message of the user: remove it.",
        .trigger = "A client `toolUse` is in a user message (it takes no part in pairing).",
        .conservative = "drop",
    },
    [TK_CODE_BRK_TOOL_USE_ID_DUPLICATE] = {
        .code = "brk_tool_use_id_duplicate",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "An earlier call has the id {id}, too: give each call an id of its own.",
        .provider_error =
            "The toolUse blocks at messages.{message}.content contain duplicate Ids: {id}",
        .trigger =
            "A client call's id occurs in an earlier call of its message. A warning on a known "
            "Claude model where only an earlier message has it.",
        .conservative =
            "drop an identical copy; else rewrite the id and, by position, its result's (errors "
            "only)",
    },
    [TK_CODE_BRK_RESULT_IN_ASSISTANT] = {
        .code = "brk_result_in_assistant",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The result of the call {id} is in a message of the assistant: move it to the user's "
            "message right after the call's.",
        .trigger =
            "A client `toolResult` is in an assistant message (it claims an unanswered call "
            "before it).",
        .conservative = "move it after the message of the call that it claims, else textify",
    },
    [TK_CODE_BRK_RESULT_MISPLACED] = {
        .code = "brk_result_misplaced",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The result of the call {id} isn't in the message right after the call's: move it "
            "there.",
        .provider_error =
            "Expected toolResult blocks at messages.{n}.content for the following Ids: {id}",
        .trigger =
            "A `toolResult` answers an unanswered call of an earlier assistant message, but isn't "
            "in the message right after it; it claims the call, which isn't reported too.",
        .conservative = "move to the message right after the call's",
    },
    [TK_CODE_BRK_RESULT_NOT_FIRST] = {
        .code = "brk_result_not_first",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text = "The result of the call {id} comes after other blocks: results must come first.",
        .trigger =
            "On a known Claude model a result that answers the message before it comes after a "
            "block that is neither a client result nor a cachePoint.",
        .conservative = "move to the front, after the leading results",
    },
    [TK_CODE_BRK_TOOL_RESULT_DUPLICATE] = {
        .code = "brk_tool_result_duplicate",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The call {id} has another result already: remove one.",
        .provider_error =
            "The toolResult blocks at messages.{message}.content contain duplicate Ids: {id}",
        .trigger =
            "A `toolResult` carries an id of the message before it that as many results before it "
            "as calls there answer already.",
        .conservative = "textify into its message, after the results that stay",
    },
    [TK_CODE_BRK_EXTRA_TOOL_RESULT] = {
        .code = "brk_extra_tool_result",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The result {id} answers no call: remove it.",
        .provider_error =
            "The number of toolResult blocks at messages.{message}.content exceeds the number of "
            "toolUse blocks of previous turn.",
        .trigger =
            "A `toolResult` answers no call: none of the message before it has its id, and no "
            "earlier one with that id is unanswered.",
        .conservative = "textify into its message, after the results that stay",
    },
    [TK_CODE_BRK_MISSING_TOOL_RESULT] = {
        .code = "brk_missing_tool_result",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The call of the tool {tool} ({id}) has no result in the message right after its own: "
            "add one.",
        .provider_error =
            "Expected toolResult blocks at messages.{n}.content for the following Ids: {id}",
        .trigger =
            "A client call has no `toolResult` in the message right after its own (also when "
            "nothing follows), and no misplaced one claims it.",
        .conservative = "insert_result with status error and \"Not executed.\"",
    },
    [TK_CODE_BRK_TOOL_USE_ID] = {
        .code = "brk_tool_use_id",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The id {id} is missing, longer than 64 characters or has others than letters, "
            "digits, _ and -: replace it in the call and its result.",
        .provider_error =
            "Value at 'messages.{n}.member.content.{n}.member.toolUse.toolUseId' failed to "
            "satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
        .trigger =
            "The `toolUseId` of a call or result is missing or doesn't match "
            "`^[a-zA-Z0-9_-]{1,64}$`; a warning where only `.` or `:` are foreign.",
        .conservative =
            "rewrite both ends: the cleaned id, `_`, 10 hex digits of the old id's SHA-256",
    },
    [TK_CODE_BRK_TOOL_NAME_CHARS] = {
        .code = "brk_tool_name_chars",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The name of the called tool {tool} is missing, longer than 64 characters or has "
            "others than letters, digits, _ and -: rename it.",
        .provider_error =
            "Value at 'messages.{n}.member.content.{n}.member.toolUse.name' failed to satisfy "
            "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
        .trigger = "A client call's name is missing or doesn't match `^[a-zA-Z0-9_-]{1,64}$`.",
        .conservative = "rewrite: other characters as `_`, cut to 64; nothing left: `unknown_tool`",
    },
    [TK_CODE_BRK_TOOL_INPUT_NOT_OBJECT] = {
        .code = "brk_tool_input_not_object",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The input of the call of {tool} ({id}) is no JSON object: send an object.",
        .provider_error =
            "The format of the value at messages.{message}.content.{part}.toolUse.input is "
            "invalid. Provide a json object for the field and try again.",
        .trigger = "A client call's `input` is missing or isn't an object.",
        .conservative =
            "rewrite: `{}`, the object its string parses to, else `{\"rawInvalidInput\": value}`",
    },
    [TK_CODE_BRK_RESULT_CONTENT_TYPE] = {
        .code = "brk_result_content_type",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The content of the result {id} is no list: send a list of blocks.",
        .trigger = "A `toolResult.content` isn't a list.",
        .conservative =
            "rewrite: a list: a string as a text block (a blank one, or none at all: `[]`), an "
            "object as it is, another value as JSON text",
    },
    [TK_CODE_BRK_RESULT_TEXT_BLANK] = {
        .code = "brk_result_text_blank",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "A text of the result {id} is empty or only white space: remove it.",
        .provider_error =
            "The model returned the following errors: messages: text content blocks must be "
            "non-empty",
        .trigger = "A `toolResult.content` holds a blank text.",
        .conservative = "rewrite: without it; nothing left: the text \"(no output)\"",
    },
    [TK_CODE_BRK_RESULT_JSON_NOT_OBJECT] = {
        .code = "brk_result_json_not_object",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "A json of the result {id} is no object: send an object, or a text.",
        .provider_error =
            "The format of the value at "
            "messages.{message}.content.{part}.toolResult.content.0.json is invalid. Provide a "
            "json object for the field and try again.",
        .trigger = "A `toolResult.content` holds a `json` that isn't an object.",
        .conservative =
            "rewrite: as text: the string itself (a blank one: \"(no output)\"), else compact "
            "JSON",
    },
    [TK_CODE_BRK_ERROR_RESULT_EMPTY] = {
        .code = "brk_error_result_empty",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The result {id} reports an error and has no content: say what went wrong.",
        .provider_error =
            "The content field at messages.{message}.content.{part}.toolResult cannot be empty "
            "when status value is error.",
        .trigger = "A `toolResult` with status `error` has the content `[]`.",
        .conservative = "rewrite: the text \"(no output)\"",
    },
    [TK_CODE_BRK_STATUS_FIELD] = {
        .code = "brk_status_field",
        .provider = "bedrock",
        .severity = TK_WARNING, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text = "The result {id} has the member status, which this model may refuse: leave it out.",
        .trigger = "On a model of Writer a `toolResult` carries `status`.",
        .conservative = "none",
    },
    [TK_CODE_BRK_REASONING_IN_USER] = {
        .code = "brk_reasoning_in_user",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "Reasoning is in a message of the user: remove it.",
        .trigger = "A `reasoningContent` is in a user message.",
        .conservative = "demote to text; nothing readable: drop",
    },
    [TK_CODE_BRK_REASONING_SIGNATURE] = {
        .code = "brk_reasoning_signature",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The reasoning has no signature: send it as it was received, or leave it out.",
        .provider_error =
            "The model returned the following errors: messages.{message}.content.{part}: Invalid "
            "signature in thinking block",
        .trigger =
            "An assistant's `reasoningContent` has neither a signature nor redacted data (missing "
            "or blank), unless the model is known to be another vendor's than Anthropic.",
        .conservative = "demote to text; nothing readable: drop",
    },
    [TK_CODE_BRK_REASONING_FINAL] = {
        .code = "brk_reasoning_final",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The assistant's turn ends in reasoning: add a text after it.",
        .provider_error =
            "The model returned the following errors: messages.{message}: The final block in an "
            "assistant message cannot be `thinking`.",
        .trigger =
            "An assistant turn ends (cachePoints aside) in a signed `reasoningContent`, unless "
            "the model is known to be another vendor's; its last part is blamed.",
        .conservative = "append: the text \"(interrupted)\"",
    },
    [TK_CODE_BRK_CACHE_POINT_POSITION] = {
        .code = "brk_cache_point_position",
        .provider = "bedrock",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The cachePoint is the first block of its message, follows a block that takes none, "
            "or is one of more than four: move or remove it.",
        .trigger =
            "A `cachePoint` is the first block of its message, follows a document, a video or "
            "another cachePoint, or is the fifth or later of tools, system and messages.",
        .conservative = "none",
    },
    [TK_CODE_BRK_DOCUMENT_NAME] = {
        .code = "brk_document_name",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The document's name is used before, or has others than letters, digits, single "
            "spaces, -, parentheses and brackets, or more than 200 characters: rename it.",
        .provider_error =
            "Messages can't contain duplicate document names. Rename the document and retry your "
            "request.",
        .trigger =
            "A document's name isn't its own cleaned form (PROVIDERS.md 6.6), or repeats an "
            "earlier document's. A warning where only `_` is foreign.",
        .conservative =
            "rewrite: the cleaned name; a repeat gets ` (2)`, ` (3)`, ... (errors only)",
    },
    [TK_CODE_BRK_TOOLCONFIG_MISSING] = {
        .code = "brk_toolconfig_missing",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text =
            "The messages have calls or results, but the request has no toolConfig: send the "
            "tools of the conversation.",
        .provider_error =
            "The toolConfig field must be defined when using toolUse and toolResult content "
            "blocks.",
        .trigger = "The messages hold a call or a result and the request has no `toolConfig`.",
        .conservative = "report",
    },
    [TK_CODE_BRK_TOOLS_EMPTY] = {
        .code = "brk_tools_empty",
        .provider = "bedrock",
        .severity = TK_WARNING, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text = "The list toolConfig.tools is empty: leave it out, or send tools.",
        .provider_error =
            "The value at toolConfig.tools failed to satisfy constraint: Member must have length "
            "greater than or equal to 1",
        .trigger = "`toolConfig.tools` is `[]`.",
        .conservative = "none",
    },
    [TK_CODE_GEM_CONTENTS_EMPTY] = {
        .code = "gem_contents_empty",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The history has no entries; send at least one.",
        .provider_error = "* GenerateContentRequest.contents: contents is not specified",
        .trigger = "`contents` is an empty list.",
        .conservative = "report",
    },
    [TK_CODE_GEM_ROLE_INVALID] = {
        .code = "gem_role_invalid",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The role of the entry is neither user nor model; give it the one of who says it.",
        .provider_error = "Please use a valid role: user, model.",
        .trigger =
            "An entry's role is given and isn't `user` or `model`, or is missing while the entry "
            "holds a functionCall.",
        .conservative = "rewrite: the role that the entry is read with (PROVIDERS.md 5.1)",
    },
    [TK_CODE_GEM_PARTS_TYPE] = {
        .code = "gem_parts_type",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The entry's parts aren't a list; put them into one.",
        .trigger = "An entry's `parts` is given, not null and not a list.",
        .conservative =
            "rewrite: a list: a string as a text part (a blank one as none), an object as it is, "
            "another value as JSON text",
    },
    [TK_CODE_GEM_PARTS_EMPTY] = {
        .code = "gem_parts_empty",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The entry has no parts; give it some, or drop it.",
        .provider_error =
            "* GenerateContentRequest.contents[{message}].parts: contents.parts must not be "
            "empty.",
        .more_errors = (const char *const[]){
            "Unable to submit request because it must include at least one parts field, which "
            "describes the prompt input.",
            NULL},
        .trigger = "An entry's `parts` is `[]`, null or missing.",
        .conservative =
            "drop_message; all that is left of a user turn: rewrite, the text `(empty)`",
    },
    [TK_CODE_GEM_CALL_POSITION] = {
        .code = "gem_call_position",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The history begins with a function call, which must come after the user's turn; put "
            "an entry of the user before it.",
        .provider_error =
            "Please ensure that function call turn comes immediately after a user turn or after a "
            "function response turn.",
        .trigger =
            "The first entry is the model's and its turn holds a functionCall. (Model entries "
            "side by side are one turn.)",
        .conservative = "rewrite: a user entry \".\" before it",
    },
    [TK_CODE_GEM_FIRST_MODEL] = {
        .code = "gem_first_model",
        .provider = "gemini",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The history begins with the model's turn; some models want the user's first.",
        .trigger = "The first entry is the model's and its turn holds no functionCall.",
        .conservative = "none",
    },
    [TK_CODE_GEM_LAST_ROLE_MODEL] = {
        .code = "gem_last_role_model",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "The last entry is the model's, which Gemini 3.6 and later refuse; end with the "
            "user's.",
        .provider_error = "Requests ending with a model turn are not supported.",
        .trigger =
            "The last entry is the model's and its turn holds no functionCall: an error on Gemini "
            "3.6 or later, a warning where the model is unknown or the target is `compatible`.",
        .conservative =
            "rewrite: a user entry \"Continue.\" after it (errors only; `prefill: report`: "
            "report)",
    },
    [TK_CODE_GEM_UNKNOWN_FIELD] = {
        .code = "gem_unknown_field",
        .provider = "gemini",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The entry or part has a member that the API doesn't know, and it may refuse the "
            "request; leave it out.",
        .provider_error =
            "Invalid JSON payload received. Unknown name \"{field}\" at 'contents[{message}]': "
            "Cannot find field.",
        .trigger = "An entry or part carries a member that the API doesn't know.",
        .conservative = "none",
    },
    [TK_CODE_GEM_PART_UNION] = {
        .code = "gem_part_union",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The part has two or more data members; make one part of each.",
        .provider_error =
            "Invalid value at 'contents[{message}].parts[{part}]' (oneof), oneof field 'data' is "
            "already set.",
        .trigger = "A part holds two or more of the data members.",
        .conservative =
            "rewrite: one part for each in their order; the other members stay with the "
            "functionCall, else with the first",
    },
    [TK_CODE_GEM_PART_EMPTY] = {
        .code = "gem_part_empty",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The part has no data; leave it out.",
        .provider_error =
            "* GenerateContentRequest.contents[{message}].parts[{part}].data: required oneof "
            "field 'data' must have one initialized field",
        .trigger =
            "A part holds no data member, no unknown one, no `thoughtSignature` and no "
            "`videoMetadata`.",
        .conservative = "drop",
    },
    [TK_CODE_GEM_TEXT_EMPTY] = {
        .code = "gem_text_empty",
        .provider = "gemini",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The text is empty, and Vertex AI wants some; leave the part out.",
        .trigger = "A text part is `\"\"` and has no thoughtSignature.",
        .conservative = "none",
    },
    [TK_CODE_GEM_CALL_IN_USER] = {
        .code = "gem_call_in_user",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The call of {tool} is in an entry of the user, and only the model makes calls; drop "
            "it.",
        .trigger = "A functionCall is in a user entry (it takes no part in pairing).",
        .conservative = "drop",
    },
    [TK_CODE_GEM_CALL_NAME] = {
        .code = "gem_call_name",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The function call has no name; give it the one of its function.",
        .trigger = "A functionCall has no name (missing or blank).",
        .conservative = "rewrite: the name of the response that answers it, else `unknown_tool`",
    },
    [TK_CODE_GEM_ARGS_NOT_OBJECT] = {
        .code = "gem_args_not_object",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The args of the call of {tool} aren't an object; send one.",
        .provider_error =
            "Invalid value at 'contents[{message}].parts[{part}].function_call.args' "
            "(type.googleapis.com/google.protobuf.Struct)",
        .trigger = "A functionCall's `args` is given, not null and not an object.",
        .conservative =
            "rewrite: the object its string parses to, else `{\"rawInvalidInput\": value}`",
    },
    [TK_CODE_GEM_RESPONSE_IN_MODEL] = {
        .code = "gem_response_in_model",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The response of {tool} is in an entry of the model; put it into one of the user's.",
        .trigger =
            "A functionResponse is in a model entry (it claims an unanswered call before it).",
        .conservative = "move to the answers of the call that it claims, else textify",
    },
    [TK_CODE_GEM_RESPONSE_MISPLACED] = {
        .code = "gem_response_misplaced",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The response of {tool} isn't in the user's entries right after the turn with its "
            "call; move it there.",
        .provider_error =
            "Please ensure that the number of function response parts is equal to the number of "
            "function call parts of the function call turn.",
        .trigger =
            "A functionResponse answers an unanswered call of an earlier model turn, but isn't in "
            "the user's entries right after that turn; it claims the call, which isn't reported "
            "too.",
        .conservative = "move to the user's entries right after the turn",
    },
    [TK_CODE_GEM_RESPONSE_WITHOUT_CALL] = {
        .code = "gem_response_without_call",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The response of {tool} answers no call before it; make it a text.",
        .provider_error =
            "Please ensure that function response turn comes immediately after a function call "
            "turn.",
        .trigger =
            "A functionResponse answers no call of the model turn before it and no unanswered one "
            "of an earlier turn.",
        .conservative = "textify (its own entry where responses stay)",
    },
    [TK_CODE_GEM_CALL_WITHOUT_RESPONSE] = {
        .code = "gem_call_without_response",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The call of {tool} has no response in the user's entries right after its turn; add "
            "one, at least one that says it wasn't executed.",
        .provider_error =
            "Please ensure that the number of function response parts is equal to the number of "
            "function call parts of the function call turn.",
        .trigger =
            "A functionCall has no functionResponse in the user's entries right after its model "
            "turn (also when nothing follows), and no misplaced one claims it.",
        .conservative = "insert_result: `{\"error\":\"Not executed.\"}`",
    },
    [TK_CODE_GEM_RESPONSE_NAME] = {
        .code = "gem_response_name",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The response has another name than the call that it answers, or none; give it the "
            "call's.",
        .provider_error =
            "* GenerateContentRequest.contents[{message}].parts[{part}].function_response.name: "
            "Name cannot be empty.",
        .trigger =
            "A functionResponse that answers a call has another name than the call, or none.",
        .conservative = "rewrite: the call's name",
    },
    [TK_CODE_GEM_RESPONSE_ID] = {
        .code = "gem_response_id",
        .provider = "gemini",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "The response of {tool} has another id than the call that it answers by its name; "
            "give both the same one.",
        .trigger =
            "A functionResponse answers a call by its name though both carry an id and the ids "
            "differ.",
        .conservative = "none",
    },
    [TK_CODE_GEM_RESPONSE_NOT_OBJECT] = {
        .code = "gem_response_not_object",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The response of {tool} isn't an object; put it into one.",
        .provider_error =
            "Invalid value at 'contents[{message}].parts[{part}].function_response.response' "
            "(type.googleapis.com/google.protobuf.Struct)",
        .trigger = "A functionResponse's `response` is given, not null and not an object.",
        .conservative = "rewrite: `{\"output\": value}`",
    },
    [TK_CODE_GEM_TEXT_AFTER_RESPONSE] = {
        .code = "gem_text_after_response",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "A part comes after a function's response in one entry, which Gemini 3 and later read "
            "as the model's to finish; put it into an entry of its own.",
        .provider_error = "Requests ending with a model turn are not supported.",
        .trigger =
            "In a user entry a part that is neither a functionResponse nor a functionCall comes "
            "after a functionResponse that answers a call: an error on Gemini 3 or later, a "
            "warning where the model is unknown.",
        .conservative = "move to a new user entry right after",
    },
    [TK_CODE_GEM_THOUGHT_SIGNATURE_MISSING] = {
        .code = "gem_thought_signature_missing",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "The first call of a turn has no thoughtSignature, which Gemini 3 and later want "
            "back; send the one that the model gave, or the documented dummy.",
        .provider_error =
            "Function call is missing a thought_signature in functionCall parts. This is required "
            "for tools to work correctly, and missing thought_signature may lead to degraded "
            "model performance.",
        .trigger =
            "On Gemini 3 or later (no image model) the first functionCall of a model turn after "
            "the newest user entry that holds anything but functionResponses has no "
            "`thoughtSignature`.",
        .conservative = "rewrite: `\"thoughtSignature\":\"skip_thought_signature_validator\"`",
    },
    [TK_CODE_GEM_SERVER_PAIR_INCOMPLETE] = {
        .code = "gem_server_pair_incomplete",
        .provider = "gemini",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text =
            "A call of the provider's own tool has no result in its turn, or a result no call "
            "before it; send both back as they came.",
        .trigger =
            "A toolCall has no toolResponse of its id after it in its model turn, a toolResponse "
            "no toolCall before it, an executableCode no codeExecutionResult before the next "
            "executableCode, or a codeExecutionResult no executableCode before it.",
        .conservative = "none",
    },
    [TK_CODE_GEM_NATIVE_TOOL_PARTS] = {
        .code = "gem_native_tool_parts",
        .provider = "gemini",
        .severity = TK_WARNING, .needs = TK_NEEDS_TARGET, .wave = 4,
        .text =
            "Models before Gemini 3 don't take calls and results of the provider's own tools; "
            "leave them out.",
        .provider_error = "Tool call context circulation is not enabled",
        .trigger = "A toolCall or toolResponse goes to a model before Gemini 3.",
        .conservative = "none",
    },
    [TK_CODE_GEM_IMAGE_INVALID] = {
        .code = "gem_image_invalid",
        .provider = "gemini",
        .severity = TK_WARNING, .needs = TK_NEEDS_MESSAGES, .wave = 4,
        .text = "The image isn't base64, or its data doesn't begin like one of its type.",
        .provider_error =
            "Unable to process input image. Please retry or report in "
            "https://developers.generativeai.google/guide/troubleshooting",
        .trigger =
            "An inlineData image isn't base64 or doesn't begin with the signature of its type "
            "(PNG, JPEG, GIF, WebP).",
        .conservative = "none",
    },
    [TK_CODE_GEM_CACHED_CONTENT_CONFLICT] = {
        .code = "gem_cached_content_conflict",
        .provider = "gemini",
        .severity = TK_WARNING, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text =
            "The request has cachedContent next to tools, toolConfig or systemInstruction; put "
            "those into the cached content.",
        .trigger = "`cachedContent` comes with `tools`, `toolConfig` or `systemInstruction`.",
        .conservative = "none",
    },
    [TK_CODE_GEM_FUNCTION_NAME] = {
        .code = "gem_function_name",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text = "A function's name isn't legal, or two functions have one name; rename it.",
        .provider_error =
            "Invalid function name. Must start with a letter or an underscore. Must be "
            "alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), "
            "with a maximum length of 128.",
        .trigger =
            "A declared function's name doesn't match `^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$`, or is "
            "declared twice.",
        .conservative = "report",
    },
    [TK_CODE_GEM_BUILTIN_WITH_FUNCTIONS] = {
        .code = "gem_builtin_with_functions",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_REQUEST, .wave = 4,
        .text =
            "The request has functions and a built-in tool; set "
            "toolConfig.includeServerSideToolInvocations, or send one kind.",
        .provider_error =
            "Please enable tool_config.include_server_side_tool_invocations to use Built-in tools "
            "with Function calling.",
        .trigger =
            "On Gemini 3 or later (target endpoint `gemini`) the tools hold functions and a "
            "built-in tool, and `toolConfig.includeServerSideToolInvocations` isn't true.",
        .conservative = "report",
    },
};

const struct tk_unjudged tk_unjudged[TK_UNBUILT_COUNT] = {
    {
        .code = "thinking_latest_modified",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "messages.{message}.content.{part}: `thinking` or `redacted_thinking` blocks in the "
            "latest assistant message cannot be modified. These blocks must remain as they were "
            "in the original response.",
        .trigger =
            "A thinking block of the newest assistant turn was edited, dropped or reordered, or "
            "two runs of them became adjacent (offline: `thinking_order_unverified`, "
            "`sealed_turn_*`).",
        .helps = "demote all thinking of the turn, never a part of it / restore",
    },
    {
        .code = "thinking_model_mismatch",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_SERVER,
        .trigger =
            "Thinking was made by a model that the target model can't read: dropped without an "
            "error.",
    },
    {
        .code = "thinking_signature_invalid",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "messages.{message}.content.{part}: Invalid `signature` in `thinking` block",
        .trigger =
            "A signature wasn't issued for exactly this block: edited text, a cut or foreign "
            "signature, at times another model.",
        .helps = "demote the thinking from that message on / drop it, then retry once",
    },
    {
        .code = "encrypted_content_invalid",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "messages.{message}.content.{part}: Invalid `encrypted_content` in `search_result` "
            "block",
        .trigger =
            "A search hit's `encrypted_content` was altered, made up or belongs to another "
            "account (an empty one is `invalid_provider_executed_tool_result`).",
        .helps = "textify the turn's search results, drop their calls",
    },
    {
        .code = "encrypted_stdout_invalid",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "Invalid `encrypted_stdout` in `encrypted_code_execution_result` block",
        .trigger = "`encrypted_stdout` was altered or belongs to another account.",
        .helps = "rewrite the result as its error form",
    },
    {
        .code = "encrypted_index_invalid",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "Invalid `encrypted_index` in `text` block",
        .trigger = "A citation's `encrypted_index` was altered or belongs to another account.",
        .helps = "rewrite: delete the citation",
    },
    {
        .code = "advisor_result_unprocessable",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "Advisor tool result content could not be processed.",
        .trigger =
            "`advisor_redacted_result.encrypted_content` was altered or belongs to another "
            "account.",
        .helps = "rewrite the result as its error form",
    },
    {
        .code = "media_url_unreachable",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "Unable to download the file. Please verify the URL and try again.",
        .trigger = "A media URL has expired or is private.",
        .helps = "textify, keeping the URL",
    },
    {
        .code = "image_oversized_error_flag",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .trigger =
            "`transformations.oversized_image` is `error` on an image that the model would "
            "resize.",
        .helps = "rewrite: delete `transformations`",
    },
    {
        .code = "file_block_mismatch",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .trigger = "A `file_id` is of another kind than its block, or the file is gone.",
        .helps = "textify as a placeholder",
    },
    {
        .code = "pdf_limits",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "A maximum of 100 PDF pages may be provided",
        .trigger = "A PDF has over 600 pages (100 below a 1M context) or a password.",
        .helps = "textify as a placeholder",
    },
    {
        .code = "container_expired",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .trigger = "`container` is older than 30 days.",
        .helps = "rewrite: delete `container`",
    },
    {
        .code = "fallback_block_moved",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .trigger = "A `fallback` block was dropped or moved while there is thinking on both sides.",
    },
    {
        .code = "compaction_content_mismatch",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "messages.{message}.content.{part}: `compaction` block `content` does not match its "
            "`signature`",
        .trigger = "The text of a signed `compaction` block was edited.",
        .helps = "rewrite as user text",
    },
    {
        .code = "tool_use_undeclared_ok",
        .provider = "anthropic",
        .severity = TK_WARNING, .needs = TK_NEEDS_SERVER,
        .trigger =
            "History holds calls of a tool that `tools` lacks: accepted here (Bedrock Converse "
            "refuses it).",
    },
    {
        .code = "advisor_unavailable",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "tools.{part}.model: '{model}' cannot be used as an advisor when the request model is "
            "'{model}'",
        .trigger =
            "The advisor model is weaker than the request's model, or the account lacks the tool.",
    },
    {
        .code = "beta_value_unknown",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "Unexpected value(s) `{value}` for the `anthropic-beta` header. Please consult our "
            "documentation",
        .trigger = "A beta value is unknown or not allowed for the account.",
    },
    {
        .code = "count_tokens_server_tools",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "Server tools are not supported in the count_tokens endpoint: {types}. Use the "
            "/v1/messages endpoint instead.",
        .trigger = "count_tokens is called with server tools.",
    },
    {
        .code = "fallback_credit_mismatch",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "fallback_credit_token: invalid or malformed",
        .trigger = "A request that redeems `fallback_credit_token` was edited.",
        .helps = "leave such a request alone",
    },
    {
        .code = "prompt_too_long",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "prompt is too long: {count} tokens > 200000 maximum",
        .trigger = "The input is longer than the context window.",
    },
    {
        .code = "thinking_mode_unsupported",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "\"thinking.type.enabled\" is not supported for this model. Use "
            "\"thinking.type.adaptive\" and \"output_config.effort\" to control thinking "
            "behavior.",
        .trigger = "The model doesn't know this `thinking.type`.",
    },
    {
        .code = "effort_without_thinking",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "output_config.effort 'xhigh' is not supported when thinking is disabled on this "
            "model. Use effort 'high' or below, or enable thinking.",
        .trigger = "Effort is xhigh or max and thinking is off.",
    },
    {
        .code = "thinking_forced_tool_choice",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "Thinking may not be enabled when tool_choice forces tool use.",
        .trigger = "Manual thinking and a forced `tool_choice`.",
    },
    {
        .code = "forced_tool_choice_unsupported",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "tool_choice: type \"tool\" and \"any\" are not supported for this model.",
        .trigger = "A forced `tool_choice` on a model that always thinks.",
    },
    {
        .code = "thinking_budget",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "max_tokens must be greater than thinking.budget_tokens",
        .trigger = "The thinking budget is below 1024 or not below `max_tokens`.",
    },
    {
        .code = "sampling_params",
        .provider = "anthropic",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "`temperature` is deprecated for this model",
        .trigger = "temperature, top_p or top_k where the model or thinking forbids them.",
    },
    {
        .code = "resp_item_without_reasoning",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "Item '{id}' of type 'function_call' was provided without its required 'reasoning' "
            "item: '{id}'.",
        .more_errors = (const char *const[]){
            "Item '{id}' of type 'message' was provided without its required 'reasoning' item: "
            "'{id}'.",
            "was provided without its required 'reasoning' item",
            NULL},
        .trigger = "An item with an id is sent without the reasoning item that it was made after.",
        .helps = "rewrite: delete the item's `id`; `item_ids: strip` prevents it",
    },
    {
        .code = "resp_encrypted_content_invalid",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "The encrypted content {value} could not be verified",
        .trigger = "`encrypted_content` was edited or belongs to another account.",
        .helps = "drop encrypted reasoning, delete ids",
    },
    {
        .code = "resp_previous_not_found",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "Previous response with id '{id}' not found.",
        .trigger = "`previous_response_id` has expired or wasn't stored.",
        .helps = "rewrite: delete it, send the whole history",
    },
    {
        .code = "resp_json_word",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "Response input messages must contain the word 'json' in some form to use "
            "'text.format' of type 'json_object'.",
        .trigger = "`text.format` is json_object and no message says \"json\".",
    },
    {
        .code = "resp_context_too_long",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "Your input exceeds the context window of this model. Please adjust your input and "
            "try again.",
        .trigger = "The input is longer than the context window.",
    },
    {
        .code = "resp_media_unsupported",
        .provider = "openai-responses",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "The file type you uploaded is not supported.",
        .more_errors = (const char *const[]){
            "Invalid file data: '{path}'. Expected a base64-encoded data URL with a valid file "
            "MIME type",
            NULL},
        .trigger =
            "The model or the API doesn't take this file: its type, or a data URL of another "
            "media type.",
        .helps = "textify as a placeholder, or send the file's text",
    },
    {
        .code = "chat_context_too_long",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "This model's maximum context length is {limit} tokens. However, your messages "
            "resulted in {count} tokens. Please reduce the length of the messages.",
        .more_errors = (const char *const[]){
            "This model's maximum context length is {limit} tokens. However, you requested "
            "{count} tokens",
            "This endpoint's maximum context length is {limit} tokens. However, you requested "
            "about {count} tokens",
            "prompt too long; exceeded max context length by {count} tokens",
            "The total length of all messages is too long.",
            NULL},
        .trigger = "The input is longer than the context window.",
    },
    {
        .code = "chat_media_unsupported",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "Invalid 'messages[{message}]'. Content blocks are expected to be either text or "
            "image_url type.",
        .trigger =
            "The model takes no part of this type (audio, files, images), in this role or at all.",
        .helps = "textify as a placeholder",
    },
    {
        .code = "chat_media_url_unreachable",
        .provider = "openai-chat",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "Error while downloading {url}.",
        .trigger = "A media URL has expired or is private.",
        .helps = "textify, keeping the URL",
    },
    {
        .code = "brk_input_too_long",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "Input is too long for requested model.",
        .more_errors = (const char *const[]){
            "Input Tokens Exceeded: Number of input tokens exceeds maximum length.",
            NULL},
        .trigger = "The input is longer than the context window.",
    },
    {
        .code = "brk_media_unsupported",
        .provider = "bedrock",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "This model doesn't support the {type} content block that you provided. Update the "
            "content block and try again.",
        .more_errors = (const char *const[]){
            "This model doesn't support the s3Uri field. Remove s3Uri and try again.",
            "Malformed input request: #/messages/{message}/content/{part}: extraneous key "
            "[{field}] is not permitted",
            NULL},
        .trigger =
            "The model takes no block of this type or source (video, a file in S3, a document in "
            "a result).",
        .helps = "textify as a placeholder",
    },
    {
        .code = "gem_thought_signature_corrupt",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error = "Corrupted thought signature.",
        .trigger = "A `thoughtSignature` was altered, cut, merged or made elsewhere.",
        .helps = "rewrite: the documented dummy signature",
    },
    {
        .code = "gem_tokens",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "The input token count ({count}) exceeds the maximum number of tokens allowed "
            "(1048576).",
        .trigger = "The input is longer than the context window.",
    },
    {
        .code = "gem_url_fetch",
        .provider = "gemini",
        .severity = TK_ERROR, .needs = TK_NEEDS_SERVER,
        .provider_error =
            "Cannot fetch content from the provided URL. Please ensure the URL is valid and "
            "accessible by Vertex AI.",
        .trigger = "A file URI has expired.",
        .helps = "textify, keeping the URI",
    },
};
/* clang-format on */
