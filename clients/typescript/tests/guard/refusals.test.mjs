// SPDX-License-Identifier: Apache-2.0
/** Requests that don't leave, and how that is told; options; keepers that can't be asked. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { POLICIES, POLICY_KEYS } from "../../dist/esm/policy.js";
import { ConnectFailed, GuardUnavailable, guardFetch, Turnkeeper } from "../../dist/esm/index.js";
import { BODY, EDITED, Fault, JSON_TYPE, LEFT, Scripted, Sent, UNSAFE, URL_MESSAGES, each } from "./scripted.mjs";

const MODES = ["open", "closed"];
const POST = { method: "POST", headers: JSON_TYPE, body: BODY };

test("what can't be repaired is refused as the provider would", (t) =>
  each(t, async (side) => {
    for (const onUnavailable of MODES) {
      const answers = { prepare: new Fault(-32001, "unsafe_history", UNSAFE) };
      const { response, sent, text, log } = await side.post({ answers, onUnavailable });
      assert.deepEqual([response.status, sent.seen], [400, []]);
      assert.equal(response.headers.get("x-should-retry"), "false");
      const said = JSON.parse(text);
      assert.deepEqual(Object.keys(said), ["type", "error", "turnkeeper"]);
      assert.deepEqual([said.type, said.error.type], ["error", "invalid_request_error"]);
      assert.ok(said.error.message.startsWith("messages.1: no (refused by turnkeeper, not sent: "));
      assert.deepEqual(said.turnkeeper.violations, UNSAFE.violations);
      assert.equal(said.turnkeeper.name, "unsafe_history");
      assert.match(log.infos[0], /refused: /);
      assert.deepEqual(log.warnings, []);
    }
  }));

test("in OpenAI's form", (t) =>
  each(t, async (side) => {
    for (const [pointer, param] of [
      ["/messages/3/tool_calls/0", "messages[3].tool_calls[0]"],
      ["/input/5", "input[5]"],
      ["/input/5/content/0", "input[5].content[0]"],
      ["/tools/3", "tools[3]"],
      ["", null],
    ]) {
      const violations = [{ ...UNSAFE.violations[0], pointer, provider_error: "No tool call found" }];
      const answers = { repair: new Fault(-32001, "unsafe_history", { violations }) };
      const { response, text } = await side.post({ url: "https://api.openai.com/v1/responses", answers });
      assert.equal(response.status, 400);
      const { error } = JSON.parse(text);
      assert.deepEqual([error.type, error.param, error.code], ["invalid_request_error", param, null]);
      assert.ok(error.message.startsWith("No tool call found (refused by turnkeeper"));
      assert.equal(error.turnkeeper.violations[0].pointer, pointer);
    }
  }));

test("in the forms of Google and AWS", (t) =>
  each(t, async (side) => {
    const answers = { repair: new Fault(-32001, "unsafe_history", UNSAFE) };
    const gemini = await side.post({ url: "https://gateway.test/v1beta/models/m:generateContent", answers });
    const { error } = JSON.parse(gemini.text);
    assert.deepEqual([gemini.response.status, error.code, error.status], [400, 400, "INVALID_ARGUMENT"]);
    assert.deepEqual(error.details[0].turnkeeper.violations, UNSAFE.violations);
    const bedrock = await side.post({ url: "https://gateway.test/model/m/converse", answers });
    assert.equal(bedrock.response.status, 400);
    assert.equal(bedrock.response.headers.get("x-amzn-errortype"), "ValidationException");
    const { message, turnkeeper } = JSON.parse(bedrock.text);
    for (const text of [error.message, message]) assert.match(text, /^messages\.1: no \(refused by turnkeeper/);
    assert.equal(turnkeeper.name, "unsafe_history");
  }));

test("what the keeper can't judge", (t) =>
  each(t, async (side) => {
    for (const fault of [
      new Fault(-32010, "frame_too_large"),
      new Fault(-32014, "request_too_costly", { limit: 9 }),
      new Fault(-32014, "answer_too_large", { limit: 9 }),
      new Fault(-32700, "duplicate_key", { offset: 1 }),
      new Fault(-32602, "invalid_params", { pointer: "/params/request/messages" }),
    ]) {
      const answers = { prepare: fault, repair: fault };
      const closed = await side.post({ answers });
      assert.deepEqual([closed.response.status, closed.sent.seen], [400, []]);
      assert.match(JSON.parse(closed.text).error.message, /can't judge this request/);
      const open = await side.post({ answers, onUnavailable: "open" });
      assert.deepEqual(open.sent.bodies, [BODY]);
      assert.ok(open.log.warnings[0].includes("sent unguarded: " + fault.error.message));
    }
  }));

test("no JSON is the provider's to refuse", (t) =>
  each(t, async (side) => {
    for (const name of ["parse_error", "trailing_bytes"]) {
      const { response, sent } = await side.post({ answers: { prepare: new Fault(-32700, name, { offset: 1 }) } });
      assert.deepEqual([response.status, sent.bodies], [200, [BODY]]);
    }
  }));

test("an option of the guard that is wrong doesn't pass unnoticed", (t) =>
  each(t, async (side) => {
    for (const onUnavailable of MODES) {
      const wrong = new Fault(-32602, "invalid_params", { pointer: "/params/policy/thinking" });
      const { response, sent, text } = await side.post({ answers: { prepare: wrong, repair: wrong }, onUnavailable });
      assert.deepEqual([response.status, sent.seen], [400, []]);
      assert.match(JSON.parse(text).error.message, /an option of turnkeeper's guard is wrong.*\/params\/policy\/thinking/);
    }
  }));

test("another format is the provider's to refuse; the log has it once a format", (t) =>
  each(t, async (side) => {
    for (const onUnavailable of MODES) {
      let count = 0;
      const prepare = () => {
        count += 1;
        const looks_like = count < 3 ? "openai-chat" : "gemini";
        return new Fault(-32602, "dialect_mismatch", { looks_like, sign: "tool_calls", dialect: "anthropic" });
      };
      const { fetch, sent, keeper, log } = side.guard({ answers: { prepare }, onUnavailable });
      const bodies = [BODY, BODY.slice(0, -1) + ', "stream": true}', BODY, BODY];
      for (const body of bodies) assert.equal((await fetch(URL_MESSAGES, { ...POST, body })).status, 200);
      assert.deepEqual(sent.bodies, bodies);
      assert.deepEqual(new Set(keeper.methods), new Set(["prepare"]));
      assert.equal(log.warnings.length, 2);
      assert.match(log.warnings[0], /this looks like openai-chat: tool_calls/);
      assert.match(log.warnings[1], /gemini/);
    }
  }));

test("options are checked when the guard is made", () => {
  const daemon = new Scripted({}, { path: "/run/s" });
  for (const [options, kind, said] of [
    [{ policy: "perserve" }, RangeError, /"perserve" is none of conservative, preserve; did you mean "preserve"\?/],
    [{ policy: { thinkin: "demote" } }, RangeError, /the key: "thinkin" is none of .*; did you mean "thinking"\?/],
    [{ policy: { zzz: "demote" } }, RangeError, /the key: "zzz" is none of [^;]*$/],
    [{ onUnavialable: "open" }, RangeError, /the option: "onUnavialable" is none of .*; did you mean "onUnavailable"\?/],
    [{ onunavailable: "open" }, RangeError, /did you mean "onUnavailable"\?/],
    [{ ["x".repeat(1e6)]: 1 }, RangeError, /is none of [^;]*$/],
    [{ target: { endpiont: "azure" } }, RangeError, /the member: "endpiont" is none of .*did you mean "endpoint"\?/],
    [{ policy: { base: "x" } }, RangeError, /"x" is none of/],
    [{ policy: 7 }, TypeError, /a name or an object, not number/],
    [{ policy: null }, TypeError, /a name or an object, not null/],
    [{ fetch: 1 }, TypeError, /fetch: not a function/],
    [{ keeper: Promise.resolve(daemon) }, TypeError, /await what Turnkeeper\.load\(\)/],
    [{ keeper: daemon }, TypeError, /onUnavailable: "open" or "closed" has to be chosen/],
    [{ keeper: daemon, onUnavailable: "maybe" }, RangeError, /"maybe" is none of open, closed/],
  ]) {
    assert.throws(() => guardFetch(options), (error) => error instanceof kind && said.test(error.message));
  }
  for (const policy of ["preserve", { base: "preserve", thinking: "drop" }, {}, undefined]) guardFetch({ policy });
});

test("the names of policies are the core's", async () => {
  const { policies } = (await Turnkeeper.load()).info();
  assert.deepEqual(Object.keys(policies).sort(), [...POLICIES].sort());
  const keys = new Set(Object.values(policies).flatMap((policy) => Object.keys(policy)));
  assert.deepEqual([...keys, "base"].sort(), Object.keys(POLICY_KEYS).sort());
});

test("the values of a policy are the core's", async () => {
  const repair = (await Turnkeeper.load()).info().methods.find(({ name }) => name === "repair");
  const { properties } = repair.params.properties.policy.anyOf.find(({ type }) => type === "object");
  const theirs = Object.entries(properties).map(([name, { enum: words }]) => [name, words ? [...words].sort() : null]);
  const ours = Object.entries(POLICY_KEYS).map(([name, words]) => [name, words && [...words].sort()]);
  assert.deepEqual(Object.fromEntries(ours), Object.fromEntries(theirs));
});

test("a misspelt option of a method is told by its name, with the nearest", async () => {
  const keeper = await Turnkeeper.load();
  for (const [options, said] of [
    [{ polcy: "preserve" }, /did you mean `policy`\? \(at \/params\/polcy\)/],
    [{ maxViolatons: 1 }, /did you mean `max_violations`\? \(at \/params\/max_violatons\)/],
    [{ policy: { thinkin: "drop" } }, /did you mean `thinking`\? \(at \/params\/policy\/thinkin\)/],
    [{ target: { endpiont: "azure" } }, /did you mean `endpoint`\? \(at \/params\/target\/endpiont\)/],
    [{ zzz: 1 }, /at \/params\/zzz\)/],
    [{ "a b": 1 }, /at \/params\/…\)/],
  ]) {
    assert.throws(() => keeper.validate([], options), (error) => error.name === "invalid_params" && said.test(error.message));
  }
});

test("options of load and connect are checked", async () => {
  await assert.rejects(Turnkeeper.load({ limit: {} }), /the option: "limit" is none of .*; did you mean "limits"\?/);
  await assert.rejects(Turnkeeper.load({ limits: { maxFram: 1 } }), /limits: "maxFram" .*; did you mean "maxFrame"\?/);
  await assert.rejects(Turnkeeper.connect("/s", { timout: 1 }), /the option: "timout" .*; did you mean "timeout"\?/);
});

test("without options a keeper in process is loaded, once for all guards", async () => {
  const call = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
  const text = { type: "text", text: "t" };
  const stuck = { role: "assistant", content: [call, text] };
  const messages = [{ role: "user", content: "q" }, stuck, { role: "user", content: "n" }];
  const body = JSON.stringify({ model: "m", max_tokens: 9, messages });
  const sents = [new Sent(), new Sent()];
  const posts = sents.map(({ fetch }) => guardFetch({ fetch })(URL_MESSAGES, { ...POST, body }));
  await Promise.all(posts);
  for (const { bodies } of sents) assert.deepEqual(JSON.parse(bodies[0]).messages[1].content, [text]);
});

/** A keeper whose daemon is away while `down` is true. */
function mortal(side, answers) {
  const keeper = side.keeper({ ...answers, prepare: () => (keeper.down ? new ConnectFailed("no daemon at /run/s") : EDITED) });
  keeper.path = "/run/s";
  keeper.down = true;
  return keeper;
}

test("no daemon: nothing leaves, or all unguarded", (t) =>
  each(t, async (side) => {
    const closed = side.guard({ keeper: mortal(side), onUnavailable: "closed" });
    for (let round = 0; round < 2; round += 1) {
      const error = await closed.fetch(URL_MESSAGES, POST).catch((why) => why);
      assert.ok(error instanceof GuardUnavailable);
      assert.ok(error.cause instanceof ConnectFailed);
      assert.match(error.message, /can't be asked, nothing was sent: no daemon at \/run\/s$/);
    }
    assert.deepEqual([closed.sent.seen, closed.log.warnings.length], [[], 1]);
    assert.match(closed.log.warnings[0], /requests are not sent until it can/);
    const open = side.guard({ keeper: mortal(side), onUnavailable: "open" });
    for (let round = 0; round < 3; round += 1) await open.fetch(URL_MESSAGES, POST);
    assert.deepEqual([open.sent.bodies, open.log.warnings.length], [[BODY, BODY, BODY], 1]);
    assert.match(open.log.warnings[0], /requests are sent unguarded until it can/);
  }));

test("one warning for each change of state", (t) =>
  each(t, async (side) => {
    for (const onUnavailable of MODES) {
      const keeper = mortal(side);
      const { fetch, log } = side.guard({ keeper, onUnavailable });
      for (const down of [true, true, false, false, true, true, false]) {
        keeper.down = down;
        await fetch(URL_MESSAGES, POST).catch(() => undefined);
      }
      const told = log.warnings.map((line) => line.includes("answers again"));
      assert.deepEqual(told, [false, true, false, true]);
    }
  }));

test("the socket is named whatever the cause", (t) =>
  each(t, async (side) => {
    const busy = new Fault(-32011, "busy", { retryable: true });
    for (const [answer, said] of [[busy, /busy.*\(socket \/run\/s\)/], [new Fault(-32603, "internal"), /internal/]]) {
      const keeper = side.keeper({ prepare: answer }, {}, "/run/s");
      const { fetch, sent } = side.guard({ keeper, onUnavailable: "closed" });
      await assert.rejects(fetch(URL_MESSAGES, POST), said);
      assert.deepEqual(sent.seen, []);
    }
  }));

test("a daemon without splices is told to be too old", (t) =>
  each(t, async (side) => {
    const old = new Fault(-32602, "invalid_params", { pointer: "/params/return" });
    const answers = { prepare: old, repair: old };
    await assert.rejects(side.post({ answers }), /turnkeeperd is of a release before the guards of this package/);
    const open = await side.post({ answers, onUnavailable: "open" });
    assert.deepEqual(open.sent.bodies, [BODY]);
  }));

test("another protocol: it is asked before anything else", (t) =>
  each(t, async (side) => {
    const answers = { info: { protocol: 2 } };
    const keeper = side.keeper(answers);
    const { fetch } = side.guard({ keeper });
    await assert.rejects(fetch(URL_MESSAGES, POST), /speaks protocol 2, this client 1/);
    assert.deepEqual(keeper.seen, []);
    const open = await side.post({ answers, onUnavailable: "open" });
    assert.deepEqual(open.sent.bodies, [BODY]);
    assert.match(open.log.warnings[0], /speaks protocol 2/);
  }));

test("no streams: what can't be paired must not be paid for", (t) =>
  each(t, async (side) => {
    const body = BODY.slice(0, -1) + ', "stream" : true}';
    for (const fault of [new Fault(-32601, "method_not_found"), new Fault(-32011, "busy")]) {
      const options = { body, answers: { prepare: EDITED }, stream: { "stream.open": fault } };
      await assert.rejects(side.post(options), { name: "guard_unavailable" });
      const open = await side.post({ ...options, onUnavailable: "open" });
      assert.deepEqual(open.sent.bodies, [LEFT.slice(0, -1) + ', "stream" : true}']); // repaired all the same
    }
  }));
