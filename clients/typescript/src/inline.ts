// SPDX-License-Identifier: Apache-2.0

/**
 * The module inlined as text, for programs that can neither read a file nor fetch one:
 *
 *     import { wasm } from "turnkeeper/inline";
 *     const keeper = await Turnkeeper.load({ wasm: wasm() });
 */

import { MODULE } from "./inlined.js";

/** Returns the module's bytes. */
export function wasm(): Uint8Array {
  return Uint8Array.from(atob(MODULE), (character) => character.charCodeAt(0));
}
