// SPDX-License-Identifier: Apache-2.0

/** Finds, compiles and instantiates the module. */

import { fileAt, ownModule } from "#platform";
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
  return wasm === undefined ? ownCompiled() : compiledFrom(wasm);
}

/** Makes an instance. It imports nothing. */
export function instantiated(module: CompiledModule): Exports {
  return new WebAssembly.Instance(module as WebAssembly.Module, {}).exports as unknown as Exports;
}

/** The module of this package; its error says what to do where a bundler lost it. */
async function ownCompiled(): Promise<CompiledModule> {
  let source: Wasm | undefined;
  try {
    source = await ownModule();
    return await compiledFrom(source);
  } catch (cause) {
    throw new Error(lost(source, cause), { cause });
  }
}

function lost(source: Wasm | undefined, cause: unknown): string {
  const said = cause instanceof Error ? cause.message : String(cause);
  const place = source instanceof URL ? ` at ${source.href}` : "";
  return `turnkeeper.wasm can't be used${place}: ${said}. Where a bundler has left it out, copy the file ` +
    'node_modules/turnkeeper/dist/turnkeeper.wasm there, or inline it: import { wasm } from "turnkeeper/inline" and ' +
    'Turnkeeper.load({ wasm: wasm() }). Engines that compile no bytes take the module that ' +
    'import module from "turnkeeper/turnkeeper.wasm" gives: Turnkeeper.load({ wasm: module }).';
}

async function compiledFrom(source: Wasm): Promise<CompiledModule> {
  if (isModule(source)) return source;
  return WebAssembly.compile((await bytesOf(source)) as Uint8Array<ArrayBuffer>);
}

/** Tells a compiled module, of another realm too: Next runs its edge routes in one. */
function isModule(source: Wasm): source is CompiledModule {
  return Object.prototype.toString.call(source) === "[object WebAssembly.Module]";
}

async function bytesOf(source: Wasm): Promise<Uint8Array | ArrayBuffer> {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return source;
  if (source instanceof URL) return (source.protocol === "file:" && (await fileAt(source))) || bytesOf(await fetched(source));
  if ("arrayBuffer" in source && typeof source.arrayBuffer === "function") return source.arrayBuffer();
  throw new TypeError("wasm: bytes, a WebAssembly.Module, a URL or a Response");
}

async function fetched(place: URL): Promise<Fetched> {
  const response = await fetch(place);
  if (!response.ok) throw new Error(`${place.href}: status ${response.status}`);
  return response;
}
