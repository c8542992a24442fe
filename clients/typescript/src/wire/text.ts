// SPDX-License-Identifier: Apache-2.0

/** Text as bytes. */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Writes as much of a text as there is room for: how many units of it were read, how many bytes written. */
export function encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
  return encoder.encodeInto(text, target);
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

/** Returns the bytes as base64 (RFC 4648). */
export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000)); // in parts: a call takes few arguments
  }
  return btoa(text);
}
