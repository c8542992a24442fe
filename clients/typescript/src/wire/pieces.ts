// SPDX-License-Identifier: Apache-2.0

/** A request's bytes as pieces, so that a large text in it is copied once: to where it is read. */

import { encode } from "./text.js";

export type Piece = string | Uint8Array;

interface Counting {
  byteLength(text: string): number;
}

// Node, Bun and Deno count without encoding; elsewhere a string is encoded to be counted.
const counting = (globalThis as { Buffer?: Counting }).Buffer;

/** Pieces whose size in bytes is known. */
export interface Sized {
  readonly pieces: readonly Piece[];
  readonly size: number;
}

/** Returns the pieces with their size as UTF-8; strings may be exchanged for their bytes. */
export function sized(pieces: readonly Piece[]): Sized {
  let size = 0;
  const counted = pieces.map((piece) => {
    const known = typeof piece === "string" && counting === undefined ? encode(piece) : piece;
    size += typeof known === "string" ? (counting as Counting).byteLength(known) : known.length;
    return known;
  });
  return { pieces: counted, size };
}

/** Writes the pieces to the beginning of `target`, which has room for their size. */
export function write(pieces: readonly Piece[], target: Uint8Array): void {
  const encoder = new TextEncoder();
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      at += encoder.encodeInto(piece, target.subarray(at)).written as number;
    } else {
      target.set(piece, at);
      at += piece.length;
    }
  }
}

/** Returns the parts of a list one after the other. */
export function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
