/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/manual.h"

const struct tk_manual tk_manual[TK_CODE_COUNT] = {
    [TK_CODE_BLOCK_OUTSIDE_ASSISTANT] =
        {"A provider-executed call or result stands in a message whose role isn't `assistant`.",
         "drop the call, textify the result",
         "move into the turn before where that completes a pair, else the same"},
    [TK_CODE_DUPLICATE_ID] =
        {"An id has two or more provider-executed calls, or two or more results, in one turn "
         "(all its parts are blamed), or was used in an earlier turn (the later parts are).",
         "drop the calls, textify the results", "textify or drop all but the first complete pair"},
    [TK_CODE_CALL_WITHOUT_RESULT] =
        {"A provider-executed call has no result in its turn and isn't in flight (something "
         "other than user messages made only of `tool_result` follows).",
         "drop the call",
         "drop the call, or insert_result of the error shape when `orphan_call` is "
         "`error_result`"},
    [TK_CODE_RESULT_WITHOUT_CALL] =
        {"A provider-executed result has no call of its id in its turn and none in flight "
         "from an earlier turn.",
         "textify the result", "textify the result, marked with its tool"},
    [TK_CODE_RESULT_BEFORE_CALL] =
        {"Call and result of one id stand in one turn, the result first; both are blamed.",
         "drop the call, textify the result", "move the result behind its call"},
    [TK_CODE_INVALID_CALL] =
        {"The pair is in order but the call can't be sent: blank id or name, a name outside "
         "`serializable_tools`, an input that isn't an object (string dialects: isn't JSON); "
         "both are blamed.",
         "drop the call, textify the result",
         "rewrite a string that parses to an object, else the same"},
    [TK_CODE_INVALID_RESULT] =
        {"The pair is in order, its call good, but the result's `content` hasn't the form "
         "that the server tool table gives its type: hits with string `url`, `title` and "
         "non-empty `encrypted_content`; a listed object with its required members; or the "
         "error object with a non-empty `error_code` (unlisted types pass); both are blamed.",
         "drop the call, textify the result", "rewrite where nothing is lost, else the same"},
    [TK_CODE_TYPE_MISMATCH] =
        {"The pair is in order and both halves are good, but the table gives the call's name "
         "another result type (for an unlisted name: the type is a listed tool's); both are "
         "blamed.",
         "drop the call, textify the result",
         "rewrite the type where the content fits, else the same"},
    [TK_CODE_CALLER_DANGLING] =
        {"A part's `caller` isn't `direct` and its `tool_id` names no provider-executed call "
         "of the turn or in flight.",
         "rewrite: delete `caller`", NULL},
    [TK_CODE_TOOL_UNKNOWN] =
        {"A provider-executed call, in a good pair or in flight, has a name that the table "
         "doesn't list (not MCP's, nor with `serializable_tools`; with `unknown_tools: error` "
         "an error, both parts blamed).",
         "none; as an invalid call when it is an error", NULL},
    [TK_CODE_SERVER_TOOL_ID_PATTERN] =
        {"The id of a provider-executed part (not MCP's, none that another rule blames) "
         "doesn't match `^srvtoolu_[a-zA-Z0-9_]+$`; wire dialect only.",
         "rewrite every use: `srvtoolu_`, the cleaned id, a hash", NULL},
    [TK_CODE_TOOL_USE_WITHOUT_RESULT] =
        {"A client `tool_use` has no `tool_result` in the user turn right after its turn "
         "(also when nothing follows), and no misplaced one elsewhere claims it.",
         "insert_result (`is_error`, \"Not executed.\") behind its turn", NULL},
    [TK_CODE_TOOL_RESULT_NOT_FIRST] =
        {"A `tool_result` that answers the turn before it stands behind a block of its user "
         "turn that isn't a `tool_result`.",
         "move all results of the turn to its front, order kept", NULL},
    [TK_CODE_TOOL_RESULT_NOT_ADJACENT] =
        {"A `tool_result` answers an unanswered call of an earlier turn, but another turn "
         "stands between them; it claims the call, which isn't reported too.",
         "move the result directly behind its call's turn", NULL},
    [TK_CODE_TOOL_RESULT_WITHOUT_USE] =
        {"A `tool_result` names no call of the turn before it, no unanswered one of an "
         "earlier turn and no provider-executed one.",
         "textify into its user message, behind the results that stay", NULL},
    [TK_CODE_TOOL_RESULT_DUPLICATE] =
        {"A `tool_result` answers a call of the turn before that another one in front of it "
         "answers already.",
         "textify into the user message, behind the results that stay", NULL},
    [TK_CODE_TOOL_USE_ID_DUPLICATE] =
        {"A `tool_use` id occurs again anywhere later in the messages; all but one are blamed "
         "(the newest signed turn's call keeps the id, else the first).",
         "drop an identical copy; else rewrite the later id and, by position, its result's", NULL},
    [TK_CODE_TOOL_USE_IN_USER] =
        {"A `tool_use` block stands in a message whose role isn't `assistant` (it takes no "
         "part in pairing).",
         "drop",
         "move into an assistant message split off at that block, where something of its user "
         "turn stands behind it and no signed turn before it; else drop"},
    [TK_CODE_TOOL_RESULT_IN_ASSISTANT] =
        {"A `tool_result` stands in an assistant message (it claims an unanswered call of its "
         "own or an earlier turn).",
         "move behind the turn of the call that it claims, else textify", NULL},
    [TK_CODE_TOOL_RESULT_FOR_SERVER_TOOL] =
        {"A client `tool_result` names a provider-executed call of an earlier turn.",
         "textify into its user message, behind the results that stay", NULL},
    [TK_CODE_MESSAGES_EMPTY] = {"`messages` is an empty list.", "report", NULL},
    [TK_CODE_BODY_LONE_SURROGATE] =
        {"A string anywhere in the body holds a `\\uD800`-`\\uDFFF` escape that isn't half of "
         "a pair.",
         "rewrite: U+FFFD for each lone surrogate", NULL},
    [TK_CODE_ROLE_UNKNOWN] =
        {"A message's role is missing or isn't `user`, `assistant` or `system`.", "report", NULL},
    [TK_CODE_CONTENT_TYPE_INVALID] =
        {"A message's `content` is missing or neither a string nor a list.",
         "rewrite: wrap a lone block (an object) in a list; a bare message (RULES.md 8) whose content is missing or null goes as one that was emptied (RULES.md 6.5), under this code; else report",
         NULL},
    [TK_CODE_MESSAGE_EXTRA_INPUTS] =
        {"A message has a member beside `role`, `content`, `output_config` and `clear_at`: an error where one of them is known to be left over by SDKs and stores (RULES.md 8 b) or is null or empty, else a warning.",
         "rewrite: delete those members (errors only; in signed and protected turns too; words of other formats stay where the message has no text or block of its own)",
         NULL},
    [TK_CODE_FIELD_REQUIRED] =
        {"A block other than text, thinking, calls and results lacks a member that the block table requires (those have rules of their own).",
         "drop a block without foreign members, else report (RULES.md 8)", NULL},
    [TK_CODE_EXTRA_INPUTS] =
        {"A block of a known type carries a known offender (`index`, `partial_json`, "
         "`parsed`; `text` on tool_use, `name` on tool_result, `id` on text); any other "
         "member outside its row of the block table is a warning.",
         "rewrite: delete the member (errors only)", NULL},
    [TK_CODE_UNKNOWN_BLOCK_TYPE] =
        {"A block's `type` isn't in the block table and ends in neither `_tool_use` nor "
         "`_tool_result`.",
         "none", NULL},
    [TK_CODE_MESSAGE_CONTENT_EMPTY] =
        {"An assistant turn that isn't the last turn has no content at all (every message of "
         "it is `\"\"` or `[]`); each is blamed.",
         "drop_message", NULL},
    [TK_CODE_USER_CONTENT_EMPTY] =
        {"A user turn has no content at all (every message of it is `\"\"` or `[]`); each is "
         "blamed.",
         "rewrite: `(empty)` in the first message of the turn, the others drop_message", NULL},
    [TK_CODE_SYSTEM_MESSAGE_FIRST] =
        {"The first message has role `system` (unless `content` is `[]` with `output_config`).",
         "report", NULL},
    [TK_CODE_SYSTEM_MESSAGE_POSITION] =
        {"A run of `system` messages, not at the start, follows neither a user message nor an "
         "assistant's last provider-executed result, or is followed by a user message; its "
         "last message is blamed (directive-only ones are exempt).",
         "move it forward, behind the user messages that follow", NULL},
    [TK_CODE_SYSTEM_MESSAGE_EMPTY] =
        {"A `system` message has no content or only blank text, and no `output_config`.",
         "drop_message", NULL},
    [TK_CODE_SYSTEM_MESSAGE_BLOCK_TYPE] =
        {"A `system` message holds a block other than `text`, `tool_addition` or "
         "`tool_removal`.",
         "move the block to the user message before", NULL},
    [TK_CODE_MID_CONV_SYSTEM_BLOCK] = {"A block has type `mid_conv_system`.", "none", NULL},
    [TK_CODE_SEARCH_RESULT_IN_ASSISTANT] =
        {"A `search_result` block stands in an assistant message.", "textify", NULL},
    [TK_CODE_TEXT_EMPTY] =
        {"A text block (also in `tool_result.content` or top-level `system`) has the text "
         "`\"\"` or none; a warning directly between two signed thinking blocks. (String "
         "content `\"\"` is empty content.)",
         "drop", NULL},
    [TK_CODE_TEXT_WHITESPACE_ONLY] =
        {"A text block or string content is made of white space only (Unicode White_Space); a "
         "warning as for `text_empty`.",
         "drop", NULL},
    [TK_CODE_FINAL_ASSISTANT_TRAILING_WHITESPACE] =
        {"The last message is the assistant's, its last block is text that isn't blank, and "
         "that text ends in white space.",
         "rewrite: trim the end", NULL},
    [TK_CODE_THINKING_EMPTY] =
        {"A `thinking` block has no signature (missing or empty) and no text (missing or "
         "blank).",
         "drop the block (nothing is in it)", NULL},
    [TK_CODE_THINKING_SIGNATURE_MISSING] =
        {"A `thinking` block with text has no signature (missing or empty).", "demote to text",
         NULL},
    [TK_CODE_THINKING_TEXT_MISSING] =
        {"A `thinking` block with a signature has no string `thinking`.",
         "rewrite: add `\"thinking\":\"\"`, keep the signature", NULL},
    [TK_CODE_REDACTED_THINKING_DATA_INVALID] =
        {"A `redacted_thinking` block has no `data` (missing or empty; whether other data is "
         "genuine only the provider can tell).",
         "drop the block (nothing is in it)", NULL},
    [TK_CODE_THINKING_FINAL_BLOCK] =
        {"An assistant turn ends in `thinking` or `redacted_thinking`; its last part is "
         "blamed.",
         "append: the text \"(interrupted)\"", NULL},
    [TK_CODE_THINKING_IN_USER] =
        {"A `thinking` or `redacted_thinking` block stands in a message whose role isn't "
         "`assistant` (no other thinking rule looks at it).",
         "demote to text; drop a redacted block", NULL},
    [TK_CODE_THINKING_ORDER_UNVERIFIED] =
        {"`provenance` is `rebuilt` and the newest assistant turn holds two or more thinking "
         "blocks and a call; its first one is blamed (a seal that proves the turn intact "
         "clears it).",
         "demote all thinking of the turn, drop redacted", "restore from the seal, else the same"},
    [TK_CODE_THINKING_SIGNATURE_MALFORMED] =
        {"`policy.signature_form` is `base64` and a non-blank `signature` isn't padded base64 "
         "(length a multiple of 4, no foreign character).",
         "demote to text", NULL},
    [TK_CODE_TOOL_USE_ID_PATTERN] =
        {"A `tool_use.id` or `tool_result.tool_use_id` is missing or doesn't match "
         "`^[a-zA-Z0-9_-]+$`.",
         "rewrite both ends: the cleaned id, `_`, 10 hex digits of the old id's SHA-256", NULL},
    [TK_CODE_TOOL_USE_NAME_INVALID] =
        {"A `tool_use.name` is missing, empty or longer than 200 characters.",
         "rewrite: `unknown_tool`, or 191 characters, `_`, 8 hex digits of a hash", NULL},
    [TK_CODE_TOOL_USE_INPUT_NOT_OBJECT] =
        {"A `tool_use.input` is missing or isn't an object.",
         "rewrite: the object its string parses to, else `{\"rawInvalidInput\": value}`", NULL},
    [TK_CODE_TOOL_RESULT_CONTENT_TYPE] =
        {"A `tool_result.content` is present, not null, and neither a string nor a list.",
         "rewrite: the value as a JSON string", NULL},
    [TK_CODE_TOOL_RESULT_CONTENT_EMPTY_LIST] = {"A `tool_result.content` is `[]`.", "none", NULL},
    [TK_CODE_TOOL_RESULT_BLOCK_TYPE] =
        {"A `tool_result.content` list holds a block other than `text`, `image`, `document`, "
         "`search_result`, `tool_reference` or `browser_state`.",
         "none", NULL},
    [TK_CODE_TOOL_RESULT_ERROR_NON_TEXT] =
        {"A `tool_result` with `is_error: true` holds a block of the allowed types that isn't "
         "text.",
         "move the other blocks behind the last result of that user turn", NULL},
    [TK_CODE_TOOL_RESULT_SEARCH_RESULT_MIXED] =
        {"A `tool_result.content` list holds a `search_result` together with another type.",
         "move the other text into the first hit's content, the rest behind the results", NULL},
    [TK_CODE_TOOL_RESULT_TOOL_REFERENCE_MIXED] =
        {"A `tool_result.content` list holds a `tool_reference` together with another type.",
         "move the other blocks behind the last result of that user turn", NULL},
    [TK_CODE_TOOLSET_NAME_MISMATCH] =
        {"A `tool_result`'s `toolset_name` differs from that of the `tool_use` it answers "
         "(one of them missing counts).",
         "rewrite: copy it from the call, or delete it", NULL},
    [TK_CODE_TOOLSET_RESULT_CONTENT] =
        {"The result of a call with `toolset_name` holds a block other than text, image or "
         "one `browser_state`.",
         "rewrite: text in place of the block", NULL},
    [TK_CODE_PTC_RESULT_NON_TEXT] =
        {"The result of a client call whose `caller` is a code execution holds a block that "
         "isn't text.",
         "rewrite: text in place of the block", NULL},
    [TK_CODE_IMAGE_MEDIA_TYPE_UNSUPPORTED] =
        {"A base64 image declares a media type other than image/jpeg, image/png, image/gif or "
         "image/webp (also inside a `tool_result`).",
         "rewrite the type by the bytes, else textify as a placeholder", NULL},
    [TK_CODE_IMAGE_MEDIA_TYPE_MISMATCH] =
        {"A base64 image declares one of the four media types, but its first bytes are the "
         "signature of another of them.",
         "rewrite the media type", NULL},
    [TK_CODE_IMAGE_UNPROCESSABLE] =
        {"A base64 image of a supported type is empty, isn't base64, or begins with none of "
         "the four signatures.",
         "none", NULL},
    [TK_CODE_IMAGE_DIMENSIONS] =
        {"The header of a base64 image (PNG, GIF, JPEG, WebP) gives a side over 8000 pixels.",
         "textify as a placeholder", NULL},
    [TK_CODE_IMAGE_MANY_DIMENSIONS] =
        {"The messages hold more than 20 images (results included) and this one has a side "
         "over 2000 (up to 8000) pixels.",
         "textify as a placeholder, oldest first", NULL},
    [TK_CODE_PDF_INVALID] =
        {"A base64 `application/pdf` document is empty, isn't base64, or doesn't begin with "
         "`%PDF-`.",
         "none", NULL},
    [TK_CODE_CACHE_CONTROL_TOO_MANY] =
        {"More than 4 blocks of tools, system and messages carry `cache_control` (a top-level "
         "`cache_control` uses one); the request is blamed.",
         "rewrite: delete the oldest markers in messages", NULL},
    [TK_CODE_CACHE_CONTROL_EMPTY_TEXT] =
        {"An empty text block carries `cache_control` (`text_empty` is reported too).",
         "drop, its marker moves to a block before it", NULL},
    [TK_CODE_CACHE_CONTROL_ON_THINKING] =
        {"A `thinking` or `redacted_thinking` block carries `cache_control`.",
         "rewrite: delete the member", NULL},
    [TK_CODE_CACHE_TTL_ORDER] =
        {"In the order tools, system, messages a marker with `ttl: \"1h\"` comes after one "
         "that is 5m (written or by default).",
         "rewrite: the later one to 5m", NULL},
    [TK_CODE_ENCRYPTED_INDEX_MISSING] =
        {"A `web_search_result_location` citation has no `encrypted_index`.",
         "rewrite: delete the citation, keep the text", NULL},
    [TK_CODE_CITATION_DANGLING] =
        {"A citation's `document_index` isn't below the number of `document` blocks before "
         "it, at any depth.",
         "none (a repair that removes the source deletes the citation)", NULL},
    [TK_CODE_CITATIONS_ALL_OR_NONE] =
        {"Some documents of the user messages have citations enabled and this one hasn't.",
         "rewrite: enable them", NULL},
    [TK_CODE_COMPACTION_BLOCK_EMPTY] =
        {"A `compaction` block has the content `\"\"` (null is legal).", "rewrite: null", NULL},
    [TK_CODE_COMPACTION_BLOCK_MISPLACED] =
        {"A `compaction` block with a `signature` isn't the first block of the first message.",
         "report", "drop the messages before it"},
    [TK_CODE_ROLES_NOT_ALTERNATING] =
        {"A message has the role of the message before it (user or assistant); the later one "
         "is blamed.",
         "merge into the message before it, results first; signed messages never", NULL},
    [TK_CODE_THINKING_PREFIX_MISMATCH] =
        {"A seal shows that system, tools or an earlier message changed since the turn's "
         "thinking was made (error when `prefix_mismatch` is `strip` or `error`).",
         "report, or by policy drop this and all later thinking, or set `drop_block`", NULL},
    [TK_CODE_SEALED_TURN_REORDERED] =
        {"A seal of the turn shows that the same blocks stand in another order (a warning "
         "while no signature of it is dead).",
         "demote the turn's thinking", "restore from the seal, else demote"},
    [TK_CODE_SEALED_TURN_ALTERED] =
        {"A seal of the turn shows that a block of the turn was changed (a warning while no "
         "signature of it is dead).",
         "demote the turn's thinking", "restore from the seal, else demote"},
    [TK_CODE_SEALED_TURN_MISSING_THINKING] =
        {"A seal of the turn shows that only thinking blocks are missing (a warning while no "
         "signature of it is dead).",
         "demote the turn's thinking", "restore from the seal, else demote"},
    [TK_CODE_SEALED_TURN_MISSING_TOOL_USE] =
        {"A seal of the turn shows that a call is missing (a warning while no signature of it "
         "is dead).",
         "demote the turn's thinking", "restore from the seal, else demote"},
    [TK_CODE_SEALED_TURN_FOREIGN_BLOCK] =
        {"A seal of the turn shows that a block was added (a warning while no signature of it "
         "is dead).",
         "demote the turn's thinking", "restore from the seal, else demote"},
    [TK_CODE_THINKING_NOT_FOR_ROUTE] =
        {"Edit code, never a finding: thinking that the route named by the policy key `route` "
         "doesn't take.",
         "drop the block", NULL},
    [TK_CODE_PRIOR_THINKING_PRUNED] =
        {"Edit code, never a finding: thinking of an older turn under `prior_thinking: prune`.",
         "drop the block", NULL},
    [TK_CODE_ADVISOR_BETA_MISSING] =
        {"Known betas lack `advisor-tool-2026-03-01` and the messages hold this advisor call or result.",
         "report", "textify the advice, drop the call"},
    [TK_CODE_MCP_TOOL_LISTING_BETA] =
        {"Known betas lack `mcp-client-2026-09-15` and this is an `mcp_tool_listing`.", "report",
         "drop the block"},
    [TK_CODE_FALLBACK_BLOCK_BETA] =
        {"Known betas lack `server-side-fallback-2026-07-01` and `-2026-06-01` and this is a `fallback` block.",
         "report", "drop the block"},
    [TK_CODE_TOOL_CHANGE_BETA] =
        {"A `tool_addition` or `tool_removal` stands outside a system message, or known betas lack `mid-conversation-tool-changes-2026-07-01` and `inline-tools-2026-09-15`.",
         "report", "drop the block"},
    [TK_CODE_INLINE_TOOL_DEFINITION] =
        {"Known betas lack `inline-tools-2026-09-15` and this `tool_addition` holds a `tool_definition`.",
         "report", NULL},
    [TK_CODE_MESSAGE_OUTPUT_CONFIG_BETA] =
        {"Known betas lack `mid-conversation-output-config-2026-07-01` and this message has `output_config`.",
         "report", "drop_message when it holds nothing else"},
    [TK_CODE_MESSAGE_CLEAR_AT_BETA] =
        {"Known betas lack `mid-conversation-system-clear-at-2026-08-21` and this message has `clear_at`.",
         "report", "rewrite: delete `clear_at`"},
    [TK_CODE_BLOCK_BINDING_BETA] =
        {"Known betas lack `thinking-binding-controls-2026-08-01` and `thinking.block_binding` is set.",
         "report", NULL},
    [TK_CODE_COMPACTION_BLOCK_BETA] =
        {"Known betas lack what this `compaction` block needs: `compact-2026-09-04` when signed, either compact value when not.",
         "report", "rewrite as user text"},
    [TK_CODE_COMPACTION_STRATEGY_MISSING] =
        {"Known betas hold `compact-2026-01-12`, this `compaction` block is unsigned, and `context_management.edits` has no `compact_20260112`.",
         "report", "rewrite as user text"},
    [TK_CODE_COMPACTION_SIGNATURE_MISSING] =
        {"Known betas hold `compact-2026-09-04`, not `compact-2026-01-12`, and this `compaction` block has content and no `signature`.",
         "rewrite as user text", NULL},
};
