// SPDX-License-Identifier: Apache-2.0

/**
 * Asks about one document. The answer's bytes are kept, because numbers of a history that is printed as JSON must stay as
 * they are.
 */

import type { Call } from "../call.js";
import { ProtocolError, RemoteError, Timeout } from "../errors.js";
import { UnsafeHistory } from "../errors_by_name.js";
import type { Link } from "../link.js";
import type { RepairOptions } from "../params.js";
import { Malformed } from "../results/reading.js";
import { request, result } from "../wire/envelope.js";
import { joined } from "../wire/pieces.js";
import { encode } from "../wire/text.js";
import { member, type Span, whole } from "./spans.js";

type Asked = Link<"now"> | Link<"later">;

/** The connection, or the instance, that a file's documents are sent to. One that was lost is replaced. */
export class Links {
  private link: Asked | null = null;

  constructor(private readonly open: () => Asked | Promise<Asked>) {}

  async current(): Promise<Asked> {
    if (this.link === null || this.link.lost) {
      this.close();
      this.link = await this.open();
    }
    return this.link;
  }

  close(): void {
    this.link?.close();
    this.link = null;
  }
}

/** The format that a document is read in; one that nobody named is Anthropic's. */
export interface Format {
  readonly provider: string;
  readonly dialect: string;
}

/** A value in an answer's bytes. */
export interface Raw {
  readonly bytes: Uint8Array;
  readonly span: Span;
}

export interface Reply<T> {
  readonly read: T;
  readonly raw: Raw;
  readonly format: Format;
}

/** A document that can't be judged or made safe. `unsafe`: what is known of a history that can't be made safe. */
export class Fault extends Error {
  constructor(
    override readonly name: string,
    message: string,
    /** The byte of the document that it is about. */
    readonly offset: number | null = null,
    readonly unsafe: { error: UnsafeHistory; raw: Raw } | null = null,
  ) {
    super(message);
  }
}

const ID = 1;
const DIALECTS = new Set(["fantasy", "ai-sdk"]);
/** The provider of a history that nothing tells of. */
export const FIRST = "anthropic";

/** Returns what the parameters make of a document. */
function format({ provider, dialect }: RepairOptions): Format {
  const named = provider ?? (dialect !== undefined && !DIALECTS.has(dialect) ? dialect : FIRST);
  return { provider: named, dialect: dialect ?? named };
}

export async function ask<T>(links: Links, given: RepairOptions, make: (params: RepairOptions) => Call<T>): Promise<Reply<T>> {
  return { ...(await exchange(links, make(given))), format: format(given) };
}

async function exchange<T>(links: Links, call: Call<T>): Promise<{ read: T; raw: Raw }> {
  const limit = call.timeout === undefined ? {} : { timeout_ms: call.timeout };
  const pieces = request(ID, call.method, { ...call.params, ...limit }, call.text);
  const parts = pieces.map((piece) => (typeof piece === "string" ? encode(piece) : piece));
  const document = joined(parts, parts.reduce((size, part) => size + part.length, 0));
  const bytes = await within(call.timeout, (await links.current()).answer(document));
  try {
    const read = call.read(result(bytes, ID));
    return { read, raw: { bytes, span: member(bytes, whole(bytes), "result") as Span } };
  } catch (error) {
    if (error instanceof RemoteError) throw fault(error, bytes, (parts[0] as Uint8Array).length);
    if (error instanceof Malformed) throw new ProtocolError(`a result of another shape: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Returns the fault that an error is. `head`: the bytes of the request before the document. */
function fault(error: RemoteError, bytes: Uint8Array, head: number): Fault {
  const { offset, limit } = error.data;
  const text = error.said + (typeof limit === "number" ? ` (limit ${limit})` : "");
  const at = typeof offset === "number" && offset >= head ? offset - head : null;
  if (!(error instanceof UnsafeHistory)) return new Fault(error.name, text, at);
  const raw = { bytes, span: member(bytes, whole(bytes), "error") as Span };
  return new Fault(error.name, text, null, { error, raw });
}

/** Gives up after the time that the command line gives. A daemon that hears of it stops by itself. */
async function within<T>(milliseconds: number | undefined, answer: T | Promise<T>): Promise<T> {
  if (milliseconds === undefined) return answer;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Timeout(`no answer after ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
}
