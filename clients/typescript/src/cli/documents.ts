// SPDX-License-Identifier: Apache-2.0

/** The documents of a file: the whole of it, or one a line. */

const LF = 0x0a;

/** One document. `end`: the bytes after it that belong to its line. */
export interface Part {
  readonly text: Uint8Array;
  readonly end: Uint8Array;
  /** The line's number, counted from 1; null: the file is one document. */
  readonly line: number | null;
}

/**
 * Returns the lines of a file, or the whole file as one document: it is JSONL if asked for, or if two lines or more
 * begin like a document and the first is whole and not larger than `most` bytes.
 */
export function parts(bytes: Uint8Array, jsonl: boolean, most: number): Part[] {
  const lines = split(bytes);
  if (jsonl || isJsonl(lines, most)) return lines;
  return [{ text: bytes, end: new Uint8Array(0), line: null }];
}

export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}

function split(bytes: Uint8Array): Part[] {
  const found: Part[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lf = bytes.indexOf(LF, at);
    const stop = lf < 0 ? bytes.length : lf;
    const next = lf < 0 ? stop : stop + 1;
    found.push({ text: bytes.subarray(at, stop), end: bytes.subarray(stop, next), line: found.length + 1 });
    at = next;
  }
  return found;
}

function isJsonl(lines: readonly Part[], most: number): boolean {
  const [first, ...more] = lines.filter(({ text }) => !isBlank(text));
  if (first === undefined || more.length === 0 || first.text.length > most) return false;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(first.text));
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
