// SPDX-License-Identifier: Apache-2.0
/**
 * Bodies of responses on their way in.
 *
 *     paired()    a stream's events, each chunk through the core's pairing; at the end its seal
 *     sealed()    a whole response as it comes; before its reader learns of its end, the turn in it is sealed
 *
 * Both read from the provider only when their reader asks for more.
 */

import { PairingFailed } from "../errors.js";
import { type Filter, pulled } from "../pulled.js";
import type { Output, PairedTurn } from "../results/others.js";
import type { Stream } from "../stream.js";
import { joined as joinedPieces } from "../wire/pieces.js";
import { decode, encode } from "../wire/text.js";
import { mediaType } from "./routes.js";

type Bytes = Uint8Array;

const LARGEST = 8 << 20; // bytes of a response that is read for its seal

function joined(outputs: readonly Output[]): string {
  return outputs.map((output) => (typeof output["data"] === "string" ? output["data"] : "")).join("");
}

function encoded(text: string): readonly Bytes[] {
  return text === "" ? [] : [encode(text)];
}

/**
 * Passes a provider's SSE through a stream of the core. After the turn's end nothing leaves, but reading goes on: the
 * provider's connection can be used again only if the body was read to its end. After a fault it doesn't: what follows
 * is of no use, and is paid for.
 */
class Paired implements Filter<Bytes, Bytes> {
  over = false;
  readonly #stream: Stream;
  readonly #keep: (turn: PairedTurn) => void;

  constructor(stream: Stream, keep: (turn: PairedTurn) => void) {
    this.#stream = stream;
    this.#keep = keep;
  }

  async take(chunk: Bytes): Promise<readonly Bytes[]> {
    if (this.#stream.state === "ended") return [];
    const text = joined(await this.#stream.feed(chunk));
    return encoded(this.#stream.state === "open" ? text : text + (await this.#last()));
  }

  async end(): Promise<readonly Bytes[]> {
    return this.#stream.state === "ended" ? [] : encoded(await this.#last());
  }

  close(): void {
    this.#stream.close();
  }

  async #last(): Promise<string> {
    try {
      const turn = await this.#stream.finish();
      this.#keep(turn);
      return joined(turn.outputs);
    } catch (error) {
      if (!(error instanceof PairingFailed)) throw error;
      this.over = true;
      return joined(error.outputs);
    }
  }
}

/** Returns the body of a response through a stream that is open, and that is closed at its end. `keep` gets the turn. */
export function paired(
  source: ReadableStream<Bytes>,
  stream: Stream,
  keep: (turn: PairedTurn) => void,
): ReadableStream<Bytes> {
  return pulled(source, new Paired(stream, keep));
}

/** Passes a body as it is, and gives `seal` its text once it is whole. */
class Sealed implements Filter<Bytes, Bytes> {
  readonly over = false;
  readonly #seal: (text: string) => Promise<void>;
  #chunks: Bytes[] = [];
  #size = 0;

  constructor(seal: (text: string) => Promise<void>) {
    this.#seal = seal;
  }

  async take(chunk: Bytes): Promise<readonly Bytes[]> {
    this.#size += chunk.length;
    if (this.#size > LARGEST) this.#chunks = [];
    else this.#chunks.push(chunk);
    return [chunk];
  }

  async end(): Promise<readonly Bytes[]> {
    if (this.#size <= LARGEST) await this.#seal(decode(joinedPieces(this.#chunks, this.#size)));
    return [];
  }

  close(): void {
    this.#chunks = [];
  }
}

/** Returns the body of a response unchanged. Once it is whole, `seal` is given its text, and waited for. */
export function sealed(source: ReadableStream<Bytes>, seal: (text: string) => Promise<void>): ReadableStream<Bytes> {
  return pulled(source, new Sealed(seal));
}

/** Returns the response with another body, `without` the headers that would be wrong for it. */
export function withBody(response: Response, body: ReadableStream<Bytes>, without: readonly string[] = []): Response {
  const headers = new Headers(response.headers);
  for (const name of without) headers.delete(name);
  const { status, statusText } = response;
  const made = new Response(body as ReadableStream, { status, statusText, headers });
  for (const name of ["url", "redirected", "type"] as const) {
    Object.defineProperty(made, name, { value: response[name], configurable: true });
  }
  return made;
}

/** Says whether a response succeeded and is of this media type. */
export function isOf(response: Response, media: string): boolean {
  return response.ok && mediaType(response.headers.get("content-type")) === media;
}
