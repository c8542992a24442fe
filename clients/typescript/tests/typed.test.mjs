// SPDX-License-Identifier: Apache-2.0

/**
 * The methods of both back ends on every case: the same results and errors, the argument unchanged, and what no edit
 * touched the same object. The cases are those of conformance.test.mjs.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { applyPatch, BudgetUnreachable, PairingFailed, RemoteError, Turnkeeper } from "turnkeeper";

const cases = readFileSync(process.env.TK_REQUESTS, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const LISTS = { "openai-responses": "input", gemini: "contents" };
const keepers = {};

before(async () => {
  keepers.local = await Turnkeeper.load();
  keepers.socket = await Turnkeeper.connect(process.env.TURNKEEPER_SOCKET);
});
after(() => Object.values(keepers).forEach((keeper) => keeper.close()));

/** The parameters of a request, or undefined for one that isn't JSON on purpose. */
function parameters(request) {
  try {
    return JSON.parse(request).params;
  } catch {
    return undefined;
  }
}

const camel = (name) => name.replace(/_[a-z]/g, (pair) => pair[1].toUpperCase());
const step = (value) => Object.fromEntries(Object.entries(value).map(([name, item]) => [camel(name), item]));

/** The options of a method for parameters of the protocol. */
function options(params, without) {
  const own = { ...step(params) };
  for (const name of without) delete own[name];
  for (const name of ["splice", "tools", "fit"]) {
    if (typeof own[name] === "object" && own[name] !== null && !Array.isArray(own[name])) own[name] = step(own[name]);
  }
  return own;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isTurn = (value) => isObject(value) || Array.isArray(value);

/** The document that a method takes first, or undefined if the case isn't one for the typed method. */
function document(method, params) {
  if (!isObject(params) || "return" in params || "signal" in params || "timeout" in params) return undefined;
  if (method === "repair_turn") return Array.isArray(params.content) ? params.content : undefined;
  const [list, whole] = [method === "tools" ? params.tools : params.messages, params.request];
  if (method === "prepare") return isObject(whole) && !("messages" in params) ? whole : undefined;
  if ((list === undefined) === (whole === undefined)) return undefined;
  if (isObject(whole) && list === undefined) return whole;
  return Array.isArray(list) ? list : undefined;
}

/** The methods about refusals take texts. */
const REFUSALS = {
  explain: (keeper, { text, ...params }) => keeper.explain(text, options(params, [])),
  report_miss: (keeper, { status, text, provider, ...params }) => keeper.reportMiss(status, text, provider, options(params, [])),
};

const TYPED = {
  validate: (keeper, given, params) => keeper.validate(given, options(params, ["messages", "request"])),
  repair: (keeper, given, params) => keeper.repair(given, options(params, ["messages", "request"])),
  fit: (keeper, given, { over, ...params }) => keeper.fit(given, over, options(params, ["messages", "request"])),
  repair_turn: (keeper, given, params) => keeper.repairTurn(given, options(params, ["content"])),
  tools: (keeper, given, params) =>
    keeper.tools(given, options(params, Array.isArray(given) ? ["tools"] : ["request"])),
  prepare: (keeper, given, params) => keeper.prepare(given, options(params, ["request"])),
  splice: (keeper, given, { assistant, ...params }) =>
    keeper.splice(given, assistant, options(params, ["messages", "request"])),
};

async function outcome(work) {
  try {
    return { result: await work() };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    // The offset counts from the first byte of the request, which has an id and a time limit of its own.
    const { offset, ...data } = error.data;
    return { error: { kind: error.constructor.name, name: error.name, code: error.code, data } };
  }
}

function checkShared(name, method, given, params, result) {
  const key = method === "repair_turn" ? "content" : method === "tools" ? "tools" : "messages";
  const member = key === "messages" ? (LISTS[params.provider] ?? key) : key;
  const body = Array.isArray(given) ? { [member]: given } : given;
  const source = Array.isArray(body[member]) ? body[member] : [];
  const want = applyPatch(structuredClone(body), result.patch)[member];
  assert.deepEqual(result[key], Array.isArray(want) ? want : [], name);
  assert.notEqual(result[key], body[member], `${name}: not a new list`);
  if (result.patch.some(({ path }) => path === `/${member}`)) return; // the whole list is another
  const kept = new Set(source);
  const same = result[key].filter((item) => kept.has(item)).length;
  const root = `/${member}/`;
  const touched = new Set(result.patch.flatMap(({ path, from }) => [path, from ?? path]).map((p) => p.split("/")[2]));
  const removed = result.patch.filter(({ path }) => path.startsWith(root) && path.split("/").length === 3).length;
  assert.ok(same >= source.length - touched.size - removed, `${name}: ${same} of ${source.length} are the same objects`);
}

test("both back ends give the same, and share what wasn't edited", async () => {
  let compared = 0;
  for (const { name, steps } of cases) {
    for (const { method, request } of steps) {
      const params = parameters(request);
      const given = method in TYPED ? document(method, params) : undefined;
      if (given === undefined || (method === "splice" && !isTurn(params.assistant))) continue;
      const before = structuredClone(given);
      const [here, there] = [
        await outcome(() => TYPED[method](keepers.local, given, params)),
        await outcome(() => TYPED[method](keepers.socket, given, params)),
      ];
      assert.deepEqual(here, there, name);
      assert.deepEqual(given, before, `${name}: the argument was changed`);
      if (here.result !== undefined && method !== "validate") checkShared(name, method, given, params, here.result);
      compared++;
    }
  }
  assert.ok(compared > cases.length / 3, `${compared} calls for ${cases.length} cases`);
});

/** A text without its letters and digits. */
const shape = (value) => JSON.stringify(value).replace(/[A-Za-z0-9]/g, "x");
const places = ({ violations }) => violations.map(({ code, pointer }) => [code, pointer]);

test("a redacted document has its shape and the findings of the one before", async () => {
  const messages = [
    { role: "user", content: "Anna Schmidtke" },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "book", input: { to: "Schmidtke" } }] },
    { role: "user", content: "n" },
  ];
  for (const keeper of Object.values(keepers))
    for (const given of [messages, { model: "claude-sonnet-4-5", messages }]) {
      const before = structuredClone(given);
      const hidden = await keeper.redact(given, { provider: "anthropic" });
      assert.deepEqual(given, before);
      assert.equal(shape(hidden), shape(given));
      assert.doesNotMatch(JSON.stringify(hidden), /Schmidtke|book/);
      assert.deepEqual(places(await keeper.validate(hidden)), places(await keeper.validate(given)));
      assert.equal(places(await keeper.validate(hidden)).length, 1);
    }
  await assert.rejects((async () => keepers.local.redact("text"))(), TypeError);
});

test("offsets count in the text that was given", async () => {
  const texts = [['{"messages": [}', 14], [' {"messages": [], "messages": []}', 18], ['{"\u00e9": 1, "messages": [', 23]];
  for (const keeper of Object.values(keepers))
    for (const [text, offset] of texts)
      for (const given of [text, new TextEncoder().encode(text)])
        await assert.rejects(async () => keeper.repairBody(given), (error) => {
          assert.equal(error.offset, offset, `${text}: ${error.name}`);
          return true;
        });
});

/** What a chunk of a case is as an argument of feed. */
const chunkOf = ({ data, data_base64: packed, events }) => data ?? events ?? new Uint8Array(Buffer.from(packed ?? "", "base64"));

/** Plays the steps of a case through Stream; returns the outputs and the end. */
async function streamed(keeper, all) {
  const { stream: _, ...params } = all[0];
  const stream = await keeper.stream(step(params));
  const outputs = [];
  for (const { restart, ...given } of all.slice(1, -1)) outputs.push(...(await stream.feed(chunkOf(given), { restart })));
  try {
    const { raw, message, turn } = await stream.finish(all.at(-1).transport_error ?? undefined);
    assert.deepEqual([message, turn], [raw.message, raw.turn ?? null]);
    return [...outputs, ...raw.outputs, raw.turn ?? null];
  } catch (error) {
    if (!(error instanceof PairingFailed)) throw error;
    return [...outputs, ...error.outputs, error.turn];
  }
}

test("streams of the cases have the daemon's outputs and turns", async () => {
  const providers = new Set();
  for (const { name, steps } of cases) {
    const methods = steps.map(({ method }) => method).join(" ");
    const all = steps.map(({ request }) => parameters(request));
    const answers = steps.map(({ answer }) => JSON.parse(answer).result);
    if (!/^stream.open( stream.feed)* stream.end$/.test(methods) || !answers.every(Boolean) || !all.every(isObject)) continue;
    const want = [...answers.flatMap(({ outputs }) => outputs), answers.at(-1).turn ?? null];
    for (const keeper of Object.values(keepers)) assert.deepEqual(await streamed(keeper, all), want, name);
    providers.add(all[0].provider ?? "anthropic");
  }
  assert.equal(providers.size, 5);
});

test("fitted text is the fitted document, and what was removed comes back", async () => {
  const list = ["q1", "a1", "q2"].map((content, n) => ({ role: n % 2 ? "assistant" : "user", content }));
  const text = JSON.stringify(list).replace(" ", "");
  for (const keeper of Object.values(keepers)) {
    const fitted = await keeper.fit(list, 60, { returnRemoved: true });
    assert.deepEqual(fitted.messages, [list[2]]);
    assert.equal(fitted.messages[0], list[2]);
    assert.deepEqual([fitted.changed, fitted.safe, fitted.reached, fitted.removed.length], [true, true, null, 1]);
    assert.deepEqual([fitted.removed[0].start, fitted.removed[0].end, fitted.removed[0].rounds], ["/messages/0", "/messages/1", 1]);
    assert.deepEqual(fitted.quarantine.map(({ pointer, value }) => [pointer, value]), [["/messages/0", list[0]], ["/messages/1", list[1]]]);
    assert.equal((await keeper.fitBody(text, 60)).body, JSON.stringify([list[2]]));
    assert.equal((await keeper.fitBody(text, 6000)).body, text);
    const least = await keeper.fit(list, 1, { onUnreachable: "least", keep: { last_rounds: 1 } });
    assert.deepEqual([least.reached, least.messages.length], [false, 1]);
    await assert.rejects(async () => keeper.fit(list, 1), (error) => error instanceof BudgetUnreachable && error.data.least > 1);
    const request = { model: "claude-sonnet-4-5", max_tokens: 9, messages: list };
    const made = await keeper.prepare(request, { fit: { over: 60, bytesPerToken: 2, unit: "tokens" }, returnRemoved: true });
    assert.deepEqual([made.fit.sizeBefore > 0, made.quarantine], [true, []]);
    const cut = await keeper.prepare(request, { fit: { over: 60 }, returnRemoved: true });
    assert.deepEqual([cut.messages, cut.quarantine[0].stage, cut.fit.removed.length], [[list[2]], "fit", 1]);
  }
});

test("repaired text has the bytes of return: messages", async () => {
  let compared = 0;
  for (const { name, steps } of cases) {
    const { method } = steps[0];
    const params = parameters(steps[0].request);
    if (method !== "repair" || document(method, params) === undefined || steps.length > 1) continue;
    const { request, messages, ...rest } = params;
    const text = JSON.stringify(request ?? messages);
    const given = options(rest, []);
    const list = LISTS[params.provider] ?? "messages";
    const [got, want] = [
      await outcome(() => keepers.local.repairBody(text, given)),
      await outcome(() => keepers.local.call("repair", { ...params, return: "messages" })),
    ];
    if (want.error !== undefined) {
      assert.deepEqual(got.error, want.error, name);
      continue;
    }
    const edited = request === undefined ? want.result.messages : { ...request, [list]: want.result.messages };
    assert.equal(got.result.body, want.result.changed ? JSON.stringify(edited) : text, name);
    const bytes = new TextEncoder().encode(text);
    const sent = await keepers.socket.repairBody(bytes, given);
    assert.equal(new TextDecoder().decode(sent.body), got.result.body, name);
    if (!sent.changed) assert.equal(sent.body, bytes, `${name}: not the very argument`);
    compared++;
  }
  assert.ok(compared > 0);
});

test("detect says whose a history is", async () => {
  for (const keeper of [keepers.local, keepers.socket]) {
    const chat = await keeper.detect({ model: "deepseek-chat", messages: [{ role: "user", content: "q" }] });
    assert.deepEqual([chat.provider, chat.endpoint, chat.sure, chat.because, chat.at],
      ["openai-chat", "compatible", true, "model deepseek-chat", "/model"]);
    const guess = await keeper.detect([{ role: "user", content: "q" }]);
    assert.deepEqual([guess.provider, guess.sure, guess.at], ["anthropic", false, null]);
    const nobody = await keeper.detect([{ from: "human", value: "q" }]);
    assert.deepEqual([nobody.provider, nobody.looksLike, nobody.dialect], [null, "sharegpt", null]);
  }
});

test("explain and reportMiss give the same in both back ends", async () => {
  let compared = 0;
  for (const { name, steps } of cases) {
    for (const { method, request } of steps) {
      const params = parameters(request);
      if (!(method in REFUSALS) || !isObject(params)) continue;
      const [here, there] = [
        await outcome(() => REFUSALS[method](keepers.local, params)),
        await outcome(() => REFUSALS[method](keepers.socket, params)),
      ];
      assert.deepEqual(here, there, name);
      if (here.result !== undefined && method === "explain") {
        for (const match of here.result.matches) assert.equal(typeof match.judged, "boolean", name);
      }
      compared++;
    }
  }
  assert.ok(compared > 40, `${compared} calls`);
});

test("a refusal is explained", () => {
  const words = "messages.3.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1";
  const [match, ...more] = keepers.local.explain(String(new Error(words))).matches;
  const { raw, ...place } = match.place;
  assert.deepEqual(place, { pointer: "/messages/3/content/1", message: 3, block: 1, id: "toolu_1" });
  assert.deepEqual([match.code, match.provider, match.severity, match.judged, more], ["tool_result_duplicate", "anthropic", "error", true, []]);
  assert.ok(match.text && match.action && match.providerError.includes("{id}") && raw.id === "toolu_1");
  assert.equal(keepers.local.explain("messages: first message must use the \"user\" role").matches[0].action, null);
  assert.equal(keepers.local.reportMiss(529, "Overloaded", "anthropic").code, null);
});

test("misses are counted by the daemon", async () => {
  const before = (await keepers.socket.stats()).misses;
  const { code } = await keepers.socket.reportMiss(400, "Could not process image", "anthropic");
  assert.equal(code, "image_unprocessable");
  assert.equal((await keepers.socket.stats()).misses[code], (before[code] ?? 0) + 1);
});

/** A name that is refused shows which calls have it. */
test("each call has the keeper's name, or its own", async () => {
  const named = {
    local: await Turnkeeper.load({ caller: "a b" }),
    socket: await Turnkeeper.connect(process.env.TURNKEEPER_SOCKET, { caller: "a b" }),
  };
  const list = [{ role: "user", content: "q" }];
  for (const keeper of Object.values(named)) {
    const calls = {
      validate: (options) => keeper.validate(list, options),
      repairBody: (options) => keeper.repairBody(JSON.stringify(list), options),
      explain: (options) => keeper.explain("x", options),
      reportMiss: (options) => keeper.reportMiss(400, "x", "gemini", options),
      ping: (options) => keeper.ping(1, options),
      call: (options) => keeper.call("ping", {}, options),
      stream: (options) => keeper.stream(options),
    };
    for (const [name, work] of Object.entries(calls)) {
      for (const options of [undefined, { caller: "also bad" }]) {
        const { error } = await outcome(async () => work(options));
        assert.deepEqual([error?.name, error?.data.pointer], ["invalid_params", "/params/caller"], name);
      }
      const { result } = await outcome(async () => work({ caller: "agent-7.x_y:Z" }));
      assert.ok(result !== undefined, name);
      result.close?.();
    }
    await keeper.call("ping", { caller: "own" });
    const stream = await keeper.stream({ caller: "its.own" });
    await stream.feed("event: ping\ndata: {}\n\n");
    keeper.close();
  }
});
