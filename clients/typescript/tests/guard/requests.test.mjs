// SPDX-License-Identifier: Apache-2.0
/** Requests that leave: which of them are guarded, and what is edited. */

import assert from "node:assert/strict";
import { test } from "node:test";
import zlib from "node:zlib";

import { guardFetch, Turnkeeper } from "../../dist/esm/index.js";
import {
  BODY, EDITED, Fault, INFO, JSON_TYPE, LEFT, OK, Sent, Side, UNSAFE, URL_MESSAGES, each, without,
} from "./scripted.mjs";
import { MEDIA_TYPES } from "./shared.mjs";

const BOMB = zlib.gzipSync(`{"messages": [${" ".repeat(64 << 20)}]}`);
const NEVER = { prepare: new Fault(-32603, "internal"), repair: new Fault(-32603, "internal") };

test("a sound request leaves with the arguments that came", (t) =>
  each(t, async (side) => {
    const options = { policy: "preserve", provenance: "rebuilt", target: { endpoint: "vertex" } };
    const { fetch, sent, keeper } = side.guard(options);
    const forms = [BODY, new TextEncoder().encode(BODY), new Blob([BODY]), new TextEncoder().encode(BODY).buffer];
    for (const body of forms) {
      const init = { method: "POST", headers: JSON_TYPE, body };
      assert.deepEqual(await (await fetch(URL_MESSAGES, init)).json(), { ok: true });
      const last = sent.seen.at(-1);
      assert.equal(last.init, init);
      assert.equal(last.init.body, body);
      const [method, params] = keeper.seen.at(-1);
      assert.equal(method, "prepare");
      assert.deepEqual(params.request, JSON.parse(BODY));
      for (const [name, value] of Object.entries(options)) assert.deepEqual(params[name], value);
    }
    assert.deepEqual(sent.bodies, forms.map(() => BODY));
  }));

test("an edited request keeps its other bytes", (t) =>
  each(t, async (side) => {
    const { fetch, sent, log } = side.guard({ answers: { prepare: EDITED } });
    const headers = { ...JSON_TYPE, "content-length": "73", "X-Own": "1" };
    for (const body of [BODY, new TextEncoder().encode(BODY), new Blob([BODY])]) {
      await fetch(new URL(URL_MESSAGES), { method: "POST", headers, body });
      const last = sent.seen.at(-1);
      assert.equal(sent.bodies.at(-1), LEFT);
      assert.equal(last.headers.get("x-own"), "1");
      assert.equal(last.headers.get("content-type"), "application/json");
      assert.equal(last.init.headers.get("content-length"), null);
    }
    assert.match(log.infos[0], /repaired: c$/);
    assert.deepEqual(log.warnings, []);
  }));

test("a Request as the argument", (t) =>
  each(t, async (side) => {
    const make = () => new Request(URL_MESSAGES, { method: "POST", headers: { ...JSON_TYPE, "X-Own": "1" }, body: BODY });
    const sound = side.guard();
    const given = make();
    await sound.fetch(given);
    assert.equal(sound.sent.seen[0].input, given);
    assert.deepEqual(sound.sent.bodies, [BODY]);
    const edited = side.guard({ answers: { prepare: EDITED } });
    await edited.fetch(make());
    assert.deepEqual(edited.sent.bodies, [LEFT]);
    assert.equal(edited.sent.seen[0].method, "POST");
    assert.equal(edited.sent.seen[0].headers.get("x-own"), "1");
  }));

test("compressed requests", (t) =>
  each(t, async (side) => {
    const codings = [
      ["gzip", zlib.gzipSync, zlib.gunzipSync],
      ["deflate", zlib.deflateSync, zlib.inflateSync],
      ["identity", Buffer.from, (data) => Buffer.from(data)],
    ];
    for (const [coding, pack, unpack] of codings) {
      const headers = { ...JSON_TYPE, "content-encoding": coding };
      const body = pack(BODY);
      const sound = await side.post({ body, headers });
      assert.equal(sound.sent.seen[0].init.body, body);
      const { sent } = await side.post({ body, headers, answers: { prepare: EDITED } });
      assert.equal(unpack(sent.seen[0].bytes).toString(), LEFT);
      assert.equal(sent.seen[0].headers.get("content-encoding"), coding);
    }
  }));

test("what nobody can decompress", (t) =>
  each(t, async (side) => {
    const cut = zlib.gzipSync(BODY).subarray(0, -9);
    for (const [coding, body] of [["br", "x"], ["gzip", "no gzip"], ["gzip", cut], ["deflate", new Uint8Array()]]) {
      const headers = { ...JSON_TYPE, "content-encoding": coding };
      const closed = await side.post({ body, headers });
      assert.deepEqual([closed.response.status, closed.sent.seen], [400, []], coding);
      const open = await side.post({ body, headers, onUnavailable: "open" });
      assert.equal(open.sent.seen[0].init.body, body);
      assert.match(open.log.warnings[0], /sent unguarded/);
    }
  }));

test("what becomes too large is unpacked no further than the keeper's limit, 64 MiB if it says none", (t) =>
  each(t, async (side) => {
    const large = `{"messages": [${" ".repeat(1 << 20)}]}`;
    for (const [coding, pack] of [["gzip", zlib.gzipSync], ["deflate", zlib.deflateSync]]) {
      const headers = { ...JSON_TYPE, "content-encoding": coding };
      const body = pack(large);
      for (const [most, fits] of [[large.length, true], [large.length - 1, false], [1000, false]]) {
        const answers = { info: { ...INFO, limits: { max_frame: most } } };
        const { response, text, sent } = await side.post({ body, headers, answers });
        assert.equal(response.status, fits ? 200 : 400);
        assert.equal(sent.seen.length, fits ? 1 : 0);
        if (fits) continue;
        assert.match(JSON.parse(text).error.message, new RegExp(`more than ${most} bytes`));
        const open = await side.post({ body, headers, answers, onUnavailable: "open" });
        assert.deepEqual([...open.sent.seen[0].bytes], [...body]);
        assert.match(open.log.warnings[0], /sent unguarded/);
      }
    }
    const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
    const { response, text, sent } = await side.post({ body: BOMB, headers });
    assert.deepEqual([response.status, sent.seen.length], [400, 0]);
    assert.match(JSON.parse(text).error.message, new RegExp(`more than ${64 << 20} bytes`));
  }));

test("a body of more than a keeper in process takes is no better packed", async () => {
  const keeper = await Turnkeeper.load({ limits: { maxFrame: 1000 } });
  const sent = new Sent();
  const guarded = guardFetch({ keeper, fetch: sent.fetch });
  const body = zlib.gzipSync(`{"messages": [${" ".repeat(1000)}]}`);
  const response = await guarded(URL_MESSAGES, { method: "POST", headers: { "content-encoding": "gzip" }, body });
  assert.deepEqual([response.status, sent.seen.length], [400, 0]);
  assert.match((await response.json()).error.message, /more than 1000 bytes/);
});

test("media types of requests, the table that the clients share", (t) =>
  each(t, async (side) => {
    for (const { value, kind } of MEDIA_TYPES) {
      const { keeper, sent } = await side.post({ headers: { "content-type": value }, answers: { prepare: EDITED } });
      const guarded = kind === "json" || kind === "other_json";
      assert.deepEqual(keeper.methods, guarded ? ["prepare"] : [], value);
      assert.deepEqual(sent.bodies, [guarded ? LEFT : BODY], value);
    }
  }));

test("what is not guarded", (t) =>
  each(t, async (side) => {
    for (const change of [
      { url: "http://provider.test/v1/messages/batches" },
      { url: "http://provider.test/v1/complete" },
      { url: "http://bedrock.test/model/anthropic.claude-v1%3A0/invoke" },
      { url: "http://bedrock.test/model/m/invoke-with-response-stream" },
      { url: "http://vertex.test/v1/projects/p/publishers/anthropic/models/m:rawPredict" },
      { url: "http://vertex.test/v1/models/m:streamRawPredict?alt=sse" },
      { url: "http://other.test/v1/threads/t/messages" },
      { url: "http://other.test/v1/%zz" },
      { headers: { "content-type": "multipart/form-data; boundary=x" } },
      { headers: { "content-type": "text/plain" } },
    ]) {
      const { sent, keeper } = await side.post({ answers: NEVER, ...change });
      assert.deepEqual([sent.bodies, keeper.seen], [[BODY], []], JSON.stringify(change));
    }
    for (const change of [
      { url: "http://gateway.test/anthropic/v1/messages?beta=true" },
      { url: "http://provider.test/v1/messages/count_tokens?beta=true" },
      { headers: { "content-type": "application/json; charset=utf-8" } },
      { headers: {} },
    ]) {
      await assert.rejects(side.post({ answers: NEVER, ...change }), { name: "guard_unavailable" });
    }
  }));

test("other methods, and what fetch refuses itself", (t) =>
  each(t, async (side) => {
    const { fetch, sent, keeper } = side.guard({ answers: NEVER });
    await fetch(URL_MESSAGES);
    assert.equal(sent.seen[0].method, "GET");
    await assert.rejects(fetch("no url", { method: "POST", body: BODY }), TypeError);
    await assert.rejects(fetch(URL_MESSAGES, { method: "POST", body: BODY, headers: { "a b": "c" } }), TypeError);
    assert.deepEqual(keeper.seen, []);
  }));

test("bodies that can be read only once, and forms, pass with one warning", (t) =>
  each(t, async (side) => {
    const { fetch, sent, keeper, log } = side.guard({ answers: NEVER });
    const form = new URLSearchParams({ a: "b" });
    const stream = new Blob([BODY]).stream();
    for (const body of [stream, form, new FormData()]) {
      await fetch(URL_MESSAGES, { method: "POST", headers: body === stream ? JSON_TYPE : {}, body, duplex: "half" });
      assert.equal(sent.seen.at(-1).init.body, body);
    }
    assert.equal(sent.bodies[0], BODY);
    assert.deepEqual(keeper.seen, []);
    assert.equal(log.warnings.length, 1);
    assert.match(log.warnings[0], /a stream or a form is sent unguarded/);
  }));

test("counting: what is counted is what will be sent; it is never refused, and no stream is opened", (t) =>
  each(t, async (side) => {
    const url = URL_MESSAGES + "/count_tokens";
    const body = BODY.slice(0, -1) + ', "stream": true}';
    const edited = await side.post({ url, body, answers: { prepare: EDITED } });
    assert.ok(!edited.sent.bodies[0].includes("1.0"));
    assert.deepEqual(edited.keeper.methods, ["prepare"]);
    assert.deepEqual(edited.keeper.seen[0][1].tools, { betas: [], call: "count_tokens" });
    const unsafe = await side.post({ url, answers: { prepare: new Fault(-32001, "unsafe_history", UNSAFE) } });
    assert.deepEqual(unsafe.sent.bodies, [BODY]);
  }));

test("a header that binds the body", (t) =>
  each(t, async (side) => {
    for (const [name, value] of [
      ["x-amz-content-sha256", "0"],
      ["content-md5", "0"],
      ["content-digest", "sha-256=:x:"],
      ["authorization", "AWS4-HMAC-SHA256 Credential=x"],
    ]) {
      const headers = { ...JSON_TYPE, [name]: value };
      assert.deepEqual((await side.post({ headers })).sent.bodies, [BODY]);
      const refused = await side.post({ headers, answers: { prepare: EDITED } });
      assert.deepEqual([refused.response.status, refused.sent.seen], [400, []]);
      assert.ok(JSON.parse(refused.text).error.message.includes(name));
      const counted = await side.post({ url: URL_MESSAGES + "/count_tokens", headers, answers: { prepare: EDITED } });
      assert.deepEqual(counted.sent.bodies, [BODY]);
    }
    const bearer = await side.post({ headers: { ...JSON_TYPE, authorization: "Bearer x" }, answers: { prepare: EDITED } });
    assert.deepEqual(bearer.sent.bodies, [LEFT]);
  }));

test("beta values are added after the caller's", (t) =>
  each(t, async (side) => {
    for (const [given, added, want] of [
      [null, ["x"], "x"],
      ["a, b", ["x", "y"], "a, b,x,y"],
      ["a , b", [], "a , b"],
      [null, [], null],
    ]) {
      for (const outcome of [OK, EDITED]) {
        const headers = added.length > 0 || given ? { "anthropic-beta": "whatever" } : {};
        const prepare = { ...outcome, headers, betas: ["?"], added_betas: added };
        const sending = given === null ? JSON_TYPE : { ...JSON_TYPE, "Anthropic-Beta": given };
        const { sent, keeper } = await side.post({ headers: sending, answers: { prepare } });
        assert.equal(sent.seen[0].headers.get("anthropic-beta"), want);
        assert.deepEqual(sent.bodies, [outcome === OK ? BODY : LEFT]);
        assert.deepEqual(keeper.seen[0][1].tools, { betas: given === null ? [] : [given] });
      }
    }
  }));

test("no beta values where they have no place", (t) =>
  each(t, async (side) => {
    const inBody = { ...OK, headers: {}, betas: ["x"], added_betas: ["x"] };
    const plain = await side.post({ answers: { prepare: inBody } });
    assert.equal(plain.sent.seen[0].headers.get("anthropic-beta"), null);
    const prepare = { ...inBody, headers: { "anthropic-beta": "x" } };
    const headers = { ...JSON_TYPE, authorization: "AWS4-HMAC-SHA256 C=x" };
    const signed = await side.post({ headers, answers: { prepare } });
    assert.equal(signed.sent.seen[0].headers.get("anthropic-beta"), null);
    assert.deepEqual(signed.sent.bodies, [BODY]);
  }));

test("only the history is refused: tools that clash are for the provider to refuse", (t) =>
  each(t, async (side) => {
    for (const prepare of [
      new Fault(-32003, "tool_name_conflict", { stage: "tools" }),
      new Fault(-32003, "thread_unsupported_request", { stage: "splice" }),
      new Fault(-32602, "invalid_params", { pointer: "/params/request/tools" }),
    ]) {
      const { response, sent } = await side.post({ answers: { prepare, repair: EDITED } });
      assert.deepEqual([response.status, sent.bodies], [200, [LEFT]]);
      const repair = new Fault(-32001, "unsafe_history", UNSAFE);
      const refused = await side.post({ answers: { prepare, repair } });
      assert.deepEqual([refused.response.status, refused.sent.seen], [400, []]);
    }
  }));

test("a body that takes a whole second look: only the bytes of the edit change, whatever surrounds them", (t) =>
  each(t, async (side) => {
    const body = `\n ${BODY}`;
    const answer = without(',{"n": 1.0} ');
    const { sent } = await side.post({ body, answers: { prepare: answer } });
    assert.deepEqual(sent.bodies, [`\n ${LEFT}`]);
  }));
