// SPDX-License-Identifier: Apache-2.0

/** Fills a view with random bytes. */
export type Random = (bytes: Uint8Array<ArrayBuffer>) => void;

interface Source {
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): unknown;
}

/** Returns the engine's own source. Node 18 has it in a module, everything later as a global. */
export async function randomSource(): Promise<Random> {
  const own = (globalThis as { crypto?: Source }).crypto;
  const source: Source = own ?? (await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:crypto")).webcrypto;
  return (bytes) => void source.getRandomValues(bytes);
}
