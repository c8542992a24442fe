// SPDX-License-Identifier: Apache-2.0

/** One call of a method: what is sent, and how its result is read. Both back ends run these. */

import type { Json } from "./results/reading.js";
import type { TextParam } from "./wire/envelope.js";

export interface Call<T> {
  readonly method: string;
  readonly params: Json;
  /** A parameter that the caller gave as JSON text. */
  readonly text?: TextParam | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; undefined: the client's own limit. */
  readonly timeout?: number | undefined;
  /** Reads the result; throws Malformed where it isn't what PROTOCOL.md says. */
  read(result: unknown): T;
}

/** Returns the call with a name for the daemon's log, unless it has its own. */
export function named<T>(call: Call<T>, caller: string | undefined): Call<T> {
  if (caller === undefined || "caller" in call.params) return call;
  return { ...call, params: { ...call.params, caller } };
}

/** True if the call may be sent twice without harm; not for streams, which have state. */
export function isRepeatable(call: Call<unknown>): boolean {
  return !call.method.startsWith("stream.");
}
