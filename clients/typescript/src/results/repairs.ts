// SPDX-License-Identifier: Apache-2.0

/** Results of the methods that edit: `repair`, `repair_turn`, `splice`, `tools` and `prepare`. */

import {
  type Edit,
  type Finding,
  type Protected,
  type Quarantined,
  readEdit,
  readFinding,
  readProtected,
  readQuarantined,
  readUnbound,
  readVerdict,
  type Unbound,
  type Verdict,
} from "./findings.js";
import { type Fitting, readFitting } from "./fits.js";
import { always, type Answered, each, type Json, named, or, orNull, reader } from "./reading.js";

/** One operation of a JSON Patch (RFC 6902). */
export type Operation = Readonly<Json>;

const none = <T>(): readonly T[] => [];

/** The result of both repairs except for the repaired history itself. */
export interface Repair extends Answered {
  readonly changed: boolean;
  /** True if no error remains. */
  readonly safe: boolean;
  readonly edits: readonly Edit[];
  readonly stats: Readonly<Record<string, number>>;
  /** The findings that `validate` would have in the repaired history. */
  readonly violations: readonly Finding[];
  readonly counts: Readonly<Record<string, number>>;
  readonly truncated: number;
  readonly protected: Protected | null;
  readonly unbound: Unbound | null;
  /** Those of seals, if any were given. */
  readonly verdicts: readonly Verdict[];
  /** Each part and message that was removed or replaced; only with `returnRemoved`. */
  readonly quarantine: readonly Quarantined[];
  /** Pointers of members of the request that are to be set, with their values; they are not in the patch. */
  readonly settings: Readonly<Json> | null;
  /** The header values that `settings` need. */
  readonly betas: readonly string[];
  readonly patch: readonly Operation[];
}

export const readRepair = reader<Repair>("repair", {
  changed: always(),
  safe: always(),
  edits: always(each(readEdit)),
  stats: always(),
  violations: always(each(readFinding)),
  counts: always(),
  truncated: always(),
  protected: orNull(readProtected),
  unbound: orNull(readUnbound),
  verdicts: or(() => none<Verdict>(), each(readVerdict)),
  quarantine: or(() => none<Quarantined>(), each(readQuarantined)),
  settings: named("set", orNull()),
  betas: or(() => none<string>()),
  patch: or(() => none<Operation>()),
});

/**
 * A repaired history. `messages` is a new list and `request` a new body (null if messages were given alone); what
 * no edit touched in them is the same object as in the argument, which was not changed.
 */
export interface Repaired<M = unknown, R = null> extends Repair {
  readonly messages: M[];
  readonly request: R;
}

/** A repaired request body in JSON text: where no edit was made, the bytes or characters of the argument. */
export interface RepairedBody<T = Uint8Array> extends Repair {
  readonly body: T;
}

/** A repaired turn: `content` is a new list, its unedited parts are the argument's objects. */
export interface RepairedTurn<P = unknown> extends Repair {
  readonly content: P[];
}

/** The result of `splice` without the messages themselves. */
export interface Splicing extends Answered {
  /** "continue" (send it), "resume" (send it, nothing may follow the turn) or "stop" (send nothing). */
  readonly action: string;
  /** True if `action` is "stop". */
  readonly stops: boolean;
  readonly notes: readonly string[];
  readonly patch: readonly Operation[];
  /** Messages to hand in again as `appended` next time. */
  readonly deferred: readonly Readonly<Json>[];
  /** Pointers of members of the request that are to be set; `request` has them already. */
  readonly settings: Readonly<Json> | null;
}

const stops = (action: unknown): boolean => action === "stop";

export const readSplicing = reader<Splicing>("splice", {
  action: always(),
  stops: named("action", always(stops)),
  notes: always(),
  patch: always(),
  deferred: or(() => none<Json>()),
  settings: named("set", orNull()),
});

/** A turn, its results and what was appended, in the order that the provider takes. */
export interface Spliced<M = unknown, R = null> extends Splicing {
  readonly messages: M[];
  readonly request: R;
}

/** The result of `tools` without the tools themselves. */
export interface Merging extends Answered {
  readonly changed: boolean;
  /** Headers to send. */
  readonly headers: Readonly<Record<string, string>>;
  /** All beta values that the request needs. */
  readonly betas: readonly string[];
  /** Those of `betas` that the caller didn't have. */
  readonly addedBetas: readonly string[];
  readonly notes: readonly string[];
  /** Entries of the request's member that were added or replaced. */
  readonly mcpServers: readonly Readonly<Json>[];
  readonly patch: readonly Operation[];
}

export const readMerging = reader<Merging>("tools", {
  changed: always(),
  headers: always(),
  betas: always(),
  addedBetas: always(),
  notes: always(),
  mcpServers: always(),
  patch: always(),
});

/** Tools with what was added; entries that weren't replaced are the argument's objects. */
export interface MergedTools<T = unknown, R = null> extends Merging {
  readonly tools: T[];
  readonly request: R;
}

/** The notes of `splice` and `tools` inside `prepare`. */
export interface Notes extends Answered {
  readonly splice: readonly string[];
  readonly tools: readonly string[];
}

const readNotes = reader<Notes>("notes", { splice: or(() => none<string>()), tools: or(() => none<string>()) });

/**
 * The result of both forms of `prepare` without the request itself. If it `stops`, nothing was judged or repaired.
 * `edits` point into the body after the steps `splice`, `tools` and `fit`.
 */
export interface Preparation extends Answered {
  readonly changed: boolean;
  /** As that of Splicing. */
  readonly action: string;
  readonly stops: boolean;
  readonly safe: boolean;
  readonly deferred: readonly Readonly<Json>[];
  readonly headers: Readonly<Record<string, string>>;
  readonly betas: readonly string[];
  readonly addedBetas: readonly string[];
  readonly notes: Notes;
  /** The result of the step `fit`; absent without that step. */
  readonly fit: Fitting | null;
  readonly protected: Protected | null;
  readonly edits: readonly Edit[];
  readonly stats: Readonly<Record<string, number>>;
  readonly violations: readonly Finding[];
  readonly counts: Readonly<Record<string, number>>;
  readonly truncated: number;
  readonly unbound: Unbound | null;
  readonly verdicts: readonly Verdict[];
  readonly quarantine: readonly Quarantined[];
  readonly patch: readonly Operation[];
}

export const readPreparation = reader<Preparation>("prepare", {
  changed: always(),
  action: or(() => "continue"),
  stops: named("action", or(() => false, stops)),
  safe: or(() => false),
  deferred: or(() => none<Json>()),
  headers: or(() => ({})),
  betas: or(() => none<string>()),
  addedBetas: or(() => none<string>()),
  notes: or(() => readNotes({}), readNotes),
  fit: orNull(readFitting),
  protected: orNull(readProtected),
  edits: or(() => none<Edit>(), each(readEdit)),
  stats: or(() => ({})),
  violations: or(() => none<Finding>(), each(readFinding)),
  counts: or(() => ({})),
  truncated: or(() => 0),
  unbound: orNull(readUnbound),
  verdicts: or(() => none<Verdict>(), each(readVerdict)),
  quarantine: or(() => none<Quarantined>(), each(readQuarantined)),
  patch: or(() => none<Operation>()),
});

/** A request to be sent with `headers`, unless it `stops`. `messages` is the list in `request`. */
export interface Prepared<R = Json> extends Preparation {
  readonly messages: unknown[];
  readonly request: R;
}

/** A prepared body as JSON text; what isn't edited has the bytes or characters of the argument. */
export interface PreparedBody<T = Uint8Array> extends Preparation {
  readonly body: T;
}
