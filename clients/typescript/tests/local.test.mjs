// SPDX-License-Identifier: Apache-2.0

/** In process: whatever ends an instance of the module ends one call, and never the process. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import {
  Aborted, ConnectionLost, DeadlineExceeded, FrameTooLarge, InternalError, InvalidParams, RequestTooCostly, TooDeep, Turnkeeper,
} from "turnkeeper";

const file = createRequire(import.meta.url).resolve("turnkeeper/turnkeeper.wasm");
const SEARCH = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "rain" } };
const ORPHAN = [
  { role: "user", content: "Is it raining?" },
  { role: "assistant", content: [{ type: "text", text: "I'll look." }, SEARCH] },
  { role: "user", content: "And tomorrow?" },
];
const START =
  'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant",' +
  '"content":[],"model":"x","stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}\n\n';

/** The module with memory that can't grow beyond `pages` of 64 KiB: the limits in its memory section are changed. */
function withMemory(pages) {
  const bytes = new Uint8Array(readFileSync(file));
  const number = (at) => {
    let [value, shift, end] = [0, 0, at];
    for (;;) {
      const byte = bytes[end++];
      value += (byte & 0x7f) * 2 ** shift;
      shift += 7;
      if (byte < 0x80) return [value, end];
    }
  };
  const encoded = (value) => {
    const out = [];
    for (; value >= 0x80; value = Math.floor(value / 0x80)) out.push((value & 0x7f) | 0x80);
    return [...out, value];
  };
  for (let at = 8; at < bytes.length; ) {
    const [size, body] = number(at + 1);
    if (bytes[at] === 5) {
      const [least] = number(body + 2);
      const section = [1, 1, ...encoded(least), ...encoded(Math.max(least, pages))];
      return Uint8Array.from([...bytes.subarray(0, at), 5, ...encoded(section.length), ...section, ...bytes.subarray(body + size)]);
    }
    at = body + size;
  }
  throw new Error("the module has no memory section");
}

const large = (size) => [{ role: "user", content: "a".repeat(size) }];

test("no memory is InternalError, and the next call is answered", async () => {
  const keeper = await Turnkeeper.load({ wasm: withMemory(64) }); // 4 MiB
  assert.throws(() => keeper.repair(large(8 << 20)), InternalError);
  assert.equal(keeper.repair(ORPHAN).changed, true);
  assert.throws(() => keeper.validate(large(8 << 20)), { name: "internal", code: -32603, retryable: false });
  assert.equal(keeper.validate(ORPHAN).valid, false);
});

test("a stream is lost with its instance, and others begin", async () => {
  const keeper = await Turnkeeper.load({ wasm: withMemory(64) });
  const stream = keeper.stream();
  assert.deepEqual(stream.feed(START), []);
  assert.throws(() => keeper.repair(large(8 << 20)), InternalError);
  assert.equal(stream.state, "lost");
  for (const use of [() => stream.feed(START), () => stream.finish()]) {
    assert.throws(use, (error) => error instanceof ConnectionLost && !error.retryable);
  }
  stream.close();
  const next = keeper.stream();
  assert.equal(next.state, "open");
  next.close();
});

test("a stream that ends its own instance says so", async () => {
  const keeper = await Turnkeeper.load({ wasm: withMemory(64) });
  const stream = keeper.stream();
  stream.feed(START);
  assert.throws(() => stream.feed("data: " + "a".repeat(8 << 20)), ConnectionLost);
  assert.equal(stream.state, "lost");
  assert.equal(keeper.ping("still here").echo, "still here");
});

test("a trap ends one call only", async () => {
  const keeper = await Turnkeeper.load();
  const current = keeper.current();
  const trap = new WebAssembly.Module(
    Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11),
  ); // one function, whose only instruction is `unreachable`
  current.exports = { ...current.exports, tk_module_call: new WebAssembly.Instance(trap, {}).exports.t };
  assert.throws(() => keeper.repair(ORPHAN), (error) => {
    return error instanceof InternalError && error.cause instanceof WebAssembly.RuntimeError;
  });
  assert.equal(keeper.repair(ORPHAN).safe, true);
});

test("a document over the limit is refused before it is copied", async () => {
  const limit = 1 << 20;
  const keeper = await Turnkeeper.load({ limits: { maxFrame: limit } });
  const memory = () => keeper.current().memorySize;
  keeper.ping();
  const before = memory();
  for (const text of ["a".repeat(limit), "é".repeat(limit / 2)]) {
    assert.throws(() => keeper.repair([{ role: "user", content: text }]), (error) => {
      return error instanceof FrameTooLarge && error.limit === limit && error.code === -32010;
    });
  }
  assert.throws(() => keeper.repairBody(new Uint8Array(limit)), FrameTooLarge);
  assert.equal(memory(), before);
  const room = limit - Buffer.byteLength('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"echo":""}}') - 1;
  assert.equal(keeper.ping("a".repeat(room)).echo.length, room);
});

test("an instance that has grown is replaced once no stream is open in it", async () => {
  const keeper = await Turnkeeper.load({ limits: { maxMemory: 8 << 20 } });
  const first = keeper.current();
  const stream = keeper.stream();
  keeper.validate(large(8 << 20));
  assert.equal(keeper.current(), first);
  assert.deepEqual(stream.feed(START), []);
  stream.close();
  assert.notEqual(keeper.current(), first);
  assert.ok(keeper.current().memorySize < 8 << 20);
});

test("a call ends after about its time, and the next one is answered", async () => {
  const keeper = await Turnkeeper.load();
  const call = (n) => ({ type: "tool_use", id: `toolu_${n}`, name: "look", input: {} });
  const long = Array.from({ length: 20_000 }, (_, n) => [
    { role: "user", content: "q" }, { role: "assistant", content: [call(n)] }]).flat().concat({ role: "user", content: "q" });
  const whole = keeper.repair(long);
  for (const time of [{ timeoutMs: 1 }, { timeout: 1 }, { timeoutMs: 1, timeout: 60_000 }, { timeoutMs: 60_000, timeout: 1 }]) {
    const why = (error) => error instanceof DeadlineExceeded && error.retryable && error.data.name === "deadline_exceeded";
    assert.throws(() => keeper.repair(long, time), why, JSON.stringify(time));
  }
  assert.equal(keeper.ping().pong, true);
  for (const time of [{}, { timeoutMs: 60_000 }, { timeout: Infinity }, { timeout: 1e15 }]) {
    assert.equal(keeper.repair(long, time).edits.length, whole.edits.length);
  }
});

test("a request that makes too much memory is RequestTooCostly, and the next one is answered", async () => {
  const call = (n) => ({ type: "tool_use", id: `toolu_${n}`, name: "look", input: {} });
  const many = Array.from({ length: 20_000 }, (_, n) => [
    { role: "user", content: "q" }, { role: "assistant", content: [call(n)] }]).flat();
  for (const limit of [300_000, 8_000_000]) { // met while the request is read, before its id is known, and while it is judged
    const keeper = await Turnkeeper.load({ limits: { maxRequestMemory: limit } });
    assert.throws(() => keeper.repair(many), (error) => error instanceof RequestTooCostly && error.limit === limit);
    assert.equal(keeper.repair(many.slice(0, 1)).safe, true);
  }
});

test("limits are the module's, and a wrong one is told by its name", async () => {
  const keeper = await Turnkeeper.load({ limits: { maxDepth: 8, maxStreamBuffer: 1000 } });
  let deep = "x";
  for (let n = 0; n < 8; n++) deep = [deep];
  assert.throws(() => keeper.ping(deep), TooDeep);
  const stream = keeper.stream();
  const outputs = stream.feed(START.repeat(10));
  assert.equal(outputs.at(-1).kind, "stream_too_large");
  await assert.rejects(Turnkeeper.load({ limits: { maxFrame: 0 } }), /maxFrame/);
  await assert.rejects(Turnkeeper.load({ limits: { frame: 1 } }), /"frame" is none of/);
});

test("the module may be given in every form", async () => {
  const bytes = readFileSync(file);
  const module = await WebAssembly.compile(bytes);
  const { wasm } = await import("turnkeeper/inline");
  const forms = [bytes, new Uint8Array(bytes).buffer, module, new URL("file://" + file), new Response(bytes), wasm()];
  for (const form of [...forms, Promise.resolve(module)]) {
    const keeper = await Turnkeeper.load({ wasm: form });
    assert.equal(keeper.repair(ORPHAN).edits[0].code, "provider_executed_call_without_result");
  }
  await assert.rejects(Turnkeeper.load({ wasm: "turnkeeper.wasm" }), TypeError);
});

test("CommonJS has the same, and finds the module", async () => {
  const own = createRequire(import.meta.url)("turnkeeper");
  const keeper = await own.Turnkeeper.load();
  assert.throws(() => keeper.repair(ORPHAN, { policy: "nobody's" }), own.InvalidParams);
});

test("arguments that can't be sent are told with their place", async () => {
  const keeper = await Turnkeeper.load();
  const round = {};
  round.self = round;
  for (const [value, pointer] of [[{ n: 1n }, "/params/messages/0/n"], [{ round }, "/params/messages/0/round/self"]]) {
    assert.throws(() => keeper.repair([value]), { name: "not_encodable", pointer });
  }
  assert.throws(() => keeper.repairBody({ messages: [] }), TypeError);
  assert.throws(() => keeper.repair("text"), TypeError);
  assert.throws(() => keeper.repair(ORPHAN, { signal: AbortSignal.abort() }), Aborted);
  assert.throws(() => keeper.repair(ORPHAN, { nobodys: 1 }), InvalidParams);
});

test("text keeps what UTF-8 has no form for, and may have any characters", async () => {
  const keeper = await Turnkeeper.load();
  for (const word of ["\ud800", "雨".repeat(1000), "\u{1f327}".repeat(1000)]) {
    const text = `{"note":"${word}","messages":${JSON.stringify(ORPHAN)}}`;
    const fixed = keeper.repairBody(text);
    assert.equal(fixed.body, `{"note":"${word}","messages":${JSON.stringify(keeper.repair(ORPHAN).messages)}}`);
  }
});

test("workers have keepers of their own, at once", async () => {
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    import("turnkeeper").then(async ({ Turnkeeper }) => {
      const keeper = await Turnkeeper.load({ wasm: workerData.module });
      const texts = [];
      for (let n = 0; n < 200; n++) texts.push(JSON.stringify(keeper.repair(workerData.history).messages));
      parentPort.postMessage([...new Set(texts)]);
    });`;
  const module = await WebAssembly.compile(readFileSync(file));
  const history = ORPHAN;
  const answers = Array.from({ length: 4 }, () => {
    return new Promise((resolve, reject) => {
      const worker = new Worker(code, { eval: true, workerData: { module, history } });
      worker.once("message", resolve).once("error", reject);
    });
  });
  const want = JSON.stringify((await Turnkeeper.load()).repair(ORPHAN).messages);
  assert.deepEqual(await Promise.all(answers), Array(4).fill([want]));
});

test("a closed keeper answers no more", async () => {
  const keeper = await Turnkeeper.load();
  const stream = keeper.stream();
  keeper.close();
  assert.throws(() => keeper.repair(ORPHAN), /closed/);
  assert.throws(() => stream.feed(START), ConnectionLost);
});
