// SPDX-License-Identifier: Apache-2.0
/** Responses: streams through the pairing, and the seals of turns that pass. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { ConnectionLost } from "../../dist/esm/index.js";
import { BODY, EDITED, Fault, JSON_TYPE, OK, SEAL, Sent, URL_MESSAGES, chunks, each } from "./scripted.mjs";
import { MEDIA_TYPES } from "./shared.mjs";

const SSE = 'event: ping\ndata: {"type":"ping"}\n\n';
const ASKS = BODY.slice(0, -1) + ', "stream" : true}';
const POST = { method: "POST", headers: JSON_TYPE };

const TURN =
  '{"type":"message", "content" : [{"type":"thinking","thinking":"t","signature":"c2ln"},' +
  '{"type":"tool_use","id":"toolu_1","name":"f","input":{"n":1.0}}],"stop_reason":"tool_use"}';
const MESSAGE = { role: "assistant", content: JSON.parse(TURN).content };
const NEXT =
  '{"messages": [ {"role":"assistant","content":[{"type":"thinking","signature":"altered"},' +
  '{"type":"tool_use", "id" : "toolu_1"}]} ]}';

/** An answer with these chunks as a stream of events; `source` counts what happened to it. */
function events(source, headers = {}) {
  return () => new Response(source.stream, { headers: { "content-type": "text/event-stream; charset=utf-8", ...headers } });
}

const whole = (text, headers = {}, status = 200) => () =>
  new Response(text, { status, headers: { "content-type": "application/json; charset=utf-8", ...headers } });

async function read(response) {
  const parts = [];
  for await (const chunk of response.body) parts.push(new TextDecoder().decode(chunk));
  return parts;
}

test("a stream passes through the pairing, chunk by chunk", (t) =>
  each(t, async (side) => {
    const source = chunks(SSE.slice(0, 5), SSE.slice(5));
    const { fetch, sent, keeper } = side.guard({
      stream: { state: "open", end: [{ type: "sse", data: "last" }] },
      sent: new Sent(events(source)),
    });
    const response = await fetch(URL_MESSAGES, { ...POST, body: ASKS });
    assert.deepEqual(await read(response), [SSE.slice(0, 5), SSE.slice(5), "last"]);
    assert.deepEqual(sent.bodies, [ASKS]);
    assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
    assert.deepEqual(keeper.methods, ["prepare", "stream.open", "stream.feed", "stream.feed", "stream.end"]);
    const [, opened] = keeper.seen[1];
    assert.equal(opened.emit, "sse");
    assert.deepEqual(opened.request, JSON.parse(ASKS));
    assert.ok(keeper.closed > 0);
  }));

test("a stream is read only as fast as its reader reads", (t) =>
  each(t, async (side) => {
    const source = chunks(SSE, SSE, SSE, SSE);
    const { fetch } = side.guard({ sent: new Sent(events(source)), stream: { state: "done" } });
    const { body } = await fetch(URL_MESSAGES, { ...POST, body: ASKS });
    assert.equal(source.reads, 0);
    const reader = body.getReader();
    await reader.read();
    assert.equal(source.reads, 1);
    await reader.cancel();
  }));

test("headers that would be wrong for a paired body", (t) =>
  each(t, async (side) => {
    const headers = { "content-encoding": "gzip", "content-length": "9", "request-id": "r" };
    const { response, text } = await side.post({ body: ASKS, answer: events(chunks(SSE), headers) });
    assert.equal(text, SSE);
    assert.equal(response.headers.get("content-encoding"), null);
    assert.equal(response.headers.get("content-length"), null);
    assert.equal(response.headers.get("request-id"), "r");
  }));

test("the history of a stream is the repaired one", (t) =>
  each(t, async (side) => {
    const { keeper } = await side.post({ body: ASKS, answers: { prepare: EDITED }, answer: events(chunks(SSE)) });
    assert.deepEqual(keeper.seen[1][1].request.messages, JSON.parse(BODY).messages.slice(0, 1));
  }));

test("options of a stream", (t) =>
  each(t, async (side) => {
    const options = { policy: "preserve", providerInput: "deltas" };
    const { keeper } = await side.post({ body: ASKS, answer: events(chunks(SSE)), ...options });
    const [, opened] = keeper.seen[1];
    assert.deepEqual([opened.policy, opened.provider_input], ["preserve", "deltas"]);
  }));

test("after a fault nothing leaves, and the provider's connection is closed", (t) =>
  each(t, async (side) => {
    const source = chunks(SSE, "more", "and more");
    const stream = { state: "failed", end: [{ type: "error", data: "error!" }] };
    const { text } = await side.post({ body: ASKS, answer: events(source), stream });
    assert.equal(text, SSE + "error!");
    assert.deepEqual([source.reads, source.cancelled], [1, 1]);
  }));

test("after the turn's end nothing leaves, and the body is read to its end", (t) =>
  each(t, async (side) => {
    const source = chunks(SSE, "more", "and more");
    const { text, keeper } = await side.post({ body: ASKS, answer: events(source), stream: { state: "done" } });
    assert.equal(text, SSE);
    assert.deepEqual([source.reads, source.cancelled], [4, 0]);
    assert.deepEqual(keeper.methods, ["prepare", "stream.open", "stream.feed", "stream.end"]);
  }));

test("no stream after all", (t) =>
  each(t, async (side) => {
    for (const [status, type] of [[529, "text/event-stream"], [200, "application/json"]]) {
      const made = new Response("as it is", { status, headers: { "content-type": type } });
      const { response, text, keeper } = await side.post({ body: ASKS, answer: () => made });
      assert.equal(response, made);
      assert.equal(text, "as it is");
      assert.deepEqual(keeper.methods, ["prepare", "stream.open"]);
      assert.ok(keeper.closed > 0);
    }
  }));

test("a stream is opened only where one is asked for", (t) =>
  each(t, async (side) => {
    for (const body of [
      BODY,
      BODY.slice(0, -1) + ', "stream": false}',
      BODY.slice(0, -1) + ', "metadata": {"stream": true}}',
      BODY.slice(0, -1) + ', "stop_sequences": ["}", "{", "\\\\", "\\"stream\\": true"], "stream": null}',
      BODY.replace('"q"', '"\\"stream\\": true"'),
    ]) {
      const { text, keeper } = await side.post({ body, answer: events(chunks(SSE)) });
      assert.equal(text, SSE);
      assert.deepEqual(keeper.methods, ["prepare"], body);
    }
    const { keeper } = await side.post({ body: `{"stream":true,${BODY.slice(1)}`, answer: events(chunks(SSE)) });
    assert.ok(keeper.methods.includes("stream.open"));
  }));

test("the provider's connection breaks", (t) =>
  each(t, async (side) => {
    const broken = new TypeError("reset");
    const { fetch, keeper } = side.guard({ sent: new Sent(events(chunks(SSE, broken))) });
    const response = await fetch(URL_MESSAGES, { ...POST, body: ASKS });
    await assert.rejects(read(response), (why) => why === broken);
    assert.ok(keeper.closed > 0);
  }));

test("no connection to the provider", (t) =>
  each(t, async (side) => {
    const refused = new TypeError("fetch failed");
    const fail = () => {
      throw refused;
    };
    const { fetch, keeper } = side.guard({ sent: new Sent(fail) });
    await assert.rejects(fetch(URL_MESSAGES, { ...POST, body: ASKS }), (why) => why === refused);
    assert.deepEqual(keeper.methods, ["prepare", "stream.open"]);
    assert.ok(keeper.closed > 0);
  }));

test("turnkeeper is lost in the middle of a stream", (t) =>
  each(t, async (side) => {
    for (const onUnavailable of ["open", "closed"]) {
      const source = chunks(SSE, SSE);
      const options = { onUnavailable, stream: { "stream.feed": new ConnectionLost("gone") } };
      const { fetch } = side.guard({ sent: new Sent(events(source)), ...options });
      const response = await fetch(URL_MESSAGES, { ...POST, body: ASKS });
      await assert.rejects(read(response), ConnectionLost);
      assert.equal(source.cancelled, 1);
    }
  }));

test("a reader that leaves", (t) =>
  each(t, async (side) => {
    const source = chunks(SSE, SSE);
    const { fetch, keeper } = side.guard({ sent: new Sent(events(source)) });
    await (await fetch(URL_MESSAGES, { ...POST, body: ASKS })).body.cancel();
    assert.equal(source.cancelled, 1);
    assert.ok(keeper.closed > 0);
    assert.deepEqual(keeper.methods, ["prepare", "stream.open"]);
  }));

test("the caller's signal ends the request, and the stream with it", (t) =>
  each(t, async (side) => {
    const abort = new AbortController();
    const waiting = async (input, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const keeper = side.keeper();
    const { fetch } = side.guard({ keeper, sent: { fetch: waiting } });
    const exchange = fetch(URL_MESSAGES, { ...POST, body: ASKS, signal: abort.signal });
    setTimeout(() => abort.abort(), 20);
    await assert.rejects(exchange, { name: "AbortError" });
    assert.ok(keeper.closed > 0);
  }));

test("Amazon's framing passes, with one warning", (t) =>
  each(t, async (side) => {
    const url = "http://bedrock.test/model/anthropic.claude-sonnet-5-5-v1:0/invoke-with-response-stream";
    const body = '{"anthropic_version": "v", "messages": []}';
    const answer = () => new Response("\0\0\0\x7f", { headers: { "content-type": "application/vnd.amazon.eventstream" } });
    const { fetch, log, keeper } = side.guard({ sent: new Sent(answer) });
    for (let round = 0; round < 3; round += 1) {
      assert.equal(await (await fetch(url, { ...POST, body })).text(), "\0\0\0\x7f");
    }
    assert.equal(log.warnings.length, 1);
    assert.match(log.warnings[0], /pass as they come/);
    assert.ok(!keeper.methods.includes("stream.feed"));
  }));

/** Posts one body after the other; returns the seals that each was prepared with. */
async function turns(side, bodies, { answer = whole(TURN), ...options } = {}) {
  const made = side.guard({ sent: new Sent(answer), ...options });
  const texts = [];
  for (const body of bodies) texts.push(await (await made.fetch(URL_MESSAGES, { ...POST, body })).text());
  const seals = made.keeper.seen.flatMap(([method, params]) => (method === "prepare" ? [params.seals] : []));
  return { ...made, texts, seals };
}

test("whole responses are sealed, and their seals go along with what may be about them", (t) =>
  each(t, async (side) => {
    const { seals, texts, keeper } = await turns(side, [BODY, NEXT, BODY]);
    assert.deepEqual(seals, [undefined, [{ seal: SEAL }], undefined]);
    assert.deepEqual(texts, [TURN, TURN, TURN]);
    const sealed = keeper.seen.filter(([method]) => method === "seal").map(([, params]) => params);
    assert.deepEqual(sealed, [1, 2, 3].map(() => ({ content: JSON.parse(TURN).content })));
  }));

test("streams are sealed", (t) =>
  each(t, async (side) => {
    const answer = () => events(chunks(SSE))();
    const { seals } = await turns(side, [ASKS, NEXT], { answer, stream: { state: "done", message: MESSAGE } });
    assert.deepEqual(seals, [undefined, [{ seal: SEAL }]]);
  }));

test("what is not sealed", (t) =>
  each(t, async (side) => {
    for (const answer of [
      whole(TURN.replace("signature", "sig")),
      whole(TURN.slice(0, -1) + " ".repeat(8 << 20) + "}"),
      whole('"signature"'),
      whole('{"signature"'),
      whole('{"signature": 1}'),
      whole(TURN, { "content-type": "text/plain" }),
      whole(TURN, {}, 400),
    ]) {
      const { seals, keeper } = await turns(side, [BODY, NEXT], { answer });
      assert.deepEqual(seals, [undefined, undefined]);
      assert.ok(!keeper.methods.includes("seal"));
    }
    const off = await turns(side, [BODY, NEXT], { seals: false });
    assert.deepEqual(off.seals, [undefined, undefined]);
    assert.ok(!off.keeper.methods.includes("seal"));
  }));

test("media types of responses, the table that the clients share", (t) =>
  each(t, async (side) => {
    for (const { value, kind } of MEDIA_TYPES) {
      const type = { "content-type": value };
      const streamed = await side.post({ body: ASKS, answer: whole(SSE, type), stream: { state: "done" } });
      assert.equal(streamed.keeper.methods.includes("stream.feed"), kind === "sse", value);
      const { keeper } = await side.post({ answer: whole(TURN, type) });
      assert.equal(keeper.methods.includes("seal"), kind === "json", value);
    }
  }));

test("counts aren't sealed, but carry seals", (t) =>
  each(t, async (side) => {
    const { fetch, keeper } = await turns(side, [BODY]);
    const count = await fetch(URL_MESSAGES + "/count_tokens", { ...POST, body: NEXT });
    assert.equal(await count.text(), TURN);
    assert.deepEqual(keeper.seen.at(-1)[1].seals, [{ seal: SEAL }]);
  }));

test("without a seal nothing fails", (t) =>
  each(t, async (side) => {
    for (const seal of [new Fault(-32011, "busy"), new Fault(-32602, "invalid_params")]) {
      const { seals, texts, log } = await turns(side, [BODY, NEXT], { answers: { seal } });
      assert.deepEqual(seals, [undefined, undefined]);
      assert.deepEqual(texts, [TURN, TURN]);
      assert.match(log.warnings[0], /a turn without a seal/);
    }
  }));

test("seals that a new daemon doesn't know are forgotten", (t) =>
  each(t, async (side) => {
    const unknown = new Fault(-32003, "seal_unsupported", { pointer: "/params/seals/0/seal" });
    const prepare = (params) => ("seals" in params ? unknown : OK);
    const { seals } = await turns(side, [BODY, NEXT], { answers: { prepare } });
    assert.deepEqual(seals, [undefined, [{ seal: SEAL }], undefined]);
  }));

test("seals go along with the repair of what couldn't be prepared", (t) =>
  each(t, async (side) => {
    const refused = new Fault(-32003, "tool_name_conflict", { stage: "tools" });
    const prepare = (params) => ("seals" in params ? refused : OK);
    const { keeper } = await turns(side, [BODY, NEXT], { answers: { prepare } });
    const repaired = keeper.seen.filter(([method]) => method === "repair").map(([, params]) => params.seals);
    assert.deepEqual(repaired, [[{ seal: SEAL }]]);
  }));
