// SPDX-License-Identifier: Apache-2.0
/** Laws of the guard over drawn histories, with both back ends and a provider that refuses what the real one refuses. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { guardFetch } from "../../dist/esm/index.js";
import { drawing } from "../drawing.mjs";
import { backEnds, Provider } from "./real.mjs";

const ROUNDS = 150;
const HEADERS = { "content-type": "application/json" };

function part(draw, role) {
  const id = draw.below(4);
  const text = () => ({ type: "text", text: draw.text() + draw.of(["", "x", "é"]) });
  const told = () => ({ type: "tool_result", tool_use_id: `toolu_${id}`, content: "r" });
  if (role === "user") return draw.of([text, text, told])();
  const search = `srvtoolu_${id}`;
  return draw.of([
    text,
    () => ({ type: "tool_use", id: `toolu_${id}`, name: "look", input: { n: 1 } }),
    () => ({ type: "server_tool_use", id: search, name: "web_search", input: { query: draw.text() } }),
    () => ({ type: "web_search_tool_result", tool_use_id: search, content: [] }),
    () => ({ type: "thinking", thinking: draw.text(), signature: `c2ln${id}` }),
  ])();
}

/** A body as text, with white space that JSON.stringify would not write. */
function body(draw, stream) {
  const message = (role) => ({ role, content: Array.from({ length: 1 + draw.below(4) }, () => part(draw, role)) });
  const roles = Array.from({ length: 1 + draw.below(5) }, (_, n) => (n % 2 === 0 ? "user" : "assistant"));
  const messages = [{ role: "user", content: "q" }, ...roles.map(message), { role: "user", content: "n" }];
  return JSON.stringify({ messages, model: "claude-sonnet-5-5", max_tokens: 9, stream }, null, draw.of([0, 1, "\t"]));
}

describe("laws", () => {
  let provider;
  before(async () => (provider = await Provider.start()));
  after(() => provider.stop());

  /** Returns what a guard makes of a body: what left, or its refusal; and the text of the response. */
  async function exchange(options, text) {
    const sent = [];
    const keep = (input, init) => {
      sent.push(init.body);
      return fetch(input, init);
    };
    const guarded = guardFetch({ ...options, fetch: keep, logger: { warn() {} } });
    const response = await guarded(`${provider.url}/v1/messages`, { method: "POST", headers: HEADERS, body: text });
    const left = sent.map((given) => (typeof given === "string" ? given : new TextDecoder().decode(given)));
    return { status: response.status, left: left[0], same: sent[0] === text, said: await response.text() };
  }

  test("what leaves is accepted, needs no second repair, and is the same by both back ends", async () => {
    const found = (await backEnds(provider)).filter(([, { skip }]) => !skip).map(([, options]) => options);
    const draw = drawing(5);
    let [refused, edited] = [0, 0];
    for (let round = 0; round < ROUNDS; round += 1) {
      const text = body(draw, draw.chance(0.3));
      await provider.play(found.map(() => ({ content: [{ type: "text", text: "t" }] })));
      const outcomes = [];
      for (const options of found) outcomes.push(await exchange(options, text));
      const [first, ...others] = outcomes;
      for (const { status, left } of others) assert.deepEqual([status, left], [first.status, first.left], text);
      if (first.left === undefined) {
        refused += 1;
        assert.equal(JSON.parse(first.said).turnkeeper.name, "unsafe_history", text);
        continue;
      }
      assert.equal(first.status, 200, `${text}\n${first.said}`);
      edited += first.left === text ? 0 : 1;
      assert.equal(first.same, first.left === text);
      const again = await exchange(found[0], first.left);
      assert.ok(again.same, text);
    }
    for (const { keeper } of found) keeper.close();
    // Of each outcome there are some, so that nothing above holds for want of cases.
    assert.ok(refused > 0 && edited > 0 && refused + edited < ROUNDS, `${refused} refused, ${edited} edited`);
  });
});
