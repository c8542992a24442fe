// SPDX-License-Identifier: Apache-2.0
/** The middleware with the AI SDK itself, against a local provider; and prompts that hold files. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { mendUIMessages, turnkeeperMiddleware } from "../../dist/esm/ai/index.js";
import { ConnectFailed, guardFetch } from "../../dist/esm/index.js";
import { eachBackEnd, failure, installed, Provider } from "../guard/real.mjs";
import { Fault, Log, OK, Scripted, UNSAFE } from "../guard/scripted.mjs";

const ai = await installed("ai");
const anthropic = await installed("@ai-sdk/anthropic");

const WORDS =
  "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block " +
  "must have a corresponding `tool_result` block in the next message.";
const ANSWER = "The pass is open, with chains.";
const CALL = {
  type: "tool-call", toolCallId: "srvtoolu_01Cut", toolName: "web_search", input: { query: "pass road status" },
  providerExecuted: true,
};
const STUCK = [
  { role: "user", content: "Is the pass open?" },
  { role: "assistant", content: [{ type: "text", text: "Let me look." }, CALL] },
  { role: "user", content: "Are you still there?" },
];
const MODEL = { provider: "anthropic.messages", modelId: "claude-sonnet-5-5" };

describe("the AI SDK", { skip: ai.skip || anthropic.skip }, () => {
  let provider;
  before(async () => (provider = await Provider.start()));
  after(() => provider.stop());

  const made = (fetch) => anthropic.module.createAnthropic({ baseURL: `${provider.url}/v1`, apiKey: "k", ...(fetch && { fetch }) });

  /** Asks the model, whole or as a stream; returns the text and the messages to store. */
  const ask = async (sdk, middleware, messages, stream) => {
    const plain = sdk("claude-sonnet-5-5");
    const model = middleware ? ai.module.wrapLanguageModel({ model: plain, middleware }) : plain;
    const tools = { web_search: sdk.tools.webSearch_20250305() };
    const asked = { model, tools, maxRetries: 0, messages };
    if (!stream) {
      const { text, response } = await ai.module.generateText(asked);
      return { text, stored: response.messages };
    }
    const result = ai.module.streamText({ ...asked, onError() {} });
    const parts = [];
    for await (const part of result.fullStream) {
      if (part.type === "error") throw part.error;
      parts.push(part);
    }
    return { text: await result.text, stored: (await result.response).messages, parts };
  };

  test("a chat that is stuck goes on, by the middleware or by guardFetch", (t) =>
    eachBackEnd(t, provider, async (guard) => {
      const ways = [[made(), turnkeeperMiddleware(guard)], [made(guardFetch(guard)), undefined]];
      for (const [sdk, middleware] of ways) {
        for (const stream of [false, true]) {
          await provider.play();
          assert.match(String(await failure(ask(made(), undefined, STUCK, stream))), /srvtoolu_01Cut/);
          const { text, stored } = await ask(sdk, middleware, STUCK, stream);
          assert.equal(text, ANSWER);
          const again = [...STUCK, ...stored, { role: "user", content: "And tomorrow?" }];
          assert.equal((await ask(sdk, middleware, again, stream)).text, ANSWER);
          const [, ...sent] = await provider.bodies();
          for (const body of sent) assert.ok(!body.includes("srvtoolu_01Cut"));
          assert.match(sent[1], /server_tool_use.*web_search_tool_result/);
        }
      }
    }));

  test("half a pair never arrives", (t) =>
    eachBackEnd(t, provider, async (guard) => {
      const wire = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } };
      const turn = { content: [{ type: "text", text: "Let me look." }, wire] };
      await provider.play([turn, turn]);
      const { stored } = await ask(made(), undefined, STUCK.slice(0, 1), true);
      assert.match(JSON.stringify(stored), /srvtoolu_1/);
      const error = await failure(ask(made(), turnkeeperMiddleware(guard), STUCK.slice(0, 1), true));
      assert.deepEqual([error.name, error.kinds], ["pairing_failed", ["incomplete_operation"]]);
    }));

  test("stored messages of the user interface", (t) =>
    eachBackEnd(t, provider, async (guard) => {
      const part = { type: "tool-look", toolCallId: "toolu_1", state: "input-available", input: {} };
      const ui = [
        { id: "1", role: "user", parts: [{ type: "text", text: "q" }] },
        { id: "2", role: "assistant", parts: [{ type: "text", text: "t" }, part] },
        { id: "3", role: "user", parts: [{ type: "text", text: "n" }] },
      ];
      await provider.play();
      const messages = await ai.module.convertToModelMessages(mendUIMessages(ui));
      assert.equal((await ask(made(), turnkeeperMiddleware(guard), messages, false)).text, ANSWER);
      const [body] = await provider.bodies();
      assert.match(body, /"tool_result","tool_use_id":"toolu_1","content":"Not executed\.","is_error":true/);
    }));

  /** Makes a `fetch` that sends everything to the local provider, and answers as one that refuses it. */
  const refusing = (status, message) => async (input, init) => {
    await (await fetch(input, init)).arrayBuffer();
    return Response.json({ type: "error", error: { type: "invalid_request_error", message } }, { status });
  };
  const repair = { provider: "anthropic", kind: "repaired", codes: { provider_executed_call_without_result: 1 }, actions: { drop: 1 } };

  test("what the provider refuses although it was judged sound is reported, saved and told", (t) =>
    eachBackEnd(t, provider, async (guard) => {
      const sdk = made(refusing(400, WORDS));
      for (const stream of [false, true]) {
        const [events, saved] = [[], []];
        const saveMiss = (miss) => `file ${saved.push(miss)}`;
        const middleware = turnkeeperMiddleware({ ...guard, saveMiss, caller: "agent-7", onEvent: (event) => events.push(event) });
        await provider.play();
        for (const messages of [STUCK, STUCK.slice(0, 1)]) {
          const error = await failure(ask(sdk, middleware, messages, stream));
          assert.deepEqual([error.name, error.statusCode, error.message], ["AI_APICallError", 400, WORDS]);
        }
        const about = { provider: "anthropic", caller: "agent-7" };
        const miss = (file) => ({ ...about, kind: "missed", status: 400, code: "tool_use_without_result", saved: file });
        assert.deepEqual(events, [{ ...repair, ...about }, miss("file 1"), miss("file 2")]);
        const bodies = (await provider.bodies()).map((body) => JSON.parse(body));
        for (const [n, { request, ...rest }] of saved.entries()) {
          assert.deepEqual(rest, { provider: "anthropic", status: 400, code: "tool_use_without_result" });
          const shape = ({ messages }) => messages.map(({ role, content }) => [role, content.map(({ type }) => type)]);
          assert.deepEqual(shape(request), shape(bodies[n]));
          assert.doesNotMatch(JSON.stringify(request), /the pass open/);
          assert.match(JSON.stringify(bodies[n]), /the pass open/);
        }
      }
    }));

  test("other errors, and refusals of what wasn't judged or didn't leave, are no misses", (t) =>
    eachBackEnd(t, provider, async (guard) => {
      const events = [];
      const all = { ...guard, saveMiss: () => assert.fail("it was saved"), onEvent: (event) => events.push(event) };
      const away = new Scripted({ repair: new ConnectFailed("no daemon"), stream: new ConnectFailed("no daemon") }, { path: "/run/s" });
      const other = new Scripted({ repair: new Fault(-32602, "dialect_mismatch", { looks_like: "gemini", sign: "parts" }) });
      // Its refusal comes from the guard below the middleware, which sees a tool that the prompt doesn't show.
      const below = guardFetch({ keeper: new Scripted({ prepare: new Fault(-32001, "unsafe_history", UNSAFE) }), logger: new Log() });
      const quiet = { ...all, logger: new Log() };
      const ways = [
        [refusing(429, "slow down"), all], [refusing(500, "broken"), all], [below, quiet],
        [refusing(400, WORDS), { ...quiet, keeper: away, onUnavailable: "open" }], [refusing(400, WORDS), { ...quiet, keeper: other }],
      ];
      for (const [refuse, options] of ways) {
        for (const stream of [false, true]) {
          const error = await failure(ask(made(refuse), turnkeeperMiddleware(options), STUCK.slice(0, 1), stream));
          assert.equal(error.name, "AI_APICallError", String(error));
        }
      }
      assert.deepEqual(events, []);
    }));
});

/** Runs the prompt through a middleware; returns what the model would get. */
async function transformed(keeper, prompt, { model = MODEL, ...options } = {}) {
  const log = new Log();
  const { transformParams } = turnkeeperMiddleware({ keeper, logger: log, ...options });
  const params = { prompt, temperature: 1 };
  return { log, params, out: await transformParams({ params, model }) };
}

const FILE = { type: "file", mediaType: "image/png", data: new Uint8Array(1 << 20) };
const PROMPT = [
  { role: "system", content: "s" },
  { role: "user", content: [{ type: "text", text: "q" }, FILE] },
  { role: "user", content: [{ type: "text", text: "r" }] },
];

test("a sound prompt is the same object", async () => {
  const keeper = new Scripted();
  const { out, params } = await transformed(keeper, PROMPT, { policy: "preserve" });
  assert.equal(out, params);
  const [[method, sent]] = keeper.seen;
  assert.equal(method, "repair");
  assert.deepEqual([sent.dialect, sent.policy, sent.target], ["ai-sdk", "preserve", { model: "claude-sonnet-5-5" }]);
});

test("files in bytes don't travel, and are the same objects in what is repaired", async () => {
  const edits = [{ code: "c", action: "drop", pointer: "/messages/1/content/0", id: null, tool: null }];
  const patch = [{ op: "remove", path: "/messages/1/content/0" }];
  const keeper = new Scripted({ repair: { ...OK, changed: true, edits, patch } });
  const { out, log } = await transformed(keeper, PROMPT);
  assert.ok(JSON.stringify(keeper.seen).length < 2000);
  assert.equal(out.temperature, 1);
  assert.deepEqual([out.prompt[0], out.prompt[2]], [PROMPT[0], PROMPT[2]]);
  assert.equal(out.prompt[1].content.length, 1);
  assert.equal(out.prompt[1].content[0], FILE);
  assert.match(log.infos[0], /repaired: c/);
  const tagged = { ...FILE, data: { type: "data", data: FILE.data } };
  const inside = { type: "tool-result", toolCallId: "c", toolName: "t", output: { type: "content", value: [FILE] } };
  const prompt = [{ role: "user", content: [tagged] }, { role: "tool", content: [inside] }];
  const untouched = new Scripted();
  assert.equal((await transformed(untouched, prompt)).out.prompt, prompt);
  assert.ok(JSON.stringify(untouched.seen).length < 2000);
});

test("platform and model are found in the model", async () => {
  for (const [model, want] of [
    [{ provider: "amazon-bedrock", modelId: "us.anthropic.claude-x" }, { endpoint: "bedrock", model: "us.anthropic.claude-x" }],
    [{ provider: "googleVertex.anthropic.messages", modelId: "claude-x" }, { endpoint: "vertex", model: "claude-x" }],
  ]) {
    const keeper = new Scripted();
    await transformed(keeper, PROMPT, { model });
    assert.deepEqual(keeper.seen[0][1].target, want);
  }
  const keeper = new Scripted();
  const model = { provider: "openai.responses", modelId: "gpt-5" };
  const { out, params } = await transformed(keeper, PROMPT, { model });
  assert.equal(out, params);
  assert.deepEqual(keeper.seen, []);
});

test("a provider that isn't served is told of once, on the console too", async () => {
  const log = new Log();
  const keeper = new Scripted();
  const { transformParams } = turnkeeperMiddleware({ keeper, logger: log });
  for (const provider of ["openai.responses", "google", "openai.responses", "openai.responses"]) {
    await transformParams({ params: { prompt: PROMPT }, model: { provider, modelId: "m" } });
  }
  assert.equal(log.warnings.length, 2);
  assert.match(log.warnings[0], /"openai\.responses" pass as they are: .*guardFetch/);
  assert.match(log.warnings[1], /"google"/);
  const served = await transformed(new Scripted(), PROMPT, { model: { provider: "x", modelId: "m" }, target: {} });
  assert.deepEqual(served.log.warnings, []);
});

test("what can't be repaired, judged or asked", async () => {
  const unsafe = new Scripted({ repair: new Fault(-32001, "unsafe_history", UNSAFE) });
  await assert.rejects(transformed(unsafe, PROMPT), { name: "unsafe_history" });
  const foreign = new Scripted({ repair: new Fault(-32602, "dialect_mismatch", { looks_like: "gemini", sign: "parts" }) });
  const passed = await transformed(foreign, PROMPT);
  assert.equal(passed.out, passed.params);
  assert.match(passed.log.warnings[0], /looks like gemini/);
  const away = () => new Scripted({ repair: new ConnectFailed("no daemon") }, { path: "/run/s" });
  await assert.rejects(transformed(away(), PROMPT, { onUnavailable: "closed" }), { name: "guard_unavailable" });
  const open = await transformed(away(), PROMPT, { onUnavailable: "open" });
  assert.equal(open.out, open.params);
  assert.throws(() => turnkeeperMiddleware({ keeper: away() }), /onUnavailable/);
});

test("a stream that can't be paired isn't asked for, and one that fails is closed", async () => {
  const busy = new Scripted({}, { stream: { "stream.open": new Fault(-32011, "busy") } });
  const asked = { doStream: async () => assert.fail("it was sent"), params: { prompt: PROMPT }, model: MODEL };
  await assert.rejects(turnkeeperMiddleware({ keeper: busy }).wrapStream(asked), { name: "guard_unavailable" });
  const passed = { stream: new ReadableStream() };
  const open = turnkeeperMiddleware({ keeper: busy, onUnavailable: "open", logger: new Log() });
  assert.equal(await open.wrapStream({ ...asked, doStream: async () => passed }), passed);
  const keeper = new Scripted();
  const fails = async () => {
    throw new TypeError("refused");
  };
  await assert.rejects(turnkeeperMiddleware({ keeper }).wrapStream({ ...asked, doStream: fails }), /refused/);
  assert.equal(keeper.closed, 1);
});

test("the beginning of a long refusal is reported, and a keeper that can't be asked knows no code", async () => {
  for (const [report_miss, code] of [[{ code: "a_rule" }, "a_rule"], [new ConnectFailed("gone"), null]]) {
    const [events, keeper] = [[], new Scripted({ report_miss })];
    const { transformParams, wrapGenerate } = turnkeeperMiddleware({ keeper, logger: new Log(), onEvent: (e) => events.push(e) });
    const params = await transformParams({ params: { prompt: PROMPT }, model: MODEL });
    const refused = Object.assign(new Error("no"), { statusCode: 422, responseBody: `a${"é".repeat(40_000)}`, requestBodyValues: {} });
    const doGenerate = () => Promise.reject(refused);
    assert.equal(await failure(wrapGenerate({ doGenerate, params, model: MODEL })), refused);
    const [, [method, { status, text, provider }]] = keeper.seen;
    assert.deepEqual([method, status, provider], ["report_miss", 422, "anthropic"]);
    assert.equal(text, `a${"é".repeat(32_767)}`);
    assert.deepEqual(events, [{ provider: "anthropic", kind: "missed", status: 422, code }]);
  }
});
