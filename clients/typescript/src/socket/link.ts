// SPDX-License-Identifier: Apache-2.0

/** A connection for one user alone, whose calls run one after the other. */

import type { Call } from "../call.js";
import type { Link } from "../link.js";
import { sized } from "../wire/pieces.js";
import type { Connections, Hold } from "./connections.js";

export class SocketLink implements Link<"later"> {
  private readonly hold: Hold;
  private last: Promise<unknown> = Promise.resolve();
  private used = false;
  private closed = false;

  constructor(
    connections: Connections,
    private readonly perform: <T>(call: Call<T>, hold: Hold) => Promise<T>,
  ) {
    this.hold = connections.hold();
  }

  get lost(): boolean {
    return this.closed || (this.used && this.hold.connection?.quiet !== true);
  }

  run<T>(make: () => Call<T>): Promise<T> {
    return this.next(() => {
      this.used = true;
      return this.perform(make(), this.hold);
    });
  }

  answer(document: string | Uint8Array): Promise<Uint8Array> {
    return this.next(async () => {
      const bounds = { deadline: Infinity, signal: undefined };
      const connection = this.hold.connection ?? (await this.hold.acquire(false, bounds));
      this.used = true;
      return connection.exchange(sized([document]), bounds);
    });
  }

  give<T>(value: T): Promise<T> {
    return this.next(async () => value);
  }

  close(): void {
    this.closed = true;
    this.hold.drop();
  }

  /** Runs `work` after all that was asked for before: a connection carries one request at a time. */
  private next<T>(work: () => Promise<T>): Promise<T> {
    const made = this.last.then(work);
    this.last = made.catch(() => undefined);
    return made;
  }
}
