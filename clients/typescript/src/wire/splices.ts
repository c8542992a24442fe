// SPDX-License-Identifier: Apache-2.0

/**
 * Applies the answer of `return: "splices"` (PROTOCOL.md 5.2) to JSON text that nobody has read: each splice
 * `[offset, length, text]` replaces bytes of the value as it was sent.
 */

import { Malformed } from "../results/reading.js";
import { joined } from "./pieces.js";
import { decode, encode } from "./text.js";

/** White space that may precede the value in the caller's text: offsets count from the value's own first byte. */
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Returns the text with the splices applied; the very argument if there are none. */
export function applySplices<T extends string | Uint8Array>(text: T, splices: unknown): T {
  if (splices === undefined) return text;
  const bytes = typeof text === "string" ? encode(text) : (text as Uint8Array);
  const made = spliced(bytes, splices);
  return (typeof text === "string" ? decode(made) : made) as T;
}

function spliced(bytes: Uint8Array, splices: unknown): Uint8Array {
  const start = blanks(bytes);
  const parts: Uint8Array[] = [];
  let [at, size] = [0, 0];
  const keep = (part: Uint8Array) => {
    parts.push(part);
    size += part.length;
  };
  for (const [offset, length, text] of checked(splices)) {
    const from = start + offset;
    if (from < at || from + length > bytes.length) throw new Malformed("a splice outside the text");
    keep(bytes.subarray(at, from));
    keep(encode(text));
    at = from + length;
  }
  keep(bytes.subarray(at));
  return joined(parts, size);
}

type Splice = readonly [offset: number, length: number, text: string];

function checked(splices: unknown): readonly Splice[] {
  if (!Array.isArray(splices) || !splices.every(isSplice)) throw new Malformed("no splices");
  return splices;
}

function isSplice(splice: unknown): splice is Splice {
  if (!Array.isArray(splice) || splice.length < 3) return false;
  const [offset, length, text] = splice as unknown[];
  return isSize(offset) && isSize(length) && typeof text === "string";
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function blanks(bytes: Uint8Array): number {
  let count = 0;
  while (count < bytes.length && BLANK.has(bytes[count] as number)) count++;
  return count;
}
