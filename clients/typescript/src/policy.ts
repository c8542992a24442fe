// SPDX-License-Identifier: Apache-2.0
/** The parameter `policy`: its names, its keys and their values. A test holds them against the core of the same release. */

export const POLICIES = ["conservative", "preserve"] as const;

/** The words of each key; null: a boolean or a list of names, as PolicyKeys has it. */
export const POLICY_KEYS = {
  base: POLICIES,
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
  item_ids: ["keep", "strip"],
} as const satisfies Readonly<Record<string, readonly string[] | null>>;

type Words = typeof POLICY_KEYS;
type Worded = { [K in keyof Words]: Words[K] extends readonly string[] ? K : never }[keyof Words];

/** Keys that override those of their `base`; RULES.md 5 says what each is about. */
export type PolicyKeys = { readonly [K in Worded]?: (Words[K] & readonly string[])[number] } & {
  readonly mark_text?: boolean;
  readonly serializable_tools?: readonly string[] | null;
};

/** A name, "conservative" (default) or "preserve", or keys. */
export type Policy = (typeof POLICIES)[number] | PolicyKeys;
