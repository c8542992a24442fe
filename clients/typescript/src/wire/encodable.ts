// SPDX-License-Identifier: Apache-2.0

/** Finds what JSON.stringify refuses, because its own error says no place and may quote content. */

import { joined } from "../places.js";

const DEEPEST = 900; // containers in one another

/** Returns the first place in a value that has no form in JSON, and why; null if nothing is found. */
export function unencodable(root: unknown): { pointer: string; reason: string } | null {
  const path: string[] = [];
  const above: object[] = [];
  const look = (given: unknown): string | null => {
    if (typeof given === "bigint") return "a BigInt";
    if (typeof given !== "object" || given === null) return null;
    if (above.includes(given)) return "an object that contains itself";
    if (above.length > DEEPEST) return "nested too deeply";
    let value: unknown = given;
    try {
      const form = (given as { toJSON?: unknown }).toJSON;
      if (typeof form === "function") value = form.call(given, "");
    } catch {
      return "its toJSON() threw";
    }
    if (typeof value === "bigint") return "a BigInt";
    if (typeof value !== "object" || value === null) return null;
    above.push(given);
    for (const [key, item] of Object.entries(value)) {
      path.push(key);
      const reason = look(item);
      if (reason !== null) return reason;
      path.pop();
    }
    above.pop();
    return null;
  };
  const reason = look(root);
  return reason === null ? null : { pointer: joined(path), reason };
}
