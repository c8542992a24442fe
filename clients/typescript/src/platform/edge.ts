// SPDX-License-Identifier: Apache-2.0

/** For routes of Next's edge runtime, which compiles no bytes: Next gives a module for an import with this ending. */

import module from "../../turnkeeper.wasm?module";

import type { Wasm } from "../local/module.js";

export { fileAt, randomSource, sockets } from "./web.js";

export async function ownModule(): Promise<Wasm> {
  return module;
}
