// SPDX-License-Identifier: Apache-2.0
// What turnkeeper/wasm.h says of calls: calls.mjs MODULE. Prints "done"; fails at the first thing that is untrue.
import assert from "node:assert/strict";
import fs from "node:fs";
import { Instance, JSON_ONLY } from "./host.mjs";

const module = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const instance = new Instance(module);
const { exports } = instance;
const bytes = (value) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const read = (answer) => JSON.parse(new TextDecoder().decode(answer.bytes));
const ask = (method, params, id = 1) => instance.call(bytes({ jsonrpc: "2.0", id, method, params }));
const PING_IN_MSGPACK = Uint8Array.of(0x82, 0xa2, 0x69, 0x64, 1, 0xa6, ...bytes("method"), 0xa4, ...bytes("ping"));

// Replies, and errors, which are replies, too.
assert.deepEqual(read(ask("ping")).result, { pong: true });
for (const [request, error] of [["", "parse_error"], ["{", "parse_error"], ["[]", "invalid_request"],
    [{ id: 1, method: "health" }, "method_not_found"], [{ id: 1, method: "stats" }, "method_not_found"],
    [{ id: 1, method: "repair", params: { messages: 1 } }, "invalid_params"]]) {
    const answer = instance.call(bytes(request));
    assert.equal(answer.error, error);
    assert.equal(read(answer).error.data.name, error);
}
assert.equal(ask("ping").error, null);

// Flags.
assert.equal(instance.call(PING_IN_MSGPACK).error, null);
assert.equal(instance.call(PING_IN_MSGPACK, JSON_ONLY).error, "codec_unknown");

// A notification has no bytes, and there is no piece after the last one.
assert.equal(instance.call(bytes({ method: "ping" })).bytes.length, 0);
const request = instance.copyIn(bytes({ id: 1, method: "ping" }));
const reply = exports.tk_module_call(instance.core, 0, request, bytes({ id: 1, method: "ping" }).length, 0);
const pieces = exports.tk_module_reply_pieces(reply);
let size = 0;
for (let i = 0; i < pieces; i++) size += exports.tk_module_reply_piece_size(reply, i);
assert.equal(size, exports.tk_reply_size(reply));
assert.equal(exports.tk_module_reply_piece(reply, pieces), 0);
assert.equal(exports.tk_module_reply_piece_size(reply, pieces), 0);

// 0 may be freed.
exports.tk_reply_free(reply);
exports.tk_module_free(request);
exports.tk_reply_free(0);
exports.tk_module_free(0);
exports.tk_session_free(0);
exports.tk_core_free(0);

// Streams exist in a session only, and each session has its own.
assert.equal(ask("stream.open", { stream: "s" }).error, null);
assert.equal(ask("stream.open", { stream: "s" }).error, "stream_exists");
instance.newSession();
assert.equal(ask("stream.open", { stream: "s" }).error, null);
instance.exports.tk_session_free(instance.session);
instance.session = 0;
assert.equal(ask("stream.open", { stream: "s" }).error, "method_not_found");
instance.close();

// Limits.
const limited = new Instance(module, { max_depth: 5, max_values: 30, max_answer: 1000, max_streams: 1,
    max_stream_buffer: 1000 }, new Uint8Array(16).fill(7));
const askLimited = (method, params) => limited.call(bytes({ id: 1, method, params }));
assert.equal(askLimited("validate", { messages: [[[[[]]]]] }).error, "too_deep");
assert.equal(askLimited("validate", { messages: Array(40).fill(1) }).error, "too_many_values");
assert.equal(askLimited("info", {}).error, "answer_too_large");
assert.equal(askLimited("stream.open", { stream: "a" }).error, null);
assert.equal(askLimited("stream.open", { stream: "b" }).error, "busy");
const fed = read(askLimited("stream.feed", { stream: "a", data: "y".repeat(1001) }));
assert.deepEqual(fed.result.outputs.map((o) => [o.kind, o.limit]), [["stream_too_large", 1000]]);
limited.close();
const frugal = new Instance(module, { max_memory: 300_000 });
const long = Array.from({ length: 2000 }, () => ({ role: "user", content: "q" }));
const costly = frugal.call(bytes({ id: 1, method: "repair", params: { messages: long } }));
assert.deepEqual([costly.error, read(costly).error.data.limit], ["request_too_costly", 300_000]);
assert.equal(frugal.call(bytes({ id: 1, method: "ping" })).error, null);
frugal.close();

console.log("done");
