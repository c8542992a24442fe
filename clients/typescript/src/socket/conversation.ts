// SPDX-License-Identifier: Apache-2.0

/**
 * How one call goes: when to connect, send again, wait, give up (DAEMON.md 4).
 *
 * A request is sent again at most once, on a new connection, only if the old one closed before any byte of the answer,
 * and never for streams: the daemon may have done what it was asked. Errors that the daemon calls retryable are
 * retried as often as the caller asks for; of a stream that is open only `busy`, which means that nothing was read.
 */

import { type Call, isRepeatable } from "../call.js";
import { ConnectFailed, ProtocolError, RemoteError, TransportError, type TurnkeeperError } from "../errors.js";
import { Busy } from "../errors_by_name.js";
import { Malformed } from "../results/reading.js";
import { notOurs, request, result } from "../wire/envelope.js";
import { sized } from "../wire/pieces.js";
import { type Bounds, Lost } from "./connection.js";
import { type Hold, pause } from "./connections.js";

export interface Manner {
  /** Milliseconds for all of the call, pauses and retries included. */
  readonly timeout: number;
  readonly retries: number;
  /** Of the socket, for what is thrown. */
  readonly path: string;
  /** True: the connection is still held after the call, for the next one of a stream. */
  readonly keeps: boolean;
}

const FIRST_PAUSE = 50; // milliseconds; doubled with each retry, where the daemon names no time
const LONGEST_PAUSE = 2000; // milliseconds
const LONGEST_TIMEOUT = 2 ** 31; // milliseconds: the daemon's own limit is lower by far

let ids = 0;

/** Makes the call on the connection of `hold`, or on one that it acquires, and gives the result. */
export async function converse<T>(call: Call<T>, hold: Hold, manner: Manner): Promise<T> {
  const bounds = { deadline: performance.now() + manner.timeout, signal: call.signal };
  const opens = hold.connection === null;
  try {
    for (let tries = 0; ; tries++) {
      try {
        return await attempt(call, hold, opens, bounds, manner);
      } catch (error) {
        if (!(error instanceof RemoteError || error instanceof ConnectFailed)) throw error;
        const wait = pauseBefore(tries, error);
        const late = performance.now() + wait >= bounds.deadline;
        if (tries >= manner.retries || late || !mayTryAgain(error, opens)) throw error;
        await pause(wait, bounds);
      }
    }
  } catch (error) {
    if (error instanceof TransportError) error.path = manner.path;
    throw error;
  }
}

/** One request and its answer; once more where the connection closed before the answer began. */
async function attempt<T>(call: Call<T>, hold: Hold, opens: boolean, bounds: Bounds, manner: Manner): Promise<T> {
  const id = ++ids;
  const sent = request(id, call.method, withTime(call, bounds), call.text);
  const answer = await exchange(sized(sent), hold, opens, isRepeatable(call), bounds);
  let found: unknown;
  try {
    found = result(answer, id, sent);
  } catch (error) {
    if (!(error instanceof RemoteError)) hold.drop();
    else if (opens) hold.release(); // a stream that was refused holds nothing; one that is open goes on
    throw error;
  }
  if (!manner.keeps) hold.release();
  try {
    return call.read(found);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new ProtocolError(notOurs(`a result of another shape: ${error.message}`).said, { cause: error });
  }
}

async function exchange(
  whole: ReturnType<typeof sized>,
  hold: Hold,
  opens: boolean,
  repeatable: boolean,
  bounds: Bounds,
): Promise<Uint8Array> {
  for (let fresh = false; ; fresh = true) {
    const connection = opens ? await hold.acquire(fresh, bounds) : hold.connection;
    if (connection === null) throw new Lost("the connection was closed", false);
    try {
      return await connection.exchange(whole, bounds);
    } catch (error) {
      hold.drop();
      if (!(error instanceof Lost)) throw error;
      error.retryable = repeatable;
      if (fresh || error.started || !repeatable) throw error;
    }
  }
}

/** The parameters with the time that is left, so that the daemon doesn't work for nobody. */
function withTime(call: Call<unknown>, bounds: Bounds): Call<unknown>["params"] {
  const left = bounds.deadline - performance.now();
  if (!isRepeatable(call) || "timeout_ms" in call.params || left === Infinity) return call.params;
  return { timeout_ms: Math.min(Math.max(Math.floor(left), 1), LONGEST_TIMEOUT), ...call.params };
}

function mayTryAgain(error: TurnkeeperError, opens: boolean): boolean {
  return error.retryable && (opens || error instanceof Busy);
}

/** Milliseconds to wait: what the daemon asks for, else longer each time, and not all callers at once. */
function pauseBefore(tries: number, error: TurnkeeperError): number {
  const asked = error instanceof RemoteError ? error.retryAfterMs : null;
  const spread = 0.5 + Math.random() / 2;
  if (asked !== null) return asked * (1.5 - spread / 2); // never less than asked
  return spread * Math.min(FIRST_PAUSE * 2 ** tries, LONGEST_PAUSE);
}
