// SPDX-License-Identifier: Apache-2.0

/** What browsers have, and every other engine: the functions of node.ts without a module of Node. */

import type { Random } from "../local/random.js";
import type { Wasm } from "../local/module.js";
import type { Sockets } from "../socket/connection.js";
import { placeOfModule } from "../local/place.js";

export async function ownModule(): Promise<Wasm> {
  return placeOfModule();
}

export async function fileAt(_place: URL): Promise<Uint8Array | null> {
  return null;
}

export async function randomSource(): Promise<Random> {
  return (bytes) => void crypto.getRandomValues(bytes);
}

export async function sockets(): Promise<Sockets | null> {
  return null;
}
