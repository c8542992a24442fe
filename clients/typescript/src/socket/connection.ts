// SPDX-License-Identifier: Apache-2.0

/** One connection to the daemon, by node:net, which Node, Bun and Deno have. */

import { Aborted, ConnectFailed, ConnectionLost, ProtocolError, Timeout, TransportError } from "../errors.js";
import type { Sized } from "../wire/pieces.js";
import { AnswerFrame, header } from "./frame.js";

/** When a call ends at the latest, and what else may end it. */
export interface Bounds {
  /** In milliseconds of performance.now(); Infinity: no limit. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** The part of node:net that is used. Its own types aren't part of this package's, whose users may not have them. */
export interface Sockets {
  createConnection(options: { path: string }): Socket;
}

interface Socket {
  on(event: string, listener: (...given: never[]) => void): unknown;
  once(event: string, listener: (...given: never[]) => void): unknown;
  removeAllListeners(event: string): unknown;
  write(data: string | Uint8Array): unknown;
  cork(): unknown;
  uncork(): unknown;
  ref(): unknown;
  unref(): unknown;
  destroy(): unknown;
}

interface SystemError extends Error {
  readonly code?: string;
}

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: "no daemon has made this socket; is turnkeeperd running, and is this its path?",
  ECONNREFUSED: "nobody listens there; is turnkeeperd running?",
  EACCES: "this user may not use it; the daemon's socket_mode and socket_group decide",
  EPROTOTYPE: "what is there is not a turnkeeperd",
};

/** The listener's backlog is full: it will be worked off. */
export class BacklogFull extends Error {}

/** The bytes of an answer that came before the connection ended. */
export class Lost extends ConnectionLost {
  constructor(
    said: string,
    readonly started: boolean,
    cause?: unknown,
  ) {
    super(said, { cause });
  }
}

type Outcome = (error: Error | null) => void;

export class Connection {
  /** The caller that waits for bytes or the end; null while the connection is idle. */
  private waiting: { feed(data: Uint8Array): void; end(error: SystemError | null): void } | null = null;
  private ended = false;
  private failure: SystemError | null = null;

  private constructor(private readonly socket: Socket) {
    socket.on("data", (data: Uint8Array) => {
      if (this.waiting === null) this.close(); // nobody asked for it: the connection is out of step
      else this.waiting.feed(data);
    });
    socket.on("error", (error: SystemError) => (this.failure = error));
    socket.on("close", () => this.finish());
    socket.on("end", () => this.finish());
    socket.unref(); // an idle connection doesn't keep the process alive
  }

  /** Connects; BacklogFull, or ConnectFailed with a hint. */
  static open(path: string, { createConnection }: Sockets, bounds: Bounds): Promise<Connection> {
    return within(bounds, (done, fail) => {
      const socket = createConnection({ path });
      socket.once("connect", () => {
        socket.removeAllListeners("error");
        done(new Connection(socket));
      });
      socket.once("error", (error: SystemError) => fail(connectFailed(path, error)));
      return () => void socket.destroy();
    });
  }

  /** True if the connection is open and nothing came on it unasked. */
  get quiet(): boolean {
    return !this.ended;
  }

  close(): void {
    this.ended = true;
    this.socket.destroy();
  }

  /**
   * Sends a request and returns its answer. Lost if the connection ends before the answer is whole. Whatever else
   * ends the exchange closes the connection: an answer that may still come must never be read by the next call.
   */
  async exchange(request: Sized, bounds: Bounds): Promise<Uint8Array> {
    this.socket.ref();
    try {
      return await within(bounds, (done, fail) => {
        this.receive(done, fail as Outcome);
        this.send(request);
        return () => undefined;
      });
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.waiting = null;
      this.socket.unref();
    }
  }

  private send(request: Sized): void {
    this.socket.cork();
    this.socket.write(header(request.size));
    for (const piece of request.pieces) this.socket.write(piece);
    this.socket.uncork();
  }

  private receive(done: (answer: Uint8Array) => void, fail: Outcome): void {
    const answer = new AnswerFrame();
    this.waiting = {
      feed: (data) => {
        try {
          answer.feed(data);
        } catch (error) {
          return fail(error as ProtocolError);
        }
        if (answer.whole) done(answer.document);
      },
      end: (error) => {
        const where = answer.started ? "inside the answer" : "before the answer";
        fail(new Lost(error === null ? where : `${where} (${error.code ?? "error"})`, answer.started, error));
      },
    };
    if (this.ended) this.waiting.end(this.failure);
  }

  private finish(): void {
    this.ended = true;
    this.waiting?.end(this.failure);
    this.socket.destroy();
  }
}


function connectFailed(path: string, error: SystemError): Error {
  if (error.code === "EAGAIN") return new BacklogFull();
  const hint = HINTS[error.code ?? ""];
  const said = `no connection to ${path} (${error.code ?? "error"})`;
  return new ConnectFailed(hint === undefined ? said : `${said}: ${hint}`, { cause: error });
}

/**
 * Runs `start`, which calls `done` or `fail` later and returns what gives it up. Timeout at the deadline, Aborted when
 * the signal is aborted.
 */
export function within<T>(
  bounds: Bounds,
  start: (done: (value: T) => void, fail: (error: Error) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let giveUp = (): void => undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = (act: () => void) => {
      clearTimeout(timer);
      bounds.signal?.removeEventListener("abort", onAbort);
      act();
    };
    const stop = (error: TransportError) => settle(() => (giveUp(), reject(error)));
    const onAbort = () => stop(new Aborted("the signal was aborted", { cause: bounds.signal?.reason }));
    if (bounds.signal?.aborted === true) return onAbort();
    const left = bounds.deadline - performance.now();
    if (left <= 0) return stop(new Timeout("no answer in time"));
    bounds.signal?.addEventListener("abort", onAbort);
    if (left < LONGEST_TIMER) timer = setTimeout(() => stop(new Timeout("no answer in time")), left);
    giveUp = start((value) => settle(() => resolve(value)), (error) => settle(() => reject(error)));
    return undefined;
  });
}

const LONGEST_TIMER = 2 ** 31; // milliseconds; setTimeout ends longer ones at once
