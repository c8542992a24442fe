// SPDX-License-Identifier: Apache-2.0

/** Recorded streams through both back ends: any chunking, the same outputs, the same turn. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { PairingFailed, Turnkeeper } from "turnkeeper";

const folder = process.env.TK_STREAMS;
const streams = readdirSync(folder).filter((name) => name.endsWith(".sse"));
const keepers = {};

before(async () => {
  keepers.local = await Turnkeeper.load();
  keepers.socket = await Turnkeeper.connect(process.env.TURNKEEPER_SOCKET);
});
after(() => Object.values(keepers).forEach((keeper) => keeper.close()));

/** All outputs of a stream that is fed in chunks of `size` bytes, and how it ended. */
async function played(keeper, bytes, size, options) {
  const stream = await keeper.stream(options);
  const outputs = [];
  for (let at = 0; at < bytes.length; at += size) outputs.push(...(await stream.feed(bytes.subarray(at, at + size))));
  try {
    const { raw } = await stream.finish();
    assert.equal(stream.state, "ended");
    return { outputs: [...outputs, ...raw.outputs], message: raw.message, seal: raw.seal };
  } catch (error) {
    if (!(error instanceof PairingFailed)) throw error;
    return { outputs: [...outputs, ...error.outputs], kinds: error.kinds };
  }
}

for (const emit of ["parts", "events", "sse"]) {
  test(`${emit}: both back ends, whatever the chunks`, async () => {
    assert.ok(streams.length > 0);
    for (const name of streams) {
      const bytes = new Uint8Array(readFileSync(join(folder, name)));
      const want = await played(keepers.local, bytes, bytes.length, { emit });
      for (const keeper of Object.values(keepers)) {
        for (const size of [7, 4096]) assert.deepEqual(await played(keeper, bytes, size, { emit }), want, name);
      }
    }
  });
}

test("a stream keeps its order when nobody waits", async () => {
  const bytes = new Uint8Array(readFileSync(join(folder, streams[0])));
  const stream = await keepers.socket.stream({ emit: "events" });
  const pending = [];
  for (let at = 0; at < bytes.length; at += 50) pending.push(stream.feed(bytes.subarray(at, at + 50)));
  const outputs = (await Promise.all(pending)).flat();
  const want = await played(keepers.local, bytes, bytes.length, { emit: "events" });
  stream.close();
  assert.deepEqual(outputs, want.outputs.slice(0, outputs.length));
});

test("decoded events are chunks, too; what broke the stream off is in the error", async () => {
  for (const keeper of Object.values(keepers)) {
    const stream = await keeper.stream();
    const message = { id: "m", type: "message", role: "assistant", content: [], model: "x", usage: {} };
    await stream.feed({ type: "message_start", message });
    await stream.feed([{ type: "content_block_start", index: 0, content_block: { type: "text", text: "Hi" } }]);
    await assert.rejects(
      (async () => stream.finish("the line was cut"))(),
      (error) => error.kinds.includes("transport_error") && error.data.transport === "the line was cut" && error.retryable,
    );
    await assert.rejects((async () => stream.feed(""))(), /isn't open/);
  }
});

test("history may be JSON text; an open call of it is carried", async () => {
  const call = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } };
  const history = [{ role: "user", content: "q" }, { role: "assistant", content: [call] }];
  for (const keeper of Object.values(keepers)) {
    const stream = await keeper.stream({ history: new TextEncoder().encode(JSON.stringify(history)) });
    assert.equal(stream.carried[0].id, "srvtoolu_1");
    stream.close();
    await assert.rejects((async () => stream.feed(""))(), { name: "connection_lost", retryable: false });
  }
});

test("the whole body may come instead of the history, also as text", async () => {
  const call = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } };
  const body = { model: "m", stream: true, messages: [{ role: "user", content: "q" }, { role: "assistant", content: [call] }] };
  const text = JSON.stringify(body);
  for (const keeper of Object.values(keepers))
    for (const request of [body, text, new TextEncoder().encode(text)]) {
      const stream = await keeper.stream({ request });
      assert.equal(stream.carried[0].id, "srvtoolu_1");
      stream.close();
    }
});
