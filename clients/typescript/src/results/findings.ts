// SPDX-License-Identifier: Apache-2.0

/** The judgement of rules on a history: findings, edits, and the reports that list them (PROTOCOL.md 5.1, 5.2). */

import { always, type Answered, each, named, or, orNull, reader } from "./reading.js";

/**
 * One thing that is wrong, and where.
 *
 * `pointer` is its place in the request, `/messages/3/content/1`. A fault outside the messages has no indexes,
 * and its pointer is the value that the rule is about, `/tools/3`; it is "" for the request as a whole.
 */
export interface Finding extends Answered {
  readonly code: string;
  /** "error", or "warning": some targets refuse it, or it is suspicious. */
  readonly severity: string;
  readonly messageIndex: number | null;
  readonly partIndex: number | null;
  readonly pointer: string;
  /** A sentence for people. */
  readonly text: string;
  readonly id: string | null;
  readonly tool: string | null;
  /** The message with which the provider would refuse the request, if the catalogue knows it. */
  readonly providerError: string | null;
  /** In UnsafeHistory: the edit that protection or policy forbade. */
  readonly needed: string | null;
  /** In UnsafeHistory: a sentence that says what the caller can do. */
  readonly wayOut: string | null;
}

export const readFinding = reader<Finding>("finding", {
  code: always(),
  severity: or(() => "error"),
  messageIndex: orNull(),
  partIndex: orNull(),
  pointer: or(() => ""),
  text: or(() => ""),
  id: orNull(),
  tool: orNull(),
  providerError: orNull(),
  needed: orNull(),
  wayOut: orNull(),
});

/** One change that was made; `pointer` is its place in the history as it was given. */
export interface Edit extends Answered {
  readonly code: string;
  readonly action: string;
  readonly pointer: string;
  readonly id: string | null;
  readonly tool: string | null;
}

export const readEdit = reader<Edit>("edit", {
  code: always(),
  action: always(),
  pointer: always(),
  id: orNull(),
  tool: orNull(),
});

/** A part or message that was removed or replaced. Store it next to the history. `pointer`: its place in the input of the step. */
export interface Quarantined extends Answered {
  readonly pointer: string;
  readonly code: string;
  /** Of `prepare`: "fit" or "repair". */
  readonly stage: string | null;
  readonly value: unknown;
}

export const readQuarantined = reader<Quarantined>("quarantined", {
  pointer: always(),
  code: always(),
  stage: orNull(),
  value: orNull(),
});

/** The newest signed message. `sha256` is over its bytes as they were sent. */
export interface Protected extends Answered {
  readonly messageIndex: number;
  readonly sha256: string;
}

export const readProtected = reader<Protected>("protected", { messageIndex: always(), sha256: always() });

/** Thinking that newer models bind to what precedes it, which was edited from `start` on. */
export interface Unbound extends Answered {
  readonly start: string;
  readonly thinking: readonly string[];
}

export const readUnbound = reader<Unbound>("unbound", { start: named("from", always()), thinking: always() });

/**
 * The verdict of seals on a message: "intact", "reordered", "altered"... `dead`: its signatures are invalid.
 *
 * `seals`: indexes of those that belong to it. `messageIndex` is null for a seal without a message.
 */
export interface Verdict extends Answered {
  readonly verdict: string;
  readonly dead: boolean;
  readonly seals: readonly number[];
  readonly messageIndex: number | null;
}

export const readVerdict = reader<Verdict>("verdict", {
  verdict: always(),
  dead: always(),
  seals: always(),
  messageIndex: orNull(),
});

/** The result of `validate`. `counts` has all findings by code, `violations` those that are listed. */
export interface Report extends Answered {
  /** True if no finding has the severity "error". */
  readonly valid: boolean;
  readonly messageCount: number;
  readonly partCount: number;
  readonly violations: readonly Finding[];
  readonly counts: Readonly<Record<string, number>>;
  /** How many findings aren't listed. */
  readonly truncated: number;
  /** The index of the newest signed message of the newest assistant turn. */
  readonly protected: number | null;
}

export const readReport = reader<Report>("report", {
  valid: always(),
  messageCount: always(),
  partCount: always(),
  violations: always(each(readFinding)),
  counts: always(),
  truncated: always(),
  protected: orNull(),
});
