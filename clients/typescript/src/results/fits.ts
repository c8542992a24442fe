// SPDX-License-Identifier: Apache-2.0

/** Results of `fit`, and of that step in `prepare` (FIT.md). */

import {
  type Edit, type Finding, type Quarantined, readEdit, readFinding, readQuarantined, readUnbound, type Unbound,
} from "./findings.js";
import { always, type Answered, each, named, or, orNull, reader } from "./reading.js";
import type { Operation } from "./repairs.js";

/** A range of neighbouring entries that were removed, both ends included: pointers into the history as it was given. */
export interface Removed extends Answered {
  readonly start: string;
  readonly end: string;
  /** How many rounds begin in the range. */
  readonly rounds: number;
  readonly steps: number;
  /** The size of the range when it was removed. */
  readonly size: number;
}

const readRemoved = reader<Removed>("removed", {
  start: named("from", always()),
  end: named("to", always()),
  rounds: always(),
  steps: always(),
  size: always(),
});

/** The result of the step `fit` of `prepare`. Its pointers are places in the body that `splice` and `tools` left. */
export interface Fitting extends Answered {
  readonly sizeBefore: number;
  readonly sizeAfter: number;
  readonly removed: readonly Removed[];
  readonly edits: readonly Edit[];
  /** The place in the outcome of the message that is or contains the marker. */
  readonly marker: string | null;
  /** With `onUnreachable: "least"`: whether the outcome is within the budget. */
  readonly reached: boolean | null;
  readonly unbound: Unbound | null;
}

const fitting = {
  sizeBefore: always<number>(),
  sizeAfter: always<number>(),
  removed: always(each(readRemoved)),
  edits: always(each(readEdit)),
  marker: orNull<string>(),
  reached: orNull<boolean>(),
  unbound: orNull(readUnbound),
};

export const readFitting = reader<Fitting>("fitting", fitting);

/** The result of both forms of `fit` without the history itself. Pointers lead into the history as it was given. */
export interface Fit extends Fitting {
  readonly changed: boolean;
  /** True if the outcome has no error. */
  readonly safe: boolean;
  /** The index of the newest signed message of the newest assistant turn of the outcome. */
  readonly protected: number | null;
  /** The findings that `validate` would have in the outcome. */
  readonly violations: readonly Finding[];
  readonly counts: Readonly<Record<string, number>>;
  readonly truncated: number;
  /** Each part and message that was removed or replaced; only with `returnRemoved`. */
  readonly quarantine: readonly Quarantined[];
  readonly patch: readonly Operation[];
}

export const readFit = reader<Fit>("fit", {
  ...fitting,
  changed: always(),
  safe: always(),
  protected: orNull(),
  violations: always(each(readFinding)),
  counts: always(),
  truncated: always(),
  quarantine: or((): readonly Quarantined[] => [], each(readQuarantined)),
  patch: or((): readonly Operation[] => []),
});

/** A history within a budget: `messages` and `request` are as those of Repaired. */
export interface Fitted<M = unknown, R = null> extends Fit {
  readonly messages: M[];
  readonly request: R;
}

/** A fitted request body as JSON text. If nothing was edited, `body` is the argument itself. */
export interface FittedBody<T = Uint8Array> extends Fit {
  readonly body: T;
}
