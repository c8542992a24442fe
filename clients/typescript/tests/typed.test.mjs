// SPDX-License-Identifier: Apache-2.0

/**
 * The methods of both back ends on every case: the same results and errors, the argument unchanged, and what no edit
 * touched the same object. The cases are those of conformance.test.mjs.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { applyPatch, RemoteError, Turnkeeper } from "turnkeeper";

const cases = readFileSync(process.env.TK_REQUESTS, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
const LISTS = { "openai-responses": "input" };
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
  for (const name of ["splice", "tools"]) {
    if (typeof own[name] === "object" && own[name] !== null && !Array.isArray(own[name])) own[name] = step(own[name]);
  }
  return own;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

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

const TYPED = {
  validate: (keeper, given, params) => keeper.validate(given, options(params, ["messages", "request"])),
  repair: (keeper, given, params) => keeper.repair(given, options(params, ["messages", "request"])),
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
  const member = key === "messages" && method === "repair" ? (LISTS[params.provider] ?? key) : key;
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
      if (given === undefined || (method === "splice" && !isObject(params.assistant))) continue;
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
