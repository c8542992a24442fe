// SPDX-License-Identifier: Apache-2.0

/**
 * node bench_guard.mjs: measures what guardFetch adds to a call of Anthropic's SDK, and streams against the SDK's own
 * accumulator. tests/clients/bench_typescript_guard.py runs it next to a build of the package.
 *
 * Nothing goes over a network: the SDK's fetch is a function that encodes the body and answers at once. Each figure is
 * processor time, which other programs on the machine change little, and the median of rounds in which the compared calls
 * take turns.
 */

import Anthropic from "@anthropic-ai/sdk";

import { guardFetch, Turnkeeper } from "./dist/esm/index.js";

const ROUNDS = 15;
// Calls before the rounds: an engine compiles what is called often once more, and a program that lives long has that.
const WARM_UP = 200;
const TEXT = 'It is raining in Oslo, and the forecast says "more" for tomorrow – 80 %.\n';
const ANSWER = JSON.stringify({
  id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-5-5", stop_reason: "end_turn",
  stop_sequence: null, content: [{ type: "text", text: TEXT }], usage: { input_tokens: 1, output_tokens: 1 },
});

function request(size, { orphan }) {
  const text = TEXT.repeat(10);
  const messages = [{ role: "user", content: "Is it raining?" }];
  for (let n = 0; JSON.stringify(messages).length < size; n += 1) {
    const call = { type: "tool_use", id: `toolu_${n}`, name: "look", input: { place: "Oslo", hours: [1, 2, n] } };
    messages.push({ role: "assistant", content: [{ type: "text", text }, call] });
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${n}`, content: text }] });
  }
  const open = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "q" } };
  const last = orphan ? [{ type: "text", text }, open] : [{ type: "text", text }];
  messages.push({ role: "assistant", content: last }, { role: "user", content: "And?" });
  return { model: "claude-sonnet-5-5", max_tokens: 1024, messages };
}

function sse(events) {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** A turn of about `size` bytes of SSE in deltas as a model writes them, in chunks of 4 KB. */
function streamed(size) {
  const start = { ...JSON.parse(ANSWER), content: [], stop_reason: null };
  const delta = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "It is raining in" } };
  const events = [
    { type: "message_start", message: start },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...Array(Math.ceil(size / sse([delta]).length)).fill(delta),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ];
  const bytes = new TextEncoder().encode(sse(events));
  const chunks = [];
  for (let at = 0; at < bytes.length; at += 4096) chunks.push(bytes.subarray(at, at + 4096));
  return { bytes: bytes.length, chunks };
}

function median(values) {
  return values.sort((one, other) => one - other)[values.length >> 1];
}

/** Microseconds of each work, which take turns: the median of the rounds. */
async function times(calls, warmUp, ...works) {
  const took = works.map(() => []);
  for (const work of works) for (let call = 0; call < warmUp; call += 1) await work();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [n, work] of works.entries()) {
      const start = process.cpuUsage();
      for (let call = 0; call < calls; call += 1) await work();
      const { user, system } = process.cpuUsage(start);
      took[n].push((user + system) / calls);
    }
  }
  return took.map(median);
}

function row(figure, measured, bar, met) {
  console.log(`| ${figure} | ${measured} | ${bar} | ${met ? "met" : "missed"} |`);
}

const us = (value) => `${value.toFixed(0)} µs`;
const sdk = (fetch) => new Anthropic({ apiKey: "k", fetch, maxRetries: 0 });

async function guards(keeper) {
  const answer = async (_input, { body }) => {
    new TextEncoder().encode(body); // as every fetch does with a string before it can send it
    return new Response(ANSWER, { headers: { "content-type": "application/json" } });
  };
  const plain = sdk(answer);
  const guarded = sdk(guardFetch({ keeper, fetch: answer }));
  for (const [name, orphan] of [["sound", false], ["with an edit", true]]) {
    const body = request(200_000, { orphan });
    const [without, added] = await times(20, WARM_UP, () => plain.messages.create(body), () => guarded.messages.create(body));
    const share = (added - without) / without;
    const measured = `${us(without)}, + ${us(added - without)} = ${(share * 100).toFixed(0)} %`;
    row(`guardFetch, 200 KB, ${name}: the SDK's call, and what is added`, measured, "≤ 10 %", share <= 0.1);
  }
}

async function streams(keeper) {
  const { bytes, chunks } = streamed(1_000_000);
  const body = () => new ReadableStream({ start: (c) => (chunks.forEach((chunk) => c.enqueue(chunk)), c.close()) });
  const headers = { "content-type": "text/event-stream" };
  const plain = sdk(async () => new Response(body(), { headers }));
  const accumulated = () => plain.messages.stream(request(100, { orphan: false })).finalMessage();
  const paired = () => {
    const stream = keeper.stream({ emit: "sse" });
    for (const chunk of chunks) stream.feed(chunk);
    return stream.finish();
  };
  const [theirs, ours] = await times(1, 5, accumulated, paired);
  const speed = (took) => `${(bytes / took).toFixed(0)} MB/s`;
  const measured = `${speed(ours)}, ${speed(theirs)}: ${(theirs / ours).toFixed(1)} ×`;
  row("streams paired in process, and the SDK's own accumulator", measured, "≥ 1 ×", ours <= theirs);
}

console.log("| figure | measured | bar | |\n|---|---|---|---|");
const keeper = await Turnkeeper.load();
await guards(keeper);
await streams(keeper);
