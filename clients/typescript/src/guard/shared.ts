// SPDX-License-Identifier: Apache-2.0
/** The keeper in process of all guards that were given none. */

import type { Keeper } from "../keeper.js";
import { load } from "../local/local.js";

let loaded: Promise<Keeper> | undefined;

/** Loads it for the first caller. If that fails, the next caller tries again. */
export function shared(): Promise<Keeper> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}
