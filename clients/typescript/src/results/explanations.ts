// SPDX-License-Identifier: Apache-2.0

/** The rules that a provider's refusal belongs to (PROTOCOL.md 5.10). */

import { always, type Answered, each, or, orNull, reader } from "./reading.js";

/** The place that a provider's words point at. A member is null if they don't say. */
export interface RefusedPlace extends Answered {
  /** Into the request as it was sent. */
  readonly pointer: string | null;
  /** The index of the message. */
  readonly message: number | null;
  /** The part's index in its message. */
  readonly block: number | null;
  /** Of a call, a result or an item. */
  readonly id: string | null;
}

const readPlace = reader<RefusedPlace>("place", { pointer: orNull(), message: orNull(), block: orNull(), id: orNull() });

export interface Match extends Answered {
  readonly code: string;
  readonly provider: string;
  readonly severity: string;
  /** False: only the provider finds the fault. */
  readonly judged: boolean;
  /** A sentence for people. */
  readonly text: string;
  /** The edit of repair; not judged: the one that helps. Null: no edit helps. */
  readonly action: string | null;
  /** Repair's action by the policy of this name; null: it doesn't differ. */
  readonly preserve: string | null;
  /** The words of the rule, with names in braces where they vary. */
  readonly providerError: string;
  readonly place: RefusedPlace;
}

const readMatch = reader<Match>("match", {
  code: always(),
  provider: always(),
  severity: always(),
  judged: always(),
  text: or(() => ""),
  action: orNull(),
  preserve: orNull(),
  providerError: always(),
  place: always(readPlace),
});

/** `matches`: best first; empty if the words are no rule's. */
export interface Explanation extends Answered {
  readonly matches: readonly Match[];
}

export const readExplanation = reader<Explanation>("explanation", { matches: always(each(readMatch)) });

/** The rule that a reported refusal belongs to. `code`: null if its words are no rule's. */
export interface Miss extends Answered {
  readonly code: string | null;
}

export const readMiss = reader<Miss>("miss", { code: orNull() });
