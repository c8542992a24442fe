// SPDX-License-Identifier: Apache-2.0
// The module with a small maximum of memory: little_memory.mjs MODULE.
//
// Each call gives the answer that it gives with enough memory, or none, or a trap; never another one but `internal`,
// which says that it couldn't be answered. After no answer the host makes a new instance, which works.
import assert from "node:assert/strict";
import fs from "node:fs";
import { Instance, NoMemory } from "./host.mjs";
import { withMaximum } from "./memory_section.mjs";

const bytes = fs.readFileSync(process.argv[2]);
const PAGE = 65536;

function requests() {
    const call = (i) => ({ type: "tool_use", id: "toolu_" + i, name: "read", input: { path: "a".repeat(i % 50) } });
    const history = (n) => Array.from({ length: n }, (_, i) => ({ role: i % 2 ? "assistant" : "user",
        content: i % 2 ? [{ type: "text", text: "t".repeat(100) }, call(i)] : "question " + "q".repeat(100) }));
    return [1, 10, 100, 1000, 4000].flatMap((n) => ["validate", "repair"].map((method) => new TextEncoder().encode(
        JSON.stringify({ id: n, method, params: { messages: history(n) } }))));
}

const PING = new TextEncoder().encode('{"id":1,"method":"ping"}');
const enough = new Instance(new WebAssembly.Module(bytes));
const wanted = requests().map((request) => [request, Buffer.from(enough.call(request).bytes)]);
let answered = 0, unanswered = 0;

for (let more = 0; more <= 64; more = more * 2 || 1) {
    const module = withMaximum(bytes, more);
    let instance = null;
    for (const [request, answer] of wanted) {
        try {
            instance ??= new Instance(module);
            const got = instance.call(request);
            if (got.error === null) assert.deepEqual(Buffer.from(got.bytes), answer);
            else assert.equal(got.error, "internal");
            got.error === null ? answered++ : unanswered++;
            assert.ok(instance.exports.memory.buffer.byteLength <= enough.exports.memory.buffer.byteLength + 64 * PAGE);
        } catch (error) {
            assert.ok(error instanceof NoMemory || error instanceof WebAssembly.RuntimeError, error);
            unanswered++;
            instance = null;
        }
    }
    if (more >= 4) assert.equal(new Instance(module).call(PING).error, null);
}
assert.ok(answered > 5, "answered " + answered);
assert.ok(unanswered > 5, "unanswered " + unanswered);
console.log(answered, "answered,", unanswered, "not");
console.log("done");
