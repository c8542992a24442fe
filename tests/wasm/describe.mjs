// SPDX-License-Identifier: Apache-2.0
// Prints a module's imports and exports, and its version, as JSON: describe.mjs MODULE.
import fs from "node:fs";
import { Instance } from "./host.mjs";

const module = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const instance = new Instance(module);
console.log(JSON.stringify({
    imports: WebAssembly.Module.imports(module).map((i) => i.name),
    exports: WebAssembly.Module.exports(module).map((e) => e.name),
    version: instance.name(instance.exports.tk_version()),
}));
