// SPDX-License-Identifier: Apache-2.0

/** The history in a document: all of it, or what --at names. */

import { decode } from "../wire/text.js";
import { Fault } from "./asking.js";
import { pointed } from "./spans.js";

/** `before` and `after` are the document's bytes around the history. */
export interface History {
  readonly before: Uint8Array;
  readonly text: Uint8Array;
  readonly after: Uint8Array;
}

function isJson(text: Uint8Array): boolean {
  try {
    JSON.parse(decode(text));
    return true;
  } catch {
    return false;
  }
}

/** Returns the history. Fault if nothing is there. Text that isn't JSON is returned whole, for the reader of the rules says why. */
export function history(text: Uint8Array, at: string | undefined): History {
  if (at === undefined || !isJson(text)) return { before: text.subarray(0, 0), text, after: text.subarray(text.length) };
  const place = pointed(text, at);
  if (place === null) throw new Fault("invalid_params", `nothing is at ${at}`);
  if (place === "twice") throw new Fault("duplicate_key", `duplicate key on the way to ${at}`);
  const { from, to } = place;
  return { before: text.subarray(0, from), text: text.subarray(from, to), after: text.subarray(to) };
}
