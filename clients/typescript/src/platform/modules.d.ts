// SPDX-License-Identifier: Apache-2.0

/** Modules as bundlers for workers give them: a WebAssembly.Module. */

declare module "*.wasm" {
  const module: object;
  export default module;
}

declare module "*.wasm?module" {
  const module: object;
  export default module;
}
