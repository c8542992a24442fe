// SPDX-License-Identifier: Apache-2.0
/**
 * A guard's options, and their check when it is made, so that its first request doesn't fail.
 *
 * Values of a policy's keys are the core's to judge. Names are known here, so that a misspelled one is told at once.
 */

import type { Keeper } from "../keeper.js";
import { checkNames, checkWord } from "../names.js";
import type { Target } from "../params.js";
import { POLICIES, type Policy, POLICY_KEYS } from "../policy.js";
import type { EventOptions } from "./events.js";
import type { SaveMiss } from "./misses.js";
import type { Logger } from "./notices.js";

/** The signature of `fetch` that SDKs take. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The keeper that judges; by default one in process, which is loaded for the first request and shared by all guards.
 *
 * `onUnavailable` is the fate of a request while the keeper can't be asked: "open" sends it unguarded, "closed" throws
 * GuardUnavailable before anything leaves. Required with a keeper of a socket, because either can be the wrong one;
 * "closed" with one in process. The log has a warning when it can't be asked any more, and when it can be again.
 */
export type KeeperOptions =
  | { readonly keeper?: Keeper<"now">; readonly onUnavailable?: "open" | "closed" }
  | { readonly keeper: Keeper; readonly onUnavailable: "open" | "closed" };

/** How it judges; for the guard and the middleware. */
export interface JudgingOptions extends EventOptions {
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

export type AskingOptions = JudgingOptions & KeeperOptions;

/** Options of a guard alone. */
export interface FetchOptions {
  /** The `fetch` that sends requests; the platform's `fetch` by default. */
  readonly fetch?: Fetch;
  /** As that of `prepare`. */
  readonly provenance?: "wire" | "rebuilt";
  /** As that of `stream`. */
  readonly providerInput?: "whole" | "deltas";
  /** False: no seals are made, kept and sent. */
  readonly seals?: boolean;
}

export type GuardOptions = AskingOptions & FetchOptions;

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

function checkPolicy(policy: unknown): void {
  if (policy === undefined) return;
  if (typeof policy === "string") return checkWord("policy", policy, POLICIES);
  if (typeof policy !== "object" || policy === null || Array.isArray(policy)) {
    throw new TypeError(`policy: a name or an object, not ${policy === null ? "null" : typeof policy}`);
  }
  checkNames("policy: the key", policy, Object.keys(POLICY_KEYS));
  if ("base" in policy) checkWord('policy["base"]', policy.base, POLICIES);
}

const CALLER = /^[A-Za-z0-9._:-]{1,64}$/;

function checkFunction(name: string, given: unknown): void {
  if (given !== undefined && typeof given !== "function") throw new TypeError(`${name}: not a function`);
}

const ASKING = [
  "keeper", "onUnavailable", "policy", "target", "logger", "saveMiss", "caller", "onEvent",
] as const satisfies readonly (keyof AskingOptions)[];
const FETCHING = ["fetch", "provenance", "providerInput", "seals"] as const satisfies readonly (keyof FetchOptions)[];
const TARGET = ["endpoint", "model", "server"] as const satisfies readonly (keyof Target)[];

/** The names of the options of the middleware, and those of a guard. */
export const OPTIONS = { middleware: ASKING, guard: [...ASKING, ...FETCHING] } as const;

/** Throws a TypeError or RangeError, in words, for options that can't be meant. */
export function checkOptions(options: GuardOptions, known: readonly string[]): void {
  checkNames("the option", options, known);
  if (options.target !== undefined) checkNames("target: the member", options.target, TARGET);
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
