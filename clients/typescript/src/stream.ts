// SPDX-License-Identifier: Apache-2.0

/** A provider's stream in either back end, and the state that both share. */

import { type Call, named } from "./call.js";
import { readPaired, withHistory } from "./calls.js";
import { ConnectionLost } from "./errors.js";
import type { Answer, When } from "./keeper.js";
import type { Link } from "./link.js";
import { asParams, type StreamOptions } from "./params.js";
import type { Output, PairedTurn } from "./results/others.js";
import { type Json, Malformed, object } from "./results/reading.js";
import { base64, decodeStrictly } from "./wire/text.js";

/** SSE as bytes or text, cut anywhere; or one event, or a list of events, already decoded. */
export type Chunk = string | Uint8Array | object | readonly object[];

/** "open", "done" and "failed" are the daemon's words; "ended": finish() was called; "lost": with its connection. */
export type State = "new" | "open" | "done" | "failed" | "ended" | "lost";

export interface FeedOptions {
  /** True: the chunk comes from a new connection, which reads the same response on (`provider: "openai-responses"`). */
  restart?: boolean;
}

const KEY = "s"; // free to choose for each connection, and this one has no other stream

/**
 * A provider's stream, in which no half of a provider-executed pair leaves alone.
 *
 *     const stream = await keeper.stream({ history: messages });
 *     for await (const chunk of response.body) {
 *       for (const part of await stream.feed(chunk)) show(part);
 *     }
 *     messages.push((await stream.finish()).message);
 *
 * Nothing of it is ever sent again: when its connection is lost, or in process its instance, so is the stream.
 */
export class Stream<W extends When = When> {
  constructor(
    private readonly link: Link<W>,
    private readonly pairing: Pairing,
  ) {}

  get state(): State {
    if (this.link.lost) this.pairing.lose();
    return this.pairing.state;
  }

  /** The operations that the history left open, for this turn to answer. */
  get carried(): readonly Readonly<Json>[] {
    return this.pairing.carried;
  }

  /** Returns the outputs that this chunk brings. After the provider's own end a chunk brings none. */
  feed(chunk: Chunk, options: FeedOptions = {}): Answer<W, readonly Output[]> {
    if (this.state === "done" || this.state === "failed") return this.link.give<readonly Output[]>([]);
    return this.link.run(() => this.checked().feed(chunk, options));
  }

  /**
   * Returns the whole turn, after the stream's end; PairingFailed if it is no turn that can be stored.
   * `transportError`: what broke the stream off, in words, if anything did.
   */
  finish(transportError?: string): Answer<W, PairedTurn> {
    return this.link.run(() => this.checked().end(transportError));
  }

  /** Gives up an unfinished stream; of a finished one nothing is left to do. */
  close(): void {
    this.link.close();
    this.pairing.lose();
  }

  private checked(): Pairing {
    if (this.link.lost) this.pairing.lose();
    return this.pairing;
  }
}

/** The state of one stream and its calls. */
export class Pairing {
  state: State = "new";
  carried: readonly Readonly<Json>[] = [];
  private caller: string | undefined;

  open(options: StreamOptions): Call<void> {
    const { signal, timeout } = options;
    this.caller = options.caller;
    return withHistory({
      method: "stream.open",
      params: { ...asParams(options), stream: KEY },
      signal,
      timeout,
      read: (result) => {
        this.outputs(result);
        this.carried = (object(result, "stream")["carried"] as readonly Json[] | undefined) ?? [];
      },
    });
  }

  feed(chunk: Chunk, options: FeedOptions = {}): Call<readonly Output[]> {
    this.check();
    const read = (result: unknown) => this.outputs(result);
    return named({ method: "stream.feed", params: { stream: KEY, ...fed(chunk), ...asParams(options) }, read }, this.caller);
  }

  end(transportError: string | undefined): Call<PairedTurn> {
    this.check();
    const broken = transportError === undefined ? {} : { transport_error: transportError };
    const read = (result: unknown): PairedTurn => {
      this.state = "ended";
      return readPaired(result);
    };
    return named({ method: "stream.end", params: { stream: KEY, ...broken }, read }, this.caller);
  }

  /** Notes that the connection was lost, and with it an open stream. */
  lose(): void {
    if (this.state !== "ended") this.state = "lost";
  }

  private check(): void {
    if (this.state === "lost") {
      throw new ConnectionLost("the stream ended with its connection", { retryable: false });
    }
    if (this.state === "new" || this.state === "ended") throw new Error("the stream isn't open");
  }

  private outputs(result: unknown): readonly Output[] {
    const { state, outputs } = object(result, "stream");
    if (!Array.isArray(outputs)) throw new Malformed("no outputs");
    if (state !== "open" && state !== "done" && state !== "failed") throw new Malformed("no state");
    this.state = state;
    return outputs as Output[];
  }
}

/** Returns the parameter that sends a chunk. */
function fed(chunk: Chunk): Json {
  if (typeof chunk === "string") return { data: chunk };
  if (chunk instanceof Uint8Array) {
    const text = decodeStrictly(chunk); // null: the chunk may end inside a character
    return text === null ? { data_base64: base64(chunk) } : { data: text };
  }
  return { events: Array.isArray(chunk) ? chunk : [chunk] };
}
