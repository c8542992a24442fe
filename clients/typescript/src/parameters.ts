// SPDX-License-Identifier: Apache-2.0
/**
 * Parameters of the methods, as options: what isn't an argument of a method or the client's own.
 *
 * Made by clients/shared/generate.py from routes.json and the build's `info`: change those.
 */

import type { Sealed } from "./params.js";
import type { Policy } from "./policy.js";

/** A word that this release knows, or one of a newer daemon. */
export type OrNewer<T extends string> = T | (string & {});

export interface Target {
  /** Where the request goes. Default: "anthropic". */
  endpoint?: OrNewer<"anthropic" | "bedrock" | "vertex" | "compatible" | "openai" | "azure" | "gemini">;
  /** The model's name; absent: that of the request. */
  model?: string;
  /** The server of endpoint compatible, if it is a known one. */
  server?: OrNewer<"deepseek" | "groq" | "mistral" | "moonshot" | "openrouter" | "vllm" | "xai">;
}

export interface FitKeep {
  /** The first rounds, in which nothing is touched. */
  first_rounds?: number;
  /** The first round that has a prompt; loops may take its steps. */
  first_prompt?: boolean;
  /** The last rounds, in which nothing is cleared; the last one always stays. Default: 1. */
  last_rounds?: number;
  /** The last steps of the last round. Default: 1. */
  last_steps?: number;
  /** The newest results, which aren't cleared. Default: 3. */
  results?: number;
  /** Names of tools whose results aren't cleared. */
  tools?: readonly string[];
}

export interface FitStep {
  /** Where a cut aims, at most over: it moves only when over - to has been added; absent: over. */
  to?: number;
  /** The unit of all sizes. Default: "bytes". */
  unit?: OrNewer<"bytes" | "tokens">;
  /** Tokens of the first entries of the list, in order; others are estimated. */
  counts?: readonly number[];
  /** Bytes of a token, to estimate entries without a count. Default: 4. */
  bytesPerToken?: number;
  /** Size of what isn't in the list, such as system text and tools. */
  overhead?: number;
  /** Measures that may be taken, always in this order: results, reasoning, media, rounds, loops; absent: rounds and loops. */
  measures?: readonly OrNewer<"results" | "reasoning" | "media" | "rounds" | "loops">[];
  /** What stays. */
  keep?: FitKeep;
  /** Indexes of entries whose rounds nothing touches. */
  pin?: readonly number[];
  /** Takes the place of a cleared result; absent: [Old tool result removed.]. */
  placeholder?: string;
  /** Takes the place of media; absent: [Old media removed.]. */
  mediaPlaceholder?: string;
  /** A message of the user at the cut, for example a summary; absent: none. */
  marker?: string;
  /** Refuse if the budget can't be reached, or answer the smallest outcome. Default: "error". */
  onUnreachable?: OrNewer<"error" | "least">;
}

export interface SpliceStep {
  /** The tool runner's results, in any order. */
  toolResults?: readonly object[];
  /** The caller's messages, in their order. */
  appended?: readonly object[];
  /** The container id that the caller pinned. */
  container?: string;
  /** Choices between several ways to do the work. */
  options?: Readonly<Record<string, string | number>>;
}

export interface ValidateParameters {
  /** The provider whose rules the history must obey. Default: "anthropic". */
  provider?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** The shape of the messages. Default: "anthropic". */
  dialect?: OrNewer<"anthropic" | "fantasy" | "ai-sdk" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** Where the request is sent; platforms and models differ in what they accept. */
  target?: Target;
  /** Allowed repair of each kind of fault: a name, or a base and keys that override it. Default: "conservative". */
  policy?: Policy;
  /** Largest number of findings to list; all are counted. Default: 256. */
  maxViolations?: number;
  /** The request's anthropic-beta values. */
  betas?: string | readonly string[];
  /** Blocks are as received (wire) or were put together again (rebuilt). Default: "wire". */
  provenance?: OrNewer<"wire" | "rebuilt">;
  /** Seals of turns in this history. */
  seals?: readonly Sealed[];
}

export interface RepairParameters {
  /** The provider whose rules the history must obey. Default: "anthropic". */
  provider?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** The shape of the messages. Default: "anthropic". */
  dialect?: OrNewer<"anthropic" | "fantasy" | "ai-sdk" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** Where the request is sent; platforms and models differ in what they accept. */
  target?: Target;
  /** Allowed repair of each kind of fault: a name, or a base and keys that override it. Default: "conservative". */
  policy?: Policy;
  /** Fail closed if an error remains; false: repair what can be repaired and list the rest. Default: true. */
  guard?: boolean;
  /** Give back what was removed or replaced, byte for byte, to be stored with the history. */
  returnRemoved?: boolean;
  /** Largest number of findings to list; all are counted. Default: 256. */
  maxViolations?: number;
  /** The request's anthropic-beta values. */
  betas?: string | readonly string[];
  /** Blocks are as received (wire) or were put together again (rebuilt). Default: "wire". */
  provenance?: OrNewer<"wire" | "rebuilt">;
  /** Seals of turns in this history. */
  seals?: readonly Sealed[];
}

export interface RepairTurnParameters {
  /** Why the turn ended, in the provider's words. */
  stopReason?: string | null;
  /** Provider-executed calls that the previous turn left open. */
  carryIn?: readonly unknown[];
  /** The provider whose rules the history must obey. Default: "anthropic". */
  provider?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** The shape of the messages. Default: "anthropic". */
  dialect?: OrNewer<"anthropic" | "fantasy" | "ai-sdk" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** Where the request is sent; platforms and models differ in what they accept. */
  target?: Target;
  /** Allowed repair of each kind of fault: a name, or a base and keys that override it. Default: "conservative". */
  policy?: Policy;
  /** Largest number of findings to list; all are counted. Default: 256. */
  maxViolations?: number;
}

export interface SealParameters {
  /** The whole request body that this turn answers. */
  request?: object;
  /** Include the blocks, so that they can be restored. */
  blocks?: boolean;
}

export interface SpliceParameters {
  /** The tool runner's results, in any order. */
  toolResults?: readonly object[];
  /** The caller's messages, in their order. */
  appended?: readonly object[];
  /** The container id that the caller pinned. */
  container?: string;
  /** The provider whose rules the history must obey. Default: "anthropic". */
  provider?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** The shape of the messages: the provider's own. */
  dialect?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** Where the request is sent; platforms and models differ in what they accept. */
  target?: Target;
  /** Choices between several ways to do the work. */
  options?: Readonly<Record<string, string | number>>;
}

export interface ToolsParameters {
  /** Tools to add: entries as the provider takes them, or tools by name. */
  add?: readonly (string | object)[];
  /** Which of two entries for the same tool is kept. Default: "replace". */
  onConflict?: OrNewer<"replace" | "newest" | "keep_base" | "replace_custom">;
  /** The caller's anthropic-beta header: a line, or a list of lines. */
  betas?: string | readonly string[];
  /** Whose tools they are. Default: "anthropic". */
  provider?: OrNewer<"anthropic" | "openai-responses" | "gemini" | "azure-responses" | "xai-responses">;
  /** Where the request is sent; platforms and models differ in what they accept. */
  target?: Target;
  /** The endpoint that the request is for: a turn, or a count of tokens. Default: "messages". */
  call?: OrNewer<"messages" | "count_tokens">;
  /** Ask for thinking between tool calls. */
  interleaved?: boolean;
  /** Include the beta values that web tools needed in the past. */
  legacyBetas?: boolean;
}

export interface PrepareParameters {
  /** The turn that came back, its results and what the caller appends; absent: no step. */
  splice?: SpliceStep & { assistant: object };
  /** Tools to add, and the caller's beta values; absent: none. */
  tools?: ToolsParameters;
  /** The budget that the history is fitted to before it is repaired; absent: no step. */
  fit?: FitStep & { over: number };
  /** The provider whose rules the history must obey. Default: "anthropic". */
  provider?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** The shape of the messages: the provider's own. */
  dialect?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** Where the request is sent; platforms and models differ in what they accept. */
  target?: Target;
  /** Allowed repair of each kind of fault: a name, or a base and keys that override it. Default: "conservative". */
  policy?: Policy;
  /** Fail closed if an error remains; false: repair what can be repaired and list the rest. Default: true. */
  guard?: boolean;
  /** Give back what was removed or replaced, byte for byte, to be stored with the history. */
  returnRemoved?: boolean;
  /** Largest number of findings to list; all are counted. Default: 256. */
  maxViolations?: number;
  /** Blocks are as received (wire) or were put together again (rebuilt). Default: "wire". */
  provenance?: OrNewer<"wire" | "rebuilt">;
  /** Seals of turns in this history. */
  seals?: readonly Sealed[];
}

export interface ExplainParameters {
  /** The provider whose words these are; absent: any. */
  provider?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
}

export interface RedactParameters {
  /** The provider whose rules the history must obey. Default: "anthropic". */
  provider?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** The shape of the messages. Default: "anthropic". */
  dialect?: OrNewer<"anthropic" | "fantasy" | "ai-sdk" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
}

export interface PairParameters {
  /** The provider whose rules the history must obey. Default: "anthropic". */
  provider?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** Form of the outputs: parts, wire events, or wire events as SSE bytes. Default: "parts". */
  emit?: "parts" | "events" | "sse";
  /** How a provider's call is sent as events: input whole in its start, or in deltas. Default: "whole". */
  providerInput?: "whole" | "deltas";
  /** Provider-executed calls that the previous turn left open. */
  carryIn?: readonly unknown[];
  /** The messages sent with the request; open calls and used ids are read from it. */
  history?: readonly object[] | Uint8Array;
  /** The whole request body, instead of history. */
  request?: object | string | Uint8Array;
  /** Allowed repair of each kind of fault: a name, or a base and keys that override it. Default: "conservative". */
  policy?: Policy;
}

export interface StreamOpenParameters {
  /** The provider whose rules the history must obey. Default: "anthropic". */
  provider?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** Framing of the bytes; absent: the provider's first one. */
  wire?: OrNewer<"sse" | "eventstream" | "json">;
  /** Form of the outputs: parts, wire events, or those as SSE bytes or in the input's framing. Default: "parts". */
  emit?: "parts" | "events" | "sse" | "wire";
  /** Number of the last event that came before: a response that is read on. */
  startingAfter?: number;
  /** How a provider's call is sent as events: input whole in its start, or in deltas. Default: "whole". */
  providerInput?: "whole" | "deltas";
  /** Provider-executed calls that the previous turn left open. */
  carryIn?: readonly unknown[];
  /** The messages sent with the request; open calls and used ids are read from it. */
  history?: readonly object[] | Uint8Array;
  /** The whole request body, instead of history. */
  request?: object | string | Uint8Array;
  /** Allowed repair of each kind of fault: a name, or a base and keys that override it. Default: "conservative". */
  policy?: Policy;
  /** Bytes that this stream may hold back; max_stream_buffer holds too. */
  maxBuffer?: number;
}

export interface FitParameters extends FitStep {
  /** The provider whose rules the history must obey. Default: "anthropic". */
  provider?: OrNewer<"anthropic" | "openai-chat" | "openai-responses" | "bedrock" | "gemini">;
  /** Where the request is sent; platforms and models differ in what they accept. */
  target?: Target;
  /** Allowed repair of each kind of fault: a name, or a base and keys that override it. Default: "conservative". */
  policy?: Policy;
  /** Fail closed if an error remains; false: repair what can be repaired and list the rest. Default: true. */
  guard?: boolean;
  /** Give back what was removed or replaced, byte for byte, to be stored with the history. */
  returnRemoved?: boolean;
  /** Largest number of findings to list; all are counted. Default: 256. */
  maxViolations?: number;
  /** The request's anthropic-beta values. */
  betas?: string | readonly string[];
}
