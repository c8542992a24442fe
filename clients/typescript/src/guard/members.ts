// SPDX-License-Identifier: Apache-2.0
/**
 * Finds members of an object in JSON text without reading their values.
 *
 * A guard needs three members, and only of some bodies: `stream` of a request, because a stream is opened before the
 * request leaves; `content` of a response, which is sealed as it was received; `anthropic_version` where the path
 * doesn't say whose model it is. The walk looks at
 * brackets and quotes alone. It takes the text to be JSON: the core has refused every request that isn't.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Returns where the string that begins at `at` ends (the index after its closing quote), or -1. */
function endOfString(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return -1;
}

function keyOf(spelled: string): string {
  try {
    return spelled.includes("\\") ? String(JSON.parse(spelled)) : spelled.slice(1, -1);
  } catch {
    return spelled;
  }
}

/** Returns the members of an object by name, each value as it is spelled. Empty: the text isn't an object. */
export function members(text: string): Map<string, string> {
  const found = new Map<string, string>();
  if (!text.trimStart().startsWith("{")) return found;
  let depth = 0;
  let key = "";
  let start = -1; // of the value of `key`; -1: none has begun
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfString(text, at);
      if (end < 0) return found;
      if (depth === 1 && start < 0) key = keyOf(text.slice(at, end));
      at = end - 1;
    } else if (OPENING.has(char)) {
      depth += 1;
    } else if (CLOSING.has(char)) {
      depth -= 1;
    }
    if (char === COLON && depth === 1) start = at + 1;
    const ends = depth === 0 ? CLOSING.has(char) : depth === 1 && char === COMMA;
    if (ends && start >= 0) {
      found.set(key, text.slice(start, at).trim());
      start = -1;
    }
  }
  return found;
}
