// SPDX-License-Identifier: Apache-2.0
// Measures turnkeeper.wasm in Node: bench_wasm.mjs MODULE FILE... FILE: a whole request in JSON.
//
// Prints a line of JSON for each file, with the microseconds of four things that take turns, so that other load of the
// machine affects all: `call`, the module with the request in its memory; `text`, the same from a string to a string;
// `fresh`, bytes to bytes in an instance of its own, whose memory has to grow, as after a large request; `json`,
// JSON.parse and JSON.stringify of the string. Each figure is what nine of ten runs take at least.
import fs from "node:fs";
import { Instance } from "../wasm/host.mjs";

const ROUNDS = 8, ROUND_MS = 80; // the first round is for the engine to compile
const [modulePath, ...files] = process.argv.slice(2);
const module = new WebAssembly.Module(fs.readFileSync(modulePath));
const encoder = new TextEncoder(), decoder = new TextDecoder();

function ways(bytes) {
    const text = decoder.decode(bytes);
    const instance = new Instance(module);
    const address = instance.copyIn(bytes);
    return {
        call: () => {
            const reply = instance.exports.tk_module_call(instance.core, 0, address, bytes.length, 0);
            instance.exports.tk_reply_free(reply);
        },
        text: () => decoder.decode(instance.call(encoder.encode(text)).bytes),
        fresh: () => new Instance(module).call(bytes),
        json: () => JSON.stringify(JSON.parse(text)),
    };
}

function round(run, took) {
    const end = performance.now() + ROUND_MS;
    while (performance.now() < end) {
        const start = performance.now();
        run();
        took.push(performance.now() - start);
    }
}

for (const file of files) {
    const bytes = fs.readFileSync(file);
    const row = { file, bytes: bytes.length };
    const runs = Object.entries(ways(bytes)).map(([name, run]) => ({ name, run, took: [] }));
    for (let i = 0; i < ROUNDS; i++)
        for (const { run, took } of runs) round(run, i > 0 ? took : []);
    for (const { name, took } of runs) row[name] = took.sort((a, b) => a - b)[Math.floor(took.length / 10)] * 1000;
    console.log(JSON.stringify(row));
}
