// SPDX-License-Identifier: Apache-2.0
/** Stored messages of the user interface: every tool part gets an end, and nothing else changes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { mendUIMessages } from "../../dist/esm/ai/index.js";
import { drawing } from "../drawing.mjs";
import { installed } from "../guard/real.mjs";

const { module: ai, skip } = await installed("ai");

const STATES = [
  "input-streaming", "input-available", "approval-requested", "approval-responded", "output-available", "output-error",
  "output-denied",
];
const ENDS = new Set(["output-available", "output-error", "output-denied"]);

let ids = 0;

function toolPart(state, more = {}) {
  ids += 1;
  const part = { type: "tool-look", toolCallId: `call_${ids}`, state, input: { city: "Oslo" }, ...more };
  if (state === "output-available") part.output = { open: true };
  if (state === "output-error") part.errorText = "broken";
  const approved = { "approval-requested": undefined, "approval-responded": true, "output-denied": false };
  if (state in approved) part.approval = { id: `approval_${ids}`, approved: approved[state] };
  return part;
}

const user = () => ({ id: "u", role: "user", parts: [{ type: "text", text: "é" }] });
const assistant = (...parts) => ({ id: "a", role: "assistant", parts });

test("a tool part without an end becomes output-error", () => {
  for (const type of ["tool-look", "dynamic-tool"]) {
    for (const state of STATES) {
      const part = toolPart(state, { type, callProviderMetadata: { x: { y: 1 } } });
      const given = [user(), assistant({ type: "text", text: "t" }, part), user()];
      const before = structuredClone(given);
      const mended = mendUIMessages(given);
      assert.deepEqual(given, before);
      if (ENDS.has(state)) {
        for (const [n, message] of mended.entries()) assert.equal(message, given[n]);
        continue;
      }
      const { approval: _, ...rest } = part;
      assert.deepEqual(mended[1].parts[1], { ...rest, state: "output-error", errorText: "Not executed." });
      assert.equal(mended[1].parts[0], given[1].parts[0]);
      assert.equal(mended[0], given[0]);
    }
  }
});

test("in the last message what may still get its end is left", () => {
  const last = (part) => mendUIMessages([user(), assistant(part)])[1].parts[0];
  for (const state of ["approval-requested", "approval-responded"]) {
    const part = toolPart(state);
    assert.equal(last(part), part);
  }
  const paused = toolPart("input-available", { providerExecuted: true });
  assert.equal(last(paused), paused);
  assert.equal(last(toolPart("input-available")).state, "output-error");
  assert.equal(last(toolPart("input-streaming", { providerExecuted: true })).state, "output-error");
});

test("an input that was cut off, and a text of one's own", () => {
  const { input: _, ...cut } = toolPart("input-streaming");
  const [mended] = mendUIMessages([assistant(cut), user()], { errorText: "The page was closed." });
  assert.deepEqual(mended.parts[0].input, {});
  assert.equal(mended.parts[0].errorText, "The page was closed.");
});

function drawn(draw) {
  const part = () => {
    if (draw.chance(0.4)) return { type: draw.of(["text", "step-start", "reasoning"]), text: draw.text() };
    const type = draw.of(["tool-look", "dynamic-tool"]);
    const state = draw.of(STATES);
    // The AI SDK has no result for a denied call that the provider would have run.
    const providerExecuted = state !== "output-denied" && draw.chance(0.3);
    return toolPart(state, { type, toolName: "look", providerExecuted });
  };
  const message = () => (draw.chance(0.5) ? user() : assistant(...Array.from({ length: draw.below(5) }, part)));
  return Array.from({ length: 1 + draw.below(6) }, message);
}

test("laws of drawn messages: idempotent, nothing lost, every call has its result", { skip }, async () => {
  const draw = drawing(3);
  for (let round = 0; round < 500; round += 1) {
    const given = drawn(draw);
    const mended = mendUIMessages(given);
    mendUIMessages(mended).forEach((message, n) => assert.equal(message, mended[n]));
    const shown = (messages) => messages.map(({ role, parts }) => [role, parts.map((p) => [p.type, p.text, p.toolCallId])]);
    assert.deepEqual(shown(mended), shown(given));
    const earlier = mended.slice(0, -1);
    for (const { parts } of earlier) for (const { state } of parts) assert.ok(state === undefined || ENDS.has(state));
    const model = await ai.convertToModelMessages(earlier);
    const ids = (type) => model.flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .flatMap((part) => (part.type === type ? [part.toolCallId] : [])).sort();
    assert.deepEqual(ids("tool-result"), ids("tool-call"));
  }
});
