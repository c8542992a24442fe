// SPDX-License-Identifier: Apache-2.0

/**
 * Options of the methods: the parameters of PROTOCOL.md 4 in camel case. What is inside them (a target, a policy, a
 * seal, a message) is the protocol's own object and is sent as it is.
 */

import type { Policy } from "./policy.js";
import type { Json } from "./results/reading.js";
import { snake } from "./results/reading.js";
import type { DialectName, EndpointName, ProviderName, ServerName } from "./words.js";

/** A word that this release knows, or one of a newer daemon. */
export type OrNewer<T extends string> = T | (string & {});

/** Options of every method. */
export interface CallOptions {
  /** Ends the call with Aborted. In process a call can't be interrupted: the signal is looked at before it. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds for the whole call, retries included; default: the client's; Infinity: no limit. In process: about so
   * many, then DeadlineExceeded; default: what thirty of the slowest honest requests of this size need.
   */
  timeout?: number | undefined;
  /** A name for the daemon's log, at most 64 of A-Z, a-z, 0-9 and "._:-"; default: the keeper's. */
  caller?: string | undefined;
}

/** Options of methods that the other side may be asked to answer sooner than its own limit says. */
export interface TimedOptions extends CallOptions {
  /** Milliseconds that the other side may take; default: what is left of `timeout`. */
  timeoutMs?: number;
}

/** Where the request goes; turns on the rules that hold only there. */
export interface Target {
  endpoint?: OrNewer<EndpointName>;
  model?: string;
  /** The server that copies the API, for the endpoint "compatible" alone. */
  server?: OrNewer<ServerName>;
}

/** A seal of a turn, as `{"seal": what seal() gave}`. */
export interface Sealed {
  seal: Readonly<Json>;
  message_index?: number;
}

export interface JudgedOptions extends TimedOptions {
  /** The provider whose rules hold, one of info().providers; default: "anthropic". */
  provider?: OrNewer<ProviderName>;
  target?: Target;
  policy?: Policy;
  /** How many findings are listed; 0 to 10000, default 256. All of them are counted. */
  maxViolations?: number;
}

export interface TurnOptions extends JudgedOptions {
  /** The shape of the messages; default: the provider's own. */
  dialect?: OrNewer<DialectName>;
  /** Why the turn ended, in the provider's word. */
  stopReason?: string | null;
  /** The provider-executed calls that the turn before left open: `finish.pendingOperations` of a PairedTurn. */
  carryIn?: readonly unknown[];
}

export interface ValidateOptions extends JudgedOptions {
  /** The shape of the messages; default: the provider's own. */
  dialect?: OrNewer<DialectName>;
  /** The caller's own anthropic-beta header: a line, or a list of lines or values. */
  betas?: string | readonly string[];
  /** "wire" (default): the blocks are as they were received; "rebuilt": a program put them together again. */
  provenance?: string;
  /** Seals of turns in this history. */
  seals?: readonly Sealed[];
}

export interface RepairOptions extends ValidateOptions {
  /** True (default): throw UnsafeHistory if an error remains; false: list what remains in `violations`. */
  guard?: boolean;
}

export interface SealOptions extends TimedOptions {
  /** The whole body that got this turn as its answer. */
  request?: object;
  /** True: the seal carries the blocks, so that they can be restored. Default: digests alone. */
  blocks?: boolean;
}

/** Options of `splice` besides the history and the turn (OPERATIONS.md part A). */
export interface SpliceStep {
  /** Results of client calls of this turn, in any order. */
  toolResults?: readonly object[];
  /** Messages that the caller adds after the turn, in their order. */
  appended?: readonly object[];
  /** The id of the container that the caller wants to keep. */
  container?: string;
  /** Choices between ways to do it. */
  options?: Readonly<Record<string, string>>;
}

export interface SpliceOptions extends SpliceStep, TimedOptions {}

/** Options of `tools` besides the list (OPERATIONS.md part B). */
export interface ToolsStep {
  /** Entries as the provider takes them, and names of wishes, as "web_search". */
  add?: readonly (string | object)[];
  /** The one of two entries of one tool that holds: "replace" (default), "newest", "keep_base" or "replace_custom". */
  onConflict?: string;
  /** The caller's own anthropic-beta header. */
  betas?: string | readonly string[];
  /** The provider of the tools; default: "anthropic". */
  provider?: string;
  target?: Target;
  /** The thing that the request asks for: "messages" (default) or "count_tokens". */
  call?: string;
  /** True: the caller wants thinking between calls. */
  interleaved?: boolean;
  /** True: also the beta values that web tools needed once. */
  legacyBetas?: boolean;
}

export interface ToolsOptions extends ToolsStep, TimedOptions {}

export interface PrepareOptions extends JudgedOptions {
  /** The step `splice`, with the turn as `assistant`; absent: no such step. */
  splice?: SpliceStep & { assistant: object };
  /** The step `tools`; absent: no tools are added. */
  tools?: ToolsStep;
  seals?: readonly Sealed[];
  provenance?: string;
  guard?: boolean;
}

/** Options of `redact`, which change nothing: those that `validate` takes may be given. */
export interface RedactOptions extends CallOptions {
  provider?: OrNewer<ProviderName>;
  dialect?: OrNewer<DialectName>;
}

export interface ExplainOptions extends TimedOptions {
  /** Only the rules of this provider, which may also be "bedrock" or "gemini"; default: those of all. */
  provider?: string;
}

/** Options of `pair` and of streams (STREAM.md 1). */
export interface PairOptions extends CallOptions {
  provider?: string;
  /** The form of outputs: "parts" (default), "events" (the provider's) or "sse" (its bytes). */
  emit?: "parts" | "events" | "sse";
  /** How a provider's call leaves as events: its input "whole" in its start (default), or in "deltas" as it came. */
  providerInput?: "whole" | "deltas";
  carryIn?: readonly unknown[];
  /** The messages that were sent with the request, or their JSON text in bytes. */
  history?: readonly object[] | Uint8Array;
  /** The whole request body, or its JSON text, instead of `history`. */
  request?: object | string | Uint8Array;
  policy?: Policy;
}

export interface StreamOptions extends PairOptions {
  /** Bytes that this stream may hold back; default and largest: max_stream_buffer (64 MiB). */
  maxBuffer?: number;
}

const STEPS = new Set(["splice", "tools"]);
const OWN = new Set(["signal", "timeout"]);

/**
 * Returns options as parameters of the protocol: names in snake case, those of steps too, without what is about
 * the call itself. A member that is undefined counts as absent.
 */
export function asParams(options: object): Json {
  const params: Json = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || OWN.has(name)) continue;
    const step = STEPS.has(name) && typeof value === "object" && value !== null && !Array.isArray(value);
    params[snake(name)] = step ? asParams(value as object) : value;
  }
  return params;
}
