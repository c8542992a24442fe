// SPDX-License-Identifier: Apache-2.0

/** Returns the place of the module that comes with this package: src/local/place.ts, for CommonJS. */
export function placeOfModule(): URL {
  return new URL("../../turnkeeper.wasm", "file://" + encodeURI(__dirname.replace(/\\/g, "/")) + "/");
}
