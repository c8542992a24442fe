// SPDX-License-Identifier: Apache-2.0
// Runs a program for wasm32-wasi without any folder or argument: run_wasi.mjs FILE. It has the program's exit code.
import fs from "node:fs";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", returnOnExit: true });
const module = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
