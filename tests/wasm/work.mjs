// SPDX-License-Identifier: Apache-2.0
// The bound of a call's work: work.mjs MODULE. Prints "done".
//
// A call ends after the polls that its host allows, and not before. It answers then with an error, and the instance goes on.
// What the module allows by itself is far beyond what requests need in which everything is wrong.
import assert from "node:assert/strict";
import fs from "node:fs";
import { Instance } from "./host.mjs";

const module = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const instance = new Instance(module);
const { exports } = instance;
const work = exports.tk_module_allocate(12);
const ALL = 2 ** 32 - 1;
const FEW = 2; // polls more or less: memory that an earlier call left is used again

// Calls with members of tk_module_work; gives the answer and what `most` and `done` are after it.
function call(request, most, stop = 0, session = 0) {
    const at = instance.copyIn(request);
    new Uint32Array(exports.memory.buffer, work, 3).set([most, stop, 77]);
    const reply = exports.tk_module_call(instance.core, session, at, request.length, 0, work);
    const [allowed, , done] = new Uint32Array(exports.memory.buffer, work, 3);
    const answer = { error: instance.name(exports.tk_module_reply_error(reply)), bytes: instance.answer(reply), allowed, done };
    exports.tk_reply_free(reply);
    exports.tk_module_free(at);
    return answer;
}

const document = (method, params) => new TextEncoder().encode(JSON.stringify({ id: 1, method, params }));
const user = (content) => ({ role: "user", content }), assistant = (content) => ({ role: "assistant", content });
const COUNT = 3000;
const repeated = (make) => Array.from({ length: COUNT }, (_, n) => make(n)).flat();
const called = (n) => ({ type: "tool_use", id: "t" + n, name: "f", input: {} });
const chatCall = (n) => ({ role: "assistant", tool_calls: [{ id: "c" + n, type: "function", function: { name: "f", arguments: "{}" } }] });
const item = (n) => ({ type: "function_call", call_id: "c" + n, name: "f", arguments: "{}" });

// Short messages with a fault each.
const FAULTY = {
    anthropic: [repeated(() => [user(""), assistant("")]), repeated((n) => [user("q"), assistant([called(n)])]),
        [user("q"), assistant(repeated(() => called(1))), user("q")],
        [user(repeated((n) => ({ type: "tool_result", tool_use_id: "t" + n })))]],
    "openai-chat": [repeated(() => ({ role: "x", content: "" })), repeated((n) => [chatCall(n), user("q")]),
        repeated((n) => ({ role: "tool", tool_call_id: "c" + n, content: "" }))],
    "openai-responses": [repeated((n) => [item(n), user("q")]), repeated((n) => ({ type: "reasoning", summary: [], id: "rs_" + n })),
        repeated((n) => [{ type: "function_call_output", call_id: "c" + n, output: "" }, item(n)])],
};

function* requests() {
    for (const [provider, histories] of Object.entries(FAULTY))
        for (const messages of histories)
            for (const policy of ["conservative", "preserve"]) {
                yield document("validate", { provider, messages, policy });
                yield document("repair", { provider, messages, policy, guard: false });
            }
}

for (const request of requests()) {
    const whole = call(request, ALL);
    assert.equal(whole.error, null);
    assert.ok(whole.done > 10, "polls: " + whole.done);
    assert.ok(whole.done * 20 < exports.tk_module_most_polls(request.length), `${whole.done} polls of ${request.length} bytes`);
    const usual = call(request, 0);
    assert.equal(usual.allowed, exports.tk_module_most_polls(request.length));
    for (const same of [usual, call(request, whole.done + FEW)]) {
        assert.ok(Math.abs(same.done - whole.done) <= FEW, `${whole.done} polls, and then ${same.done}`);
        assert.deepEqual(same.bytes, whole.bytes);
    }
    for (const most of [1, 2, whole.done >> 1, whole.done - FEW - 1]) {
        const ended = call(request, most);
        assert.equal(ended.error, "deadline_exceeded", `${most} of ${whole.done} polls`);
        assert.equal(ended.done, most + 1);
        const { error } = JSON.parse(new TextDecoder().decode(ended.bytes));
        assert.deepEqual([error.code, error.data.name, error.data.retryable], [-32013, "deadline_exceeded", true]);
    }
    const stopped = call(request, ALL, 1);
    assert.equal(stopped.error, "deadline_exceeded");
    assert.equal(stopped.done, 1);
}

// What is allowed grows with the request, up to the largest that an address space has.
assert.ok(exports.tk_module_most_polls(0) >= 1000);
for (let size = 1024; size < 2 ** 32; size *= 2)
    assert.ok(exports.tk_module_most_polls(size) >>> 0 > exports.tk_module_most_polls(size / 2) >>> 0, "size " + size);

// What a stream was fed counts for the calls that come later.
const feed = (method, params) => call(document(method, { stream: "s", ...params }), 0, 0, instance.session);
assert.equal(feed("stream.open", {}).error, null);
const small = feed("stream.feed", { data: "event: ping\n" }).allowed;
assert.equal(feed("stream.feed", { data: "data: " + "x".repeat(1_000_000) }).error, null);
assert.ok(feed("stream.feed", { data: "y" }).allowed > small * 2);
console.log("done");
