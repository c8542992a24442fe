// SPDX-License-Identifier: Apache-2.0
/** Anthropic's SDK against a local Messages API: what fails without turnkeeper and works with it. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { GuardUnavailable, guardFetch, Turnkeeper } from "../../dist/esm/index.js";
import { eachBackEnd, failure, installed, Provider } from "./real.mjs";

const { module, skip } = await installed("@anthropic-ai/sdk");
const Anthropic = module.default;

const CALL = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "the pass é" } };
const HIT = {
  type: "web_search_result", url: "https://road.example/pass", title: "Road", encrypted_content: "EpAECioIBxgCIiQ4",
  page_age: "today",
};
const RESULT = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [HIT] };
const TEXT = { type: "text", text: "It is open. Ünd so." };
const CLIENT_CALL = { type: "tool_use", id: "toolu_1", name: "note", input: { text: "x" } };
const THINKING = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
const TOOLS = [{ type: "web_search_20250305", name: "web_search" }];
const ANOTHER = { ...CALL, id: "srvtoolu_2" };
const SEARCH = { content: [ANOTHER, { ...RESULT, tool_use_id: "srvtoolu_2" }, TEXT] };
const UNSAFE = [THINKING, RESULT, TEXT]; // signed: nothing in it may be edited
const ORPHANS = [[CALL, TEXT], [RESULT, TEXT]];
const STREAM = [false, true];
const NOWHERE = "/nonexistent/tk.sock";

const user = (content = "q") => ({ role: "user", content });
const assistant = (content) => ({ role: "assistant", content });
const request = (messages) => ({ model: "claude-sonnet-5-5", max_tokens: 99, tools: TOOLS, messages });

/** The content as it would be stored and sent again: without what the SDK added itself. */
function content(message) {
  const own = ([name, value]) => value !== null && name !== "parsed" && name !== "parsed_output";
  return message.content.map((part) => Object.fromEntries(Object.entries(part).filter(own)));
}

describe("Anthropic's SDK", { skip }, () => {
  let provider;
  before(async () => (provider = await Provider.start()));
  after(() => provider.stop());

  const client = (options, { maxRetries = 0 } = {}) => {
    const guarded = options === null ? {} : { fetch: guardFetch(options) };
    return new Anthropic({ apiKey: "k", baseURL: provider.url, maxRetries, ...guarded });
  };

  /** The message that the SDK makes of the answer. `options`: of a guard; null: none. */
  const ask = (options, messages, stream, how) => {
    const sdk = client(options, how);
    return stream ? sdk.messages.stream(request(messages)).finalMessage() : sdk.messages.create(request(messages));
  };

  const refused = async (options, messages, stream, how) => {
    const error = await failure(ask(options, messages, stream, how));
    assert.ok(error instanceof Anthropic.BadRequestError, String(error));
    return error;
  };

  const each = (t, body) => eachBackEnd(t, provider, body);

  test("a chat that is stuck without turnkeeper goes on with it", (t) =>
    each(t, async (guard) => {
      for (const parts of ORPHANS) {
        const messages = [user(), assistant(parts), user("and now?")];
        for (const stream of STREAM) {
          await provider.play([SEARCH]);
          const { error } = await refused(null, messages, stream);
          assert.match(error.error.message, /srvtoolu_1/);
          const answer = await ask(guard, messages, stream);
          assert.deepEqual(content(answer), SEARCH.content);
          assert.equal(answer.stop_reason, "end_turn");
          assert.equal((await provider.bodies()).length, 2);
        }
      }
    }));

  test("a paused turn that the user cut short, and one that goes on", (t) =>
    each(t, async (guard) => {
      const paused = { content: [TEXT, CALL], stop_reason: "pause_turn" };
      const rest = { content: [RESULT, TEXT] };
      for (const stream of STREAM) {
        await provider.play([paused, SEARCH, rest, SEARCH]);
        const first = await ask(guard, [user()], stream);
        assert.equal(first.stop_reason, "pause_turn");
        assert.deepEqual(content(first), paused.content);
        const messages = [user(), assistant(content(first))];
        await refused(null, [...messages, user("never mind")], stream);
        assert.deepEqual(content(await ask(guard, [...messages, user("never mind")], stream)), SEARCH.content);
        const second = await ask(guard, messages, stream);
        assert.deepEqual(content(second), rest.content);
        const longer = [...messages, assistant(content(second)), user("more")];
        assert.deepEqual(content(await ask(guard, longer, stream)), SEARCH.content);
      }
    }));

  test("what can't be repaired never leaves, and isn't tried again", (t) =>
    each(t, async (guard) => {
      const messages = [user(), assistant(UNSAFE), user("n")];
      for (const stream of STREAM) {
        await provider.play();
        const theirs = (await refused(null, messages, stream)).error;
        const { error: ours } = await refused(guard, messages, stream, { maxRetries: 2 });
        assert.equal((await provider.bodies()).length, 1);
        assert.ok(ours.error.message.startsWith(theirs.error.message));
        assert.equal(ours.turnkeeper.name, "unsafe_history");
        assert.equal(ours.turnkeeper.violations[0].pointer, "/messages/1/content/1");
      }
    }));

  test("a sound history leaves byte for byte, with the same headers", (t) =>
    each(t, async (guard) => {
      const told = { type: "tool_result", tool_use_id: "toolu_1", content: "é" };
      const messages = [user("é\u2028"), assistant([CALL, RESULT, TEXT, CLIENT_CALL]), user([told])];
      for (const stream of STREAM) {
        await provider.play([SEARCH, SEARCH]);
        for (const options of [null, guard]) await ask(options, messages, stream);
        const [plain, guarded] = await provider.seen();
        assert.equal(guarded.body, plain.body);
        assert.deepEqual(guarded.headers, plain.headers);
      }
    }));

  test("a repaired history leaves byte for byte but for the edit", (t) =>
    each(t, async (guard) => {
      const messages = [user("é"), assistant([TEXT, CALL]), user("n")];
      await provider.play([SEARCH]);
      await refused(null, messages, false);
      await ask(guard, messages, false);
      const [sent, repaired] = await provider.bodies();
      const start = sent.indexOf(',{"type":"server_tool_use"');
      const end = sent.indexOf("}}", start) + 2;
      assert.equal(repaired, sent.slice(0, start) + sent.slice(end));
    }));

  test("the same message with and without", (t) =>
    each(t, async (guard) => {
      for (const turn of [
        SEARCH,
        { content: [TEXT, CLIENT_CALL], stop_reason: "tool_use" },
        { content: [THINKING, CALL, RESULT, TEXT, CLIENT_CALL], stop_reason: "tool_use" },
      ]) {
        for (const compress of [false, true]) {
          await provider.play([turn, turn, turn], { compress });
          const plain = await ask(null, [user()], true);
          const paired = await ask(guard, [user()], true);
          const whole = await ask(guard, [user()], false);
          assert.deepEqual(content(paired), content(plain));
          assert.deepEqual(content(paired), content(whole));
          assert.equal(paired.stop_reason, whole.stop_reason);
          assert.equal(paired.usage.output_tokens, whole.usage.output_tokens);
        }
      }
    }));

  test("half a pair never arrives", (t) =>
    each(t, async (guard) => {
      for (const turn of [
        { content: [TEXT, CALL] }, // says end_turn as if all were well
        { content: [RESULT, TEXT] },
        { content: [CALL, RESULT, CALL, RESULT, TEXT] },
      ]) {
        await provider.play([turn, turn]);
        assert.deepEqual(content(await ask(null, [user()], true)), turn.content);
        const seen = [];
        const reading = async () => {
          for await (const event of client(guard).messages.stream(request([user()]))) seen.push(event);
        };
        const error = await failure(reading());
        assert.ok(error instanceof Anthropic.APIError, String(error));
        const types = seen.flatMap((event) => (event.content_block ? [event.content_block.type] : []));
        const count = (type) => types.filter((one) => one === type).length;
        assert.equal(count("server_tool_use"), count("web_search_tool_result"));
      }
    }));

  test("a stream that is cut is told", (t) =>
    each(t, async (guard) => {
      const turn = { content: [CALL, RESULT, TEXT], ends: "cut" };
      await provider.play([turn]);
      const error = await failure(ask(guard, [user()], true));
      assert.ok(error instanceof Anthropic.APIError, String(error));
      assert.equal(error.error.error.type, "api_error");
    }));

  test("the provider's own error and a broken connection are what they are without turnkeeper", (t) =>
    each(t, async (guard) => {
      for (const ends of ["overloaded", "reset"]) {
        const turn = { content: [TEXT], ends };
        await provider.play([turn, turn]);
        const [plain, guarded] = [await failure(ask(null, [user()], true)), await failure(ask(guard, [user()], true))];
        assert.equal(guarded.constructor, plain.constructor);
        if (ends === "overloaded") assert.deepEqual(guarded.error, plain.error);
      }
    }));

  test("a reader that leaves", (t) =>
    each(t, async (guard) => {
      await provider.play([SEARCH, SEARCH, SEARCH]);
      const sdk = client(guard);
      for (let round = 0; round < 3; round += 1) {
        for await (const event of await sdk.messages.create({ ...request([user()]), stream: true })) {
          assert.equal(event.type, "message_start");
          break;
        }
      }
      assert.equal((await provider.bodies()).length, 3);
    }));

  test("a signed turn that comes back in another order", (t) =>
    each(t, async (guard) => {
      const thoughts = [THINKING, { ...THINKING, signature: "dHdv" }];
      const calls = [CLIENT_CALL, { ...CLIENT_CALL, id: "toolu_2" }];
      const turn = { content: [thoughts[0], calls[0], thoughts[1], calls[1]], stop_reason: "tool_use" };
      const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "r" }));
      const messages = [user(), assistant([...thoughts, ...calls]), user(results)];
      for (const stream of STREAM) {
        for (const policy of ["conservative", "preserve"]) {
          await provider.play([turn, SEARCH]);
          const sdk = client({ ...guard, policy });
          const told = (history) =>
            stream ? sdk.messages.stream(request(history)).finalMessage() : sdk.messages.create(request(history));
          assert.deepEqual(content(await told([user()])), turn.content);
          assert.match(String(await refused(null, messages, false)), /must remain as they were/);
          assert.deepEqual(content(await told(messages)), SEARCH.content);
          const last = JSON.parse((await provider.bodies()).at(-1)).messages[1].content;
          const demoted = [...thoughts.map(({ thinking }) => ({ type: "text", text: thinking })), ...calls];
          assert.deepEqual(last, policy === "preserve" ? turn.content : demoted);
        }
      }
    }));

  test("beta values, those of the caller and those that tools need", (t) =>
    each(t, async (guard) => {
      const computer = { type: "computer_20250124", name: "computer", display_width_px: 1, display_height_px: 1 };
      await provider.play();
      const betas = ["files-api-2025-04-14"];
      const headers = { headers: { "anthropic-beta": betas[0] } };
      const { messages } = client(guard).beta;
      await messages.create({ ...request([user()]), tools: [computer], betas });
      await messages.create({ ...request([user()]), tools: [computer] }, headers);
      for (const { headers: sent } of await provider.seen()) {
        assert.deepEqual(sent["anthropic-beta"].split(","), [...betas, "computer-use-2025-01-24"]);
      }
    }));

  test("counting tokens, other endpoints, raw responses", (t) =>
    each(t, async (guard) => {
      await provider.play([SEARCH]);
      const sdk = client(guard);
      const messages = [user(), assistant([CALL, TEXT]), user()];
      for (const api of [sdk.messages, sdk.beta.messages]) {
        const counted = await api.countTokens({ model: "claude-sonnet-5-5", messages });
        assert.equal(counted.input_tokens, 7);
      }
      await sdk.messages.batches.create({ requests: [{ custom_id: "1", params: request(messages) }] });
      assert.deepEqual((await sdk.models.list()).data, []);
      const { data, response } = await sdk.messages.create(request([user()])).withResponse();
      assert.equal(response.headers.get("request-id"), "req_1");
      assert.equal(response.url, `${provider.url}/v1/messages`);
      assert.deepEqual(content(data), SEARCH.content);
      const has = (await provider.bodies()).map((body) => body.includes("srvtoolu_1"));
      assert.deepEqual(has, [false, false, true, false]);
    }));

  test("a daemon that can't be asked: closed and open", { skip: !process.env.TURNKEEPERD }, async () => {
    const keeper = await Turnkeeper.connect(NOWHERE).catch((error) => assert.fail(`${error}`));
    const logger = { warn() {} };
    for (const stream of STREAM) {
      await provider.play([SEARCH]);
      const error = await failure(ask({ keeper, onUnavailable: "closed", logger }, [user()], stream));
      assert.ok(error instanceof Anthropic.APIConnectionError, String(error));
      assert.ok(error.cause instanceof GuardUnavailable);
      assert.ok(error.cause.message.includes(NOWHERE));
      assert.deepEqual(await provider.seen(), []);
      const open = await ask({ keeper, onUnavailable: "open", logger }, [user()], stream);
      assert.deepEqual(content(open), SEARCH.content);
    }
  });
});
