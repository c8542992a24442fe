// SPDX-License-Identifier: Apache-2.0

/** For workerd, which compiles no bytes: it takes modules that are imported, and wrangler bundles them. */

import module from "../../turnkeeper.wasm";

import type { Wasm } from "../local/module.js";

export { fileAt, randomSource, sockets } from "./web.js";

export async function ownModule(): Promise<Wasm> {
  return module;
}
