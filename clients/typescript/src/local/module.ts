// SPDX-License-Identifier: Apache-2.0

/** Finds, compiles and instantiates the module. */

import { placeOfModule } from "./place.js";
import type { Exports } from "./instance.js";

/**
 * Where the module comes from: its bytes, the compiled WebAssembly.Module, a place to read it from (a file or what
 * `fetch` takes), or what `fetch` gives. Absent: the file that comes with this package.
 */
export type Wasm = Uint8Array | ArrayBuffer | URL | CompiledModule | Fetched;

/** A WebAssembly.Module, as bundlers for workers give it. */
export type CompiledModule = object;

/** A Response of `fetch`. */
export interface Fetched {
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Returns the compiled module. */
export async function compiled(wasm: Wasm | undefined): Promise<CompiledModule> {
  const source = wasm ?? placeOfModule();
  if (source instanceof WebAssembly.Module) return source;
  return WebAssembly.compile((await bytesOf(source)) as Uint8Array<ArrayBuffer>);
}

/** Makes an instance. It imports nothing. */
export function instantiated(module: CompiledModule): Exports {
  return new WebAssembly.Instance(module as WebAssembly.Module, {}).exports as unknown as Exports;
}

async function bytesOf(source: Wasm): Promise<Uint8Array | ArrayBuffer> {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return source;
  if (source instanceof URL) return source.protocol === "file:" ? fromFile(source) : bytesOf(await fetched(source));
  if ("arrayBuffer" in source && typeof source.arrayBuffer === "function") return source.arrayBuffer();
  throw new TypeError("wasm: bytes, a WebAssembly.Module, a URL or a Response");
}

async function fetched(place: URL): Promise<Fetched> {
  const response = await fetch(place);
  if (!response.ok) throw new Error(`${place.href}: status ${response.status}`);
  return response;
}

async function fromFile(place: URL): Promise<Uint8Array> {
  const files = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
  return files.readFile(place);
}
