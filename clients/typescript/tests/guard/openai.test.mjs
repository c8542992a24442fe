// SPDX-License-Identifier: Apache-2.0
/** OpenAI's SDK against a local provider: what fails without turnkeeper and works with it. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { guardFetch } from "../../dist/esm/index.js";
import { eachBackEnd, failure, installed, Provider } from "./real.mjs";

const { module, skip } = await installed("openai");
const { default: OpenAI, AzureOpenAI } = module;

const USER = { role: "user", content: "How is the road? é\u2028" };
const AGAIN = { role: "user", content: "And now?" };
const FUNCTION = { name: "look", parameters: { type: "object", properties: {} } };
const TOOL = { ...FUNCTION, type: "function", strict: false };
const CHAT_TOOL = { type: "function", function: FUNCTION };
const ANSWER = "The pass is open, with chains.";

const CALLING = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }],
};
const TOLD = { role: "tool", tool_call_id: "call_1", content: "open" };
const CALL = { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" };
const OUTPUT = { type: "function_call_output", call_id: "call_1", output: "open" };
const STORED = { ...CALL, id: "fc_1" };
const REASONING = { type: "reasoning", id: "rs_1", summary: [] };
const TOLD_WHY = { ...REASONING, summary: [{ type: "summary_text", text: "It snows." }] };

// The API, a history that its provider refuses, what it says, a text that has to be in the repaired one, and one that mustn't.
const STUCK = [
  ["chat", [USER, CALLING, AGAIN], /must be followed by tool messages/, "Not executed."],
  ["chat", [USER, TOLD, AGAIN], /must be a response to a preceeding message/, '"role":"user"'],
  ["responses", [USER, CALL, AGAIN], /No tool output found for function call/, "Not executed."],
  ["responses", [USER, OUTPUT, AGAIN], /No tool call found for function call/, "input_text"],
  ["responses", [USER, REASONING, AGAIN], /without its required following item/, AGAIN.content, "rs_1"],
  // The call isn't the item that the model made after the reasoning: it lost its id.
  ["responses", [USER, TOLD_WHY, CALL, OUTPUT, AGAIN], /without its required following item/, "It snows.", "rs_1"],
];
const SOUND = [
  ["chat", [USER, CALLING, TOLD, AGAIN]],
  ["responses", [USER, REASONING, STORED, OUTPUT, AGAIN]],
];

describe("OpenAI's SDK", { skip }, () => {
  let provider;
  before(async () => (provider = await Provider.start()));
  after(() => provider.stop());
  const each = (t, body) => eachBackEnd(t, provider, body);

  /** Sends what goes to OpenAI's hosts to the local provider: the guard above has seen the host. */
  const rerouted = (input, init) => {
    const url = new URL(input);
    return fetch(new URL(url.pathname + url.search, provider.url), init);
  };

  const client = (guard, { azure = false, maxRetries = 0 } = {}) => {
    const sending = guard === null ? rerouted : guardFetch({ fetch: rerouted, ...guard });
    const options = { apiKey: "k", maxRetries, fetch: sending };
    if (!azure) return new OpenAI(options);
    return new AzureOpenAI({ ...options, endpoint: "https://n.openai.azure.com", apiVersion: "2025-04-01-preview" });
  };

  /** The text of the answer. */
  const ask = async (guard, kind, history, { stream = false, more = {}, ...how } = {}) => {
    const sdk = client(guard, how);
    const body = { model: "gpt-5", stream, ...more };
    if (kind === "chat") {
      const answer = await sdk.chat.completions.create({ ...body, messages: history });
      if (!stream) return answer.choices[0].message.content;
      return joined(answer, (event) => event.choices[0]?.delta.content);
    }
    const answer = await sdk.responses.create({ ...body, input: history });
    if (!stream) return answer.output_text;
    return joined(answer, (event) => (event.type === "response.output_text.delta" ? event.delta : ""));
  };

  const joined = async (events, text) => {
    let found = "";
    for await (const event of events) found += text(event) ?? "";
    return found;
  };

  const refused = async (...given) => {
    const error = await failure(ask(...given));
    assert.ok(error instanceof OpenAI.BadRequestError, String(error));
    return error;
  };

  test("a chat that is stuck without turnkeeper goes on with it", (t) =>
    each(t, async (guard) => {
      for (const [kind, history, said, mended, gone] of STUCK) {
        for (const stream of [false, true]) {
          await provider.play();
          assert.match((await refused(null, kind, history, { stream })).error.message, said);
          assert.equal(await ask(guard, kind, history, { stream }), ANSWER);
          const [stuck, sent] = await provider.bodies();
          assert.notEqual(stuck, sent);
          assert.ok(sent.includes(mended));
          if (gone !== undefined) assert.ok(!sent.includes(gone));
          assert.ok(!sent.includes('"rs_1"'));
        }
      }
    }));

  test("a sound history leaves byte for byte", (t) =>
    each(t, async (guard) => {
      for (const [kind, history] of SOUND) {
        for (const stream of [false, true]) {
          await provider.play();
          for (const options of [null, guard]) assert.equal(await ask(options, kind, history, { stream }), ANSWER);
          const [plain, guarded] = await provider.bodies();
          assert.equal(guarded, plain);
        }
      }
    }));

  test("what can't be repaired never leaves, and isn't tried again", (t) =>
    each(t, async (guard) => {
      const both = { previous_response_id: "resp_1", conversation: "conv_1" };
      for (const [kind, history, more] of [["chat", [], {}], ["responses", [USER], both]]) {
        await provider.play();
        const theirs = await refused(null, kind, history, { more });
        const ours = await refused(guard, kind, history, { more, maxRetries: 2 });
        assert.equal((await provider.bodies()).length, 1);
        assert.ok(ours.error.message.startsWith(theirs.error.message));
        assert.equal(ours.type, theirs.type);
        assert.equal(ours.error.turnkeeper.name, "unsafe_history");
      }
    }));

  test("outputs alone under a previous response, and an input that is a text", (t) =>
    each(t, async (guard) => {
      await provider.play();
      const more = { previous_response_id: "resp_1" };
      assert.equal(await ask(guard, "responses", [OUTPUT], { more }), ANSWER);
      assert.equal(await ask(guard, "responses", "How is the road?"), ANSWER);
      const inputs = (await provider.bodies()).map((body) => JSON.parse(body).input);
      assert.deepEqual(inputs, [[OUTPUT], "How is the road?"]);
    }));

  test("a policy that strips ids", (t) =>
    each(t, async (guard) => {
      const turn = { reasoning: "Hm.", text: "Wait." };
      const trimmed = async (options) => {
        await provider.play([turn]);
        const sdk = client(options);
        const { output } = await sdk.responses.create({ model: "gpt-5", input: [USER] });
        const input = [USER, ...output.slice(1), AGAIN]; // a trimmer took the reasoning away
        return sdk.responses.create({ model: "gpt-5", input });
      };
      assert.match(String(await failure(trimmed(guard))), /without its required 'reasoning' item/);
      const policy = { base: "conservative", item_ids: "strip" };
      assert.equal((await trimmed({ ...guard, policy })).output_text, ANSWER);
    }));

  test("on Azure: the deployment is in the path, and ids of reasoning stay", (t) =>
    each(t, async (guard) => {
      for (const [kind, history, said, mended] of STUCK.slice(0, 4)) {
        await provider.play();
        assert.match((await refused(null, kind, history, { azure: true })).error.message, said);
        assert.equal(await ask(guard, kind, history, { azure: true }), ANSWER);
        const [, { path, body }] = await provider.seen();
        assert.ok(body.includes(mended));
        assert.ok(path.includes(kind === "chat" ? "/openai/deployments/gpt-5/chat" : "/openai/resp"), path);
      }
      await provider.play();
      const error = await refused(guard, "responses", [USER, REASONING, AGAIN], { azure: true });
      assert.deepEqual(await provider.bodies(), []);
      assert.equal(error.param, "input[1]");
      assert.equal(error.error.turnkeeper.violations[0].code, "resp_reasoning_without_next");
    }));

  test("tool loops: what the SDK made of an answer goes back with the result of its call", (t) =>
    each(t, async (guard) => {
      await provider.play();
      const sdk = client(guard);
      const messages = [USER];
      const how = { model: "gpt-5", tools: [CHAT_TOOL] };
      const { message } = (await sdk.chat.completions.create({ ...how, messages })).choices[0];
      messages.push(message, { role: "tool", tool_call_id: message.tool_calls[0].id, content: "open" });
      assert.equal((await sdk.chat.completions.create({ ...how, messages })).choices[0].message.content, ANSWER);

      await provider.play([{ reasoning: "Hm.", calls: [["look", {}]] }]);
      const asked = { model: "gpt-5", tools: [TOOL], store: false, include: ["reasoning.encrypted_content"] };
      const { output } = await sdk.responses.create({ ...asked, input: [USER] });
      const result = { type: "function_call_output", call_id: output.at(-1).call_id, output: "x" };
      assert.equal((await sdk.responses.create({ ...asked, input: [USER, ...output, result] })).output_text, ANSWER);
      const ids = JSON.parse((await provider.bodies())[1]).input.map(({ id }) => id);
      assert.ok(ids.includes("rs_001"));
    }));
});
