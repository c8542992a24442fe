// SPDX-License-Identifier: Apache-2.0

/**
 * Applies the answer of `return: "splices"` (PROTOCOL.md 5.2) to JSON text that nobody has read: each splice
 * `[offset, length, text]` replaces bytes of the value as it was sent.
 */

import { Malformed } from "../results/reading.js";
import { byteLength, joined } from "./pieces.js";
import { encode } from "./text.js";

type Splice = readonly [offset: number, length: number, text: string];

/** Returns the text with the splices applied; the very argument if there are none. */
export function applySplices<T extends string | Uint8Array>(text: T, splices: unknown): T {
  if (splices === undefined) return text;
  const list = checked(splices);
  return (typeof text === "string" ? inString(text, list) : inBytes(text as Uint8Array, list)) as T;
}

function inBytes(bytes: Uint8Array, splices: readonly Splice[]): Uint8Array {
  // Offsets count from the value's own first byte: white space may precede it.
  const start = blanks(bytes.length, (at) => bytes[at] as number);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [offset, length, text] of splices) {
    const from = start + offset;
    if (from < at || from + length > bytes.length) throw outside();
    parts.push(bytes.subarray(at, from), encode(text));
    at = from + length;
  }
  parts.push(bytes.subarray(at));
  return joined(parts, parts.reduce((size, part) => size + part.length, 0));
}

function inString(whole: string, splices: readonly Splice[]): string {
  let [at, passed] = [blanks(whole.length, (n) => whole.charCodeAt(n)), 0]; // the same place, in units and in bytes
  let made = whole.slice(0, at);
  for (const [offset, length, text] of splices) {
    if (offset < passed) throw outside();
    const from = advanced(whole, at, offset - passed);
    made += whole.slice(at, from) + text;
    at = advanced(whole, from, length);
    passed = offset + length;
  }
  return made + whole.slice(at);
}

/**
 * Returns the place that is `bytes` of UTF-8 after the place `at` of a string. A unit of a string has at most three
 * bytes, so a third of what is left can be skipped at once, and counted by the engine: the time is that of one count.
 */
function advanced(text: string, at: number, bytes: number): number {
  let [here, left] = [at, bytes];
  while (left > 0) {
    let end = here + Math.max(1, Math.floor(left / 3));
    if (end > text.length) throw outside();
    if (isFirstOfPair(text.charCodeAt(end - 1))) end++;
    left -= byteLength(text.slice(here, end));
    here = end;
  }
  if (left < 0) throw outside(); // inside a character
  return here;
}

function isFirstOfPair(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Counts the white space at the beginning. */
function blanks(size: number, unit: (at: number) => number): number {
  let count = 0;
  while (count < size && BLANK.has(unit(count))) count++;
  return count;
}

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

function outside(): Malformed {
  return new Malformed("a splice outside the text");
}
