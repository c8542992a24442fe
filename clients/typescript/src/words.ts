// SPDX-License-Identifier: Apache-2.0
/**
 * Words of parameters.
 *
 * Made by clients/shared/generate.py from routes.json and the build's `info`: change those.
 */

/** The providers whose rules are judged; a newer core may know more. */
export type ProviderName = "anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini";

/** The shapes of messages. */
export type DialectName = "anthropic" | "fantasy" | "ai-sdk" | "openai-chat" | "openai-responses" | "bedrock" | "gemini";

/** Endpoints of a target. Each provider has some of them. */
export type EndpointName = "anthropic" | "bedrock" | "vertex" | "compatible" | "openai" | "azure" | "gemini";

/** Servers that copy an API. */
export type ServerName = "deepseek" | "groq" | "mistral" | "moonshot" | "openrouter" | "vllm" | "xai";

/** Policies by name. */
export type PolicyName = "conservative" | "preserve";

export const POLICIES: readonly PolicyName[] = ["conservative", "preserve"];

/** Keys that override those of their `base`; RULES.md 5 says what each is about. */
export interface PolicyKeys {
  /** The policy whose keys these override. */
  readonly base?: PolicyName;
  /** Provider-executed call without result. */
  readonly orphan_call?: "drop" | "error_result" | "report";
  /** Provider-executed result without call. */
  readonly orphan_result?: "textify" | "drop" | "report";
  /** Result before its call. */
  readonly result_before_call?: "textify" | "move" | "report";
  /** Several calls or results with the same id. */
  readonly duplicate_id?: "textify" | "keep_first" | "report";
  /** Pair that can't be sent as it is. */
  readonly invalid_pair?: "textify" | "repair" | "report";
  /** Client call without result. */
  readonly unanswered_call?: "insert_result" | "report";
  /** Client result without call. */
  readonly unmatched_result?: "textify" | "report";
  /** Empty or blank text. */
  readonly blank_text?: "drop" | "report";
  /** A last assistant message that the model doesn't continue. */
  readonly prefill?: "continue" | "report";
  /** Begin the text that replaces a result with [NAME result]. */
  readonly mark_text?: boolean;
  /** Which neighbours of one role are joined. */
  readonly merge_adjacent?: "never" | "touched" | "all";
  /** Ids of items that the server looks up: sent, or deleted. */
  readonly item_ids?: "keep" | "strip";
  /** Server tools that aren't known: a warning or an error. */
  readonly unknown_tools?: "report" | "error";
  /** Members of a message that the provider doesn't know. */
  readonly extra_members?: "report" | "drop";
  /** Names of the server tools that can be sent; null: all. */
  readonly serializable_tools?: readonly string[] | null;
  /** Thinking of a turn that isn't as the provider sent it. */
  readonly thinking?: "demote" | "drop" | "restore" | "report";
  /** Thinking without a signature. */
  readonly unsigned_thinking?: "demote" | "drop";
  /** What a signature must look like. */
  readonly signature_form?: "any" | "base64";
  /** Distrust a rebuilt turn only if it begins with two thinking blocks. */
  readonly rebuilt_rule?: "grouped";
  /** Put a text into a message that lost all its thinking. */
  readonly emptied_turn?: "placeholder";
  /** Drop the thinking of older turns. */
  readonly prior_thinking?: "prune";
  /** Dead thinking that can't be restored. */
  readonly dead_thinking?: "demote" | "drop" | "report";
  /** Thinking whose prefix was changed. */
  readonly prefix_mismatch?: "report" | "strip" | "drop_block" | "error" | "off";
  /** Thinking that the receiver accepts. */
  readonly route?: "native" | "third_party" | "deepseek" | "kimi";
}

/** The words of each key; null: it has no words. */
export const POLICY_KEYS: { readonly [K in keyof PolicyKeys]-?: readonly string[] | null } = {
  base: ["conservative", "preserve"],
  orphan_call: ["drop", "error_result", "report"],
  orphan_result: ["textify", "drop", "report"],
  result_before_call: ["textify", "move", "report"],
  duplicate_id: ["textify", "keep_first", "report"],
  invalid_pair: ["textify", "repair", "report"],
  unanswered_call: ["insert_result", "report"],
  unmatched_result: ["textify", "report"],
  blank_text: ["drop", "report"],
  prefill: ["continue", "report"],
  mark_text: null,
  merge_adjacent: ["never", "touched", "all"],
  item_ids: ["keep", "strip"],
  unknown_tools: ["report", "error"],
  extra_members: ["report", "drop"],
  serializable_tools: null,
  thinking: ["demote", "drop", "restore", "report"],
  unsigned_thinking: ["demote", "drop"],
  signature_form: ["any", "base64"],
  rebuilt_rule: ["grouped"],
  emptied_turn: ["placeholder"],
  prior_thinking: ["prune"],
  dead_thinking: ["demote", "drop", "report"],
  prefix_mismatch: ["report", "strip", "drop_block", "error", "off"],
  route: ["native", "third_party", "deepseek", "kimi"],
};
