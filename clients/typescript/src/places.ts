// SPDX-License-Identifier: Apache-2.0

/**
 * Places in a request, as texts show them.
 *
 * A pointer may name keys of a tool's input, which are content. An error's text ends up in logs, so it shows the
 * keys of the protocol and of the providers' messages, and "…" for every other one. The whole pointer is in the
 * error's `pointer`. Names of options are the programmer's words, no content: they are shown.
 */

const LONGEST = 120; // characters

const KNOWN = new Set(
  `params messages request content message tools system thinking tool_choice model stream history
  response splice assistant tool_results appended container options add betas target policy seals
  seal carry_in events data data_base64 echo turn blocks dialect provider provenance guard return
  max_violations max_buffer timeout_ms stop_reason on_conflict call interleaved legacy_betas emit
  provider_input transport_error mcp_servers context_management output_config metadata
  role type text id name input source media_type url title citations cache_control is_error
  tool_use_id signature encrypted_content parts uuid clear_at ttl caller provider_options
  providerOptions toolCallId toolName output tool_calls tool_call_id function arguments kind
  base orphan_call orphan_result result_before_call duplicate_id invalid_pair unanswered_call
  unmatched_result blank_text prefill mark_text merge_adjacent unknown_tools extra_members serializable_tools
  unsigned_thinking signature_form rebuilt_rule emptied_turn prior_thinking dead_thinking
  prefix_mismatch route item_ids endpoint
  choices choice finish_reason status incomplete_details candidates finishReason stopReason toolResult toolUse
  toolUseId functionCall functionResponse approval_request_id state mode merge on_assistant_conflict compaction
  call_id summary refusal previous_response_id conversation store parameters image_url file_id detail
  input_schema allowed_callers defer_loading mcp_server_name default_config configs skills edits
  format schema effort budget_tokens block_binding max_tokens anthropic_beta anthropic_version`.split(/\s+/),
);

/** The places whose members are options. */
const OPTIONS = new Set(["", "/fit", "/fit/keep", "/keep", "/policy", "/splice", "/target", "/tools"].map((place) => "/params" + place));

/** Returns the name of an option, if the pointer is one's; undefined for all that looks like anything else. */
function optionAt(pointer: string): string | undefined {
  const at = pointer.lastIndexOf("/");
  const name = pointer.slice(at + 1);
  return OPTIONS.has(pointer.slice(0, at)) && /^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(name) ? name : undefined;
}

/** Returns the JSON Pointer (RFC 6901) of these keys and indexes. */
export function joined(tokens: readonly string[]): string {
  return tokens.map((token) => "/" + token.replace(/~/g, "~0").replace(/\//g, "~1")).join("");
}

/** Returns a pointer as a text may have it: without keys that may be content, and not long. */
export function shown(pointer: string): string {
  const kept = pointer.split("/").map((token) => (KNOWN.has(token) || /^[0-9]*$|^-$/.test(token) ? token : "…"));
  const option = optionAt(pointer);
  if (option !== undefined) kept[kept.length - 1] = option;
  const text = kept.join("/");
  return text.length <= LONGEST ? text : text.slice(0, LONGEST) + "…";
}
