// SPDX-License-Identifier: Apache-2.0
/** A folder for missed requests, in Node, Bun and Deno: its own entry of the package, since browsers have no files. */

import { randomBytes } from "node:crypto";
import { closeSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";

import type { SaveMiss } from "../guard/misses.js";

export type { SavedMiss, SaveMiss } from "../guard/misses.js";

const MOST_FILES = 100;
const OURS = /^miss-.*\.json$/;

/**
 * Returns what the option `saveMiss` of `guardFetch` takes: each missed request becomes a file `miss-RANDOM.json` that only its
 * owner can read, with provider, status, code and the redacted request. The folder has to exist, else this throws
 * the system's error. It gets at most 100 such files; the guard's log says once that no more are written.
 */
export function missFolder(folder: string): SaveMiss {
  const path = resolve(folder);
  if (!statSync(path).isDirectory()) throw new TypeError(`missFolder: ${path} is not a folder`);
  // Synchronous, so that nobody creates a file between the count and the next one.
  return (miss) => {
    const files = readdirSync(path).filter((name) => OURS.test(name));
    if (files.length >= MOST_FILES) throw new Error(`${path} has ${MOST_FILES} of them`);
    const file = join(path, `miss-${randomBytes(8).toString("hex")}.json`);
    write(file, JSON.stringify(miss) + "\n");
    return file;
  };
}

/** Creates a file; if it can't be written whole there is none. */
function write(file: string, text: string): void {
  const bytes = Buffer.from(text);
  const to = openSync(file, "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(to, bytes, at);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(to);
  }
}
