// SPDX-License-Identifier: Apache-2.0

/** Whose a history is (PROTOCOL.md 5.12). */

import { always, type Answered, orNull, reader } from "./reading.js";

export interface Detected extends Answered {
  /** Null: a format that no provider has, which `looksLike` names. */
  readonly provider: string | null;
  readonly dialect: string | null;
  readonly endpoint: string | null;
  readonly looksLike: string | null;
  /** False: nothing tells, and the provider is a guess. */
  readonly sure: boolean;
  /** The evidence in words: `model gpt-4o-mini`. */
  readonly because: string;
  /** The pointer to it; null: there is none. */
  readonly at: string | null;
}

export const readDetected = reader<Detected>("detected", {
  provider: orNull(),
  dialect: orNull(),
  endpoint: orNull(),
  looksLike: orNull(),
  sure: always(),
  because: always(),
  at: orNull(),
});
