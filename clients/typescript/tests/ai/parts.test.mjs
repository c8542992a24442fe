// SPDX-License-Identifier: Apache-2.0
/** Parts of a model's stream: a call that the provider runs leaves together with its result. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { turnkeeperMiddleware } from "../../dist/esm/ai/index.js";
import { Turnkeeper } from "../../dist/esm/index.js";
import { drawing } from "../drawing.mjs";

const keeper = await Turnkeeper.load();
const MODEL = { provider: "anthropic.messages", modelId: "claude-sonnet-5-5" };
const PROMPT = [{ role: "user", content: [{ type: "text", text: "q" }] }];

const text = (delta) => ({ type: "text-delta", id: "0", delta });
const call = (toolCallId, providerExecuted = true) => ({
  type: "tool-call", toolCallId, toolName: "search", input: "{}", providerExecuted,
});
const input = (id, providerExecuted = true) => [
  { type: "tool-input-start", id, toolName: "search", providerExecuted },
  { type: "tool-input-delta", id, delta: "{}" },
  { type: "tool-input-end", id },
];
const result = (toolCallId, more = {}) => ({ type: "tool-result", toolCallId, toolName: "search", result: [], ...more });
const finish = (raw = "end_turn") => ({ type: "finish", usage: { inputTokens: { total: 1 } }, finishReason: { unified: "stop", raw } });

/** Returns what leaves of these parts; `prompt`: what the model was asked. */
async function paired(parts, { prompt = PROMPT, model = MODEL, ...options } = {}) {
  const { wrapStream } = turnkeeperMiddleware({ keeper, ...options });
  const source = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  const { stream, request } = await wrapStream({
    doStream: async () => ({ stream: source, request: "r" }), params: { prompt }, model,
  });
  assert.equal(request, "r");
  return Array.fromAsync ? Array.fromAsync(stream) : collected(stream);
}

async function collected(stream) {
  const found = [];
  for await (const part of stream) found.push(part);
  return found;
}

const fault = (parts) => {
  const [error, end] = parts.slice(-2);
  assert.equal(end.type, "finish");
  assert.deepEqual(end.finishReason, { unified: "error", raw: undefined });
  assert.equal(error.type, "error");
  assert.equal(error.error.name, "pairing_failed");
  return error.error.kinds;
};

test("a call waits for its result; everything else leaves at once", async () => {
  const parts = [text("a"), ...input("s1"), call("s1"), text("b"), result("s1"), text("c"), finish()];
  const want = [text("a"), text("b"), ...input("s1"), call("s1"), result("s1"), text("c"), finish()];
  assert.deepEqual(await paired(parts), want);
});

test("calls of the client's tools leave at once", async () => {
  const parts = [...input("c1", false), call("c1", false), { ...finish("tool_use") }];
  assert.deepEqual(await paired(parts), parts);
});

test("results before the last one wait, too", async () => {
  const early = result("s1", { preliminary: true });
  const parts = [call("s1"), early, text("a"), result("s1"), finish()];
  assert.deepEqual(await paired(parts), [text("a"), call("s1"), early, result("s1"), finish()]);
});

test("a call without its result never leaves", async () => {
  const found = await paired([text("a"), ...input("s1"), call("s1"), finish()]);
  assert.deepEqual(found.slice(0, -2), [text("a")]);
  assert.deepEqual(fault(found), ["incomplete_operation"]);
  assert.deepEqual(found.at(-1).usage, finish().usage);
});

test("a turn that is paused, or waits for the client, keeps its open call", async () => {
  const paused = [call("s1"), finish("pause_turn")];
  assert.deepEqual(await paired(paused), paused);
  const both = [call("s1"), call("c1", false), { ...finish("tool_use"), finishReason: "tool-calls" }];
  assert.deepEqual(await paired(both), [both[1], both[0], both[2]]);
});

test("a result without its call, and one that comes twice", async () => {
  assert.deepEqual(fault(await paired([text("a"), result("s1"), text("b"), finish()])), ["orphan_result"]);
  const twice = [call("s1"), result("s1"), result("s1"), finish()];
  assert.deepEqual(fault(await paired(twice)), ["duplicate_result"]);
});

test("a call that the prompt left open is answered in this turn", async () => {
  const open = { type: "tool-call", toolCallId: "s0", toolName: "search", input: {}, providerExecuted: true };
  const prompt = [...PROMPT, { role: "assistant", content: [open] }];
  const parts = [result("s0"), text("a"), finish()];
  assert.deepEqual(await paired(parts, { prompt }), parts);
  assert.deepEqual(fault(await paired(parts)), ["orphan_result"]);
  const again = [call("s0"), result("s0"), finish()];
  assert.deepEqual(fault(await paired(again, { prompt })), ["duplicate_operation"]);
});

test("a stream that breaks off", async () => {
  const found = await paired([call("s1"), text("a")]);
  assert.deepEqual(found[0], text("a"));
  assert.deepEqual(fault(found), ["incomplete_operation", "truncated_stream"]);
});

test("the provider's own error is told as it came", async () => {
  const parts = [call("s1"), { type: "error", error: "overloaded" }, finish("error")];
  assert.deepEqual(await paired(parts), parts.slice(1));
});

test("models of other providers pass as they are, unless a target is given", async () => {
  const parts = [call("s1"), finish()];
  const model = { provider: "openai.responses", modelId: "gpt-5" };
  assert.deepEqual(await paired(parts, { model }), parts);
  assert.deepEqual(fault(await paired(parts, { model, target: { endpoint: "anthropic" } })), ["incomplete_operation"]);
});

test("law: of drawn streams no half of a pair leaves, and all that leaves came", async () => {
  const draw = drawing(11);
  for (let round = 0; round < 300; round += 1) {
    const ids = ["s1", "s2", "s3"];
    const one = () => draw.of([() => [text(draw.text())], () => [...input(draw.of(ids))], () => [call(draw.of(ids))],
      () => [result(draw.of(ids))], () => [call(`c${draw.below(99)}`, false)]])();
    const parts = [...Array.from({ length: draw.below(9) }, one).flat(), finish(draw.of(["end_turn", "tool_use"]))];
    const found = await paired(parts);
    const said = JSON.stringify([parts, found]);
    const own = (type, running) => found.filter((p) => p.type === type && (p.providerExecuted ?? true) === running)
      .map((p) => p.toolCallId).sort();
    const excused = parts.at(-1).finishReason.raw === "tool_use" && parts.some((p) => p.providerExecuted === false);
    const results = own("tool-result", true);
    if (excused) for (const id of results) assert.ok(own("tool-call", true).includes(id), said);
    else assert.deepEqual(results, own("tool-call", true), said);
    for (const part of found.slice(0, -2)) assert.ok(parts.includes(part), said);
  }
});
