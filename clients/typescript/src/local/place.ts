// SPDX-License-Identifier: Apache-2.0

/**
 * Returns the place of the module that comes with this package. In this very form bundlers see that the file is
 * needed. The CommonJS build has another file in the place of this one, see scripts/build.mjs.
 */
export function placeOfModule(): URL {
  return new URL("../../turnkeeper.wasm", import.meta.url);
}
