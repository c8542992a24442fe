// SPDX-License-Identifier: Apache-2.0
/** Undoes and makes the content codings of HTTP bodies, which the core doesn't know. */

import { EncodeError } from "../errors.js";
import { joined } from "../wire/pieces.js";

const UNREADABLE = "a body in a content coding that can't be undone here";

interface Coding {
  /** Gives undefined if that makes more than `limit` bytes. */
  readonly undo: (data: Uint8Array, limit: number) => Promise<Uint8Array | undefined>;
  readonly make: (data: Uint8Array) => Promise<Uint8Array>;
}

function through(data: Uint8Array, change: TransformStream): ReadableStream<Uint8Array> {
  return new Blob([data as BlobPart]).stream().pipeThrough(change);
}

/** Returns all that is read; undefined as soon as that is more than `limit` bytes, and then reads no further. */
async function bounded(source: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const reader = source.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > limit) {
      reader.cancel().catch(() => {}); // the decoder's complaint about what wasn't read
      return undefined;
    }
    chunks.push(next.value);
  }
  return joined(chunks, size);
}

const AS_IS: Coding = { undo: async (data) => data, make: async (data) => data };

function platforms(name: "gzip" | "deflate"): Coding {
  return {
    undo: (data, limit) => bounded(through(data, new DecompressionStream(name)), limit),
    make: async (data) => new Uint8Array(await new Response(through(data, new CompressionStream(name))).arrayBuffer()),
  };
}

const CODINGS: Readonly<Record<string, Coding>> = {
  identity: AS_IS,
  gzip: platforms("gzip"),
  deflate: platforms("deflate"),
};

/** Returns a body without its coding; EncodeError where that can't be undone here, or makes more than `limit` bytes. */
export async function plain(data: Uint8Array, coding: string, limit: number): Promise<Uint8Array> {
  const known = Object.hasOwn(CODINGS, coding) ? CODINGS[coding] : undefined;
  if (!known || (data.length === 0 && known !== AS_IS)) throw new EncodeError(UNREADABLE);
  let body: Uint8Array | undefined;
  try {
    body = await known.undo(data, limit);
  } catch {
    throw new EncodeError(UNREADABLE); // of another coding, or cut; without anything of the data
  }
  if (body === undefined) throw new EncodeError(`a body of more than ${limit} bytes without its coding`);
  return body;
}

/** Returns a body in a coding that `plain` has undone. */
export async function packed(data: Uint8Array, coding: string): Promise<Uint8Array> {
  return (CODINGS[coding] ?? AS_IS).make(data);
}
