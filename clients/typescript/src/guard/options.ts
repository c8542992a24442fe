// SPDX-License-Identifier: Apache-2.0
/**
 * A guard's options, and their check when it is made, so that its first request doesn't fail.
 *
 * Values of a policy's keys are the core's to judge. Names are known here, so that a misspelled one is told at once; a
 * test holds them against the core of the same release.
 */

import type { Keeper } from "../keeper.js";
import type { Policy, Target } from "../params.js";
import type { EventOptions } from "./events.js";
import type { SaveMiss } from "./misses.js";
import type { Logger } from "./notices.js";

/** The signature of `fetch` that SDKs take. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The keeper that judges, and how it does; for the guard and the middleware. */
export interface AskingOptions extends EventOptions {
  /** By default a keeper in process, which is loaded for the first request and shared by all guards. */
  readonly keeper?: Keeper;
  /**
   * The fate of a request while the keeper can't be asked: "open" sends it unguarded, "closed" throws
   * GuardUnavailable before anything leaves. Required with a keeper of a socket, because either can be the wrong one;
   * "closed" with one in process. The log has a warning when it can't be asked any more, and when it can be again.
   */
  readonly onUnavailable?: "open" | "closed";
  /** As that of `prepare`: a name or an object. */
  readonly policy?: Policy;
  /** A member of it holds instead of what the request shows of where it goes. */
  readonly target?: Target;
  /** Where the log goes; by default warnings go to the console, and all else nowhere. */
  readonly logger?: Logger;
  /**
   * Saves the redacted body of each request that the provider refuses although it was judged sound; `missFolder` of
   * "turnkeeper/misses" writes files.
   */
  readonly saveMiss?: SaveMiss;
}

export interface GuardOptions extends AskingOptions {
  /** The `fetch` that sends requests; the platform's `fetch` by default. */
  readonly fetch?: Fetch;
  /** As that of `prepare`. */
  readonly provenance?: "wire" | "rebuilt";
  /** As that of `stream`. */
  readonly providerInput?: "whole" | "deltas";
  /** False: no seals are made, kept and sent. */
  readonly seals?: boolean;
}

export const POLICIES: readonly string[] = ["conservative", "preserve"];
export const POLICY_KEYS: readonly string[] = [
  "base", "orphan_call", "orphan_result", "result_before_call", "duplicate_id", "invalid_pair", "unanswered_call",
  "unmatched_result", "blank_text", "prefill", "mark_text", "merge_adjacent", "unknown_tools", "extra_members",
  "serializable_tools", "thinking", "unsigned_thinking", "signature_form", "rebuilt_rule", "emptied_turn",
  "prior_thinking", "dead_thinking",
  "prefix_mismatch", "route", "item_ids",
];

/** Returns the path of the daemon's socket that a keeper asks; null: it works in process. */
export function pathOf(keeper: Keeper | undefined): string | null {
  const { path } = (keeper ?? {}) as { path?: unknown };
  return typeof path === "string" ? path : null;
}

/** Bytes of the largest request of a keeper that doesn't say it, as PROTOCOL.md 7 has it. */
export const MAX_FRAME = 64 << 20;

/** Returns the bytes of the largest request that a keeper in process takes; undefined: it asks a daemon. */
export function maxFrameOf(keeper: Keeper): number | undefined {
  const { limits } = keeper as { limits?: { maxFrame?: unknown } };
  return typeof limits?.maxFrame === "number" ? limits.maxFrame : undefined;
}

function checkWord(what: string, word: unknown, known: readonly string[]): void {
  if (!known.includes(word as string)) {
    throw new RangeError(`${what}: ${JSON.stringify(word)} is none of ${known.join(", ")}`);
  }
}

function checkPolicy(policy: unknown): void {
  if (policy === undefined) return;
  if (typeof policy === "string") return checkWord("policy", policy, POLICIES);
  if (typeof policy !== "object" || policy === null || Array.isArray(policy)) {
    throw new TypeError(`policy: a name or an object, not ${policy === null ? "null" : typeof policy}`);
  }
  for (const key of Object.keys(policy)) checkWord("policy: the key", key, POLICY_KEYS);
  if ("base" in policy) checkWord('policy["base"]', policy.base, POLICIES);
}

const CALLER = /^[A-Za-z0-9._:-]{1,64}$/;

function checkFunction(name: string, given: unknown): void {
  if (given !== undefined && typeof given !== "function") throw new TypeError(`${name}: not a function`);
}

/** Throws a TypeError or RangeError, in words, for options that can't be meant. */
export function checkOptions(options: GuardOptions): void {
  const { caller, fetch, keeper, onEvent, onUnavailable, saveMiss } = options;
  for (const [name, given] of Object.entries({ fetch, onEvent, saveMiss })) checkFunction(name, given);
  if (caller !== undefined && (typeof caller !== "string" || !CALLER.test(caller))) {
    throw new RangeError('caller: 1 to 64 of A-Z, a-z, 0-9 and "._:-"');
  }
  for (const name of ["prepareBody", "repairBody", "seal", "stream"] as const) {
    if (keeper !== undefined && typeof keeper[name] !== "function") {
      throw new TypeError(`keeper: no ${name}(); await what Turnkeeper.load() or Turnkeeper.connect() gives`);
    }
  }
  if (onUnavailable === undefined && keeper !== undefined && pathOf(keeper) !== null) {
    throw new TypeError('onUnavailable: "open" or "closed" has to be chosen where a daemon is asked');
  }
  if (onUnavailable !== undefined) checkWord("onUnavailable", onUnavailable, ["open", "closed"]);
  checkPolicy(options.policy);
}
