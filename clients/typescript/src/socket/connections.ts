// SPDX-License-Identifier: Apache-2.0

/**
 * The connections of a client, and which call has which.
 *
 *     Connections   the idle ones, the newest last      Hold   the one of a call, or of a stream
 *       take() ─────────────────────────────────────> acquire()
 *       put()  <───────────────────────────────────── release(), in order and quiet
 *                                                     drop(): closed, for whatever is still to come on it
 */

import { BacklogFull, type Bounds, Connection, type Sockets, within } from "./connection.js";

const BACKLOG_PAUSE = 5; // milliseconds

export class Connections {
  private readonly idle: Connection[] = [];
  private closed = false;

  constructor(
    private readonly path: string,
    private readonly sockets: Sockets,
    private readonly size: number,
  ) {}

  hold(): Hold {
    return new Hold(this);
  }

  checkOpen(): void {
    if (this.closed) throw new Error("the client is closed");
  }

  /** Returns an idle connection that is quiet, or a new one; always a new one if `fresh`. */
  async take(fresh: boolean, bounds: Bounds): Promise<Connection> {
    for (let found = fresh ? undefined : this.idle.pop(); found !== undefined; found = this.idle.pop()) {
      if (found.quiet) return found;
    }
    for (;;) {
      try {
        return await Connection.open(this.path, this.sockets, bounds);
      } catch (error) {
        if (!(error instanceof BacklogFull)) throw error;
      }
      await pause(BACKLOG_PAUSE, bounds);
    }
  }

  put(connection: Connection): void {
    this.idle.push(connection);
    this.trim(this.closed ? 0 : this.size);
  }

  close(): void {
    this.closed = true;
    this.trim(0);
  }

  private trim(keep: number): void {
    while (this.idle.length > keep) this.idle.shift()?.close(); // the longest idle
  }
}

/** At most one connection, to be put back among the idle ones or closed. */
export class Hold {
  private held: Connection | null = null;

  constructor(private readonly connections: Connections) {}

  get connection(): Connection | null {
    return this.held;
  }

  async acquire(fresh: boolean, bounds: Bounds): Promise<Connection> {
    this.drop();
    return (this.held = await this.connections.take(fresh, bounds));
  }

  release(): void {
    if (this.held !== null) this.connections.put(this.held);
    this.held = null;
  }

  drop(): void {
    this.held?.close();
    this.held = null;
  }
}

/** Waits, within the bounds of a call. */
export function pause(milliseconds: number, bounds: Bounds): Promise<void> {
  return within(bounds, (done) => {
    const timer = setTimeout(done, milliseconds);
    return () => clearTimeout(timer);
  });
}
