// SPDX-License-Identifier: Apache-2.0
/** Paths and hosts: whose request it is, and what is said of its target. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { BODY, Fault, JSON_TYPE, OK, each, without } from "./scripted.mjs";
import { HOSTS } from "./shared.mjs";

const NEVER = { prepare: new Fault(-32603, "internal"), repair: new Fault(-32603, "internal") };
const VERSION = '{"anthropic_version": "v", "messages": [ {"role":"user","content":"q"},{"n": 1.0} ] }';
const SHORTER = '{"anthropic_version": "v", "messages": [ {"role":"user","content":"q"}] }';
const MODEL = "anthropic.claude-sonnet-5-5-v1:0";
const BEDROCK = "http://bedrock.test/model/";
const VERTEX = "http://vertex.test/v1/projects/p/locations/l/publishers/anthropic/models/";
const ARN = "arn:aws:bedrock:us-east-1:123456789012:";

// URL, endpoint, model: what a path of Anthropic's platforms shows.
const PLATFORMS = [
  [BEDROCK + MODEL + "/invoke", "bedrock", MODEL],
  [BEDROCK + MODEL + "/invoke-with-response-stream", "bedrock", MODEL],
  [BEDROCK + MODEL.replace(":", "%3A") + "/invoke", "bedrock", MODEL],
  [BEDROCK + "us." + MODEL + "/invoke", "bedrock", "us." + MODEL],
  [BEDROCK + "us-gov." + MODEL + "/invoke", "bedrock", "us-gov." + MODEL],
  ["http://gateway.test/bedrock/model/" + MODEL + "/invoke", "bedrock", MODEL],
  [
    BEDROCK + encodeURIComponent(ARN + "inference-profile/us." + MODEL) + "/invoke",
    "bedrock",
    ARN + "inference-profile/us." + MODEL,
  ],
  [
    BEDROCK + encodeURIComponent(ARN + "foundation-model/" + MODEL) + "/invoke",
    "bedrock",
    ARN + "foundation-model/" + MODEL,
  ],
  [BEDROCK + ARN + "application-inference-profile%2Fa1b2c3/invoke", "bedrock"],
  [BEDROCK + ARN + "provisioned-model%2Fa1b2c3/invoke", "bedrock"],
  [BEDROCK + "our-claude-3.5/invoke", "bedrock"], // a gateway's own name
  [VERTEX + "claude-sonnet-5-5:rawPredict", "vertex", "claude-sonnet-5-5"],
  [VERTEX + "claude-sonnet-5-5%4020260101:streamRawPredict", "vertex", "claude-sonnet-5-5@20260101"],
  [VERTEX + "count-tokens:rawPredict", "vertex"],
];

const NOT_THE_MESSAGES_API = [
  [BEDROCK + "meta.llama3-70b-instruct-v1:0/invoke", VERSION],
  [BEDROCK + "us.meta.llama3-70b-instruct-v1:0/invoke", VERSION],
  [BEDROCK + "moonshotai.kimi-k2.5/invoke", VERSION],
  [BEDROCK + "ai21.jamba-1-5-large-v1%3A0/invoke", VERSION],
  [BEDROCK + encodeURIComponent(ARN + "foundation-model/amazon.nova-pro-v1:0") + "/invoke", VERSION],
  [BEDROCK + MODEL + "/converse", VERSION],
  [BEDROCK + MODEL + "/count-tokens", VERSION],
  [BEDROCK + MODEL + "/invoke", BODY],
  [BEDROCK + MODEL + "/invoke", '{"prompt": "say \\"anthropic_version\\"", "messages": 1}'],
  [BEDROCK + ARN + "provisioned-model%2Fa1b2c3/invoke", '{"tools": {"anthropic_version": 1}}'],
  [BEDROCK + ARN + "provisioned-model%2Fa1b2c3/invoke", '{"anthropic_version": '],
  [VERTEX.replace("anthropic", "mistralai") + "m:rawPredict", VERSION],
  [VERTEX + "m:predict", VERSION],
  [VERTEX + "m:rawPredict", BODY],
];

const CHAT = '{"model": "m", "messages": [ {"role":"user","content":"q"},{"n": 1.0} ] }';
const INPUT = '{"model": "m", "input": [ {"role":"user","content":"q"},{"n": 1.0} ], "store":false}';
const OPENAI = "https://api.openai.com/v1";
const AZURE = "https://name.openai.azure.com/openai";
const GONE = ',{"n": 1.0} ';
const BODIES = { "openai-chat": CHAT, "openai-responses": INPUT };

// The end of the path says which API it is, the host whose rules hold.
const OPENAIS = [
  [OPENAI + "/chat/completions", "openai-chat", "openai"],
  [OPENAI + "/responses", "openai-responses", "openai"],
  ["https://eu.api.openai.com/v1/responses", "openai-responses", "openai"],
  ["https://API.OpenAI.com./v1/responses?x=1", "openai-responses", "openai"],
  [AZURE + "/deployments/gpt-4o/chat/completions?api-version=2024-10-21", "openai-chat", "azure"],
  [AZURE + "/v1/chat/completions?api-version=preview", "openai-chat", "azure"],
  [AZURE + "/v1/responses", "openai-responses", "azure"],
  [AZURE + "/responses?api-version=2025-04-01-preview", "openai-responses", "azure"],
  ["https://name.services.ai.azure.com/openai/v1/responses", "openai-responses", "azure"],
  ["https://name.services.ai.azure.com/models/chat/completions", "openai-chat", "azure"],
  ["https://name.cognitiveservices.azure.com/openai/responses", "openai-responses", "azure"],
  ["https://name.openai.azure.us/openai/v1/responses", "openai-responses", "azure"],
  // A gateway in front of Azure: only Azure has deployments.
  ["https://gateway.test/a/openai/deployments/d/chat/completions", "openai-chat", "azure"],
  ["https://gateway.test/api/v1/chat/completions", "openai-chat", "compatible"],
  ["https://gateway.test/api/v1/responses", "openai-responses", "compatible"],
  ["https://gateway.test/chat/completions", "openai-chat", "compatible"],
  ["http://127.0.0.1:11434/v1/chat/completions", "openai-chat", "compatible"],
  // Hosts that only look like theirs.
  ["https://notapi.openai.com/v1/responses", "openai-responses", "compatible"],
  ["https://api.openai.com.test/v1/responses", "openai-responses", "compatible"],
  ["https://openai.azure.com.test/openai/v1/responses", "openai-responses", "compatible"],
];

const NOT_OPENAIS = [
  "/responses/compact", "/responses/input_tokens", "/responses/resp_1/cancel", "/responses/resp_1/input_items",
  "/chat/completions/chatcmpl_1", "/completions", "/embeddings", "/conversations", "/conversations/conv_1/items",
  "/batches", "/v1responses",
].map((path) => OPENAI + path);

test("the target of Anthropic's platforms is in the path", (t) =>
  each(t, async (side) => {
    for (const [url, endpoint, model] of PLATFORMS) {
      const { sent, keeper } = await side.post({ url, body: VERSION, answers: { prepare: without(GONE, VERSION) } });
      assert.deepEqual(sent.bodies, [SHORTER], url);
      assert.equal(sent.seen[0].input, url);
      const [[method, params]] = keeper.seen;
      assert.equal(method, "prepare");
      assert.deepEqual(params.target, model === undefined ? { endpoint } : { endpoint, model });
    }
  }));

test("what is not the Messages API", (t) =>
  each(t, async (side) => {
    for (const [url, body] of NOT_THE_MESSAGES_API) {
      const { response, sent, keeper } = await side.post({ url, body, answers: NEVER });
      assert.deepEqual([response.status, sent.bodies, keeper.seen], [200, [body], []], url);
    }
  }));

test("members of the guard's own target hold", (t) =>
  each(t, async (side) => {
    for (const [target, want] of [
      [{ model: "claude-x" }, { endpoint: "bedrock", model: "claude-x" }],
      [{ endpoint: "compatible" }, { endpoint: "compatible", model: MODEL }],
    ]) {
      const { keeper } = await side.post({ url: BEDROCK + MODEL + "/invoke", body: VERSION, target });
      assert.deepEqual(keeper.seen[0][1].target, want);
    }
  }));

test("no target at other base URLs", (t) =>
  each(t, async (side) => {
    for (const host of ["api.anthropic.com", "bedrock.test", "gateway.test/anthropic"]) {
      const { keeper } = await side.post({ url: `http://${host}/v1/messages` });
      assert.ok(!("target" in keeper.seen[0][1]));
    }
  }));

test("counting on Vertex", (t) =>
  each(t, async (side) => {
    const { keeper } = await side.post({ url: VERTEX + "count-tokens:rawPredict", body: VERSION });
    assert.deepEqual(keeper.seen[0][1].tools, { betas: [], call: "count_tokens" });
  }));

test("a signed request whose body only lacks beta values leaves as it is", (t) =>
  each(t, async (side) => {
    const added = { splices: [[VERSION.length - 2, 0, ', "anthropic_beta": ["x"]']], added_betas: ["x"], headers: {} };
    const prepare = { ...OK, changed: true, edits: [], ...added };
    const at = { url: BEDROCK + MODEL + "/invoke", body: VERSION, answers: { prepare } };
    const signed = await side.post({ ...at, headers: { ...JSON_TYPE, authorization: "AWS4-HMAC-SHA256 C=x" } });
    assert.deepEqual(signed.sent.bodies, [VERSION]);
    const bearer = await side.post({ ...at, headers: { ...JSON_TYPE, authorization: "Bearer x" } });
    assert.deepEqual(JSON.parse(bearer.sent.bodies[0]).anthropic_beta, ["x"]);
  }));

test("OpenAI's provider and target", (t) =>
  each(t, async (side) => {
    for (const [url, provider, endpoint] of OPENAIS) {
      const body = BODIES[provider];
      const { sent, keeper } = await side.post({ url, body, answers: { repair: without(GONE, body), prepare: NEVER.prepare } });
      assert.deepEqual(sent.bodies, [body.replace(GONE, "")], url);
      const [[method, { request, ...params }]] = keeper.seen;
      assert.equal(method, "repair");
      assert.deepEqual(request, JSON.parse(body));
      assert.deepEqual(params, { provider, target: { endpoint }, return: "splices" });
    }
  }));

test("the host names the server, the table that the clients share", (t) =>
  each(t, async (side) => {
    for (const { host, endpoint, server } of HOSTS) {
      const found = server === undefined ? {} : { server };
      for (const [path, body] of [["/v1/chat/completions", CHAT], ["/responses", INPUT]]) {
        const { keeper } = await side.post({ url: `https://${host}${path}`, body });
        assert.deepEqual(keeper.seen[0][1].target, { endpoint, ...found }, host);
      }
      // The Messages API is the official one there, unless the caller says otherwise.
      const official = await side.post({ url: `https://${host}/v1/messages` });
      assert.equal(official.keeper.seen[0][1].target, undefined, host);
      const target = { endpoint: "compatible" };
      const copied = await side.post({ url: `https://${host}/v1/messages`, target });
      assert.deepEqual(copied.keeper.seen[0][1].target, { ...target, ...found }, host);
    }
  }));

const GROQ = "https://api.groq.com/openai/v1/chat/completions";

test("the server of the caller", (t) =>
  each(t, async (side) => {
    for (const [target, want] of [
      [{ server: "vllm" }, { endpoint: "compatible", server: "vllm" }],
      [{ endpoint: "openai" }, { endpoint: "openai" }],
      [{ model: "m" }, { endpoint: "compatible", model: "m", server: "groq" }],
      [{ endpoint: "azure", server: "x" }, { endpoint: "azure", server: "x" }], // the core says no
    ]) {
      const { keeper } = await side.post({ url: GROQ, body: CHAT, target });
      assert.deepEqual(keeper.seen[0][1].target, want);
    }
  }));

test("a daemon that knows no servers is asked once with one; a server that the caller names is never left out", (t) =>
  each(t, async (side) => {
    const repair = ({ target }) =>
      "server" in target ? new Fault(-32602, "invalid_params", { pointer: "/params/target/server" }) : OK;
    const { fetch, keeper } = side.guard({ answers: { repair } });
    for (let n = 0; n < 2; n += 1) {
      assert.equal((await fetch(GROQ, { method: "POST", headers: JSON_TYPE, body: CHAT })).status, 200);
    }
    assert.deepEqual(keeper.seen.map(([, { target }]) => target.server), ["groq", undefined, undefined]);
    const named = await side.post({ url: GROQ, body: CHAT, answers: { repair }, target: { server: "groq" } });
    assert.deepEqual([named.response.status, named.sent.seen], [400, []]);
  }));

test("what is not guarded of OpenAI's", (t) =>
  each(t, async (side) => {
    for (const url of NOT_OPENAIS) {
      const { sent, keeper } = await side.post({ url, body: INPUT, answers: NEVER });
      assert.deepEqual([sent.bodies, keeper.seen], [[INPUT], []], url);
    }
    for (const body of ["[]", ' [{"role":"user","content":"q"}]', '"q"', "7", ""]) {
      const { sent, keeper } = await side.post({ url: OPENAI + "/responses", body, answers: NEVER });
      assert.deepEqual([sent.bodies, keeper.seen], [[body], []], body);
    }
  }));

test("policy and target of the guard's own, and nothing about signatures, for OpenAI's", (t) =>
  each(t, async (side) => {
    const policy = { base: "preserve", unmatched_result: "report" };
    const options = { policy, provenance: "rebuilt", url: AZURE + "/v1/responses", body: INPUT };
    for (const [target, want] of [
      [{ endpoint: "openai" }, { endpoint: "openai" }],
      [{ model: "gpt-5" }, { endpoint: "azure", model: "gpt-5" }],
    ]) {
      const { keeper } = await side.post({ ...options, target });
      const [[, { request: _, ...params }]] = keeper.seen;
      assert.deepEqual(params, { provider: "openai-responses", policy, target: want, return: "splices" });
    }
  }));

test("OpenAI's responses pass as they come, whole ones and streams", (t) =>
  each(t, async (side) => {
    const whole = '{"output": [{"type":"reasoning"}], "signature": "c2ln"}';
    for (const [type, text] of [["application/json", whole], ["text/event-stream", "data: x\n\n"]]) {
      const made = new Response(text, { headers: { "content-type": type } });
      const body = INPUT.slice(0, -1) + ', "stream": true}';
      const { response, keeper, text: got } = await side.post({ url: OPENAI + "/responses", body, answer: () => made });
      assert.equal(response, made);
      assert.equal(got, text);
      assert.deepEqual(keeper.methods, ["repair"]);
    }
  }));

test("a daemon that doesn't judge OpenAI's", (t) =>
  each(t, async (side) => {
    for (const pointer of ["/params/provider", "/params/request/messages"]) {
      const answers = { repair: new Fault(-32602, "invalid_params", { pointer }) };
      const at = { url: OPENAI + "/responses", body: INPUT, answers };
      const closed = await side.post(at);
      assert.deepEqual([closed.response.status, closed.sent.seen], [400, []]);
      assert.match(JSON.parse(closed.text).error.message, /doesn't judge openai-responses/);
      const open = await side.post({ ...at, onUnavailable: "open" });
      assert.deepEqual(open.sent.bodies, [INPUT]);
      assert.match(open.log.warnings[0], /doesn't judge openai-responses/);
    }
  }));
