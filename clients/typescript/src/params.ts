// SPDX-License-Identifier: Apache-2.0

/**
 * Options of the methods: the parameters of PROTOCOL.md 4 in camel case. What is inside them (a target, a policy, a
 * seal, a message) is the protocol's own object and is sent as it is.
 */

import type {
  ExplainParameters, FitParameters, PairParameters, PrepareParameters, RedactParameters, RepairParameters, RepairTurnParameters,
  SealParameters, SpliceParameters, StreamOpenParameters, ToolsParameters, ValidateParameters,
} from "./parameters.js";
import type { Json } from "./results/reading.js";
import { snake } from "./results/reading.js";

export type { FitKeep, FitStep, SpliceStep, Target, ToolsParameters as ToolsStep } from "./parameters.js";

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

/** A seal of a turn, as `{"seal": what seal() gave}`. */
export interface Sealed {
  seal: Readonly<Json>;
  message_index?: number;
}

export interface TurnOptions extends TimedOptions, RepairTurnParameters {}
export interface ValidateOptions extends TimedOptions, ValidateParameters {}
export interface RepairOptions extends TimedOptions, RepairParameters {}
export interface SealOptions extends TimedOptions, SealParameters {}
export interface SpliceOptions extends TimedOptions, SpliceParameters {}
export interface ToolsOptions extends TimedOptions, ToolsParameters {}
export interface PrepareOptions extends TimedOptions, PrepareParameters {}
export interface FitOptions extends TimedOptions, FitParameters {}
export interface ExplainOptions extends TimedOptions, ExplainParameters {}
/** Options of `redact`, which change nothing: those that `validate` takes may be given. */
export interface RedactOptions extends CallOptions, RedactParameters {}
/** Options of `pair`, and those of streams (STREAM.md 1). */
export interface PairOptions extends CallOptions, PairParameters {}
export interface StreamOptions extends CallOptions, StreamOpenParameters {}

const STEPS = new Set(["splice", "tools", "fit"]);
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
