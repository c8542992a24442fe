// SPDX-License-Identifier: Apache-2.0
/** Events of a guard: repaired, refused, missed; and missed requests that are saved. */

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { turnkeeperMiddleware } from "../../dist/esm/ai/index.js";
import { ConnectionLost, guardFetch } from "../../dist/esm/index.js";
import { missFolder } from "../../dist/esm/misses/index.js";
import { drawing } from "../drawing.mjs";
import { backEnds, eachBackEnd, failure, installed, Provider } from "./real.mjs";
import { BODY, EDITED, Fault, JSON_TYPE, LEFT, Log, OK, Sent, UNSAFE, URL_MESSAGES, chunks, each } from "./scripted.mjs";

const COUNTS = `${URL_MESSAGES}/count_tokens`;
const STREAM = BODY.slice(0, -1) + ', "stream": true}';
const RULE = "tool_use_without_result";
const WORDS =
  "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block " +
  "must have a corresponding `tool_result` block in the next message.";
const SECRET = "Xylophone";
const GOOD = [{ role: "user", content: `q ${SECRET}` }];
const CALL = { type: "server_tool_use", id: `srvtoolu_${SECRET}`, name: "web_search", input: { query: SECRET } };
const ORPHAN = [
  ...GOOD, { role: "assistant", content: [CALL, { type: "text", text: SECRET }] }, { role: "user", content: SECRET },
];
const RESULT = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
const SIGNED = [{ type: "thinking", thinking: SECRET, signature: "c2ln" }, RESULT, { type: "text", text: "a" }];
const HOPELESS = [...GOOD, { role: "assistant", content: SIGNED }, { role: "user", content: "n" }];

const requestOf = (messages, more = {}) => JSON.stringify({ model: "claude-sonnet-5-5", max_tokens: 9, messages, ...more });
const saying = (status, text) => () => new Response(text, { status, headers: JSON_TYPE });

/** Gives the test a folder of its own. */
async function inFolder(body) {
  const folder = mkdtempSync(join(tmpdir(), "tk"));
  try {
    await body(folder);
  } finally {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  }
}

/** Posts one body through a guard of a scripted keeper, whose events are kept. */
async function told(side, options) {
  const events = [];
  return { events, ...(await side.post({ onEvent: (event) => events.push(event), ...options })) };
}

test("a repair is told before the request leaves, a refusal before it is returned", (t) =>
  each(t, async (side) => {
    for (const [url, body] of [[URL_MESSAGES, BODY], [URL_MESSAGES, STREAM], [COUNTS, BODY]]) {
      const events = [];
      const answer = () => {
        assert.equal(events.length, 1);
        return Response.json({});
      };
      const onEvent = (event) => events.push(event);
      const { sent } = await side.post({ url, body, answers: { prepare: EDITED }, answer, onEvent, caller: "agent-7" });
      assert.equal(sent.bodies[0], body.replace(',{"n": 1.0} ', ""));
      const about = { provider: "anthropic", caller: "agent-7" };
      assert.deepEqual(events, [{ ...about, kind: "repaired", codes: { c: 1 }, actions: { drop: 1 } }]);
    }
    const unsafe = (data) => ({ prepare: new Fault(-32001, "unsafe_history", data) });
    for (const [data, codes] of [[UNSAFE, { c: 1 }], [{ ...UNSAFE, counts: { c: 1, d: 7 } }, { c: 1, d: 7 }]]) {
      const { events, sent } = await told(side, { answers: unsafe(data) });
      assert.deepEqual([events, sent.seen], [[{ provider: "anthropic", kind: "refused", codes }], []]);
      assert.deepEqual((await told(side, { url: COUNTS, answers: unsafe(data) })).events, []);
    }
    const repair = new Fault(-32001, "unsafe_history", UNSAFE);
    const { events } = await told(side, { url: "https://api.openai.com/v1/responses", answers: { repair } });
    assert.deepEqual(events, [{ provider: "openai-responses", kind: "refused", codes: { c: 1 } }]);
  }));

test("what a header forbids, and what can't be judged", (t) =>
  each(t, async (side) => {
    const bound = { answers: { prepare: EDITED }, headers: { ...JSON_TYPE, digest: "x" }, answer: saying(400, WORDS) };
    const refused = { provider: "anthropic", kind: "refused" };
    assert.deepEqual((await told(side, bound)).events, [{ ...refused, codes: { c: 1 } }]);
    assert.deepEqual((await told(side, { ...bound, url: COUNTS })).events, []); // leaves as it is: not sound
    const large = { prepare: new Fault(-32010, "frame_too_large") };
    assert.deepEqual((await told(side, { answers: large })).events, [{ ...refused, codes: {} }]);
    assert.deepEqual((await told(side, { answers: large, onUnavailable: "open", answer: saying(400, "") })).events, []);
    const lost = { prepare: new ConnectionLost("gone") };
    const events = [];
    const guarded = side.guard({ answers: lost, onEvent: (event) => events.push(event) });
    await failure(guarded.fetch(URL_MESSAGES, { method: "POST", headers: JSON_TYPE, body: BODY }));
    assert.deepEqual(events, []);
  }));

test("the provider's refusal of a sound request is reported and told", (t) =>
  each(t, async (side) => {
    const answers = { report_miss: { code: "a_rule" } };
    const urls = [
      [URL_MESSAGES, BODY, "anthropic"], [URL_MESSAGES, STREAM, "anthropic"], [COUNTS, BODY, "anthropic"],
      ["https://api.openai.com/v1/chat/completions", BODY, "openai-chat"],
    ];
    for (const [url, body, provider] of urls) {
      for (const status of [200, 400, 401, 403, 404, 413, 422, 429, 500, 529]) {
        const given = { url, body, answers, answer: saying(status, "words"), caller: "agent-7" };
        const { events, text, response, keeper } = await told(side, given);
        assert.deepEqual([response.status, text], [status, "words"]);
        const reports = keeper.seen.filter(([method]) => method === "report_miss").map(([, params]) => params);
        const is = status === 400 || status === 422;
        const event = { provider, caller: "agent-7", kind: "missed", status, code: "a_rule" };
        assert.deepEqual(events, is ? [event] : []);
        assert.deepEqual(reports, is ? [{ caller: "agent-7", status, text: "words", provider }] : []);
        for (const [method, params] of keeper.seen) assert.equal(params.caller, "agent-7", method);
      }
    }
  }));

test("without a listener a miss is reported all the same", (t) =>
  each(t, async (side) => {
    const { keeper } = await side.post({ answers: { report_miss: { code: null } }, answer: saying(400, WORDS) });
    assert.deepEqual(keeper.methods, ["prepare", "report_miss"]);
  }));

test("a keeper that can't be asked, or is older, changes nothing", (t) =>
  each(t, async (side) => {
    for (const report_miss of [new Fault(-32601, "method_not_found"), new ConnectionLost("gone"), {}]) {
      const { events, text, log } = await told(side, { answers: { report_miss }, answer: saying(422, "words") });
      assert.equal(text, "words");
      assert.deepEqual(events, [{ provider: "anthropic", kind: "missed", status: 422, code: null }]);
      assert.deepEqual(log.warnings, []);
    }
  }));

test("law: whatever a refusal is made of, its reader gets it, and the keeper its beginning", (t) =>
  each(t, async (side) => {
    const draw = drawing(11);
    const alphabet = ["a", "\0", '"', "é", "漢", "𝄞", "b".repeat(1000)].map((text) => Buffer.from(text));
    for (let round = 0; round < 100; round += 1) {
      const pieces = Array.from({ length: draw.below(draw.of([1, 10, 400])) }, () => draw.of([...alphabet, Buffer.from([0xff])]));
      const plain = Buffer.concat(pieces);
      const broken = draw.chance(0.3);
      const given = broken ? [...pieces, new Error("broken off")] : pieces;
      const answer = () => new Response(chunks(...given).stream, { status: 400 });
      const events = [];
      const made = side.guard({ answers: { report_miss: { code: null } }, sent: new Sent(answer), onEvent: (e) => events.push(e) });
      const response = await made.fetch(URL_MESSAGES, { method: "POST", headers: JSON_TYPE, body: BODY });
      const read = [];
      let error;
      try {
        for await (const chunk of response.body) read.push(chunk);
      } catch (thrown) {
        error = thrown;
      }
      assert.ok(plain.equals(Buffer.concat(read)));
      assert.equal(error?.message, broken ? "broken off" : undefined);
      assert.equal(events.length, 1);
      const [report] = made.keeper.seen.filter(([method]) => method === "report_miss").map(([, params]) => params.text);
      const whole = plain.toString().replaceAll("\uFFFD", "");
      assert.ok(report === undefined || (report !== "" && whole.startsWith(report) && Buffer.byteLength(report) <= 65_536));
      if (!broken && plain.length <= 60_000) assert.equal(report ?? "", whole);
    }
  }));

test("a listener that throws, at once or later, changes nothing, and isn't quoted", (t) =>
  each(t, async (side) => {
    class Odd extends Error {}
    const wrong = [
      [() => { throw new Odd(SECRET); }, "Odd"], [async () => { throw new Odd(SECRET); }, "Odd"],
      [() => { throw SECRET; }, "string"],
    ];
    for (const [onEvent, type] of wrong) {
      const made = await side.post({ answers: { prepare: EDITED }, onEvent });
      assert.deepEqual(made.sent.bodies, [LEFT]);
      assert.deepEqual(made.log.warnings, [`turnkeeper: onEvent threw ${type}; the request isn't affected`]);
    }
  }));

test("options are checked", () => {
  for (const options of [{ onEvent: 1 }, { saveMiss: "folder" }]) assert.throws(() => guardFetch(options), TypeError);
  for (const caller of ["", "a b", "a".repeat(65), 7]) assert.throws(() => guardFetch({ caller }), RangeError);
  assert.throws(() => turnkeeperMiddleware({ onEvent: 1 }), TypeError);
  assert.throws(() => missFolder(join(tmpdir(), "tk-nothing-here")), { code: "ENOENT" });
  assert.throws(() => missFolder(new URL(import.meta.url).pathname), TypeError);
});

test("at most 100 files; the log says once that there are no more, and what fails changes nothing", (t) =>
  each(t, (side) =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, "notes.txt"), "");
      for (let n = 0; n < 98; n += 1) writeFileSync(join(folder, `miss-${n}.json`), "");
      const events = [];
      const answers = { report_miss: { code: null }, redact: { request: {} } };
      const sent = new Sent(saying(400, "words"));
      const { fetch, log } = side.guard({ answers, sent, saveMiss: missFolder(folder), onEvent: (e) => events.push(e) });
      const post = () => fetch(URL_MESSAGES, { method: "POST", headers: JSON_TYPE, body: BODY });
      const all = await Promise.all(Array.from({ length: 8 }, post));
      assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([400]));
      assert.equal(readdirSync(folder).length, 101);
      assert.equal(events.filter(({ saved }) => saved !== undefined).length, 2);
      assert.deepEqual(log.warnings, [`turnkeeper: a missed request isn't saved: ${folder} has 100 of them`]);
      const older = await told(side, { answers: { redact: new Fault(-32601, "method_not_found") }, answer: saying(400, ""),
        saveMiss: () => assert.fail("nothing is redacted") });
      assert.equal(older.events[0].saved, undefined);
      assert.match(older.log.warnings[0], /a missed request isn't saved: /);
    })));

describe("with both back ends", () => {
  let provider;
  before(async () => (provider = await Provider.start()));
  after(() => provider.stop());

  test("a missed request is saved as it was sent, redacted; no event, line or file has content", (t) =>
    eachBackEnd(t, provider, (guard) =>
      inFolder(async (folder) => {
        const [events, log] = [[], new Log()];
        const sent = new Sent(saying(400, `{"error": {"message": "${WORDS} ${SECRET}"}}`));
        const saveMiss = missFolder(folder);
        const fetch = guardFetch({ ...guard, logger: log, fetch: sent.fetch, saveMiss, onEvent: (e) => events.push(e) });
        for (const messages of [GOOD, ORPHAN, HOPELESS]) {
          for (const stream of [false, true]) {
            const response = await fetch(URL_MESSAGES, { method: "POST", headers: JSON_TYPE, body: requestOf(messages, { stream }) });
            assert.equal(response.status, 400);
          }
        }
        const kinds = ["missed", "missed", "repaired", "missed", "repaired", "missed", "refused", "refused"];
        assert.deepEqual(events.map(({ kind }) => kind), kinds);
        const misses = events.filter(({ kind }) => kind === "missed");
        assert.deepEqual(readdirSync(folder).map((name) => join(folder, name)).sort(), misses.map(({ saved }) => saved).sort());
        for (const { saved, status, code } of misses) {
          assert.equal(statSync(saved).mode & 0o777, 0o600);
          const { request, ...about } = JSON.parse(readFileSync(saved, "utf8"));
          assert.deepEqual([about, code], [{ provider: "anthropic", status, code }, RULE]);
          assert.ok((await guard.keeper.validate(request)).valid);
        }
        const said = [...log.warnings, ...log.infos, ...misses.map(({ saved }) => readFileSync(saved, "utf8"))].join();
        assert.ok(!(said + JSON.stringify(events)).toLowerCase().includes(SECRET.toLowerCase()), said);
      })));

  test("law: of each request at most one decision is told, the one that prepare answers, by both alike", async () => {
    const found = (await backEnds(provider)).filter(([, { skip }]) => !skip).map(([, options]) => options);
    const draw = drawing(3);
    const parts = [CALL, RESULT, { type: "text", text: "t" }, { type: "text", text: " " }, SIGNED[0],
      { type: "tool_use", id: "toolu_1", name: "f", input: {} }];
    const met = { repaired: 0, refused: 0, sound: 0 };
    for (let round = 0; round < 150; round += 1) {
      const turn = () => ({ role: "assistant", content: Array.from({ length: 1 + draw.below(3) }, () => draw.of(parts)) });
      const body = requestOf([...GOOD, turn(), { role: "user", content: "n" }, turn(), { role: "user", content: "n" }]);
      const all = [];
      for (const options of found) {
        const events = [];
        const sent = new Sent(saying(422, "unheard of"));
        const fetch = guardFetch({ ...options, seals: false, fetch: sent.fetch, onEvent: (event) => events.push(event) });
        await fetch(URL_MESSAGES, { method: "POST", headers: JSON_TYPE, body });
        let expected = [];
        try {
          const { edits } = await options.keeper.prepareBody(body, { tools: { betas: [] } });
          if (edits.length > 0) expected = [["repaired", edits.map(({ code }) => code), edits.map(({ action }) => action)]];
        } catch ({ violations }) {
          expected = [["refused", violations.map(({ code }) => code), []]];
        }
        const spread = (counts = {}) => Object.entries(counts).flatMap(([name, count]) => Array(count).fill(name)).sort();
        const decided = events.filter(({ kind }) => kind !== "missed");
        const read = decided.map(({ kind, codes, actions }) => [kind, spread(codes), spread(actions)]);
        assert.deepEqual(read, expected.map(([kind, codes, actions]) => [kind, codes.sort(), actions.sort()]), body);
        const missed = events.slice(decided.length);
        const sound = read[0]?.[0] !== "refused";
        const miss = { provider: "anthropic", kind: "missed", status: 422, code: null };
        assert.deepEqual(missed, sound ? [miss] : [], body);
        met[read[0]?.[0] ?? "sound"] += 1;
        all.push(events);
      }
      for (const events of all) assert.deepEqual(events, all[0], body);
    }
    for (const { keeper } of found) keeper.close();
    // Of each outcome there are some, so that nothing above holds for want of cases.
    assert.ok(Object.values(met).every((count) => count > 0), JSON.stringify(met));
  });

  test("the SDK's error is the provider's, whole and streamed", async (t) => {
    const { module, skip } = await installed("@anthropic-ai/sdk");
    if (skip) return t.skip(skip);
    await eachBackEnd(t, provider, async (guard) => {
      const events = [];
      const refuse = async (input, init) => {
        const response = await fetch(input, init); // the local provider accepts it, and another one wouldn't
        await response.arrayBuffer();
        return Response.json({ type: "error", error: { type: "invalid_request_error", message: WORDS } }, { status: 400 });
      };
      const guarded = guardFetch({ ...guard, fetch: refuse, onEvent: (event) => events.push(event) });
      const sdk = new module.default({ apiKey: "k", baseURL: provider.url, maxRetries: 0, fetch: guarded });
      const asked = { model: "claude-sonnet-5-5", max_tokens: 9, messages: ORPHAN };
      const counts = { codes: { provider_executed_call_without_result: 1 }, actions: { drop: 1 } };
      for (const ask of [() => sdk.messages.create(asked), () => sdk.messages.stream(asked).finalMessage()]) {
        const error = await failure(ask());
        assert.ok(error instanceof module.default.BadRequestError, String(error));
        assert.equal(error.error.error.message, WORDS);
        assert.deepEqual(events.splice(0), [
          { provider: "anthropic", kind: "repaired", ...counts },
          { provider: "anthropic", kind: "missed", status: 400, code: RULE },
        ]);
      }
    });
  });
});

test("the middleware tells of prompts", (t) =>
  each(t, async (side) => {
    const model = { provider: "anthropic.messages", modelId: "claude-sonnet-5-5" };
    const prompt = [{ role: "user", content: [{ type: "text", text: "q" }] }];
    const patch = [{ op: "remove", path: "/messages/0/content/0" }];
    const edited = { ...OK, changed: true, edits: EDITED.edits, patch };
    const unsafe = new Fault(-32001, "unsafe_history", UNSAFE);
    for (const [repair, expected] of [
      [OK, []], [edited, [{ kind: "repaired", codes: { c: 1 }, actions: { drop: 1 } }]], [unsafe, [{ kind: "refused", codes: { c: 1 } }]],
    ]) {
      const events = [];
      const keeper = side.keeper({ repair });
      const told = { onEvent: (event) => events.push(event), caller: "agent-7" };
      const middleware = turnkeeperMiddleware({ keeper, logger: new Log(), ...told });
      const run = middleware.transformParams({ params: { prompt }, model });
      if (repair === unsafe) await failure(run);
      else await run;
      assert.deepEqual(events, expected.map((event) => ({ provider: "anthropic", caller: "agent-7", ...event })));
      assert.equal(keeper.seen[0][1].caller, "agent-7");
    }
  }));
