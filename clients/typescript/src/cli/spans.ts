// SPDX-License-Identifier: Apache-2.0

/**
 * Places of values in the bytes of a JSON document, so that a value can be taken out or exchanged without a change of any
 * other byte, and printed without a change of its numbers. The document must be JSON: whoever asks has parsed it.
 */

import { decode } from "../wire/text.js";

/** The bytes from `from` up to `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Member extends Span {
  readonly key: string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function afterSpace(bytes: Uint8Array, at: number): number {
  while (isSpace(bytes[at])) at++;
  return at;
}

function afterString(bytes: Uint8Array, at: number): number {
  for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at + 1;
}

/** Returns the end of a number, true, false or null. */
function afterWord(bytes: Uint8Array, at: number): number {
  const ends = (byte: number | undefined): boolean =>
    byte === undefined || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isSpace(byte);
  while (!ends(bytes[at])) at++;
  return at;
}

/** Returns the end of the value that begins at `at`. */
function afterValue(bytes: Uint8Array, at: number): number {
  let depth = 0;
  do {
    const byte = bytes[at];
    const opens = byte === OPEN_LIST || byte === OPEN_OBJECT;
    if (byte === QUOTE) at = afterString(bytes, at);
    else if (depth === 0 && !opens) return afterWord(bytes, at);
    else {
      if (opens) depth++;
      if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
      at++;
    }
  } while (depth > 0 && at < bytes.length);
  return at;
}

/** Returns the value without white space around it. */
export function whole(bytes: Uint8Array): Span {
  const from = afterSpace(bytes, 0);
  return { from, to: afterValue(bytes, from) };
}

/** Returns the members of an object; none if the value is something else. */
export function members(bytes: Uint8Array, { from, to }: Span): Member[] {
  const found: Member[] = [];
  if (bytes[from] !== OPEN_OBJECT) return found;
  for (let at = afterSpace(bytes, from + 1); at < to && bytes[at] === QUOTE; ) {
    const end = afterString(bytes, at);
    const key = JSON.parse(decode(bytes.subarray(at, end))) as string;
    at = afterSpace(bytes, end);
    if (bytes[at] !== COLON) break;
    const value = afterSpace(bytes, at + 1);
    const next = afterValue(bytes, value);
    found.push({ key, from: value, to: next });
    at = afterSpace(bytes, next);
    if (bytes[at] === COMMA) at = afterSpace(bytes, at + 1);
  }
  return found;
}

/** Returns the items of a list; none if the value is something else. */
export function items(bytes: Uint8Array, { from, to }: Span): Span[] {
  const found: Span[] = [];
  if (bytes[from] !== OPEN_LIST) return found;
  for (let at = afterSpace(bytes, from + 1); at < to && bytes[at] !== CLOSE_LIST; ) {
    const next = afterValue(bytes, at);
    found.push({ from: at, to: next });
    at = afterSpace(bytes, next);
    if (bytes[at] === COMMA) at = afterSpace(bytes, at + 1);
  }
  return found;
}

/** Returns the value of a member; null if the object has none of that name. */
export function member(bytes: Uint8Array, object: Span, key: string): Span | null {
  return members(bytes, object).find((one) => one.key === key) ?? null;
}

/** Returns the value that a JSON pointer names; "twice" if an object on its way has that name twice; null if nothing is there. */
export function pointed(bytes: Uint8Array, pointer: string): Span | "twice" | null {
  let place = whole(bytes);
  if (pointer === "") return place;
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return null;
  for (const word of pointer.slice(1).split("/")) {
    const key = word.replace(/~1/g, "/").replace(/~0/g, "~");
    const fit: Span[] = members(bytes, place).filter((one) => one.key === key);
    const item = /^(0|[1-9][0-9]*)$/.test(word) ? items(bytes, place)[Number(word)] : undefined;
    if (item !== undefined) fit.push(item);
    if (fit.length > 1) return "twice";
    if (fit[0] === undefined) return null;
    place = fit[0];
  }
  return place;
}

/** Returns the value's bytes without white space between its parts. */
export function compact(bytes: Uint8Array, { from, to }: Span): Uint8Array {
  const made = new Uint8Array(to - from);
  let size = 0;
  for (let at = from; at < to; ) {
    const next = bytes[at] === QUOTE ? afterString(bytes, at) : at + 1;
    if (next > at + 1 || !isSpace(bytes[at])) {
      made.set(bytes.subarray(at, next), size);
      size += next - at;
    }
    at = next;
  }
  return made.subarray(0, size);
}
