// SPDX-License-Identifier: Apache-2.0
// How the memory grows: growth.mjs MODULE. Prints "done".
//
// A host pays for each growth, whatever its size, so each is by a quarter of the memory and by 4 MiB at least. A host
// that refuses this much (here: by a maximum) is asked for what is needed alone.
import assert from "node:assert/strict";
import fs from "node:fs";
import { Instance } from "./host.mjs";
import { withMaximum } from "./memory_section.mjs";

const bytes = fs.readFileSync(process.argv[2]);
const module = new WebAssembly.Module(bytes);
const PAGE = 65536, MEBIBYTE = 1 << 20;

// A history with an edit in each second message, of about `size` bytes.
function request(size) {
    const messages = [];
    for (let n = 0; n < size / 150; n++)
        messages.push({ role: "user", content: "question " + n }, { role: "assistant", content: [
            { type: "text", text: "answer" }, { type: "tool_use", id: "toolu_" + n, name: "f", input: { n } }] });
    messages.push({ role: "user", content: "end" });
    return new TextEncoder().encode(JSON.stringify({ id: 1, method: "repair", params: { messages } }));
}

// Takes memory piece by piece, as the core does, and gives the sizes that the memory had, in bytes.
function sizes(instance, piece, total) {
    const { memory, tk_module_allocate: allocate } = instance.exports;
    const seen = [memory.buffer.byteLength];
    for (let taken = 0; taken < total; taken += piece) {
        assert.notEqual(allocate(piece), 0);
        if (memory.buffer.byteLength !== seen.at(-1)) seen.push(memory.buffer.byteLength);
    }
    return seen;
}

for (const piece of [1000, 65536, 3 * MEBIBYTE]) {
    const seen = sizes(new Instance(module), piece, 256 * MEBIBYTE);
    for (let i = 1; i < seen.length; i++) {
        const grown = seen[i] - seen[i - 1], least = Math.max(4 * MEBIBYTE, Math.floor(seen[i - 1] / PAGE / 4) * PAGE);
        assert.ok(grown >= least, `${seen[i - 1]} grew by ${grown}, with pieces of ${piece}`);
    }
    assert.ok(seen.length < 30, `${seen.length} growths`);
}

// What is needed at once is there after one growth, and nothing grows where there is room.
const large = new Instance(module);
const before = large.exports.memory.buffer.byteLength;
assert.deepEqual(sizes(large, 50 * MEBIBYTE, 1).length, 2);
assert.ok(large.exports.memory.buffer.byteLength <= before + 51 * MEBIBYTE);

// Up to the last page: an instance with a maximum of m pages more has them all.
const most = new Instance(withMaximum(bytes, 40));
const end = most.exports.memory.buffer.byteLength + 40 * PAGE;
let taken = 0;
while (most.exports.tk_module_allocate(PAGE / 2) !== 0) taken += PAGE / 2;
assert.ok(taken > 38 * PAGE, `${taken} bytes of ${40 * PAGE}`);
assert.ok(most.exports.memory.buffer.byteLength <= end);

// A call: 2 MB with edits everywhere, which finds its memory again.
const instance = new Instance(module);
const { memory } = instance.exports, document = request(2_000_000);
assert.equal(instance.call(document).error, null);
const size = memory.buffer.byteLength;
for (let n = 0; n < 5; n++) assert.equal(instance.call(document).error, null);
assert.equal(memory.buffer.byteLength, size);
console.log("done");
