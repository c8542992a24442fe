// SPDX-License-Identifier: Apache-2.0
/** Paths and hosts: whose request it is, and what is said of its target. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { destination } from "../../dist/esm/guard/routes.js";
import { Fault, JSON_TYPE, OK, each, without } from "./scripted.mjs";
import { HOSTS, ROUTES } from "./shared.mjs";

const VERSION = '{"anthropic_version": "v", "messages": [ {"role":"user","content":"q"},{"n": 1.0} ] }';
const MODEL = "anthropic.claude-sonnet-5-5-v1:0";
const BEDROCK = "http://bedrock.test/model/";
const VERTEX = "http://vertex.test/v1/projects/p/locations/l/publishers/anthropic/models/";

const CHAT = '{"model": "m", "messages": [ {"role":"user","content":"q"},{"n": 1.0} ] }';
const INPUT = '{"model": "m", "input": [ {"role":"user","content":"q"},{"n": 1.0} ], "store":false}';
const OPENAI = "https://api.openai.com/v1";
const AZURE = "https://name.openai.azure.com/openai";
const GONE = ',{"n": 1.0} ';

test("what the keeper is asked, by the cases that the clients share", (t) =>
  each(t, async (side) => {
    for (const { url, provider, target, counts, body: name } of ROUTES.cases) {
      const body = ROUTES.bodies[name ?? provider ?? "anthropic"];
      const { sent, keeper } = await side.post({ url, body });
      assert.deepEqual(sent.bodies, [body], url);
      const asked = keeper.seen.filter(([method]) => !method.startsWith("stream."));
      const said = asked.map(([method, p]) => [method, p.provider, p.target ?? {}, p.tools?.call]);
      if (provider === null) assert.deepEqual(keeper.seen, [], url);
      else if (provider !== "anthropic") assert.deepEqual(said, [["repair", provider, target, undefined]], url);
      else assert.deepEqual(said, [["prepare", undefined, target, counts ? "count_tokens" : undefined]], url);
    }
  }));

test("what is known of the answer", () => {
  for (const { url, provider, counts = false, streams = false } of ROUTES.cases) {
    const to = destination({ method: "post", url: new URL(url), type: null });
    if (provider !== null) assert.deepEqual([to.counts, to.streams], [counts, streams], url);
  }
});

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

test("bodies of OpenAI's are repaired", (t) =>
  each(t, async (side) => {
    for (const [path, body] of [["/chat/completions", CHAT], ["/responses", INPUT]]) {
      const { sent } = await side.post({ url: OPENAI + path, body, answers: { repair: without(GONE, body) } });
      assert.deepEqual(sent.bodies, [body.replace(GONE, "")], path);
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
