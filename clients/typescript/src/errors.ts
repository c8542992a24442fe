// SPDX-License-Identifier: Apache-2.0

/**
 * Everything that this package throws on purpose.
 *
 *     TurnkeeperError              name, code, data, retryable
 *     ├── EncodeError              the argument isn't JSON; nothing was sent
 *     ├── PatchError               a JSON Patch that doesn't fit its document
 *     ├── TransportError           no whole answer came
 *     │   ├── ConnectFailed        nobody listens there
 *     │   ├── ConnectionLost       closed before or inside the answer; in process: the stream's instance has ended
 *     │   ├── Timeout
 *     │   ├── Aborted              the caller's signal ended the call
 *     │   └── ProtocolError        an answer that no turnkeeper gives
 *     │       └── UnsupportedProtocol
 *     ├── PairingFailed            a stream, or a response, that can't be used: `kinds` says why
 *     └── RemoteError              the answer is an error: one class a name, in errors_by_name.ts
 */

import { shown } from "./places.js";
import { type Json, Malformed } from "./results/reading.js";
import type { Output } from "./results/others.js";

export interface ErrorDetails {
  name?: string | undefined;
  code?: number | undefined;
  data?: Readonly<Json> | undefined;
  retryable?: boolean | undefined;
  cause?: unknown;
}

/** The class itself, as far as errors are told apart by it. */
interface Kind {
  readonly NAME: string;
  readonly CODE: number | null;
  readonly RETRYABLE: boolean;
}

/** The numbers that the text adds to the message, from `data`, none of which is content. */
const NUMBERS: readonly (readonly [string, (value: number) => string])[] = [
  ["offset", (value) => `byte ${value}`],
  ["limit", (value) => `the limit is ${value}`],
  ["retry_after_ms", (value) => `again after ${value} ms`],
];

/**
 * Base of all. `name` is stable and meant for programs, `message` is meant for people.
 *
 * `said`: what the other side said, without what this class adds to it. `retryable`: the same call may succeed if it
 * is made again. `data`: details, which may name ids and tools of the history; the text never contains any of that.
 */
export class TurnkeeperError extends Error {
  static readonly NAME: string = "turnkeeper";
  static readonly CODE: number | null = null;
  static readonly RETRYABLE: boolean = false;

  override readonly name: string;
  readonly said: string;
  readonly code: number | null;
  readonly data: Readonly<Json>;
  retryable: boolean;

  constructor(said = "", details: ErrorDetails = {}) {
    super("", details.cause === undefined ? undefined : { cause: details.cause });
    const kind = new.target as unknown as Kind;
    this.said = said;
    this.name = details.name ?? kind.NAME;
    this.code = details.code ?? kind.CODE;
    this.data = details.data ?? {};
    this.retryable = details.retryable ?? kind.RETRYABLE;
    const about = this.about().join("; ");
    const text = about === "" ? said : said === "" ? about : `${said} (${about})`;
    Object.defineProperty(this, "message", { value: text, configurable: true, writable: true });
    if (this.stack !== undefined) this.stack = this.stack.replace(/^[^\n]*/, `${this.name}: ${text}`);
  }

  /** The place in the request that the error is about, as `/params/messages/0/role`. */
  get pointer(): string | null {
    return this.text("pointer");
  }

  /** Lists what the text adds to the message; nothing of it is content of a history. */
  protected about(): string[] {
    const found = this.pointer === null || this.pointer === "" ? [] : [`at ${shown(this.pointer)}`];
    for (const [name, say] of NUMBERS) {
      const value = this.number(name);
      if (value !== null) found.push(say(value));
    }
    return found;
  }

  protected text(name: string): string | null {
    const value = this.data[name];
    return typeof value === "string" ? value : null;
  }

  protected number(name: string): number | null {
    const value = this.data[name];
    return typeof value === "number" ? value : null;
  }
}

/** The parameters hold something that JSON has no form for; nothing was sent. `pointer` names its place. */
export class EncodeError extends TurnkeeperError {
  static override readonly NAME: string = "not_encodable";
}

/** A JSON Patch that isn't one, or doesn't fit the document. */
export class PatchError extends TurnkeeperError {
  static override readonly NAME: string = "patch_failed";
}

/** No whole, readable answer came. The connection is closed. `path`: of the daemon's socket, null in process. */
export class TransportError extends TurnkeeperError {
  static override readonly NAME: string = "transport";
  path: string | null = null;
}

/** Nobody accepts connections at this path, or this process may not use it. Nothing was sent. */
export class ConnectFailed extends TransportError {
  static override readonly NAME: string = "connect_failed";
  static override readonly RETRYABLE: boolean = true;
}

/**
 * The connection ended before the whole answer was there; in process: the instance that a stream was open in
 * ended. Retryable but for streams: every other method only computes, so calling twice does no harm.
 */
export class ConnectionLost extends TransportError {
  static override readonly NAME: string = "connection_lost";
  static override readonly RETRYABLE: boolean = true;
}

/** The call's own time ran out (the daemon's is DeadlineExceeded). */
export class Timeout extends TransportError {
  static override readonly NAME: string = "timeout";
}

/** The caller's AbortSignal ended the call; `cause` is the signal's reason. */
export class Aborted extends TransportError {
  static override readonly NAME: string = "aborted";
}

/** The bytes received are no answer to the request. */
export class ProtocolError extends TransportError {
  static override readonly NAME: string = "protocol_error";
}

/** The daemon speaks another version of the protocol than this package. */
export class UnsupportedProtocol extends ProtocolError {
  static override readonly NAME: string = "unsupported_protocol";
}

/**
 * The provider sent no turn that can be stored: STREAM.md 10 lists the kinds.
 *
 * `kinds`: all that is wrong, the worst first. `outputs`: what the end brought, the error last; nothing in it or
 * before it is half of a pair. `data`: the error itself. `retryable`: the same request may succeed.
 */
export class PairingFailed extends TurnkeeperError {
  static override readonly NAME: string = "pairing_failed";
  kinds: readonly string[] = [];
  outputs: readonly Output[] = [];
  warnings: Readonly<Record<string, number>> = {};
  /** As that of PairedTurn: what can be stored nevertheless. */
  turn: Readonly<Json> | null = null;

  /** Makes the error for the result of `stream.end` or `pair` whose state is "failed". */
  static read(result: Json): PairingFailed {
    const error = result["error"] as Json | null | undefined;
    const kinds = error?.["kinds"];
    if (error === null || error === undefined || !Array.isArray(kinds)) {
      throw new Malformed("no error in a failed stream");
    }
    const names = kinds.map(String);
    const made = new PairingFailed(names.join(", "), { data: error, retryable: error["retryable"] === true });
    made.kinds = names;
    made.outputs = (result["outputs"] as readonly Output[] | undefined) ?? [];
    made.warnings = (result["warnings"] as Record<string, number> | undefined) ?? {};
    made.turn = (result["turn"] as Json | undefined) ?? null;
    return made;
  }
}

/** The answer is an error. The connection, or the instance, stays usable. */
export class RemoteError extends TurnkeeperError {
  static override readonly NAME: string = "error";

  /** The limit that was met, where the error is about one. */
  get limit(): number | null {
    return this.number("limit");
  }

  /** How long the daemon asks to wait before the call is made again, in milliseconds; null: it didn't say. */
  get retryAfterMs(): number | null {
    const value = this.number("retry_after_ms");
    return value === null ? null : Math.max(value, 0);
  }
}
