// SPDX-License-Identifier: Apache-2.0

/**
 * Places in a request, as texts show them.
 *
 * A pointer may name keys of a tool's input, which are content. An error's text ends up in logs, so it shows the
 * keys of the protocol and of the providers' messages, and "…" for every other one. The whole pointer is in the
 * error's `pointer`. Names of options are the programmer's words, no content: they are shown, a misspelt one with the
 * nearest that there is.
 */

import { nearest } from "./names.js";
import { POLICY_KEYS } from "./policy.js";

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
  call_id summary refusal previous_response_id conversation store parameters image_url file_id detail
  input_schema allowed_callers defer_loading mcp_server_name default_config configs skills edits
  format schema effort budget_tokens block_binding max_tokens anthropic_beta anthropic_version`.split(/\s+/),
);

/** The places whose members are options, and the names of these. */
const OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "/params",
    `provider target policy max_violations timeout_ms caller dialect stop_reason carry_in betas provenance seals guard
    blocks request tool_results appended container options splice tools add on_conflict call interleaved legacy_betas
    echo emit provider_input history max_buffer`.split(/\s+/),
  ],
  ["/params/policy", Object.keys(POLICY_KEYS)],
  ["/params/splice", ["assistant", "tool_results", "appended", "container", "options"]],
  ["/params/target", ["endpoint", "model", "server"]],
  [
    "/params/tools",
    ["add", "on_conflict", "betas", "provider", "target", "call", "interleaved", "legacy_betas"],
  ],
]);

/** Returns place and name of an option, if the pointer is one's; undefined for all that looks like anything else. */
function optionAt(pointer: string): { name: string; known: readonly string[] } | undefined {
  const at = pointer.lastIndexOf("/");
  const known = OPTIONS.get(pointer.slice(0, at));
  const name = pointer.slice(at + 1);
  return known && /^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(name) ? { name, known } : undefined;
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the option, as programs write it, that a misspelt one is most likely meant to be; undefined if none is near. */
export function meant(pointer: string): string | undefined {
  const option = optionAt(pointer);
  if (!option || option.known.includes(option.name)) return undefined;
  const found = nearest(option.name, option.known);
  return found === undefined || pointer.startsWith("/params/policy/") ? found : camel(found);
}

/** Returns the JSON Pointer (RFC 6901) of these keys and indexes. */
export function joined(tokens: readonly string[]): string {
  return tokens.map((token) => "/" + token.replace(/~/g, "~0").replace(/\//g, "~1")).join("");
}

/** Returns a pointer as a text may have it: without keys that may be content, and not long. */
export function shown(pointer: string): string {
  const kept = pointer.split("/").map((token) => (KNOWN.has(token) || /^[0-9]*$|^-$/.test(token) ? token : "…"));
  const option = optionAt(pointer);
  if (option) kept[kept.length - 1] = option.name;
  const text = kept.join("/");
  return text.length <= LONGEST ? text : text.slice(0, LONGEST) + "…";
}
