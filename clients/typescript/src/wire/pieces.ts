// SPDX-License-Identifier: Apache-2.0

/** A request's bytes as pieces, so that a large text in it is copied once: to where it is read. */

import { encode, encodeInto } from "./text.js";

export type Piece = string | Uint8Array;

interface Counting {
  byteLength(text: string): number;
}

// Node, Bun and Deno count without encoding; elsewhere a string is encoded to be counted.
const counting = (globalThis as { Buffer?: Counting }).Buffer;

/** Returns the size of a string as UTF-8. */
export function byteLength(text: string): number {
  return counting === undefined ? encode(text).length : counting.byteLength(text);
}

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

/** Returns bytes that pieces fit in if most of their characters are ASCII. Counting a long string costs as much as writing it. */
export function likelySize(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length + (typeof piece === "string" ? (piece.length >> 4) + 16 : 0), 0);
}

/** Returns bytes that pieces fit in certainly: a unit of a string has at most three. */
export function largestSize(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length * (typeof piece === "string" ? 3 : 1), 0);
}

/** Writes the pieces to the beginning of `target`. Returns how many bytes they have; null if there is no room. */
export function write(pieces: readonly Piece[], target: Uint8Array): number | null {
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      const { read, written } = encodeInto(piece, target.subarray(at));
      if (read < piece.length) return null;
      at += written;
    } else {
      if (at + piece.length > target.length) return null;
      target.set(piece, at);
      at += piece.length;
    }
  }
  return at;
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
