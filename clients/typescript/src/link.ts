// SPDX-License-Identifier: Apache-2.0

/** A connection, or a session of an instance, for one user alone: what streams need. */

import type { Call } from "./call.js";
import type { Answer, When } from "./keeper.js";

export interface Link<W extends When = When> {
  run<T>(make: () => Call<T>): Answer<W, T>;
  /**
   * Answers one JSON-RPC document with one: exactly what travels in a frame of the daemon's socket, without its
   * length (PROTOCOL.md 2). Errors are documents, too.
   */
  answer(document: string | Uint8Array): Answer<W, Uint8Array>;
  /** Gives a value as `run` would. */
  give<T>(value: T): Answer<W, T>;
  /** True if the connection or the instance has ended, or was closed. */
  readonly lost: boolean;
  close(): void;
}
