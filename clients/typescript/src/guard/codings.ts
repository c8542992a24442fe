// SPDX-License-Identifier: Apache-2.0
/** Undoes and makes the content codings of HTTP bodies, which the core doesn't know. */

import { EncodeError } from "../errors.js";

type Change = (data: Uint8Array) => Promise<Uint8Array>;

interface Coding {
  readonly undo: Change;
  readonly make: Change;
}

async function through(data: Uint8Array, change: TransformStream): Promise<Uint8Array> {
  const source = new Blob([data as BlobPart]).stream();
  return new Uint8Array(await new Response(source.pipeThrough(change)).arrayBuffer());
}

const AS_IS: Coding = { undo: async (data) => data, make: async (data) => data };

function platforms(name: "gzip" | "deflate"): Coding {
  return {
    undo: (data) => through(data, new DecompressionStream(name)),
    make: (data) => through(data, new CompressionStream(name)),
  };
}

const CODINGS: Readonly<Record<string, Coding>> = {
  identity: AS_IS,
  gzip: platforms("gzip"),
  deflate: platforms("deflate"),
};

/** Returns a body without its coding; EncodeError where that can't be undone here. */
export async function plain(data: Uint8Array, coding: string): Promise<Uint8Array> {
  const known = Object.hasOwn(CODINGS, coding) ? CODINGS[coding] : undefined;
  try {
    if (known && (data.length > 0 || known === AS_IS)) return await known.undo(data);
  } catch {
    // The data are of another coding, or cut: told below, without anything of them.
  }
  throw new EncodeError("a body in a content coding that can't be undone here");
}

/** Returns a body in a coding that `plain` has undone. */
export async function packed(data: Uint8Array, coding: string): Promise<Uint8Array> {
  return (CODINGS[coding] ?? AS_IS).make(data);
}
