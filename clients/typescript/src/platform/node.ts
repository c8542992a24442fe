// SPDX-License-Identifier: Apache-2.0

/** What Node, Bun and Deno have, and other engines have not. package.json chooses between the files of this folder. */

import type { Random } from "../local/random.js";
import type { Wasm } from "../local/module.js";
import type { Sockets } from "../socket/connection.js";
import { placeOfModule } from "../local/place.js";

interface Source {
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): unknown;
}

/** Returns the module that comes with this package, or where it is. */
export async function ownModule(): Promise<Wasm> {
  return placeOfModule();
}

/** Reads a file; null where the engine has none. */
export async function fileAt(place: URL): Promise<Uint8Array | null> {
  return (await import("node:fs/promises")).readFile(place);
}

/** Returns the engine's own source. Node 18 has it in a module, everything later as a global. */
export async function randomSource(): Promise<Random> {
  const own = (globalThis as { crypto?: Source }).crypto;
  const source: Source = own ?? (await import("node:crypto")).webcrypto;
  return (bytes) => void source.getRandomValues(bytes);
}

/** Returns what opens Unix sockets; null where the engine has none. */
export async function sockets(): Promise<Sockets | null> {
  return import("node:net");
}
