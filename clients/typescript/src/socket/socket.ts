// SPDX-License-Identifier: Apache-2.0

/** The back end that asks the daemon. */

import { sockets } from "#platform";
import { type Call, isRepeatable, named } from "../call.js";
import { ConnectFailed } from "../errors.js";
import type { Link } from "../link.js";
import { type Answer, Keeper } from "../keeper.js";
import { checkNames } from "../names.js";
import type { StreamOptions } from "../params.js";
import { Pairing, Stream } from "../stream.js";
import type { Sockets } from "./connection.js";
import { Connections } from "./connections.js";
import { converse } from "./conversation.js";
import { SocketLink } from "./link.js";
import { socketPath } from "./path.js";

export interface SocketOptions {
  /** Milliseconds for one call as a whole, waiting and retrying included [5000]; Infinity: no limit. */
  timeout?: number;
  /**
   * How often a call is made again after an error that the daemon calls retryable, or while nobody listens [0]. It
   * waits as long as the daemon asks for, within `timeout`.
   */
  retries?: number;
  /** How many idle connections are kept [4]. */
  poolSize?: number;
  /** A name for the daemon's log, for each call that has none of its own: at most 64 of A-Z, a-z, 0-9 and "._:-". */
  caller?: string;
}

const OPTIONS = ["timeout", "retries", "poolSize", "caller"] as const satisfies readonly (keyof SocketOptions)[];

/**
 * Makes a keeper that asks the daemon at `path`; else at that of TURNKEEPER_SOCKET, else at the default one. A path
 * that is too long for a socket is ConnectFailed here; nothing connects before the first call.
 */
export async function connect(path?: string, options: SocketOptions = {}): Promise<SocketKeeper> {
  checkNames("the option", options, OPTIONS);
  const found = socketPath(path);
  const made = await sockets();
  if (made === null) throw new ConnectFailed("this engine, or this bundle, has no Unix sockets: Turnkeeper.load() needs none");
  return new SocketKeeper(found, made, options);
}

/**
 * Asks the daemon; all methods return promises. What the daemon closed is opened again by itself. A call has its
 * connection for itself: as many are open as calls and streams run at once. A call that is interrupted, by its timeout
 * or its signal, closes its connection. Idle connections don't keep the process alive.
 */
export class SocketKeeper extends Keeper<"later"> {
  readonly path: string;
  private readonly connections: Connections;
  private readonly timeout: number;
  private readonly retries: number;
  private readonly caller: string | undefined;

  /** For `connect`. */
  constructor(path: string, sockets: Sockets, options: SocketOptions) {
    super();
    this.path = path;
    this.timeout = checkedTimeout(options.timeout ?? 5000);
    this.retries = options.retries ?? 0;
    this.caller = options.caller;
    this.connections = new Connections(path, sockets, options.poolSize ?? 4);
  }

  override close(): void {
    this.connections.close();
  }

  override async stream(options: StreamOptions = {}): Promise<Stream<"later">> {
    const link = await this.link();
    const pairing = new Pairing();
    try {
      await link.run(() => pairing.open(options));
    } catch (why) {
      link.close();
      throw why;
    }
    return new Stream(link, pairing);
  }

  /** Gives a connection for one user alone. It is opened by the first call. */
  override async link(): Promise<Link<"later">> {
    this.connections.checkOpen();
    return new SocketLink(this.connections, (call, hold) => this.perform(call, hold));
  }

  protected override async run<T>(make: () => Call<T>): Answer<"later", T> {
    this.connections.checkOpen();
    const hold = this.connections.hold();
    try {
      return await this.perform(make(), hold);
    } finally {
      hold.drop();
    }
  }

  private async perform<T>(call: Call<T>, hold: ReturnType<Connections["hold"]>): Promise<T> {
    const timeout = call.timeout === undefined ? this.timeout : checkedTimeout(call.timeout);
    const keeps = !isRepeatable(call) && call.method !== "stream.end";
    return converse(named(call, this.caller), hold, { timeout, retries: this.retries, path: this.path, keeps });
  }
}

function checkedTimeout(timeout: number): number {
  if (!(timeout > 0)) throw new RangeError("timeout: more than 0 milliseconds, or Infinity");
  return timeout;
}
