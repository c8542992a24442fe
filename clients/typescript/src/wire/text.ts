// SPDX-License-Identifier: Apache-2.0

/** Text as bytes. */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Returns the text, or null if the bytes aren't UTF-8, as a chunk that ends inside a character. */
export function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** Returns false for a string with half of a surrogate pair, which has no form in UTF-8. */
export function isWellFormed(text: string): boolean {
  const own = (text as { isWellFormed?: () => boolean }).isWellFormed; // Node 20 and later
  return own === undefined ? !/\p{Surrogate}/u.test(text) : own.call(text);
}

/** Returns the bytes as base64 (RFC 4648). */
export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000)); // in parts: a call takes few arguments
  }
  return btoa(text);
}
