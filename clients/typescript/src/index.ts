// SPDX-License-Identifier: Apache-2.0

/**
 * turnkeeper: validates and repairs conversation histories so that LLM providers accept them.
 *
 *     const keeper = await Turnkeeper.load();        in process: methods return at once
 *     const daemon = await Turnkeeper.connect();     asks turnkeeperd: methods return promises
 */

import { load } from "./local/local.js";
import { connect } from "./socket/socket.js";

export const Turnkeeper = { load, connect } as const;

export { type Answer, type Answers, Keeper, type When } from "./keeper.js";
export type { Link } from "./link.js";
export { LocalKeeper, type LocalOptions } from "./local/local.js";
export type { Limits } from "./local/limits.js";
export type { CompiledModule, Fetched, Wasm } from "./local/module.js";
export { SocketKeeper, type SocketOptions } from "./socket/socket.js";
export { type Chunk, type FeedOptions, type State, Stream } from "./stream.js";
export { guardFetch, GuardUnavailable } from "./guard/index.js";
export type {
  Counts, EventOptions, Fetch, GuardEvent, GuardOptions, Logger, MissedEvent, RefusedEvent, RepairedEvent, SavedMiss,
  SaveMiss,
} from "./guard/index.js";
export * from "./errors.js";
export * from "./errors_by_name.js";
export type * from "./params.js";
export type { Policy, PolicyKeys } from "./policy.js";
export type { DialectName, EndpointName, PolicyName, ProviderName, ServerName } from "./words.js";
export type { Detected } from "./results/detected.js";
export type { Explanation, Match, Miss, RefusedPlace } from "./results/explanations.js";
export type { Edit, Finding, Protected, Quarantined, Report, Unbound, Verdict } from "./results/findings.js";
export type { Fit, Fitted, FittedBody, Fitting, Removed } from "./results/fits.js";
export type {
  Check, Finish, Health, Info, Method, Output, PairedTurn, Pong, Rule, Stats,
} from "./results/others.js";
export type { Answered, Json } from "./results/reading.js";
export type {
  MergedTools, Merging, Notes, Operation, Preparation, Prepared, PreparedBody, Repair, Repaired, RepairedBody,
  RepairedTurn, Spliced, Splicing,
} from "./results/repairs.js";
export { applyPatch } from "./patch.js";
export { PROTOCOL, VERSION } from "./version.js";
