// SPDX-License-Identifier: Apache-2.0
// Memory of a call is used again by the next ones, and a large document is answered: many_calls.mjs MODULE.
import assert from "node:assert/strict";
import fs from "node:fs";
import { Instance } from "./host.mjs";

const instance = new Instance(new WebAssembly.Module(fs.readFileSync(process.argv[2])));
const text = (n) => [{ role: "user", content: "x".repeat(n) }, { role: "assistant", content: [
    { type: "tool_use", id: "toolu_1", name: "read", input: {} }] }, { role: "user", content: "y".repeat(n) }];
const ask = (n) => instance.call(new TextEncoder().encode(
    JSON.stringify({ id: 1, method: "repair", params: { messages: text(n), return: "messages" } })));

// Sizes go up and down, so that blocks are split and joined.
for (let i = 0; i < 100; i++) assert.equal(ask(i * 2000).error, null);
const grown = instance.exports.memory.buffer.byteLength;
for (let i = 0; i < 400; i++) assert.equal(ask((i * 7919) % 200000).error, null);
assert.ok(instance.exports.memory.buffer.byteLength <= grown + (1 << 20), "memory grows from call to call");

const large = JSON.parse(new TextDecoder().decode(ask(30 << 20).bytes)).result;
assert.equal(large.messages[0].content.length, 30 << 20);
assert.equal(large.changed, true);
console.log("done");
